package simple

import (
	"fmt"
	"math"
	"sync"

	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Info implements format.Format.
func (f *family) Info() format.Info {
	return format.Info{Dialect: &f.dialect, Framing: "raw"}
}

// Open implements format.Format.
func (f *family) Open(source.Source, span.Span) tree.Reading {
	r := newReading(f)
	if f.isWritten() {
		return editor{r}
	}
	return r
}

// A reading reads one buffer. It learns nothing.
type reading struct {
	*family
	cursors sync.Pool // so that reading a value takes no memory
}

func newReading(f *family) *reading {
	return &reading{family: f, cursors: sync.Pool{New: func() any { return new(Cursor) }}}
}

var (
	_ tree.Reading   = (*reading)(nil)
	_ tree.Describer = (*reading)(nil)
	_ tree.Inspector = (*reading)(nil)
	_ tree.Keyed     = (*reading)(nil)
)

// Numbers of types in tree.Value: that of Types[i] is i+1.
const (
	unnamed = 0
	buffer  = math.MaxUint16
)

// Root implements tree.Reading: the buffer is one bare value.
func (r *reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: buffer, Fenced: true}
	v.Contain(tree.Sequence, 1, 1)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (r *reading) Read(w *source.Window, parent *tree.Value, _ tree.Slot, off int64, v *tree.Value) {
	c := r.cursor(w, off, parent.Limit)
	c.run()
	*v = c.value
	r.cursors.Put(c)
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, _, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == buffer {
		if v.Body > v.Start {
			fields = append(fields, span.Field{Span: span.Between(v.Start, v.Body), Kind: span.Gap, Label: "gap"})
		}
		return fields
	}
	c := r.cursor(w, v.Start, v.Limit)
	c.list = span.Lister{Fields: fields, At: v.Start, Tail: v.Tail}
	if v.Layout >= tree.Sequence {
		c.list.Tail = v.Body
	}
	c.run()
	fields = c.list.Fields
	r.cursors.Put(c)
	return fields
}

// AppendField implements tree.Reading.
func (r *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	if f.Kind == span.Gap {
		return tree.AppendData(dst, w, f.Span)
	}
	c := r.cursor(w, v.Start, v.Limit)
	c.wanted, c.dst, c.from = f.Offset, dst, len(dst)
	c.run()
	dst = c.dst
	r.cursors.Put(c)
	return dst
}

// Describe implements tree.Describer.
func (r *reading) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	c := r.cursor(w, v.Start, v.Limit)
	c.run()
	s := c.scalar
	r.cursors.Put(c)
	return s
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
	if i := int(v.Type) - 1; i >= 0 && i < len(r.Types) {
		return r.Types[i]
	}
	return "value"
}

// Inspect implements tree.Inspector: it reports text that is no valid UTF-8, and counts
// of more children than there are bytes for.
func (r *reading) Inspect(w *source.Window, parent *tree.Value, _ tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent == nil || v.Damage != nil {
		return
	}
	c := r.cursor(w, v.Start, v.Limit)
	c.run()
	s, length := c.scalar, c.length.Span
	r.cursors.Put(c)
	if v.Layout >= tree.Sequence {
		if v.Overcounted() {
			report(span.Problem{Span: length, Severity: span.Error, Code: span.LengthOverrun,
				Message: fmt.Sprintf("%s counts %s, but %s left", r.TypeName(v), span.Grouped(v.Count), span.BytesAre(v.Limit-v.Body))})
		}
		return
	}
	if s.Kind != tree.Text {
		return
	}
	if bad, _ := tree.ScanText(w, s.Span.Offset, s.Span.Length, tree.RuneSize); bad != tree.Unknown {
		report(span.Problem{Span: span.Span{Offset: bad, Length: 1}, Severity: span.Warning, Code: span.InvalidUTF8,
			Message: fmt.Sprintf("byte %#02x is not valid UTF-8", w.Byte(bad))})
	}
}

// RepeatedKey implements tree.Keyed.
func (r *reading) RepeatedKey(_ *source.Window, key *tree.Value) span.Problem {
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey, Message: "an earlier entry has the same key"}
}
