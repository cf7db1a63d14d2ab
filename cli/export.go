package cli

import (
	"github.com/spf13/cobra"

	"varview/decoder"
)

func (e *env) exportCommand() *cobra.Command {
	var text bool
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Print the values as JSON that Godot reads back",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, done, err := e.document(cmd.Context(), args[0], decoder.Settle)
			if err != nil {
				return err
			}
			defer done()
			r := doc.Tree.NewReader()
			write := doc.Tree.Format.WriteJSON
			if text {
				write = doc.Tree.Format.WriteText
			}
			return write(cmd.Context(), e.stdout, r, &doc.Tree.Base.Value)
		},
	}
	cmd.Flags().BoolVar(&text, "text", false, "the notation of var_to_str instead")
	return cmd
}
