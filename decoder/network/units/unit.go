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

// A meaning says how the bytes of a field are read.
type meaning uint8

const (
	data    meaning = iota
	number          // number in the byte order of the node
	bitmask         // a number, in hexadecimal digits
	address         // of IP
	text
)

// meaningOf returns how the bytes of a field of a message are read.
func meaningOf(kind span.Kind) meaning {
	switch kind {
	case span.Text, span.Magic:
		return text
	case span.Data, span.Gap:
		return data
	}
	return number
}

// A node is a value of the tree in a unit: a field, a Variant, or a group of nodes.
type node struct {
	name       string
	start, end int // in the unit
	children   []uint32
	kind       groupKind

	// Of a field.
	field   span.Kind
	meaning meaning
	little  bool   // its number has the lowest byte first
	says    string // meaning, if that is not its number

	isVariant bool
	form      variants.Form

	place int // number, from 1, of the place of the message that it is or belongs to; 0 if there is none
}

// isShort reports whether a node is a Variant in a short form, which is a field.
func (n *node) isShort() bool { return n.isVariant && n.form != variants.Plain }

// variant returns a node as a Variant of the payload.
func (n *node) variant() variants.Value {
	return variants.Value{Span: span.Between(int64(n.start), int64(n.end)), Form: n.form}
}

// A unit is a file header, a packet, a block or a message as nodes; the first is the unit itself.
type unit struct {
	key    int64 // offset in the buffer; of a message, that of its record
	at     int64 // offset in the buffer; of a message, that of its payload
	size   int
	bytes  []byte // bytes, as many as are examined; of a message, its record
	nodes  []node
	places []Place // of the messages in a packet

	// Of a message.
	head    head
	message *message.Message // nil if the unit is none
	cursor  message.Cursor
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
	u.nest()
}

// nest makes nodes of the parts of a message.
func (u *unit) nest() {
	u.nodes = append(u.nodes[:0], node{kind: messageGroup, end: len(u.message.Payload.Bytes)})
	open := []uint32{0}
	for i := range u.message.Parts {
		p := &u.message.Parts[i]
		if p.Role == message.Close {
			u.nodes[open[len(open)-1]].end = int(p.Offset)
			open = open[:len(open)-1]
			continue
		}
		n := node{name: p.Label, start: int(p.Offset), end: int(p.End()), kind: fieldType, field: p.Kind, meaning: meaningOf(p.Kind), little: true, says: p.Means}
		switch p.Role {
		case message.Open:
			n.kind = listGroup
		case message.Value:
			n.isVariant, n.form, n.field = true, p.Form, span.Value
			if p.Form == variants.Unmarked {
				n.field, n.meaning = span.Data, data
			}
		}
		in := &u.nodes[open[len(open)-1]]
		in.children = append(in.children, uint32(len(u.nodes)))
		if u.nodes = append(u.nodes, n); n.kind == listGroup {
			open = append(open, uint32(len(u.nodes)-1))
		}
	}
}

// appendStep appends the step of a path to a node, the i-th in its group.
func (u *unit) appendStep(dst []byte, number uint32, i int64) []byte {
	if name := u.nodes[number].name; name != "" {
		return tree.AppendTextStep(dst, []byte(strings.ReplaceAll(name, " ", "_")))
	}
	return tree.AppendIndexStep(dst, i)
}

// PathAt returns the path from a message to its part with a byte of the payload: ".args[0]"; "" for the message itself. It
// does not lead into Variants.
func PathAt(m *message.Message, at int64) string {
	u := unit{message: m}
	u.nest()
	var path []byte
	for number := uint32(0); ; {
		in := u.nodes[number].children
		i := slices.IndexFunc(in, func(c uint32) bool { return int64(u.nodes[c].start) <= at && at < int64(u.nodes[c].end) })
		if i < 0 {
			return string(path)
		}
		number = in[i]
		path = u.appendStep(path, number, int64(i))
	}
}

// span returns the span of a node in the buffer.
func (u *unit) span(n *node) span.Span {
	return span.Between(u.at+int64(n.start), u.at+int64(n.end))
}

// bytesOf returns the bytes of a node.
func (u *unit) bytesOf(n *node) []byte {
	b := u.bytes
	if u.message != nil {
		b = u.message.Payload.Bytes
	}
	return b[min(n.start, len(b)):min(n.end, len(b))]
}

// maxNodes is the largest number of nodes of a packet; the rest is one field.
const maxNodes = 1 << 16

// A builder puts a unit together from its start to its end.
type builder struct {
	*unit
	at    int
	open  []uint32 // groups around the next node, the innermost last
	limit int      // end of the next nodes
	order binary.ByteOrder

	around *link.Packet // headers around UDP or TCP
	next   int          // number of the first place in the rest of the packet
}

func newBuilder(u *unit, name string, kind groupKind, order binary.ByteOrder) *builder {
	u.places = u.places[:0]
	u.nodes = append(u.nodes[:0], node{name: name, kind: kind})
	return &builder{unit: u, open: []uint32{0}, limit: u.size, order: order}
}

// add adds a node to the innermost group. It returns nil if there is no room.
func (x *builder) add(n node) *node {
	if len(x.nodes) >= maxNodes-len(x.open)-2 {
		return nil
	}
	in := &x.nodes[x.open[len(x.open)-1]]
	in.children = append(in.children, uint32(len(x.nodes)))
	x.nodes = append(x.nodes, n)
	return &x.nodes[len(x.nodes)-1]
}

// group begins a group.
func (x *builder) group(name string, kind groupKind) bool {
	if len(x.nodes) >= maxNodes/2 || x.add(node{name: name, kind: kind, start: x.at}) == nil {
		return false
	}
	x.open = append(x.open, uint32(len(x.nodes)-1))
	return true
}

// close ends the innermost group. A group without nodes takes no bytes, and is left out.
func (x *builder) close() {
	last := len(x.open) - 1
	g := x.open[last]
	x.open = x.open[:last]
	x.nodes[g].end = x.at
	if x.nodes[g].start == x.at && int(g) == len(x.nodes)-1 && last > 0 {
		in := &x.nodes[x.open[last-1]]
		in.children = in.children[:len(in.children)-1]
		x.nodes = x.nodes[:g]
	}
}

// put adds a field of n bytes. A field cut by the limit is a gap.
func (x *builder) put(name string, n int, kind span.Kind, m meaning) *node {
	left := x.limit - x.at
	if n > left {
		n, name, kind, m = left, "cut", span.Gap, data
	}
	if n <= 0 {
		return nil
	}
	added := x.add(node{name: name, start: x.at, end: x.at + n, kind: fieldType, field: kind, meaning: m, little: x.order == binary.LittleEndian})
	x.at += n
	return added
}

// number adds a field with a number of n bytes.
func (x *builder) number(name string, n int, kind span.Kind) *node {
	return x.put(name, n, kind, number)
}

// rest adds a field of all bytes up to an index.
func (x *builder) rest(name string, end int, kind span.Kind) {
	x.put(name, min(end, x.limit)-x.at, kind, data)
}

// means sets the meaning of a field, if it is there.
func (n *node) means(says string) {
	if n != nil {
		n.says = says
	}
}
