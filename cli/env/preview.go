package env

import (
	"bufio"

	"varview/cli/output"
	"varview/model"
)

// PrintChanges prints what a transaction of a document has changed.
func (e *Env) PrintChanges(doc *model.Document, t *model.Transaction, asJSON bool) error {
	out := bufio.NewWriter(e.ForPeople(e.Stdout))
	if asJSON {
		if err := output.WriteChangesJSON(out, t); err != nil {
			return err
		}
		return out.Flush()
	}
	colors, err := e.Palette()
	if err != nil {
		return err
	}
	if err := output.WriteChangeTable(out, t, len(doc.Buffers) > 1, colors, e.TerminalWidth()); err != nil {
		return err
	}
	return out.Flush()
}
