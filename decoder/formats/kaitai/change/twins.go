package change

import (
	"bytes"
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// A twin is an array of numbers, or of records of one size, that has as many elements as the list of an edit, as one field says
// both: a table of the offsets of the elements, or of what an expression says of each. It gets and loses elements with the list.
type twin struct {
	column
	steps []read.Place
	buf   *read.Buffer
	at    span.Span // its bytes before the edit
	size  int64     // of an element
	off   int64     // of the number in an element
	typ   *spec.TypeRef
	from  origin
}

// An origin is what the offsets in a table are counted from.
type origin uint8

const (
	fromStart origin = iota // of the stream
	fromList
	fromTable // the end of the table
	unknown   // they are no offsets of the elements
)

// findTwins finds the twins of the list, and lets them have an element for each that it has after the edit.
func (s *settling) findTwins() {
	e := s.edit
	if e.grows == 0 || e.at.Attr.Repeat != spec.Times {
		return
	}
	list, _ := e.at.Cell().Val.Ref.(*read.Array)
	count, ok := s.countOf(e.at)
	if !ok || list.Len() == 0 {
		return
	}
	for _, step := range s.path {
		if step.Of.IO != e.at.Of.IO { // offsets are counted in another stream
			continue
		}
		s.findIn(step.Of, list, count)
		for i := range step.Of.Cells {
			if in, ok := structOf(step.Of, i); ok {
				s.findIn(in, list, count)
			}
		}
	}
}

func (s *settling) findIn(in *read.Struct, list *read.Array, count read.Place) {
	for _, a := range in.Type.Seq {
		p := read.Place{Of: in, Attr: a, Index: -1}
		table, isArray := p.Cell().Val.Ref.(*read.Array)
		if !isArray || table == list || a.Repeat != spec.Times || table.Len() != list.Len() {
			continue
		}
		if other, ok := s.countOf(p); ok && other == count {
			s.addTwin(p, table, list)
		}
	}
}

// countOf returns the field that says how many elements an array has.
func (s *settling) countOf(p read.Place) (field read.Place, ok bool) {
	n := p.Cell().Val.Ref.(*read.Array).Len()
	found, err := p.Solve(p.Attr.RepeatExpr, expr.Of(n+s.edit.grows), s.file.rank)
	if err != nil || len(found) != 1 {
		return field, false
	}
	return found[0].Place, true
}

// addTwin adds an array to the twins if it is one.
func (s *settling) addTwin(p read.Place, table, list *read.Array) {
	c, e := p.Cell(), s.edit
	t := twin{column: column{before: table}, steps: p.Steps(), at: span.Between(c.Start, c.End), buf: c.Buf, size: p.Attr.ElementBits() / 8}
	isNew := e.grows > 0 && e.copy == nil // what else is in a record is not known
	if t.size <= 0 || !t.find(p.Attr, list) || isNew && t.size != int64(t.typ.Size) {
		return
	}
	was := c.Buf.Append(nil, c.Start, c.End)
	now := make([]byte, t.size*(list.Len()+e.grows))
	put := func(i, j int64) {
		if j >= 0 && (j+1)*t.size <= int64(len(now)) {
			copy(now[j*t.size:], was[i*t.size:(i+1)*t.size])
		}
	}
	for i := range list.Len() {
		put(i, e.index(i))
	}
	if e.copy != nil {
		put(e.copy.of, e.copy.at)
	}
	s.layers.of(t.buf).replace(t.at, now)
	s.twins = append(s.twins, t)
}

// find finds the numbers of a table that belong to the elements of a list.
func (t *twin) find(a *spec.Attr, list *read.Array) bool {
	switch {
	case a.Switch != nil:
		return false
	case a.Type.User == nil:
		t.typ = &a.Type
		if isUnsaid(a) {
			return t.leadsTo(list)
		}
		t.from = unknown
		return t.says(list)
	}
	for _, t.field = range a.Type.User.Seq {
		t.typ = &t.field.Type
		if isNumber(t.field) && t.leadsTo(list) {
			return true
		}
		t.off += t.field.ElementBits() / 8
	}
	return false
}

// leadsTo reports whether the numbers are the offsets of the elements of a list, and finds what they are counted from.
func (t *twin) leadsTo(list *read.Array) bool {
	for t.from = fromStart; t.from < unknown; t.from++ {
		from, isOf := t.origin(list, t.at.End()), true
		for i := int64(0); isOf && i < list.Len(); i++ {
			n, _, ok := t.number(t.before, i)
			isOf = ok && list.Cell(i).Start-from == n
		}
		if isOf {
			return true
		}
	}
	return false
}

// origin returns the offset from which those of the elements of a list are counted; end is that of the table.
func (t *twin) origin(list *read.Array, end int64) int64 {
	switch t.from {
	case fromList:
		return read.Place{Of: list.Owner, Attr: list.Attr, Index: -1}.Cell().Start
	case fromTable:
		return end
	}
	return list.Owner.IO.Base
}

// says reports whether the number with the index of an element says its size, or where something is that it leads to.
func (t *twin) says(list *read.Array) bool {
	is := func(p read.Place, n expr.Node) bool {
		found, err := p.Solve(n, expr.Of(0), func(d read.Decision) int { return int(min(d.Index, 0)) })
		return n != nil && err == nil && len(found) == 1 && found[0].Of == t.before.Owner && found[0].Attr == t.before.Attr && found[0].Index == 0
	}
	if is(read.Place{Of: list.Owner, Attr: list.Attr}, list.Attr.Size) {
		return true
	}
	c := list.Cell(0)
	s, ok := c.Val.Ref.(*read.Struct)
	for i := 0; ok && i < len(s.Type.Instances); i++ {
		if a := s.Type.Instances[i]; is(read.Place{Of: s, Attr: a, Index: -1}, a.Pos) {
			return true
		}
	}
	return false
}

// point lets tables of offsets lead to the elements of the list as it is now, and reports whether they did.
func (s *settling) point(root *read.Struct) (isSettled bool, err error) {
	isSettled = true
	for _, t := range s.twins {
		p, ok := placeAt(root, t.steps)
		of, isThere := placeAt(root, s.path)
		if t.from == unknown || !ok || !isThere {
			continue
		}
		c := p.Cell()
		list := of.Cell().Val.Ref.(*read.Array)
		was := c.Buf.Append(nil, c.Start, c.End)
		now := bytes.Clone(was)
		for i := range list.Len() {
			n := list.Cell(i).Start - t.origin(list, c.End)
			if err := inRange(t.typ, expr.Of(n)); err != nil {
				return false, fmt.Errorf("%s (%v) cannot hold the offset of %s[%d]: %w", p, p.Attr.Place, of, i, err)
			}
			copy(now[i*t.size+t.off:], p.Of.PutNumber(t.typ, uint64(n)))
		}
		if !bytes.Equal(now, was) {
			s.layers.of(t.buf).replace(t.at, now)
			isSettled = false
		}
	}
	return isSettled, nil
}
