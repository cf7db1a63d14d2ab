package change

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/notation"
)

// Set gives a value what a literal says.
func (f *File) Set(n Value, text string) error {
	isWhole := n.Type.Kind == spec.User && n.Type.User != nil
	_, isList := n.Val.Ref.(*read.Array)
	if !isWhole && !isList {
		v, err := parse(&n, text)
		if err != nil {
			return err
		}
		return f.Put(n, v)
	}
	l, err := parseLiteral(text)
	if err != nil {
		return err
	}
	if inner, ok := shown(&n); ok && l.kind != notation.Pairs {
		return f.Set(inner, text)
	}
	if v, ok := grouped(&n, &l); ok {
		return f.Put(n, v)
	}
	if isList {
		return f.setList(n, &l)
	}
	b, err := made(n, &l, n.Start-n.Of.IO.Base)
	if err != nil {
		return err
	}
	f.added = &addition{likeNew(&n), n.Place.Steps(), &l}
	return f.become(&replacement{at: n.Place, buf: n.Buf, span: span.Between(n.Start, n.End), new: b, isWhole: true}, &l)
}

// places reports whether the literal of a list says where something of an element of a type lies.
func (l *literal) places(t *spec.Type) bool {
	return t == nil || slices.ContainsFunc(t.Seq, func(a *spec.Attr) bool {
		return len(a.Located()) > 0 && slices.ContainsFunc(l.items, func(x literal) bool { return x.members[a.ID] != nil })
	})
}

// become replaces a value by what a literal says.
func (f *File) become(e *replacement, l *literal) error {
	if !bytes.Equal(e.new, e.buf.Append(nil, e.span.Offset, e.span.End())) {
		if err := f.settle(e); err != nil {
			return err
		}
	}
	return f.given(e.at, l)
}

// setList gives a list other elements. What only those before lead to goes, and what the new ones lead to gets bytes of its own.
func (f *File) setList(n Value, l *literal) error {
	if l.kind != notation.List {
		return errors.New("a list is expected here")
	}
	a := n.Val.Ref.(*read.Array)
	steps, had := n.Place.Steps(), a.Len()
	if !l.places(a.Attr.Type.User) {
		for i := range had {
			f.dropApart(steps, had-1-i)
		}
	}
	like := likeNew(&n)
	now, _ := placeAt(f.reading().Root, steps)
	n = Value{now, now.Cell()}
	b, sizes, err := f.items(n, l.items)
	if err == nil {
		err = f.become(&replacement{at: now, buf: n.Buf, span: span.Between(n.Start, n.End), new: b, isWhole: true, grows: int64(len(l.items)) - had, sizes: sizes}, &literal{text: "null"})
	}
	for i := 0; err == nil && i < len(l.items); i++ {
		err = f.giveApart(steps, int64(i), &l.items[i])
	}
	if err != nil {
		return err
	}
	f.added = &addition{like, steps, l}
	return f.given(now, l)
}

// shown returns the attribute that a struct is shown as, if its title is nothing else.
func shown(n *Value) (v Value, ok bool) {
	s, ok := n.Val.Ref.(*read.Struct)
	if !ok || len(s.Type.Text) != 1 || s.Type.Text[0].Text != "" || n.Attr.Text != nil {
		return v, false
	}
	for _, a := range s.Type.Seq {
		if p := (read.Place{Of: s, Attr: a, Index: -1}); expr.IsName(s.Type.Text[0].Value, a.ID) {
			v = Value{p, p.Cell()}
		}
	}
	return v, v.Type != nil && v.State != read.Absent
}

// grouped returns the number that a literal gives a struct that holds one in groups of bits.
func grouped(n *Value, l *literal) (v expr.Value, ok bool) {
	s, isStruct := n.Val.Ref.(*read.Struct)
	if l == nil || l.kind == notation.Pairs || !isStruct || !s.Type.IsGrouped() {
		return v, false
	}
	number := Value{n.Place, read.Cell{Type: &spec.TypeRef{Kind: spec.Signed}, Val: expr.Of(0)}}
	v, err := parse(&number, l.text)
	return v, err == nil
}

// items builds the elements of a list.
func (f *File) items(n Value, items []literal) (all []byte, sizes []int64, err error) {
	for i := range items {
		b, err := buildElement(n.Place, int64(i), &items[i], n.Start+int64(len(all)))
		if err != nil {
			return nil, nil, fmt.Errorf("[%d]: %w", i, err)
		}
		all, sizes = append(all, b...), append(sizes, int64(len(b)))
	}
	return all, sizes, nil
}

// buildElement builds an element of a list that will be at an offset.
func buildElement(list read.Place, i int64, l *literal, at int64) ([]byte, error) {
	if a, ok := list.Cell().Val.Ref.(*read.Array); ok && isOfElement(list.Attr.Size) { // an element that is there has a size
		i = max(0, min(i, a.Len()-1))
	}
	list.Index = i
	t := &list.Attr.Type
	switch {
	case t.Kind == spec.Bits:
		return nil, errors.New("bits cannot be inserted; an element that is there can be duplicated")
	case list.Attr.Switch != nil:
		t = nil
	}
	return build(list, t, l, at-list.Of.IO.Base)
}

// Insert inserts an element that a literal describes into a list, or fills the first empty slot from an index on.
func (f *File) Insert(list Value, at int64, text string) error {
	a, ok := list.Val.Ref.(*read.Array)
	if !ok {
		return ErrElement
	}
	if v, ok := emptySlot(a, at); ok {
		return f.Set(v, text)
	}
	l, err := parseLiteral(text)
	if err != nil {
		return err
	}
	off, err := offsetIn(list.Place, at)
	if err != nil {
		return err
	}
	b, err := buildElement(list.Place, at, &l, off)
	if err != nil {
		return err
	}
	if err = f.insert(list.Place, at, b, nil); err != nil {
		return err
	}
	if err = f.giveApart(list.Place.Steps(), at, &l); err != nil {
		return err
	}
	like := likeNew(&list)
	list.Place.Index = at
	f.added = &addition{like, list.Place.Steps(), &l}
	return f.given(list.Place, &l)
}
