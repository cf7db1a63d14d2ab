package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/background"
	"varview/decoder/format"
	"varview/decoder/parallel"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/internal/lineender"
	"varview/model"
)

const exportLong = `Print all values as JSON. Godot's are in the form that Godot 4.4 and later read
back with JSON.to_native, or with --text in the notation of var_to_str; nothing
is lost. Elephant's are in the form of ElephantToJSON, or with --typed in one
that also has every datatype, constructor and reference as the file has it. Of a
damaged file what can be read is printed, with a message on standard error.
"varview import" makes a file from Godot's JSON, and from what --typed prints.`

const exportExample = `  varview export savegame.dat > savegame.json
  varview export --text savegame.dat
  varview export --typed --schema scripts/ save.elephant
  varview export --as godot3 - < packet.bin`

func (e commands) exportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:               "export FILE",
		Short:             "Print the values as JSON that the engine reads back",
		Long:              exportLong,
		Example:           exportExample,
		Args:              flags.Wants(1, 1, "one FILE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.export(cmd.Context(), args[0], o)
		},
	}
	cmd.Flags().BoolVar(&o.text, "text", false, "the notation of var_to_str instead; for Elephant that of GML")
	cmd.Flags().BoolVar(&o.typed, "typed", false, "every detail of an Elephant file, as JSON")
	return cmd
}

type exportOptions struct {
	text  bool
	typed bool
}

func (e commands) export(ctx context.Context, name string, o exportOptions) (err error) {
	if o.text && o.typed {
		return errors.New("--text and --typed are two forms; one at a time")
	}
	f, err := e.OpenFile(ctx, name, decoder.Settle)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	form, err := formOf(f, o)
	if err != nil {
		return err
	}
	problems, err := e.writeAll(ctx, f, form, f.HasSchemas() && !o.typed) // whose references are written as paths
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

// formOf is what the options ask for. The error says that the file has no such form,
// or no values.
func formOf(f *env.File, o exportOptions) (writeForm, error) {
	if err := f.CheckValues(); err != nil {
		return nil, err
	}
	switch {
	case o.text:
		return writeLines, nil
	case o.typed:
		if t, ok := f.Tree.Reading.(format.TypedWriter); ok {
			return t.WriteTyped, nil
		}
		return nil, fmt.Errorf("--typed is for Elephant, and this is read as %s, whose usual form loses nothing", f.ReadAs())
	}
	return writeJSON, nil
}

// writeAll prints all values and returns the number of warnings and errors of the file.
// They are counted meanwhile. If indexed is set the writing uses the index, which is built
// before.
func (e commands) writeAll(ctx context.Context, f *env.File, form writeForm, indexed bool) (problems int64, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if indexed { // first, since nothing else builds it while problems are looked for
		if err := f.Tree.BuildIndex(ctx); err != nil {
			return 0, err
		}
	}
	var failed error
	counting := background.Start(func() { failed = countProblems(ctx, f, &problems) })
	if err = e.write(ctx, f.Tree.NewReader(), &f.Tree.Base.Value, form); err != nil {
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

// write prints a value and ends the line.
func (e commands) write(ctx context.Context, r *tree.Reader, v *tree.Value, form writeForm) error {
	out := &lineender.Writer{W: e.Stdout}
	if err := form(ctx, out, r, v); err != nil {
		return err
	}
	if err := r.Window().Err(); err != nil {
		return err
	}
	return out.End()
}
