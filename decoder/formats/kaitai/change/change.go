// Package change changes values of described files. Sizes, counts, offsets and values that are kept equal to
// something follow.
package change

import (
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// A File is a described file while it is changed.
type File struct {
	doc    *read.Doc        // as it is now, unless there is a next one
	next   func() *read.Doc // reads it after an edit that nothing follows; nil for none
	src    *source.Pieces
	was    source.Source
	open   func(source.Source) *read.Doc
	steers func(a *spec.Attr) bool // whether anything may depend on the value of an attribute
	isFree func(a *spec.Attr) bool // whether an attribute may follow if another one might too

	Choices    []edit.Choice // what was decided
	AsksBeside bool          // about lists too, but for those chosen by their paths
	Steers     bool          // other values may read differently now
	Misread    bool          // and nothing has followed that says how many bytes they have
	leads      bool          // only positions of others are not what they were, as far as was compared last
	flips      bool          // the edit makes attributes come, go, or have another type
	depends    bool          // other values may depend on what has changed
	last       *replacement  // that others followed
	twins      []twin        // of its list
	added      *addition     // what it has made of a literal; nil for none

	renewed map[read.Place]bool // numbers and checksums before the edit that were made equal again
}

// rank ranks a field among those of which either could follow an edit.
func (f *File) rank(d read.Decision) int {
	if d.Attr != nil && f.isFree(d.Attr) {
		return 1
	}
	return 0
}

// NewFile returns a file as it is read from a source; open reads it again. steers
// reports whether anything may depend on the value of an attribute, and isFree whether one may follow an edit if another one might too.
func NewFile(src source.Source, doc *read.Doc, open func(source.Source) *read.Doc, steers func(a *spec.Attr) bool, isFree func(a *spec.Attr) bool) *File {
	was := &whole{src}
	return &File{doc: doc, was: was, src: source.Whole(was), open: open, steers: steers, isFree: isFree, renewed: map[read.Place]bool{}}
}

// A whole is the file before the changes, whatever pieces it is made of.
type whole struct{ source.Source }

// Splices returns what has changed.
func (f *File) Splices() []source.Splice { return f.src.Since(f.was) }

// Put gives a value that has no parts another value.
func (f *File) Put(n Value, v expr.Value) error {
	is, err := n.Cell.Value(n.Attr)
	if err == nil && isEqual(is, v) && v.Kind != expr.Float {
		return nil // what fills it up may be anything
	}
	if n.Attr.Pos != nil && n.Start == n.End && (n.Of.In.Index >= 0 || n.Start == n.Of.IO.Base) { // it may lead anywhere
		return f.putApart(n, v)
	}
	at, b, err := encode(n, v)
	if err != nil {
		return err
	}
	f.depends = f.depends || v.Kind == expr.Str // a number may be equal to its length
	return f.put(&replacement{at: n.Place, buf: n.Buf, span: at, new: b, want: &v, isSaid: saysLength(&n)})
}

// put makes an edit that gives a value another one.
func (f *File) put(e *replacement) error {
	isSame, a := int64(len(e.new)) == e.span.Length, e.at.Attr
	if !f.steers(a) && isSame && !e.isSaid && f.replace(e) { // nothing depends on it
		return nil
	}
	err := f.settle(e)
	if err != nil && isSame && !f.flips && !errors.As(err, new(*edit.ChoiceError)) {
		err = f.plainly(e, err) // perhaps it decides how others are read
	}
	if err == nil && a.Kept != nil && !f.reads(e) {
		err = fmt.Errorf("%s (%v) is computed: -varview-value keeps it what it is", a.ID, a.Place)
	}
	return err
}

// Replace gives a value that another format reads other bytes.
func (f *File) Replace(n Value, b []byte) error {
	b, err := fill(&n, b)
	if err != nil {
		return err
	}
	return f.settle(&replacement{at: n.Place, buf: n.Buf, span: span.Between(n.Start, n.End), new: b, isWhole: true})
}

// plainly makes an edit that changes how other values are read, and no sizes. Values that are kept follow. err says
// why nothing else could be done.
func (f *File) plainly(e *replacement, err error) error {
	was := *f
	if !f.replace(e) {
		return err
	}
	if f.reads(e) {
		f.Steers = true
		f.Misread = f.Misread || !was.leads && !slices.Contains(f.Choices, edit.KeepBytes)
		return f.Keep()
	}
	*f = was
	return err
}

// reads reports whether the value of an edit reads now as it was set.
func (f *File) reads(e *replacement) bool {
	p, ok := f.placeAt(e.at.Steps())
	if !ok || e.want == nil {
		return false
	}
	c := p.Cell()
	is, err := c.Value(e.at.Attr)
	return err == nil && isEqual(is, *e.want)
}

// replace makes an edit that nothing has to follow, if the file keeps its size.
func (f *File) replace(e *replacement) bool {
	l := layers{}
	l.make(e)
	src, splices, err := l.made(f.src)
	if err != nil || src.Size() != f.src.Size() {
		return false
	}
	was := f.reading()
	f.src, f.next = src, func() *read.Doc { return f.read(src, was, splices) }
	return true
}

// reading returns the file as it is now.
func (f *File) reading() *read.Doc {
	if f.next != nil {
		f.doc, f.next = f.next(), nil
	}
	return f.doc
}

// read reads the file after an edit with the help of an earlier reading.
func (f *File) read(src source.Source, was *read.Doc, splices []source.Splice) *read.Doc {
	doc := f.open(src)
	doc.Recall(was.Memory(splices, false))
	return doc
}

// Keep sets all values that are kept equal to something.
func (f *File) Keep() error {
	root := f.reading().Root
	return f.settle(&replacement{at: read.Place{Of: root}, buf: root.IO.Buf})
}

// ErrElement is the refusal to insert, delete or move what is no element of a list.
const ErrElement = edit.Never("only elements of a list can be inserted, deleted and moved")

// element returns an element of a list.
func element(n Value) (*read.Array, error) {
	c := n.Of.Of(n.Attr)
	a, ok := c.Val.Ref.(*read.Array)
	if !ok || n.Index < 0 {
		return nil, ErrElement
	}
	return a, nil
}

// Delete removes an element of a list, and what it alone leads to where nothing else reads that. Among slots it leaves an empty one.
func (f *File) Delete(n Value) error {
	a, err := element(n)
	if err != nil {
		return err
	}
	if empty, ok := emptySlot(a, 0); ok {
		return f.settle(&replacement{at: n.Place, buf: n.Buf, span: span.Between(n.Start, n.End), new: bytesIn(empty.Cell), isWhole: true})
	}
	list := n.Place
	list.Index = -1
	f.dropApart(list.Steps(), n.Index)
	now, _ := f.placeAt(list.Steps())
	x := now.Cell().Val.Ref.(*read.Array).Cell(n.Index)
	return f.settle(&replacement{at: now, buf: x.Buf, span: span.Between(x.Start, x.End), grows: -1, move: &move{n.Index, nowhere}})
}

// offsetIn returns where an element of a list that is inserted at an index begins.
func offsetIn(list read.Place, at int64) (int64, error) {
	c := list.Cell()
	a := c.Val.Ref.(*read.Array)
	n := a.Len()
	switch {
	case at > 0 && at <= n:
		return a.Cell(at - 1).End, nil
	case at != 0:
		return 0, fmt.Errorf("index %d is out of range; the last is %d", at, n)
	}
	return c.Start, nil
}

// insert inserts an element with some bytes into a list.
func (f *File) insert(list read.Place, at int64, b []byte, copy *copying) error {
	c := list.Cell()
	off, err := offsetIn(list, at)
	if err != nil {
		return err
	}
	return f.settle(&replacement{at: list, buf: c.Buf, span: span.Span{Offset: off}, new: b, added: at, sizes: []int64{int64(len(b))}, copy: copy, grows: 1, move: &move{nowhere, at}})
}

// Duplicate inserts a copy of an element of a list into it. What the element leads to is copied too where nothing else
// reads it.
func (f *File) Duplicate(n Value, to int64) error {
	a, err := element(n)
	if err != nil {
		return err
	}
	if v, ok := emptySlot(a, to); ok {
		return f.settle(&replacement{at: v.Place, buf: v.Buf, span: span.Between(v.Start, v.End), new: bytesIn(n.Cell), isWhole: true})
	}
	list, of := n.Place, n.Index
	list.Index = -1
	if err := f.insert(list, to, bytesIn(n.Cell), &copying{of, to}); err != nil {
		return err
	}
	if of >= to {
		of++
	}
	f.copyApart(list.Steps(), of, to)
	return nil
}

// Move moves an element of a list to another index.
func (f *File) Move(n Value, to int64) error {
	a, err := element(n)
	if err != nil || to == n.Index {
		return err
	}
	if to < 0 || to >= a.Len() {
		return fmt.Errorf("index %d is out of range; the last is %d", to, a.Len()-1)
	}
	x, i := moved(a, n.Index, to), n.Index
	n.Place.Index = -1
	return f.settle(&replacement{at: n.Place, buf: n.Buf, span: x.Span, new: x.new, mid: x.mid, move: &move{i, to}})
}

// moved returns the splice that moves an element of a list to another index.
func moved(a *read.Array, i, to int64) splice {
	n, other := a.Cell(i), a.Cell(to)
	if to > i {
		others := n.Buf.Append(nil, n.End, other.End)
		return splice{Span: span.Between(n.Start, other.End), new: append(others, bytesIn(n)...), mid: n.End}
	}
	others := n.Buf.Append(nil, other.Start, n.Start)
	return splice{Span: span.Between(other.Start, n.End), new: append(bytesIn(n), others...), mid: n.Start}
}

// bytesIn returns the bytes of a value.
func bytesIn(c read.Cell) []byte { return c.Buf.Append(nil, c.Start, c.End) }

// emptySlot returns the first element, of those from an index on or of all, that has nothing but zeros or nothing but 0xff, in a list
// of which nothing can change the number of elements.
func emptySlot(a *read.Array, from int64) (v Value, ok bool) {
	p := read.Place{Of: a.Owner, Attr: a.Attr, Index: -1}
	if _, err := p.Solve(a.Attr.RepeatExpr, expr.Of(a.Len()+1), nil); a.Attr.Repeat != spec.Times || !errors.Is(err, expr.ErrFixed) {
		return v, false
	}
	for i := int64(0); i < maxTable && a.Has(i); i++ {
		p.Index = i
		x := Value{p, a.Cell(i)}
		isEmpty := x.hasBytes() && isFiller(&x.Cell) && slices.Contains([]byte{0, 0xff}, x.Buf.Append(nil, x.Start, x.Start+1)[0])
		if isEmpty && (!ok || i >= from && v.Index < from) {
			v, ok = x, true
		}
	}
	return v, ok
}
