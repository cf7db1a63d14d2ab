// Package lineender ends an unfinished last line.
package lineender

import "io"

// A Writer is a writer that knows whether the last line is unfinished.
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

// End ends the last line if it is unfinished.
func (l *Writer) End() error {
	if l.last == 0 || l.last == '\n' {
		return nil
	}
	_, err := l.Write([]byte{'\n'})
	return err
}
