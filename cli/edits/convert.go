package edits

import (
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
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
)

const convertLong = `Write the values of a file in another dialect: Godot's and Pandemonium's in each
other's, Elephant's in another version. Elephant's own reader reads versions
from 1.4.0 on. Godot's resources are converted between .res and .tres, and from
Godot 3 to 4.

A type becomes the one that means the same: Quat and Quaternion, PoolIntArray
and PackedInt32Array. Numbers keep their width, NodePaths all their bytes, and
classes get the name that they have in the other engine. Values that change a
little, such as a StringName that becomes a String, are counted. Values without
a counterpart, such as a Vector2i in Godot 3, are listed, and nothing is
written, unless --drop leaves them out, --as-null puts null in their place, or
--as-dictionary a Dictionary of their parts:
{ "type": "Vector2i", "args": [1, 2] }. A damaged file is not converted.

With several files, folders or patterns, each result goes into the folder OUT,
under its own name; a file that cannot be converted does not stop the others.

The wrappers stay, and encrypted files are encrypted as the other engine reads
them, with the same key. --unwrap removes wrappers, --wrap adds new ones. OUT
appears only when all of it is written.`

const convertExample = `  varview convert old.save --to godot4 -o new.save
  varview convert new.save --to godot3 --as-dictionary --json -o old.save
  varview convert saves/ --to godot4 -o saves4
  varview convert save.dat --wrap gcpf:zstd -o packed.dat
  varview convert save.dat --to godot4 --unwrap --wrap gdec:secret -o save.enc
  varview convert save.res --to godot4-text -o save.tres
  varview convert old.save --to elephant-1.5.1 -o new.save`

type convertOptions struct {
	flags.Edit
	to      string
	framing string
	real    string
	names   bool
	drop    bool
	null    bool
	dict    bool
	json    bool
	report  string // the older way to say json
	files.Selected
}

func (e commands) convertCommand() *cobra.Command {
	var o convertOptions
	cmd := &cobra.Command{
		Use:               "convert FILE... --to DIALECT -o OUT",
		Short:             "Write a file for another engine or version",
		Long:              convertLong,
		Example:           convertExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "a FILE, or several"),
		ValidArgsFunction: flags.CompleteFiles(flags.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.json = o.json || o.report == "json"
			return e.convert(cmd.Context(), args, &o)
		},
	}
	o.Output.Register(cmd, "write to `OUT`, - for standard output; into the folder OUT where that is one, or FILE is several", "replace files that exist")
	o.Selected.Register(cmd)
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "`DIALECT` to write, as godot4 or elephant-1.5.1")
	f.StringVar(&o.framing, "to-framing", "", "`FRAMING` to write, raw or stream; else that of FILE")
	f.StringVar(&o.real, "real", "", "write vectors with components of 32 or 64 `BITS`, as builds with single or double precision do; else as in FILE")
	f.BoolVar(&o.names, "string-names", false, "keys of Dictionaries that are Strings become StringNames")
	f.BoolVar(&o.drop, "drop", false, "leave out what has no counterpart")
	f.BoolVar(&o.null, "as-null", false, "put null in place of what has no counterpart")
	f.BoolVar(&o.dict, "as-dictionary", false, "put a Dictionary with its parts in place of what has no counterpart")
	f.BoolVar(&o.json, "json", false, "list what changes on standard output, a JSON object for each value")
	f.StringVar(&o.report, "report", "text", "as --json, if `FORM` is json")
	f.MarkHidden("report")
	f.BoolVar(&o.Unwrap, "unwrap", false, "write it without what wraps FILE")
	f.StringArrayVar(&o.Wrap, "wrap", nil, "put `WRAPPER` around it: gcpf:zstd, gcpf:deflate, gcpf:gzip, gcpf:fastlz, gdec:PASSWORD, or gdec with --key, gdec3 and gdec4 for one version of Godot; repeatable, the innermost first")
	cmd.RegisterFlagCompletionFunc("to", flags.CompleteDialects)
	for name, values := range map[string][]string{"to-framing": {"raw", "stream", "sequence"}, "real": {"32", "64"}} {
		cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// request returns the conversion that the flags ask for. It is a plain copy if only wrappers change.
func (o *convertOptions) request() (*format.ConvertRequest, error) {
	bits, ok := map[string]int{"": 0, "32": 32, "64": 64}[o.real]
	if !ok {
		return nil, fmt.Errorf("--real is 32 or 64, not %q", o.real)
	}
	q := &format.ConvertRequest{Dialect: o.to, Framing: o.framing, StringNames: o.names, Bits: bits}
	asked := 0
	for _, lost := range []struct {
		asked bool
		as    format.Outcome
	}{{o.drop, format.Dropped}, {o.null, format.Nulled}, {o.dict, format.Described}} {
		if lost.asked {
			asked++
			q.Lost = lost.as
		}
	}
	switch {
	case asked > 1:
		return nil, errors.New("--drop, --as-null and --as-dictionary are three ways; one at a time")
	case !slices.Contains([]string{"", "raw", "stream", "sequence"}, o.framing):
		return nil, fmt.Errorf("--to-framing is raw or stream, not %q", o.framing)
	case o.report != "text" && o.report != "json":
		return nil, fmt.Errorf("--report is text or json, not %q", o.report)
	case o.to == "" && len(o.Wrap) == 0 && !o.Unwrap && q.IsPlain():
		return nil, errors.New(`convert needs --to DIALECT ("varview formats" lists them), --wrap or --unwrap`)
	case o.Path == "":
		return nil, errors.New("convert needs -o OUT, the file to write; -o - is standard output")
	case o.Path == "-" && o.json:
		return nil, errors.New("--json prints on standard output; give OUT a name")
	}
	return q, nil
}

func (e commands) convert(ctx context.Context, names []string, o *convertOptions) error {
	if _, err := o.request(); err != nil {
		return err
	}
	if o.to != "" {
		if err := decoder.CheckConversion(o.to); err != nil {
			return fmt.Errorf("--to %s: %w", o.to, err)
		}
	}
	batch := &files.Batch{Env: e.Env}
	found, err := o.All(ctx, batch, names) // before there are results, perhaps in the same folders
	if err != nil {
		return err
	}
	targets, err := targets(o.Path, found, o.IsOne(found), "converted", filepath.Clean)
	if err != nil {
		return err
	}
	return files.Each(ctx, batch, e.Stdout, slices.Values(targets), func(ctx context.Context, one *env.Env, t target, out io.Writer) error {
		return commands{Env: one}.convertFile(ctx, t, *o, out)
	})
}

// A target is a file to be converted, and where its result goes.
type target struct {
	files.File
	out   string
	label string // name of the file, if there are several
	taken string // the other file of the same name; "" if there is none
}

// targets returns where the results for files go: to out, or if there are several or out is a folder,
// into that folder under the names that rename returns.
func targets(out string, found []files.File, one bool, done string, rename func(string) string) ([]target, error) {
	if one && !files.IsFolder(out) {
		return []target{{File: found[0], out: out}}, nil
	}
	if _, err := os.Stat(out); out == "-" || err == nil && !files.IsFolder(out) {
		return nil, fmt.Errorf("-o %s: several files are %s into a folder", out, done)
	}
	var all []target
	taken := map[string]string{}
	for _, f := range found {
		name := filepath.Base(f.Path)
		if rel, err := filepath.Rel(f.Folder, f.Path); f.Folder != "" && err == nil {
			name = rel
		}
		name = rename(name)
		t := target{File: f, out: filepath.Join(out, name), taken: taken[name], label: f.Path}
		taken[name] = f.Path
		all = append(all, t)
	}
	return all, nil
}

// prepare creates the folder of a target that is one of several.
func (t *target) prepare(doing string) error {
	switch {
	case t.taken != "":
		return fmt.Errorf("%s: %s has the same name, and goes to %s", t.Path, t.taken, t.out)
	case flags.IsSameFile(t.out, t.Path):
		return fmt.Errorf("%s writes another file, and -o names %s itself", doing, t.Path)
	case t.label != "":
		if err := os.MkdirAll(filepath.Dir(t.out), 0o777); err != nil {
			return source.Plain(err)
		}
	}
	return nil
}

// convertFile converts one file. In a folder, it skips files that are not saves.
func (e commands) convertFile(ctx context.Context, t target, o convertOptions, out io.Writer) error {
	q, err := o.request()
	if err != nil {
		return err
	}
	if err := t.prepare("convert"); err != nil {
		return err
	}
	o.Path = t.out
	err = e.edit(ctx, t.Path, &o.Edit, func(ctx context.Context, doc *model.Document) (*model.Transaction, error) {
		if t.Folder != "" && doc.IsOther() {
			return nil, errNoSave
		}
		return e.convertValues(ctx, doc, t, &o, q, out)
	})
	if errors.Is(err, errNoSave) {
		e.Tell("%v", err)
		return nil
	}
	if err == nil && decoder.IsOutdated(o.to) {
		e.Tell("%s: the current version of the library itself cannot read %s", env.DisplayName(o.Path), o.to)
	}
	return err
}

var errNoSave = errors.New("not a save; skipped")

// convertValues converts the values of a document, and reports what changes.
func (e commands) convertValues(ctx context.Context, doc *model.Document, f target, o *convertOptions, q *format.ConvertRequest, out io.Writer) (*model.Transaction, error) {
	t, err := env.BeginValues(doc)
	if err != nil {
		return nil, err
	}
	onlyWraps := o.to == "" && q.IsPlain()
	if q.Dialect == "" {
		q.Dialect = doc.Dialect
	}
	if o.Generation = decoder.Generation(q.Dialect); onlyWraps {
		return t, nil
	}
	if e.Flags.Dialect == "" {
		e.tellOthers(doc, f.Path)
	}
	quiet := sync.OnceFunc(e.WatchEdits(t, "converting", f.Path))
	list := output.NewLossList(out, o.json, f.label, func(line string) {
		quiet()
		e.Tell("%s: %s", env.DisplayName(f.Path), line)
	})
	q.Report, q.Paths = list.Add, o.json
	err = t.Convert(ctx, q)
	quiet()
	if ended := list.End(); err == nil {
		err = ended
	}
	var lost *format.LossError
	if errors.As(err, &lost) {
		err = fmt.Errorf("nothing is written: %s without a counterpart; %s", span.Counted(lost.Count, "value"), lost.Ways())
	}
	return t, err
}

// tellOthers reports which other dialect of an engine fits a file, if its dialect was detected.
func (e commands) tellOthers(doc *model.Document, name string) {
	for _, d := range decoder.Dialects() {
		if slices.Contains(doc.Also, d.Name) && !d.Unwritten {
			e.Tell("%s: read as %s, but %s fits as well; --as says which", env.DisplayName(name), doc.Dialect, d.Name)
			return
		}
	}
}
