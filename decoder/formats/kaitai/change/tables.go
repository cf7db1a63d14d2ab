package change

import (
	"fmt"

	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// maxTable is the number of elements of an array that are compared.
const maxTable = 4096

// tables compares tables of offsets, arrays of numbers and fields of the records of an array, before an edit and after it.
// A column of numbers is one of offsets if each of its numbers but zeros is the offset of something.
type tables struct {
	file    *File
	offsets map[stream]map[int64]movedTo // by stream and offset before the edit
	moved   bool                         // any of them is another one now
}

// A stream is what offsets are counted in.
type stream struct {
	buf  *read.Buffer
	base int64
}

func streamOf(s *read.Struct) stream { return stream{s.IO.Buf, s.IO.Base} }

// movedTo is where something is after the edit that was at an offset before it.
type movedTo struct {
	what  string
	now   int64
	isOne bool // all that was there is there now
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
	to := t.file.movesOf(oa)
	for i := int64(0); i < maxTable && oa.Has(i); i++ {
		now, what := int64(-1), fmt.Sprintf("the offset of %s[%d]", oa.Attr.ID, i)
		if j := to(i); j >= 0 && na.Has(j) {
			now = na.Cell(j).Start - n.IO.Base
		}
		t.add(o, oa.Cell(i).Start, now, what)
	}
}

// movesOf returns where the elements of an array are after the edit; -1 for nowhere.
func (f *File) movesOf(a *read.Array) func(i int64) int64 {
	if e := f.last; e != nil && e.at.Attr == a.Attr && e.at.Of == a.Owner {
		return e.index
	}
	return func(i int64) int64 { return i }
}

// unequalIn returns the tables in a struct in which offsets in a stream are not what they were.
func (t *tables) unequalIn(o, n *read.Struct, in stream) (all []Equal) {
	offsets := t.offsets[in]
	for i := 0; t.moved && offsets != nil && i < len(o.Type.Seq); i++ {
		all = append(all, t.unequal(o, n, i, offsets)...)
	}
	return all
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
	fields := []*spec.Attr{nil}
	if a.Type.User != nil && a.Switch == nil {
		fields = a.Type.User.Seq
	} else if !isUnsaid(a) {
		return nil
	}
	for _, field := range fields {
		if field != nil && !isNumber(field) {
			continue
		}
		c := column{field: field, before: oa, now: na, to: t.file.movesOf(oa)}
		if e, ok := c.unequal(offsets); ok {
			all = append(all, e)
		}
	}
	return all
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

// unequal returns the numbers of the column that are not the offsets any more that they were.
func (c *column) unequal(offsets map[int64]movedTo) (e Equal, ok bool) {
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
		if was == 0 {
			continue
		}
		x, isOffset := offsets[was]
		if !isOffset {
			return e, false
		}
		seen[was], largest = true, max(largest, was)
		is, p, ok := c.number(c.now, c.to(compared))
		if !ok || is != was || x.now == was && x.isOne {
			continue
		}
		if len(e.places) == 0 {
			e.Was, e.Want, e.To = was, x.now, x.what
		}
		e.isOne = e.isOne && x.isOne && x.now >= 0
		e.places = append(e.places, follower{p.Steps(), x.now})
	}
	if len(e.places) == 0 || !maybeEqual(e.Attr, largest) || len(seen) < 2 && compared > 1 {
		return e, false
	}
	e.isCut = c.before.Has(compared)
	e.table = fmt.Sprintf("%s (%v) holds offsets, of which %d would be wrong", e.name, e.Attr.Place, len(e.places))
	if e.isCut {
		e.table += fmt.Sprintf(", and those behind the first %d are not compared", maxTable)
	}
	steps := e.places[0].steps
	e.name = steps[len(steps)-1].String()
	if c.field != nil {
		e.name = steps[len(steps)-2].String() + "." + e.name
	}
	return e, true
}
