package env

import (
	"bufio"
	"fmt"
	"io"

	"varview/cli/output"
	"varview/model"
	"varview/ui/text"
)

// PrintChanges prints what a transaction of a document has changed. file is the document's name if there
// are several, else "".
func (e *Env) PrintChanges(to io.Writer, file string, doc *model.Document, t *model.Transaction, asJSON bool) error {
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
	return out.Flush()
}
