package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/model"
)

type dumpOptions struct {
	files.Selected
	json   bool
	one    bool // whether only the buffer with this number is printed
	buffer int
}

const dumpLong = `Print every field of a file on its own line: its offset, bytes, kind and
meaning, and the path of the value that owns it, if that differs from the line
before. Of a long field the first 64 bytes are shown.

A file whose values are wrapped (packed, encrypted or as text) has several
buffers: 0 is the file itself, 1 what its wrapper holds, and so on. All are
printed, the file first.`

const dumpExample = `  varview dump savegame.dat
  varview dump --buffer 1 savegame.dat          without the wrapper's own bytes
  varview dump --offset 0x40 packet.bin         a value after your own header
  varview dump --json savegame.dat | jq 'select(.kind == "text")'`

func (e commands) dumpCommand() *cobra.Command {
	var o dumpOptions
	cmd := &cobra.Command{
		Use:               "dump FILE...",
		Short:             "Print every field: offset, bytes, kind, meaning, path",
		Long:              dumpLong,
		Example:           dumpExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "a FILE"),
		ValidArgsFunction: flags.CompleteFiles(flags.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.one = cmd.Flags().Changed("buffer")
			return o.Each(cmd.Context(), e.Env, e.Out(o.json), args, func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
				return commands{one}.dump(ctx, f, &o, out)
			})
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object per field")
	cmd.Flags().IntVar(&o.buffer, "buffer", 0, "only the buffer with the number `N`, 0 for the file itself (default: all)")
	cmd.RegisterFlagCompletionFunc("buffer", cobra.NoFileCompletions)
	o.Register(cmd)
	return cmd
}

// dump prints the fields of one file. In a folder, it skips files that are not saves.
func (e commands) dump(ctx context.Context, file files.File, o *dumpOptions, to io.Writer) (err error) {
	f, err := e.OpenFile(ctx, file.Path, decoder.Settle)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	if file.Folder != "" && f.IsOther() {
		return files.ErrNoSave
	}
	e.WarnOfGuess(f)
	buffers := f.Buffers
	if o.one {
		b, err := env.BufferOf(f.Document, o.buffer)
		if err != nil {
			return err
		}
		buffers = []*model.Buffer{b}
	}
	colors, err := e.Palette()
	if err != nil {
		return err
	}
	if label := file.Label(); label != "" && !o.json {
		if _, err := to.Write(output.AppendFileHead(nil, label)); err != nil {
			return err
		}
	}
	var p model.Progress
	defer e.WatchPrinting(p.Share, "reading", f.Name)()
	if o.json {
		return output.WriteFieldsJSON(ctx, to, file.Label(), buffers, &p)
	}
	return output.WriteFields(ctx, to, buffers, f.BufferTitle, colors, e.TerminalWidth(), &p)
}
