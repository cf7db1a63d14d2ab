// Package watch waits for a file to be written by another program.
package watch

import (
	"context"
	"errors"
	"os"
	"time"
)

// Every is the time between two looks at a file. It is looked at, and no notice of the system
// asked for: that works alike for files that are written in place or replaced, on all systems
// and on drives of a network.
const Every = 150 * time.Millisecond

// A Watcher watches a file.
type Watcher struct {
	Path string
	seen os.FileInfo // nil while there is no such file
}

// See takes the file as it is now as known.
func (w *Watcher) See() error {
	info, err := os.Stat(w.Path)
	if err == nil {
		w.seen = info
	}
	return err
}

// IsSeen reports whether the file is as it was seen last.
func (w *Watcher) IsSeen() bool {
	info, err := os.Stat(w.Path)
	return err == nil && isSame(w.seen, info)
}

// isSame reports whether two looks have found the same file, unchanged.
func isSame(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Wait waits until the file is another one than was seen, and does not change any more between
// two looks. It returns the error of ctx, or that of the file if it cannot be looked at; that
// it is not there is none: it may be about to be replaced.
func (w *Watcher) Wait(ctx context.Context) error {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	var last os.FileInfo
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		info, err := os.Stat(w.Path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			last = nil
			continue
		case err != nil:
			return err
		}
		if !isSame(w.seen, info) && isSame(last, info) {
			w.seen = info
			return nil
		}
		last = info
	}
}
