package ending

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/adrg/xdg"

	"varview/decoder/engine/background"
)

func TestRun(t *testing.T) {
	failed := errors.New("failed")
	ended, end := context.WithCancelCause(t.Context())
	end(Signal{syscall.SIGTERM})
	for _, c := range []struct {
		about string
		ctx   context.Context
		f     func() error
		want  error
	}{
		{"well", t.Context(), func() error { return nil }, nil},
		{"with an error", t.Context(), func() error { return failed }, failed},
		{"by a signal", ended, func() error { return nil }, Signal{syscall.SIGTERM}},
	} {
		if err := Run(c.ctx, c.f); err != c.want {
			t.Errorf("ended %s: %v, want %v", c.about, err, c.want)
		}
	}
	var panicked *background.Panic
	if err := Run(t.Context(), func() error { panic("on purpose") }); !errors.As(err, &panicked) || err.Error() != "on purpose" {
		t.Errorf("ended by a panic: %v", err)
	}
}

// Work that does not end by itself is abandoned after a while.
func TestRunWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("waits")
	}
	ctx, end := context.WithCancelCause(t.Context())
	end(Signal{syscall.SIGHUP})
	if err := Run(ctx, func() error { select {} }); err != (Signal{syscall.SIGHUP}) {
		t.Errorf("%v", err)
	}
}

func TestStatus(t *testing.T) {
	state := t.TempDir()
	setState(t, state)
	var told []string
	tell := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	if got := Status(errors.New("another"), "v1", tell); got != 0 || len(told) > 0 {
		t.Errorf("another error: status %d, %q", got, told)
	}
	if got := Status(fmt.Errorf("file: %w", Signal{syscall.SIGQUIT}), "v1", tell); got != 131 || strings.Join(told, "\n") != "ended by SIGQUIT" {
		t.Errorf("a signal: status %d, %q", got, told)
	}
	told = nil
	p := &background.Panic{Value: "on purpose", Stack: []byte("the stack\n"), Notes: "the notes\n"}
	got := Status(p, "v1", tell)
	reports, _ := filepath.Glob(filepath.Join(state, "varview", "crash-*.txt"))
	if got != 2 || len(reports) != 1 || strings.Join(told, "\n") != "ended by a bug in the program: on purpose; the report about it is "+reports[0] {
		t.Fatalf("a panic: status %d, %q, reports %q", got, told, reports)
	}
	report, err := os.ReadFile(reports[0])
	for _, want := range []string{"varview v1, ", "on purpose", "the stack", "the notes"} {
		if err != nil || !strings.Contains(string(report), want) {
			t.Errorf("the report has no %q (%v):\n%s", want, err, report)
		}
	}
}

// Without a folder for it, the report is told line by line.
func TestStatusWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	setState(t, file)
	var told []string
	got := Status(&background.Panic{Value: "on purpose", Stack: []byte("the stack\n")}, "v1", func(format string, args ...any) {
		told = append(told, fmt.Sprintf(format, args...))
	})
	if all := strings.Join(told, "\n"); got != 2 || !strings.HasPrefix(all, "ended by a bug in the program: on purpose; there is no file for the report: ") ||
		!strings.Contains(all, "\nthe stack") {
		t.Errorf("status %d, %q", got, told)
	}
}

// setState makes a folder the state folder for the duration of a test.
func setState(t *testing.T, folder string) {
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_STATE_HOME", folder)
	xdg.Reload()
}
