package source

import (
	"errors"
	"fmt"
	"io"

	"varview/decoder/engine/span"
)

// A HoleError reports that some bytes of a source are not available although those after
// them are, for example because a packed block cannot be unpacked. ReadAt returns it with
// the number of bytes before the hole; reading can resume at Span.End().
type HoleError struct {
	span.Span
	Err error // why
}

func (e *HoleError) Error() string { return fmt.Sprintf("%s: %v", e.Span, e.Err) }

// Unwrap returns the reason alone.
func (e *HoleError) Unwrap() error { return e.Err }

// ReadAround reads the bytes of src at off, as many as there are. Bytes in holes are zero; the holes are
// returned as spans within what was read.
func ReadAround(src Source, dst []byte, off int64) (n int, holes []span.Span) {
	for n < len(dst) {
		got, err := src.ReadAt(dst[n:], off+int64(n))
		n += got
		var hole *HoleError
		if !errors.As(err, &hole) || errors.Is(err, io.EOF) {
			return n, holes
		}
		at := off + int64(n)
		end := min(hole.End(), off+int64(len(dst)))
		if end <= at {
			return n, holes
		}
		clear(dst[n : end-off])
		holes = append(holes, span.Between(at, end))
		n = int(end - off)
	}
	return n, holes
}
