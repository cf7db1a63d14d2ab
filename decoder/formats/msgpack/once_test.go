package msgpack_test

import (
	"bytes"
	"slices"
	"sync/atomic"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/msgpack"
)

// A counted reading counts the values that are read.
type counted struct {
	tree.Reading
	read *atomic.Int64
}

func (c counted) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	c.read.Add(1)
	c.Reading.Read(w, parent, slot, off, v)
}

// TestCheckReadsOnce: values that cannot be passed many at a time are not read to divide the buffer, and then again.
func TestCheckReadsOnce(t *testing.T) {
	const values = 400_000
	of := simpletest.Open(t, msgpack.Family, slices.Concat([]byte{0xdd, 0, values >> 16, values >> 8 & 255, values & 255}, bytes.Repeat([]byte{0xd2, 1, 2, 3, 4}, values)))
	var read atomic.Int64
	again := tree.New(of.Source, counted{of.Reading, &read}, of.Region)
	err := again.Check(t.Context(), tree.CheckOptions{Workers: 2}, func(p span.Problem, _ *tree.Node) { t.Error(p) })
	if n := read.Load(); err != nil || n < values || n > values*5/4 {
		t.Errorf("%d values are read of %d (%v)", n, values, err)
	}
}
