package layer

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tempfile"
)

// inMemory is the number of bytes of a payload up to which it is kept in memory; a larger
// one that is unpacked as a whole goes to a temporary file.
const inMemory = 8 << 20

// A Spool stores a payload while it is unpacked, up to a limit.
type Spool struct {
	Limit  int64
	Memory int64 // bytes up to which it is kept in memory; 0 for as many as a payload
	n      int64 // bytes taken
	mem    []byte
	file   *temporary
	out    *bufio.Writer
	Err    error // of the temporary file
}

// OnlyFirstOf is the message of a payload that is cut.
func OnlyFirstOf(all, limit int64) string {
	return "cut by --max-unpacked: only the first " + span.Bytes(limit) + " of " + span.Bytes(all) + " are unpacked"
}

// OnlyFirst is the message of a payload that is cut, where it is not known how
// long it would be.
func OnlyFirst(limit int64) string {
	return "cut by --max-unpacked: only the first " + span.Bytes(limit) + " are unpacked"
}

// ErrFull is returned by Write when a Spool has reached its limit.
var ErrFull = errors.New("no more may be unpacked")

// Write appends p. The error is ErrFull if the limit allows only a part of it, or that of
// the temporary file.
func (s *Spool) Write(p []byte) (int, error) {
	whole := len(p)
	p = p[:min(int64(whole), s.Limit-s.n)]
	if s.out == nil && int64(len(s.mem)+len(p)) > cmp.Or(s.Memory, inMemory) {
		s.spill()
	}
	if s.Err != nil {
		return 0, s.Err
	}
	if s.out == nil {
		s.mem = append(s.mem, p...)
	} else if _, err := s.out.Write(p); err != nil {
		s.Err = fmt.Errorf("writing a temporary file: %w", err)
		return 0, s.Err
	}
	s.n += int64(len(p))
	if len(p) < whole {
		return len(p), ErrFull
	}
	return whole, nil
}

// Size returns how many bytes were written.
func (s *Spool) Size() int64 { return s.n }

// Left returns how many more bytes may be written.
func (s *Spool) Left() int64 { return s.Limit - s.n }

// spill moves the bytes written so far to a temporary file.
func (s *Spool) spill() {
	f, err := tempfile.Create("")
	if err != nil {
		s.Err = fmt.Errorf("no temporary file: %w", err)
		return
	}
	s.file = &temporary{File: f}
	s.out = bufio.NewWriterSize(f, 256<<10)
	if _, err = s.out.Write(s.mem); err != nil {
		s.Err = fmt.Errorf("writing a temporary file: %w", err)
	}
	s.mem = nil
}

// Close discards the bytes.
func (s *Spool) Close() {
	if s.file != nil {
		s.file.Close()
	}
}

// Source returns the bytes written; closer is nil where nothing must be closed.
func (s *Spool) Source() (payload source.Source, closer io.Closer, err error) {
	if s.file == nil {
		return source.Bytes(s.mem), nil, nil
	}
	s.file.size = s.n
	if err := s.out.Flush(); err != nil {
		return nil, nil, fmt.Errorf("writing a temporary file: %w", err)
	}
	return s.file, s.file, nil
}

// temporary is a temporary file as a source.
type temporary struct {
	*os.File
	size int64
}

// Size implements source.Source.
func (t *temporary) Size() int64 { return t.size }

// Hold makes the bytes of s the payload of l.
func (l *Layer) Hold(s *Spool) (err error) {
	l.Payload, err = l.Keep(s)
	return err
}

// Keep returns the bytes of s, which are there until l is closed.
func (l *Layer) Keep(s *Spool) (source.Source, error) {
	src, closer, err := s.Source()
	if closer != nil {
		l.OnClose(closer)
	}
	return src, err
}
