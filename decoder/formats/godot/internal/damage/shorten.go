package damage

import (
	"errors"
	"math"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// shorten makes a string or packed array end where the bytes end.
func (m *repairing) shorten(v *tree.Value) error {
	switch types.Of(v.Type).Shape {
	case types.ShapePacked:
		if v.Count > math.MaxInt32 {
			return errors.New("no packed array is that long")
		}
		n := min(v.Count, (v.End-v.Body)/int64(v.Stride))
		if m.holdsText(v.Body, v.End) && m.drops == "" {
			m.drops = span.Bytes(v.End-v.Body) + ", with texts, that would become numbers"
		}
		m.PutU32(v.Body-4, uint32(n))
		m.Cut(v.Body+n*int64(v.Stride), v.End)
		return nil
	case types.ShapeBytes:
		return m.endText(v, v.Body-4, v.End-v.Body, false)
	}
	off := v.Head + 4
	if v.Type >= types.Raw {
		off = v.Start
	}
	n := v.End - off - 4
	if v.End == v.Limit {
		n = m.wholeText(off+4, n)
	} else { // the next value begins after its padding
		for left := n - 3; n > max(0, left) && m.Window.Byte(off+3+n) == 0; {
			n--
		}
	}
	nul := v.Type == types.Entry && (n == 0 || m.Window.Byte(off+3+n) != 0)
	return m.endText(v, off, n, nul)
}

// holdsText reports whether there is a string with its header between two offsets, as hardly ever among numbers.
func (m *repairing) holdsText(from, to int64) bool {
	const least, most = 2, 64
	for at := from; at+8 < to; at++ {
		n := int64(m.Window.U32(at + 4))
		if m.Window.U32(at) == 4 && n >= least && n <= most && at+8+n <= to && isReadable(m.Window.View(at+8, n)) {
			return true
		}
	}
	return false
}

// endText sets the length of the string or bytes at off, which extend to the end of
// v, to n. A NUL is added if nul is set.
func (m *repairing) endText(v *tree.Value, off, n int64, nul bool) error {
	size := n
	if nul {
		size++
	}
	if size > math.MaxInt32 {
		return errors.New("this would be too long")
	}
	m.PutU32(off, uint32(size))
	end := off + 4 + n
	m.Put(end, v.End-end, make([]byte, size-n+types.Pad(size)))
	return nil
}
