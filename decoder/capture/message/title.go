package message

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/capture/variants"
	"varview/decoder/span"
)

// Title says in about limit bytes what a message says: the node, the method, the values.
// Control characters in it are not escaped.
func (m *Message) Title(limit int) string {
	t := titler{m: m, limit: limit}
	t.body(&m.Body)
	return t.String()
}

type titler struct {
	strings.Builder
	m     *Message
	limit int
}

func (t *titler) body(b *Body) {
	switch b.Kind {
	case Call:
		t.WriteString(PathText(b.Path) + "." + MethodText(b))
		t.list("(", ")", b.Args)
	case Set:
		t.WriteString(PathText(b.Path) + "." + b.Name)
		t.list(" = ", "", b.Args)
	case Var:
		t.list("", "", b.Args)
	case SimplifyPath:
		fmt.Fprintf(t, "%s is %d", PathText(b.Path), b.ID)
	case ConfirmPath:
		t.WriteString(PathText(b.Path))
		if b.Valid == Differs {
			t.WriteString(", other methods")
		}
	case Bytes, Raw, Auth:
		t.data(b.Data)
	case YourID, AddPeer, DelPeer:
		t.WriteString(strconv.Itoa(int(b.Peer)))
	case Spawn:
		t.spawn(b)
	case Despawn:
		t.WriteString(b.Name)
		fmt.Fprintf(t, "#%d", b.NetID)
	case Sync, Delta:
		t.entries(b)
	case Relay:
		fmt.Fprintf(t, "%d: %s ", b.Peer, b.Inner.Kind)
		t.body(b.Inner)
	}
}

// PathText writes the path of a node, or the id that is not known to stand for one.
func PathText(p Path) string {
	switch {
	case p.Known:
		return p.Text
	case p.ByID:
		return "?" + strconv.FormatUint(uint64(p.ID), 10)
	}
	return "?"
}

// MethodText writes the name of a method, or its number.
func MethodText(b *Body) string {
	if b.Name != "" || b.Named {
		return b.Name
	}
	return "#" + strconv.Itoa(int(b.Method))
}

func (t *titler) spawn(b *Body) {
	fmt.Fprintf(t, "%s: %s#%d", PathText(b.Path), b.Name, b.NetID)
	if b.Custom != nil {
		t.list(" from ", "", []variants.Value{*b.Custom})
	}
	t.list(" (", ")", b.State)
}

func (t *titler) entries(b *Body) {
	for i := range b.Entries {
		e := &b.Entries[i]
		if i > 0 {
			t.WriteString(", ")
		}
		switch {
		case e.Path.ByID:
			t.WriteString(PathText(e.Path))
		default:
			fmt.Fprintf(t, "%s#%d", e.Node, e.ID)
		}
		t.list("(", ")", e.Values)
		if t.Len() >= t.limit {
			return
		}
	}
}

// list writes values, as many as there is room for.
func (t *titler) list(before, after string, values []variants.Value) {
	t.WriteString(before)
	for i, v := range values {
		if i > 0 {
			t.WriteString(", ")
		}
		if t.Len() >= t.limit {
			t.WriteString("…")
			break
		}
		t.Write(t.m.Values.AppendLiteral(nil, t.m.Payload.Bytes, v, t.limit-t.Len()))
	}
	t.WriteString(after)
}

// data writes the first of some bytes as hexadecimal digits.
func (t *titler) data(b []byte) {
	t.WriteString(span.Bytes(int64(len(b))))
	if len(b) == 0 {
		return
	}
	shown := b[:min(len(b), max(0, (t.limit-t.Len())/2))]
	t.WriteString(": " + hex.EncodeToString(shown))
	if len(shown) < len(b) {
		t.WriteString("…")
	}
}
