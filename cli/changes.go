package cli

import (
	"bufio"

	"varview/model"
)

// A changeWriter writes what a transaction has changed.
type changeWriter interface {
	change(*model.ByteChange) error
	end(before, after int64) error // sizes of the buffer
}

// printChanges prints what a transaction has changed: a line a range of bytes, and
// how many bytes there are then.
func (e *env) printChanges(doc *model.Document, t *editing, asJSON bool) error {
	now := t.Reader().Tree.Source
	out := bufio.NewWriter(e.stdout)
	var w changeWriter = &changeJSON{out: out, buffer: t.buffer.Number}
	if !asJSON {
		colors, err := e.palette()
		if err != nil {
			return err
		}
		c := newChangeTable(out, now, colors, e.terminalWidth())
		if len(doc.Buffers) > 1 {
			c.buffer = t.buffer
		}
		w = c
	}
	var failed error
	err := t.EachChange(func(c model.ByteChange) bool {
		failed = w.change(&c)
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	if err == nil {
		err = w.end(t.buffer.Size(), now.Size())
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
