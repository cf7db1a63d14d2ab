package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// A File is a Source over a file on disk, which is read on demand and not kept in
// memory. It notices changes by other programs.
type File struct {
	f       *os.File
	path    string
	size    int64
	opened  stamp
	torn    atomic.Bool // a read returned fewer bytes than the file had
	private bool        // a temporary file of this program
}

// stamp is what changes when a file is written or replaced.
type stamp struct {
	size int64
	time time.Time
}

// OpenFile opens the file at path, which must be a regular file.
func OpenFile(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Plain(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(notRegular(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, Plain(err)
	}
	return &File{f: f, path: path, size: info.Size(), opened: stamp{info.Size(), info.ModTime()}}, nil
}

// Plain removes the operation and the path from an error; the caller names the file.
func Plain(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func notRegular(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "is a directory"
	case m&os.ModeNamedPipe != 0:
		return "is a pipe; use - and redirect it to standard input"
	}
	return "is not a regular file"
}

// Spool copies all of r into a temporary file, which Close removes.
func Spool(r io.Reader) (*File, error) {
	f, err := os.CreateTemp("", "varview-*")
	if err != nil {
		return nil, fmt.Errorf("no temporary file: %w", err)
	}
	s := &File{f: f, path: f.Name(), private: true}
	if s.size, err = io.Copy(f, r); err != nil {
		s.Close()
		return nil, fmt.Errorf("reading standard input: %w", Plain(err))
	}
	return s, nil
}

// Size is the size in bytes that the file had when it was opened.
func (s *File) Size() int64 { return s.size }

// ReadAt implements io.ReaderAt.
func (s *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.f.ReadAt(p, off)
	if n < len(p) && off+int64(n) < s.size {
		s.torn.Store(true)
	}
	return n, err
}

// Close closes the file; one that Spool made is removed.
func (s *File) Close() error {
	err := s.f.Close()
	if s.private {
		os.Remove(s.path)
	}
	return err
}

// IsOverwritten reports whether the bytes that were opened are lost: another program
// wrote into the file, instead of replacing it.
func (s *File) IsOverwritten() bool {
	if s.private {
		return false
	}
	info, err := s.f.Stat()
	return s.torn.Load() || err != nil || stamp{info.Size(), info.ModTime()} != s.opened
}

// Gone is the result of Changed where the file does not exist any more.
const Gone = "the file is gone"

// Changed describes how the file on disk differs from the one that was opened, "" if it
// does not.
func (s *File) Changed() string {
	if s.private {
		return ""
	}
	info, err := os.Stat(s.path)
	switch {
	case err != nil:
		return Gone
	case info.Size() < s.opened.size || s.torn.Load():
		return "the file has become shorter"
	case stamp{info.Size(), info.ModTime()} != s.opened:
		return "the file was changed by another program"
	}
	return ""
}
