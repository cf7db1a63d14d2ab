// Package env is what the commands share: the streams, the flags, and how files are opened,
// written and talked about.
package cli

import (
	"errors"
	"fmt"
	"os"
	"varview/model"
	"varview/ui/text"
)

var (
	// errProblems ends a command with statusProblems and without a message.
	errProblems = errors.New("problems found")
	// errTold ends a command with statusFailed; the message stands there already.
	errTold = errors.New("failed")
)

// An env is what a command works with.
type env struct {
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	open   openFlags
	theme  string // name or file of the theme, "" to choose by the terminal

	schemas *model.SchemaLoader // once a file is opened
	busy    *progress           // what stands in the last line of standard error, if anything
}

// tell writes one line to standard error. Control characters, which may come
// from a file or its name, are shown and do nothing.
func (e *env) tell(format string, args ...any) {
	if e.busy != nil {
		e.busy.erase()
	}
	fmt.Fprintln(e.stderr, "varview: "+text.Clean(fmt.Sprintf(format, args...)))
}
