package blockedit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// merge changes a value to a literal. What does not change keeps its bytes.
func (e *Editor) merge(p *present, l *literal.Literal, at place) {
	if !e.readable(p.Node) {
		return
	}
	if !e.keeps(p, l) {
		e.replace(p.Node, l, at)
		return
	}
	if p.Numbered {
		note(&e.merged, l, p.Serial)
	}
	switch {
	case p.Refers || l.IsAtom():
	case p.Type == datatype.Array:
		e.mergeArray(p, l)
	case p.Layout == tree.Sequence:
		e.mergeSchema(p, l)
	default:
		e.mergeMembers(p, l)
	}
}

// keeps reports whether a value stays when it becomes a literal, and changes only inside.
func (e *Editor) keeps(p *present, l *literal.Literal) bool {
	switch {
	case p.Refers || l.IsAtom() || p.Type == datatype.Skipped:
		return e.equals(p, l)
	case p.Type == datatype.Array:
		return l.Shape == literal.Array
	}
	return p.Type == datatype.Struct && l.Shape == literal.Struct && e.sameCtor(p.Node, l)
}

// replace replaces n, whose end is known, by a new value.
func (e *Editor) replace(n *tree.Node, l *literal.Literal, at place) {
	e.NeedFor(&n.Value)
	of, whole := at.of, span.Between(n.Start, n.End)
	if n.Flags&block.Tagged != 0 {
		if is := e.kept(n, l); is == n.Type && n.Flags&block.OldTag == 0 { // the tag stays
			of, whole = is, span.Between(e.Block.TagsEnd(e.Window, &n.Value), n.End)
		}
	}
	e.Keep(e.bySchema(at, l))
	e.Put(&n.Parent.Value, whole, part{new: e.encode(l, of)})
	e.dead = append(e.dead, whole)
}

// bySchema returns an error if a schema says that a literal does not fit.
func (e *Editor) bySchema(at place, l *literal.Literal) error {
	if message := e.fits(l, at.of); at.schema && message != "" {
		return e.refuse(l, "the schema says "+datatype.Name(at.of)+": "+message)
	}
	return nil
}

// kept returns the datatype of a literal that replaces a tagged value: the old one if the literal is a
// number or text that fits it and names no datatype.
func (e *Editor) kept(n *tree.Node, l *literal.Literal) datatype.ID {
	if l.Of == 0 && e.fits(l, n.Type) == "" {
		return n.Type
	}
	return e.natural(l)
}

// A slot is a child of a container as it will be: one that stays, or a new value.
type slot struct {
	kid  *present
	lead []byte           // what precedes it
	is   *literal.Literal // new value, if there is no kid
	of   datatype.ID      // its datatype; Any if it gets a tag
}

// rebuild puts children in the place of all children of a container, after head in its bytes from an offset on.
func (e *Editor) rebuild(p *present, at int64, head []byte, slots []slot) {
	e.NeedFor(&p.Value)
	stays := map[*present]bool{}
	parts := []part{{new: &fragment{b: head}}}
	for _, s := range slots {
		parts = append(parts, part{new: &fragment{b: s.lead}})
		if s.kid != nil {
			stays[s.kid] = true
			parts = append(parts, part{old: Entry(s.kid.Node)})
		} else {
			parts = append(parts, part{new: e.encode(s.is, s.of)})
		}
	}
	for _, kid := range p.kids {
		if !stays[kid] {
			e.dead = append(e.dead, Entry(kid.Node))
		}
	}
	e.Put(&p.Value, span.Between(at, p.Tail), parts...)
	note(&e.filled, p.Body, true)
	e.SetCount(&p.Value, int64(len(slots)))
}

// mergeArray changes an array to a literal. An empty array has no element tag.
func (e *Editor) mergeArray(p *present, l *literal.Literal) {
	was := datatype.ID(p.Sub)
	pairs, of := e.pairUp(p, l)
	if of == was && len(l.Items) == len(p.kids) {
		for i, kid := range p.kids {
			e.merge(kid, l.Items[i], place{of: of})
		}
		return
	}
	var slots []slot
	for i, item := range l.Items {
		slots = append(slots, e.element(pairs[i], item, was, of))
	}
	e.refill(p, of, slots)
}

// refill puts elements, which have a common type, in the place of those of an array.
func (e *Editor) refill(p *present, of datatype.ID, slots []slot) {
	at, head, was := p.Body, []byte(nil), datatype.ID(p.Sub)
	if of != was && was != 0 {
		at-- // the tag of the elements
	}
	if of != was && of != 0 {
		head = []byte{e.Tag(of)}
	}
	e.rebuild(p, at, head, slots)
}

// pairUp returns for each item of a literal the element of an array whose place it takes, nil for those that are new, and the type that
// all elements then have. If none keeps the common type, the array gets that of the new ones; if some do not fit it, all elements get
// their own tags.
func (e *Editor) pairUp(p *present, l *literal.Literal) (pairs []*present, of datatype.ID) {
	if of = datatype.ID(p.Sub); len(l.Items) == 0 {
		return nil, 0
	}
	pairs = e.byPlace(p, l)
	stays, fit := of == datatype.Any, true
	for i, item := range l.Items {
		fits := e.fits(item, of) == ""
		fit, stays = fit && fits, stays || pairs[i] != nil && fits
	}
	switch {
	case !stays:
		return make([]*present, len(l.Items)), e.common(l.Items)
	case !fit:
		of = datatype.Any
	}
	return pairs, of
}

// byPlace pairs the elements of an array with the items of a literal. Equal elements at the end stay; all others are paired by position.
func (e *Editor) byPlace(p *present, l *literal.Literal) []*present {
	old, new := len(p.kids), len(l.Items)
	head, tail := 0, 0
	for old != new && head < min(old, new) && e.equals(p.kids[head], l.Items[head]) {
		head++
	}
	for old != new && tail < min(old, new)-head && e.equals(p.kids[old-1-tail], l.Items[new-1-tail]) {
		tail++
	}
	pairs := make([]*present, new)
	for i := range pairs {
		if i >= new-tail {
			pairs[i] = p.kids[old-new+i]
		} else if i < old-tail {
			pairs[i] = p.kids[i]
		}
	}
	return pairs
}

// element returns the slot for an item of a literal in an array whose common type was another one. kid is the element whose place it
// takes; nil if it is new.
func (e *Editor) element(kid *present, l *literal.Literal, was, of datatype.ID) (s slot) {
	if kid == nil || e.fits(l, was) != "" {
		return slot{is: l, of: of}
	}
	switch {
	case e.keeps(kid, l):
		s = slot{kid: kid, of: was}
		e.merge(kid, l, place{of: was})
	case e.readable(kid.Node) && was == datatype.Any:
		s = slot{is: l, of: e.kept(kid.Node, l)}
	default:
		s = slot{is: l, of: was}
	}
	if of == datatype.Any && s.of != datatype.Any {
		s.lead = []byte{e.Tag(s.of)}
	}
	return s
}

// mergeMembers changes a struct that is stored with names to a literal.
func (e *Editor) mergeMembers(p *present, l *literal.Literal) {
	named := map[string][]*present{} // a damaged struct may have a name twice
	for _, kid := range p.kids {
		named[string(kid.name)] = append(named[string(kid.name)], kid)
	}
	var slots []slot
	same := len(l.Items) == len(p.kids)
	for i, item := range l.Items {
		name, s := l.Names[i], slot{}
		switch kids, known := named[string(name)]; {
		case len(kids) > 0:
			s.kid, named[string(name)] = kids[0], kids[1:]
			e.merge(s.kid, item, place{of: datatype.Any})
		case known:
			e.Keep(e.refuse(item, "the name "+literal.Shown(string(name))+" occurs twice in a struct"))
			return
		default:
			s = slot{lead: append(bytes.Clone(name), 0), is: item, of: datatype.Any}
			named[string(name)] = nil
		}
		slots = append(slots, s)
		same = same && s.kid == p.kids[i]
	}
	if !same {
		e.rebuild(p, p.Body, nil, slots)
	}
}

// leaveOut makes a member of any type undefined, unless it is skipped.
func (e *Editor) leaveOut(kid *present, at place) {
	if kid.Type != datatype.Skipped {
		e.merge(kid, &literal.Literal{Shape: literal.Undefined}, at)
	}
}

// mergeSchema changes a struct with a schema to a literal. Members missing in the literal are skipped, or
// undefined if the schema allows any type.
func (e *Editor) mergeSchema(p *present, l *literal.Literal) {
	if repeated := repeatedName(l.Names); repeated != nil {
		e.Keep(e.refuse(l, "the name "+literal.Shown(string(repeated))+" occurs twice in a struct"))
		return
	}
	byName := map[string]*literal.Literal{}
	for i, item := range l.Items {
		byName[string(l.Names[i])] = item
	}
	for i, kid := range p.kids {
		item, at := byName[string(kid.name)], placeOf(e.Block, p.Node, int64(i))
		delete(byName, string(kid.name))
		switch {
		case item == nil && (kid.Type == datatype.Skipped || at.isTagged()): // as in a new struct
			e.leaveOut(kid, at)
		case item == nil || item.Shape == literal.Default:
			e.Skip(kid.Node)
		case kid.Type == datatype.Skipped:
			e.store(kid.Node, item)
		default:
			e.merge(kid, item, at)
		}
	}
	for i, name := range l.Names {
		if byName[string(name)] != nil {
			e.Keep(e.refuse(l.Items[i], fmt.Sprintf("%s has no member %s", e.Block.AppendCtor(nil, &p.Value), literal.Shown(string(name)))))
		}
	}
}

// SkipList returns the span of a struct's list of skipped members, without the zero at its
// end.
func (e *Editor) SkipList(v *tree.Value) span.Span {
	return span.Between(e.Block.VersionAt(e.Window, v)+1, v.Body-2)
}

// Skip leaves out a member of a schema, so that it has its default.
func (e *Editor) Skip(n *tree.Node) {
	v := &n.Parent.Value
	switch {
	case n.Type == datatype.Skipped || e.Err != nil:
		return
	case !e.Block.Rules.Skips:
		e.Keep(fmt.Errorf("%s: Elephant %s cannot leave out a member of a schema; 1.5.0 and later can", e.Reader.Path(n), e.Block.Rules.Name))
		return
	}
	n = e.whole(n)
	e.NeedFor(&n.Value)
	list := e.SkipList(v)
	at := list.Offset
	for at < list.End() && int64(e.Window.U16(at)) <= n.Slot.Index {
		at += 2
	}
	e.PutBytes(v, at, 0, binary.LittleEndian.AppendUint16(nil, uint16(n.Slot.Index+1))...)
	e.Remove(v, span.Between(n.Start, n.End))
}

// store gives a skipped member a value.
func (e *Editor) store(n *tree.Node, l *literal.Literal) {
	v, at := &n.Parent.Value, placeOf(e.Block, n.Parent, n.Slot.Index)
	e.Keep(e.bySchema(at, l))
	b, list := e.encode(l, at.of), e.SkipList(v)
	for off := list.Offset; off < list.End(); off += 2 {
		if int64(e.Window.U16(off)) == n.Slot.Index+1 {
			e.Put(v, span.Span{Offset: off, Length: 2})
		}
	}
	e.Put(v, span.Span{Offset: n.Start}, part{new: b})
}

// Widen gives all elements of an array their own tags. other may handle an element instead, and reports
// whether it did.
func (e *Editor) Widen(array *tree.Node, other func(n *tree.Node) bool) {
	if e.filled[array.Body] {
		e.Keep(errors.New("this changes the array " + e.Reader.Path(array) + " in two ways at once; do it in two steps"))
	}
	e.EachChild(array, func(n *tree.Node) {
		if !other(n) {
			e.PutBytes(&array.Value, n.Start, 0, e.Tag(datatype.ID(array.Sub)))
		}
	})
	e.PutBytes(&array.Value, array.Body-1, 1, e.Tag(datatype.Any))
	note(&e.filled, array.Body, true)
}

// EachChild calls each for the children of n, with known ends.
func (e *Editor) EachChild(n *tree.Node, each func(*tree.Node)) {
	e.Keep(edit.EachChild(e.Ctx, e.Reader, n, func(c *tree.Node) error {
		if c = e.whole(c); e.Err == nil {
			each(c)
		}
		return e.Err
	}))
	e.Keep(e.Window.Err())
}

// A present is a value of the block, with everything in it.
type present struct {
	*tree.Node
	w    *source.Window
	name []byte // name of a member
	kids []*present
}

// newPresent returns a value with its elements if these have no bytes, which a scanner passes: they are undefined.
func newPresent(n *tree.Node, w *source.Window) *present {
	p := &present{Node: n, w: w}
	if n.Layout == tree.Fixed && n.Stride == 0 {
		for i := range n.Count {
			v := tree.Value{Start: n.Body, Head: n.Body, Body: n.Body, Tail: n.Body, End: n.Body, Type: datatype.Undefined}
			p.kids = append(p.kids, &present{Node: &tree.Node{Value: v, Parent: n, Slot: tree.Slot{Index: i}, KeyAt: tree.Unknown}, w: w})
		}
	}
	return p
}

// load reads a value with everything in it.
func load(f *block.Reading, r *tree.Reader, n *tree.Node) (*present, error) {
	own := *n
	w := r.Window()
	root := &present{Node: &own, w: w}
	if n.Layout == tree.Leaf {
		return root, w.Err()
	}
	open := []*present{root}
	s := r.Scan(n)
	s.Elements = true
	var name []byte
	for {
		ev := s.Next()
		switch {
		case ev == tree.Leave:
			v := s.Value()
			last := open[len(open)-1].Node
			last.Tail, last.End, last.SerialEnd = v.Tail, v.End, v.SerialEnd
			if open = open[:len(open)-1]; len(open) == 0 {
				return root, w.Err()
			}
		case ev == tree.Done:
			return root, w.Err()
		case s.Slot().Key:
			name = NameOf(w, s.Value())
		default:
			node := *s.Current(ev)
			outer := open[len(open)-1]
			child := newPresent(&node, w)
			if child.name = name; outer.Layout == tree.Sequence {
				child.name = f.MemberName(&outer.Value, node.Slot.Index)
			}
			outer.kids = append(outer.kids, child)
			if ev == tree.Enter {
				open = append(open, child)
			}
		}
	}
}

// NameOf returns a member's name as stored in the file.
func NameOf(w *source.Window, key *tree.Value) []byte { return textAt(w, key.Start, key.Tail-1) }

// textAt returns the text in [start, end).
func textAt(w *source.Window, start, end int64) []byte { return w.All(span.Between(start, end)) }

// equals reports whether a literal has the meaning of the present value: numbers are compared by value,
// however they are stored, unless the literal names a datatype.
func (e *Editor) equals(p *present, l *literal.Literal) bool {
	switch {
	case p.Damage != nil && p.Layout == tree.Leaf:
		return false
	case p.Refers:
		return l.Shape == literal.Ref && e.leadsTo(p, &l.Ref)
	case l.Shape == literal.Default, p.Type == datatype.Skipped:
		return l.Shape == literal.Default && p.Type == datatype.Skipped
	case l.Shape == literal.Ref:
		return false
	case l.IsAtom():
		return p.atomEquals(l)
	case p.Type == datatype.Array:
		return l.Shape == literal.Array && e.allEqual(p, l)
	case p.Type == datatype.Struct && l.Shape == literal.Struct && e.sameCtor(p.Node, l):
		if p.Layout != tree.Sequence {
			return e.allEqual(p, l)
		}
		return e.membersEqual(p, l)
	}
	return false
}

// leadsTo reports whether a reference has a target.
func (e *Editor) leadsTo(p *present, t *literal.Target) bool {
	serial := t.Serial
	if t.Lit != nil {
		var ok bool
		if serial, ok = e.merged[t.Lit]; !ok {
			return false
		}
	}
	return serial == p.Sub && (!block.LeadsNowhere(&p.Value) || t.Path == "" && t.Lit == nil)
}

func (e *Editor) allEqual(p *present, l *literal.Literal) bool {
	if len(p.kids) != len(l.Items) {
		return false
	}
	for i, item := range l.Items {
		c := p.kids[i]
		if p.Type == datatype.Struct && !bytes.Equal(c.name, l.Names[i]) || !e.equals(c, item) {
			return false
		}
	}
	return true
}

// membersEqual compares the members of a schema, in any order.
func (e *Editor) membersEqual(p *present, l *literal.Literal) bool {
	byName := map[string]*literal.Literal{}
	for i, item := range l.Items {
		byName[string(l.Names[i])] = item
	}
	if len(byName) != len(l.Items) {
		return false
	}
	for _, c := range p.kids {
		switch item := byName[string(c.name)]; {
		case item == nil && c.Type != datatype.Skipped, item != nil && !e.equals(c, item):
			return false
		}
		delete(byName, string(c.name))
	}
	return len(byName) == 0
}

// atomEquals compares a value without children.
func (p *present) atomEquals(l *literal.Literal) bool {
	if l.Of != 0 && l.Of != p.Type {
		return false
	}
	switch {
	case p.Type == datatype.Undefined:
		return l.Shape == literal.Undefined
	case datatype.IsText(p.Type):
		return l.Shape == literal.Text && int64(len(l.Text)) == p.Tail-1-p.Body && bytes.Equal(l.Text, textAt(p.w, p.Body, p.Tail-1))
	case p.Type == datatype.Bool:
		return l.Shape == literal.Bool && l.Num.Magnitude == min(1, datatype.NumberAt(p.w, datatype.Bool, p.Body).Bits) && l.Num.Bits == nil
	case !datatype.IsNumber(p.Type) || l.Shape != literal.Number:
		return false
	}
	return l.Num.Equals(datatype.NumberAt(p.w, p.Type, p.Body))
}
