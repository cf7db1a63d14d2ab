package env

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"varview/cli/output"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
	"varview/ui/text"
)

// PrintChanges prints what a transaction has changed in a document. file is the document's name if there
// are several; otherwise "". Without JSON, the other values that would read differently follow.
func (e *Env) PrintChanges(ctx context.Context, to io.Writer, file string, doc *model.Document, t *model.Transaction, asJSON bool) error {
	out := bufio.NewWriter(to)
	if asJSON {
		if err := output.WriteChangesJSON(out, t, file); err != nil {
			return err
		}
		return out.Flush()
	}
	colors, err := e.Palette()
	if err != nil {
		return err
	}
	if file != "" {
		fmt.Fprintf(out, "%s:\n", text.Clean(DisplayName(file)))
	}
	if err := output.WriteChangeTable(out, t, len(doc.Buffers) > 1, colors, e.TerminalWidth()); err != nil {
		return err
	}
	if err := writeEffect(ctx, out, t, colors, e.TerminalWidth()); err != nil {
		return err
	}
	return out.Flush()
}

// maxEffect is the largest number of values listed because they would read differently.
const maxEffect = 20

// writeEffect writes which other values would read differently, if there are any.
func writeEffect(ctx context.Context, out *bufio.Writer, t *model.Transaction, colors *output.Palette, width int) error {
	effect, err := t.Effect(ctx)
	if err != nil || effect == nil || effect.String() == "" {
		return err
	}
	fmt.Fprintln(out, effect)
	for i, c := range effect.Changes {
		if i == maxEffect {
			fmt.Fprintf(out, "… %s more\n", span.Counted(int64(len(effect.Changes)-i), "value"))
			break
		}
		d := output.Difference{Change: c}
		if c.A != nil {
			d.Old = literalIn(effect.A, c.A)
		}
		if c.B != nil {
			d.New = literalIn(effect.B, c.B)
		}
		out.Write(output.AppendDifference(nil, &d, colors, width))
	}
	return nil
}

func literalIn(t *tree.Tree, n *tree.Node) string {
	return string(t.NewReader().AppendLiteral(nil, &n.Value, 100))
}
