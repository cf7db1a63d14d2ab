// Package ending handles what ends the program in the middle of its work: signals, and panics, about
// which it writes a report.
package ending

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// A Signal is the error of work that a signal has ended.
type Signal struct{ syscall.Signal }

// signals lists the signals that end the program, with their names. Windows sends SIGINT for ctrl+c and
// SIGTERM when the window is closed.
var signals = []struct {
	signal syscall.Signal
	name   string
}{
	{syscall.SIGHUP, "SIGHUP"},
	{syscall.SIGINT, "SIGINT"},
	{syscall.SIGQUIT, "SIGQUIT"},
	{syscall.SIGABRT, "SIGABRT"},
	{syscall.SIGTERM, "SIGTERM"},
}

func (s Signal) Error() string {
	for _, known := range signals {
		if known.signal == s.Signal {
			return "ended by " + known.name
		}
	}
	return fmt.Sprintf("ended by signal %d", int(s.Signal))
}

// status returns the exit status that shells give to a program ended by the signal.
func (s Signal) status() int { return 128 + int(s.Signal) }

// Context returns a context that a signal cancels, with the Signal as its cause. Signals that the program
// inherited as ignored, as under nohup, stay ignored.
func Context(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	received := make(chan os.Signal, 1)
	for _, s := range signals {
		if !signal.Ignored(s.signal) {
			signal.Notify(received, s.signal)
		}
	}
	go func() {
		select {
		case s := <-received:
			cancel(Signal{s.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(received)
		cancel(nil)
	}
}
