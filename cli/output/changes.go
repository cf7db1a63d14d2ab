package output

import (
	"bufio"

	"varview/model"
)

// A changeWriter writes what a transaction has changed.
type changeWriter interface {
	change(*model.ByteChange) error
	end(before, after int64) error // sizes of the buffer
}

// writeChanges writes the ranges of bytes that a transaction has changed, in order, and the
// new number of bytes.
func writeChanges(t *model.Transaction, w changeWriter) error {
	var failed error
	err := t.EachChange(func(c model.ByteChange) bool {
		failed = w.change(&c)
		return failed == nil
	})
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	}
	return w.end(t.Buffer().Size(), t.Reader().Tree.Source.Size())
}

// WriteChangesJSON writes the changes as JSON objects, one on each line.
func WriteChangesJSON(out *bufio.Writer, t *model.Transaction) error {
	return writeChanges(t, &changeJSON{out: out, buffer: t.Buffer().Number})
}

// WriteChangeTable writes the changes as a table whose lines fit into width columns; 0 is
// no limit. The buffer is named if the document has several.
func WriteChangeTable(out *bufio.Writer, t *model.Transaction, isOneOfSeveral bool, colors *Palette, width int) error {
	table := newChangeTable(out, t.Reader().Tree.Source, colors, width)
	if isOneOfSeveral {
		table.buffer = t.Buffer()
	}
	return writeChanges(t, table)
}
