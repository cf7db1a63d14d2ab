package godot

import (
	"errors"
	"math"
	"math/bits"

	"varview/decoder/tree"
)

// errFrame says that a length has no room in a frame's prefix.
var errFrame = errors.New("a frame of a stream holds at most 4 GiB")

// frame counts what the edit adds to the length of the frame that n lies in. A
// length that was wrong stays wrong by as much.
func (e *editing) frame(n *tree.Node) error {
	for n != nil && n.Depth > 1 {
		n = n.Parent
	}
	if n == nil || n.Depth < 1 || n.Head == n.Start {
		return nil
	}
	added := int64(0)
	for i := range e.splices {
		s := &e.splices[i]
		if s.Offset < n.Head {
			return nil // the frame itself is put in or taken away
		}
		added += s.Added() - s.Length
	}
	length, err := e.f.appendFrameLength(nil, int64(e.f.frameLength(e.w, n.Start))+added)
	if err == nil && added != 0 {
		e.put(n.Start, 4, length)
	}
	return err
}

// appendFrameLength appends the prefix of a frame of n bytes.
func (f *Format) appendFrameLength(dst []byte, n int64) ([]byte, error) {
	if n < 0 || n > math.MaxUint32 {
		return dst, errFrame
	}
	length := uint32(n)
	if f.BigEndian {
		length = bits.ReverseBytes32(length)
	}
	return appendComponent(dst, tInt32, uint64(length)), nil
}

// claims reports whether the frame n says that it ends behind the bytes there
// are: it would take in whatever is put there.
func (e *editing) claims(n *tree.Node) bool {
	return n.Head > n.Start && n.Head+int64(e.f.frameLength(e.w, n.Start)) > n.Parent.Limit
}
