package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// An Error explains in a sentence why a file was not replaced. The sentence does not name the file.
type Error struct {
	Placed  bool  // the new file is in place nevertheless
	InPlace bool  // the file could be written with Options.InPlace
	Folder  bool  // nothing can be written in its folder
	Err     error // the system's error, or fs.ErrPermission, fs.ErrExist or fs.ErrInvalid for a refusal

	reason string
}

func (e *Error) Error() string {
	if e.Placed {
		return "saved, but " + e.reason
	}
	return "not saved: " + e.reason
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// refuse returns an Error for a refusal.
func refuse(kind error, reason string) error { return &Error{Err: kind, reason: reason} }

// because returns an Error that says what is impossible, with the system's error.
func because(cannot string, err error) *Error {
	cause := bare(err)
	return &Error{Err: cause, reason: cannot + ": " + words(cause)}
}

// failed returns the Error of a step that says what is impossible. For other steps, and for an error of
// the context, it returns err itself.
func (r *replacement) failed(cannot string, err error) error {
	own := (*Error)(nil)
	if cannot == "" || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || err == r.refusal || errors.As(err, &own) {
		return err
	}
	e := because(cannot, err)
	e.Placed = r.placed
	e.InPlace = cannot == notPlaced && r.old != nil && !r.InPlace && isFixed(e.Err)
	e.Folder = cannot == notCreated
	e.reason += r.needed(e.Err)
	return e
}

// writeError returns the error of the function that fills the new file; an error of
// the file itself becomes an Error.
func (r *replacement) writeError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Path == r.temp.Name() {
		return r.failed(notWritten, pe)
	}
	return err
}

// needed returns the size of the file being written, as an addition to an error about lack of room; ""
// for other errors.
func (r *replacement) needed(err error) string {
	if r.need <= 0 || !isLackOfRoom(err) {
		return ""
	}
	return "; " + byteSize(r.need) + " are needed"
}

// bare removes operation and path from an error: the path is often that of the
// temporary file, which the user does not know.
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

// words returns an error of the system in plain words.
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

// A cause is a system error in plain words.
type cause struct {
	err   error
	words string
	room  bool // it is a lack of room
}

// byteSize formats a size: 812 B, 12.4 MiB.
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
