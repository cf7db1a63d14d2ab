package tree_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// TestFinishWhileIndexed checks that nobody looks for the end of a value in which the index is being built,
// which would use up the whole budget, and that the end is found otherwise.
func TestFinishWhileIndexed(t *testing.T) {
	const elements, size = 100_000, 8 + 4*100_000 // an Array of nils
	data := make([]byte, size)
	binary.LittleEndian.PutUint32(data, 28)
	binary.LittleEndian.PutUint32(data[4:], elements)
	f := godot.New(godot.Settings{Dialect: godot.Dialects()[0]})
	x := tree.New(source.Bytes(data), f, span.Between(0, size))
	r := x.NewReader()
	r.Budget = 10 * elements
	array, err := r.Child(x.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, done := x.Resume(0, 0)
	for reached := int64(0); reached < size/2; reached, _ = x.Indexed() {
		s.Next()
	}
	if _, err := r.Finish(array); err != tree.ErrPending {
		t.Errorf("while the index is built: %v, not ErrPending", err)
	}
	r.Budget = 0
	if end, err := r.End(array); end != size || err != nil {
		t.Errorf("without a budget: end %d, %v", end, err)
	}
	done()
	r.Budget = 10 * elements
	if end, err := r.End(array); end != size || err != nil {
		t.Errorf("afterwards: end %d, %v", end, err)
	}
}

// TestFinishBeforeIndexed checks that a look-up that does not find an end is not repeated before the index is built, and that
// another value or a larger budget is not affected.
func TestFinishBeforeIndexed(t *testing.T) {
	const elements, size = 100_000, 8 + 4*100_000 // an Array of nils
	data := make([]byte, size)
	binary.LittleEndian.PutUint32(data, 28)
	binary.LittleEndian.PutUint32(data[4:], elements)
	src := &sourcetest.Counted{Source: source.Bytes(data)}
	x := tree.New(src, godot.New(godot.Settings{Dialect: godot.Dialects()[0]}), span.Between(0, size))
	r := x.NewReader()
	r.Budget = 1
	array, err := r.Child(x.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	finish := func(budget int) string {
		r.Budget, src.Bytes = budget, 0
		_, err := r.Finish(array)
		return fmt.Sprint(err, src.Bytes > 0)
	}
	for _, c := range []struct {
		what   string
		budget int
		want   string
	}{
		{"at first", 100, fmt.Sprint(tree.ErrPending, true)},
		{"again", 100, fmt.Sprint(tree.ErrPending, false)},
		{"with less", 50, fmt.Sprint(tree.ErrPending, false)},
		{"with enough", 10 * elements, fmt.Sprint(error(nil), true)},
	} {
		if got := finish(c.budget); got != c.want {
			t.Errorf("%s: %s, not %s", c.what, got, c.want)
		}
	}
}
