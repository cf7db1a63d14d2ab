package tree

import (
	"context"
	"io"

	"varview/decoder/span"
)

// appendPlainStep is the step to a child by its index, or by a key: .name or ["any
// text"] where that is text, else the literal in brackets.
func (r *Reader) appendPlainStep(dst []byte, parent *Value, slot Slot, key *Value) []byte {
	if parent.Layout != Pairs || key == nil {
		return AppendIndexStep(dst, slot.Index)
	}
	for _, f := range r.Tree.Reading.Fields(r.win, parent, key, nil) {
		if f.Kind == span.Text {
			return AppendTextStep(dst, r.win.View(f.Offset, f.Length))
		}
	}
	dst = append(dst, '[')
	dst = r.AppendLiteral(dst, key, MaxKey)
	return append(dst, ']')
}

// appendPlainLiteral is the literal of a value as its fields tell it.
func (r *Reader) appendPlainLiteral(dst []byte, v *Value, limit int) []byte {
	t := NewLiteral(dst, limit)
	r.plain(&t, v)
	return t.Literal()
}

// writePlainText writes the literal of a value, however long.
func (r *Reader) writePlainText(ctx context.Context, out io.Writer, v *Value) error {
	t := NewWriter(ctx, out)
	r.plain(&t, v)
	return t.Flush()
}

// writePlainJSON writes a value as JSON.
func (r *Reader) writePlainJSON(ctx context.Context, out io.Writer, v *Value) error {
	return r.writePlainText(ctx, out, v)
}

// plain writes a value and what is in it.
func (r *Reader) plain(t *Writer, v *Value) {
	Visit(r, v, &plainVisitor{Writer: t, r: r})
}

// A plainVisitor writes values by what their fields mean.
type plainVisitor struct {
	*Writer
	r      *Reader
	open   []Layout
	fields []span.Field
}

// Before implements Visitor.
func (p *plainVisitor) Before(slot Slot) {
	switch pairs := p.open[len(p.open)-1] == Pairs; {
	case pairs && !slot.Key:
		p.Put(": ")
	case slot.Index > 0:
		p.Put(", ")
	}
}

// Open implements Visitor.
func (p *plainVisitor) Open(v *Value) bool {
	p.open = append(p.open, v.Layout)
	if v.Layout == Pairs {
		p.Put("{")
	} else {
		p.Put("[")
	}
	return true
}

// Close implements Visitor.
func (p *plainVisitor) Close() {
	last := len(p.open) - 1
	if p.open[last] == Pairs {
		p.Put("}")
	} else {
		p.Put("]")
	}
	p.open = p.open[:last]
}

// Atom implements Visitor.
func (p *plainVisitor) Atom(v *Value) {
	w := p.r.Window()
	p.fields = p.r.Tree.Reading.Fields(w, nil, v, p.fields[:0])
	for _, f := range p.fields {
		switch f.Kind {
		case span.Text:
			p.Quoted(w, f.Offset, f.Length)
			return
		case span.Value, span.Data:
			p.Dst = p.r.Tree.Reading.AppendField(p.Dst, w, v, f)
			return
		}
	}
	p.Put(p.r.Tree.Reading.TypeName(v))
}
