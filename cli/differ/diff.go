package differ

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/patch"
	"varview/model/search"
	"varview/ui/text"
)

const diffLong = `Print what differs between two files, by their values: which were added and
removed, which changed, which moved in their list, and which keys were renamed.
The files may differ in their wrappers, framing, dialect or version: values are
compared by what they mean. What means the same and is only stored in another

type or width, and another order of keys, is a note.

Elements of lists of the same length are matched by position, unless far less
has changed otherwise; of others so that they are the most alike; with --key, by
their value of that key. A pattern of --ignore is a path with * and ?; what is
inside such values is ignored too.

Of two folders or patterns the files with the same names are compared, of a
pattern and a folder those in the folder that the pattern stands for.

--patch prints what "varview set --apply" takes to make A what B is. --textconv
prints the values of one file, a line each, for "git diff". The exit status is 0
if the files are equal, 1 if they differ and 2 in trouble. A damaged file is
compared as far as it can be read.`

const diffExample = `  varview diff before.dat after.dat
  varview diff before.dat after.dat --json | jq -r .path
  varview diff before.dat after.dat --ignore '*.time' --tolerance 1e-6
  varview diff before.dat after.dat --patch > event.patch
  varview set other.dat --apply event.patch`

type diffOptions struct {
	json, patch, stat, strict, textconv bool
	tolerance                           float64
	key                                 string
	ignore                              []string
	label                               string // of the files, where there are several
}

func (e commands) diffCommand() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:               "diff A B",
		Short:             "Print what differs between two files, by their values",
		Long:              diffLong,
		Example:           diffExample,
		Args:              o.args,
		ValidArgsFunction: flags.CompleteFiles(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.textconv {
				return e.textconv(cmd.Context(), args[0])
			}
			return e.diff(cmd.Context(), args[0], args[1], &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "one JSON object per change")
	f.BoolVar(&o.patch, "patch", false, "print a patch for \"varview set --apply\"")
	f.BoolVar(&o.stat, "stat", false, "print only how many changes there are")
	f.BoolVar(&o.strict, "strict", false, "notes count for the exit status")
	f.BoolVar(&o.textconv, "textconv", false, "print the values of one FILE, a line each")
	o.registerComparison(cmd)
	return cmd
}

// registerComparison adds the flags that say how values are compared.
func (o *diffOptions) registerComparison(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Float64Var(&o.tolerance, "tolerance", 0, "numbers that differ by at most `N` are equal")
	f.StringVar(&o.key, "key", "", "match elements of lists by their value of the key `NAME`")
	f.StringArrayVar(&o.ignore, "ignore", nil, "ignore paths that match `PATTERN`; repeatable")
	for _, name := range []string{"tolerance", "key", "ignore"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// args accepts the files, and reports flags that do not go together.
func (o *diffOptions) args(cmd *cobra.Command, args []string) error {
	forms := 0
	for _, is := range []bool{o.json, o.patch, o.stat, o.textconv} {
		if is {
			forms++
		}
	}
	switch {
	case o.patch && (o.json || o.stat), o.textconv && forms > 1:
		return errors.New("--patch and --textconv are forms of their own, and go with none of the others")
	case o.tolerance < 0:
		return errors.New("--tolerance: at least 0")
	case o.textconv:
		return flags.Wants(1, 1, "one FILE with --textconv")(cmd, args)
	}
	return flags.Wants(2, 2, "two files, A and B")(cmd, args)
}

// compared returns how files are compared.
func (o *diffOptions) compared() compare.Options {
	c := compare.Options{Tolerance: o.tolerance, Key: o.key}
	if len(o.ignore) > 0 {
		var ignored []func(string) bool
		for _, pattern := range o.ignore {
			ignored = append(ignored, search.PathPattern(pattern))
		}
		c.Ignored = func(path string) bool {
			for _, is := range ignored {
				if is(path) {
					return true
				}
			}
			return false
		}
	}
	return c
}

func (e commands) diff(ctx context.Context, a, b string, o *diffOptions) error {
	folderA, patternA := files.Divide(a)
	folderB, patternB := files.Divide(b)
	switch {
	case folderA != "" && folderB != "":
		return e.diffFolders(ctx, side{folderA, cmp.Or(patternA, patternB)}, side{folderB, cmp.Or(patternB, patternA)}, o)
	case patternA != "" || patternB != "":
		return fmt.Errorf("%s: a pattern is compared with a folder or a pattern", cmp.Or(patternA, patternB))
	case files.IsFolder(b):
		b = filepath.Join(b, filepath.Base(a))
	case files.IsFolder(a):
		a = filepath.Join(a, filepath.Base(b))
	}
	differs, err := e.diffFiles(ctx, a, b, o, e.Out(o.json || o.patch))
	if err == nil && differs {
		return env.ErrProblems
	}
	return err
}

// diffFiles prints what differs between two files. It reports whether anything does.
func (e commands) diffFiles(ctx context.Context, nameA, nameB string, o *diffOptions, out io.Writer) (differs bool, err error) {
	e.Env = e.Together(nameA, nameB)
	a, err := e.openCompared(ctx, nameA, !o.patch, nameB)
	if err != nil {
		return false, err
	}
	defer a.FinishBeside(&err)
	b, err := e.openCompared(ctx, nameB, true, nameA)
	if err != nil {
		return false, err
	}
	defer b.FinishBeside(&err)
	p, err := e.newDiffPrinter(a, b, o, out)
	if err != nil {
		return false, err
	}
	switch {
	case isOther(a) || isOther(b):
		err = p.compareBytes(ctx, a, b)
	case o.patch:
		err = p.writePatch(ctx, e.Env, a, b)
	default:
		how := o.compared()
		how.Alike = a.ReadsAs(b.Document.Document)
		how.Damaged = func(t *tree.Tree, p *span.Problem) {
			name := nameA
			if t == b.Tree {
				name = nameB
			}
			e.Tell("%s: %#x: %s; compared as far as it can be read", env.DisplayName(name), p.Offset, p.Message)
		}
		err = compare.Trees(ctx, a.Tree, b.Tree, how, p.print)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", env.DisplayName(nameA), err)
	}
	return p.end()
}

// openCompared opens a file that has values. Schemas that are found near the others serve for it too.
func (e commands) openCompared(ctx context.Context, name string, readOnly bool, others ...string) (*env.File, error) {
	doc, err := e.OpenToRead(ctx, name, decoder.Settle, model.Options{ReadOnly: readOnly, NoBackup: true, Beside: others})
	if err != nil {
		return nil, err
	}
	f := &env.File{Document: doc, Name: name}
	if err := f.CheckValues(); err != nil {
		f.Finish(&err)
		return nil, err
	}
	if !isOther(f) {
		e.WarnOfGuess(f)
	}
	return f, nil
}

// isOther reports whether a file has no values, but bytes that can be compared.
func isOther(f *env.File) bool { return f.IsOther() || f.IsUnexplained() }

// writePatch prints the patch that makes a what b is.
func (p *diffPrinter) writePatch(ctx context.Context, e *env.Env, a, b *env.File) error {
	t, err := env.BeginValues(a.Document)
	if err != nil {
		return err
	}
	done := e.WatchEdits(t, "comparing", a.Name)
	err = diff.Become(ctx, t, b.Tree, p.compared())
	done()
	if err != nil {
		return err
	}
	p.differs = len(t.Ops()) > 0
	return t.Ops().Write(p.out)
}

// compareBytes prints which bytes differ between two files that are no saves.
func (p *diffPrinter) compareBytes(ctx context.Context, a, b *env.File) error {
	switch {
	case !isOther(a):
		a, b = b, a
		fallthrough
	case !isOther(b):
		return fmt.Errorf("%s is not a save or packet: %s; there are no values to compare", env.DisplayName(a.Name), a.ReadAs())
	case p.patch:
		return errors.New("there is no patch between files without values")
	}
	from, to := a.Buffers[0].Tree().Source, b.Buffers[0].Tree().Source
	return differingBytes(ctx, from, to, func(was, is span.Span) error {
		d := output.DifferentBytes{Was: was, Is: is, Old: firstOf(from, was), New: firstOf(to, is)}
		p.head()
		p.bytes, p.differs = p.bytes+1, true
		switch {
		case p.stat:
			return nil
		case p.json:
			p.line = d.AppendJSON(p.line[:0], p.label)
		default:
			p.line = d.Append(p.line[:0], p.colors)
		}
		_, err := p.out.Write(p.line)
		return err
	})
}

// apart is the number of equal bytes that make two differences of one.
const apart = 8

// differingBytes calls each for the bytes that differ, in their order.
func differingBytes(ctx context.Context, a, b source.Source, each func(was, is span.Span) error) error {
	var failed error
	if a.Size() == b.Size() {
		err := source.Differences(ctx, a, b, apart, func(s source.Splice) bool {
			failed = each(s.Span, s.Span)
			return failed == nil
		})
		return errors.Join(err, failed)
	}
	same, err := source.Alike(ctx, a, b)
	if err != nil {
		return err
	}
	x, y := int64(0), int64(0)
	for _, s := range append(same, source.Common{A: a.Size(), B: b.Size()}) {
		if was, is := span.Between(x, s.A), span.Between(y, s.B); was.Length > 0 || is.Length > 0 {
			if err := each(was, is); err != nil {
				return err
			}
		}
		x, y = s.A+s.Length, s.B+s.Length
	}
	return nil
}

// firstOf returns the first bytes of a span, as many as are printed.
func firstOf(src source.Source, s span.Span) []byte {
	return append([]byte(nil), source.NewWindow(src).View(s.Offset, min(s.Length, model.MaxChangeBytes))...)
}

// Sides of a comparison of folders.
const (
	inA = 1 << iota
	inB
)

// A side is what is compared of a folder: the files that a pattern stands for in it, or all.
type side struct{ folder, pattern string }

// diffFolders prints what differs between the files that have the same names in two folders,
// and which only one has. One that cannot be read does not keep it from the others.
func (e commands) diffFolders(ctx context.Context, a, b side, o *diffOptions) error {
	if o.patch {
		return errors.New("--patch is for two files, not for folders")
	}
	var different atomic.Int64
	batch := &files.Batch{Env: e.Env}
	finder := batch.Finder()
	sides := map[string]int{}
	for i, of := range []side{a, b} {
		for f := range finder.Find([]string{filepath.Join(of.folder, of.pattern)}) {
			name, err := filepath.Rel(of.folder, f.Path)
			if err != nil || name == of.pattern {
				finder.Fail("%s: no such file or directory", f.Path)
				continue
			}
			sides[name] |= inA << i
		}
	}
	names := slices.Sorted(maps.Keys(sides))
	err := files.Each(ctx, batch, e.Out(o.json), slices.Values(names), func(ctx context.Context, one *env.Env, name string, out io.Writer) error {
		of := *o
		of.label = name
		var differs bool
		var err error
		switch sides[name] {
		case inA:
			differs, err = true, writeOneSided(out, name, compare.Removed, &of)
		case inB:
			differs, err = true, writeOneSided(out, name, compare.Added, &of)
		default:
			differs, err = commands{one, e.decide}.diffFiles(ctx, filepath.Join(a.folder, name), filepath.Join(b.folder, name), &of, out)
		}
		if differs {
			different.Add(1)
		}
		return err
	})
	if err == nil && different.Load() > 0 {
		return env.ErrProblems
	}
	return err
}

// writeOneSided prints that only one folder has a file.
func writeOneSided(out io.Writer, name string, k compare.Kind, o *diffOptions) error {
	_, err := out.Write(output.AppendOneSided(nil, name, k, o.json))
	return err
}

// A diffPrinter prints changes.
type diffPrinter struct {
	*diffOptions
	a, b    *tree.Reader
	out     *bufio.Writer
	colors  *output.Palette
	width   int
	tally   output.DifferenceTally
	bytes   int64 // ranges of bytes that differ
	differs bool  // anything was found
	line    []byte
	limit   int    // bytes of a literal
	time    string // of the save, "" where two files are compared
}

func (e commands) newDiffPrinter(a, b *env.File, o *diffOptions, out io.Writer) (*diffPrinter, error) {
	p := &diffPrinter{diffOptions: o, a: a.Tree.NewReader(), b: b.Tree.NewReader(), limit: output.MaxLiteral, out: bufio.NewWriterSize(out, 64<<10)}
	if o.json {
		p.limit = patch.MaxLiteral
		return p, nil
	}
	var err error
	p.colors, err = e.Palette()
	p.width = e.TerminalWidth()
	return p, err
}

// head prints the names of the files before the first of several that differs.
func (p *diffPrinter) head() {
	if p.label == "" || p.differs || p.json || p.stat {
		return
	}
	p.out.Write(output.AppendFileHead(nil, p.label))
}

// print prints a change.
func (p *diffPrinter) print(c *compare.Change) error {
	p.tally.Add(c)
	p.head()
	p.differs = true
	if p.stat {
		return nil
	}
	d := output.Difference{Change: c}
	if c.A != nil {
		d.Old = string(p.a.AppendLiteral(nil, &c.A.Value, p.limit))
	}
	if c.B != nil {
		d.New = string(p.b.AppendLiteral(nil, &c.B.Value, p.limit))
	}
	if c.Kind == compare.Retyped {
		d.OldType, d.NewType = storedAs(p.a, c.A), storedAs(p.b, c.B)
		if d.OldType == d.NewType {
			d.OldType, d.NewType = d.OldType+sizeOf(c.A), d.NewType+sizeOf(c.B)
		}
	}
	if p.json {
		p.line = output.AppendDifferenceJSON(p.line[:0], &d, p.time, p.label)
	} else {
		p.line = output.AppendDifference(p.line[:0], &d, p.colors, p.width)
	}
	_, err := p.out.Write(p.line)
	return err
}

func storedAs(r *tree.Reader, n *tree.Node) string {
	return string(r.Tree.AppendType(nil, r.Window(), &n.Value))
}

func sizeOf(n *tree.Node) string {
	if n.End == tree.Unknown {
		return ""
	}
	return fmt.Sprintf(" of %d bytes", n.End-n.Start)
}

// end prints what is left, and reports whether the files differ.
func (p *diffPrinter) end() (bool, error) {
	label := ""
	if p.label != "" {
		label = text.Clean(p.label) + ": "
	}
	switch {
	case !p.stat || p.label != "" && !p.differs:
	case p.json:
		p.out.Write(append(p.tally.AppendJSON(nil, p.label, p.bytes), '\n'))
	case p.bytes > 0:
		fmt.Fprintln(p.out, label+span.Counted(p.bytes, "difference")+" in the bytes")
	default:
		fmt.Fprintln(p.out, label+p.tally.String())
	}
	differs := p.differs
	if !p.patch && p.bytes == 0 {
		differs = p.tally.Changes() > 0 || p.strict && p.tally.Notes() > 0
	}
	return differs, p.out.Flush()
}

// alert prints that a condition has become true.
func (p *diffPrinter) alert(condition, literal string) {
	if p.json {
		p.line = output.AppendAlertJSON(p.line[:0], p.time, condition, literal)
	} else {
		p.line = output.AppendAlert(p.line[:0], condition, literal, p.colors)
	}
	p.out.Write(p.line)
}
