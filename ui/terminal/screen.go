package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// A Screen is the terminal as Bubble Tea writes to it. Bubble Tea draws a frame at the next tick of its
// clock, and writes changed lines completely. A Screen draws a frame at once, and only the cells that
// have changed. Rapid frames cost more than they show: the last of them is drawn a little later.
type Screen struct {
	term.File
	environ  []string
	interval time.Duration // smallest time between two frames

	mu      sync.Mutex
	frame   string   // the latest
	drawn   []string // lines that the terminal shows; nil if unknown
	cells   uv.ScreenBuffer
	changes *uv.TerminalRenderer
	out     bytes.Buffer
	own     bool      // the terminal shows the program's own screen
	when    time.Time // time at which the latest frame was drawn
	later   *time.Timer
	stopped atomic.Bool // nothing is drawn any more

	begun     chan struct{} // closed once the first frame has been drawn
	beginOnce sync.Once
}

// NewScreen returns a Screen that draws at most rate frames per second on the terminal that environ
// describes.
func NewScreen(f term.File, environ []string, rate int) *Screen {
	return &Screen{File: f, environ: environ, interval: time.Second / time.Duration(rate), begun: make(chan struct{})}
}

// Begun returns a channel that is closed once the first frame has been drawn.
func (s *Screen) Begun() <-chan struct{} { return s.begun }

// Show draws a frame whose lines are at most as wide as the terminal, and begin and end without a style.
func (s *Screen) Show(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = frame
	s.drawSoon()
}

// Forget makes the next frame be drawn completely: the terminal has another size, and may have moved its
// content.
func (s *Screen) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn = nil
}

// Stop ends drawing. It does not wait for a terminal that accepts no output.
func (s *Screen) Stop() { s.stopped.Store(true) }

// Write implements io.Writer for Bubble Tea. Instead of its frames, the latest one is drawn. After
// anything else, such as a switch to another screen, the content of the terminal is unknown.
func (s *Screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isFrame(string(b)) && s.frame != "" {
		return len(b), s.draw()
	}
	s.drawn = nil
	switch {
	case bytes.Contains(b, []byte(ansi.SetModeAltScreenSaveCursor)):
		s.own = true
	case bytes.Contains(b, []byte(ansi.ResetModeAltScreenSaveCursor)):
		s.own = false
	}
	n, err := s.File.Write(b)
	s.drawSoon()
	return n, err
}

// isFrame reports whether Bubble Tea writes a frame: all lines, from the first.
func isFrame(b string) bool {
	return strings.HasPrefix(b, ansi.CursorHomePosition) && len(b) > len(ansi.CursorHomePosition)
}

// drawSoon draws the latest frame at once, or as soon as the frame rate allows.
func (s *Screen) drawSoon() {
	wait := s.interval - time.Since(s.when)
	switch {
	case !s.own || s.frame == "" || s.later != nil || s.stopped.Load():
	case wait <= 0 && s.drawn != nil:
		s.draw() // Bubble Tea does not stop at a write error either
	default: // what Bubble Tea writes besides frames comes in several parts
		s.later = time.AfterFunc(max(wait, s.interval/4), func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.later = nil; s.own && !s.stopped.Load() {
				s.draw()
			}
		})
	}
}

// draw writes the cells that are not on the terminal yet. If the terminal supports it, they appear
// together.
func (s *Screen) draw() error {
	lines := strings.Split(s.frame, "\n")
	if len(lines) != len(s.drawn) {
		s.begin(lines)
	}
	for row, line := range lines {
		if s.drawn[row] != line {
			uv.NewStyledString(line).Draw(s.cells, uv.Rect(0, row, s.cells.Width(), 1))
			joinBlanks(s.cells.Line(row))
		}
	}
	s.drawn = lines
	s.changes.Render(s.cells.RenderBuffer)
	s.changes.Flush()
	if s.out.Len() == 0 {
		return nil
	}
	defer s.out.Reset()
	s.when = time.Now()
	defer s.beginOnce.Do(func() { close(s.begun) })
	_, err := io.WriteString(s.File, ansi.SetModeSynchronizedOutput+s.out.String()+ansi.ResetModeSynchronizedOutput)
	return err
}

// joinBlanks gives short runs of blanks the style that follows them, if that looks the same. Longer runs
// are erased by a shorter sequence.
func joinBlanks(line uv.Line) {
	const most = 6
	shows := func(s *uv.Style) bool { return s.Underline != 0 || s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) != 0 }
	for to := len(line) - 1; to > 0; to-- {
		after, from := &line[to].Style, to
		for from > 0 && line[from-1].Content == " " && line[from-1].Style.Bg == after.Bg && !shows(&line[from-1].Style) {
			from--
		}
		if to-from <= most && line[to].Content != " " && !shows(after) {
			for i := from; i < to; i++ {
				line[i].Style = *after
			}
		}
		to = min(to, from+1)
	}
}

// begin prepares the cells of a window whose content is unknown.
func (s *Screen) begin(lines []string) {
	width := 0
	for _, line := range lines {
		width = max(width, ansi.StringWidth(line))
	}
	s.drawn = make([]string, len(lines))
	s.cells = uv.NewScreenBuffer(width, len(lines))
	s.cells.Method = ansi.GraphemeWidth
	s.changes = uv.NewTerminalRenderer(&s.out, s.environ)
	s.changes.SetColorProfile(colorprofile.TrueColor) // the colours are the terminal's already
	s.changes.SetFullscreen(true)
	s.changes.SetRelativeCursor(false)
	s.changes.Erase()
}
