//go:build unix

package ending

import (
	"context"
	"os"
	"os/signal"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Each signal ends a context, with itself as the cause.
func TestContext(t *testing.T) {
	for _, s := range signals {
		if signal.Ignored(s.signal) { // as SIGHUP is under nohup
			signal.Notify(make(chan os.Signal, 1), s.signal)
		}
		ctx, stop := Context(t.Context())
		if err := unix.Kill(os.Getpid(), s.signal); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); cause != (Signal{s.signal}) || cause.Error() != "ended by "+s.name || unix.SignalName(s.signal) != s.name {
				t.Errorf("%s: %v", s.name, cause)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s has ended nothing", s.name)
		}
		stop()
	}
}
