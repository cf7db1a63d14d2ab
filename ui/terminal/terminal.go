// Package terminal asks the terminal whether its background is dark, without
// waiting for the answer: Query writes the question, an Input takes the answer
// out of the keys.
//
// A program that imports this package does not ask before main either, as
// Bubble Tea otherwise does.
package terminal

import (
	"io"
	"time"

	_ "charm.local/nocolorquery"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
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
