package tree_test

import (
	"bytes"
	"fmt"
	"testing"

	"varview/decoder/godot"
	"varview/decoder/tree"
)

// TestManyRepeatedKeys: the paths of entries with the same key are found in one reading,
// not in one for each: the budget of a call is far smaller than the dictionary.
func TestManyRepeatedKeys(t *testing.T) {
	const entries = 5000
	data := append(words(27, entries), bytes.Repeat(words(2, 7, 2, 1), entries)...)
	tr := open(t, "godot4", godot.Raw, data)
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := tr.NewReader()
	r.Budget = 100
	s := tr.Scanner()
	for i := 0; ; {
		ev := s.Next()
		if ev == tree.Done {
			break
		}
		if ev != tree.Atom || s.Slot().Key {
			continue
		}
		want := "$[7]"
		if i++; i > 1 {
			want = fmt.Sprintf("$[7]#%d", i)
		}
		if got := r.Path(s.Current(ev)); got != want {
			t.Fatalf("entry %d has the path %s, not %s", i, got, want)
		}
	}
}
