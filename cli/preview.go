package cli

import (
	"bufio"
	"varview/model"
)

// printChanges prints what a transaction of a document has changed.
func (e *env) printChanges(doc *model.Document, t *model.Transaction, asJSON bool) error {
	out := bufio.NewWriter(e.stdout)
	if asJSON {
		if err := writeChangesJSON(out, t); err != nil {
			return err
		}
		return out.Flush()
	}
	colors, err := e.palette()
	if err != nil {
		return err
	}
	if err := writeChangeTable(out, t, len(doc.Buffers) > 1, colors, e.terminalWidth()); err != nil {
		return err
	}
	return out.Flush()
}
