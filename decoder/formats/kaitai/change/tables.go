package change

import (
	"fmt"
	"slices"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// maxTable is the number of elements of an array that are compared.
const maxTable = 4096

// tables compares tables of numbers, arrays and fields of the records of an array, before an edit and after it. A column of numbers is
// a table if each but zeros is the offset of something, or each says the same of the element of a list that has its index.
type tables struct {
	file    *File
	offsets map[stream]map[int64]movedTo // by stream and offset before the edit
	lists   []listed
	moved   bool // any of them is another one now, or has another size
}

// A listed list is one of which tables may say something.
type listed struct{ before, now *read.Array }

// A stream is what offsets are counted in.
type stream struct {
	buf  *read.Buffer
	base int64
}

func streamOf(s *read.Struct) stream { return stream{s.IO.Buf, s.IO.Base} }

// movedTo is what a number says that was equal to something before an edit, and what that is after it.
type movedTo struct {
	what  string
	now   int64
	isOne bool // all that it was equal to is equal to that now
}

// newTables finds where the attributes of the structs on the path of an edit, and the elements of their arrays, are.
func (f *File) newTables(path []read.Place) *tables {
	t := &tables{file: f, offsets: map[stream]map[int64]movedTo{}}
	for k, step := range path {
		o, n := step.Of, f.structAt(path[:k])
		if n == nil {
			break
		}
		for i := range min(len(o.Cells), len(n.Cells)) {
			a := o.Type.Seq[i]
			t.add(o, o.Cells[i].Start, n.Cells[i].Start-n.IO.Base, "the offset of "+a.ID)
			oa, isArray := o.Cells[i].Val.Ref.(*read.Array)
			na, isThere := n.Cells[i].Val.Ref.(*read.Array)
			if isArray && isThere && !isPlain(a) {
				t.addElements(o, n, oa, na)
			}
		}
	}
	return t
}

func (t *tables) add(o *read.Struct, was, now int64, what string) {
	at := t.offsets[streamOf(o)]
	if at == nil {
		at = map[int64]movedTo{}
		t.offsets[streamOf(o)] = at
	}
	was -= o.IO.Base
	x, ok := at[was]
	if !ok {
		x = movedTo{what, now, true}
	} else if x.now != now {
		x.what, x.isOne = x.what+" or "+what, false
	}
	at[was] = x
	t.moved = t.moved || was != now
}

func (t *tables) addElements(o, n *read.Struct, oa, na *read.Array) {
	t.lists = append(t.lists, listed{oa, na})
	to := t.file.movesOf(oa)
	for i := int64(0); i < maxTable && oa.Has(i); i++ {
		now, what := int64(-1), fmt.Sprintf("the offset of %s[%d]", oa.Attr.ID, i)
		if j := to(i); j >= 0 && na.Has(j) {
			was, is := oa.Cell(i), na.Cell(j)
			now = is.Start - n.IO.Base
			t.moved = t.moved || was.End-was.Start != is.End-is.Start
		}
		t.add(o, oa.Cell(i).Start, now, what)
	}
}

// movesOf returns where the elements of an array are after the edit; -1 for nowhere.
func (f *File) movesOf(a *read.Array) func(i int64) int64 {
	steps := read.Place{Of: a.Owner, Attr: a.Attr, Index: -1}.Steps()
	isHere := func(at []read.Place) bool { return len(at) == len(steps) && leadsTo(at, steps) }
	if e := f.last; e != nil && (isHere(e.at.Steps()) || slices.ContainsFunc(f.twins, func(t twin) bool { return isHere(t.steps) })) {
		return e.index
	}
	return func(i int64) int64 { return i }
}

// unequalIn returns the tables in a struct in which offsets in a stream are not what they were, and its numbers that were equal to
// something that has changed.
func (t *tables) unequalIn(o, n *read.Struct, in stream, changed []measured) (all []Equal) {
	for i := 0; t.moved && i < len(o.Type.Seq); i++ {
		all = append(all, t.unequal(o, n, i, t.offsets[in])...)
	}
	return append(all, t.file.unequalIn(o, n, changed)...)
}

// unequal returns the tables in an array.
func (t *tables) unequal(o, n *read.Struct, i int, offsets map[int64]movedTo) (all []Equal) {
	if i >= len(o.Cells) || i >= len(n.Cells) {
		return nil
	}
	a := o.Type.Seq[i]
	oa, isArray := o.Cells[i].Val.Ref.(*read.Array)
	na, isThere := n.Cells[i].Val.Ref.(*read.Array)
	if !isArray || !isThere {
		return nil
	}
	for _, field := range numbersOf(a) {
		c := column{field: field, before: oa, now: na, to: t.file.movesOf(oa)}
		e, ok := c.unequal(maxTable+1, func(_, n int64) (movedTo, bool) {
			x, ok := offsets[n]
			return x, ok || n == 0
		})
		ok = ok && len(e.places) > 0 // all that is where it was may be so by chance
		for j := 0; !ok && j < len(t.lists); j++ {
			e, ok = c.unequalBeside(&t.lists[j], t.file.movesOf(t.lists[j].before))
		}
		if ok && len(e.places) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// numbersOf returns the fields of the elements of a list that are numbers of which the description says nothing more; nil stands for the
// elements themselves.
func numbersOf(a *spec.Attr) (all []*spec.Attr) {
	switch {
	case a.Switch != nil:
		return nil
	case a.Type.User != nil:
		return slices.DeleteFunc(slices.Clone(a.Type.User.Seq), func(f *spec.Attr) bool { return !isNumber(f) })
	case isUnsaid(a):
		return []*spec.Attr{nil}
	}
	return nil
}

// unequalBeside returns the numbers of the column that do not say any more what they said of the elements of a list.
func (c *column) unequalBeside(l *listed, to func(i int64) int64) (e Equal, ok bool) {
	if c.before.Len() != l.before.Len() || c.before == l.before {
		return e, false
	}
	end := func(a *read.Array) int64 { return read.Place{Of: a.Owner, Attr: a.Attr, Index: -1}.Cell().End }
	was, is := end(c.before), end(c.now)
	for p := fromList; p < properties && !ok; p++ {
		e, ok = c.unequal(3, func(i, n int64) (movedTo, bool) {
			j := to(i)
			if p.of(l.before, i, was) != n || j < 0 || !l.now.Has(j) {
				return movedTo{}, false
			}
			return movedTo{fmt.Sprintf(p.String(), l.before.Attr.ID, i), p.of(l.now, j, is), true}, true
		})
	}
	return e, ok
}

// A column is a field of all elements of an array, or the elements themselves.
type column struct {
	field       *spec.Attr // nil for the elements themselves
	before, now *read.Array
	to          func(i int64) int64
}

// at returns the place of a number of the column.
func (c *column) at(a *read.Array, i int64) (p read.Place, ok bool) {
	p = read.Place{Of: a.Owner, Attr: a.Attr, Index: i}
	if isThere := i >= 0 && a.Has(i); c.field == nil || !isThere {
		return p, isThere
	}
	s, ok := a.Cell(i).Val.Ref.(*read.Struct)
	if ok {
		s.Ensure()
	}
	return read.Place{Of: s, Attr: c.field, Index: -1}, ok
}

func (c *column) number(a *read.Array, i int64) (v int64, p read.Place, ok bool) {
	if p, ok = c.at(a, i); !ok {
		return 0, p, false
	}
	cell := p.Cell()
	v, err := cell.Val.Int64()
	return v, p, err == nil && cell.Bad == nil
}

// unequal returns the numbers of the column that do not say any more what they said; what returns that for the i-th number. ok is
// false if they said nothing. So many different numbers are not equal by chance, however small they are.
func (c *column) unequal(many int, what func(i, n int64) (movedTo, bool)) (e Equal, ok bool) {
	e.Attr, e.name, e.isOne = c.before.Attr, c.before.Attr.ID, true
	if c.field != nil {
		e.Attr, e.name = c.field, e.name+"[*]."+c.field.ID
	}
	seen, largest := map[int64]bool{}, int64(0)
	compared := int64(0) // elements
	for ; compared < maxTable && c.before.Has(compared); compared++ {
		was, _, ok := c.number(c.before, compared)
		if !ok {
			return e, false
		}
		x, isSaid := what(compared, was)
		if !isSaid {
			return e, false
		}
		if was != 0 || many <= maxTable { // 0 leads nowhere
			seen[was], largest = true, max(largest, was)
		}
		if was == 0 && x.now == 0 {
			continue
		}
		is, p, ok := c.number(c.now, c.to(compared))
		if !ok || is != was || x.now == was && x.isOne {
			continue
		}
		if len(e.places) == 0 {
			e.Was, e.Want, e.To = was, x.now, x.what
		}
		e.isOne = e.isOne && x.isOne && x.now >= 0
		e.places = append(e.places, follower{p.Steps(), expr.Of(x.now)})
	}
	if len(seen) < many && !maybeEqual(e.Attr, largest) || len(seen) < 2 && compared > 1 {
		return e, false
	}
	if len(e.places) == 0 {
		return e, true
	}
	c.name(&e, c.before.Has(compared))
	return e, true
}

// name says which numbers of the column are meant; others behind them are not compared if it isCut.
func (c *column) name(e *Equal, isCut bool) {
	e.isCut = isCut
	e.table = fmt.Sprintf("%s (%v) is a table, of which %d numbers would be wrong", e.name, e.Attr.Place, len(e.places))
	if e.isCut {
		e.table += fmt.Sprintf(", and those behind the first %d are not compared", maxTable)
	}
	steps := e.places[0].steps
	e.at = steps[len(steps)-1]
	e.name = e.at.String()
	if c.field != nil {
		e.name = steps[len(steps)-2].String() + "." + e.name
	}
}
