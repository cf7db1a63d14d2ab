// Package nocolorquery keeps a Bubble Tea program from asking the terminal for
// its background colour before main, and from waiting for the answer.
//
// Bubble Tea 1.3.10 calls lipgloss.HasDarkBackground in an init function
// (tea_init.go); termenv then writes OSC 11 and waits up to 5 s for a terminal
// that does not answer. Once a background is set, lipgloss does not ask.
//
// The background must be set before that init function runs. Of the packages
// whose imports are initialized, Go initializes the one first whose import path
// sorts first (specification, "Program initialization"). This package imports
// nothing but lipgloss and therefore needs a path before
// github.com/charmbracelet/bubbletea, which none in the module varview has: so
// it is a module of its own.
//
// A program imports it only for this effect, and sets the background that it wants
// later.
package nocolorquery

import "github.com/charmbracelet/lipgloss"

func init() {
	lipgloss.SetHasDarkBackground(true)
}
