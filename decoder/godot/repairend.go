package godot

import (
	"errors"
	"math"

	"varview/decoder/tree"
)

// keepStart lets a string or packed array end where the bytes do.
func (m *mending) keepStart(v *tree.Value) error {
	switch typeOf(v.Type).shape {
	case shapePacked:
		if v.Count > math.MaxInt32 {
			return errors.New("no packed array is that long")
		}
		n := min(v.Count, (v.End-v.Body)/int64(v.Stride))
		m.putU32(v.Body-4, uint32(n))
		m.cut(v.Body+n*int64(v.Stride), v.End)
		return nil
	case shapeBytes:
		return m.endText(v, v.Body-4, v.End-v.Body, false)
	}
	off := v.Head + 4
	if v.Type >= tRaw {
		off = v.Start
	}
	n := v.End - off - 4
	if v.End == v.Limit {
		n = m.wholeText(off+4, n)
	} else { // what follows tells where it ends, with its padding
		for left := n - 3; n > max(0, left) && m.w.Byte(off+3+n) == 0; {
			n--
		}
	}
	nul := v.Type == tEntry && (n == 0 || m.w.Byte(off+3+n) != 0)
	return m.endText(v, off, n, nul)
}

// endText lets the string or the bytes at off, which go on up to the end of v, be
// n long. A NUL is put behind them if nul is set.
func (m *mending) endText(v *tree.Value, off, n int64, nul bool) error {
	size := n + int64(boolInt(nul))
	if size > math.MaxInt32 {
		return errors.New("nothing is that long")
	}
	m.putU32(off, uint32(size))
	end := off + 4 + n
	m.put(end, v.End-end, make([]byte, size-n+pad(size)))
	return nil
}
