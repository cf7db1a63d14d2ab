package cli

import (
	"bufio"
	"context"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/decoder/tree"
)

type dumpOptions struct {
	json bool
}

const dumpLong = `Print every field of a file on a line of its own: where it is, its bytes, what
kind it is, what it means, and the path of the value that owns it, where that is
another than on the line before. Of a long field the first 64 bytes are shown.`

const dumpExample = `  varview dump savegame.dat
  varview dump --offset 0x40 packet.bin         a value behind a header of one's own
  varview dump --json savegame.dat | jq 'select(.kind == "text")'`

func (e *env) dumpCommand() *cobra.Command {
	var o dumpOptions
	cmd := &cobra.Command{
		Use:               "dump FILE",
		Short:             "Print every field: offset, bytes, kind, meaning, path",
		Long:              dumpLong,
		Example:           dumpExample,
		Args:              wants(1, 1, "one FILE"),
		ValidArgsFunction: completeFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.dump(cmd.Context(), args[0], o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "a JSON object a field")
	return cmd
}

func (e *env) dump(ctx context.Context, name string, o dumpOptions) (err error) {
	f, err := e.openFile(ctx, name, decoder.Settle)
	if err != nil {
		return err
	}
	defer f.close(&err)
	e.tellGuess(f)
	out := bufio.NewWriterSize(e.stdout, 256<<10)
	if o.json {
		err = dumpJSON(ctx, out, f)
	} else {
		err = e.dumpText(ctx, out, f)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

func dumpJSON(ctx context.Context, out *bufio.Writer, f *file) error {
	var line []byte
	return f.Tree.EachField(ctx, func(field tree.OwnedField) error {
		line = appendFieldJSON(line[:0], &field)
		_, err := out.Write(line)
		return err
	})
}
