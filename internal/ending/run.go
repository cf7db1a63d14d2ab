package ending

import (
	"context"
	"errors"
	"time"

	"varview/decoder/engine/background"
)

// grace is how long work ended by a signal may take to finish: to remove temporary files, and to restore
// the terminal.
const grace = 3 * time.Second

// Run runs f and returns its error. If f panics, the error is the *background.Panic. When ctx is done,
// the error is or wraps its cause, even if f does not return: it may be waiting for a disk, or for
// somebody to read what it writes.
func Run(ctx context.Context, f func() error) (err error) {
	defer func() {
		if p := background.Recovered(recover()); p != nil {
			err = p
		}
	}()
	var result error
	work := background.Start(func() { result = f() })
	select {
	case <-work.Done():
	case <-ctx.Done():
		select {
		case <-work.Done():
		case <-time.After(grace):
			return context.Cause(ctx)
		}
	}
	work.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(result, cause) {
		return cause
	}
	return result
}
