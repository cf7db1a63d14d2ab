package variantedit

import (
	"cmp"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// mergeChildren changes what differs between the children of n and those of a literal. Children are matched by their
// keys, or by their places where they have none; an entry that has another place in the literal is written anew.
func (e *Editing) mergeChildren(n *tree.Node, l *literal.Literal) error {
	m := merging{Editing: e, in: n, l: l, each: 1}
	switch types.Of(n.Type).Shape {
	case types.ShapePath:
		return e.mergePath(n, l)
	case types.ShapeObject:
		class := tree.Value{Tail: n.Body - 4}
		if err := e.mergeText(&class, n.Head+4, l.Text); err != nil {
			return err
		}
	}
	if n.Layout == tree.Pairs {
		m.each, m.where = 2, map[string][]int{}
		for i := 0; i < len(l.Children); i += 2 {
			key := encode.KeyName(e.Format, e.Text, &l.Children[i], true)
			m.where[key] = append(m.where[key], i)
		}
	}
	err := edit.EachChild(e.Ctx, e.Reader, n, m.child)
	if err == nil {
		err = m.rest()
	}
	if err != nil || n.Type == types.Stream {
		return err
	}
	return e.Recount(&n.Value, m.added)
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
func (m *merging) find(index int64, key *tree.Node) (int, error) {
	if key == nil {
		if index < int64(len(m.l.Children)) {
			return int(index), nil
		}
		return -1, nil
	}
	key, err := m.Reader.Finish(key)
	if err != nil {
		return -1, err
	}
	id, err := m.keyOf(&key.Value, true)
	at := m.where[id]
	for len(at) > 0 && at[0] < m.due {
		at = at[1:]
	}
	if m.where[id] = at; len(at) == 0 || err != nil {
		return -1, err
	}
	return at[0], nil
}

// child changes a child to the item of the literal that belongs to it, or deletes it.
func (m *merging) child(c *tree.Node) error {
	i, err := m.find(c.Slot.Index, m.Reader.Key(c))
	if err != nil {
		return err
	}
	if i < 0 {
		_, at, err := m.Extent(c)
		m.Cut(at.Offset, at.End())
		m.added--
		m.last = c
		return err
	}
	at := c.Start
	if c.KeyAt != tree.Unknown {
		at = c.KeyAt
	}
	if err := m.insert(at, i); err != nil {
		return err
	}
	m.due, m.last = i+m.each, c
	before := len(m.Splices)
	if err := m.mergeChild(c, &m.l.Children[m.due-1]); err != nil || !m.isFrames(&m.in.Value) {
		return err
	}
	return m.lengthen(c.Start, m.Splices[before:])
}

// insert inserts the items of the literal before item upTo at an offset.
func (m *merging) insert(at int64, upTo int) error {
	if upTo <= m.due {
		return nil
	}
	m.added += int64((upTo - m.due) / m.each)
	var all []byte
	for ; m.due < upTo; m.due++ {
		m.Out = nil
		if err := m.Child(m.l, m.due); err != nil {
			return err
		}
		if m.isFrames(&m.in.Value) {
			length, err := m.Format.AppendFrameLength(nil, int64(len(m.Out)))
			if err != nil {
				return err
			}
			all = append(all, length...)
		}
		all = append(all, m.Out...)
	}
	if m.last != nil && len(all) > 0 {
		if bad, err := m.Absorbs(m.last); bad || err != nil {
			return cmp.Or(err, edit.ErrAfterDamage)
		}
	}
	m.Put(at, 0, all)
	return nil
}

// rest inserts the items of the literal after the last child.
func (m *merging) rest() error {
	passed := int64(0)
	if m.last != nil {
		passed = m.last.Slot.Index + 1
	}
	switch {
	case m.each == 2 && passed != m.in.Count: // a key without a value may be the last
		return errors.New("the end of this " + m.Format.TypeName(&m.in.Value) + " is damaged: set its entries one by one, or repair it first")
	case m.due >= len(m.l.Children): // as for most
		return nil
	}
	done, err := m.Reader.Finish(m.in)
	if err != nil {
		return err
	}
	end := done.Tail
	if m.isFrames(&m.in.Value) && m.last != nil {
		end = m.last.End
	}
	return m.insert(end, len(m.l.Children))
}

// mergeChild changes what differs between a child and a literal.
func (e *Editing) mergeChild(c *tree.Node, l *literal.Literal) error {
	if c.Type == types.Entry {
		return e.mergeText(&c.Value, c.Start, l.Text)
	}
	w := e.Format.Constraint(&c.Parent.Value, c.Slot)
	child, fits := encode.Fit(*l, w)
	if child.Kind == types.Int && c.Type == types.Float && w.Any {
		child.Kind = types.Float
	}
	before := len(e.Splices)
	if err := e.merge(c, &child); err != nil {
		return err
	}
	if !fits && len(e.Splices) > before {
		return e.mismatchAt(&c.Parent.Value, c.Slot, &child)
	}
	return nil
}
