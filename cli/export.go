package cli

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder/engine/background"
	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/lineender"
	"varview/internal/text"
	"varview/model"
)

const exportLong = `Print all values as JSON. Godot's are in the form that Godot 4.4 and later read
back with JSON.to_native, or with --text in the notation of var_to_str; nothing
is lost. Elephant's are in the form of ElephantToJSON, or with --typed in one
that also has every datatype, constructor and reference as the file has it. For
a damaged file it prints what can be read, and a message on standard error.
"varview import" makes a file from Godot's JSON, and from what --typed prints.

--json is for programs that know no engine: texts, numbers, lists and objects,
a vector as {"x":1.5,"y":2}, so that a path in the file is the path in the JSON.
Standard error says how much of the rest, such as types, is left out. --jsonl
prints the same with each value on a line of its own, or each element where the
file is one list.

With several files, folders or patterns there is a line for each file, with its
name and value: {"file": …, "value": …}.`

const exportExample = `  varview export savegame.dat > savegame.json
  varview export --text savegame.dat
  varview export --json savegame.dat | jq '.[0].player.pos.x'
  varview export --json savegame.dat --only '[0].items'
  varview export --jsonl saves/ > saves.jsonl
  varview export --typed --schema scripts/ save.elephant
  varview export --as godot3 - < packet.bin`

func (e commands) exportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:               "export FILE...",
		Short:             "Print the values as JSON that the engine reads back",
		Long:              exportLong,
		Example:           exportExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "a FILE"),
		ValidArgsFunction: flags.CompleteFiles(flags.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.export(cmd.Context(), args, &o)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&o.text, "text", false, "the notation of var_to_str instead; for Elephant that of GML")
	set.BoolVar(&o.typed, "typed", false, "JSON that loses nothing, of Elephant too (of all others this is the default)")
	set.BoolVar(&o.plain, "json", false, "plain JSON: texts, numbers, lists and objects, without types")
	set.BoolVar(&o.plain, "plain", false, "the same as --json")
	set.MarkHidden("plain")
	set.BoolVar(&o.lines, "jsonl", false, "plain JSON with each value or element on a line of its own")
	set.StringVar(&o.only, "only", "", "only the values at `PATH`, which can stand for many")
	e.RegisterPath(cmd, "only")
	cmd.MarkFlagsMutuallyExclusive("text", "typed", "json", "jsonl")
	cmd.MarkFlagsMutuallyExclusive("text", "typed", "plain", "jsonl")
	o.Register(cmd)
	return cmd
}

type exportOptions struct {
	text, typed, plain, lines bool
	only                      string // a path; "" for all
	files.Selected
}

// export prints the values of all files.
func (e commands) export(ctx context.Context, names []string, o *exportOptions) error {
	var lost totalLoss
	err := o.Each(ctx, e.Env, &text.Harmless{W: e.Stdout}, names, func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		return commands{one}.exportFile(ctx, f, o, &lost, out)
	})
	for _, line := range output.LossLines(&lost.Loss) {
		e.Tell("%s", line)
	}
	return err
}

// A totalLoss sums up what plain JSON leaves out of all files.
type totalLoss struct {
	sync.Mutex
	tree.Loss
}

func (l *totalLoss) add(more *tree.Loss) {
	l.Lock()
	defer l.Unlock()
	l.Add(more)
}

// exportFile prints the values of one file, with its label if it has one.
func (e commands) exportFile(ctx context.Context, file files.File, o *exportOptions, lost *totalLoss, out io.Writer) (err error) {
	f, err := file.Open(ctx, e.Env)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	form, err := formOf(f, file.Label(), o, lost)
	if err != nil {
		return err
	}
	if o.only != "" {
		return e.writeOnly(ctx, f, form, o, out)
	}
	problems, err := e.writeAll(ctx, f, form, f.HasSchemas() && !o.typed, out) // references are written as paths
	switch {
	case err != nil:
		return err
	case f.Size() == 0:
		e.WarnOfGuess(f)
	case problems > 0:
		e.Tell("%s: read as %s, with %s (\"varview check\" names them)", env.DisplayName(f.Name), f.WrappedIn()+f.ReadAs(), span.Counted(problems, "problem"))
	}
	return nil
}

// writeOnly prints the values at --only, one after another.
func (e commands) writeOnly(ctx context.Context, f *env.File, form writeForm, o *exportOptions, out io.Writer) error {
	err := f.EachReached(ctx, o.only, func(in *model.Document, path string) error {
		r := in.Innermost().Tree().NewReader()
		if err := r.Tree.BuildIndex(ctx); err != nil {
			return err
		}
		return r.EachAt(ctx, path, func(n *tree.Node) error { return writeEnded(ctx, r, &n.Value, form, out) })
	})
	if err == tree.ErrNoMatch {
		err = fmt.Errorf("%w: %s", err, o.only)
	}
	return err
}

// A writeForm writes a value in one form.
type writeForm func(context.Context, io.Writer, *tree.Reader, *tree.Value) error

func writeText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return r.WriteText(ctx, out, v)
}

// writeLines writes all values; v is the root.
func writeLines(ctx context.Context, out io.Writer, r *tree.Reader, _ *tree.Value) error {
	return r.WriteLines(ctx, out)
}

func writeJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return r.WriteJSON(ctx, out, v)
}

// writePlain writes plain JSON.
func writePlain(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	_, err := r.WritePlain(ctx, out, v)
	return err
}

// plainly returns what writes plain JSON, and counts what is lost.
func (l *totalLoss) plainly() writeForm {
	return func(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
		lost, err := r.WritePlain(ctx, out, v)
		l.add(lost)
		return err
	}
}

// eachLine makes form write each value of a file on a line, or each element of its only value if that is
// a list.
func eachLine(form writeForm) writeForm {
	return func(ctx context.Context, out io.Writer, r *tree.Reader, _ *tree.Value) error {
		return r.EachRecord(func(n *tree.Node) error {
			line := &lineender.Writer{W: out}
			if err := form(ctx, line, r, &n.Value); err != nil {
				return err
			}
			return line.End()
		})
	}
}

// labelled makes form write a value into an object with the name of its file, if it has one.
func labelled(form writeForm, label string) writeForm {
	if label == "" {
		return form
	}
	return func(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
		if _, err := out.Write(append(tree.AppendQuoted([]byte(`{"file":`), []byte(label)), `,"value":`...)); err != nil {
			return err
		}
		if err := form(ctx, tree.OneLine{W: out}, r, v); err != nil {
			return err
		}
		_, err := io.WriteString(out, "}\n")
		return err
	}
}

// headed makes form write values after a line with the name of their file, if it has one.
func headed(form writeForm, label string) writeForm {
	if label == "" {
		return form
	}
	return func(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
		if _, err := out.Write(output.AppendFileHead(nil, label)); err != nil {
			return err
		}
		return form(ctx, out, r, v)
	}
}

// formOf returns the form that the options ask for. It fails if the file has no such form.
func formOf(f *env.File, label string, o *exportOptions, lost *totalLoss) (writeForm, error) {
	switch {
	case o.text && o.only != "":
		return headed(writeText, label), nil
	case o.lines && o.only != "":
		return labelled(lost.plainly(), label), nil
	case o.text:
		return headed(writeLines, label), nil
	case o.plain:
		return labelled(lost.plainly(), label), nil
	case o.lines:
		return eachLine(labelled(lost.plainly(), label)), nil
	case o.typed:
		if t, ok := f.Tree.Reading.(format.TypedWriter); ok && o.only != "" {
			return nil, fmt.Errorf("%s: --typed writes a file of %s only as a whole", env.DisplayName(f.Name), f.ReadAs())
		} else if ok {
			return labelled(t.WriteTyped, label), nil
		}
	}
	return labelled(writeJSON, label), nil
}

// writeAll prints all values and returns the file's number of warnings and errors, which are counted at
// the same time. If indexed is set, writing uses the index, which is built first.
func (e commands) writeAll(ctx context.Context, f *env.File, form writeForm, indexed bool, out io.Writer) (problems int64, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if indexed { // first, since nothing else builds it while problems are looked for
		if err := f.Tree.BuildIndex(ctx); err != nil {
			return 0, err
		}
	}
	var failed error
	var p model.Progress
	done := e.WatchPrinting(p.Share, "exporting", f.Name)
	defer done()
	r := f.Tree.NewReader()
	r.Passed = p.Set
	counting := background.Start(func() { failed = countProblems(ctx, f, &problems) })
	if err = writeEnded(ctx, r, &f.Tree.Base.Value, form, out); err != nil {
		stop()
	}
	if counting.Wait(); err == nil {
		err = failed
	}
	return problems, err
}

// countProblems counts the warnings and errors of a file.
func countProblems(ctx context.Context, f *env.File, n *int64) error {
	count := func(s span.Severity) {
		if s > span.Note {
			*n++
		}
	}
	if err := f.CheckWrappers(ctx, nil, func(x model.BufferProblem) bool { count(x.Severity); return true }); err != nil {
		return err
	}
	return f.Tree.Check(ctx, tree.CheckOptions{Workers: parallel.Workers()}, func(p span.Problem, _ *tree.Node) { count(p.Severity) })
}

// writeEnded writes a value and ends the line.
func writeEnded(ctx context.Context, r *tree.Reader, v *tree.Value, form writeForm, to io.Writer) error {
	out := &lineender.Writer{W: to}
	if err := form(ctx, out, r, v); err != nil {
		return err
	}
	if err := r.Window().Err(); err != nil {
		return err
	}
	return out.End()
}
