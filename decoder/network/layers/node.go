// Package layers shows a capture file as a tree: its packets or blocks, the headers in them from the link
// layer on, and the fields of each. Fields tile the file.
package layers

import (
	"encoding/binary"

	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/places"
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

// A node is a value of the tree in a packet or block: a field, or a group of nodes.
type node struct {
	name       string
	start, end int // in the unit
	children   []uint16
	problems   []problem

	// Of a group.
	kind groupKind

	// Of a field.
	field   span.Kind
	meaning meaning
	little  bool   // its number has the lowest byte first
	says    string // meaning, if that is not its number

	place int64 // key of the place of the message that it is or belongs to; 0 if there is none
}

// A problem is a problem of a node; its span is in the unit.
type problem = span.Problem

// A unit is a file header, a packet or a block as nodes; the first is the unit itself.
type unit struct {
	at    int64 // offset in the buffer
	size  int
	bytes []byte // bytes, as many as are examined
	nodes []node
}

// maxNodes is the largest number of nodes of a unit; the rest is one field.
const maxNodes = 1 << 16

// A builder puts a unit together from its start to its end.
type builder struct {
	*unit
	at    int
	open  []uint16 // groups around the next node, the innermost last
	limit int      // end of the next nodes
	order binary.ByteOrder

	around *link.Packet   // headers around UDP or TCP
	places []places.Place // places in the rest of the packet
}

func newBuilder(u *unit, name string, kind groupKind, order binary.ByteOrder) *builder {
	u.nodes = append(u.nodes[:0], node{name: name, kind: kind})
	return &builder{unit: u, open: []uint16{0}, limit: u.size, order: order}
}

// add adds a node to the innermost group. It returns nil if there is no room.
func (x *builder) add(n node) *node {
	if len(x.nodes) >= maxNodes-len(x.open)-2 {
		return nil
	}
	in := &x.nodes[x.open[len(x.open)-1]]
	in.children = append(in.children, uint16(len(x.nodes)))
	x.nodes = append(x.nodes, n)
	return &x.nodes[len(x.nodes)-1]
}

// group begins a group.
func (x *builder) group(name string, kind groupKind) bool {
	if len(x.nodes) >= maxNodes/2 || x.add(node{name: name, kind: kind, start: x.at}) == nil {
		return false
	}
	x.open = append(x.open, uint16(len(x.nodes)-1))
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
	added := x.add(node{name: name, start: x.at, end: x.at + n, field: kind, meaning: m, little: x.order == binary.LittleEndian})
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

// fail adds an error to the unit.
func (x *builder) fail(start, n int, code, message string) {
	x.nodes[0].problems = append(x.nodes[0].problems,
		problem{Span: span.Span{Offset: int64(start), Length: int64(n)}, Severity: span.Error, Code: code, Message: message})
}

// means sets the meaning of a field, if it is there.
func (n *node) means(says string) {
	if n != nil {
		n.says = says
	}
}
