// Package damage finds fields that may be the cause of damage, and repairs problems.
package damage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/formats/godot/internal/variantedit"
)

// errNoSuchProblem is returned if the value does not have the problem.
var errNoSuchProblem = errors.New("this value has no such problem")

// A repairing is an edit that repairs a problem.
type repairing struct {
	*variantedit.Editing
	n     *tree.Node
	p     *span.Problem
	drops string
	whole bool // the length of the frame has been set
}

// A Judge implements edit.Repairer and the interfaces of package diagnose.
type Judge struct{ *variant.Format }

// Repair implements edit.Repairer.
func (f Judge) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	m := &repairing{Editing: variantedit.Begin(ctx, f.Format, r, edit.Options{}), n: n, p: p}
	if p.Offset < 0 || p.Length < 0 || p.End() > m.Window.Size() {
		return edit.Repair{}, errors.New("the problem is outside the bytes")
	}
	if repair := repairs[p.Code]; repair != nil {
		repair(m)
	} else {
		m.Keep(fmt.Errorf("there is no repair for %s", p.Code))
	}
	if m.whole {
		m.n = nil
	}
	splices, err := m.Done(m.n)
	if err != nil {
		return edit.Repair{}, err
	}
	at := int64(0)
	for i := range splices {
		if splices[i].Offset < at || splices[i].Length < 0 || splices[i].End() > m.Window.Size() {
			return edit.Repair{}, errNoSuchProblem
		}
		at = splices[i].End()
	}
	return edit.Repair{Splices: splices, Loss: m.drops}, nil
}

// repairs are the repairs by the codes of problems.
var repairs = map[string]func(m *repairing){
	span.Truncated:      (*repairing).closeEnd,
	span.LengthOverrun:  (*repairing).closeEnd,
	span.MissingValue:   (*repairing).closeEnd,
	span.MissingPadding: (*repairing).closeEnd,
	span.NegativeLength: func(m *repairing) {
		if types.Of(m.n.Type).Shape != types.ShapeStrings || m.n.Count != 0 {
			m.closeEnd()
		} else {
			m.PutU32(m.p.Offset, 0)
		}
	},
	span.TrailingBytes:  func(m *repairing) { m.Cut(m.p.Offset, m.p.End()) },
	span.NonZeroPadding: func(m *repairing) { m.Put(m.p.Offset, m.p.Length, make([]byte, min(m.p.Length, 3))) },
	span.BoolValue:      func(m *repairing) { m.PutU32(m.p.Offset, 1) },
	span.HighTypeBits:   func(m *repairing) { m.Put(m.p.Offset+1, 1, []byte{0}) },
	span.UnknownFlags:   (*repairing).flags,
	span.SharedBit:      func(m *repairing) { m.PutU32(m.p.Offset, m.Window.U32(m.p.Offset)&^types.SharedBit) },
	span.InvalidUTF8:    (*repairing).text,
	span.ByteOrderMark:  (*repairing).text,
	span.NulInText:      (*repairing).text,
	span.MissingNul:     (*repairing).terminate,
	span.OldNodePath:    (*repairing).upgradePath,
	span.ElementType:    (*repairing).element,
	span.ContainerType:  func(m *repairing) { m.untype(m.n, m.p.Offset) },
	span.RepeatedKey:    (*repairing).repeatedKey,
	span.WideNumber:     (*repairing).narrow,
	span.NullObject: func(m *repairing) {
		v := &m.n.Value
		if types.Of(v.Type).Shape != types.ShapeObject || v.Damage != nil || v.Layout != tree.Leaf {
			m.Keep(errNoSuchProblem)
			return
		}
		m.Put(v.Head, v.Tail-v.Head, make([]byte, 4))
	},
}

// flags clears flags without meaning.
func (m *repairing) flags() {
	v, at := &m.n.Value, m.p.Offset
	if m.p.Length == 4 { // of a NodePath
		flags := m.Window.U32(at)
		if v.Type != types.NodePath || v.Layout != tree.Sequence {
			m.Keep(errNoSuchProblem)
		} else if flags&2 != 0 {
			m.RecountPath(v, 0, 1, flags&1)
		} else {
			m.PutU32(at, flags&1)
		}
		return
	}
	flags := uint16(0)
	if at == v.Head+2 {
		flags = v.Flags & m.Format.Dialect.KnownFlags(v.Type)
	}
	m.Put(at, 2, []byte{byte(flags), byte(flags >> 8)})
}

// narrow stores a number in 32 bits.
func (m *repairing) narrow() {
	v := &m.n.Value
	if v.Type != types.Int && v.Type != types.Float || v.Damage != nil || !m.Format.IsWide(m.Window, v) {
		m.Keep(errNoSuchProblem)
		return
	}
	flags := v.Flags &^ types.WideFlag
	m.Put(v.Head+2, 2, []byte{byte(flags), byte(flags >> 8)})
	m.Put(v.Head+4, 8, m.number(v, v.Type)[4:])
}

// number returns the bytes of v, an int or a float, as an engine would store it as one of a type.
func (m *repairing) number(v *tree.Value, as types.ID) []byte {
	m.Out = nil
	switch {
	case as == v.Type && as == types.Float:
		m.PutFloat(variant.Float(m.Window, v))
	case as == types.Float:
		m.PutFloat(float64(variant.Int(m.Window, v)))
	case as == v.Type:
		m.PutInt(variant.Int(m.Window, v))
	default:
		m.PutInt(int64(variant.Float(m.Window, v)))
	}
	return m.Out
}

// element converts a number in a typed container to the type that the container
// accepts, or makes the container untyped.
func (m *repairing) element() {
	n := m.n
	if n.Parent == nil || n.Parent.Sub == 0 {
		m.Keep(errNoSuchProblem)
		return
	}
	if is := m.Format.Constraint(&n.Parent.Value, n.Slot).T; variant.ConvertsExactly(m.Window, &n.Value, is) {
		m.Put(n.Head, n.Tail-n.Head, m.number(&n.Value, is))
		return
	}
	at := n.Parent.Head + 4
	if n.Parent.Type == types.Dictionary && !n.Slot.Key {
		_, at = m.Format.ContainerType(m.Window, at, n.Parent.Flags&3)
	}
	m.untype(n.Parent, at)
}

// untype removes the type of elements, keys or values at an offset from a container.
func (m *repairing) untype(c *tree.Node, at int64) {
	v := &c.Value
	if v.Damage != nil {
		m.Keep(errors.New("the container cannot be read"))
		return
	}
	elem, value := m.Format.ContainerTypes(m.Window, v)
	switch types.Of(v.Type).Shape {
	case types.ShapeTyped:
		m.PutU32(v.Head+4, 0)
		m.Cut(v.Head+8, v.Body-4) // a class
		m.noteLostType("element", elem)
	case types.ShapeArray:
		m.clearType(v, 3, v.Head+4, v.Body-4)
		m.noteLostType("element", elem)
	case types.ShapeDict:
		_, valueType := m.Format.ContainerType(m.Window, v.Head+4, v.Flags&3)
		if at < valueType {
			m.clearType(v, 3, v.Head+4, valueType)
			m.noteLostType("key", elem)
		} else {
			m.clearType(v, 12, valueType, v.Body-4)
			m.noteLostType("value", value)
		}
	default:
		m.Keep(errNoSuchProblem)
	}
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
func (m *repairing) repeatedKey() {
	key := m.n
	if key.Parent == nil || !key.Slot.Key || key.Damage != nil || key.Layout >= tree.Sequence {
		m.Keep(errNoSuchProblem)
		return
	}
	value := m.wholeValue(key)
	if value == nil { // it is incomplete, and nothing follows
		m.cutKey()
		return
	}
	first := m.firstValue(key)
	if first == nil {
		return
	}
	m.drops = fmt.Sprintf("the first of two values of %s: %s", m.literal(&key.Value), m.literal(&first.Value))
	m.Replace(first.Start, first.End, m.Padded(m.Reader.Tree.Source, value.Start, value.End))
	m.Cut(key.Start, value.End)
	m.Recount(&key.Parent.Value, -1)
}

// wholeValue returns the value of a key, with a known end; nil if it is missing or incomplete.
func (m *repairing) wholeValue(key *tree.Node) *tree.Node {
	s := m.Reader.ScanAfter(key)
	ev := s.Next()
	if ev == tree.Done || ev == tree.Leave {
		return nil
	}
	n := s.Current(ev)
	if ev != tree.Enter {
		if n.Damage != nil && n.End == n.Limit {
			n = nil
		}
		return n
	}
	whole := *n
	s = m.Reader.ScanChildren(n) // keeps the ends of large values, so that nested ones are not passed twice
	err := s.Run(m.Ctx, func(ev tree.Event) bool {
		whole.Value = *s.Value()
		return ev != tree.Leave || s.Depth() > n.Depth
	})
	if !m.Keep(err) || !s.IsClean() {
		return nil
	}
	return &whole
}

// firstValue returns the value of the first entry with the same key; nil with an error.
func (m *repairing) firstValue(key *tree.Node) *tree.Node {
	length := key.End - key.Start
	same := bytes.Clone(m.Format.KeyIdentity(&key.Value, m.Bytes(key.Start, length)))
	c, err := m.Reader.Child(key.Parent, 0)
	for ; err == nil && m.Ctx.Err() == nil; c, err = m.Reader.Next(c) {
		other := m.Reader.Key(c)
		if other.Start >= key.Start {
			break
		}
		if other.Layout < tree.Sequence && other.End-other.Start == length && bytes.Equal(m.Format.KeyIdentity(&other.Value, m.Bytes(other.Start, length)), same) {
			return m.Finish(c)
		}
	}
	m.Keep(cmp.Or(m.Ctx.Err(), errors.New("no other entry has this key")))
	return nil
}

// cutKey cuts off a key and everything after it, as its value is incomplete.
func (m *repairing) cutKey() {
	key := m.n
	top := key
	for top.Depth > 1 {
		top = top.Parent
	}
	tip := m.tip(top)
	if m.Err != nil {
		return
	}
	cut := key
	if outer := lastKey(top, key); outer != nil {
		cut = outer
	}
	m.closeAt(top, tip, cut)
	m.drops = fmt.Sprintf("the last entry %s, whose value is incomplete", m.literal(&cut.Value))
}

// text repairs the characters of a string.
func (m *repairing) text() {
	for _, f := range m.Format.Fields(m.Window, nil, &m.n.Value, nil) {
		if f.Kind != span.Text || !f.Contains(m.p.Offset) {
			continue
		}
		m.rewriteText(f.Offset-4, func(text []byte) []byte {
			switch m.p.Code {
			case span.InvalidUTF8:
				return validText(m.Format, text)
			case span.NulInText:
				return bytes.ReplaceAll(text, []byte{0}, nil)
			}
			return bytes.TrimLeft(text, "\ufeff")
		})
		return
	}
	m.Keep(errors.New("there is no string there"))
}

// validText replaces each invalid byte by U+FFFD.
func validText(f *variant.Format, text []byte) []byte {
	valid := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		if n := f.RuneSize(text); n > 0 {
			valid = append(valid, text[:n]...)
			text = text[n:]
			continue
		}
		valid = utf8.AppendRune(valid, utf8.RuneError)
		text = text[1:]
	}
	return valid
}

// rewriteText changes the characters of the string at an offset.
func (m *repairing) rewriteText(off int64, change func([]byte) []byte) {
	n := int64(m.Window.U32(off))
	start, end := off+4, min(off+4+n+types.Pad(n), m.n.Limit)
	nul := m.n.Type == types.Entry && n > 0 && m.Window.Byte(start+n-1) == 0
	if nul {
		n--
	}
	if n > variant.MaxRewritten || start+n > m.n.Limit {
		m.Keep(errors.New("the string is too long to rewrite"))
		return
	}
	m.Out = nil
	m.Entry(change(m.Bytes(start, n)), nul)
	m.Put(off, end-off, m.Out)
}

// terminate adds the NUL that the length of a packed string should count.
func (m *repairing) terminate() {
	v := &m.n.Value
	if v.Type != types.Entry || v.Damage != nil {
		m.Keep(errNoSuchProblem)
		return
	}
	n := int64(m.Window.U32(v.Start))
	end := v.Start + 4 + n
	m.PutU32(v.Start, uint32(n+1))
	m.Put(end, v.Tail-end, make([]byte, 1+types.Pad(n+1)))
}

// upgradePath writes a NodePath in the current form.
func (m *repairing) upgradePath() {
	v := &m.n.Value
	if v.Type != types.NodePath || v.Layout != tree.Leaf || v.Damage != nil {
		m.Keep(errNoSuchProblem)
		return
	}
	p, ok := variant.OldPath(m.Window, v)
	if !ok {
		m.Keep(errors.New("a subname of this path is empty, or the path is too long to rewrite"))
	}
	m.Out = nil
	m.PutPath(&p)
	m.Put(v.Head+4, v.Tail-v.Head-4, m.Out)
}
