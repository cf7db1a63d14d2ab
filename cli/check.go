package cli

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"varview/decoder/span"
)

const checkLong = `Find what is wrong with files: what an engine would refuse, misread or stumble
over, and what to know before one is loaded; in the values and in what they are
wrapped in. Of a folder all files below it are checked, but for *.gml. The exit
status is 1 where errors were found, with --strict also for warnings, and 2
where a file could not be read.`

const checkExample = `  varview check savegame.dat
  varview check --strict saves/
  varview check --schema scripts/ save.elephant
  varview check --json saves/ | jq -r 'select(.severity == "error") | .file'`

type checkOptions struct {
	json   bool
	strict bool
}

func (e *env) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:     "check FILE...",
		Short:   "Find what is wrong with files",
		Long:    checkLong,
		Example: checkExample,
		Args:    wants(1, anyNumber, "a FILE or several"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.check(cmd.Context(), args, o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "a JSON object a problem")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "warnings count like errors for the exit status")
	return cmd
}

func (e *env) check(ctx context.Context, names []string, o checkOptions) error {
	if err := e.open.check(); err != nil {
		return err
	}
	c := &checker{env: e, json: o.json, out: bufio.NewWriterSize(e.stdout, 64<<10)}
	for _, name := range names {
		if err := c.fileOrFolder(ctx, name); err != nil {
			return err
		}
	}
	switch {
	case c.failed:
		return errTold
	case c.counts[span.Error] > 0, o.strict && c.counts[span.Warning] > 0:
		return errProblems
	}
	return nil
}

// A checker checks files one after the other.
type checker struct {
	*env
	json   bool
	out    *bufio.Writer
	line   []byte
	counts tally // of all files
	failed bool  // a file could not be read
}

// fileOrFolder checks a file, or all regular files below a folder. It fails only
// where going on with other files is pointless.
func (c *checker) fileOrFolder(ctx context.Context, name string) error {
	if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
		return c.file(ctx, name)
	}
	found := false
	err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			c.fail("%v", err)
			return nil
		case entry.Type().IsRegular() && !isSource(path):
			found = true
			return c.file(ctx, path)
		}
		return nil
	})
	if err == nil && !found {
		c.fail("%s: there is no file in this folder", name)
	}
	return err
}

// isSource reports whether a file in a folder is GameMaker's source and not a
// save.
func isSource(path string) bool { return strings.EqualFold(filepath.Ext(path), ".gml") }

// file checks one file and prints what is wrong with it.
func (c *checker) file(ctx context.Context, name string) error {
	counts, err := c.examine(ctx, name)
	for s, n := range counts {
		c.counts[s] += n
	}
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
	c.failed = true
	c.tell(format, args...)
}
