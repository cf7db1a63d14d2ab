// Package env is what the commands share: the streams, the flags, and how files are opened, written and
// reported about.
package env

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"varview/cli/flags"
	"varview/cli/output"
	"varview/cli/settings"
	"varview/internal/text"
	"varview/model/schemas"
)

var (
	// ErrProblems ends a command with statusProblems and without a message. find returns it if it finds
	// nothing.
	ErrProblems = errors.New("problems found")
	// ErrReported ends a command with statusFailed; its message has been printed.
	ErrReported = errors.New("failed")
)

// An Env is what a command works with.
type Env struct {
	Stdin  *os.File
	Stdout *os.File
	Stderr *os.File
	Flags  flags.Open
	Theme  string // name or file of the theme; "" to choose by the terminal
	Color  string // setting of when output has colours: ColorAuto (or ""), ColorAlways, ColorNever

	Settings *settings.Settings // the configuration

	CompleteWithin time.Duration // how long completing a path may take; 0 for no hurry

	NoState bool // nothing is remembered between runs of the terminal program

	schemas  *schemas.Loader // nil until a file is opened
	company  *company        // the files that are worked on together; nil for a single file
	terminal *os.File        // terminal in which a pager shows standard output; nil without one
	paged    *atomic.Bool    // whether the pager has started
	endPage  func()          // waits for the pager

	input  *atomic.Bool     // whether standard input has been claimed; nil before
	busy   *output.Progress // progress shown in the last line of standard error, if any
	beside *sync.Mutex      // held while a message is written, if several files are worked on concurrently; otherwise nil
}

// Beside returns an environment for work on one of several files that are worked on concurrently: it
// shows no progress.
func (e *Env) Beside() *Env {
	e.Loader() // shared by all
	e.takenInput()
	other := *e
	if other.beside == nil {
		other.beside = new(sync.Mutex)
	}
	if other.company == nil {
		other.company = newCompany(nil)
	}
	return &other
}

// Out returns the writer for a command's output: JSON for programs, or text for people.
func (e *Env) Out(json bool) io.Writer {
	if json {
		return e.Stdout
	}
	return e.ForPeople(e.Stdout)
}

// Tell writes one line to standard error. Control characters, which may come from a file or its name, are
// shown harmlessly.
func (e *Env) Tell(format string, args ...any) {
	if e.beside != nil {
		e.beside.Lock()
		defer e.beside.Unlock()
	}
	if e.busy != nil {
		e.busy.Erase()
	}
	fmt.Fprintln(e.ForPeople(e.Stderr), "varview: "+text.Clean(fmt.Sprintf(format, args...)))
}
