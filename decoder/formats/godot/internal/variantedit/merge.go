package variantedit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// merge changes n to a literal, and keeps the parts of n that do not change.
func (e *Editing) merge(n *tree.Node, l *literal.Literal) {
	switch {
	case !e.canMerge(&n.Value, l):
		e.replace(n, l)
	case n.Layout < tree.Sequence:
		e.mergeAtom(n, l)
	default:
		e.mergeChildren(n, l)
	}
}

// canMerge reports whether v can be changed to a literal part by part.
func (e *Editing) canMerge(v *tree.Value, l *literal.Literal) bool {
	if v.Damage != nil && v.Layout == tree.Leaf {
		return l.Kind == literal.Damage
	}
	if !e.sameType(v, l) {
		return false
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeObject:
		byID := v.Flags&types.WideFlag != 0 && !e.Format.Dialect.NoFlags
		return byID == l.ByID && (v.Layout == tree.Pairs) == l.Whole
	case types.ShapePath:
		return v.Layout != tree.Leaf && !e.Format.PathProp
	case types.ShapeReference:
		return false
	}
	return true
}

// replace replaces a value by a literal. Meaningless flags stay if the type does.
func (e *Editing) replace(n *tree.Node, l *literal.Literal) {
	v, b := &e.Finish(n).Value, e.encode(l)
	if e.Err != nil {
		return
	}
	shape := types.Of(v.Type).Shape
	if v.Type == l.Kind && v.Tail >= v.Head+4 && (shape == types.ShapeObject || shape == types.ShapePath) && !e.Format.Dialect.Resource {
		header := e.Window.U32(v.Head)
		b[1], b[3] = byte(header>>8), byte(header>>24)
		b[2] = b[2]&types.WideFlag | byte(header>>16)&^types.WideFlag
		if shape == types.ShapePath && v.Layout != tree.Leaf {
			binary.LittleEndian.PutUint32(b[12:], binary.LittleEndian.Uint32(b[12:])|e.Format.PathFlags(e.Window, v)&^3)
		}
	}
	e.Put(v.Head, v.Tail-v.Head, b)
}

// mergeReference changes what differs in a value that refers to something by a number.
func (e *Editing) mergeReference(n *tree.Node, l *literal.Literal) {
	v, at, d := &n.Value, n.Head+4, e.Format.Dialect
	switch shape := types.Of(v.Type).Shape; {
	case shape == types.ShapeRID && d.Resource:
		e.replace(n, l)
	case shape == types.ShapeRID && d.RIDHasID, shape == types.ShapeObject && l.ByID:
		e.mergeID(at, l.ID)
	case shape == types.ShapeSignal && !d.Resource:
		name := *v
		name.Tail -= 8
		e.mergeText(&name, at, l.Text)
		e.mergeID(v.Tail-8, l.ID)
	}
}

// mergeAtom changes what differs in a value without children.
func (e *Editing) mergeAtom(n *tree.Node, l *literal.Literal) {
	v, at := &n.Value, n.Head+4
	if v.Damage != nil && v.Layout == tree.Leaf { // so is the literal, see canMerge
		if v.Damage.Code != string(l.Text) {
			e.Keep(l.Errorf("the damage here is of another kind: <%s>", v.Damage.Code))
		}
		return
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeBool:
		if e.Window.U32(at) != 0 != (l.ID != 0) {
			e.PutU32(at, uint32(l.ID))
		}
	case types.ShapeNumber:
		e.mergeScalar(v, l)
	case types.ShapeText:
		e.mergeText(v, at, l.Text)
	case types.ShapeFixed:
		e.mergeNumbers(v.Body, types.ID(v.Sub), v.Count, l)
	case types.ShapeRID, types.ShapeObject, types.ShapeSignal:
		e.mergeReference(n, l)
	case types.ShapeBytes, types.ShapePacked:
		e.mergePacked(v, l)
	}
}

func (e *Editing) mergeID(at int64, id uint64) {
	if e.Window.U64(at) != id {
		e.Put(at, 8, e.Format.AppendBinary(nil, types.Int64, id))
	}
}

// mergeScalar changes an int or float. A number stored in 64 bits keeps that width.
func (e *Editing) mergeScalar(v *tree.Value, l *literal.Literal) {
	b := e.encode(l)
	if e.Err != nil {
		return
	}
	at, wide := v.Head+4, v.Tail-v.Head > 8
	if v.Type == types.Int {
		n, _ := e.Int(l)
		if was := int64(int32(e.Window.U32(at))); !wide && was == n || wide && int64(e.Window.U64(at)) == n {
			return
		}
		if wide {
			b = append(b[:4], e.Format.AppendBinary(nil, types.Int64, uint64(n))...)
		}
	} else {
		x, _ := e.Float(l, 64)
		if e.Format.Dialect.NoFlags {
			x, _ = e.Float(l, 32)
		}
		if numeric.SameFloat(variant.Float(e.Window, v), x) {
			return
		}
		if wide {
			b = append(b[:4], e.Format.AppendBinary(nil, types.Float64, math.Float64bits(x))...)
		}
	}
	switch {
	case len(b) != 12 || wide:
	case e.Format.Dialect.Resource:
		e.Put(v.Head, 4, b[:4])
	default:
		e.Put(v.Head+2, 2, []byte{byte(v.Flags) | types.WideFlag, byte(v.Flags >> 8)})
	}
	e.Put(at, v.Tail-at, b[4:])
}

// mergeText changes the string at off, which ends v.
func (e *Editing) mergeText(v *tree.Value, off int64, text []byte) {
	if v.Damage != nil {
		e.Out = nil
		e.Entry(text, v.Type == types.Entry || e.Format.Dialect.Resource)
		e.Put(off, v.Tail-off, e.Out)
		return
	}
	n := e.Format.TextLength(e.Window, v, off)
	if n == int64(len(text)) && e.SameBytesAt(off+4, text) {
		return
	}
	if int64(len(text)) > math.MaxInt32-8 {
		e.Keep(errors.New("a string may have at most 2 GiB"))
		return
	}
	// Engines also read an entry of a packed string array without its NUL.
	nul := e.Format.Dialect.Resource || v.Type == types.Entry && (n < int64(e.Window.U32(off)) || bytes.HasSuffix(text, []byte{0}))
	e.Out = nil
	e.Entry(text, nul)
	if is := e.Out[:4]; !e.SameBytesAt(off, is) {
		e.Put(off, 4, is)
	}
	e.Put(off+4, v.Tail-off-4, e.Out[4:])
}

// mergeNumbers changes those of the n numbers at off that differ.
func (e *Editing) mergeNumbers(off int64, comp types.ID, n int64, l *literal.Literal) {
	var run []byte // changed numbers directly before number i
	size := types.Width(comp)
	for i := range n {
		bits, err := e.Component(l, int(i), comp)
		if !e.Keep(err) {
			return
		}
		at := off + i*size
		was := numeric.BitsAt(e.Window, comp, at)
		if numeric.SameNumber(comp, was, bits) {
			e.Put(at-int64(len(run)), int64(len(run)), run)
			run = nil
			continue
		}
		run = e.Format.AppendBinary(run, comp, bits)
	}
	e.Put(off+n*size-int64(len(run)), int64(len(run)), run)
}

// mergePacked changes a packed array of numbers or vectors, and the padding of a
// byte array whose length changes.
func (e *Editing) mergePacked(v *tree.Value, l *literal.Literal) {
	comp, each := types.ID(v.Sub), int64(types.Of(v.Type).Each())
	is := int64(e.Count(l)) / each
	both := min(v.Count, is)
	e.mergeNumbers(v.Body, comp, both*each, l)
	e.Out = nil
	rest := literal.Literal{Parts: &literal.Parts{Children: l.Children[both*each:]}}
	e.Keep(e.Components(&rest, comp))
	e.putElements(v, both, v.Count-both, e.Out)
}

// mergeChildren changes what differs between the children of n and those of a literal. Children are matched by their
// keys, or by their places where they have none; an entry that has another place in the literal is written anew.
func (e *Editing) mergeChildren(n *tree.Node, l *literal.Literal) {
	m := merging{Editing: e, in: n, l: l, each: 1}
	switch types.Of(n.Type).Shape {
	case types.ShapePath:
		if !e.IsWrittenAs(n, "^"+literal.Quote(l.Text)) {
			e.replace(n, l)
		}
		return
	case types.ShapeObject:
		class := tree.Value{Tail: n.Body - 4}
		e.mergeText(&class, n.Head+4, l.Text)
	}
	if n.Layout == tree.Pairs {
		m.each, m.where = 2, map[string][]int{}
		for i := 0; i < len(l.Children); i += 2 {
			key := encode.KeyName(e.Format, e.Text, &l.Children[i], true)
			m.where[key] = append(m.where[key], i)
		}
	}
	if e.Keep(edit.EachChild(e.Ctx, e.Reader, n, m.child)) {
		m.rest()
	}
	if n.Type != types.Stream {
		e.Recount(&n.Value, m.added)
	}
}

// A merging is the state of mergeChildren.
type merging struct {
	*Editing
	in    *tree.Node
	l     *literal.Literal
	each  int              // items of the literal for each child: 2 for a key and a value
	where map[string][]int // indexes of a key in the literal, in order; nil where children have no keys
	due   int              // index of the next item of the literal
	last  *tree.Node       // child that was passed last; nil before the first
	added int64            // children
}

// find returns the index of the item of the literal that belongs to a child with a key; -1 if none follows.
func (m *merging) find(index int64, key *tree.Node) int {
	if key == nil {
		if index < int64(len(m.l.Children)) {
			return int(index)
		}
		return -1
	}
	id := m.keyOf(m.Reader, &m.Finish(key).Value, true)
	at := m.where[id]
	for len(at) > 0 && at[0] < m.due {
		at = at[1:]
	}
	if m.where[id] = at; len(at) == 0 {
		return -1
	}
	return at[0]
}

// child changes a child to the item of the literal that belongs to it, or deletes it.
func (m *merging) child(c *tree.Node) error {
	i := m.find(c.Slot.Index, m.Reader.Key(c))
	if i < 0 {
		_, at := m.Extent(c)
		m.Cut(at.Offset, at.End())
		m.added--
		m.last = c
		return m.Err
	}
	at := c.Start
	if c.KeyAt != tree.Unknown {
		at = c.KeyAt
	}
	m.insert(at, i)
	m.due, m.last = i+m.each, c
	before := len(m.Splices)
	if m.mergeChild(c, &m.l.Children[m.due-1]); m.isFrames(&m.in.Value) {
		m.lengthen(c.Start, m.Splices[before:])
	}
	return m.Err
}

// insert inserts the items of the literal before item upTo at an offset.
func (m *merging) insert(at int64, upTo int) {
	if upTo <= m.due {
		return
	}
	m.added += int64((upTo - m.due) / m.each)
	var all []byte
	for ; m.due < upTo; m.due++ {
		m.Out = nil
		if !m.Keep(m.Child(m.l, m.due)) {
			return
		}
		if m.isFrames(&m.in.Value) {
			all = append(all, m.framed(int64(len(m.Out)))...)
		}
		all = append(all, m.Out...)
	}
	if m.last != nil && len(all) > 0 && m.Absorbs(m.last) {
		m.Keep(edit.ErrAfterDamage)
	}
	m.Put(at, 0, all)
}

// rest inserts the items of the literal after the last child.
func (m *merging) rest() {
	passed := int64(0)
	if m.last != nil {
		passed = m.last.Slot.Index + 1
	}
	switch {
	case m.each == 2 && passed != m.in.Count: // a key without a value may be the last
		m.Keep(errors.New("the end of this " + m.Format.TypeName(&m.in.Value) + " is damaged: set its entries one by one, or repair it first"))
	case m.due < len(m.l.Children): // as for few
		end := m.Finish(m.in).Tail
		if m.isFrames(&m.in.Value) && m.last != nil {
			end = m.last.End
		}
		m.insert(end, len(m.l.Children))
	}
}

// mergeChild changes what differs between a child and a literal.
func (e *Editing) mergeChild(c *tree.Node, l *literal.Literal) {
	if c.Type == types.Entry {
		e.mergeText(&c.Value, c.Start, l.Text)
		return
	}
	w := e.Format.Constraint(&c.Parent.Value, c.Slot)
	child, fits := encode.Fit(*l, w)
	if child.Kind == types.Int && c.Type == types.Float && w.Any {
		child.Kind = types.Float
	}
	before := len(e.Splices)
	if e.merge(c, &child); !fits && len(e.Splices) > before {
		e.Keep(e.mismatchAt(&c.Parent.Value, c.Slot, &child))
	}
}

// mergePart changes a name or subname of a NodePath.
func (e *Editing) mergePart(v *tree.Value, text []byte) {
	if !e.Format.Dialect.Resource {
		e.mergeText(v, v.Start, text)
	} else if is, _, ok := e.Format.NameAt(e.Window, v.Start); !ok || is.Length != int64(len(text)) || !e.SameBytesAt(is.Offset, text) {
		e.Out = nil
		e.PutPart(text)
		e.Put(v.Start, v.Tail-v.Start, e.Out)
	}
}
