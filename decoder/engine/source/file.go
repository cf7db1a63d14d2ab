package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"varview/decoder/engine/background"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/tempfile"
)

// A File is a Source over a file on disk, which is read on demand and not kept in memory.
// It notices changes by other programs; after a call of Guard it returns only the bytes
// that the file had when it was opened.
type File struct {
	f       *os.File // nil if held is set
	held    *bytes.Reader
	path    string
	size    int64
	private bool // a temporary file of this program, or held

	opened atomic.Pointer[stamp]   // stamp of f, while its bytes are those that were opened
	torn   atomic.Bool             // a read returned fewer bytes than the file had
	sums   *sums                   // sums of the bytes that were read; nil if not guarded
	copied atomic.Pointer[os.File] // private copy that is read in place of f; nil if there is none

	looking sync.Mutex  // held by Changed
	agreed  os.FileInfo // stat of path when its content was last compared
	differs string      // how that content differs
}

// A stamp is what changes when a file is written or replaced, even if a program sets the time of writing
// back.
type stamp struct {
	file          os.FileInfo
	size          int64
	time, changed time.Time // changed is zero where the system does not have it
}

func stampOf(info os.FileInfo) stamp {
	return stamp{info, info.Size(), info.ModTime(), changeTime(info)}
}

// isSame reports whether nothing was written between two stamps.
func (s stamp) isSame(other stamp) bool {
	return s.isAlike(other) && s.changed.Equal(other.changed)
}

// isAlike reports whether two stamps are of one file and differ at most in the change time, which renaming
// and permissions change too.
func (s stamp) isAlike(other stamp) bool {
	return os.SameFile(s.file, other.file) && s.size == other.size && s.time.Equal(other.time)
}

// OpenFile opens the file at path, which must be a regular file. A file that has content but no size, such
// as those that the system generates, is read as Spool does.
func OpenFile(path string) (*File, error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	if n, _ := f.ReadAt(make([]byte, 1), 0); n > 0 && info.Size() == 0 {
		defer f.Close()
		return Spool(f)
	}
	s := &File{f: f, path: path, size: info.Size(), agreed: info}
	opened := stampOf(info)
	s.opened.Store(&opened)
	return s, nil
}

// Plain removes the operation and the path from an error; the caller names the file.
func Plain(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Spool copies all of r into a temporary file, which is removed once it is closed.
func Spool(r io.Reader) (*File, error) {
	return Written(func(f *os.File) error {
		if _, err := io.Copy(f, r); err != nil {
			return fmt.Errorf("reading it: %w", Plain(err))
		}
		return nil
	})
}

// Written returns a temporary file with the output of write; it is removed once it is closed.
func Written(write func(f *os.File) error) (*File, error) {
	f, err := tempfile.Create("")
	if err != nil {
		return nil, fmt.Errorf("no temporary file: %w", err)
	}
	if err = write(f); err == nil {
		var info os.FileInfo
		if info, err = f.Stat(); err == nil {
			return &File{f: f, size: info.Size(), private: true}, nil
		}
	}
	f.Close()
	return nil, err
}

// Held returns a file with a copy of some bytes: in memory or, if they are many, a temporary one.
func Held(b []byte) (*File, error) {
	const most = 1 << 20
	if len(b) > most {
		return Spool(bytes.NewReader(b))
	}
	return &File{held: bytes.NewReader(bytes.Clone(b)), size: int64(len(b)), private: true}, nil
}

// Size returns the size in bytes that the file had when it was opened.
func (s *File) Size() int64 { return s.size }

// ReadAt implements io.ReaderAt. In a guarded file, bytes that another program has overwritten are a hole.
func (s *File) ReadAt(p []byte, off int64) (int, error) {
	if c := s.copied.Load(); c != nil {
		return c.ReadAt(p, off)
	}
	if s.held != nil {
		return s.held.ReadAt(p, off)
	}
	n, err := s.f.ReadAt(p, off)
	if c := s.copied.Load(); c != nil && errors.Is(err, os.ErrClosed) { // since then
		return c.ReadAt(p, off)
	}
	switch {
	case s.sums == nil:
		if n < len(p) && off+int64(n) < s.size {
			s.torn.Store(true)
		}
	case s.isWritten():
		return s.sums.verified(s.f, p, off)
	default:
		s.sums.add(p[:n], off)
	}
	return n, err
}

// isWritten reports whether another program has written into the file since it was opened. If the path now
// leads to another file, the change time comes from replacing it.
func (s *File) isWritten() bool {
	info, err := s.f.Stat()
	if err != nil {
		return true
	}
	was, is := s.opened.Load(), stampOf(info)
	if was.isSame(is) {
		return false
	}
	if at, err := os.Stat(s.path); !was.isAlike(is) || err == nil && os.SameFile(at, info) {
		return true
	}
	s.opened.CompareAndSwap(was, &is)
	return false
}

// Close closes the file and its copy; a file that Spool made is removed.
func (s *File) Close() error {
	if s.held != nil {
		return nil
	}
	err := s.f.Close()
	if c := s.copied.Load(); c != nil {
		if errors.Is(err, os.ErrClosed) { // by ReadFrom
			err = nil
		}
		err = errors.Join(err, c.Close())
	}
	return err
}

// OpenRegular opens a regular file to be read. Anything else is refused: a pipe would keep the program
// waiting for a writer, and a device may have no end. The error does not name the file.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		return nil, nil, Plain(err)
	}
	// Without O_NONBLOCK, opening a pipe that has taken the file's place would wait for a
	// writer.
	f, err := openfile.Open(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, Plain(err)
	}
	if info, err = f.Stat(); err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, Plain(err)
	}
	return f, info, nil
}

// errPipe is the error of OpenRegular for a pipe.
var errPipe = errors.New("is a pipe, not a regular file")

func checkRegular(info os.FileInfo) error {
	switch m := info.Mode(); {
	case openfile.IsRegular(m):
		return nil
	case m.IsDir():
		return errors.New("is a directory")
	case m&os.ModeNamedPipe != 0:
		return errPipe
	}
	return errors.New("is not a regular file")
}

// ReadRegular reads a regular file of at most most bytes. It is for files that go with a save, such as a
// list of names, and may come from the same stranger. The error does not name the file.
func ReadRegular(path string, most int64) ([]byte, error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, tooLarge(most)
	}
	return ReadAtMost(f, most)
}

// ReadAtMost reads all of r, which may have at most most bytes.
func ReadAtMost(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = tooLarge(most)
	}
	if err != nil {
		return nil, Plain(err)
	}
	return b, nil
}

// ErrTooLarge is in the error for a file that is too large.
var ErrTooLarge = errors.New("the most that is read")

func tooLarge(most int64) error {
	return fmt.Errorf("larger than %d MiB, %w", most>>20, ErrTooLarge)
}

// Interruptible returns a reader of r that stops waiting for bytes when ctx is done. A read of r that has
// begun continues, and its bytes are lost.
func Interruptible(ctx context.Context, r io.Reader) io.Reader { return interruptible{ctx, r} }

// OpenPipe opens a pipe to be read. It waits for a writer until ctx is done. The error does not
// name the pipe.
func OpenPipe(ctx context.Context, path string) (io.ReadCloser, error) {
	var f *os.File
	var err error
	opening := background.Start(func() { f, err = os.Open(path) })
	select {
	case <-opening.Done():
		opening.Wait()
		if err != nil {
			return nil, Plain(err)
		}
		return struct {
			io.Reader
			io.Closer
		}{Interruptible(ctx, f), f}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(p []byte) (int, error) {
	b := make([]byte, len(p)) // p belongs to the caller once Read has returned
	var n int
	var err error
	reading := background.Start(func() { n, err = i.r.Read(b) })
	select {
	case <-reading.Done():
		reading.Wait()
		return copy(p, b[:n]), err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
