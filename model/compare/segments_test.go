package compare

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// TestItemsInSegments holds that many goroutines find the same children, with the same sums and the
// same damage, as one does, whatever the size of a segment.
func TestItemsInSegments(t *testing.T) {
	divided := 0
	for _, dir := range []string{"godot4", "godot3", "damaged", "elephant"} {
		names, err := filepath.Glob("../../testdata/" + dir + "/*.bin")
		if err != nil || len(names) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			d, err := decoder.Open(t.Context(), source.Bytes(data), decoder.Options{Thorough: decoder.Through})
			if err != nil {
				t.Fatal(name, err)
			}
			if d.Missing != nil {
				continue
			}
			for _, size := range []int64{24, 100, 1000} {
				divided += checkSegments(t, name, d.Tree, size)
			}
		}
	}
	if divided < 200 {
		t.Errorf("only %d values were divided", divided)
	}
}

// checkSegments compares what is found in all values of a tree, and returns the number of values that
// are divided.
func checkSegments(t *testing.T, name string, of *tree.Tree, size int64) (divided int) {
	if err := of.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	one, many := newSide(of), newSide(of)
	one.workers, many.workers, many.segment = 1, 16, size
	r := of.NewReader()
	check := func(n *tree.Node) {
		var want, got []item
		errOne := one.items(t.Context(), n, nil, n.Limit, func(x *item) { want = append(want, *x) })
		errMany := many.items(t.Context(), n, nil, n.Limit, func(x *item) { got = append(got, *x) })
		if !slices.Equal(got, want) || (errOne == nil) != (errMany == nil) {
			t.Errorf("%s, segments of %d: %s has %v (%v), not %v (%v)", name, size, r.Path(n), got, errMany, want, errOne)
		}
		if n.Layout >= tree.Sequence && len(many.cuts(context.Background(), n, nil, n.Limit)) > 0 {
			divided++
		}
	}
	check(of.Base)
	for n, err := r.Child(of.Base, 0); err == nil; n, err = r.Next(n) {
		check(n)
		for c, err := r.Child(n, 0); err == nil; c, err = r.Next(c) {
			check(c)
		}
	}
	if (one.damage == nil) != (many.damage == nil) || one.damage != nil && one.damage.Offset != many.damage.Offset {
		t.Errorf("%s, segments of %d: damage %v, not %v", name, size, many.damage, one.damage)
	}
	return divided
}
