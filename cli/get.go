package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"varview/decoder"
)

func (e *env) getCommand() *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "get FILE PATH",
		Short: "Print one value",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, done, err := e.document(cmd.Context(), args[0], decoder.Settle)
			if err != nil {
				return err
			}
			defer done()
			r := doc.Tree.NewReader()
			n, err := r.Resolve(args[1])
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if json {
				return doc.Tree.Format.WriteJSON(cmd.Context(), e.stdout, r, &n.Value)
			}
			if err := doc.Tree.Format.WriteText(cmd.Context(), e.stdout, r, &n.Value); err != nil {
				return err
			}
			_, err = fmt.Fprintln(e.stdout)
			return err
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "in the form of export")
	return cmd
}
