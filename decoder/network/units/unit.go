// Package units shows a capture as two trees. One is of the file: its packets or blocks, the headers in them from the link
// layer on, and the messages at their places. The other is of the messages alone, as records in a buffer of their own, also
// of those that came in parts, masked or packed. What both consist of are units, each of which is read as a whole into nodes:
// a packet, a block, a message. Fields tile each buffer.
package units

import (
	"encoding/binary"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/link"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/variants"
)

// A node is a value of the tree in a unit: a field, a Variant, or a group of nodes. Its span is in the unit.
type node struct {
	message.Part
	group    groupKind
	children []uint32
}

// groups are the types of nodes by their roles.
var groups = [...]groupKind{message.Field: fieldType, message.Value: fieldType, message.Open: listGroup, message.Layer: layerGroup, message.Whole: messageGroup}

// isShort reports whether a node is a Variant in a short form, which is a field.
func (n *node) isShort() bool { return n.Role == message.Value && n.Form != variants.Plain }

// variant returns a node as a Variant of the payload.
func (n *node) variant() variants.Value { return variants.Value{Span: n.Span, Form: n.Form} }

// A unit is a file header, a packet, a block or a message as nodes; the first is the unit itself.
type unit struct {
	key    int64 // offset in the buffer; of a message, that of its record
	at     int64 // offset in the buffer; of a message, that of its payload
	size   int64
	bytes  []byte // bytes, as many as are examined; of a message, its record
	nodes  []node
	places []Place // of the messages in a packet

	cursor message.Cursor

	// Of a message.
	head    head
	message *message.Message // nil if the unit is none
	values  variants.Readers
	records *source.Window // from which a message in a packet is read
}

// parse reads the record of a message, which is from key up to an offset of w, and parses it.
func (u *unit) parse(w *source.Window, key, end int64) {
	u.key = key
	u.bytes = appendView(u.bytes[:0], w, key, end)
	u.head = parseHead(u.bytes)
	known := u.bytes[recordSize:]
	names := min(int64(u.head.NamesSize), int64(len(known)))
	parts := min(int64(u.head.PartCount)*partSize, int64(len(known))-names)
	u.at = key + recordSize + names + parts
	m := u.head.message(known[names+parts:], payloadParts(parseParts(known[names:][:parts])))
	from, to := m.From, m.To
	multiplayer.Parse(&u.cursor, m, u.head.Protocol, &u.values, multiplayer.Hint{IsYourID: u.head.Kind == message.YourID, Shape: message.Shape{Header: u.head.Header, Vars: u.head.Vars}})
	if !m.From.Known { // otherwise they may be in the payload
		m.From, m.To = from, to
	}
	m.Parsed = len(u.cursor.Problems)
	m.Parts, m.Problems = u.cursor.Parts, append(u.cursor.Problems, setNames(m, string(known[:names]))...)
	u.message = m
	u.nest(m.Parts, messageGroup, "", int64(len(m.Payload.Bytes)))
}

// nest makes nodes of parts, in a unit of a type and a number of bytes with a name.
func (u *unit) nest(parts []message.Part, group groupKind, name string, size int64) {
	u.nodes = append(u.nodes[:0], node{Part: message.Part{Field: span.Field{Span: span.Span{Length: size}, Label: name}}, group: group})
	open := []uint32{0}
	for i := range parts {
		p, last := &parts[i], len(open)-1
		in, number := &u.nodes[open[last]], uint32(len(u.nodes))
		if p.Role == message.Close {
			in.Length, open = p.Offset-in.Offset, open[:last]
			continue
		}
		in.children = append(in.children, number)
		if u.nodes = append(u.nodes, node{Part: *p, group: groups[p.Role]}); p.Role == message.Open || p.Role == message.Layer {
			open = append(open, number)
		}
	}
}

// appendStep appends the step of a path to a node, the i-th in its group.
func (u *unit) appendStep(dst []byte, number uint32, i int64) []byte {
	if name := u.nodes[number].Label; name != "" {
		return tree.AppendTextStep(dst, []byte(strings.ReplaceAll(name, " ", "_")))
	}
	return tree.AppendIndexStep(dst, i)
}

// PathAt returns the path from a message to its part with a byte of the payload: ".args[0]"; "" for the message itself. It
// does not lead into Variants.
func PathAt(m *message.Message, at int64) string {
	var u unit
	u.nest(m.Parts, messageGroup, "", int64(len(m.Payload.Bytes)))
	var path []byte
	for number := uint32(0); ; {
		in := u.nodes[number].children
		i := slices.IndexFunc(in, func(c uint32) bool { return u.nodes[c].Contains(at) })
		if i < 0 {
			return string(path)
		}
		number = in[i]
		path = u.appendStep(path, number, int64(i))
	}
}

// span returns the span of a node in the buffer.
func (u *unit) span(n *node) span.Span {
	return span.Span{Offset: u.at + n.Offset, Length: n.Length}
}

// bytesOf returns the bytes of a node.
func (u *unit) bytesOf(n *node) []byte {
	b := u.bytes
	if u.message != nil {
		b = u.message.Payload.Bytes
	}
	size := int64(len(b))
	return b[min(n.Offset, size):min(n.End(), size)]
}

// maxParts is the largest number of parts of a packet; the rest is one field.
const maxParts = 1 << 16

// A builder reads a unit of the file.
type builder struct {
	*unit
	*message.Cursor
	order binary.ByteOrder

	around *link.Packet // headers around UDP or TCP
	next   int          // number of the first place in the rest of the packet
}

func newBuilder(u *unit, order binary.ByteOrder) *builder {
	u.places = u.places[:0]
	u.cursor.Begin(u.bytes, nil)
	u.cursor.Limit = u.size
	return &builder{unit: u, Cursor: &u.cursor, order: order}
}

// end makes nodes of what was read, in a unit of a type with a name.
func (x *builder) end(group groupKind, name string) { x.nest(x.Parts, group, name, x.At) }

// group begins a group, which EndList ends.
func (x *builder) group(name string, role message.Role) bool {
	if len(x.Parts) >= maxParts/2 {
		return false
	}
	x.Add(role, 0, 0, name)
	return true
}

// put adds a field of n bytes. A field cut by the limit is a gap.
func (x *builder) put(name string, n int64, kind span.Kind, as message.Notation) *message.Part {
	if left := x.Left(); n > left {
		n, name, kind, as = left, "cut", span.Gap, data
	}
	if n <= 0 {
		return nil
	}
	if len(x.Parts) >= maxParts {
		x.At += n
		return nil
	}
	p := x.Add(message.Field, n, kind, name)
	p.Notation, p.BigEndian = as, x.order != binary.LittleEndian
	return p
}

// number adds a field with a number of n bytes.
func (x *builder) number(name string, n int64, kind span.Kind) *message.Part {
	return x.put(name, n, kind, number)
}

// rest adds a field of all bytes up to an index.
func (x *builder) rest(name string, end int64, kind span.Kind) {
	x.put(name, min(end, x.Limit)-x.At, kind, data)
}

// means sets the meaning of a field, if it is there.
func means(p *message.Part, text string) {
	if p != nil {
		p.Means = text
	}
}

// The notations of fields.
const (
	data    = message.Data
	number  = message.Number
	bitmask = message.Bitmask
	address = message.Address
	text    = message.Text
)
