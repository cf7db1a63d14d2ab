package edits

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/model"
)

const importLong = `Write a file from the JSON that export prints; for Elephant, from that of export
--typed. --as gives the dialect, which values of Elephant contain themselves.
The bytes are restored, except garbage in the padding of a NodePath, which
becomes zero, and the wrappers, which are left out.

The output of Godot's JSON.from_native is read too. --from text reads the
notation of var_to_str, for a stream one value after another; --from plain any
JSON: objects become Dictionaries whose keys are Strings, lists Arrays, numbers
ints, or floats where they have a point or an exponent.

Several files of VALUES go into the folder OUT, each under its name without
.json or .txt. OUT appears only when all of it is written.`

const importExample = `  varview import values.json -o savegame.dat --as godot4 --framing stream
  varview export --typed save.elephant | varview import - -o copy.elephant
  varview import edited/ -o saves --as godot4 --framing stream
  varview import list.json --from plain -o list.dat --as godot4
  varview export packet.bin | varview import - -o - --as godot3 | xxd`

type importOptions struct {
	flags.Output
	bigEndian bool
	from      string
	files.Selected
}

func (e commands) importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:               "import VALUES.json... -o OUT",
		Short:             "Write a file of values as export writes them",
		Long:              importLong,
		Example:           importExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "a file of VALUES"),
		ValidArgsFunction: flags.CompleteFiles(flags.AnyNumber),
		PreRunE:           onlyImports,
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.importEach(cmd.Context(), args, &o)
		},
	}
	o.Output.Register(cmd, "write to `OUT`, - for standard output; into the folder OUT where that is one, or VALUES are several", "replace files that exist")
	cmd.Flags().StringVar(&o.from, "from", "export", "`FORM` of VALUES: export, plain or text")
	cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions([]string{"export", "plain", "text"}, cobra.ShellCompDirectiveNoFileComp))
	o.Selected.Register(cmd)
	cmd.Flags().BoolVar(&o.bigEndian, "big-endian", false, "lengths of a stream are big-endian")
	return cmd
}

// onlyImports refuses flags that say how a file is opened.
func onlyImports(cmd *cobra.Command, _ []string) (err error) {
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "as", "framing", "double", "schema", "theme":
		default:
			if f.Changed {
				err = fmt.Errorf("--%s is about opening files, and means nothing to import", f.Name)
			}
		}
	})
	return err
}

// importForms are the values of --from.
var importForms = map[string]format.Form{"export": format.Exported, "plain": format.Plain, "text": format.Literals}

// importEach imports the files that arguments stand for, several concurrently.
func (e commands) importEach(ctx context.Context, names []string, o *importOptions) error {
	if o.Path == "" {
		return errors.New("import needs -o OUT, the file to write; -o - is standard output")
	}
	batch := &files.Batch{Env: e.Env}
	all, err := o.All(ctx, batch, names)
	if err != nil {
		return err
	}
	to, err := targets(o.Path, all, o.IsOne(all), "imported", func(name string) string {
		return strings.TrimSuffix(strings.TrimSuffix(name, ".json"), ".txt")
	})
	if err != nil {
		return err
	}
	return files.Each(ctx, batch, e.Stdout, slices.Values(to), func(ctx context.Context, one *env.Env, t target, _ io.Writer) error {
		if err := t.prepare("import"); err != nil {
			return err
		}
		of := *o
		of.Path = t.out
		return commands{Env: one}.importValues(ctx, t.Path, &of)
	})
}

func (e commands) importValues(ctx context.Context, name string, o *importOptions) error {
	form, ok := importForms[o.from]
	if !ok {
		return fmt.Errorf("--from is export, plain or text, not %q", o.from)
	}
	if err := e.Flags.Check(); err != nil {
		return err
	}
	with := decoder.ImportOptions{Dialect: e.Flags.Dialect, Framing: e.Flags.Framing, Double: e.Flags.Double, BigEndian: o.bigEndian, Form: form, Schemas: e.Loader().For(name)}
	if err := with.Check(); err != nil {
		return err
	}
	if err := o.Check(""); err != nil {
		return err
	}
	in, err := e.OpenInput(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	var p model.Progress
	from := io.Reader(in)
	if info, err := os.Stat(name); err == nil && openfile.IsRegular(info.Mode()) {
		from = p.Reader(in, info.Size())
	}
	defer e.Watch(p.Share, "importing", name)()
	return e.convertTo(ctx, o.Output, name, func(ctx context.Context, out io.Writer) error {
		return decoder.Import(ctx, from, out, with)
	})
}

// convertTo writes what make makes of a file. An error is about that file, unless writing failed.
func (e commands) convertTo(ctx context.Context, o flags.Output, name string, make func(context.Context, io.Writer) error) error {
	var failed error
	err := e.WriteOut(ctx, o, func(ctx context.Context, out io.Writer) error {
		w := bufio.NewWriterSize(out, 256<<10)
		err := make(ctx, w)
		if unwritten := w.Flush(); unwritten != nil {
			return unwritten
		}
		failed = err
		return err
	})
	if failed != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(name), source.Plain(failed))
	}
	return err
}
