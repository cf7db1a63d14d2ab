package units

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"strconv"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/look"
	"varview/decoder/network/message"
)

// TextNames implements format.Lister.
func (r *Messages) TextNames() []format.TextName { return message.ValueTextNames() }

// Texts implements format.Lister.
func (r *Messages) Texts(w *source.Window, v *tree.Value, name string) []string {
	if !isMessage(v) {
		return nil
	}
	u := r.unit(w, v)
	defer r.put(u)
	return u.message.Texts(name)
}

// AppendLiteral implements tree.LiteralWriter.
func (r *Messages) AppendLiteral(dst []byte, t *tree.Reader, v *tree.Value, limit int) []byte {
	return r.appendText(dst, t, v, limit)
}

// appendText appends a message or a value in it, or a list of these, as text.
func (r *reading) appendText(dst []byte, t *tree.Reader, v *tree.Value, limit int) []byte {
	if f, is := r.godotOf(v); f != nil {
		return r.within(t, f).AppendLiteral(dst, &is, limit)
	}
	w := &writer{nest: nest{Writer: tree.NewLiteral(dst, limit)}, r: r, t: t, limit: limit}
	tree.Visit(t, v, w)
	return w.Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *Messages) WriteText(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	return r.write(ctx, out, t, v, false)
}

// Traits implements tree.Traited: the JSON is that of packets.
func (r *Messages) Traits() tree.Traits {
	return tree.Traits{PlainJSON: true, Records: messagesPath}
}

// WriteJSON implements tree.JSONWriter: a message is an object, as "packets --json" writes it.
func (r *Messages) WriteJSON(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	if err := r.write(ctx, out, t, v, true); err != nil || isVariant(v) {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (r *reading) write(ctx context.Context, out io.Writer, t *tree.Reader, v *tree.Value, isJSON bool) error {
	if f, is := r.godotOf(v); f != nil {
		if isJSON {
			return r.within(t, f).WriteJSON(ctx, out, &is)
		}
		return r.within(t, f).WriteText(ctx, out, &is)
	}
	w := &writer{nest: nest{Writer: tree.NewWriter(ctx, out)}, ctx: ctx, r: r, t: t, limit: math.MaxInt, isJSON: isJSON}
	if !isVariant(v) && kindOf(v) == bufferGroup && isJSON { // without its header
		messages, err := t.Resolve(messagesPath)
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
	if isVariant(v) || isMessage(v) {
		w.Atom(v)
		return false
	}
	o := tree.Brackets{Comma: ", ", Close: "]"}
	switch {
	case isUnitList(v):
		o.Comma = ",\n"
		w.Put("[")
	case kindOf(v) == bufferGroup || w.hasNames(v):
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
	u := w.r.unit(w.t.Window(), v)
	defer w.r.put(u)
	return u.nodes[u.child(v, 0)].Label != ""
}

// appendTitle appends the ids of a message's peers, if they are known, and what the message says.
func appendTitle(dst []byte, m *message.Message, limit int) []byte {
	if m.From.Known && m.To.Known {
		dst = append(append(dst, m.FromTo()...), ": "...)
	}
	return append(dst, m.Title(limit)...)
}

// Atom implements tree.Visitor.
func (w *writer) Atom(v *tree.Value) {
	switch {
	case isVariant(v):
		w.variant(v)
	case v.Damage != nil:
		w.Put(`"<` + v.Damage.Code + `>"`)
	case kindOf(v) == headerGroup:
		w.Dst = strconv.AppendUint(w.Dst, w.t.Window().U64(v.End-8), 10)
	default:
		u := w.r.unit(w.t.Window(), v)
		defer w.r.put(u)
		if n := u.node(v); kindOf(v) == fieldType && n != nil {
			w.field(u, n)
		} else if w.isJSON {
			w.Dst = u.message.AppendJSON(w.Dst)
		} else {
			w.Dst = appendTitle(w.Dst, u.message, w.limit)
		}
	}
}

// variant writes a Variant.
func (w *writer) variant(v *tree.Value) {
	if !w.isJSON {
		w.Dst = w.r.appendText(w.Dst, w.t, v, w.limit)
		return
	}
	var b bytes.Buffer
	if err := w.r.write(w.ctx, &b, w.t, v, true); err == nil {
		w.Dst = append(w.Dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
	}
}

// field writes a part of a message without children.
func (w *writer) field(u *unit, n *node) {
	b := u.bytesOf(n)
	switch {
	case n.isShort() && w.isJSON:
		w.Dst = u.message.Values.AppendJSON(w.Dst, u.message.Payload.Bytes, n.variant())
	case n.isShort():
		w.Dst = u.message.Values.AppendLiteral(w.Dst, u.message.Payload.Bytes, n.variant(), w.limit)
	case n.Means != "":
		w.Dst = tree.AppendQuoted(w.Dst, []byte(n.Means))
	case n.Kind == span.Text || n.Kind == span.Terminator || n.Kind == span.Data && !w.isJSON && look.IsText(b):
		w.Dst = tree.AppendQuoted(w.Dst, b)
	case n.Reads() == data || len(b) > 8:
		w.Dst = append(hex.AppendEncode(append(w.Dst, '"'), b[:min(len(b), w.limit)]), '"')
	default:
		w.Dst = strconv.AppendUint(w.Dst, n.value(b), 10)
	}
}

// messagesPath is the path of the list of messages.
const messagesPath = "$.messages"
