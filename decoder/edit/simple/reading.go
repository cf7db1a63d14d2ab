package simple

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/charset"
)

// Info implements format.Format.
func (f *family) Info() format.Info { return format.Info{Dialect: &f.dialect, Framing: f.framing} }

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
	root    Place     // place of the value in the buffer
	cursors sync.Pool // so that reading a value allocates nothing
	windows sync.Pool // over the bytes of new values
}

func newReading(f *family) *reading {
	return &reading{family: f, cursors: sync.Pool{New: func() any { return new(Cursor) }}, windows: sync.Pool{New: func() any { return new(source.Window) }}}
}

// Types in tree.Value: the number of Types[i] is i+1.
const (
	unnamed = 0
	column  = math.MaxUint16 - 1
	buffer  = math.MaxUint16
)

// isSequence reports whether several values follow one another.
func (f *family) isSequence() bool { return f.framing == format.Sequence }

// Root implements tree.Reading: the buffer is one bare value, or several.
func (r *reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: buffer, Fenced: true, Footed: r.Unused, Inner: r.root.In}
	v.Contain(tree.Sequence, 1, 1)
	if r.isSequence() {
		v.Contain(tree.Sequence, tree.Unknown, 1)
	}
	v.End = size
	return v
}

// Read implements tree.Reading.
func (r *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if parent.Flags&isColumns != 0 {
		*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: column, Sub: parent.Inner, Inner: parent.Inner}
		v.Contain(tree.Sequence, int64(parent.Rows), 1)
		return
	}
	at := inside(parent, slot.Key)
	if parent.Type == buffer {
		at = r.root
	}
	limit := parent.Limit
	if parent.Type == buffer && r.Unused && r.Lines { // a line ends where the zeros begin
		limit -= w.ZerosBefore(off, limit)
	}
	c := r.cursor(w, off, limit, at)
	c.run()
	*v = c.value
	r.cursors.Put(c)
}

// AppendBounds implements tree.Bounder.
func (r *reading) AppendBounds(dst []byte, w *source.Window, v *tree.Value) []byte {
	if r.Bounds == nil || v.Type == buffer || v.Type == column {
		return dst
	}
	return append(dst, r.Bounds(w, v)...)
}

// WriteStored implements format.StoredWriter.
func (r *reading) WriteStored(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	if len(r.AppendBounds(nil, t.Window(), v)) > 0 {
		return fmt.Errorf("%w which of its values are in use", format.ErrNoLiteral)
	}
	return t.WriteExact(ctx, out, v)
}

// SpellsByCopy implements format.Speller.
func (r *reading) SpellsByCopy() bool { return r.Lines }

// IsIgnored implements tree.Ignorer.
func (r *reading) IsIgnored(w *source.Window, container *tree.Value, i int64) bool {
	return r.Ignored != nil && r.Ignored(r.again(w, container), i)
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, _, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == buffer {
		if v.Body > v.Start {
			fields = append(fields, span.Field{Span: span.Between(v.Start, v.Body), Kind: span.Gap, Label: "gap"})
		}
		return fields
	}
	if v.Type == column {
		return fields
	}
	c := r.again(w, v)
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
	inFoot := v.Footed && v.Tail != tree.Unknown && f.Offset >= v.Foot
	if f.Kind == span.Gap || inFoot && v.Type == buffer {
		return tree.AppendData(dst, w, f.Span)
	}
	c := r.again(w, v)
	if inFoot {
		c = r.foot(w, v, v.Foot)
	}
	c.wanted, c.dst, c.from = f.Offset, dst, len(dst)
	if inFoot {
		r.Foot(c)
	} else {
		c.run()
	}
	dst = c.dst
	r.cursors.Put(c)
	return dst
}

// Describe implements tree.Describer.
func (r *reading) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	c := r.cursors.Get().(*Cursor) // the one that has read v, if that was just now
	if is := &c.value; !c.isRead || c.r != r || c.w != w || c.through != w.Serial() || is.Start != v.Start || is.Limit != v.Limit || place(is) != place(v) {
		c.reset(r, w, v.Start, v.Limit, place(v))
		c.run()
	}
	s := c.scalar
	r.cursors.Put(c)
	if s.Kind == tree.Text {
		s.Note = r.note(w, s.Span)
	}
	return s
}

// MayBeText implements tree.Texter.
func (r *reading) MayBeText(v *tree.Value) bool { return v.Flags&isText != 0 }

// note returns the meaning of a text in CESU-8; "" for any other text.
func (r *reading) note(w *source.Window, text span.Span) string {
	if !r.CESU8 || text.Length > source.MaxView {
		return ""
	}
	meaning, _ := charset.FromCESU8(w.View(text.Offset, text.Length))
	return string(meaning)
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
	if i := int(v.Type) - 1; i >= 0 && i < len(r.Types) {
		return r.Types[i]
	}
	if v.Type == column {
		return "column"
	}
	return "value"
}

// Inspect implements tree.Inspector: it reports text that is not valid UTF-8, and counts of more children
// than there are bytes for.
func (r *reading) Inspect(w *source.Window, parent *tree.Value, _ tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent == nil || v.Damage != nil || v.Type != column && v.Flags&isOdd == 0 && !v.Overcounted() {
		return
	}
	c := r.again(w, v)
	if c.report = report; v.Type == column {
		c = r.again(w, parent)
	}
	c.run()
	s, length := c.scalar, c.length.Span
	r.cursors.Put(c)
	if v.Layout >= tree.Sequence {
		if v.Overcounted() {
			report(span.Problem{Span: length, Severity: span.Error, Code: span.LengthOverrun,
				Message: fmt.Sprintf("%s counts %s, but %s left", r.TypeName(v), span.Grouped(v.Count), span.BytesAre(v.Limit-v.Body)), Engine: r.Engine[span.LengthOverrun]})
		}
		return
	}
	if s.Kind != tree.Text {
		return
	}
	if r.note(w, s.Span) != "" {
		report(span.Problem{Span: s.Span, Severity: span.Note, Code: span.CESU8, Message: "text in CESU-8: a character beyond U+FFFF is two halves of three bytes"})
		return
	}
	if bad, _ := tree.ScanText(w, s.Span.Offset, s.Span.Length, tree.RuneSize); bad != tree.Unknown {
		report(span.Problem{Span: span.Span{Offset: bad, Length: 1}, Severity: span.Warning, Code: span.InvalidUTF8,
			Message: fmt.Sprintf("byte %#02x is not valid UTF-8", w.Byte(bad)), Engine: r.Engine[span.InvalidUTF8]})
	}
}

// ReadFoot implements tree.Footer: zeros may follow the value in a buffer, and a byte may end children
// without a count.
func (r *reading) ReadFoot(w *source.Window, v *tree.Value, off int64, _ bool, report func(span.Problem)) int64 {
	if v.Type == buffer {
		switch {
		case off > v.Body && w.ZerosBefore(off, v.Limit) == v.Limit-off:
			return v.Limit
		case off < v.Limit && report != nil:
			report(span.Problem{Span: span.Between(off, v.Limit), Severity: span.Warning, Code: span.TrailingBytes,
				Message: fmt.Sprintf("%s left over after the last value", span.Bytes(v.Limit-off)), Engine: "ignored"})
		}
		return off
	}
	c := r.foot(w, v, off)
	c.report = report
	r.Foot(c)
	if v.Open = c.value.Damage != nil; v.Open && report != nil {
		report(*c.value.Damage)
	}
	off = c.at
	r.cursors.Put(c)
	return off
}

// foot returns a cursor after the last child of a container.
func (r *reading) foot(w *source.Window, v *tree.Value, off int64) *Cursor {
	c := r.cursor(w, off, v.Limit, inside(v, v.Layout == tree.Pairs))
	c.value.Type = v.Type // which messages name
	return c
}

// FootFields implements tree.Footer.
func (r *reading) FootFields(w *source.Window, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == buffer {
		return append(fields, span.Field{Span: span.Between(v.Foot, v.Tail), Kind: span.Padding, Label: span.Unused})
	}
	c := r.foot(w, v, v.Foot)
	c.list = span.Lister{Fields: fields, At: v.Foot, Tail: v.Tail}
	r.Foot(c)
	fields = c.list.Fields
	r.cursors.Put(c)
	return fields
}

// HasChild implements tree.Marker.
func (r *reading) HasChild(w *source.Window, v *tree.Value, slot tree.Slot, off int64) bool {
	if v.Layout == tree.Pairs && !slot.Key {
		return true // a key precedes it
	}
	if r.Glance != nil {
		if g := r.Glance(inside(v, slot.Key), w.View(off, min(usualLine, v.Limit-off))); g.Ends || g.Type != "" {
			return !g.Ends
		}
	}
	c := r.cursor(w, off, v.Limit, inside(v, slot.Key))
	has := r.Description.HasChild(c)
	r.cursors.Put(c)
	return has
}

// Traits implements tree.Traited.
func (r *reading) Traits() tree.Traits {
	return tree.Traits{Shortage: r.Engine[""], PassesSlowly: true, HeedsWants: true, OnlyText: r.Spell != nil}
}

// AppendMembers implements tree.Membered.
func (r *reading) AppendMembers(dst []byte, w *source.Window, v *tree.Value) ([]byte, bool) {
	if v.Layout == tree.Leaf {
		return dst, slices.Contains(r.Numbers, r.TypeName(v))
	}
	if r.Members == nil || v.Type == buffer || v.Type == column {
		return dst, false
	}
	members := r.Members(w, v)
	return append(dst, members...), members != ""
}

// IsZipped implements tree.Membered: two columns without a count are keys and values.
func (r *reading) IsZipped(_ *source.Window, v *tree.Value) bool { return v.Flags&isZipped != 0 }

// KeyIdentity implements tree.Keyed: blanks around a key in a line do not count.
func (r *reading) KeyIdentity(_ *tree.Value, b []byte) []byte {
	if r.Lines {
		return bytes.Trim(b, " \t=")
	}
	return b
}

// RepeatedKey implements tree.Keyed.
func (r *reading) RepeatedKey(_ *source.Window, key *tree.Value) span.Problem {
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey, Message: "an earlier entry has the same key", Engine: r.Engine[span.RepeatedKey]}
}
