package compare

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	_ "varview/internal/lessgc"
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
	gaps, _ := of.Gaps(t.Context())
	if err := of.BuildIndexAndGaps(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, _ := of.Gaps(t.Context()); !slices.Equal(got, gaps) {
		t.Errorf("%s: gaps %v, not %v", name, got, gaps)
	}
	one, many := newSide(of), newSide(of)
	one.workers, many.workers, many.segment = 1, 16, size
	r := of.NewReader()
	check := func(n *tree.Node) {
		var want, got []item
		errOne := one.items(t.Context(), n, nil, n.Limit, n.Limit, func(x *item) { want = append(want, *x) })
		errMany := many.items(t.Context(), n, nil, n.Limit, n.Limit, func(x *item) { got = append(got, *x) })
		if !slices.Equal(got, want) || (errOne == nil) != (errMany == nil) {
			t.Errorf("%s, segments of %d: %s has %v (%v), not %v (%v)", name, size, r.Path(n), got, errMany, want, errOne)
		}
		if n.Layout >= tree.Sequence && len(many.cuts(context.Background(), n, nil, n.Limit, n.Limit)) > 0 {
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

// A counting reading counts the values that are read.
type counting struct {
	tree.Reading
	read *atomic.Int64
}

func (c counting) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	c.read.Add(1)
	c.Reading.Read(w, parent, slot, off, v)
}

// TestDeepInSegments: nested values that are all larger than a segment are passed a few times, not again
// at each level.
func TestDeepInSegments(t *testing.T) {
	const deep = 4000
	word := func(ws ...uint32) (b []byte) {
		for _, w := range ws {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	for name, nest := range map[string]struct{ before, after []byte }{
		"arrays": {word(28, 3, 2, 7), word(2, 8)},
		"values": {word(27, 1, 2, 7), nil},
		"keys":   {word(27, 1), word(2, 7)},
	} {
		data := slices.Concat(bytes.Repeat(nest.before, deep), word(0), bytes.Repeat(nest.after, deep))
		d, err := decoder.Open(t.Context(), source.Bytes(data), decoder.Options{Dialect: "godot4", Framing: "raw"})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Tree.BuildIndex(t.Context()); err != nil {
			t.Fatal(err)
		}
		var read atomic.Int64
		d.Tree.Reading = counting{d.Tree.Reading, &read}
		s := newSide(d.Tree)
		s.workers, s.segment = 2, 16<<10
		n, err := s.read.Child(d.Tree.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.sumOf(n)
		once := read.Load()
		if s.sumOf(n); once > 12*deep || read.Load() > 12*deep+100 {
			t.Errorf("%s: %d and %d values read of %d", name, once, read.Load()-once, deep)
		}
	}
}
