package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
)

func (e *env) infoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a file is",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, done, err := e.document(cmd.Context(), args[0], decoder.Through)
			if err != nil {
				return err
			}
			defer done()
			problems := 0
			err = doc.Tree.BuildIndex(cmd.Context(), func(p span.Problem, _ *tree.Scanner) {
				if p.Severity > span.Note {
					problems++
				}
			})
			if err != nil {
				return err
			}
			return json.NewEncoder(e.stdout).Encode(map[string]any{
				"format": doc.Format, "dialect": doc.Dialect, "also": doc.Also, "confidence": doc.Confidence, "framing": doc.Framing,
				"wrappers": []string{}, "size": doc.Tree.Source.Size(), "values": doc.Tree.NewReader().Count(doc.Tree.Base), "problems": problems,
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}
