package cli

import "io"

// A lineEnder is a writer that can end a line that was begun.
type lineEnder struct {
	w    io.Writer
	last byte
}

func (l *lineEnder) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.last = p[len(p)-1]
	}
	return l.w.Write(p)
}

func (l *lineEnder) end() error {
	if l.last == 0 || l.last == '\n' {
		return nil
	}
	_, err := l.Write([]byte{'\n'})
	return err
}
