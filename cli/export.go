package cli

import (
	"context"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
)

const exportLong = `Print all values as JSON, in the form that Godot 4.4 and later read back with
JSON.to_native, or with --text in the notation of var_to_str. Nothing is lost.
Of a damaged file what can be read is printed, and standard error tells of it.`

const exportExample = `  varview export savegame.dat > savegame.json
  varview export --text savegame.dat
  varview export --as godot3 - < packet.bin`

func (e *env) exportCommand() *cobra.Command {
	var asText bool
	cmd := &cobra.Command{
		Use:               "export FILE",
		Short:             "Print the values as JSON that Godot reads back",
		Long:              exportLong,
		Example:           exportExample,
		Args:              wants(1, 1, "one FILE"),
		ValidArgsFunction: completeFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.export(cmd.Context(), args[0], asText)
		},
	}
	cmd.Flags().BoolVar(&asText, "text", false, "the notation of var_to_str instead")
	return cmd
}

func (e *env) export(ctx context.Context, name string, asText bool) (err error) {
	f, err := e.openFile(ctx, name, decoder.Settle)
	if err != nil {
		return err
	}
	defer f.close(&err)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	problems := countProblems(ctx, f) // beside the writing, which it takes no longer than
	if err := e.write(ctx, f, &f.Tree.Base.Value, asText); err != nil {
		return err
	}
	n := <-problems
	switch {
	case n.err != nil:
		return n.err
	case f.src.Size() == 0:
		e.tellGuess(f)
	case n.problems > 0:
		e.tell("%s: read as %s, %s, with %s (\"varview check\" names them)", displayName(f.name), f.Title, f.Framing, model.Counted(n.problems, "problem"))
	}
	return nil
}

type problemCount struct {
	problems int64
	err      error
}

// countProblems counts the warnings and errors of a file in the background.
func countProblems(ctx context.Context, f *file) <-chan problemCount {
	done := make(chan problemCount, 1)
	go func() {
		var n problemCount
		n.err = f.Tree.BuildIndex(ctx, func(p span.Problem, _ *tree.Scanner) {
			if p.Severity > span.Note {
				n.problems++
			}
		})
		done <- n
	}()
	return done
}

// write prints a value and ends the line.
func (e *env) write(ctx context.Context, f *file, v *tree.Value, asText bool) error {
	r := f.Tree.NewReader()
	out := &lineEnder{w: e.stdout}
	form := f.Tree.Format.WriteJSON
	if asText {
		form = f.Tree.Format.WriteText
	}
	if err := form(ctx, out, r, v); err != nil {
		return err
	}
	if err := r.Window().Err(); err != nil {
		return err
	}
	return out.end()
}
