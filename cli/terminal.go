package cli

import "github.com/charmbracelet/x/term"

// palette is what standard output is painted with: nothing where it is no
// terminal, or NO_COLOR is set.
func (e *env) palette() (*palette, error) {
	if e.terminalWidth() == 0 {
		return &palette{}, nil
	}
	return loadPalette(e.theme, e.stdout)
}

// terminalWidth is the width of the terminal that standard output is, 0 if it
// is none.
func (e *env) terminalWidth() int {
	if !term.IsTerminal(e.stdout.Fd()) {
		return 0
	}
	width, _, err := term.GetSize(e.stdout.Fd())
	if err != nil || width <= 0 {
		return 80
	}
	return width
}
