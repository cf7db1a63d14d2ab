package change

import (
	"errors"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// A walk compares two readings of the file: before the edit, and as it is now.
type walk struct {
	*settling
	seen      map[place]bool
	needs     []need       // what must change
	kept      []read.Place // values that are kept, as they are now
	flip      *flip        // the first attribute that comes, goes, or gets another type
	elsewhere int          // instances off the path that are compared: these may read bytes on it again
	isInside  bool         // what is compared is in an element of the list that the edit changes
	isCopy    bool         // what is compared is a copy
	err       error        // why the file does not read as it is meant to, where nothing can be done about it
}

// A place is where a struct is before the edit.
type place struct {
	t     *spec.Type
	buf   *read.Buffer
	start int64
}

func (w *walk) fail(p read.Place, format string, args ...any) bool {
	if w.path == nil { // nothing is edited
		return true
	}
	if w.err == nil {
		w.err = fmt.Errorf("%s (%v) %s", p.Attr.ID, p.Attr.Place, fmt.Sprintf(format, args...))
	}
	return false
}

// need notes an expression that must have another value. It reports whether it has that.
func (w *walk) need(p read.Place, n expr.Node, from, want int64, what string) bool {
	if w.path == nil {
		return true
	}
	v, err := p.Eval(n, from)
	is, bad := v.Int64()
	if err == nil && bad == nil && is == want {
		return true
	}
	w.needs = append(w.needs, newNeed(p, n, from, want, what))
	return false
}

func newNeed(p read.Place, n expr.Node, from, want int64, what string) need {
	return need{p, n, from, want, what, what + p.Path()}
}

// onPath reports whether the edit is in a value that is reached by the step number on of the path.
func (w *walk) isOn(p read.Place, on int) bool {
	return on >= 0 && on < len(w.path) && w.path[on].Attr == p.Attr && (p.Index < 0 || w.path[on].Index == p.Index)
}

// structs compares two structs. on is the number of steps of the path that lead to them; -1 if they are not on it.
// It reports whether what follows in their stream is where it should be.
func (w *walk) structs(o, n *read.Struct, on int) bool {
	o.Ensure()
	n.Begin() // what follows a long array is read once all before it is as it should be
	w.bufs[keyOf(o.IO.Buf)] = o.IO.Buf
	for i := range o.Cells {
		a := o.Type.Seq[i]
		if o.Bad != nil && i == len(o.Cells)-1 && o.Cells[i].Val.Ref == nil {
			break // it could not be read, and what decides it stays
		}
		if i >= len(n.Cells) {
			n.Ensure()
		}
		if i >= len(n.Cells) && n.Bad != nil {
			return w.fail(read.Place{Of: n, Attr: a, Index: -1}, "could not be read any more: %s", n.Bad.Text)
		}
		if !w.attr(read.Place{Of: o, Attr: a, Index: -1}, read.Place{Of: n, Attr: a, Index: -1}, &o.Cells[i], &n.Cells[i], on) {
			return o.Owns
		}
	}
	if n.Ensure(); o.Bad == nil && n.Bad != nil {
		w.err = errors.Join(w.err, n.Bad)
		return o.Owns
	}
	for i, a := range o.Type.Instances {
		if a.Value == nil {
			w.instance(read.Place{Of: o, Attr: a, Index: -1}, read.Place{Of: n, Attr: a, Index: -1}, o.Instance(i), on)
		}
	}
	return true
}

// attr compares two attributes, and notes what is kept.
func (w *walk) attr(o, n read.Place, oc, nc *read.Cell, on int) bool {
	isDropped := w.edit.drops && on == len(w.path)-1 // with what the instance is of
	if n.Attr.Kept != nil && nc.State != read.Absent && !isDropped {
		w.kept = append(w.kept, n)
	}
	if (oc.State == read.Absent) != (nc.State == read.Absent) {
		return w.comesOrGoes(o, n, oc, nc)
	}
	oa, _ := oc.Val.Ref.(*read.Array)
	na, _ := nc.Val.Ref.(*read.Array)
	if oa != nil && na != nil {
		return w.arrays(o, n, oa, na, nc, on)
	}
	return w.cells(o, n, oc, nc, on)
}

func (w *walk) arrays(o, n read.Place, oa, na *read.Array, nc *read.Cell, on int) bool {
	a, e := o.Attr, w.edit
	want, moved := oa.Len(), func(i int64) int64 { return i }
	isEdited := on == len(w.path)-1 && w.isOn(o, on) && e.at.Index < 0
	isTwin := w.isTwin(o.Steps())
	if isEdited || isTwin {
		want += e.grows
		moved = e.index
	}
	if a.Repeat == spec.Times && !w.need(n, a.RepeatExpr, nc.Start, want+missing(o, oa), "number") {
		return false
	}
	if isEdited && !w.haveSizes(n, na) {
		return false
	}
	if isEdited && e.isWhole {
		w.fresh(n, nc)
		return true
	}
	if isPlain(a) && (a.Repeat == spec.Times || na.Len() == want) {
		return true
	}
	was := w.isInside
	w.isInside = was || isEdited
	isSame := w.elements(o, n, oa, na, moved, on) && (!isEdited || w.copied(o, n, oa, na))
	if w.isInside = was; !isSame {
		return false
	}
	if isEdited || isTwin {
		w.freshIn(n, oa, na)
	}
	return na.Len() == want || w.ends(n, oa, na, want)
}

// ends notes the flag that must say whether a list, which has another number of elements than is wanted, goes on behind one.
func (w *walk) ends(n read.Place, oa, na *read.Array, want int64) bool {
	flag, end := flagOf(oa)
	at, is := na.Len()-1, 1-end
	if na.Len() > want {
		at, is = want-1, end
	}
	p, ok := (&column{field: flag}).at(na, at)
	if flag == nil || !ok {
		return w.fail(n, "would have %d elements, not %d", na.Len(), want)
	}
	w.needs = append(w.needs, newNeed(p, nil, 0, is, "value"))
	return false
}

// flagOf returns the attribute of elements by which only the last one ends the list, and its value there, which is 0 or 1 as in all
// others: nothing in an element depends on it. An element without anything else is no such last one.
func flagOf(a *read.Array) (flag *spec.Attr, end int64) {
	last := a.Len() - 1
	if a.Attr.Repeat != spec.Until || a.Attr.Type.User == nil || last < 0 || last >= maxTable {
		return nil, 0
	}
	if c := a.Cell(last); isFiller(&c) {
		return nil, 0
	}
	for _, f := range a.Attr.Type.User.Seq {
		if f.Owner.Says(f.ID) || !a.Owner.Type.Says(f.ID) || f.Repeat != spec.Once {
			continue
		}
		is, i := flagIn(a, f, last), int64(0)
		for i < last && flagIn(a, f, i) == 1-is {
			i++
		}
		switch {
		case is > 1 || i < last:
		case flag != nil:
			return nil, 0
		default:
			flag, end = f, int64(is)
		}
	}
	return flag, end
}

// flagIn returns the value of a field of an element, 2 for what is no flag.
func flagIn(a *read.Array, f *spec.Attr, i int64) uint64 {
	p, _ := (&column{field: f}).at(a, i)
	if v := p.Cell().Val; v.Kind == expr.Int || v.Kind == expr.Bool {
		return min(v.N, 2)
	}
	return 2
}

// haveSizes reports whether the elements that the edit has made have the sizes that they should.
func (w *walk) haveSizes(n read.Place, a *read.Array) bool {
	for i, size := range w.edit.sizes {
		if n.Index = w.edit.added + int64(i); n.Attr.Size == nil || !a.Has(n.Index) {
			break
		}
		if c := a.Cell(n.Index); !w.need(n, n.Attr.Size, c.Start, size, "size") {
			return false
		}
	}
	return true
}

// missing returns how many elements of an array could not be read.
func missing(o read.Place, a *read.Array) int64 {
	if a.Bad == nil {
		return 0
	}
	v, err := o.Eval(o.Attr.RepeatExpr, o.Cell().Start)
	if n, bad := v.Int64(); err == nil && bad == nil {
		return n - a.Len()
	}
	return 0
}

// elements compares the elements of two arrays but for those that are certainly the same.
func (w *walk) elements(o, n read.Place, oa, na *read.Array, moved func(i int64) int64, on int) bool {
	for i := int64(0); i < oa.Len(); i++ {
		j := moved(i)
		if j < 0 {
			continue
		}
		if !na.Has(j) {
			break
		}
		if last := i + na.Same(oa, i, j) - 1; last >= i && moved(last)-j == last-i {
			i = last
			continue
		}
		oc, nc := oa.Cell(i), na.Cell(j)
		if o.Index, n.Index = i, j; !w.cells(o, n, &oc, &nc, on) {
			return false
		}
	}
	return true
}

// copied compares an element with its copy.
func (w *walk) copied(o, n read.Place, oa, na *read.Array) bool {
	c := w.edit.copy
	if c == nil || !na.Has(c.at) {
		return true
	}
	oc, nc := oa.Cell(c.of), na.Cell(c.at)
	o.Index, n.Index = c.of, c.at
	w.isCopy = true
	defer func() { w.isCopy = false }()
	return w.cells(o, n, &oc, &nc, -2)
}

// freshIn notes what is kept in the elements that a list or a table beside it gets.
func (w *walk) freshIn(n read.Place, oa, na *read.Array) {
	added := w.edit.added
	if w.edit.move == nil {
		added = oa.Len() // of a table beside a list that is set
	}
	for n.Index = added; n.Index < min(added+w.edit.grows, na.Len()); n.Index++ {
		c := na.Cell(n.Index)
		w.fresh(n, &c)
	}
}

// fresh notes what is kept in a value that the edit has made.
func (w *walk) fresh(p read.Place, c *read.Cell) {
	if isPlain(p.Attr) {
		return
	}
	p.Inside(c, false, func(at read.Place, c *read.Cell) bool {
		if at.Attr.Kept != nil && at.Index < 0 && c.State != read.Absent {
			w.kept = append(w.kept, at)
		}
		return !isPlain(at.Attr)
	})
}

// isPlain reports whether nothing in the elements of an attribute can change with what is around them.
func isPlain(a *spec.Attr) bool {
	return a.ElementBits() >= 0 && a.Type.Kind != spec.User && a.Switch == nil && a.Process == nil
}

// cells compares two values.
func (w *walk) cells(o, n read.Place, oc, nc *read.Cell, on int) bool {
	isOn := w.isOn(o, on)
	if !isOn {
		on = -2
	}
	if oc.Bad != nil || !isOn && n.IsSame(nc, oc) {
		return true
	}
	if oc.Type != nc.Type {
		return w.retyped(o, n, oc, nc)
	}
	if !w.isInPlace(n, oc, nc, !w.edit.apart && (isOn || w.surrounds(oc))) {
		return false
	}
	length, ok := w.sizeOf(o, n, oc, nc, on)
	if !ok {
		return false
	}
	os, _ := oc.Val.Ref.(*read.Struct)
	ns, _ := nc.Val.Ref.(*read.Struct)
	isNew := isOn && on == len(w.path)-1 && w.edit.isWhole
	if os != nil && !isNew { // perhaps a number in groups that was written again
		_, isNew = w.decided[keyAt(keyOf(oc.Buf), oc.Start, oc.Bit, o.Attr)]
	}
	if isNew {
		w.fresh(n, nc)
	}
	if os != nil && ns != nil && !isNew && !w.structs(os, ns, on+1) { // what it needs comes before what is bad about it
		return false
	}
	if nc.Bad != nil {
		return w.fail(n, "could not be read any more: %s", nc.Bad.Text)
	}
	if nc.End-nc.Start != length {
		return w.fail(n, "would have %s, not %s", span.Bytes(nc.End-nc.Start), span.Bytes(length))
	}
	return true
}

// isInPlace reports whether a value between others begins where the bytes before it have moved it.
func (w *walk) isInPlace(n read.Place, oc, nc *read.Cell, stays bool) bool {
	if w.path == nil || w.elsewhere > 0 || w.isCopy || oc.Bit > 0 || oc.Start == oc.End {
		return true
	}
	at, ok := w.layers[keyOf(oc.Buf)].forth(oc.Start, stays)
	return !ok || at == nc.Start || w.fail(n, "would begin at %#x, not at %#x", nc.Start, at)
}

// sizeOf returns the size in bytes that a value should have now. ok is false if an expression does not say that yet.
func (w *walk) sizeOf(o, n read.Place, oc, nc *read.Cell, on int) (size int64, ok bool) {
	isOn := on >= 0
	if oc.State == read.Absent {
		return oc.End - oc.Start, true
	}
	grown, ok := w.layers[keyOf(oc.Buf)].grown(span.Between(oc.Start, oc.End), func(s *splice) bool {
		if w.edit.apart && s.in == nil {
			return isOn && on < w.edit.around || w.holdsBeside(o.Attr, oc)
		}
		return s.in == nil && isOn || leadsTo(o.Steps(), s.in) || !isOn && w.surrounds(oc)
	})
	if !ok {
		return 0, w.fail(n, "would have another size")
	}
	size = oc.End - oc.Start + grown
	if o.Attr.Size == nil {
		return size, true
	}
	if w.elsewhere > 0 && w.endsWithNew(n, oc, nc, size) {
		return nc.End - nc.Start, true
	}
	if !isOn && w.fills(o, n, oc, nc, size) {
		return 0, false
	}
	if size != oc.End-oc.Start && isShared(n) {
		w.makeRoom(o, n, oc, nc, size)
		if a, _ := o.Of.Of(o.Attr).Val.Ref.(*read.Array); w.flip != nil || a.Len() > 1 {
			return 0, w.flip == nil && w.fail(n, "would have to grow by %s, and all elements have %s", span.Bytes(size-oc.End+oc.Start), span.Bytes(oc.End-oc.Start))
		}
	}
	if !w.need(n, o.Attr.Size, nc.Start, size, "size") {
		w.makeRoom(o, n, oc, nc, size)
		return 0, false
	}
	return size, true
}

// endsWithNew reports whether an instance off the path, which would keep its size, is to its description as much larger as what was
// inserted where it ends: it reads the first elements of a list there.
func (w *walk) endsWithNew(n read.Place, oc, nc *read.Cell, size int64) bool {
	added := int64(0)
	for _, s := range w.layers[keyOf(oc.Buf)].near(span.Span{Offset: oc.End}) {
		if s.Length == 0 {
			added += s.by()
		}
	}
	v, err := n.Eval(n.Attr.Size, nc.Start)
	is, bad := v.Int64()
	return added > 0 && err == nil && bad == nil && is == size+added
}

// holdsBeside reports whether a value ends with the one behind which new bytes are, and has more bytes or lies between others, or
// whether it has all up to the end of a stream where they are.
func (w *walk) holdsBeside(a *spec.Attr, c *read.Cell) bool {
	at := w.edit.beside
	if at.Length == 0 {
		return a.SizeEOS && c.End == w.edit.span.Offset
	}
	return c.End == at.End() && (c.Start < at.Offset || c.Start == at.Offset && w.elsewhere == 0)
}

// holds reports whether a value off the path has all bytes of one on it.
func (w *walk) holds(c *read.Cell) bool {
	key := keyOf(c.Buf)
	return slices.ContainsFunc(w.on, func(x onPath) bool { return x.key == key && c.Start <= x.at.Offset && x.at.End() <= c.End })
}

// surrounds reports whether a value off the path has all bytes of one on it, and is no part of that.
func (w *walk) surrounds(c *read.Cell) bool { return (w.elsewhere > 0 || !w.isInside) && w.holds(c) }

// instance compares two instances that lie in the data.
func (w *walk) instance(o, n read.Place, oc *read.Cell, on int) {
	isOn := w.isOn(o, on)
	if w.edit.apart && on == len(w.path)-1 && (isOn || w.isSameAs(oc)) {
		if isOn && !w.edit.drops {
			w.own(n)
		}
		return
	}
	if oc.Bad != nil || oc.State == read.Absent || w.isWindow(o.Attr, oc) {
		return
	}
	if w.takes(o.Attr, oc) {
		w.fail(n, "would lose what it leads to")
		return
	}
	_, isFixed := expr.IsConstant(o.Attr.Pos)
	stays := (isOn || w.isBeside(on, oc)) && !w.edit.apart || isFixed && w.holds(oc) // what is inserted at its start is in it
	now, ok := w.layers[keyOf(oc.Buf)].forth(oc.Start, stays)
	if o.Attr.Pos != nil && !w.isAt(n, now, ok) {
		return
	}
	if s, is := oc.Val.Ref.(*read.Struct); is {
		at := place{s.Type, s.IO.Buf, s.Start}
		if w.seen[at] && !isOn {
			return
		}
		w.seen[at] = true
	}
	if !isOn {
		w.elsewhere++
		defer func() { w.elsewhere-- }()
	}
	w.attr(o, n, oc, n.Of.Of(n.Attr), on)
}

// isSameAs reports whether an instance has the bytes, or none in the place, of the one beside it that the edit gives or takes some.
func (w *walk) isSameAs(c *read.Cell) bool {
	at := w.edit.at.Cell()
	return c.Buf == at.Buf && c.Start == at.Start && c.End == at.End
}

// isBeside reports whether an instance has the same bytes as what is edited in the struct that it is of.
func (w *walk) isBeside(on int, c *read.Cell) bool {
	return on >= 0 && slices.Contains(w.on, onPath{keyOf(c.Buf), span.Between(c.Start, c.End)})
}

// isWindow reports whether an instance is so many bytes at a fixed place, whatever they are, of which some are those of what is edited.
func (w *walk) isWindow(a *spec.Attr, c *read.Cell) bool {
	_, isPlaced := expr.IsConstant(a.Pos)
	_, isSized := expr.IsConstant(a.Size)
	if w.path == nil || w.edit.apart || !isPlaced || !isSized || !mayFill(a) {
		return false
	}
	of := w.edit.at.Cell()
	return keyOf(of.Buf) == keyOf(c.Buf) && of.Start < c.End && c.Start < of.End
}

// takes reports whether the edit takes bytes from a value that has no others, or that ends with them and not because its stream does.
func (w *walk) takes(a *spec.Attr, c *read.Cell) bool {
	at := w.edit.span
	if !w.edit.drops || keyOf(w.edit.buf) != keyOf(c.Buf) || c.Start >= at.End() || at.Offset >= c.End {
		return false
	}
	ends := a.SizeEOS
	expr.EachName(a.Size, func(name string) { ends = ends || name == "_io" })
	return c.Start >= at.Offset || c.End < at.End() || c.End == at.End() && !ends
}

// isAt reports whether an instance is at an offset of its buffer, and notes what must change if it is not. ok is false if
// there is no such offset.
func (w *walk) isAt(n read.Place, now int64, ok bool) bool {
	io, err := n.Stream()
	if err != nil || !ok {
		return w.fail(n, "would lead into what has changed")
	}
	return w.need(n, n.Attr.Pos, n.Of.End, now-io.Base, "position")
}

// own lets the instance that is edited have the new bytes between others.
func (w *walk) own(n read.Place) {
	now, ok := w.layers[keyOf(w.edit.buf)].forth(w.edit.span.Offset, true)
	if !w.isAt(n, now, ok) {
		return
	}
	size, nc := int64(len(w.edit.new)), n.Of.Of(n.Attr)
	switch {
	case n.Attr.Size != nil && !w.need(n, n.Attr.Size, nc.Start, size, "size"):
	case nc.Bad != nil:
		w.fail(n, "could not be read any more: %s", nc.Bad.Text)
	case nc.End-nc.Start != size:
		w.fail(n, "would have %s, not %s", span.Bytes(nc.End-nc.Start), span.Bytes(size))
	default:
		w.fresh(n, nc)
	}
}
