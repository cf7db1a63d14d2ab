package edit

import (
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/span"
	"varview/decoder/tree"
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
			of, whole = is, span.Between(e.f.TagsEnd(e.w, &n.Value), n.End)
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

// bySchema adds the schema to an error if it is why a literal does not fit.
func (e *Editor) bySchema(at place, l *literal.Literal, err error) error {
	if message := e.fits(l, at.of); at.schema && message != "" {
		return e.refuse(l, "the schema says "+datatype.Name(at.of)+": "+message)
	}
	return err
}

// kept returns the datatype of a literal that replaces a tagged value: that of the value,
// if the literal is a number or text that fits it and has no datatype of its own.
func (e *Editor) kept(n *tree.Node, l *literal.Literal) datatype.ID {
	if l.Of == 0 && e.fits(l, n.Type) == "" {
		return n.Type
	}
	return e.natural(l)
}

// mergeArray changes an array to a literal. Equal elements at its beginning and end stay;
// those between are paired by position.
func (e *Editor) mergeArray(p *present, l *literal.Literal) error {
	old, new := p.count(), len(l.Items)
	if new == 0 || old == 0 {
		return e.refill(p.Node, old, l)
	}
	head, tail := 0, 0
	if old != new {
		for head < min(old, new) && e.equals(p.element(head), l.Items[head]) {
			head++
		}
		for tail < min(old, new)-head && e.equals(p.element(old-1-tail), l.Items[new-1-tail]) {
			tail++
		}
	}
	pairs := min(old, new) - head - tail
	c := arrayChange{e: e, array: p.Node, of: datatype.ID(p.Sub)}
	if !e.stays(p, l, head, pairs, tail) {
		return e.refill(p.Node, old, l)
	}
	for _, item := range l.Items {
		c.widens = c.widens || e.fits(item, c.of) != ""
	}
	for i := range old {
		kid := p.element(i)
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

// stays reports whether any element of an array stays as it is, or keeps the array's common
// type.
func (e *Editor) stays(p *present, l *literal.Literal, head, pairs, tail int) bool {
	if head+tail > 0 || p.Sub == uint32(datatype.Any) {
		return true
	}
	for i := range pairs {
		if e.fits(l.Items[i], datatype.ID(p.Sub)) == "" || e.equals(p.element(i), l.Items[i]) {
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
