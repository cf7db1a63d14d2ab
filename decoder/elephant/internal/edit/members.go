package edit

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// mergeMembers changes a struct that is stored with names to a literal.
func (e *Editor) mergeMembers(p *present, l *literal.Literal) error {
	byName := map[string]int{}
	times := numberNames()
	for i, kid := range p.kids {
		byName[times(kid.name)] = i
	}
	kept := make([]int, len(l.Items)) // which member each of the literal's members is, -1 for a new one
	stays := make([]bool, len(p.kids))
	ascending, last := true, -1
	times = numberNames()
	for i, name := range l.Names {
		key := times(name)
		old, ok := byName[key]
		switch {
		case !ok && key != string(name)+"\x001":
			return e.refuse(l.Items[i], "the name "+literal.Shown(string(name))+" occurs twice in a struct")
		case !ok:
			kept[i] = -1
			continue
		}
		kept[i], stays[old] = old, true
		ascending, last = ascending && old > last, old
		if err := e.merge(p.kids[old], l.Items[i], placeOf(e.f, p.Node, int64(old))); err != nil {
			return err
		}
	}
	if err := e.SetCount(&p.Value, int64(len(l.Items))); err != nil {
		return err
	}
	if ascending {
		return e.mergeInOrder(p, l, kept, stays)
	}
	return e.reorder(p, l, kept, stays)
}

// numberNames distinguishes names that repeat.
func numberNames() func(name []byte) string {
	seen := map[string]int{}
	return func(name []byte) string {
		seen[string(name)]++
		return string(name) + "\x00" + strconv.Itoa(seen[string(name)])
	}
}

// mergeInOrder deletes the members that do not stay and inserts new ones at their positions
// in the literal.
func (e *Editor) mergeInOrder(p *present, l *literal.Literal, kept []int, stays []bool) error {
	for i, kid := range p.kids {
		if !stays[i] {
			if err := e.dropMember(p, kid); err != nil {
				return err
			}
		}
	}
	before := p.Tail
	at := make([]int64, len(kept))
	for i := len(kept) - 1; i >= 0; i-- {
		if at[i] = before; kept[i] >= 0 {
			before = p.kids[kept[i]].KeyAt
		}
	}
	for i, item := range l.Items {
		if kept[i] < 0 {
			b, err := e.member(l.Names[i], item)
			if err != nil {
				return err
			}
			e.Put(&p.Value, span.Span{Offset: at[i]}, part{new: b})
		}
	}
	return nil
}

func (e *Editor) dropMember(p, kid *present) error {
	if err := e.NeedFor(&kid.Value); err != nil {
		return err
	}
	e.Remove(&p.Value, Entry(kid.Node))
	return nil
}

// reorder puts the members of a struct in another order.
func (e *Editor) reorder(p *present, l *literal.Literal, kept []int, stays []bool) error {
	if err := e.NeedFor(&p.Value); err != nil {
		return err
	}
	var parts []part
	for i, item := range l.Items {
		if kept[i] >= 0 {
			parts = append(parts, part{old: Entry(p.kids[kept[i]].Node)})
			continue
		}
		b, err := e.member(l.Names[i], item)
		if err != nil {
			return err
		}
		parts = append(parts, part{new: b})
	}
	for i, kid := range p.kids {
		if !stays[i] {
			e.dead = append(e.dead, Entry(kid.Node))
		}
	}
	e.Put(&p.Value, span.Between(p.Body, p.Tail), parts...)
	return nil
}

// member writes a name and its value.
func (e *Editor) member(name []byte, l *literal.Literal) (*fragment, error) {
	if err := e.needToWrite(l); err != nil {
		return nil, err
	}
	c := encoder{e: e}
	c.text(name)
	c.value(l, datatype.Any)
	return &c.fragment, c.err
}

// leaveOut makes a member of any type undefined, if it is not skipped.
func (e *Editor) leaveOut(kid *present, at place) error {
	if kid.Type == datatype.Skipped {
		return nil
	}
	return e.merge(kid, &literal.Literal{Shape: literal.Undefined}, at)
}

// mergeSchema changes a struct that a schema lays out to a literal. Members that the
// literal leaves out are skipped, or undefined if the schema allows any type.
func (e *Editor) mergeSchema(p *present, l *literal.Literal) error {
	if repeated := repeatedName(l.Names); repeated != nil {
		return e.refuse(l, "the name "+literal.Shown(string(repeated))+" occurs twice in a struct")
	}
	byName := map[string]*literal.Literal{}
	for i, item := range l.Items {
		byName[string(l.Names[i])] = item
	}
	for i, kid := range p.kids {
		item, at := byName[string(kid.name)], placeOf(e.f, p.Node, int64(i))
		delete(byName, string(kid.name))
		var err error
		switch {
		case item == nil && (kid.Type == datatype.Skipped || at.isTagged()): // as in a new struct
			err = e.leaveOut(kid, at)
		case item == nil || item.Shape == literal.Default:
			err = e.Skip(kid.Node)
		case kid.Type == datatype.Skipped:
			err = e.store(kid.Node, item)
		default:
			err = e.merge(kid, item, at)
		}
		if err != nil {
			return err
		}
	}
	for i, name := range l.Names {
		if byName[string(name)] != nil {
			return e.refuse(l.Items[i], fmt.Sprintf("%s has no member %s", e.f.AppendCtor(nil, &p.Value), literal.Shown(string(name))))
		}
	}
	return nil
}

// SkipList returns the span of a struct's list of skipped members, without the zero at its
// end.
func (e *Editor) SkipList(v *tree.Value) span.Span {
	return span.Between(e.f.VersionAt(e.w, v)+1, v.Body-2)
}

// Skip leaves out a member of a schema, so that it has its default.
func (e *Editor) Skip(n *tree.Node) error {
	v := &n.Parent.Value
	switch {
	case n.Type == datatype.Skipped:
		return nil
	case !e.f.Rules.Skips:
		return fmt.Errorf("%s: Elephant %s cannot leave out a member of a schema; 1.5.0 and later can", e.r.Path(n), e.f.Rules.Name)
	}
	n, err := e.whole(n)
	if err == nil {
		err = e.NeedFor(&n.Value)
	}
	if err != nil {
		return err
	}
	list := e.SkipList(v)
	at := list.Offset
	for at < list.End() && int64(e.w.U16(at)) <= n.Slot.Index {
		at += 2
	}
	e.PutBytes(v, at, 0, binary.LittleEndian.AppendUint16(nil, uint16(n.Slot.Index+1))...)
	e.Remove(v, span.Between(n.Start, n.End))
	return nil
}

// store gives a skipped member a value.
func (e *Editor) store(n *tree.Node, l *literal.Literal) error {
	v, at := &n.Parent.Value, placeOf(e.f, n.Parent, n.Slot.Index)
	b, err := e.encode(l, at.of)
	if err != nil {
		return e.bySchema(at, l, err)
	}
	list := e.SkipList(v)
	for off := list.Offset; off < list.End(); off += 2 {
		if int64(e.w.U16(off)) == n.Slot.Index+1 {
			e.Put(v, span.Span{Offset: off, Length: 2})
		}
	}
	e.Put(v, span.Span{Offset: n.Start}, part{new: b})
	return nil
}
