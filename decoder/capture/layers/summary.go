package layers

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// nodeOf returns the unit and the number of the node that a value is; nil for the lists around
// units.
func (r *Reading) nodeOf(w *source.Window, v *tree.Value) (*unit, uint16) {
	if groupKind(v.Type) == bufferGroup || r.isUnitList(v) {
		return nil, 0
	}
	return r.unit(w, v.Start-int64(v.Sub), r.region.End()), v.Flags
}

// AppendType implements tree.TypeWriter: a part of a packet is what its name says.
func (r *Reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
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

// AppendLiteral implements tree.LiteralWriter: what the fields mean, and of a layer what is most
// wanted of it.
func (r *Reading) AppendLiteral(dst []byte, t *tree.Reader, v *tree.Value, limit int) []byte {
	if groupKind(v.Type) == fieldType {
		length := min(v.End-v.Start, int64(limit))
		return r.AppendField(dst, t.Window(), v, span.Field{Span: span.Span{Offset: v.Start, Length: length}})
	}
	u, number := r.nodeOf(t.Window(), v)
	if u == nil {
		return dst
	}
	defer r.pool.Put(u)
	return append(dst, u.summary(number, limit)...)
}

// WriteText implements tree.LiteralWriter.
func (r *Reading) WriteText(_ context.Context, out io.Writer, t *tree.Reader, v *tree.Value) error {
	_, err := out.Write(append(r.AppendLiteral(nil, t, v, 1<<20), '\n'))
	return err
}

// summary says what is most wanted of a group, in about limit bytes: who sends to whom, and the
// layers of a packet.
func (u *unit) summary(group uint16, limit int) string {
	if f, ok := u.field(group, "command"); ok && f.says != "" {
		return fmt.Sprintf("channel %d, sequence %d", u.value(group, "channel"), u.value(group, "sequence"))
	}
	for _, ends := range [][2]string{{"src", "dst"}, {"sport", "dport"}} {
		from, to := u.short(group, ends[0]), u.short(group, ends[1])
		if from != "" && to != "" {
			return from + " → " + to
		}
	}
	var parts []string
	for _, c := range u.nodes[group].children {
		x := &u.nodes[c]
		if limit <= 0 || x.kind != layerGroup && x.kind != listGroup {
			continue
		}
		part := x.name + " " + u.summary(c, limit)
		switch x.name {
		case "":
			part = u.commandName(c)
		case "commands":
			part = u.summary(c, limit)
		}
		parts = append(parts, strings.TrimSpace(part))
		limit -= len(part)
	}
	if group == 0 { // the innermost layer says the most
		slices.Reverse(parts)
	}
	return strings.Join(parts, ", ")
}

// short is a number or an address in a field of a group, "" if it has none.
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
