package env

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"varview/cli/output"
)

// Palette is what standard output is painted with: nothing where it is no
// terminal, or NO_COLOR is set.
func (e *Env) Palette() (*output.Palette, error) {
	if e.TerminalWidth() == 0 {
		return &output.Palette{}, nil
	}
	return output.LoadPalette(e.Theme, e.Stdout)
}

// ForPeople returns the writer of clean text to f, standard output or standard error.
func (e *Env) ForPeople(f *os.File) io.Writer {
	if term.IsTerminal(f.Fd()) {
		return f
	}
	return &output.Unmarked{W: f}
}

// TerminalWidth is the width of the terminal that standard output is, 0 if it
// is none.
func (e *Env) TerminalWidth() int {
	if !term.IsTerminal(e.Stdout.Fd()) {
		return 0
	}
	width, _, err := term.GetSize(e.Stdout.Fd())
	if err != nil || width <= 0 {
		return 80
	}
	return width
}
