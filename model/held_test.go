package model

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder/engine/tree"
)

// TestHolders compares the texts that may hold values, which are found while others are passed, with those of a scanner that
// passes none.
func TestHolders(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made.json")
	if err := os.WriteFile(made, []byte(`{"{\"a\":1}": "{\"b\":[1]}", "c": ["\n[1]", "  {}", "plain", "Vector2(1, 2)", "00112233445566778899", "{", {"d": "[]", "e": "\u007b}"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{made}
	for _, family := range []string{"godot4", "json", "gamemaker", "msgpack"} {
		more, _ := filepath.Glob("../testdata/" + family + "/*.*")
		paths = append(paths, more...)
	}
	for _, path := range paths {
		if st, err := os.Stat(path); err != nil || st.IsDir() {
			continue
		}
		d, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Missing != nil || d.IsForeign() {
			d.Close()
			continue
		}
		r := d.Innermost().Tree().NewReader()
		found, err := holders(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		if _, done := r.Tree.Indexed(); !done {
			t.Errorf("%s: the pass has built no index", path)
		}
		var got, want []string
		for _, n := range found {
			got = append(got, r.Path(n.Node))
		}
		s := r.Tree.Scanner()
		for ev := s.Next(); ev != tree.Done; ev = s.Next() {
			if ev == tree.Atom && !s.Slot().Key && r.Look(s.Value()).Form == tree.FormHeld {
				want = append(want, r.Path(s.Current(ev)))
			}
		}
		d.Close()
		if !slices.Equal(got, want) || path == made && len(want) != 7 {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
}
