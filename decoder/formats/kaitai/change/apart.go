package change

import (
	"iter"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// apart gives an instance bytes of its own: behind those of another one, or at the end of its stream if that is nil.
func (f *File) apart(p read.Place, beside *Value, b []byte) error {
	io, err := p.Stream()
	if err != nil {
		return err
	}
	e := &replacement{at: p, buf: io.Buf, span: span.Span{Offset: io.End}, new: b, apart: true}
	for steps := p.Steps(); e.around < len(steps) && steps[e.around].Of.IO != io; {
		e.around++
	}
	if beside != nil {
		e.beside = span.Between(beside.Start, beside.End)
		e.span.Offset = beside.End
	}
	return f.settle(e)
}

// listAt returns the list that steps lead to in the file as it is now; nil if there is none.
func (f *File) listAt(steps []read.Place) *read.Array {
	p, ok := f.placeAt(steps)
	if !ok {
		return nil
	}
	a, _ := p.Cell().Val.Ref.(*read.Array)
	return a
}

// instanceOf returns an instance of an element.
func instanceOf(a *read.Array, i int64, attr *spec.Attr) (v Value, ok bool) {
	if a == nil || i < 0 || !a.Has(i) {
		return v, false
	}
	s, ok := a.Cell(i).Val.Ref.(*read.Struct)
	if !ok || s.Type != attr.Owner {
		return v, false
	}
	v.Place = read.Place{Of: s, Attr: attr, Index: -1}
	v.Cell = v.Place.Cell()
	return v, v.State != read.Absent
}

// hasBytes reports whether a value could be read, and is not empty.
func (n *Value) hasBytes() bool { return n.Bad == nil && n.End > n.Start }

// led returns the instances of an element that have a position, each as it is when it is asked for, and the list.
func (f *File) led(list []read.Place, at int64) iter.Seq2[*read.Array, Value] {
	return func(yield func(*read.Array, Value) bool) {
		a := f.listAt(list)
		if a == nil || !a.Has(at) {
			return
		}
		s, ok := a.Cell(at).Val.Ref.(*read.Struct)
		for i := 0; ok && i < len(s.Type.Instances); i++ {
			now := f.listAt(list)
			if own, isThere := instanceOf(now, at, s.Type.Instances[i]); isThere && own.Attr.Pos != nil && !yield(now, own) {
				return
			}
		}
	}
}

// copyApart gives the instances of a copy of an element bytes of their own, where they may have such.
func (f *File) copyApart(list []read.Place, of, to int64) {
	for a, own := range f.led(list, to) {
		from, ok := instanceOf(a, of, own.Attr)
		if !ok || !from.hasBytes() || !own.Attr.CanBeCopied() {
			continue
		}
		was := *f
		if f.apart(own.Place, &from, from.Buf.Append(nil, from.Start, from.End)) != nil {
			*f = was // others read it too: both lead there
		}
	}
}

// dropApart removes the bytes that the instances of an element have elsewhere, if nothing else reads them.
func (f *File) dropApart(list []read.Place, at int64) {
	for a, own := range f.led(list, at) {
		if !own.hasBytes() || leadsWhereOthersDo(a, own) {
			continue
		}
		was := *f
		f.dropInside(&own)
		own, _ = instanceOf(f.listAt(list), at, own.Attr)
		if f.settle(&replacement{at: own.Place, buf: own.Buf, span: span.Between(own.Start, own.End), apart: true, drops: true}) != nil {
			*f = was
		}
	}
}

// mostInside is the number of elements of a list in a value that is removed of which the instances are removed too.
const mostInside = 256

// dropInside removes the bytes that the instances of the elements of lists in a value have elsewhere.
func (f *File) dropInside(n *Value) {
	s, _ := n.Val.Ref.(*read.Struct)
	for i := 0; s != nil && i < len(s.Cells); i++ {
		a, ok := s.Cells[i].Val.Ref.(*read.Array)
		if !ok || isPlain(a.Attr) {
			continue
		}
		for at := min(mostInside, a.Len()) - 1; at >= 0; at-- { // an offset without bytes leads to those of the next one
			f.dropApart(read.Place{Of: s, Attr: a.Attr, Index: -1}.Steps(), at)
		}
	}
}

// giveApart gives the instances of a new element the values that a literal says, where they lie elsewhere.
func (f *File) giveApart(list []read.Place, at int64, l *literal) error {
	for a, own := range f.led(list, at) {
		given := l.member(own.Attr.ID)
		if given == nil || given.text == "null" {
			continue
		}
		isAsGiven := readsAs(own, given) == nil
		if isAsGiven && leadsWhereOthersDo(a, own) {
			continue
		}
		was := *f
		if err := f.setApart(own, given); err != nil && !isAsGiven {
			return err
		} else if err != nil {
			*f = was
		}
	}
	return nil
}

// leadsWhereOthersDo reports whether an instance of an element is empty, or begins where that of another element does.
func leadsWhereOthersDo(a *read.Array, own Value) bool {
	for i := int64(0); i < maxTable && a.Has(i); i++ {
		if v, ok := instanceOf(a, i, own.Attr); ok && i != own.Of.In.Index && v.hasBytes() && v.Start == own.Start {
			return true
		}
	}
	return own.End == own.Start
}

// setApart gives an instance of a new element what a literal says.
func (f *File) setApart(own Value, l *literal) error {
	beside := besides(own)
	if own.Bad != nil && beside != nil { // it leads nowhere yet
		own.Type, own.Val = beside.Type, beside.Val
	}
	if own.Type == nil {
		return own.Bad
	}
	if own.Type.Kind == spec.User && own.Type.User != nil {
		b, err := made(own, l, 0)
		if err != nil {
			return err
		}
		return f.apart(own.Place, beside, b)
	}
	v, err := parse(&own, l.text)
	if err != nil {
		return err
	}
	return f.putApart(own, v)
}

// putApart gives an instance of an element, which has no bytes, a value behind those of the elements beside it.
func (f *File) putApart(own Value, v expr.Value) error {
	beside := besides(own)
	like := own
	if beside != nil {
		like = *beside
	}
	_, b, err := encode(like, v)
	if err != nil {
		return err
	}
	return f.apart(own.Place, beside, b)
}

// besides returns the same instance of an element beside the one that an instance is in, if it has bytes.
func besides(own Value) *Value {
	in := own.Of.In
	if in.Of == nil {
		return nil
	}
	a, _ := in.Of.Of(in.Attr).Val.Ref.(*read.Array)
	for _, i := range []int64{in.Index - 1, in.Index + 1} {
		if v, ok := instanceOf(a, i, own.Attr); ok && v.hasBytes() {
			return &v
		}
	}
	return nil
}
