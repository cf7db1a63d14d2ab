// Package differ has the commands that tell what differs between files.
package differ

import (
	"github.com/spf13/cobra"

	"varview/cli/env"
)

// commands are the commands, each of which is a method.
type commands struct{ *env.Env }

// Commands returns the commands that tell what differs between files.
func Commands(of *env.Env) []*cobra.Command {
	e := commands{of}
	return []*cobra.Command{e.diffCommand(), e.mergeCommand(), e.watchCommand()}
}
