package units

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// commandName names a command of ENet.
func (u *unit) commandName(command uint32) string {
	f, _ := u.field(command, "command")
	if f.Means == "" {
		return "command"
	}
	return f.Means
}

// AppendLiteral implements tree.LiteralWriter: the meaning of fields, a summary of layers, and which part
// of a message a part is.
func (r *Packets) AppendLiteral(dst []byte, t *tree.Reader, v *tree.Value, limit int) []byte {
	switch {
	case isInMessage(v):
		return r.appendText(dst, t, v, limit)
	case kindOf(v) == bufferGroup || isUnitList(v) || v.Damage != nil:
		return dst
	}
	u := r.unit(t.Window(), v)
	defer r.put(u)
	w := tree.NewLiteral(dst, limit)
	switch n := &u.nodes[v.Sub]; {
	case n.Place != 0:
		w.Dst = append(w.Dst, r.about(&u.places[n.Place-1], limit)...)
	case n.group == fieldType:
		length := min(v.End-v.Start, int64(limit)+1) // what is longer is cut
		w.Dst = r.AppendField(w.Dst, t.Window(), v, span.Field{Span: span.Span{Offset: v.Start, Length: length}})
	default:
		w.Dst = append(w.Dst, r.summary(u, v.Sub, limit)...)
	}
	return w.Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *Packets) WriteText(_ context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	_, err := out.Write(append(r.AppendLiteral(nil, t, v, 1<<20), '\n'))
	return err
}

// summary returns the most useful facts about a group, in about limit bytes: who sends to whom, and the
// layers of a packet with the messages in them.
func (r *Packets) summary(u *unit, group uint32, limit int) string {
	if f, ok := u.field(group, "command"); ok && f.Means != "" {
		return fmt.Sprintf("channel %d, sequence %d", u.value(group, "channel"), u.value(group, "sequence"))
	}
	for _, ends := range [][2]string{{"src", "dst"}, {"sport", "dport"}} {
		from, to := u.short(group, ends[0]), u.short(group, ends[1])
		if from != "" && to != "" {
			return from + " → " + to
		}
	}
	children := u.nodes[group].children
	if group == 0 { // the innermost layer says the most
		children = slices.Clone(children)
		slices.Reverse(children)
	}
	var parts []string
	for _, c := range children {
		x := &u.nodes[c]
		if limit <= 0 || x.group != layerGroup && x.group != listGroup && x.Place == 0 {
			continue
		}
		part := x.Label
		switch {
		case x.Place != 0:
			part = r.about(&u.places[x.Place-1], limit)
		case x.Label == "":
			part = r.command(u, c, limit)
		case x.Label == "commands":
			part = r.summary(u, c, limit)
		default:
			part += " " + r.summary(u, c, limit)
		}
		parts = append(parts, strings.TrimSpace(part))
		limit -= len(part)
	}
	return strings.Join(parts, ", ")
}

// command returns what a command of ENet brings: a message, or else its name.
func (r *Packets) command(u *unit, command uint32, limit int) string {
	for _, c := range u.nodes[command].children {
		if place := u.nodes[c].Place; place != 0 {
			return r.about(&u.places[place-1], limit)
		}
	}
	return u.commandName(command)
}

// short returns a number or an address in a field of a group; "" if it has none.
func (u *unit) short(group uint32, name string) string {
	if f, ok := u.field(group, name); ok && (f.Reads() == address || f.Reads() == number) {
		return f.text(u.bytesOf(f))
	}
	return ""
}
