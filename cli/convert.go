package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
	"varview/model"
)

const convertLong = `Write an Elephant file in another version of the library, whose own reader reads
versions from 1.4.0 on and none before. All values, constructors and references
stay; what the version cannot express is an error that names it. The wrappers
stay too, unless --unwrap removes them. Structs with a schema need it, as
always.

Godot's dialects are not converted into each other: their types are not the
same.`

const convertExample = `  varview convert old.save --to elephant-1.5.1 -o new.save
  varview convert export.txt --to elephant-1.5.1 -o new.save --unwrap`

type convertOptions struct {
	flags.Edit
	to string
}

func (e commands) convertCommand() *cobra.Command {
	var o convertOptions
	cmd := &cobra.Command{
		Use:               "convert FILE --to DIALECT -o OUT",
		Short:             "Write an Elephant file in another version",
		Long:              convertLong,
		Example:           convertExample,
		Args:              flags.Wants(1, 1, "one FILE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.convert(cmd.Context(), args[0], &o)
		},
	}
	o.Output.Register(cmd, "write to `OUT`, - for standard output", "replace OUT if it exists")
	cmd.Flags().StringVar(&o.to, "to", "", "`DIALECT` to write, as elephant-1.5.1")
	cmd.Flags().BoolVar(&o.Unwrap, "unwrap", false, "write it without what wraps FILE")
	cmd.RegisterFlagCompletionFunc("to", flags.CompleteDialects)
	return cmd
}

func (e commands) convert(ctx context.Context, name string, o *convertOptions) error {
	switch {
	case o.to == "":
		return errors.New(`convert needs --to DIALECT ("varview formats" lists them)`)
	case o.Path == "":
		return errors.New("convert needs -o OUT, the file to write; -o - is standard output")
	}
	if err := decoder.CheckConversion(o.to); err != nil {
		return fmt.Errorf("--to %s: %w", o.to, err)
	}
	err := e.edit(ctx, name, &o.Edit, func(ctx context.Context, doc *model.Document) (*model.Transaction, error) {
		t, err := beginValues(doc)
		if err != nil {
			return nil, err
		}
		return t, t.Convert(ctx, o.to)
	})
	if err == nil && decoder.IsOutdated(o.to) {
		e.Tell("%s: the current version of the library itself cannot read %s", env.DisplayName(o.Path), o.to)
	}
	return err
}
