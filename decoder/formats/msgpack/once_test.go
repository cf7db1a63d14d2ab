package msgpack_test

import (
	"bytes"
	"slices"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/msgpack"
)

// TestCheckReadsOnce: values that cannot be passed many at a time are not read to divide the buffer, and then again.
func TestCheckReadsOnce(t *testing.T) {
	const values = 400_000
	of := simpletest.Open(t, msgpack.Family, slices.Concat([]byte{0xdd, 0, values >> 16, values >> 8 & 255, values & 255}, bytes.Repeat([]byte{0xd2, 1, 2, 3, 4}, values)))
	src := &sourcetest.Counted{Source: of.Source}
	err := tree.New(src, of.Reading, of.Region).Check(t.Context(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) { t.Error(p) })
	if size := of.Source.Size(); err != nil || int64(src.Bytes) < size || int64(src.Bytes) > size*5/4 {
		t.Errorf("%d bytes are read of %d (%v)", src.Bytes, size, err)
	}
}

// TestNearReadsOnce: values that are looked up one after the other are not read in far larger pieces each.
func TestNearReadsOnce(t *testing.T) {
	const values = 20_000
	of := simpletest.Open(t, msgpack.Family, slices.Concat([]byte{0xdd, 0, values >> 16, values >> 8 & 255, values & 255}, bytes.Repeat([]byte{0xd2, 1, 2, 3, 4}, values)))
	src := &sourcetest.Counted{Source: of.Source}
	tr := tree.New(src, of.Reading, of.Region)
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	built, r := int64(src.Bytes), tr.NewReader()
	for i := range int64(values / 10) {
		if n, err := r.At(5 + 50*i); err != nil || n.Slot.Index != 10*i {
			t.Fatal(n, err)
		}
	}
	if size := of.Source.Size(); int64(src.Bytes)-built > 8*size {
		t.Errorf("%d bytes are read of %d", int64(src.Bytes)-built, size)
	}
}
