package action

import (
	"fmt"
	"testing"
)

func TestParseKeys(t *testing.T) {
	for _, c := range []struct {
		written string
		want    string // the keys, or the error
	}{
		{"x", `["x"]`},
		{"space", `[" "]`},
		{"alt+é", `["alt+é"]`},
		{"shift+tab", `["shift+tab"]`},
		{" z   t ", `["z t"]`},
		{"", `"": a key is one or two names, as in "ctrl+f" or "z t"`},
		{"a b c", `"a b c": a key is one or two names, as in "ctrl+f" or "z t"`},
		{"ctrl+i", `no key is called "ctrl+i"; names are as in "x", "X", "ctrl+x", "alt+x", "f5", "pgup", "space"`}, // it is tab
		{"runes", `no key is called "runes"; names are as in "x", "X", "ctrl+x", "alt+x", "f5", "pgup", "space"`},
		{"\x1b", `no key is called "\x1b"; names are as in "x", "X", "ctrl+x", "alt+x", "f5", "pgup", "space"`},
	} {
		keys, err := ParseKeys([]string{c.written})
		got := fmt.Sprintf("%q", keys)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.written, got, c.want)
		}
	}
}

// A chosen key is taken from the action that had it, in the rooms of both.
func TestWithKeys(t *testing.T) {
	table, err := Default().WithKeys(map[Action][]string{Search: {"f", "x"}, Undo: {}})
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[Action]string{Search: `["f" "x"]`, Undo: `[]`, Cut: `[]`, DeleteByte: `["delete"]`, Redo: `["ctrl+r"]`} {
		if got := fmt.Sprintf("%q", table.Entry(a).Keys); got != want {
			t.Errorf("%s has %s, want %s", a, got, want)
		}
	}
	if table.Entry(Undo).Shown() != "" || len(table.Hints(Undo)) != 0 {
		t.Error("an action without a key is shown with one")
	}
	if got := fmt.Sprintf("%q", Default().Entry(Cut).Keys); got != `["x"]` {
		t.Errorf("the default has changed: %s", got)
	}
	for _, chosen := range []map[Action][]string{
		{Search: {"f"}, Undo: {"f"}},
		{Search: {"f"}, Undo: {"f x"}},
	} {
		if _, err := Default().WithKeys(chosen); err == nil {
			t.Errorf("%v is accepted", chosen)
		}
	}
	if _, err := Default().WithKeys(map[Action][]string{Rename: {"f"}, Repair: {"f"}}); err != nil {
		t.Errorf("in different rooms: %v", err)
	}
}
