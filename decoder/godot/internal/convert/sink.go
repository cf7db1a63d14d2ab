package convert

import (
	"io"

	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
)

// flushAt is the number of bytes that are collected before they are written.
const flushAt = 256 << 10

// A sink takes the bytes of the output. If holds is set, it keeps those since the last keep in memory:
// they can be dropped again, and counts in them changed.
type sink struct {
	encode.Encoder // its Out has the bytes that wait
	out            io.Writer
	holds          bool
}

// size is the number of bytes since the last keep.
func (s *sink) size() int64 { return int64(len(s.Out)) }

// room writes the bytes that wait if they are many and need not be held.
func (s *sink) room() error {
	if s.holds || len(s.Out) < flushAt {
		return nil
	}
	return s.keep()
}

// put32 overwrites the number at an offset.
func (s *sink) put32(at int64, n uint32) {
	copy(s.Out[at:], numeric.AppendBinary(nil, types.Int32, uint64(n)))
}

// keep writes all bytes, which then can no longer be changed.
func (s *sink) keep() error {
	_, err := s.out.Write(s.Out)
	s.Out = s.Out[:0]
	return err
}

// copy writes n bytes of a source as they are.
func (s *sink) copy(w *source.Window, off, n int64) error {
	for n > 0 {
		b := w.View(off, min(n, source.MaxView))
		if len(b) == 0 {
			return w.Err()
		}
		s.Out = append(s.Out, b...)
		off, n = off+int64(len(b)), n-int64(len(b))
		if err := s.room(); err != nil {
			return err
		}
	}
	return nil
}
