package output

import (
	"bufio"
	"context"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/compare"
)

// A changeWriter writes what a transaction has changed.
type changeWriter interface {
	change(*model.ByteChange) error
	end(before, after int64) error // sizes of the buffer
}

// writeChanges writes the ranges of bytes that a transaction has changed, in order, and the
// new number of bytes.
func writeChanges(ctx context.Context, t *model.Transaction, w changeWriter) error {
	var failed error
	err := t.EachChange(ctx, func(c model.ByteChange) bool {
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

// WriteChangesJSON writes the changes as JSON objects, one on each line, and what else reads differently
// unless it is nil. file is the name of the file, if there are several; otherwise "".
func WriteChangesJSON(ctx context.Context, out *bufio.Writer, t *model.Transaction, file string, effect *compare.Effect) error {
	return writeChanges(ctx, t, &changeJSON{out: out, file: file, buffer: t.Buffer().Number, effect: effect})
}

// WriteChangeTable writes the changes as a table whose lines fit into width columns; 0 means no limit.
// The buffer is named if the document has several.
func WriteChangeTable(ctx context.Context, out *bufio.Writer, t *model.Transaction, isOneOfSeveral bool, colors *Palette, width int) error {
	table := newChangeTable(out, t.Reader().Tree.Source, colors, width)
	if isOneOfSeveral {
		table.buffer = t.Buffer()
	}
	return writeChanges(ctx, t, table)
}

// A changeJSON writes changes as JSON objects, one per line, and a last one with the size of the buffer.
type changeJSON struct {
	out    *bufio.Writer
	file   string
	buffer int
	effect *compare.Effect
	line   []byte
}

func (j *changeJSON) change(c *model.ByteChange) error {
	was := Begin(nil).span(c.Was).End()
	return j.write(beginLine(j.line[:0], "", j.file).Int("buffer", int64(c.Buffer)).span(c.At).Raw("was", was).Hex("old", c.Old).Hex("new", c.New).Path("path", c.Path).Text("field", c.Field))
}

func (j *changeJSON) end(before, after int64) error {
	e := j.effect
	if e == nil {
		return j.write(j.begin().Int("size", after).Raw("was", Begin(nil).Int("size", before).End()))
	}
	for _, c := range e.Changes {
		was, is := e.Literals(c)
		if err := j.write(j.begin().Path("differs", c.Path).Text("old", was).Text("new", is)); err != nil {
			return err
		}
	}
	was := Begin(nil).Int("size", before).Int("problems", e.Before).End()
	return j.write(j.begin().Int("size", after).Int("problems", e.After).Raw("was", was))
}

func (j *changeJSON) begin() Object {
	return beginLine(j.line[:0], "", j.file).Int("buffer", int64(j.buffer))
}

func (o Object) span(s span.Span) Object { return o.Int("offset", s.Offset).Int("length", s.Length) }

func (j *changeJSON) write(o Object) error {
	j.line = o.Line()
	_, err := j.out.Write(j.line)
	return err
}

const (
	changedBytes = 8 // bytes of a range that are shown; fewer in a narrow terminal
	changedFew   = 4
	wideEnough   = 110 // columns of a terminal that is not narrow
	fieldWidth   = 24
)

// A changeTable prints changes in columns: offset, bytes before, bytes after, field, path.
type changeTable struct {
	*dumper
	bytes  int           // bytes of a range that are shown
	rows   int           // rows printed so far
	buffer *model.Buffer // nil if there is only one
}

// newChangeTable returns a table whose lines fit into width columns; 0 means no limit.
func newChangeTable(out *bufio.Writer, src source.Source, colors *Palette, width int) *changeTable {
	t := &changeTable{dumper: newDumper(out, source.NewWindow(src), colors, width), bytes: changedBytes}
	t.meaning = fieldWidth
	if width > 0 {
		if width < wideEnough {
			t.bytes, t.meaning = changedFew, fieldWidth/2
		}
		t.path = max(width-t.offset-2*t.bytesWidth()-t.meaning-8, 8)
	}
	return t
}

// bytesWidth returns the width of each of the two columns of bytes.
func (t *changeTable) bytesWidth() int { return 3*t.bytes - 1 }

func (t *changeTable) change(c *model.ByteChange) error {
	if t.rows == 0 {
		if err := t.heading(); err != nil {
			return err
		}
	}
	t.rows++
	t.begin(c.At.Offset)
	t.column(t.hex(c.Old, c.Was.Length), t.bytesWidth())
	t.column(t.hex(c.New, c.At.Length), t.bytesWidth())
	t.column([]byte(c.Field), t.meaning)
	if t.buffer != nil && c.Buffer != t.buffer.Number {
		c.Path = fmt.Sprintf("buffer %d", c.Buffer)
	}
	t.newPath([]byte(c.Path))
	if err := t.dumper.end(); err != nil {
		return err
	}
	if was, is := c.Was.Length, c.At.Length; max(was, is) > int64(t.bytes) {
		return t.remark(t.colors.dim, fmt.Sprintf("… %s → %s", span.Bytes(was), span.Bytes(is)))
	}
	return nil
}

func (t *changeTable) heading() error {
	t.line = t.colors.dim.on(t.line[:0])
	t.column([]byte("offset"), t.offset)
	t.column([]byte("before"), t.bytesWidth())
	t.column([]byte("after"), t.bytesWidth())
	t.column([]byte("field"), t.meaning)
	t.line = t.colors.dim.off(append(t.line, "path"...))
	return t.dumper.end()
}

// hex returns a range of n bytes in hex; first are its first bytes.
func (t *changeTable) hex(first []byte, n int64) []byte {
	if n == 0 {
		return []byte("–")
	}
	shown := first
	if n > int64(t.bytes) {
		shown = first[:t.bytes-1]
	}
	t.text = t.text[:0]
	for _, c := range shown {
		t.text = append(t.text, hexDigits[c>>4], hexDigits[c&15], ' ')
	}
	if n > int64(len(shown)) {
		return append(t.text, "…"...)
	}
	return t.text[:len(t.text)-1]
}

// end writes the numbers of bytes before and after the change.
func (t *changeTable) end(before, after int64) error {
	t.line = t.line[:0]
	if t.rows == 0 {
		t.line = append(t.line, "nothing changes: "...)
	}
	if t.buffer != nil {
		t.line = fmt.Appendf(t.line, "buffer %d, ", t.buffer.Number)
	}
	t.line = append(t.line, span.Bytes(before)...)
	if after != before {
		t.line = append(append(t.line, " → "...), span.Bytes(after)...)
	}
	return t.dumper.end()
}
