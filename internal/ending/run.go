package ending

import (
	"context"
	"errors"
	"time"

	"varview/decoder/background"
)

// grace is how long what a signal has ended may take to end: to remove temporary files, and
// to give back the terminal.
const grace = 3 * time.Second

// Run runs f and returns its error. One that has panicked has the *background.Panic as its
// error. Where ctx is done the error is the cause of that, or wraps it, also if f does not
// end: it may wait for a disk, or for somebody to read what it writes.
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
