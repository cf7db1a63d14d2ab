package change

import (
	"bytes"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// A twin is an array that has as many elements as the list of an edit, as one field says
// both: a table of the offsets or sizes of the elements, or of what an expression says of each. It gets and loses elements with the list.
type twin struct {
	before *read.Array
	steps  []read.Place
	end    int64 // of its bytes before the edit
	size   int64 // of an element; 0 if each has its own
	says   []saying
}

// A saying is a number in each element of a table that says something of the element of a list that has the same index.
type saying struct {
	column
	off int64 // of the number in an element of the table
	typ *spec.TypeRef
	property
}

// A property is what a number in a table says of an element of a list.
type property uint8

const (
	fromStart property = iota // where it begins in its stream
	fromList                  // in the list
	fromTable                 // behind the table
	itsSize                   // how many bytes it has
	properties
)

// String is a format for the name of a list and an index.
func (p property) String() string {
	return [...]string{"the offset of %s[%d]", "the offset of %s[%d] in the list", "the offset of %s[%d] behind the table", "the size of %s[%d]"}[p]
}

// of returns the property of an element of a list beside a table that ends at an offset.
func (p property) of(list *read.Array, i, end int64) int64 {
	c := list.Cell(i)
	switch p {
	case itsSize:
		return c.End - c.Start
	case fromList:
		return c.Start - read.Place{Of: list.Owner, Attr: list.Attr, Index: -1}.Cell().Start
	case fromTable:
		return c.Start - end
	}
	return c.Start - list.Owner.IO.Base
}

// findTwins finds the twins of the list, and lets them have an element for each that it has after the edit.
func (s *settling) findTwins() {
	e := s.edit
	list, isList := e.at.Cell().Val.Ref.(*read.Array)
	if !isList || list.Len() == 0 || e.at.Attr.Repeat != spec.Times {
		return
	}
	count, ok := s.countOf(e.at)
	if !ok {
		return
	}
	for _, step := range s.path {
		s.findIn(step.Of, list, count)
		for _, a := range slices.Concat(step.Of.Type.Seq, step.Of.Type.Instances) {
			if in, ok := structOf(step.Of, a); ok {
				s.findIn(in, list, count)
			}
		}
	}
}

// isTwin reports whether steps lead to a twin. Structs in lists are read again each time.
func (s *settling) isTwin(steps []read.Place) bool {
	return slices.ContainsFunc(s.twins, func(t twin) bool { return len(t.steps) == len(steps) && leadsTo(t.steps, steps) })
}

func (s *settling) findIn(in *read.Struct, list *read.Array, count read.Decision) {
	for _, a := range in.Type.Seq {
		p := read.Place{Of: in, Attr: a, Index: -1}
		table, isArray := p.Cell().Val.Ref.(*read.Array)
		if !isArray || table == list || a.Repeat != spec.Times || table.Len() < list.Len() || s.isTwin(p.Steps()) {
			continue
		}
		if other, ok := s.countOf(p); ok && other.Place == count.Place && isEqual(other.Want, count.Want) {
			s.addTwin(p, table, list)
		}
	}
}

// countOf returns the field that says how many elements an array has.
func (s *settling) countOf(p read.Place) (field read.Decision, ok bool) {
	n := p.Cell().Val.Ref.(*read.Array).Len()
	found, err := p.Solve(p.Attr.RepeatExpr, expr.Of(n+s.edit.grows), s.file.rank)
	if err != nil || len(found) != 1 {
		return field, false
	}
	return found[0], true
}

// addTwin adds an array to the twins if it is one. A new element of it has nothing but what it says of that of the list.
func (s *settling) addTwin(p read.Place, table, list *read.Array) {
	c, e := p.Cell(), s.edit
	t := twin{before: table, steps: p.Steps(), end: c.End, size: p.Attr.ElementBits() / 8}
	if p.Attr.Type.Kind == spec.Bits || p.Attr.Switch != nil {
		return
	}
	isChosen := slices.Contains(s.file.Choices, edit.KeepEqual.For("$"+p.Path()))
	if !s.file.AsksBeside {
		isChosen = edit.KeepEqual.IsIn(s.file.Choices, p.Path()[1:], p.Attr.ID)
	}
	if isSaid := t.find(p.Attr, list); !isSaid && e.grows == 0 {
		return
	} else if !isSaid && !isChosen {
		s.beside = &edit.ChoiceError{Text: fmt.Sprintf("%s (%v) has as many elements as %s, and nothing says which of them comes or goes: that at the same place, perhaps", p, p.Attr.Place, list.Attr.ID), Choices: []edit.Choice{edit.KeepEqual.For(p.Path()[1:])}}
		return
	}
	if e.grows != 0 || e.move != nil {
		x, err := e.spliceOf(p, table)
		if err != nil {
			return
		}
		x.in = t.steps
		s.layers.of(c.Buf).place(x)
		s.file.Steers = s.file.Steers || len(x.new) > 0 && e.copy == nil && p.Attr.Type.User != nil // what else is in it may mean something
	}
	s.twins = append(s.twins, t)
}

// spliceOf returns what the edit of its list makes of a table that gets and loses elements with that. A new one is empty.
func (e *replacement) spliceOf(p read.Place, table *read.Array) (x splice, err error) {
	at, n := table.Len(), table.Len()
	if e.move != nil {
		at = e.move.to
	}
	switch {
	case e.grows == 0:
		return moved(table, e.move.from, e.move.to), nil
	case e.grows < 0 && e.move != nil:
		c := table.Cell(e.move.from)
		x.Span = span.Between(c.Start, c.End)
		return x, nil
	case e.grows < 0:
		x.Span = span.Between(table.Cell(n+e.grows).Start, table.Cell(n-1).End)
		return x, nil
	case e.copy != nil:
		x.new = bytesIn(table.Cell(e.copy.of))
	default:
		p.Index = 0
		x.new, err = build(p, &p.Attr.Type, nil, 0)
		x.new = bytes.Repeat(x.new, int(e.grows))
		p.Index = -1
	}
	if err == nil {
		x.Offset, err = offsetIn(p, at)
	}
	return x, err
}

// find finds the numbers of a table that belong to the elements of a list, and reports whether there are any.
func (t *twin) find(a *spec.Attr, list *read.Array) bool {
	isSaid := t.decides(list)
	fields := []*spec.Attr{nil}
	if a.Type.User != nil {
		fields = a.Type.User.Seq
	}
	off := int64(0)
	for _, field := range fields {
		x := saying{column: column{field: field, before: t.before}, off: off, typ: &a.Type}
		if field != nil {
			x.typ = &field.Type
			off += field.ElementBits() / 8
		}
		if t.size > 0 && (field == nil && isUnsaid(a) || field != nil && isNumber(field)) && x.find(list, t.end) {
			t.says = append(t.says, x)
		}
	}
	return isSaid || len(t.says) > 0
}

// find finds what the numbers say of the elements of a list, beside a table that ends at an offset. What has one size for all may be
// equal to it by chance.
func (x *saying) find(list *read.Array, end int64) bool {
	first := list.Cell(0)
	for x.property = fromStart; x.property < properties; x.property++ {
		is, varies := true, x.property != itsSize
		for i := int64(0); is && i < list.Len(); i++ {
			n, _, ok := x.number(x.before, i)
			is = ok && n == x.of(list, i, end)
			varies = varies || n != first.End-first.Start
		}
		if is && varies {
			return true
		}
	}
	return false
}

// decides reports whether an element of the table decides the size of the element of a list with its index, or where something is,
// or how large is what this leads to.
func (t *twin) decides(list *read.Array) bool {
	is := func(p read.Place, n expr.Node) bool {
		found, err := p.Solve(n, expr.Of(0), func(d read.Decision) int { return int(min(d.Index, 0)) })
		if n == nil || err != nil || len(found) != 1 {
			return false
		}
		first := read.Place{Of: t.before.Owner, Attr: t.before.Attr, Index: 0}
		return found[0].Place == first || found[0].Of.In == first
	}
	if is(read.Place{Of: list.Owner, Attr: list.Attr}, list.Attr.Size) {
		return true
	}
	c := list.Cell(0)
	s, ok := c.Val.Ref.(*read.Struct)
	for i := 0; ok && i < len(s.Type.Instances); i++ {
		a := s.Type.Instances[i]
		if p := (read.Place{Of: s, Attr: a, Index: -1}); is(p, a.Pos) || a.Pos != nil && is(p, a.Size) {
			return true
		}
	}
	return false
}

// point lets tables say what the elements of the list are now, and reports whether they did.
func (s *settling) point(root *read.Struct) (isSettled bool, err error) {
	isSettled = true
	for _, t := range s.twins {
		p, ok := placeAt(root, t.steps)
		of, isThere := placeAt(root, s.path)
		if !ok || !isThere {
			continue
		}
		c := p.Cell()
		list := of.Cell().Val.Ref.(*read.Array)
		l, err := s.layers.now(c.Buf, s.bufs)
		if err != nil {
			return false, err
		}
		for _, x := range t.says {
			for i := range list.Len() {
				n := x.of(list, i, c.End)
				if err := inRange(x.typ, expr.Of(n)); err != nil {
					return false, fmt.Errorf("%s (%v) cannot hold what it says of %s[%d]: %w", p, p.Attr.Place, of, i, err)
				}
				at, b := c.Start+i*t.size+x.off, p.Of.PutNumber(x.typ, uint64(n))
				if bytes.Equal(b, c.Buf.Append(nil, at, at+int64(len(b)))) {
					continue
				}
				isSettled = false
				if err := l.put(at, int64(len(b)), b); err != nil {
					return false, err
				}
			}
		}
	}
	return isSettled, nil
}
