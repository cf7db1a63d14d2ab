package model

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"varview/decoder/engine/background"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tempfile"
	"varview/internal/clone"
	"varview/internal/folders"
)

// errClosed is the error of reading from a closed document.
var errClosed = errors.New("the document is closed")

// A shared file is closed with the last document that reads it.
type shared struct {
	*source.File
	users   atomic.Int32
	copying *background.Task   // copies or checksums the file; nil if neither is done
	stop    context.CancelFunc // ends the copying
	hurry   func()             // makes it begin at once
}

// copyDelay is the time before a file is copied. It lets the program show the file first: copying 64 MiB
// would double the time to the first frame.
const copyDelay = 200 * time.Millisecond

// share makes a file that documents share, guarded if the options say so. written says that the file was
// just written.
func (o *Options) share(f *source.File, written bool) *shared {
	ctx, stop := context.WithCancel(context.Background())
	now, hurry := context.WithCancel(ctx)
	s := &shared{File: f, stop: stop, hurry: hurry}
	switch {
	case !o.Guard || !f.Guard():
	case f.Size() <= o.CopyLimit:
		s.copying = background.Start(func() {
			select {
			case <-time.After(copyDelay):
			case <-now.Done():
			}
			s.copy(ctx)
		})
	case written:
		s.copying = background.Start(func() { s.readAll(ctx) })
	}
	return s
}

// copy makes a private copy of the file, from which is read from then on. If no copy can be made, the
// file is still guarded.
func (s *shared) copy(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	folder, err := folders.Cache()
	if err != nil {
		return
	}
	copied, err := tempfile.Create(folder)
	if err != nil {
		return
	}
	if err := clone.Copy(ctx, copied, s.Original()); err != nil || !s.ReadFrom(copied) {
		copied.Close()
	}
}

// readAll reads a file that was just written, so that its content is known. It is not copied, since
// nobody may ever read it.
func (s *shared) readAll(ctx context.Context) {
	b := make([]byte, 1<<20)
	for off := int64(0); off < s.Size() && ctx.Err() == nil; off += int64(len(b)) {
		if _, err := s.ReadAt(b, off); err != nil {
			return
		}
	}
}

// WaitForCopy waits until a guarded file has been copied, if it is to be.
func (d *Document) WaitForCopy() { d.file.file.wait() }

func (s *shared) wait() {
	s.hurry()
	if s.copying != nil {
		s.copying.Wait()
	}
}

// close ends the copying and closes the file.
func (s *shared) close() error {
	s.stop()
	s.wait()
	return s.Close()
}

// A hold is a document's share in a file. It implements source.Source.
type hold struct {
	file *shared
	gone atomic.Pointer[error] // why reading fails; nil while it does not
}

// newHold gives a document a share in a file.
func newHold(f *shared) *hold {
	f.users.Add(1)
	return &hold{file: f}
}

// Size returns the size of the file in bytes.
func (h *hold) Size() int64 { return h.file.Size() }

// ReadAt implements io.ReaderAt. It fails once the hold is let go, so that all pending reading soon ends.
func (h *hold) ReadAt(p []byte, off int64) (int, error) {
	if why := h.gone.Load(); why != nil {
		return 0, *why
	}
	return h.file.ReadAt(p, off)
}

// letGo ends all reading: from now on it fails with why.
func (h *hold) letGo(why error) { h.gone.CompareAndSwap(nil, &why) }

// release returns the share.
func (h *hold) release() error {
	h.letGo(errClosed)
	if h.file.users.Add(-1) == 0 {
		return h.file.close()
	}
	return nil
}
