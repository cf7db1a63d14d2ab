package ui

import (
	"fmt"
	"testing"

	"varview/ui/action"
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
		keys, err := action.ParseKeys([]string{c.written})
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
	table, err := action.Default().WithKeys(map[action.Action][]string{action.Search: {"f", "x"}, action.Undo: {}})
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[action.Action]string{action.Search: `["f" "x"]`, action.Undo: `[]`, action.Cut: `[]`, action.DeleteByte: `["delete"]`, action.Redo: `["ctrl+r"]`} {
		if got := fmt.Sprintf("%q", table.Entry(a).Keys); got != want {
			t.Errorf("%s has %s, want %s", a, got, want)
		}
	}
	if table.Entry(action.Undo).Shown() != "" || len(table.Hints(action.Undo)) != 0 {
		t.Error("an action without a key is shown with one")
	}
	if got := fmt.Sprintf("%q", action.Default().Entry(action.Cut).Keys); got != `["x"]` {
		t.Errorf("the default has changed: %s", got)
	}
	for _, chosen := range []map[action.Action][]string{
		{action.Search: {"f"}, action.Undo: {"f"}},
		{action.Search: {"f"}, action.Undo: {"f x"}},
	} {
		if _, err := action.Default().WithKeys(chosen); err == nil {
			t.Errorf("%v is accepted", chosen)
		}
	}
	if _, err := action.Default().WithKeys(map[action.Action][]string{action.Rename: {"f"}, action.Repair: {"f"}}); err != nil {
		t.Errorf("in different rooms: %v", err)
	}
}
