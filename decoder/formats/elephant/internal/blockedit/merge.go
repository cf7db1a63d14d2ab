package blockedit

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// merge changes a value to a literal. What does not change keeps its bytes.
func (e *Editor) merge(p *present, l *literal.Literal, at place) error {
	if err := e.readable(p.Node); err != nil {
		return err
	}
	if p.Numbered {
		e.merged[l] = p.Serial
	}
	switch {
	case p.Refers || l.IsAtom() || p.Type == datatype.Skipped:
	case p.Type == datatype.Array && l.Shape == literal.Array:
		return e.mergeArray(p, l)
	case p.Type == datatype.Struct && l.Shape == literal.Struct && e.sameCtor(p.Node, l):
		if p.Layout == tree.Sequence {
			return e.mergeSchema(p, l)
		}
		return e.mergeMembers(p, l)
	}
	if (p.Refers || l.IsAtom()) && e.equals(p, l) {
		return nil
	}
	delete(e.merged, l)
	return e.replace(p.Node, l, at)
}

// replace replaces n, whose end is known, by a new value.
func (e *Editor) replace(n *tree.Node, l *literal.Literal, at place) error {
	if err := e.NeedFor(&n.Value); err != nil {
		return err
	}
	of, whole := at.of, span.Between(n.Start, n.End)
	if n.Flags&block.Tagged != 0 {
		if is := e.kept(n, l); is == n.Type && n.Flags&block.OldTag == 0 { // the tag stays
			of, whole = is, span.Between(e.Block.TagsEnd(e.Window, &n.Value), n.End)
		}
	}
	b, err := e.encode(l, of)
	if err != nil {
		return e.bySchema(at, l, err)
	}
	e.Put(&n.Parent.Value, whole, part{new: b})
	e.dead = append(e.dead, whole)
	return nil
}

// bySchema adds the schema to an error if the schema is the reason why a literal does not fit.
func (e *Editor) bySchema(at place, l *literal.Literal, err error) error {
	if message := e.fits(l, at.of); at.schema && message != "" {
		return e.refuse(l, "the schema says "+datatype.Name(at.of)+": "+message)
	}
	return err
}

// kept returns the datatype of a literal that replaces a tagged value: the old one if the literal is a
// number or text that fits it and names no datatype.
func (e *Editor) kept(n *tree.Node, l *literal.Literal) datatype.ID {
	if l.Of == 0 && e.fits(l, n.Type) == "" {
		return n.Type
	}
	return e.natural(l)
}

// mergeArray changes an array to a literal. Equal elements at its beginning and end stay; those between are
// paired by position.
func (e *Editor) mergeArray(p *present, l *literal.Literal) error {
	old, new := len(p.kids), len(l.Items)
	if new == 0 || old == 0 {
		return e.refill(p.Node, old, l)
	}
	head, tail := e.equalEnds(p, l)
	pairs := min(old, new) - head - tail
	c := arrayChange{e: e, array: p.Node, of: datatype.ID(p.Sub)}
	if !e.stays(p, l, head, pairs, tail) {
		return e.refill(p.Node, old, l)
	}
	for _, item := range l.Items {
		c.widens = c.widens || e.fits(item, c.of) != ""
	}
	for i := range old {
		kid := p.kids[i]
		var item *literal.Literal
		switch {
		case i < head+pairs:
			item = l.Items[i]
		case i >= old-tail:
			item = l.Items[new-old+i]
		}
		if i == head+pairs {
			if err := c.insert(kid.Start, l.Items[i:new-tail]); err != nil {
				return err
			}
		}
		if err := c.element(kid, item); err != nil {
			return err
		}
	}
	if head+pairs == old {
		if err := c.insert(p.Tail, l.Items[old:new-tail]); err != nil {
			return err
		}
	}
	return c.finish(int64(new))
}

// equalEnds returns how many elements at the beginning and at the end of an array are equal to those of a literal with
// another number of them.
func (e *Editor) equalEnds(p *present, l *literal.Literal) (head, tail int) {
	old, new := len(p.kids), len(l.Items)
	if old == new {
		return 0, 0
	}
	for head < min(old, new) && e.equals(p.kids[head], l.Items[head]) {
		head++
	}
	for tail < min(old, new)-head && e.equals(p.kids[old-1-tail], l.Items[new-1-tail]) {
		tail++
	}
	return head, tail
}

// stays reports whether any element of an array stays as it is, or keeps the array's common type.
func (e *Editor) stays(p *present, l *literal.Literal, head, pairs, tail int) bool {
	if head+tail > 0 || p.Sub == uint32(datatype.Any) {
		return true
	}
	for i := range pairs {
		if e.fits(l.Items[i], datatype.ID(p.Sub)) == "" || e.equals(p.kids[i], l.Items[i]) {
			return true
		}
	}
	return false
}

// refill replaces all elements of an array. An empty array has no element tag.
func (e *Editor) refill(array *tree.Node, old int, l *literal.Literal) error {
	if old == 0 && len(l.Items) == 0 {
		return nil
	}
	if err := e.NeedFor(&array.Value); err != nil {
		return err
	}
	if err := e.SetCount(&array.Value, int64(len(l.Items))); err != nil {
		return err
	}
	body := span.Between(array.Body, array.Tail)
	if array.Sub != 0 {
		body = span.Between(array.Body-1, array.Tail)
	}
	if len(l.Items) == 0 {
		e.Remove(&array.Value, body)
		return nil
	}
	of := e.common(l.Items)
	parts := []part{{new: &fragment{b: []byte{e.Tag(of)}}}}
	for _, item := range l.Items {
		b, err := e.encode(item, of)
		if err != nil {
			return err
		}
		parts = append(parts, part{new: b})
	}
	e.Put(&array.Value, body, parts...)
	e.dead = append(e.dead, body)
	return nil
}

// mergeMembers changes a struct that is stored with names to a literal.
func (e *Editor) mergeMembers(p *present, l *literal.Literal) error {
	byName := map[string]int{}
	times := numberNames()
	for i, kid := range p.kids {
		byName[times(kid.name)] = i
	}
	kept := make([]int, len(l.Items)) // for each member of the literal the index of the old member, -1 if it is new
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
		if err := e.merge(p.kids[old], l.Items[i], placeOf(e.Block, p.Node, int64(old))); err != nil {
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

// numberNames returns a function that makes repeated names distinct.
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

// leaveOut makes a member of any type undefined, unless it is skipped.
func (e *Editor) leaveOut(kid *present, at place) error {
	if kid.Type == datatype.Skipped {
		return nil
	}
	return e.merge(kid, &literal.Literal{Shape: literal.Undefined}, at)
}

// mergeSchema changes a struct with a schema to a literal. Members missing in the literal are skipped, or
// undefined if the schema allows any type.
func (e *Editor) mergeSchema(p *present, l *literal.Literal) error {
	if repeated := repeatedName(l.Names); repeated != nil {
		return e.refuse(l, "the name "+literal.Shown(string(repeated))+" occurs twice in a struct")
	}
	byName := map[string]*literal.Literal{}
	for i, item := range l.Items {
		byName[string(l.Names[i])] = item
	}
	for i, kid := range p.kids {
		item, at := byName[string(kid.name)], placeOf(e.Block, p.Node, int64(i))
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
			return e.refuse(l.Items[i], fmt.Sprintf("%s has no member %s", e.Block.AppendCtor(nil, &p.Value), literal.Shown(string(name))))
		}
	}
	return nil
}

// SkipList returns the span of a struct's list of skipped members, without the zero at its
// end.
func (e *Editor) SkipList(v *tree.Value) span.Span {
	return span.Between(e.Block.VersionAt(e.Window, v)+1, v.Body-2)
}

// Skip leaves out a member of a schema, so that it has its default.
func (e *Editor) Skip(n *tree.Node) error {
	v := &n.Parent.Value
	switch {
	case n.Type == datatype.Skipped:
		return nil
	case !e.Block.Rules.Skips:
		return fmt.Errorf("%s: Elephant %s cannot leave out a member of a schema; 1.5.0 and later can", e.Reader.Path(n), e.Block.Rules.Name)
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
	for at < list.End() && int64(e.Window.U16(at)) <= n.Slot.Index {
		at += 2
	}
	e.PutBytes(v, at, 0, binary.LittleEndian.AppendUint16(nil, uint16(n.Slot.Index+1))...)
	e.Remove(v, span.Between(n.Start, n.End))
	return nil
}

// store gives a skipped member a value.
func (e *Editor) store(n *tree.Node, l *literal.Literal) error {
	v, at := &n.Parent.Value, placeOf(e.Block, n.Parent, n.Slot.Index)
	b, err := e.encode(l, at.of)
	if err != nil {
		return e.bySchema(at, l, err)
	}
	list := e.SkipList(v)
	for off := list.Offset; off < list.End(); off += 2 {
		if int64(e.Window.U16(off)) == n.Slot.Index+1 {
			e.Put(v, span.Span{Offset: off, Length: 2})
		}
	}
	e.Put(v, span.Span{Offset: n.Start}, part{new: b})
	return nil
}

// An arrayChange changes elements of an array one after the other. If it widens, the common type becomes
// any, and all elements get their own tags.
type arrayChange struct {
	e      *Editor
	array  *tree.Node
	of     datatype.ID // common type of the elements
	widens bool
}

// place returns the place of an element.
func (c *arrayChange) place() place {
	if c.widens {
		return place{of: datatype.Any}
	}
	return place{of: c.of}
}

// element replaces an element by a literal, or deletes it if the literal is nil.
func (c *arrayChange) element(p *present, l *literal.Literal) error {
	switch {
	case l == nil:
		return c.remove(p.Node)
	case !c.widens:
		return c.e.merge(p, l, c.place())
	}
	if c.e.fits(l, c.of) == "" {
		c.tag(p.Start)
		return c.e.merge(p, l, place{of: c.of})
	}
	return c.e.replace(p.Node, l, c.place())
}

// remove deletes an element.
func (c *arrayChange) remove(n *tree.Node) error {
	if err := c.e.NeedFor(&n.Value); err != nil {
		return err
	}
	c.e.Remove(&c.array.Value, span.Between(n.Start, n.End))
	return nil
}

// tag puts the tag of the common type before an element.
func (c *arrayChange) tag(at int64) {
	c.e.PutBytes(&c.array.Value, at, 0, c.e.Tag(c.of))
}

// insert inserts new elements.
func (c *arrayChange) insert(at int64, items []*literal.Literal) error {
	for _, item := range items {
		b, err := c.e.encode(item, c.place().of)
		if err != nil {
			return err
		}
		c.e.Put(&c.array.Value, span.Span{Offset: at}, part{new: b})
		c.e.filled[c.array.Body] = true
	}
	return nil
}

// finish writes the new number of elements, and the common type if it has changed.
func (c *arrayChange) finish(count int64) error {
	v := &c.array.Value
	switch {
	case count == 0:
		c.e.Remove(v, span.Between(v.Body-1, v.Body))
	case c.widens:
		c.e.PutBytes(v, v.Body-1, 1, c.e.Tag(datatype.Any))
		c.e.filled[v.Body] = true
	}
	return c.e.SetCount(v, count)
}

// Widen gives all elements of an array their own tags. other may handle an element instead, and reports
// whether it did.
func (e *Editor) Widen(array *tree.Node, other func(n *tree.Node) (bool, error)) error {
	if e.filled[array.Body] {
		return errors.New("this changes the array " + e.Reader.Path(array) + " in two ways at once; do it in two steps")
	}
	c := arrayChange{e: e, array: array, of: datatype.ID(array.Sub), widens: true}
	err := e.EachChild(array, func(n *tree.Node) error {
		done, err := other(n)
		if !done {
			c.tag(n.Start)
		}
		return err
	})
	if err != nil {
		return err
	}
	e.PutBytes(&array.Value, array.Body-1, 1, e.Tag(datatype.Any))
	e.filled[array.Body] = true
	return nil
}

// EachChild calls each for the children of n, with known ends.
func (e *Editor) EachChild(n *tree.Node, each func(*tree.Node) error) error {
	err := edit.EachChild(e.Ctx, e.Reader, n, func(c *tree.Node) error {
		c, err := e.whole(c)
		if err != nil {
			return err
		}
		return each(c)
	})
	return cmp.Or(err, e.Window.Err())
}
