// Package termtest compares what a Screen writes with what a terminal emulator shows, for tests and
// bench/random.
package termtest

import (
	"bytes"
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"varview/ui/terminal"
)

// A Held is a Screen that draws on an emulator.
type Held struct {
	screen   *terminal.Screen
	emulator *vt.Emulator
	sink     *sink
}

// sink is the emulator as a file, which counts the bytes.
type sink struct {
	*vt.Emulator
	written int
}

// Write implements io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	s.written += len(b)
	return s.Emulator.Write(b)
}

// WriteString implements io.StringWriter.
func (s *sink) WriteString(b string) (int, error) { return s.Write([]byte(b)) }

// Fd implements term.File.
func (*sink) Fd() uintptr { return ^uintptr(0) }

// New returns a screen with a size.
func New(width, height int) *Held {
	e := vt.NewEmulator(width, height)
	s := &sink{Emulator: e}
	h := &Held{terminal.NewScreen(s, 1e9), e, s}
	h.screen.Write([]byte(ansi.SetModeAltScreenSaveCursor))
	return h
}

// Resize changes the size of the emulator, after which its content is unknown.
func (h *Held) Resize(width, height int) {
	h.emulator.Resize(width, height)
	h.emulator.WriteString("anything")
	h.screen.Forget()
}

// Show draws a frame, and returns the number of bytes that were written for it.
func (h *Held) Show(frame string) int {
	before := h.sink.written
	h.screen.Show(frame)
	h.screen.Write([]byte(ansi.CursorHomePosition + "frame")) // draws what is pending
	return h.sink.written - before
}

// Check returns an error if the emulator does not show a frame that was drawn.
func (h *Held) Check(frame string) error { return check(h.emulator, frame) }

// check returns an error if a terminal does not show a frame as if it had been written as a whole. Blanks
// are equal whatever the colour of their text is.
func check(shown *vt.Emulator, frame string) error {
	var b bytes.Buffer
	lines := strings.Split(frame, "\n")
	for row, line := range lines {
		b.WriteString(ansi.CursorPosition(1, row+1) + line)
	}
	whole := vt.NewEmulator(shown.Width(), shown.Height())
	whole.Write(b.Bytes())
	for y := range shown.Height() {
		for x := range shown.Width() {
			if got, want := cell(shown, x, y), cell(whole, x, y); !got.Equal(&want) {
				return fmt.Errorf("column %d of row %d is %q, not %q in %q", x, y, got.String(), want.String(), lines[min(y, len(lines)-1)])
			}
		}
	}
	return nil
}

// cell returns the visible properties of a cell.
func cell(shown *vt.Emulator, x, y int) uv.Cell {
	c := uv.EmptyCell
	if at := shown.CellAt(x, y); at != nil && !at.IsZero() {
		c = *at
	}
	if c.Content == " " && c.Style.Underline == 0 && c.Style.Attrs&uv.AttrReverse == 0 {
		c.Style = uv.Style{Bg: c.Style.Bg}
	}
	return c
}
