package kaitai

import (
	"cmp"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// A node is what a reading keeps of a value.
type node struct {
	owner *read.Struct // struct of the attribute; nil for the buffer and the whole
	attr  *spec.Attr   // nil for the buffer, the whole, and bytes of an array
	index int64        // index of an element; -1 for others
	cell  *read.Cell   // of an attribute that of the struct
	steps string       // path step of a value that lies elsewhere than it belongs

	kind   role
	inFile bool // it has bytes of its own in the file

	of *reading
	up *node     // parent node; nil for the buffer
	at tree.Slot // which one

	embedded *embedded  // value of another format that it is or is in; nil if there is none
	inner    *tree.Node // node in the tree of that format

	plan   plan    // of the elements of a list, if their bytes say it
	others *others // what follows the attributes of a struct; nil before it is looked for
}

// others are the children of a struct after its attributes.
type others struct {
	*pieces       // in its bytes
	kids    []kid // what is computed or lies elsewhere
}

var noOthers = &others{pieces: &pieces{}}

type role uint8

const (
	attribute role = iota
	instance
	param
	whole
	byteOf
	placed // an instance that lies in the bytes of another value
)

// A kid is a child of a struct.
type kid struct {
	in    role
	index int
}

// object returns the struct of a node; nil if it is not one.
func (n *node) object() *read.Struct {
	s, _ := n.cell.Val.Ref.(*read.Struct)
	return s
}

// array returns the array of a node; nil if it is not one.
func (n *node) array() *read.Array {
	a, _ := n.cell.Val.Ref.(*read.Array)
	return a
}

// isReference reports whether the node only leads to a value with children, which is elsewhere or is
// computed.
func (n *node) isReference() bool {
	return (n.kind == instance || n.kind == param) && !n.inFile && (n.cell.Val.Kind == expr.Struct || n.cell.Val.Kind == expr.List)
}

// isAlias reports whether the node leads to a value that is a part of another one.
func (n *node) isAlias() bool { return n.isReference() && (n.kind == param || n.attr.Value != nil) }

// count returns the number of children.
func (r *reading) count(n *node) int64 {
	if n.cell.Bad != nil {
		return 0
	}
	if n.inner != nil {
		return n.embedded.read.Count(n.inner)
	}
	switch x := n.cell.Val.Ref.(type) {
	case *read.Struct:
		others := r.othersOf(n)
		return int64(len(x.Cells) + len(others.all) + len(others.kids))
	case expr.Array:
		return x.Len()
	}
	return 0
}

// found returns the number of children that were found, and whether these are all.
func (r *reading) found(n *node) (count int64, isAll bool) {
	if a := n.array(); a != nil && n.cell.Bad == nil {
		return a.Found()
	}
	if s := n.object(); s != nil && n.cell.Bad == nil && !s.Begin() {
		return int64(len(s.Cells)), false
	}
	return r.count(n), true
}

// has reports whether a node has an i-th child.
func (r *reading) has(n *node, i int64) bool {
	if a := n.array(); a != nil && n.cell.Bad == nil {
		return a.Has(i)
	}
	found, isAll := r.found(n)
	return i < found || !isAll && i < r.count(n)
}

// kidAt returns the i-th child of a struct, which exists.
func (r *reading) kidAt(n *node, i int64) kid {
	s := n.object()
	if s.Begin(); i < int64(len(s.Cells)) {
		return kid{in: attribute, index: int(i)}
	}
	others := r.othersOf(n)
	if i -= int64(len(s.Cells)); i < int64(len(others.all)) {
		return kid{in: placed, index: int(i)}
	}
	return others.kids[i-int64(len(others.all))]
}

// othersOf lists the children of a struct after its attributes.
func (r *reading) othersOf(n *node) *others {
	if n.others != nil {
		return n.others
	}
	s := n.object()
	s.Ensure()
	isPlace, params := n.inFile && s.Owns, min(len(s.Params()), len(s.Type.Params))
	if n.others = noOthers; isPlace || len(s.Type.Instances)+params > 0 {
		n.others = &others{pieces: noOthers.pieces}
	}
	if isPlace {
		n.others.pieces = r.piecesIn(s)
	}
	for i, a := range s.Type.Instances {
		if !n.others.has(a) {
			n.others.kids = append(n.others.kids, kid{in: instance, index: i})
		}
	}
	for i := range params {
		n.others.kids = append(n.others.kids, kid{in: param, index: i})
	}
	return n.others
}

// child returns the child of a node in a slot, which exists.
func (r *reading) child(n *node, at tree.Slot) *node {
	var c *node
	if n.inner != nil {
		c = n.embedded.child(n, at)
	} else if c = r.newChild(n, at.Index); c.cell.Bad == nil {
		if e, ok := c.cell.Val.Ref.(*embedded); ok {
			c.embedded, c.inner = e, e.top
		}
	}
	c.of, c.up, c.at = r, n, at
	return c
}

func (r *reading) newChild(n *node, i int64) *node {
	if a := n.array(); a != nil {
		c := &struct {
			node
			own read.Cell
		}{node{owner: a.Owner, attr: a.Attr, index: i, kind: n.kind}, a.Cell(i)}
		c.cell = &c.own
		return &c.node
	}
	if s := n.object(); s != nil {
		k := r.kidAt(n, i)
		c := &node{owner: s, index: -1, kind: k.in}
		switch {
		case k.in == placed:
			p := &n.others.all[k.index]
			c.kind, c.owner, c.attr, c.steps = instance, p.owner.follow(n.others.base), p.attr, n.others.steps(p)
			c.cell = copied(c.owner.Of(p.attr))
		case k.in == attribute:
			c.attr, c.cell = s.Type.Seq[k.index], &s.Cells[k.index]
		case k.in == instance:
			c.attr, c.cell = s.Type.Instances[k.index], copied(s.Instance(k.index))
		default:
			c.attr, c.cell = s.Type.Params[k.index], &read.Cell{State: read.Ready, Val: s.Params()[k.index], Buf: s.IO.Buf}
		}
		return c
	}
	c := &node{owner: n.owner, index: i, kind: byteOf}
	v, err := n.cell.Value(n.attr)
	if err == nil {
		v, err = v.At(i)
	}
	c.cell = &read.Cell{State: read.Ready, Val: v, Buf: n.cell.Buf}
	if err != nil {
		c.cell.Bad = &read.Problem{Code: read.Unevaluated, Text: err.Error()}
	}
	return c
}

// copied returns what is known of an instance now.
func copied(c *read.Cell) *read.Cell {
	now := *c
	return &now
}

// step returns the path step to a child.
func (r *reading) step(dst []byte, n *node, at tree.Slot) []byte {
	s, i := n.object(), at.Index
	switch {
	case n.inner != nil:
		return n.embedded.step(dst, n, at)
	case n.kind == whole && n.attr == nil && n.owner == nil && s == nil:
		return dst // the only value of the buffer
	case s == nil:
		return tree.AppendIndexStep(dst, i)
	}
	k := r.kidAt(n, i)
	if k.in == placed {
		return append(dst, n.others.steps(&n.others.all[k.index])...)
	}
	return tree.AppendTextStep(dst, []byte(n.attrOf(k).ID))
}

// attrOf returns the attribute of a child of a struct.
func (n *node) attrOf(k kid) *spec.Attr {
	if k.in == placed {
		return n.others.all[k.index].attr
	}
	t := n.object().Type
	return [...][]*spec.Attr{attribute: t.Seq, instance: t.Instances, param: t.Params}[k.in][k.index]
}

// typeName names the type of a node for people.
func (n *node) typeName() string {
	switch {
	case n.kind == byteOf:
		return "byte"
	case n.inner != nil:
		return string(n.embedded.read.Tree.AppendType(nil, n.embedded.read.Window(), &n.inner.Value))
	case n.attr == nil && n.object() != nil:
		return n.object().Type.Name
	case n.attr == nil:
		return "file"
	}
	name := n.valueType()
	if n.array() != nil {
		name += "[]"
	}
	if n.kind == instance && n.index < 0 {
		name = "instance " + name
	}
	return name
}

func (n *node) valueType() string {
	switch {
	case n.cell.State == read.Absent:
		return "absent"
	case n.attr.Enum == nil && n.object() != nil:
		return n.object().Type.Name
	case n.attr.Enum != nil || n.cell.Type != nil:
		return nameOf(n.attr, n.cell.Type)
	}
	return cmp.Or(kindTypes[n.cell.Val.Kind], "value")
}

// nameOf names the type of a value for people.
func nameOf(a *spec.Attr, t *spec.TypeRef) string {
	switch {
	case a.Enum != nil:
		return a.Enum.Name
	case t.Kind == spec.RawBytes && a.IsContents:
		return "contents"
	}
	return t.String()
}

// kindTypes name the types of computed values.
var kindTypes = map[expr.Kind]string{expr.Bool: "bool", expr.Int: "int", expr.Float: "float", expr.Str: "str", expr.Bytes: "bytes"}

// kindOf returns the kind of the bytes of a value of a type, which is nil for one that is computed.
func kindOf(a *spec.Attr, t *spec.TypeRef) span.Kind {
	switch {
	case a != nil && a.IsContents:
		return span.Magic
	case a != nil && a.Enum != nil:
		return span.Type
	case t == nil, t.Kind == spec.RawBytes, t.Kind == spec.User:
		return span.Data
	case t.Kind == spec.Str:
		return span.Text
	case t.Kind == spec.Bits:
		return span.Flags
	}
	return span.Value
}
