// Package cli is the command line: one file for each subcommand, none of which
// knows a format.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	statusFine     = 0
	statusProblems = 1 // check found errors
	statusFailed   = 2 // could not be read or done
)

// errProblems ends a command with statusProblems and without a message.
var errProblems = errors.New("problems found")

// An env is what a command works with.
type env struct {
	stdin  *os.File
	stdout io.Writer
	stderr io.Writer
	open   openFlags
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin, stdout, stderr *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr}
	root := e.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return statusFine
	case errors.Is(err, errProblems):
		return statusProblems
	}
	fmt.Fprintf(stderr, "varview: %v\n", err)
	return statusFailed
}

func (e *env) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "varview FILE",
		Short:         "Show what every byte of a game's save file or packet is for",
		Args:          cobra.ExactArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.dump(cmd.Context(), args[0], dumpOptions{})
		},
	}
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	e.open.register(root.PersistentFlags())
	root.AddCommand(e.dumpCommand(), e.exportCommand(), e.getCommand(), e.infoCommand(), e.checkCommand())
	return root
}
