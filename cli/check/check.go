// Package check looks for problems in files and folders, or finds out what loading them does.
package check

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/output"
	"varview/cli/report"
	"varview/decoder/engine/span"
	"varview/internal/text"
)

// Options says what is looked for, and how it is printed.
type Options struct {
	JSON   bool
	Strict bool   // warnings count as errors
	Each   bool   // each problem of a capture, not one line for each cause
	Safe   Safety // report what loading a file does, instead of problems

	Format   string // one of report.Formats; "" for text, or for JSON if that is set
	Baseline string // file with known problems; "" for none, "-" for standard input
	Version  string // of this program

	files.Selected
}

// A Safety says which files are reported as unsafe.
type Safety string

// The kinds.
const (
	NotAsked    Safety = ""
	SafeAny     Safety = "any"     // those that create an object or run code
	SafeForeign Safety = "foreign" // those that run code that is not the game's own
)

// Check refuses options that cannot be combined.
func (o *Options) Check() error {
	switch {
	case o.Safe != NotAsked && o.Safe != SafeAny && o.Safe != SafeForeign:
		return fmt.Errorf("--safe=%s: it is %s or %s", o.Safe, SafeAny, SafeForeign)
	case o.Safe != "" && o.Strict:
		return errors.New("--strict is about problems, --safe about what loading a file does; one at a time")
	case o.Safe != "" && (o.Format != "" || o.Baseline != ""):
		return errors.New("--format and --baseline are about problems, --safe about what loading a file does; one at a time")
	case o.JSON && o.Format != "" && o.Format != "json":
		return fmt.Errorf("--json and --format %s: one at a time", o.Format)
	case o.Format != "" && !slices.Contains(report.Formats, o.Format):
		return fmt.Errorf("--format %s: must be one of %s", o.Format, strings.Join(report.Formats, ", "))
	}
	return nil
}

// Run checks files and folders, and prints what it finds.
func Run(ctx context.Context, e *env.Env, names []string, o Options) error {
	if err := e.Flags.Check(); err != nil {
		return err
	}
	c, err := newChecker(ctx, e, o)
	if err != nil {
		return err
	}
	if err := c.all(ctx, names); err != nil {
		return err
	}
	c.total.write(c.out, c.Options)
	err = c.out.Flush()
	if err == nil && c.into != nil {
		err = c.into.Close()
	}
	if err != nil {
		return err
	}
	switch {
	case c.total.unread > 0:
		return env.ErrReported
	case o.Safe != "" && c.total.unsafe(), o.Safe == "" && c.total.fails(o.Strict):
		return env.ErrProblems
	}
	return nil
}

// all checks files and folders, several files concurrently.
func (c *checker) all(ctx context.Context, names []string) error {
	var mu sync.Mutex
	n := int64(0)
	if c.shown != nil {
		defer c.shown.Erase()
	}
	finder := files.Finder{Tell: c.Tell, Fail: func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		c.fail(format, args...)
	}}
	found, err := c.Find(ctx, c.Env, &finder, names)
	if err != nil {
		return err
	}
	return files.Run(ctx, c.Env, c.out, found, func(ctx context.Context, e *env.Env, f files.File, out io.Writer) error {
		one := &checker{Env: e, Options: c.Options, out: bufio.NewWriterSize(out, 64<<10), inFolder: f.Folder != "", into: c.into, baseline: c.baseline}
		if e == c.Env { // it is the only file
			one.shown = c.shown
		} else if c.shown != nil {
			mu.Lock()
			n++
			c.shown.TurnTo(fmt.Sprintf("checking %s (file %s)", text.Cut(text.Clean(f.Path), 50), span.Grouped(n)))
			c.shown.Show(0, 1)
			mu.Unlock()
		}
		err := one.file(ctx, f.Path)
		mu.Lock()
		defer mu.Unlock()
		c.total.add(&one.total)
		return err
	})
}

// A checker checks one file, or sums up what was found in many.
type checker struct {
	*env.Env
	Options
	out   *bufio.Writer
	line  []byte
	shown *output.Progress // nil if standard error is not a terminal
	total total

	inFolder bool // the file was not named, but found in a folder

	into     *report.Converter // writes what is found in another form; nil for text and JSON
	baseline *report.Baseline  // nil if no problem is known
}

func newChecker(ctx context.Context, e *env.Env, o Options) (*checker, error) {
	c := &checker{Env: e, Options: o}
	c.JSON = o.JSON || o.Format != "" && o.Format != "text"
	if o.Baseline != "" {
		b, err := e.ReadSide(ctx, o.Baseline, report.MaxBaseline)
		if err == nil {
			c.baseline, err = report.ReadBaseline(env.DisplayName(o.Baseline), b)
		}
		if err != nil {
			return nil, err
		}
	}
	out := e.Out(c.JSON)
	if c.shown = e.NewProgress("checking", ""); c.shown != nil {
		out = output.Aside{Writer: out, Progress: c.shown}
	}
	var err error
	if c.into, err = report.NewConverter(out, o.Format, o.Version); err != nil {
		return nil, err
	}
	if c.into != nil {
		out = c.into
	}
	c.out = bufio.NewWriterSize(out, 64<<10)
	return c, nil
}

// file checks one file and prints its problems, or what loading it does. An error means that checking
// further files is pointless.
func (c *checker) file(ctx context.Context, name string) error {
	err := c.examine(ctx, name)
	if c.into != nil && ctx.Err() == nil {
		c.writeEnd(name, err)
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

// writeEnd ends the output for a file in another form. A write error stays in the writer.
func (c *checker) writeEnd(name string, err error) {
	f := report.Line{File: name, Ends: true}
	if err != nil {
		f.Fail = err.Error()
	}
	b, err := json.Marshal(&f)
	if err == nil {
		c.out.Write(append(b, '\n'))
	}
}

// fail reports a file that could not be read.
func (c *checker) fail(format string, args ...any) {
	c.total.unread++
	c.Tell(format, args...)
}

// examine looks at one file.
func (c *checker) examine(ctx context.Context, name string) error {
	if c.Safe != "" {
		return c.examineSafety(ctx, name)
	}
	problems := c.examineProblems
	if name != "-" && isCapture(name) {
		problems = c.examineCapture
	}
	counts, err := problems(ctx, name)
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
