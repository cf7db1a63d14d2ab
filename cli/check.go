package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
)

func (e *env) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "check FILE...",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				doc, done, err := e.document(cmd.Context(), name, decoder.Quick)
				if err != nil {
					return err
				}
				defer done()
				r := doc.Tree.NewReader()
				err = doc.Tree.BuildIndex(cmd.Context(), func(p span.Problem, s *tree.Scanner) {
					fmt.Fprintln(e.stdout, name, p.Severity, p.Code, p.Span, r.Path(s.Subject()), p.Message)
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}
