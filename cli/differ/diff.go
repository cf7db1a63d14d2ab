package differ

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/search"
)

const diffLong = `Print what differs between two files, by their values: which were added and
removed, which changed, which moved in their list, and which keys were renamed.
The files may differ in their wrappers, framing, dialect or version: values are
compared by what they mean. Values that mean the same but are stored in another
type or width are only noted, and so is another order of keys; but an array or
dictionary of another type, as Array[int] in place of Array, is a change.
Between files of different formats, values that differ only in their type are
counted; --strict lists them.

Elements of lists of the same length are matched by position, unless far less
has changed otherwise; elements of other lists are matched by similarity, or
with --match by their value of that key. A pattern of --ignore is a path with *
and ?; what is inside such values is ignored too. --only compares nothing but
the values at a path, which can stand for many, and what is in them, also in
what is packed in a value: 'save@open.gold'.

With more than two files, each value that is not the same in all of them is a
row, and each file a column; --rows prints only those that have grown or shrunk
from file to file, that have the given values, one for each file, or instead
those that are the same in all.

With two folders or patterns, files with the same names are compared; with a
pattern and a folder, the files that the pattern finds in the folder.

--patch prints what "varview set --apply" takes to make A what B is; what a
patch cannot carry, such as a width that no literal shows, is reported, and the
exit status is 1.
--textconv prints the values of one file, a line each, for "git diff". The exit
status is 0 if the files are equal, 1 if they differ and 2 in trouble. A damaged
file is compared as far as it can be read.`

const diffExample = `  varview diff before.dat after.dat
  varview diff before.dat after.dat --json | jq -r .path
  varview diff before.dat after.dat --ignore '*.time' --tolerance 1e-6
  varview diff before.dat after.dat --only '..enemies[type=="boss"]'
  varview diff before.dat after.dat --patch > event.patch
  varview diff slot1.dat slot2.dat slot3.dat --rows grown
  varview set other.dat --apply event.patch`

type diffOptions struct {
	json, patch, stat, names, strict, textconv bool
	tolerance                                  float64
	match                                      string // key by whose value elements are matched; "" for none
	ignore                                     []string
	only                                       string // a path
	label                                      string // names of the files, if there are several
	rows                                       string // which rows of more than two files are printed
}

func (e commands) diffCommand() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:               "diff A B [C...]",
		Short:             "Print what differs between two files, by their values",
		Long:              diffLong,
		Example:           diffExample,
		Args:              o.args,
		ValidArgsFunction: flags.CompleteFiles(-1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return e.beside(cmd.Context(), args, &o)
			}
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
	f.BoolVar(&o.names, "name-only", false, "print only which files differ: the name in both folders, or B")
	f.BoolVar(&o.strict, "strict", false, "notes count for the exit status, and types are compared between formats")
	f.BoolVar(&o.textconv, "textconv", false, "print the values of one FILE, a line each")
	f.StringVar(&o.rows, "rows", "", "of more than two files, print only rows that are `same|grown|shrunk|N,N...`")
	cmd.RegisterFlagCompletionFunc("rows", cobra.FixedCompletions([]string{"same", "grown", "shrunk"}, cobra.ShellCompDirectiveNoFileComp))
	f.StringVar(&o.only, "only", "", "compare only the values at `PATH`, which can stand for many")
	e.RegisterPath(cmd, "only")
	o.registerComparison(cmd)
	e.RegisterQuiet(cmd)
	return cmd
}

// registerComparison adds the flags that say how values are compared.
func (o *diffOptions) registerComparison(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Float64Var(&o.tolerance, "tolerance", 0, "numbers that differ by at most `N` are equal")
	o.registerMatch(cmd)
	f.StringArrayVar(&o.ignore, "ignore", nil, "ignore paths that match `PATTERN`; repeatable")
	for _, name := range []string{"tolerance", "ignore"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// registerMatch adds the flag that says which elements of lists are the same.
func (o *diffOptions) registerMatch(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.match, "match", "", "match elements of lists by their value of the key `NAME`")
	cmd.RegisterFlagCompletionFunc("match", cobra.NoFileCompletions)
}

// args accepts the files, and refuses flags that cannot be combined.
func (o *diffOptions) args(cmd *cobra.Command, args []string) error {
	forms := 0
	for _, is := range []bool{o.json, o.patch, o.stat, o.names, o.textconv} {
		if is {
			forms++
		}
	}
	switch {
	case (o.patch || o.names || o.textconv) && forms > 1:
		return errors.New("--patch, --name-only and --textconv are different outputs; one at a time")
	case o.tolerance < 0:
		return errors.New("--tolerance must be at least 0")
	case o.textconv:
		return flags.Wants(1, 1, "one FILE with --textconv")(cmd, args)
	}
	switch {
	case len(args) > 2 && (o.patch || o.stat || o.names):
		return errors.New("--patch, --stat and --name-only compare two files")
	case len(args) <= 2 && o.rows != "":
		return errors.New("--rows is for more than two files")
	}
	return flags.Wants(2, flags.AnyNumber, "two files, A and B, or more")(cmd, args)
}

// compared returns how files are compared.
func (o *diffOptions) compared() compare.Options {
	var ignored []func(string) bool
	for _, pattern := range o.ignore {
		ignored = append(ignored, search.PathPattern(pattern))
	}
	return compare.Options{Tolerance: o.tolerance, Key: o.match, Ignored: anyOf(ignored)}
}

// anyOf returns a function that reports whether a path meets any of several conditions; nil if there are
// none.
func anyOf(conditions []func(string) bool) func(string) bool {
	if len(conditions) == 0 {
		return nil
	}
	return func(path string) bool {
		return slices.ContainsFunc(conditions, func(is func(string) bool) bool { return is(path) })
	}
}

// comparedIn is compared, without the values of two trees that --only does not select.
func (o *diffOptions) comparedIn(ctx context.Context, a, b *tree.Tree) (compare.Options, error) {
	c := o.compared()
	if o.only == "" {
		return c, nil
	}
	only, err := search.NewOnly(ctx, o.only, a, b)
	if err != nil {
		return c, fmt.Errorf("--only: %v", err) // no difference either, if it is tree.ErrNoMatch
	}
	conditions := []func(string) bool{func(path string) bool { return !only.Has(path) && !only.IsAround(path) }}
	if c.Ignored != nil {
		conditions = append(conditions, c.Ignored)
	}
	c.Ignored = anyOf(conditions)
	return c, nil
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
	within := *o
	if within.only, err = intoBoth(ctx, a, b, o); err != nil {
		return false, err
	}
	o = &within
	p, err := e.newDiffPrinter(a, b, o, out)
	if err != nil {
		return false, err
	}
	if err = bothOrNone(a, b); err == nil {
		err = e.compare(ctx, p, a, b)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", env.DisplayName(nameA), err)
	}
	return p.end()
}

// intoBoth opens what --only leads into in two files, and returns the path there.
func intoBoth(ctx context.Context, a, b *env.File, o *diffOptions) (only string, err error) {
	for _, f := range []*env.File{a, b} {
		if only, err = f.Into(ctx, o.only); err != nil {
			return "", fmt.Errorf("--only: %w", err)
		}
	}
	if only != o.only && o.patch {
		return "", errors.New("--patch has no paths into what values hold: make it of the whole files")
	}
	return only, nil
}

// compare prints what differs between two files.
func (e commands) compare(ctx context.Context, p *diffPrinter, a, b *env.File) error {
	var made *model.Transaction
	switch {
	case p.patch && a.IsForeign():
		return errors.New("there is no patch between files without values")
	case p.patch:
		t, err := p.writePatch(ctx, e, a, b)
		if err != nil {
			return err
		}
		made = t
	case !a.IsForeign():
		if err := e.compareValues(ctx, p, a, b); err != nil {
			return err
		}
	}
	if p.only != "" {
		return nil
	}
	err := p.compareBytes(ctx, a, b)
	if p.patch && p.bytes > 0 {
		e.Tell("%s: bytes that no value claims differ in %s; the patch leaves them as they are", env.DisplayName(b.Name), span.Counted(p.bytes, "place"))
	} else if made != nil && err == nil {
		err = e.tellOtherBytes(ctx, made, a, b)
	}
	return err
}

// tellOtherBytes says that a patch of a gives other bytes than those of b. What cannot be saved is refused once the patch is
// applied.
func (e commands) tellOtherBytes(ctx context.Context, t *model.Transaction, a, b *env.File) (err error) {
	if a.Document, err = t.Commit(ctx, "patch", model.Cursor{}, model.Cursor{}); err != nil {
		return err
	}
	is, err := source.Written(func(f *os.File) error { return a.WriteTo(ctx, f, model.SaveOptions{}, new(model.Progress)) })
	if err != nil {
		return ctx.Err()
	}
	defer is.Close()
	return source.Differences(ctx, is, b.Buffers[0].Tree().Source, 1, func(s source.Splice) bool {
		e.Tell("%s: the patch gives its values, but other bytes from %#x on: layout, spelling and packing stay as they are in %s", env.DisplayName(b.Name), s.Offset, env.DisplayName(a.Name))
		return false
	})
}

// compareValues prints which values differ.
func (e commands) compareValues(ctx context.Context, p *diffPrinter, a, b *env.File) error {
	how, err := p.comparedIn(ctx, a.Tree, b.Tree)
	if err != nil {
		return err
	}
	var progress model.Progress
	progress.Index(0, 1, a.Tree, b.Tree)
	quiet := sync.OnceFunc(e.Watch(progress.Share, "comparing", a.Name))
	defer quiet()
	how.Alike, how.SameDialect = a.ReadsAs(b.Document.Document), a.Dialect == b.Dialect
	how.Damaged = func(t *tree.Tree, p *span.Problem) {
		name := a.Name
		if t == b.Tree {
			name = b.Name
		}
		quiet()
		e.Tell("%s: %#x: %s; compared as far as it can be read", env.DisplayName(name), p.Offset, p.Message)
	}
	return compare.Trees(ctx, a.Tree, b.Tree, how, func(c *compare.Change) error {
		quiet()
		return p.print(c)
	})
}

// openCompared opens a file that is compared: one that is not known to be a save, for its bytes. Schemas found near the others are used for it too.
func (e commands) openCompared(ctx context.Context, name string, readOnly bool, others ...string) (*env.File, error) {
	doc, err := e.OpenBound(ctx, name, decoder.Settle, model.Options{ReadOnly: readOnly, NoBackup: true, Beside: others})
	if err != nil {
		return nil, err
	}
	f := &env.File{Document: doc, Name: name}
	if err := f.CheckReadable(); err != nil {
		f.Finish(&err)
		return nil, err
	}
	if !f.IsForeign() {
		e.WarnOfGuess(f)
	}
	return f, nil
}

// writePatch prints the patch that turns a into b. It returns the edits of one that should make all values those of b, or nil.
func (p *diffPrinter) writePatch(ctx context.Context, e commands, a, b *env.File) (*model.Transaction, error) {
	t, err := env.BeginValues(a.Document)
	if err != nil {
		return nil, err
	}
	how, err := p.comparedIn(ctx, a.Tree, b.Tree)
	if err != nil {
		return nil, err
	}
	how.Alike, how.SameDialect = a.ReadsAs(b.Document.Document), a.Dialect == b.Dialect
	done := e.WatchEdits(t, "comparing", a.Name)
	left, err := diff.Become(ctx, t, b.Tree, how)
	done()
	var unmade *diff.UnmadeError
	switch {
	case errors.As(err, &unmade):
		e.Tell("%s: %s: the patch cannot carry its value: %v", env.DisplayName(a.Name), text.Clean(unmade.Path), unmade.Err)
	case err != nil:
		return nil, err
	}
	e.tellLeft(a.Name, left)
	p.differs = len(t.Ops())+len(left) > 0 || unmade != nil
	if err := t.Patch().Write(p.out); err != nil || len(left) > 0 || unmade != nil || how.Ignored != nil || how.Tolerance > 0 {
		return nil, err
	}
	return t, nil
}

// maxLeft is the number of differences that a patch cannot carry of which each is named.
const maxLeft = 5

// tellLeft reports the differences that a patch of a file cannot carry.
func (e commands) tellLeft(name string, left []*compare.Change) {
	for _, c := range left[:min(len(left), maxLeft)] {
		what := "how the value is stored: its type, width or form"
		if c.Kind == compare.Moved {
			what = "the order of the keys"
		}
		e.Tell("%s: %s: the patch cannot carry %s", env.DisplayName(name), text.Clean(c.Path), what)
	}
	if n := len(left) - maxLeft; n > 0 {
		e.Tell("%s: and %s more that the patch cannot carry", env.DisplayName(name), span.Counted(int64(n), "difference"))
	}
}
