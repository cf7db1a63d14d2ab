package output

import (
	"bytes"
	"io"

	"varview/ui/text"
)

// Unmarked is a writer that leaves out the marks which keep text after right-to-left text
// in its place on a terminal. In a file they would be mistaken for a part of the text.
type Unmarked struct {
	W    io.Writer
	held []byte // the beginning of what may be a mark
}

// Write implements io.Writer.
func (u *Unmarked) Write(p []byte) (int, error) {
	b := p
	if len(u.held) > 0 {
		b = append(u.held, p...)
		u.held = nil
	}
	if begun := beginning(b); begun > 0 {
		u.held = bytes.Clone(b[len(b)-begun:])
		b = b[:len(b)-begun]
	}
	if bytes.Contains(b, []byte(text.Mark)) {
		b = bytes.ReplaceAll(b, []byte(text.Mark), nil)
	}
	if _, err := u.W.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// beginning returns the number of bytes at the end of b with which a mark may begin.
func beginning(b []byte) int {
	for n := len(text.Mark) - 1; n > 0; n-- {
		if bytes.HasSuffix(b, []byte(text.Mark[:n])) {
			return n
		}
	}
	return 0
}
