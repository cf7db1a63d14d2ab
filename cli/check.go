package cli

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"varview/decoder/span"
)

const checkLong = `Find what is wrong with files: what an engine would refuse, misread or stumble
over, and what to know before one is loaded; in the values and in what they are
wrapped in. Where bytes make no sense the cause is looked for: the smallest
change with which they do. "or" begins another cause as likely as the one above
it. "varview repair" makes the repairs.

Of a folder all files below it are checked, but for *.gml and what is no save:
pictures, settings, archives. Links to files are followed, links to folders are
not. The exit status is 1 where errors were found, with --strict also for
warnings, and 2 where a file could not be read.

--safe answers one question instead: would loading the file, as varview reads
it, create objects or run code? --as says what the game reads it as. The exit
status is 0 only where neither can happen.`

const checkExample = `  varview check savegame.dat
  varview check --strict saves/
  varview check --safe downloads/
  varview check --schema scripts/ save.elephant
  varview check --json saves/ | jq -r 'select(.severity == "error") | .file'
  varview check --codes`

type checkOptions struct {
	json   bool
	strict bool
	safe   bool
	codes  bool
}

func (e *env) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:     "check FILE...",
		Short:   "Find what is wrong with files",
		Long:    checkLong,
		Example: checkExample,
		Args:    o.args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.codes {
				return e.codes(o.json)
			}
			return e.check(cmd.Context(), args, o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "a JSON object a problem; with --safe a file, with --codes a code")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "warnings count like errors for the exit status")
	cmd.Flags().BoolVar(&o.safe, "safe", false, "say of each file whether loading it would create objects or run code")
	cmd.Flags().BoolVar(&o.codes, "codes", false, "list the codes of all problems")
	return cmd
}

// args accepts files, or none for --codes, and reports flags that do not go
// together.
func (o *checkOptions) args(cmd *cobra.Command, args []string) error {
	switch {
	case o.codes && (o.safe || o.strict):
		return errors.New("--codes lists the codes of problems and goes with --json only")
	case o.safe && o.strict:
		return errors.New("--strict is about problems, --safe about what loading a file does; one at a time")
	case o.codes:
		return wants(0, 0, "no FILE with --codes")(cmd, args)
	}
	return wants(1, anyNumber, "a FILE or several")(cmd, args)
}

func (e *env) check(ctx context.Context, names []string, o checkOptions) error {
	if err := e.open.check(); err != nil {
		return err
	}
	c := e.newChecker(o)
	for _, name := range names {
		if err := c.fileOrFolder(ctx, name); err != nil {
			return err
		}
	}
	c.total.write(c.out, o)
	if err := c.out.Flush(); err != nil {
		return err
	}
	switch {
	case c.total.unread > 0:
		return errTold
	case o.safe && c.total.unsafe(), !o.safe && c.total.fails(o.strict):
		return errProblems
	}
	return nil
}

// A checker checks files one after the other.
type checker struct {
	*env
	checkOptions
	out   *bufio.Writer
	line  []byte
	shown *progress // nil where standard error is no terminal
	total total

	inFolder bool // the file was not named, but found in a folder
}

func (e *env) newChecker(o checkOptions) *checker {
	c := &checker{env: e, checkOptions: o}
	var out io.Writer = e.stdout
	if c.shown = e.newProgress("checking", ""); c.shown != nil {
		out = aside{out, c.shown}
	}
	c.out = bufio.NewWriterSize(out, 64<<10)
	return c
}

// file checks one file and prints what is wrong with it, or what loading it does.
// It fails only where going on with other files is pointless.
func (c *checker) file(ctx context.Context, name string) error {
	err := c.examine(ctx, name)
	if flushed := c.out.Flush(); flushed != nil {
		return flushed
	}
	if err != nil && ctx.Err() == nil {
		c.fail("%v", err)
		return nil
	}
	return err
}

// fail tells of a file that could not be read.
func (c *checker) fail(format string, args ...any) {
	c.total.unread++
	c.tell(format, args...)
}

// examine looks at one file.
func (c *checker) examine(ctx context.Context, name string) error {
	if c.safe {
		return c.examineSafety(ctx, name)
	}
	counts, err := c.examineProblems(ctx, name)
	if err != nil {
		return err
	}
	switch {
	case counts[span.Error] > 0:
		c.total.errors++
	case counts[span.Warning] > 0:
		c.total.warnings++
	}
	c.total.files++
	return nil
}
