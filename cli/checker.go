// Package check looks for problems in files and folders, or for what loading them does.
package cli

import (
	"bufio"
	"context"
	"io"
	"varview/decoder/span"
)

// checkOptions say what is looked for, and how that is printed.
type checkOptions struct {
	json   bool
	strict bool // warnings count like errors
	safe   bool // what loading a file does is looked for, in place of problems
}

// runCheck checks files and folders.
func runCheck(ctx context.Context, e *env, names []string, o checkOptions) error {
	if err := e.open.check(); err != nil {
		return err
	}
	c := newChecker(e, o)
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

func newChecker(e *env, o checkOptions) *checker {
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
