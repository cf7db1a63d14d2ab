package wrap

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder/source"
)

// inMemory is how many bytes of a payload that is unpacked as a whole are kept
// in memory; more go to a temporary file.
const inMemory = 8 << 20

// A spool takes a payload as it is unpacked, up to a limit.
type spool struct {
	limit int64
	n     int64 // bytes taken
	mem   []byte
	file  *temporary
	out   *bufio.Writer
	err   error // of the temporary file
}

// errFull says that a spool has taken as much as it may.
var errFull = errors.New("no more may be unpacked")

// Write takes p. The error is errFull if not all of it may be taken, or that of
// the temporary file.
func (s *spool) Write(p []byte) (int, error) {
	whole := len(p)
	p = p[:min(int64(whole), s.limit-s.n)]
	if s.out == nil && len(s.mem)+len(p) > inMemory {
		s.spill()
	}
	if s.err != nil {
		return 0, s.err
	}
	if s.out == nil {
		s.mem = append(s.mem, p...)
	} else if _, err := s.out.Write(p); err != nil {
		s.err = fmt.Errorf("writing a temporary file: %w", err)
		return 0, s.err
	}
	s.n += int64(len(p))
	if len(p) < whole {
		return len(p), errFull
	}
	return whole, nil
}

// spill moves what was taken so far to a temporary file.
func (s *spool) spill() {
	f, err := os.CreateTemp("", "varview-*")
	if err != nil {
		s.err = fmt.Errorf("no temporary file: %w", err)
		return
	}
	// Where an open file can be removed it is gone at once, whatever becomes of
	// the program.
	s.file = &temporary{File: f, removed: os.Remove(f.Name()) == nil}
	s.out = bufio.NewWriterSize(f, 256<<10)
	if _, err = s.out.Write(s.mem); err != nil {
		s.err = fmt.Errorf("writing a temporary file: %w", err)
	}
	s.mem = nil
}

// close drops what was taken.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// source gives what was taken; closer is nil where nothing must be closed.
func (s *spool) source() (payload source.Source, closer io.Closer, err error) {
	if s.file == nil {
		return source.Bytes(s.mem), nil, nil
	}
	s.file.size = s.n
	if err := s.out.Flush(); err != nil {
		return nil, nil, fmt.Errorf("writing a temporary file: %w", err)
	}
	return s.file, s.file, nil
}

// temporary is a source in a file that is removed when it is closed.
type temporary struct {
	*os.File
	size    int64
	removed bool
}

// Size is the number of bytes.
func (t *temporary) Size() int64 { return t.size }

// Close closes the file, which is gone then.
func (t *temporary) Close() error {
	err := t.File.Close()
	if !t.removed {
		err = errors.Join(err, os.Remove(t.Name()))
	}
	return err
}

// hold makes what s has taken the payload of l.
func (l *Layer) hold(s *spool) error {
	payload, closer, err := s.source()
	if err != nil {
		return err
	}
	l.Payload = payload
	if closer != nil {
		l.closers = append(l.closers, closer)
	}
	return nil
}
