package ending

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"varview/decoder/engine/background"
	"varview/internal/folders"
)

// statusPanic is Go's own exit status after a panic.
const statusPanic = 2

// Noted is the error that has ended the program, with a further sentence about it.
type Noted struct {
	Err  error
	Note string // a sentence without its full stop
}

// Error implements error.
func (n *Noted) Error() string { return n.Err.Error() + "; " + n.Note }

// Unwrap returns the error that has ended the program.
func (n *Noted) Unwrap() error { return n.Err }

// Status reports a signal or panic that has ended the program, and returns the exit status; for other
// errors it reports nothing and returns 0. A report about a panic is written to a file; if that is
// impossible, its lines are passed to tell.
func Status(err error, version string, tell func(format string, args ...any)) int {
	note := ""
	if noted := (*Noted)(nil); errors.As(err, &noted) {
		note = "; " + noted.Note
	}
	var signal Signal
	var panicked *background.Panic
	switch {
	case errors.As(err, &signal):
		tell("%v%s", signal, note)
		return signal.status()
	case errors.As(err, &panicked):
		text := report(panicked, version)
		if path, cannot := save(text); cannot == nil {
			tell("ended by a bug in the program: %v%s; the report about it is %s", panicked, note, path)
		} else {
			tell("ended by a bug in the program: %v%s; there is no file for the report: %v", panicked, note, cannot)
			for line := range strings.Lines(text) {
				tell("%s", strings.TrimSuffix(line, "\n"))
			}
		}
		return statusPanic
	}
	return 0
}

// report returns what helps to find the bug. It contains nothing from the files that were open.
func report(p *background.Panic, version string) string {
	return fmt.Sprintf("varview %s, %s/%s, %s\n%v\n%s\n%s", version, runtime.GOOS, runtime.GOARCH, time.Now().Format(time.RFC3339),
		p, p.Notes, p.Stack)
}

// save writes a report into the program's state folder.
func save(text string) (path string, err error) {
	folder, err := folders.State()
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, fmt.Sprintf("crash-%s-%d.txt", time.Now().Format("20060102-150405"), os.Getpid()))
	return path, os.WriteFile(path, []byte(text), 0o600)
}
