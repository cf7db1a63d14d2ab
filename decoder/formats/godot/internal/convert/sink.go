package convert

import (
	"fmt"
	"io"
	"os"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tempfile"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// spillAt is the number of bytes that are held in memory.
const spillAt = 256 << 10

// A sink takes the bytes of the output. If holds is set, the bytes since the last keep can be dropped
// again, and counts in them changed: what does not fit into memory goes to a temporary file.
type sink struct {
	encode.Encoder // its Out has the last bytes
	out            io.Writer
	holds          bool
	file           *os.File // held bytes before Out; nil until there are any
	spilled        int64    // number of them
}

// size returns the number of bytes since the last keep.
func (s *sink) size() int64 { return s.spilled + int64(len(s.Out)) }

// room makes room for more bytes. It spills whole words, so that no count is split.
func (s *sink) room() error {
	if len(s.Out) < spillAt {
		return nil
	}
	if !s.holds {
		return s.keep()
	}
	if s.file == nil {
		f, err := tempfile.Create("")
		if err != nil {
			return fmt.Errorf("no temporary file: %w", err)
		}
		s.file = f
	}
	n := len(s.Out) &^ 3
	if _, err := s.file.WriteAt(s.Out[:n], s.spilled); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	s.spilled += int64(n)
	s.Out = s.Out[:copy(s.Out, s.Out[n:])]
	return nil
}

// truncate drops all bytes from at on, where a value begins: a whole number of words.
func (s *sink) truncate(at int64) {
	if at >= s.spilled {
		s.Out = s.Out[:at-s.spilled]
		return
	}
	s.spilled, s.Out = at, s.Out[:0]
}

// put32 overwrites the number at an offset.
func (s *sink) put32(at int64, n uint32) error {
	b := numeric.AppendBinary(nil, types.Int32, uint64(n))
	if at >= s.spilled {
		copy(s.Out[at-s.spilled:], b)
		return nil
	}
	if _, err := s.file.WriteAt(b, at); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	return nil
}

// keep writes all bytes, which then can no longer be changed.
func (s *sink) keep() error {
	if s.spilled > 0 {
		if _, err := io.Copy(s.out, io.NewSectionReader(s.file, 0, s.spilled)); err != nil {
			return err
		}
		s.spilled = 0
	}
	_, err := s.out.Write(s.Out)
	s.Out = s.Out[:0]
	return err
}

// copy writes n bytes of a source as they are.
func (s *sink) copy(w *source.Window, off, n int64) error {
	for _, b := range w.Pieces(span.Span{Offset: off, Length: n}) {
		s.Out = append(s.Out, b...)
		if err := s.room(); err != nil {
			return err
		}
	}
	return w.Err()
}

// close removes the temporary file.
func (s *sink) close() {
	if s.file != nil {
		s.file.Close()
	}
}
