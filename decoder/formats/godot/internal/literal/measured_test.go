package literal

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A row is a literal, and what engines make of it in a ConfigFile: "[s]", an empty line, "x=LITERAL", "y=7".
type row struct {
	Literal string
	Engine  string   // 3, 4 or both
	Kind    string   // right; refused: nothing is loaded; lost: a key is gone or has another name
	Keys    []string // that are there
	X       string   // the value of x as the engine writes it
	Said    int      // how many messages the engine has printed
}

// TestMeasured compares with what Godot 3.2.3 and Godot 4.6 made of literals (testdata/literals.jsonl).
func TestMeasured(t *testing.T) {
	f, err := os.Open("testdata/literals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		for name, e := range map[string]*Engine{"3": Godot3, "4": godot4} {
			if r.Engine == name || r.Engine == "both" {
				r.compare(t, e)
			}
		}
	}
}

func (r *row) compare(t *testing.T, e *Engine) {
	text := []byte(r.Literal + "\ny=7\n")
	var found []Finding
	v, n, ok := e.Read(text, func(f Finding) { found = append(found, f) })
	key, more := e.Key(text[n:])
	kind := "right"
	switch {
	case !ok || !more: // of what follows the value, a text has no end
		kind = "refused"
	case key != "y":
		kind = "lost"
	}
	if kind != r.Kind {
		t.Errorf("%s: %q is %s, want %s (%v)", e.Title, r.Literal, kind, r.Kind, found)
		return
	}
	isNull := len(r.Keys) == 1 && r.Keys[0] == "y" // the entry is left out
	switch {
	case kind == "lost" && len(r.Keys) > 1 && key != r.Keys[1]:
		t.Errorf("%s: the key after %q is %q, want %q", e.Title, r.Literal, key, r.Keys)
	case kind == "right" && r.Said > 0 && len(found) == 0 && !isNull:
		t.Errorf("%s: nothing is said of %q, which becomes %s", e.Title, r.Literal, r.X)
	case kind == "right" && isNull != (v.Kind == 0):
		t.Errorf("%s: %q is a %d, and the keys %q", e.Title, r.Literal, v.Kind, r.Keys)
	}
	for _, f := range found {
		if f.Element {
			return // all that is in the container is gone
		}
	}
	for _, f := range found {
		if becomes, ok := strings.CutPrefix(f.Message, "it becomes "); ok && kind == "right" && !strings.Contains(becomes, " ") && !strings.Contains(r.X, becomes) {
			t.Errorf("%s: %q: %s; the engine reads %s", e.Title, r.Literal, f.Message, r.X)
		}
	}
}
