package cli

import (
	"bufio"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
)

type dumpOptions struct {
	json bool
}

func (e *env) dumpCommand() *cobra.Command {
	var o dumpOptions
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print every field: offset, bytes, kind, meaning",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.dump(cmd.Context(), args[0], o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "a JSON object a field")
	return cmd
}

func (e *env) dump(ctx context.Context, name string, o dumpOptions) error {
	doc, done, err := e.document(ctx, name, decoder.Settle)
	if err != nil {
		return err
	}
	defer done()
	out := bufio.NewWriterSize(e.stdout, 256<<10)
	var line []byte
	err = doc.Tree.EachField(ctx, func(f tree.OwnedField) error {
		if o.json {
			line = appendJSON(line[:0], f)
		} else {
			line = appendDump(line[:0], f)
		}
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// appendJSON appends a field as a line of JSON.
func appendJSON(dst []byte, f tree.OwnedField) []byte {
	dst = append(dst, `{"buffer":0,"offset":`...)
	dst = strconv.AppendInt(dst, f.Offset, 10)
	dst = append(dst, `,"length":`...)
	dst = strconv.AppendInt(dst, f.Length, 10)
	dst = append(dst, `,"kind":"`...)
	dst = append(dst, f.Kind.String()...)
	dst = append(dst, `","label":"`...)
	dst = append(dst, f.Label...)
	dst = append(dst, `","path":`...)
	dst = tree.AppendQuoted(dst, f.Path)
	dst = append(dst, `,"value":`...)
	dst = tree.AppendQuoted(dst, f.Value)
	return append(dst, "}\n"...)
}

func appendDump(dst []byte, f tree.OwnedField) []byte {
	const hex = "0123456789abcdef"
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, hex[f.Offset>>shift&15])
	}
	dst = append(dst, ' ', ' ')
	for range f.Depth {
		dst = append(dst, ' ', ' ')
	}
	dst = append(dst, f.Label...)
	dst = append(dst, ' ')
	dst = append(dst, f.Value...)
	dst = append(dst, ' ')
	dst = append(dst, f.Path...)
	_ = span.Gap
	return append(dst, '\n')
}
