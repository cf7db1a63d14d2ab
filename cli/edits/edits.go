// Package edits has the commands that change files.
package edits

import (
	"io"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
)

// commands are the commands, each of which is a method.
type commands struct {
	*env.Env
	file files.File // the one of several that is edited; its path is "" if there is only one
	out  io.Writer  // what is printed of it; nil for standard output
}

// Commands returns the commands that change files.
func Commands(of *env.Env) []*cobra.Command {
	e := commands{Env: of}
	return []*cobra.Command{
		e.setCommand(),
		e.tableCommand(),
		e.sortCommand(),
		e.insertCommand(),
		e.deleteCommand(),
		e.importCommand(),
		e.convertCommand(),
	}
}
