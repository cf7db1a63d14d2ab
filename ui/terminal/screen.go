package terminal

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// A Screen is the terminal as Bubble Tea writes to it. Bubble Tea draws a frame when its clock
// ticks next, however long nothing has been drawn. A Screen draws it at once, unless it has drawn
// one just before; it then leaves it to the tick, as frames that come fast cost more than they show.
type Screen struct {
	term.File
	interval time.Duration // between two frames, at least

	mu    sync.Mutex
	frame string    // the latest
	drawn []string  // the lines that the terminal shows, nil if that is not known
	when  time.Time // the latest frame was drawn
}

// NewScreen returns a Screen that draws at most rate frames a second.
func NewScreen(f term.File, rate int) *Screen {
	return &Screen{File: f, interval: time.Second / time.Duration(rate)}
}

// Show draws a frame, of which each line takes no more than the width of the terminal and begins
// and ends without a style.
func (s *Screen) Show(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = frame
	if s.drawn != nil && time.Since(s.when) >= s.interval {
		s.draw() // Bubble Tea does not end for an error of writing either
	}
}

// Forget makes the next tick draw all lines: the terminal has another size, and may have moved
// what it shows.
func (s *Screen) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn = nil
}

// Write implements io.Writer for Bubble Tea. In place of its frames, the latest one is drawn.
// After anything else, such as the change to another screen, the terminal may show anything.
func (s *Screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isFrame(string(b)) && s.frame != "" {
		return len(b), s.draw()
	}
	s.drawn = nil
	return s.File.Write(b)
}

// isFrame reports whether Bubble Tea writes a frame: all lines, from the first on.
func isFrame(b string) bool {
	return strings.HasPrefix(b, ansi.CursorHomePosition) && len(b) > len(ansi.CursorHomePosition)
}

// draw writes the lines that are not on the terminal yet.
func (s *Screen) draw() error {
	lines := strings.Split(s.frame, "\n")
	var b strings.Builder
	switch {
	case s.drawn == nil:
		b.WriteString(ansi.CursorHomePosition + ansi.EraseScreenBelow)
	case len(s.drawn) > len(lines):
		b.WriteString(ansi.CursorPosition(1, len(lines)+1) + ansi.EraseScreenBelow)
	}
	for i, line := range lines {
		if i >= len(s.drawn) || s.drawn[i] != line {
			b.WriteString(ansi.CursorPosition(1, i+1) + ansi.EraseEntireLine + line)
		}
	}
	s.drawn = lines
	if b.Len() == 0 {
		return nil
	}
	s.when = time.Now()
	b.WriteString(ansi.CursorPosition(1, len(lines)))
	_, err := io.WriteString(s.File, b.String())
	return err
}
