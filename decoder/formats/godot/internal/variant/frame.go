package variant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// readFrame reads a u32 length and the value after it. The frame ends where its
// length says, whatever the value does.
func (f *Format) readFrame(w *source.Window, v *tree.Value) {
	n := f.FrameLength(w, v.Start)
	v.Head = v.Start + 4
	v.Body = v.Head
	v.Fenced = true
	end := min(v.Head+int64(n), v.Limit) // Inspect reports a length past the limit
	cut := v.Head+int64(n) > v.Limit
	v.Limit = end
	f.readValue(w, v)
	v.End = end
	if v.Damage != nil && v.Damage.Code == span.Truncated && !cut {
		v.Damage.Span = span.Between(v.Start, v.Head)
		v.Damage.Code = span.FrameTooShort
		v.Damage.Message = fmt.Sprintf("a frame of %s ends before its value does", span.Bytes(int64(n)))
	}
}

// FrameLength returns the length of the frame that begins at an offset.
func (f *Format) FrameLength(w *source.Window, at int64) uint32 {
	if n := w.U32(at); f.BigEndian {
		return bits.ReverseBytes32(n)
	} else {
		return n
	}
}

// frameEnd returns the end of the frame that begins at a place in b (-1 if b does not have all of it) and
// the type of its value.
func (f *Format) frameEnd(b []byte, at int) int {
	if len(b)-at < 8 {
		return -1
	}
	n := binary.LittleEndian.Uint32(b[at:])
	if f.BigEndian {
		n = bits.ReverseBytes32(n)
	}
	if int64(n) > int64(len(b)-at-4) {
		return -1
	}
	return at + 4 + int(n)
}

// errFrameTooLong is the error for a length that does not fit the prefix of a frame.
var errFrameTooLong = errors.New("a frame of a stream can hold at most 4 GiB")

// AppendFrameLength appends the prefix of a frame of n bytes; nothing in a sequence, which has none.
func (f *Format) AppendFrameLength(dst []byte, n int64) ([]byte, error) {
	if f.Framing == Sequence {
		return dst, nil
	}
	if n < 0 || n > math.MaxUint32 {
		return dst, errFrameTooLong
	}
	length := uint32(n)
	if f.BigEndian {
		length = bits.ReverseBytes32(length)
	}
	return numeric.AppendBinary(dst, types.Int32, uint64(length)), nil
}
