package output

import "io"

// A LineEnder is a writer that can end a line that was begun.
type LineEnder struct {
	W    io.Writer
	last byte
}

func (l *LineEnder) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.last = p[len(p)-1]
	}
	return l.W.Write(p)
}

func (l *LineEnder) End() error {
	if l.last == 0 || l.last == '\n' {
		return nil
	}
	_, err := l.Write([]byte{'\n'})
	return err
}
