// Package source provides the bytes that decoders read: files, sections and memory, read on demand through
// a window. It never relies on a file keeping its size.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"varview/decoder/engine/span"
)

// A Source is one address space of bytes. ReadAt may be called from several
// goroutines at once.
type Source interface {
	io.ReaderAt
	Size() int64 // size in bytes when the source was opened
}

// Bytes is a Source in memory.
type Bytes []byte

// Size returns the number of bytes.
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

// Read returns the bytes of a span; nil if some are missing.
func Read(src Source, s span.Span) []byte {
	b := make([]byte, max(0, s.Length))
	if n, _ := src.ReadAt(b, s.Offset); n < len(b) {
		return nil
	}
	return b
}

// IsZlib reports whether bytes can begin a zlib stream (RFC 1950): method deflate, a window that exists, no
// dictionary, and the check of both.
func IsZlib(b []byte) bool {
	return len(b) >= 2 && b[0]&15 == 8 && b[0]>>4 <= 7 && b[1]&0x20 == 0 && (int(b[0])<<8|int(b[1]))%31 == 0
}

// PackedAs returns what bytes are packed with that begin as gzip, Zstandard or, with its usual window, zlib: "gzip", "zstd" or
// "zlib"; "" for others.
func PackedAs(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case IsZlib(b) && b[0] == 'x':
		return "zlib"
	}
	return ""
}

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
