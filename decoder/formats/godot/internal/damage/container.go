package damage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// element converts a number in a typed container to the type that the container
// accepts, or makes the container untyped.
func (m *repairing) element() error {
	n := m.n
	if n.Parent == nil || n.Parent.Sub == 0 {
		return errNoSuchProblem
	}
	if is := m.Format.Constraint(&n.Parent.Value, n.Slot).T; variant.ConvertsExactly(m.Window, &n.Value, is) {
		m.Put(n.Head, n.Tail-n.Head, m.number(&n.Value, is))
		return nil
	}
	at := n.Parent.Head + 4
	if n.Parent.Type == types.Dictionary && !n.Slot.Key {
		_, at = m.Format.ContainerType(m.Window, at, n.Parent.Flags&3)
	}
	return m.untype(n.Parent, at)
}

// untype removes the type of elements, keys or values at an offset from a container.
func (m *repairing) untype(c *tree.Node, at int64) error {
	v := &c.Value
	if v.Damage != nil {
		return errors.New("the container cannot be read")
	}
	elem, value := m.Format.ContainerTypes(m.Window, v)
	switch types.Of(v.Type).Shape {
	case types.ShapeTyped:
		m.PutU32(v.Head+4, 0)
		m.Cut(v.Head+8, v.Body-4) // a class
		m.noteLostType("element", elem)
		return nil
	case types.ShapeArray:
		m.clearType(v, 3, v.Head+4, v.Body-4)
		m.noteLostType("element", elem)
		return nil
	case types.ShapeDict:
		_, valueType := m.Format.ContainerType(m.Window, v.Head+4, v.Flags&3)
		if at < valueType {
			m.clearType(v, 3, v.Head+4, valueType)
			m.noteLostType("key", elem)
		} else {
			m.clearType(v, 12, valueType, v.Body-4)
			m.noteLostType("value", value)
		}
		return nil
	}
	return errNoSuchProblem
}

// clearType clears flags of a container and removes the bytes that belong to them.
func (m *repairing) clearType(v *tree.Value, flags uint16, from, to int64) {
	flags = v.Flags &^ flags
	m.Put(v.Head+2, 2, []byte{byte(flags), byte(flags >> 8)})
	m.Cut(from, to)
}

// noteLostType records that a type is lost, if it is one.
func (m *repairing) noteLostType(what string, c types.ContainerType) {
	if _, ok := types.TypeByName(c.Name); ok || c.Kind != types.KindBuiltin {
		m.drops = fmt.Sprintf("the %s type %s of the container", what, c.Text())
	}
}

// repeatedKey does what engines do: the first of two entries with the same key gets
// the value of the second, which is removed.
func (m *repairing) repeatedKey() error {
	key := m.n
	if key.Parent == nil || !key.Slot.Key || key.Damage != nil || key.Layout >= tree.Sequence {
		return errNoSuchProblem
	}
	value, err := m.wholeValue(key)
	if err != nil {
		return err
	}
	if value == nil { // it is incomplete, and nothing follows
		return m.cutKey()
	}
	first, err := m.firstValue(key)
	if err != nil {
		return err
	}
	m.drops = fmt.Sprintf("the first of two values of %s: %s", m.literal(&key.Value), m.literal(&first.Value))
	m.Replace(first.Start, first.End, m.Padded(m.Reader.Tree.Source, value.Start, value.End))
	m.Cut(key.Start, value.End)
	return m.Recount(&key.Parent.Value, -1)
}

// wholeValue returns the value of a key, with a known end; nil if it is missing or incomplete.
func (m *repairing) wholeValue(key *tree.Node) (*tree.Node, error) {
	s := m.Reader.ScanAfter(key)
	ev := s.Next()
	if ev == tree.Done || ev == tree.Leave {
		return nil, nil
	}
	n := s.Current(ev)
	if ev != tree.Enter {
		if n.Damage != nil && n.End == n.Limit {
			n = nil
		}
		return n, nil
	}
	whole := *n
	s = m.Reader.ScanChildren(n) // keeps the ends of large values, so that nested ones are not passed twice
	err := s.Run(m.Ctx, func(ev tree.Event) bool {
		whole.Value = *s.Value()
		return ev != tree.Leave || s.Depth() > n.Depth
	})
	if err != nil || !s.IsClean() {
		return nil, err
	}
	return &whole, nil
}

// firstValue returns the value of the first entry with the same key.
func (m *repairing) firstValue(key *tree.Node) (*tree.Node, error) {
	length := key.End - key.Start
	same := bytes.Clone(m.Format.KeyIdentity(&key.Value, m.Bytes(key.Start, length)))
	c, err := m.Reader.Child(key.Parent, 0)
	for ; err == nil && m.Ctx.Err() == nil; c, err = m.Reader.Next(c) {
		other := m.Reader.Key(c)
		if other.Start >= key.Start {
			break
		}
		if other.Layout < tree.Sequence && other.End-other.Start == length && bytes.Equal(m.Format.KeyIdentity(&other.Value, m.Bytes(other.Start, length)), same) {
			return m.Reader.Finish(c)
		}
	}
	return nil, cmp.Or(m.Ctx.Err(), errors.New("no other entry has this key"))
}

// cutKey cuts off a key and everything after it, as its value is incomplete.
func (m *repairing) cutKey() error {
	key := m.n
	top := key
	for top.Depth > 1 {
		top = top.Parent
	}
	tip, err := m.tip(top)
	if err != nil {
		return err
	}
	cut := key
	if outer := lastKey(top, key); outer != nil {
		cut = outer
	}
	if err := m.closeAt(top, tip, cut); err != nil {
		return err
	}
	m.drops = fmt.Sprintf("the last entry %s, whose value is incomplete", m.literal(&cut.Value))
	return nil
}
