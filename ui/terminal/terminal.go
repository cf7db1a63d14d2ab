// Package terminal asks the terminal whether its background is dark, without
// waiting for the answer: Query writes the question, an Input takes the answer
// out of the keys.
//
// A program that imports this package does not ask before main either, as
// Bubble Tea otherwise does.
package terminal

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "charm.local/nocolorquery"
	"github.com/aymanbagabas/go-osc52/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/lucasb-eyer/go-colorful"
	"github.com/muesli/termenv"
)

// query is OSC 11 with "?" for the colour, ended by BEL, which terminals knew
// before ST. Some end their reply as the question ends, some always with ST,
// some always with BEL.
const query = "\x1b]11;?\x07"

// Query asks the terminal w for its background colour. The terminal should be in
// raw mode, so that the reply is not echoed, and its input read through an Input.
// Queryable reports whether to ask at all.
func Query(w io.Writer) error {
	_, err := io.WriteString(w, query)
	return err
}

// leave ends all modes that a full-screen program turns on.
const leave = ansi.ResetModeBracketedPaste + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
	ansi.ResetModeAltScreenSaveCursor + ansi.ShowCursor + ansi.ResetStyle

// patience is how long restoring waits for the screen to accept output.
const patience = 100 * time.Millisecond

// Keep records the state of the terminal, and returns a function that restores it, for a program that
// ends before doing so. keys and screen are the two sides of the terminal.
func Keep(keys, screen term.File) (restore func()) {
	type state struct {
		file term.File
		was  *term.State
	}
	var states []state
	for _, f := range []term.File{keys, screen} {
		if was, err := term.GetState(f.Fd()); err == nil {
			states = append(states, state{f, was})
		}
	}
	return func() {
		written := make(chan struct{})
		go func() {
			io.WriteString(screen, leave)
			close(written)
		}()
		select {
		case <-written:
		case <-time.After(patience):
		}
		for _, s := range states {
			term.Restore(s.file.Fd(), s.was)
		}
	}
}

// Queryable reports whether the terminal that the environment describes can be
// asked for its background: it answers, or at least ignores the question. On
// Windows Bubble Tea reads console events, in which no reply can be found, so
// no terminal is queryable there.
func Queryable(environ []string) bool {
	if !replies {
		return false
	}
	term := lookup(environ, "TERM")
	switch {
	case term == "", term == "dumb", term == "linux":
		return false
	case strings.HasPrefix(term, "screen"):
		// GNU screen does not answer. tmux does (since 3.4 also where no colour
		// is configured), and older ones set TERM to screen too.
		return lookup(environ, "TMUX") != ""
	}
	return true
}

// Profile returns the colours of a terminal, of which p are those that its name says: some with 16 colours have names that say nothing.
func Profile(environ []string, p termenv.Profile) termenv.Profile {
	isNamed := func(name string) bool { return strings.HasPrefix(lookup(environ, "TERM"), name) }
	isUnwanted := lookup(environ, "NO_COLOR") != "" || lookup(environ, "CLICOLOR") == "0"
	if p == termenv.Ascii && !isUnwanted && slices.ContainsFunc([]string{"screen", "tmux", "rxvt", "konsole", "putty", "foot", "st"}, isNamed) {
		return termenv.ANSI
	}
	return p
}

// Hint returns whether the terminal's background is dark, from COLORFGBG. Its last
// field is one of the 16 ANSI colours; black, the dark six and dark grey count as
// dark, white, light grey and the bright ones as light.
func Hint(environ []string) (dark, known bool) {
	fields := strings.Split(lookup(environ, "COLORFGBG"), ";")
	if len(fields) < 2 {
		return false, false
	}
	background, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || background < 0 || background > 15 {
		return false, false
	}
	return background <= 6 || background == 8, true
}

// lookup returns a variable in environ, whose entries are "name=value"; as in os.Getenv, the first of
// several counts.
func lookup(environ []string, name string) string {
	for _, entry := range environ {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

// parseColor parses a colour as XParseColor does: rgb:r/g/b with one to four hexadecimal digits each,
// rgba: with a fourth part that is ignored, or # and three parts of equal length. The components are 0 to
// 1.
func parseColor(spec string) (rgb [3]float64, ok bool) {
	kind, rest, _ := strings.Cut(spec, ":")
	parts := strings.Split(rest, "/")
	switch n := len(spec) / 3; {
	case strings.HasPrefix(spec, "#") && len(spec) == 1+3*n:
		parts = []string{spec[1 : 1+n], spec[1+n : 1+2*n], spec[1+2*n:]}
	case kind == "rgba" && len(parts) == 4:
		parts = parts[:3]
	case kind != "rgb" || len(parts) != 3:
		return rgb, false
	}
	for i, part := range parts {
		if len(part) > 4 {
			return rgb, false
		}
		n, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return rgb, false
		}
		rgb[i] = float64(n) / float64(uint(1)<<(4*len(part))-1)
	}
	return rgb, true
}

// luminance returns the relative luminance of WCAG 2, 0 (black) to 1 (white).
func luminance(rgb [3]float64) float64 {
	r, g, b := colorful.Color{R: rgb[0], G: rgb[1], B: rgb[2]}.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// isDark reports whether white text contrasts more with a background than
// black text: (1+0.05)/(L+0.05) > (L+0.05)/(0+0.05).
func isDark(rgb [3]float64) bool {
	l := luminance(rgb) + 0.05
	return 1.05*0.05 > l*l
}

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
