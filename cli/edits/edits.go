// Package edits has the commands that change files.
package edits

import (
	"context"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
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

// change makes a command one that edits a FILE, with the flags that all such commands have.
func (e commands) change(cmd *cobra.Command, o *flags.Edit, run func(ctx context.Context, name string, args []string) error) *cobra.Command {
	cmd.ValidArgsFunction = flags.CompleteFiles(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args[0], args[1:]) }
	o.Register(cmd)
	return cmd
}
