package model

import (
	"errors"
	"sync/atomic"

	"varview/decoder/source"
)

// errClosed is what reading from a document ends with that has been closed.
var errClosed = errors.New("the document is closed")

// A shared file is closed when the last of the documents that read it is.
type shared struct {
	*source.File
	users atomic.Int32
}

// A hold is a document's share in a file. It implements source.Source.
type hold struct {
	file *shared
	gone atomic.Pointer[error] // why nothing is read any more, nil while it is
}

// newHold gives a document a share in a file.
func newHold(f *shared) *hold {
	f.users.Add(1)
	return &hold{file: f}
}

// Size is the size of the file in bytes.
func (h *hold) Size() int64 { return h.file.Size() }

// ReadAt implements io.ReaderAt. It fails once the hold is let go, so that
// whatever still reads ends soon.
func (h *hold) ReadAt(p []byte, off int64) (int, error) {
	if why := h.gone.Load(); why != nil {
		return 0, *why
	}
	return h.file.ReadAt(p, off)
}

// letGo ends all reading; from now on it fails with the error why.
func (h *hold) letGo(why error) { h.gone.CompareAndSwap(nil, &why) }

// release gives the share back.
func (h *hold) release() error {
	h.letGo(errClosed)
	if h.file.users.Add(-1) == 0 {
		return h.file.Close()
	}
	return nil
}
