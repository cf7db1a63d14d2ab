// Package differ has the commands that show what differs between files.
package differ

import (
	"context"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/model/diff"
)

// commands has a method for each command.
type commands struct {
	*env.Env
	decide Decide
}

// Decide lets the user of the terminal program choose a value for each conflict of a merge into the file
// ours. If some are left undecided, the error is env.ErrProblems.
type Decide func(ctx context.Context, ours string, m *diff.Merge) error

// Commands returns the commands that show what differs between files.
func Commands(of *env.Env, decide Decide) []*cobra.Command {
	e := commands{of, decide}
	return []*cobra.Command{e.diffCommand(), e.mergeCommand(), e.watchCommand()}
}
