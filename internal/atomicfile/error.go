package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// An Error says in a sentence why a file was not replaced. The sentence does not
// name the file.
type Error struct {
	Placed bool  // the new file stands in its place all the same
	Err    error // of the system, or fs.ErrPermission, fs.ErrExist, fs.ErrInvalid for what is refused

	reason string
}

func (e *Error) Error() string {
	if e.Placed {
		return "saved, but " + e.reason
	}
	return "not saved: " + e.reason
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// refuse is an Error about what is not done.
func refuse(kind error, reason string) error { return &Error{Err: kind, reason: reason} }

// because is an Error about what is not possible for an error of the system.
func because(cannot string, err error) *Error {
	cause := bare(err)
	return &Error{Err: cause, reason: cannot + ": " + words(cause)}
}

// failed is the Error of a step. Where the step has nothing to say, its error does;
// so does one of the context.
func (r *replacement) failed(cannot string, err error) error {
	if cannot == "" || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := because(cannot, err)
	e.Placed = r.placed
	e.reason += r.needed(e.Err)
	return e
}

// writeError is the error of the function that fills the new file: one of the
// file itself is an Error.
func (r *replacement) writeError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Path == r.temp.Name() {
		return r.failed(notWritten, pe)
	}
	return err
}

// needed says how much room the file at work takes, if that is what it lacks.
func (r *replacement) needed(err error) string {
	if r.need <= 0 || !isLackOfRoom(err) {
		return ""
	}
	return "; " + byteSize(r.need) + " are needed"
}

// bare takes operation and path off an error: the path is often that of the
// temporary file, which nobody has named.
func bare(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// words says what an error of the system means.
func words(err error) string {
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return c.words
		}
	}
	return err.Error()
}

func isLackOfRoom(err error) bool {
	for _, c := range causes {
		if c.room && errors.Is(err, c.err) {
			return true
		}
	}
	return false
}

// A cause is an error of the system in plain words.
type cause struct {
	err   error
	words string
	room  bool // there is too little of it
}

// byteSize writes a size: 812 B, 12.4 MiB.
func byteSize(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n)/1024, 0
	for size >= 1023.95 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", size, units[unit])
}
