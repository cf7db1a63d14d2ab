package source

import (
	"fmt"

	"varview/decoder/span"
)

// A HoleError says that some bytes of a source cannot be had, but those behind
// them can: a packed block that does not unpack. ReadAt returns it with the
// number of bytes before the hole; whoever wants to reads on behind Span.End().
type HoleError struct {
	span.Span
	Err error // why
}

func (e *HoleError) Error() string { return fmt.Sprintf("%s: %v", e.Span, e.Err) }

// Unwrap is the reason alone.
func (e *HoleError) Unwrap() error { return e.Err }
