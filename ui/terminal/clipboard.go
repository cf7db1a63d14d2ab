package terminal

import (
	"io"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
)

// MaxClipboard is the largest number of bytes that are put on the clipboard of a terminal. Many terminals
// drop a longer sequence, some display it.
const MaxClipboard = 100_000

// Copy puts text on the clipboard of the terminal w by OSC 52, in one write, unless the terminal would
// display the sequence. The text is written only as base64. environ identifies the terminal.
func Copy(w io.Writer, environ []string, text string) error {
	term := lookup(environ, "TERM")
	if len(text) > MaxClipboard || term == "" || term == "dumb" || term == "linux" {
		return nil
	}
	s := osc52.New(text)
	out := s.String()
	switch {
	case lookup(environ, "TMUX") != "": // tmux takes one or the other, depending on its configuration
		out += s.Tmux().String()
	case strings.HasPrefix(term, "screen"):
		out = s.Screen().String()
	}
	_, err := io.WriteString(w, out)
	return err
}
