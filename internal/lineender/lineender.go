// Package lineender ends a last line that was begun.
package lineender

import "io"

// A Writer is a writer that can end a line that was begun.
type Writer struct {
	W    io.Writer
	last byte
}

// Write implements io.Writer.
func (l *Writer) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.last = p[len(p)-1]
	}
	return l.W.Write(p)
}

// End ends the last line, if it was begun.
func (l *Writer) End() error {
	if l.last == 0 || l.last == '\n' {
		return nil
	}
	_, err := l.Write([]byte{'\n'})
	return err
}
