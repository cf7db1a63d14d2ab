// Package edits has the commands that change files.
package edits

import (
	"github.com/spf13/cobra"

	"varview/cli/env"
)

// commands are the commands, each of which is a method.
type commands struct{ *env.Env }

// Commands returns the commands that change files.
func Commands(of *env.Env) []*cobra.Command {
	e := commands{of}
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
