// Package watch waits until another program writes a file.
package watch

import (
	"context"
	"errors"
	"os"
	"time"
)

// Every is the time between two looks at a file. Polling works alike for files that are written in place
// or replaced, on all systems and on network drives; notifications of the system do not.
const Every = 150 * time.Millisecond

// A Watcher watches a file.
type Watcher struct {
	Path string
	Gone func() // called once the file is missing for longer than replacing it takes; may be nil

	seen os.FileInfo // nil before the first look
	last os.FileInfo // at the last look; nil if there was no such file
	away int         // number of looks since the file was last there
}

// goneLooks is the number of looks after which a missing file is gone.
const goneLooks = 10

// See takes the current file as seen.
func (w *Watcher) See() error {
	info, err := os.Stat(w.Path)
	if err == nil {
		w.seen = info
	}
	return err
}

// IsSeen reports whether the file is still as it was last seen.
func (w *Watcher) IsSeen() bool {
	info, err := os.Stat(w.Path)
	return err == nil && isSame(w.seen, info)
}

// isSame reports whether two looks found the same file unchanged.
func isSame(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Look reports whether the file differs from the one that was seen and has not changed since the previous
// look; then it is seen. A missing file is not an error, since it may be about to be replaced.
func (w *Watcher) Look() (saved bool, err error) {
	info, err := os.Stat(w.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		w.last = nil
		if w.away++; w.away == goneLooks && w.Gone != nil {
			w.Gone()
		}
		return false, nil
	case err != nil:
		return false, err
	}
	w.away = 0
	if saved = !isSame(w.seen, info) && isSame(w.last, info); saved {
		w.seen = info
	}
	w.last = info
	return saved, nil
}

// Forget makes the next looks find the file as if it had been saved again.
func (w *Watcher) Forget() { w.seen = nil }

// Wait waits until the file has been saved. The error is that of ctx or of looking.
func (w *Watcher) Wait(ctx context.Context) error {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if saved, err := w.Look(); saved || err != nil {
			return err
		}
	}
}
