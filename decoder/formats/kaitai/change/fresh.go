package change

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// An addition is a value that an edit has made of a literal: an element that it has inserted, or one, a list or a struct that it has set.
type addition struct {
	like  []*read.Struct // before the edit: the elements beside it, or what was in its place
	at    []read.Place   // the steps that lead to it
	given *literal
}

// mostLike is the number of elements beside a new one, and in it, that are compared.
const mostLike = 64

// fresh returns the numbers and checksums of a new value that are zero or anything, because the literal does not say them, and in all
// that it is like the same of something in these.
func (f *File) fresh(sums Sums) (all []Equal) {
	a := f.added
	if a == nil {
		return nil
	}
	p, ok := f.placeAt(a.at)
	if !ok {
		return nil
	}
	switch x := p.Cell().Val.Ref.(type) {
	case *read.Struct:
		return sums.fresh(x, a.like, a.given)
	case *read.Array:
		for i := range a.given.items {
			if s, ok := x.Cell(int64(i)).Val.Ref.(*read.Struct); ok {
				all = append(all, sums.fresh(s, a.like, &a.given.items[i])...)
			}
		}
	}
	return all
}

// likeNew returns the structs that what is set at a place is like.
func likeNew(n *Value) (all []*read.Struct) {
	a, ok := n.Of.Of(n.Attr).Val.Ref.(*read.Array)
	if !ok {
		if s, ok := n.Val.Ref.(*read.Struct); ok {
			all = append(all, s)
		}
		return all
	}
	return slices.DeleteFunc(structsIn(nil, a), func(s *read.Struct) bool { // empty slots say nothing
		b := s.IO.Buf.Append(nil, s.Start, min(s.End, s.Start+zeros))
		return bytes.Count(b, []byte{0}) == len(b) || bytes.Count(b, []byte{0xff}) == len(b)
	})
}

// structsIn appends the structs among the first elements of an array.
func structsIn(all []*read.Struct, a *read.Array) []*read.Struct {
	for i := int64(0); i < mostLike && a.Has(i) && len(all) < mostLike; i++ {
		if s, ok := a.Cell(i).Val.Ref.(*read.Struct); ok {
			all = append(all, s)
		}
	}
	return all
}

// fresh is File.fresh of a struct and those that it is like.
func (sums Sums) fresh(n *read.Struct, like []*read.Struct, l *literal) (all []Equal) {
	like = slices.DeleteFunc(slices.Clone(like), func(s *read.Struct) bool { return s.Type != n.Type })
	n.Ensure()
	for _, a := range slices.Concat(n.Type.Seq, n.Type.Instances) {
		given := l.member(a.ID)
		if len(like) == 0 || a.Value != nil || a.IsInstance && given == nil { // which may be that of others
			continue
		}
		switch x := n.Of(a).Val.Ref.(type) {
		case *read.Struct:
			all = append(all, sums.fresh(x, insideOf(like, a), given)...)
		case *read.Array:
			for i, in := range structsIn(nil, x) {
				var item *literal
				if given != nil && i < len(given.items) {
					item = &given.items[i]
				}
				all = append(all, sums.fresh(in, insideOf(like, a), item)...)
			}
		case nil:
			if p := (read.Place{Of: n, Attr: a, Index: -1}); given == nil && isUnsaidSum(a) {
				all = append(append(all, freshNumber(p, like)...), sums.freshSum(p, like)...)
			}
		}
	}
	return all
}

// insideOf returns the structs that an attribute of others is, or that are among its elements.
func insideOf(all []*read.Struct, a *spec.Attr) (inside []*read.Struct) {
	for _, s := range all {
		switch x := s.Of(a).Val.Ref.(type) {
		case *read.Struct:
			inside = append(inside, x)
		case *read.Array:
			inside = structsIn(inside, x)
		}
	}
	return inside
}

// inNew says what a field of a new value is not, and the same field of others is.
func inNew(p read.Place, to string) string {
	return fmt.Sprintf("%s (%v) is %s in the elements beside the new one, or in what was in its place, and not in that", p.Attr.ID, p.Attr.Place, to)
}

// isCertain reports whether so many numbers are equal to others not by chance.
func isCertain(seen map[int64]bool) bool {
	isSmall := slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(n int64) bool { return n < small })
	return len(seen) > 2 || len(seen) == 2 && !isSmall
}

// freshNumber returns a number in a new struct that in those like it is the size of something in these or the number of its elements.
func freshNumber(p read.Place, like []*read.Struct) (all []Equal) {
	if !isNumber(p.Attr) {
		return nil
	}
	was, err := p.Cell().Val.Int64()
	for _, m := range sayable(p.Of, p.Attr) {
		seen, isSaid := m.saidBy(p.Attr, like)
		switch {
		case err != nil || !isSaid || !isCertain(seen) && !m.mayBe(p.Attr):
		case all == nil:
			all = []Equal{{Attr: p.Attr, To: m.what, Was: was, Want: m.was, isOne: true, at: p, places: []follower{{p.Steps(), expr.Of(m.was)}}, text: inNew(p, m.what)}}
		default:
			all[0].isOne = all[0].isOne && all[0].Want == m.was
		}
	}
	if all != nil && all[0].isOne && all[0].Want == was {
		return nil
	}
	return all
}

// saidBy returns the numbers that a field of structs has, and whether each is what was measured there.
func (m *measured) saidBy(field *spec.Attr, all []*read.Struct) (seen map[int64]bool, isSaid bool) {
	seen = map[int64]bool{}
	for _, s := range all {
		n, err := s.Of(field).Val.Int64()
		if err != nil || n == 0 || !slices.ContainsFunc(sayable(s, field), func(x measured) bool { return x.what == m.what && x.was == n }) {
			return seen, false
		}
		seen[n] = true
	}
	return seen, true
}

// sayable returns what another number in a struct may say of it.
func sayable(s *read.Struct, own *spec.Attr) (all []measured) {
	s.Ensure()
	for _, a := range slices.Concat(s.Type.Seq, s.Type.Instances) {
		c := s.Of(a)
		if a == own || a.Value != nil || c.Bad != nil || c.State == read.Absent {
			continue
		}
		all = append(all, quantities(s, a)...)
		if in, ok := structOf(s, a); ok && len(in.Cells) == 1 {
			for _, m := range quantities(in, in.Type.Seq[0]) {
				m.of = a
				all = append(all, m)
			}
		}
		if a.Type.Kind == spec.Str && a.Repeat == spec.Once {
			all = append(all, measured{a, true, "the size of " + a.ID + " in bytes", "", c.Tail - c.Body, 0})
		}
	}
	return append(all, measured{nil, false, "the size of the element", "", s.End - s.Start, 0})
}

// freshSum returns a field of a new struct that in those like it is the checksum of some bytes of these.
func (sums Sums) freshSum(p read.Place, like []*read.Struct) []Equal {
	if !IsSum(p.Attr) {
		return nil
	}
	e := Equal{Attr: p.Attr, at: p}
	value := func(s *read.Struct) (c read.Cell) { return read.Place{Of: s, Attr: p.Attr, Index: -1}.Cell() }
	for _, x := range sums.in(like[0]) {
		if x.field.Of != like[0] || x.field.Attr != p.Attr || x.in != like[0] || x.sum == nil {
			continue
		}
		fits := func(s *read.Struct) bool {
			c := value(s)
			b, ok := x.of.bytes(s, &c)
			is, err := c.Value(p.Attr)
			return ok && err == nil && isEqual(x.sum(b), is)
		}
		if fits(p.Of) || slices.ContainsFunc(like, func(s *read.Struct) bool { return !fits(s) }) {
			continue
		}
		x.field, x.in = p, p.Of
		e.add(x)
	}
	if e.sums == nil {
		return nil
	}
	e.text = inNew(p, e.To)
	return []Equal{e}
}
