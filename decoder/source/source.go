// Package source provides the bytes that decoders read: files, sections and memory, read
// on demand through a window. Nothing here relies on a file keeping its size.
package source

import (
	"errors"
	"fmt"
	"io"

	"varview/decoder/span"
)

// A Source is one address space of bytes. ReadAt may be called from several
// goroutines at once.
type Source interface {
	io.ReaderAt
	Size() int64 // in bytes, as it was when the source was opened
}

// Bytes is a Source in memory.
type Bytes []byte

// Size is the number of bytes.
func (b Bytes) Size() int64 { return int64(len(b)) }

// ReadAt implements io.ReaderAt.
func (b Bytes) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	if off >= int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A HoleError reports that some bytes of a source are not available while those after
// them are: a packed block that cannot be unpacked. ReadAt returns it with the number of
// bytes before the hole; reading can resume at Span.End().
type HoleError struct {
	span.Span
	Err error // why
}

func (e *HoleError) Error() string { return fmt.Sprintf("%s: %v", e.Span, e.Err) }

// Unwrap returns the reason alone.
func (e *HoleError) Unwrap() error { return e.Err }
