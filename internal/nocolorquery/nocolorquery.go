// Package nocolorquery keeps a Bubble Tea program from asking the terminal for
// its background colour before main, and from waiting for the answer.
//
// Bubble Tea 1.3.10 calls lipgloss.HasDarkBackground in an init function
// (tea_init.go); termenv then writes OSC 11 and waits up to 5 s for a terminal
// that does not answer. Once a background is set, lipgloss does not ask.
//
// The background must be set before that init function runs. Go initializes packages that are ready in
// the order of their import paths (specification, "Program initialization"). This package imports nothing
// but lipgloss, so it only needs a path that sorts before github.com/charmbracelet/bubbletea. No package
// in the module varview has one, so this is a module of its own.
//
// A program imports it only for this effect, and sets the background it wants later.
package nocolorquery

import "github.com/charmbracelet/lipgloss"

func init() {
	lipgloss.SetHasDarkBackground(true)
}
