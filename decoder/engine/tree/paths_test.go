package tree_test

import (
	"bytes"
	"runtime"
	"testing"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// TestPathsOfNested: the paths of values in one another, in their order, are those that Path returns, but for the middle of long ones: deeper
// values do not take more memory.
func TestPathsOfNested(t *testing.T) {
	const depth = 4000
	tr := open(t, "godot4", godot.Raw, append(bytes.Repeat(words(27, 1, 2, 7), depth), words(0)...))
	r, other, s := tr.NewReader(), tr.NewReader(), tr.Scanner()
	var before, after runtime.MemStats
	all, used := 0, uint64(0)
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		if ev == tree.Leave {
			continue
		}
		n := s.Current(ev)
		runtime.ReadMemStats(&before)
		path := r.NextPath(n)
		runtime.ReadMemStats(&after)
		all, used = all+len(path), used+after.TotalAlloc-before.TotalAlloc
		want := other.Path(n)
		if path != tree.CutPath(want) {
			t.Fatalf("%s, not %s", path, want)
		}
	}
	if most := 4 * uint64(all); used > most { // with what is read of their keys
		t.Errorf("paths of %d bytes took %d", all, used)
	}
}
