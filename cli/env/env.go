// Package env is what the commands share: the streams, the flags, and how files are opened,
// written and talked about.
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
	"varview/model/schemas"
	"varview/ui/text"
)

var (
	// ErrProblems ends a command with statusProblems and without a message. find uses it
	// where it finds nothing.
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
	Theme  string // name or file of the theme, "" to choose by the terminal
	Color  string // when output has colours: ColorAuto, which "" is too, ColorAlways, ColorNever

	Settings *settings.Settings // the configuration

	CompleteWithin time.Duration // how long completion of a path may take; 0 for what people wait for

	NoState bool // nothing is remembered between runs of the terminal program

	schemas  *schemas.Loader // once a file is opened
	company  *company        // the files that are worked on together; nil for one alone
	terminal *os.File        // that a pager shows standard output in; nil without one
	paged    *atomic.Bool    // whether the pager has begun
	endPage  func()          // waits for the pager

	input  *atomic.Bool     // whether standard input was taken to be read; nil before
	busy   *output.Progress // what is shown in the last line of standard error, if anything
	beside *sync.Mutex      // held for a message, where several files are worked on beside each other; else nil
}

// Beside returns an environment for work on one of several files, beside that on others: no
// progress is shown.
func (e *Env) Beside() *Env {
	e.Loader() // which all share
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

// Out returns where a command prints: for people or, where it prints JSON, for programs.
func (e *Env) Out(json bool) io.Writer {
	if json {
		return e.Stdout
	}
	return e.ForPeople(e.Stdout)
}

// Tell writes one line to standard error. Control characters, which may come
// from a file or its name, are shown and do nothing.
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
