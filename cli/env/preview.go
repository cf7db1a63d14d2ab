package env

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"varview/cli/output"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/compare"
)

// PrintChanges prints what a transaction of a document has changed, and its effect: the other values that
// would read differently. file is the document's name if there are several, else "".
func (e *Env) PrintChanges(ctx context.Context, to io.Writer, file string, doc *model.Document, t *model.Transaction, effect *compare.Effect, asJSON bool) error {
	out := bufio.NewWriter(to)
	if asJSON {
		if err := output.WriteChangesJSON(ctx, out, t, file, effect); err != nil {
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
	if err := output.WriteChangeTable(ctx, out, t, len(doc.Buffers) > 1, colors, e.TerminalWidth()); err != nil {
		return err
	}
	writeEffect(out, effect, colors, e.TerminalWidth())
	return out.Flush()
}

// TellEffect says which other values read differently after a transaction. The error is that there would be
// more problems than before, or that values keep their bytes although an edit says how many these are.
func (e *Env) TellEffect(effect *compare.Effect) error {
	if effect == nil {
		return nil
	}
	if effect.After > effect.Before || effect.IsMisread {
		return fmt.Errorf("%v; --dry-run shows which, and --force writes it all the same", effect)
	}
	var all bytes.Buffer
	out := bufio.NewWriter(&all)
	writeEffect(out, effect, &output.Palette{}, 0)
	out.Flush()
	for line := range strings.Lines(all.String()) {
		e.Tell("%s", strings.TrimSuffix(line, "\n"))
	}
	return nil
}

// maxEffect is the number of values that are listed because they would read differently.
const maxEffect = 20

// writeEffect writes which other values would read differently, if there are any.
func writeEffect(out *bufio.Writer, effect *compare.Effect, colors *output.Palette, width int) {
	if effect == nil || effect.String() == "" {
		return
	}
	fmt.Fprintln(out, effect)
	for i, c := range effect.Changes {
		if i == maxEffect {
			fmt.Fprintf(out, "… %s more\n", span.Counted(int64(len(effect.Changes)-i), "value"))
			break
		}
		d := output.Difference{Change: c}
		d.Old, d.New = effect.Literals(c)
		if c.Kind == compare.Retyped {
			d.OldType, d.NewType = effect.Types(c)
		}
		out.Write(output.AppendDifference(nil, &d, colors, width))
	}
}
