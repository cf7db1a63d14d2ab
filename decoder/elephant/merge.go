package elephant

import (
	"varview/decoder/span"
	"varview/decoder/tree"
)

// merge makes a value what a literal says. What stays keeps its bytes.
func (e *editor) merge(p *present, l *literal, at place) error {
	if err := e.readable(p.Node); err != nil {
		return err
	}
	if p.Numbered {
		e.merged[l] = p.Serial
	}
	switch {
	case p.Refers || l.isAtom() || p.Type == tSkipped:
	case p.Type == tArray && l.shape == ofArray:
		return e.mergeArray(p, l)
	case p.Type == tStruct && l.shape == ofStruct && e.sameCtor(p.Node, l):
		if p.Layout == tree.Sequence {
			return e.mergeSchema(p, l)
		}
		return e.mergeMembers(p, l)
	}
	if (p.Refers || l.isAtom()) && e.equals(p, l) {
		return nil
	}
	delete(e.merged, l)
	return e.replace(p.Node, l, at)
}

// replace puts a new value in the place of n, whose end is known.
func (e *editor) replace(n *tree.Node, l *literal, at place) error {
	if err := e.needFor(&n.Value); err != nil {
		return err
	}
	of, whole := at.of, span.Between(n.Start, n.End)
	if n.Flags&isTagged != 0 {
		if is := e.kept(n, l); is == n.Type && n.Flags&isOldTag == 0 { // the tag stays
			of, whole = is, span.Between(e.f.tagsEnd(e.w, &n.Value), n.End)
		}
	}
	b, err := e.encode(l, of)
	if err != nil {
		return e.bySchema(at, l, err)
	}
	e.put(&n.Parent.Value, whole, part{new: b})
	e.dead = append(e.dead, whole)
	return nil
}

// bySchema makes clear that the schema is why a literal does not fit.
func (e *editor) bySchema(at place, l *literal, err error) error {
	if message := e.fits(l, at.of); at.schema && message != "" {
		return e.refuse(l, "the schema says "+typeName(at.of)+": "+message)
	}
	return err
}

// kept is the datatype that a literal gets in the place of a tagged value: the
// same, if it is a number or text without a datatype of its own that fits.
func (e *editor) kept(n *tree.Node, l *literal) typeID {
	if l.of == 0 && e.fits(l, n.Type) == "" {
		return n.Type
	}
	return e.natural(l)
}

// mergeArray makes an array what a literal says. What is equal at its beginning
// and end stays, what is between these is paired by position.
func (e *editor) mergeArray(p *present, l *literal) error {
	old, new := p.count(), len(l.items)
	if new == 0 || old == 0 {
		return e.refill(p.Node, old, l)
	}
	head, tail := 0, 0
	if old != new {
		for head < min(old, new) && e.equals(p.element(head), l.items[head]) {
			head++
		}
		for tail < min(old, new)-head && e.equals(p.element(old-1-tail), l.items[new-1-tail]) {
			tail++
		}
	}
	pairs := min(old, new) - head - tail
	c := arrayChange{e: e, array: p.Node, of: typeID(p.Sub)}
	if !e.stays(p, l, head, pairs, tail) {
		return e.refill(p.Node, old, l)
	}
	for _, item := range l.items {
		c.widens = c.widens || e.fits(item, c.of) != ""
	}
	for i := range old {
		kid := p.element(i)
		var item *literal
		switch {
		case i < head+pairs:
			item = l.items[i]
		case i >= old-tail:
			item = l.items[new-old+i]
		}
		if i == head+pairs {
			if err := c.insert(kid.Start, l.items[i:new-tail]); err != nil {
				return err
			}
		}
		if err := c.element(kid, item); err != nil {
			return err
		}
	}
	if head+pairs == old {
		if err := c.insert(p.Tail, l.items[old:new-tail]); err != nil {
			return err
		}
	}
	return c.finish(int64(new))
}

// stays reports whether any element of an array is left as it is, or keeps the
// array's common type.
func (e *editor) stays(p *present, l *literal, head, pairs, tail int) bool {
	if head+tail > 0 || p.Sub == uint32(tAny) {
		return true
	}
	for i := range pairs {
		if e.fits(l.items[i], typeID(p.Sub)) == "" || e.equals(p.element(i), l.items[i]) {
			return true
		}
	}
	return false
}

// refill gives an array other elements altogether. An empty one has no element
// tag.
func (e *editor) refill(array *tree.Node, old int, l *literal) error {
	if old == 0 && len(l.items) == 0 {
		return nil
	}
	if err := e.needFor(&array.Value); err != nil {
		return err
	}
	if err := e.setCount(&array.Value, int64(len(l.items))); err != nil {
		return err
	}
	body := span.Between(array.Body, array.Tail)
	if array.Sub != 0 {
		body = span.Between(array.Body-1, array.Tail)
	}
	if len(l.items) == 0 {
		e.remove(&array.Value, body)
		return nil
	}
	of := e.common(l.items)
	parts := []part{{new: &fragment{b: []byte{e.tag(of)}}}}
	for _, item := range l.items {
		b, err := e.encode(item, of)
		if err != nil {
			return err
		}
		parts = append(parts, part{new: b})
	}
	e.put(&array.Value, body, parts...)
	e.dead = append(e.dead, body)
	return nil
}
