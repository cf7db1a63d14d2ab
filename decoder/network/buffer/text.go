package buffer

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/message"
	"varview/decoder/network/variants"
)

// AppendField implements tree.Reading.
func (r *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	if isVariant(v) {
		g, own := r.godotOf(v)
		return g.AppendField(dst, w, &own, f)
	}
	switch {
	case v.Type == typeShort:
		p, done := r.parse(w, v.Foot)
		defer done()
		if n := p.node(v); n != nil && n.Form != variants.Unmarked {
			return p.message.Values.AppendLiteral(dst, p.message.Payload.Bytes, n.variant(), math.MaxInt)
		}
	case v.Type == typeField:
		p, done := r.parse(w, v.Foot)
		defer done()
		if n := p.node(v); n != nil && n.Means != "" {
			return append(dst, n.Means...)
		}
	}
	switch f.Kind {
	case span.Text, span.Magic:
		return tree.AppendText(dst, w, f.Span)
	case span.Data, span.Gap:
		return tree.AppendData(dst, w, f.Span)
	}
	return strconv.AppendUint(dst, number(w.View(f.Offset, f.Length)), 10)
}

// number returns the little-endian number in at most 8 bytes.
func number(b []byte) (x uint64) {
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// TextNames implements format.Recorder.
func (r *reading) TextNames() []format.TextName { return message.ValueTextNames() }

// Texts implements format.Recorder.
func (r *reading) Texts(w *source.Window, v *tree.Value, name string) []string {
	if v.Type != typeMessage || v.Damage != nil {
		return nil
	}
	p, done := r.parse(w, v.Foot)
	defer done()
	return p.message.Texts(name)
}

// AppendLiteral implements tree.LiteralWriter.
func (r *reading) AppendLiteral(dst []byte, t *tree.Reader, v *tree.Value, limit int) []byte {
	if isVariant(v) {
		f, own := r.godotOf(v)
		return r.within(t, f).AppendLiteral(dst, &own, limit)
	}
	w := &writer{nest: nest{Writer: tree.NewLiteral(dst, limit)}, r: r, t: t, limit: limit}
	tree.Visit(t, v, w)
	return w.Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *reading) WriteText(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	return r.write(ctx, out, t, v, false)
}

// WritesPlainJSON implements tree.PlainJSONWriter: it is the JSON of packets.
func (r *reading) WritesPlainJSON() {}

// WriteJSON implements tree.JSONWriter: a message is an object, as "packets --json" writes it.
func (r *reading) WriteJSON(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	if err := r.write(ctx, out, t, v, true); err != nil || isVariant(v) {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (r *reading) write(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value, isJSON bool) error {
	if isVariant(v) {
		f, own := r.godotOf(v)
		if isJSON {
			return r.within(t, f).WriteJSON(ctx, out, &own)
		}
		return r.within(t, f).WriteText(ctx, out, &own)
	}
	w := &writer{nest: nest{Writer: tree.NewWriter(ctx, out)}, ctx: ctx, r: r, t: t, limit: math.MaxInt, isJSON: isJSON}
	if v.Type == typeBuffer && isJSON { // without its header
		messages, err := t.Resolve("$.messages")
		if errors.Is(err, tree.ErrNoMatch) { // the buffer is cut within its header
			_, err = io.WriteString(out, "[]")
			return err
		} else if err != nil {
			return err
		}
		v = &messages.Value
	}
	tree.Visit(t, v, w)
	return w.Flush()
}

// A writer writes values as text or as JSON.
type writer struct {
	nest
	ctx    context.Context // of JSON
	r      *reading
	t      *tree.Reader
	limit  int
	isJSON bool
}

type nest = tree.Nest[tree.Value]

// Before implements tree.Visitor.
func (w *writer) Before(slot tree.Slot) {
	w.nest.Before(slot)
	if o := w.Top(); o.Close == "}" {
		step := w.r.AppendStep(nil, w.t, &o.Of, slot, nil)
		w.Dst = append(tree.AppendQuoted(w.Dst, bytes.TrimPrefix(step, []byte("."))), ": "...)
	}
}

// Open implements tree.Visitor.
func (w *writer) Open(v *tree.Value) bool {
	if isVariant(v) || v.Type == typeMessage {
		w.Atom(v)
		return false
	}
	o := tree.Brackets{Comma: ", ", Close: "]"}
	switch {
	case v.Type == typeMessages:
		o.Comma = ",\n"
		w.Put("[")
	case v.Type == typeBuffer || w.hasNames(v):
		o.Close = "}"
		w.Put("{")
	default:
		w.Put("[")
	}
	w.Begin(o, *v)
	return true
}

// hasNames reports whether the elements of a list have names.
func (w *writer) hasNames(v *tree.Value) bool {
	p, number, done := w.r.nodeAt(w.t.Window(), v, 0)
	defer done()
	return p.nodes[number].Label != ""
}

// message writes a message.
func (w *writer) message(v *tree.Value) {
	p, done := w.r.parse(w.t.Window(), v.Foot)
	defer done()
	if w.isJSON {
		w.Dst = p.message.AppendJSON(w.Dst, nil)
	} else {
		w.Dst = appendTitle(w.Dst, p.message, w.limit)
	}
}

// appendTitle appends the ids of a message's peers and what the message says.
func appendTitle(dst []byte, m *message.Message, limit int) []byte {
	if m.From.Known && m.To.Known {
		dst = fmt.Appendf(dst, "%d → %d: ", m.From.ID, m.To.ID)
	}
	return append(dst, m.Title(limit)...)
}

// Atom implements tree.Visitor.
func (w *writer) Atom(v *tree.Value) {
	switch {
	case v.Damage != nil && !isVariant(v):
		w.Put(`"<` + v.Damage.Code + `>"`)
	case isVariant(v):
		w.variant(v)
	case v.Type == typeHeader:
		w.Dst = strconv.AppendUint(w.Dst, w.t.Window().U64(v.End-8), 10)
	case v.Type == typeMessage:
		w.message(v)
	default:
		w.field(v)
	}
}

// variant writes a Variant.
func (w *writer) variant(v *tree.Value) {
	if !w.isJSON {
		w.Dst = w.r.AppendLiteral(w.Dst, w.t, v, w.limit)
		return
	}
	var b bytes.Buffer
	if err := w.r.write(w.ctx, &b, w.t, v, true); err == nil {
		w.Dst = append(w.Dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
	}
}

// field writes a part of a message without children.
func (w *writer) field(v *tree.Value) {
	p, done := w.r.parse(w.t.Window(), v.Foot)
	defer done()
	n := p.node(v)
	b := p.message.Payload.Bytes[n.Offset:n.end]
	switch {
	case v.Type == typeShort && w.isJSON:
		w.Dst = p.message.Values.AppendJSON(w.Dst, p.message.Payload.Bytes, n.variant())
	case v.Type == typeShort:
		w.Dst = p.message.Values.AppendLiteral(w.Dst, p.message.Payload.Bytes, n.variant(), w.limit)
	case n.Means != "":
		w.Dst = tree.AppendQuoted(w.Dst, []byte(n.Means))
	case n.Kind == span.Text || n.Kind == span.Terminator:
		w.Dst = tree.AppendQuoted(w.Dst, b)
	case n.Kind == span.Data || n.Kind == span.Gap || len(b) > 8:
		w.Dst = append(hex.AppendEncode(append(w.Dst, '"'), b[:min(len(b), w.limit)]), '"')
	default:
		w.Dst = strconv.AppendUint(w.Dst, number(b), 10)
	}
}
