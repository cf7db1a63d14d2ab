package layers

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

var (
	_ format.Holder = (*Reading)(nil)
	_ tree.Titler   = (*Reading)(nil)
)

// IsHeld implements format.Holder.
func (r *Reading) IsHeld(v *tree.Value) bool { return kindOf(v) == messageGroup }

// HasTitle implements tree.Titler: messages have titles.
func (r *Reading) HasTitle(v *tree.Value) bool { return r.IsHeld(v) && r.messages.HasTitle(v) }

// nodeOf returns the unit and the number of the node of a value; nil for the lists around units.
func (r *Reading) nodeOf(w *source.Window, v *tree.Value) (*unit, uint16) {
	if kindOf(v) == bufferGroup || r.isUnitList(v) {
		return nil, 0
	}
	return r.unit(w, v.Start-int64(v.Sub), r.region.End()), v.Flags
}

// AppendType implements tree.TypeWriter: the type of a part of a packet is its name.
func (r *Reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	if kindOf(v) == messageGroup {
		return r.messages.AppendType(dst, w, v)
	}
	u, number := r.nodeOf(w, v)
	if u == nil {
		if r.isNG && r.isUnitList(v) {
			return append(dst, "blocks"...)
		} else if r.isUnitList(v) {
			return append(dst, "packets"...)
		}
		return append(dst, r.TypeName(v)...)
	}
	defer r.pool.Put(u)
	switch n := &u.nodes[number]; {
	case n.name != "":
		return append(dst, n.name...)
	case number == 0:
		return append(dst, r.TypeName(v)...)
	}
	return append(dst, u.commandName(number)...)
}

// commandName names a command of ENet.
func (u *unit) commandName(command uint16) string {
	f, _ := u.field(command, "command")
	if f.says == "" {
		return "command"
	}
	return f.says
}

// AppendLiteral implements tree.LiteralWriter: the meaning of fields, a summary of layers, and which part
// of a message a part is.
func (r *Reading) AppendLiteral(dst []byte, t *tree.Reader, v *tree.Value, limit int) []byte {
	if kindOf(v) == messageGroup {
		return r.messages.AppendLiteral(dst, t, v, limit)
	}
	u, number := r.nodeOf(t.Window(), v)
	if u == nil {
		return dst
	}
	defer r.pool.Put(u)
	switch n := &u.nodes[number]; {
	case n.place != 0:
		return append(dst, r.messages.About(n.place, limit)...)
	case n.kind == bufferGroup:
		length := min(v.End-v.Start, int64(limit))
		return r.AppendField(dst, t.Window(), v, span.Field{Span: span.Span{Offset: v.Start, Length: length}})
	}
	return append(dst, r.summary(u, number, limit)...)
}

// WriteText implements tree.LiteralWriter.
func (r *Reading) WriteText(_ context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	_, err := out.Write(append(r.AppendLiteral(nil, t, v, 1<<20), '\n'))
	return err
}

// summary returns the most useful facts about a group, in about limit bytes: who sends to whom, and the
// layers of a packet with the messages in them.
func (r *Reading) summary(u *unit, group uint16, limit int) string {
	if f, ok := u.field(group, "command"); ok && f.says != "" {
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
		if limit <= 0 || x.kind != layerGroup && x.kind != listGroup && x.place == 0 {
			continue
		}
		part := x.name
		switch {
		case x.place != 0:
			part = r.messages.About(x.place, limit)
		case x.name == "":
			part = r.command(u, c, limit)
		case x.name == "commands":
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
func (r *Reading) command(u *unit, command uint16, limit int) string {
	for _, c := range u.nodes[command].children {
		if place := u.nodes[c].place; place != 0 {
			return r.messages.About(place, limit)
		}
	}
	return u.commandName(command)
}

// short returns a number or an address in a field of a group; "" if it has none.
func (u *unit) short(group uint16, name string) string {
	f, ok := u.field(group, name)
	switch {
	case ok && f.meaning == address:
		a, _ := netip.AddrFromSlice(u.bytesOf(f))
		return a.String()
	case ok && f.meaning == number:
		return strconv.FormatUint(f.value(u.bytesOf(f)), 10)
	}
	return ""
}
