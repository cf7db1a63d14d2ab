package terminal

import (
	"io"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

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
