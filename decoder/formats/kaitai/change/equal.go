package change

import (
	"fmt"
	"slices"
	"strings"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// An Equal is a number that no expression uses. It was equal to something before an edit, and is not any more.
type Equal struct {
	Attr *spec.Attr
	To   string // "the number of items"
	Expr string // what -varview-value says of it; "" if there is no such expression, or it may be equal to several things
	Was  int64
	Want int64

	places []follower // the number, or those of the elements of a table
	isOne  bool       // there is only one thing that it was equal to
	table  string     // what is said of a table; "" for a number alone
	name   string     // of the first number of a table: "tab[2]"
	isCut  bool       // the table is too long to be compared as a whole
}

// A follower is a number by the steps that lead to it, and what it would have to be.
type follower struct {
	steps []read.Place
	want  int64
}

// A measured is a size, a number or an offset before an edit and after it. Its expression is for a number beside it, or
// in a struct beside it.
type measured struct {
	what, expr, beside string
	was, now           int64
}

// Unequal returns the numbers that an edit at a place, in the file before it, has made unequal to a size, a number of
// elements or an offset. They are looked for in the structs that the place is in, and in those directly beside it.
func (f *File) Unequal(at read.Place) (all []Equal) {
	if !f.depends {
		return nil
	}
	path := at.Steps()
	tables := f.newTables(path)
	for k, step := range path {
		o, n := step.Of, f.structAt(path[:k])
		if n == nil {
			return all
		}
		all = append(all, tables.unequalIn(o, n)...)
		changed := measure(o, n, step.Attr, k == 0)
		if len(changed) == 0 {
			continue
		}
		all = append(all, unequalIn(o, n, changed, false)...)
		for i, a := range o.Type.Seq {
			oh, ok := structOf(o, i)
			nh, isThere := structOf(n, i)
			if ok && isThere && a != step.Attr {
				all = append(all, unequalIn(oh, nh, append(slices.Clip(changed), runsBehind(o, n, i)...), true)...)
			}
		}
	}
	return all
}

func structOf(s *read.Struct, i int) (*read.Struct, bool) {
	if s.Ensure(); i >= len(s.Cells) {
		return nil, false
	}
	x, ok := s.Cells[i].Val.Ref.(*read.Struct)
	return x, ok
}

// structAt returns the struct that steps lead to now; nil for none.
func (f *File) structAt(steps []read.Place) *read.Struct {
	s := f.reading().Root
	for _, step := range steps {
		c := step.In(s).Cell()
		var ok bool
		if s, ok = c.Val.Ref.(*read.Struct); !ok || c.Bad != nil {
			return nil
		}
	}
	return s
}

// measure returns what has changed of an attribute that an edit is in, and where the ones behind it are.
func measure(o, n *read.Struct, a *spec.Attr, isRoot bool) (all []measured) {
	add := func(what, expr, beside string, was, now int64) {
		if was != now {
			all = append(all, measured{what, expr, beside, was, now})
		}
	}
	oa, isArray := o.Of(a).Val.Ref.(*read.Array)
	if na, ok := n.Of(a).Val.Ref.(*read.Array); ok && isArray {
		add("the number of "+a.ID, a.ID+".size", "_parent."+a.ID+".size", oa.Len(), na.Len())
	}
	was, errWas := o.SizeOf(a.ID)
	now, errNow := n.SizeOf(a.ID)
	if errWas == nil && errNow == nil {
		add("the size of "+a.ID, a.ID+"._sizeof", "_parent."+a.ID+"._sizeof", int64(was.N), int64(now.N))
		oc, nc := o.Of(a), n.Of(a)
		add("the size of "+a.ID+" as it is stored", "", "", oc.End-oc.Start, nc.End-nc.Start)
	}
	if isRoot {
		add("the size of the file", "_io.size", "_root._io.size", o.IO.Size(), n.IO.Size())
	}
	for i := range min(len(o.Cells), len(n.Cells)) {
		x, y := &o.Cells[i], &n.Cells[i]
		id := o.Type.Seq[i].ID
		add("the offset of "+id, "", "", x.Start-o.IO.Base, y.Start-n.IO.Base)
		if rest := fmt.Sprintf("_io.size - %d", x.Start-o.IO.Base); isRoot && i > 0 && x.Start == y.Start {
			add("the size of all from "+id+" on", rest, "_root."+rest, o.IO.End-x.Start, n.IO.End-y.Start)
		}
	}
	return all
}

// unequalIn returns the numbers in a struct that were equal to something that has changed.
func unequalIn(o, n *read.Struct, changed []measured, isBeside bool) (all []Equal) {
	o.Ensure()
	n.Ensure()
	for i := range min(len(o.Cells), len(n.Cells)) {
		a := o.Type.Seq[i]
		if !isNumber(a) {
			continue
		}
		was, errWas := o.Cells[i].Val.Int64()
		now, errNow := n.Cells[i].Val.Int64()
		if errWas != nil || errNow != nil || was != now || !maybeEqual(a, was) {
			continue
		}
		var e *Equal
		for _, m := range append(slices.Clip(changed), runsBehind(o, n, i)...) {
			switch {
			case m.was != was:
			case e == nil:
				e = &Equal{Attr: a, To: m.what, Expr: m.expr, Was: was, Want: m.now, isOne: true}
				e.places = []follower{{read.Place{Of: n, Attr: a, Index: -1}.Steps(), m.now}}
				if isBeside {
					e.Expr = m.beside
				}
			case m.now != e.Want:
				e.To, e.Expr, e.isOne = e.To+" or "+m.what, "", false
			}
		}
		if e != nil {
			all = append(all, *e)
		}
	}
	return all
}

// runsBehind returns what has changed of the sizes of several attributes that follow the i-th directly.
func runsBehind(o, n *read.Struct, i int) (all []measured) {
	for j := i + 2; j < min(len(o.Cells), len(n.Cells)); j++ {
		was, now := o.Cells[j].End-o.Cells[i].End, n.Cells[j].End-n.Cells[i].End
		if was != now && o.Cells[j].End < o.IO.End {
			all = append(all, measured{"the size of all from " + o.Type.Seq[i+1].ID + " to " + o.Type.Seq[j].ID, "", "", was, now})
		}
	}
	return all
}

// isNumber reports whether an attribute is a number of which the description says nothing more.
func isNumber(a *spec.Attr) bool {
	return a.Repeat == spec.Once && isUnsaid(a)
}

// isUnsaid reports whether an attribute is a number, or an array of such, of which the description says nothing more.
func isUnsaid(a *spec.Attr) bool {
	isInt := a.Type.Kind == spec.Unsigned || a.Type.Kind == spec.Signed
	return isInt && a.Switch == nil && a.Enum == nil && a.Kept == nil && a.Valid == nil && !a.Owner.Uses(a.ID)
}

// maybeEqual reports whether a number is equal to another one not only by chance: it is not small, or its name says so.
func maybeEqual(a *spec.Attr, was int64) bool {
	const small = 16
	if was >= small {
		return true
	}
	for _, word := range []string{"num", "count", "cnt", "len", "size", "off", "ofs", "pos", "total"} {
		if strings.Contains(a.ID, word) {
			return was > 0
		}
	}
	return false
}

// String says what the number was equal to.
func (e *Equal) String() string {
	text := fmt.Sprintf("%s (%v) was %d, as was %s", e.Attr.ID, e.Attr.Place, e.Was, e.To)
	if e.table != "" {
		text = fmt.Sprintf("%s; %s was %d, as was %s", e.table, e.name, e.Was, e.To)
	}
	if e.isOne {
		text += fmt.Sprintf(", which is now %d", e.Want)
	}
	return text
}

// KeepEqual makes the number equal again to what it was equal to.
func (f *File) KeepEqual(e *Equal) error {
	if e.isCut {
		return fmt.Errorf("%s: set them yourself", e.table)
	}
	if !e.isOne {
		return fmt.Errorf("%s (%v) was equal to %s: set it yourself", e.Attr.ID, e.Attr.Place, e.To)
	}
	for _, x := range e.places {
		last := len(x.steps) - 1
		s := f.structAt(x.steps[:last])
		if s == nil {
			return fmt.Errorf("%s does not exist any more", e.Attr.ID)
		}
		p := x.steps[last].In(s)
		if err := f.Put(Value{p, p.Cell()}, expr.Of(x.want)); err != nil {
			return err
		}
	}
	return nil
}
