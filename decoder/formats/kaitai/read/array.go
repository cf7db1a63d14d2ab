package read

import (
	"fmt"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
)

const (
	keptElements = 4096     // up to which the elements of an array stay in memory
	keptBytes    = 32 << 20 // that processes have made, up to which they stay there
	markEvery    = 32       // elements, of a longer one
)

// An Array holds the values of a repeated attribute. If there are many, they are read again.
type Array struct {
	Owner    *Struct
	Attr     *spec.Attr
	io       *Stream
	start    mark
	n        int64 // elements that were found
	count    int64 // expected number of elements; -1 if it is not known
	stride   int64 // bytes of each element; 0 if they differ
	isAll    bool  // no more elements follow
	kept     []Cell
	marks    []block
	recent   Cell // the element recentAt
	recentAt int64
	next     mark // after it
	end      mark // place after the elements that were found

	was  index     // of the same array in the reading that is remembered
	same []sameRun // elements that were taken from there

	isReading bool
	Bad       *Problem // of the last element
}

// Len implements expr.Array.
func (r *Array) Len() int64 {
	r.reach(math.MaxInt64)
	return r.n
}

// Found returns the number of elements that were found; more may follow unless isAll.
func (r *Array) Found() (n int64, isAll bool) { return r.n, r.isAll }

// Has reports whether there is an i-th element.
func (r *Array) Has(i int64) bool {
	r.reach(i)
	return i < r.n
}

// reach reads on until the i-th element is found.
func (r *Array) reach(i int64) {
	if r.isAll || i < r.n || r.isReading { // an element may ask for one that follows
		return
	}
	was, by, state := r.io.mark(), r.io.suspended, &r.Owner.state
	if *state == suspended && r.Owner.suspended == r { // what follows has no values yet
		*state = parsing
		defer func() { *state = suspended }()
	}
	r.io.suspended = nil
	r.io.restore(r.end)
	if err := r.pass(i); err != nil {
		r.Bad = r.Owner.problem(err, r.Attr, r.io.at)
		r.isAll = true
	}
	r.end, r.io.suspended = r.io.mark(), by
	r.io.restore(was)
}

// At implements expr.Array.
func (r *Array) At(i int64) (expr.Value, error) {
	if i < 0 || !r.Has(i) {
		return expr.Value{}, fmt.Errorf("index %d is outside %s, which has %d", i, r.Attr.ID, r.n)
	}
	if err := r.Owner.doc.Spend(expr.ValueCost); err != nil {
		return expr.Value{}, err
	}
	c := r.cell(i)
	return c.Value(r.Attr)
}

// Cell returns an element; i is in the array. What is asked for is worth some work.
func (r *Array) Cell(i int64) Cell {
	c := r.cell(i)
	r.pay(c.End - c.Start)
	return c
}

func (r *Array) cell(i int64) Cell {
	if i < int64(len(r.kept)) {
		return r.kept[i]
	}
	if i == r.recentAt && r.recent.Buf != nil {
		return r.recent
	}
	d := r.Owner.doc
	if d.depth++; d.depth > maxDepth {
		d.depth--
		return Cell{Buf: r.io.Buf, Bad: &Problem{Code: TooDeep, Text: "too many elements that need one another", At: span.Span{Offset: r.start.at}, In: r.io.Buf, Where: r.Attr.Place}}
	}
	was := r.io.mark()
	defer func() { r.io.restore(was); d.depth-- }()
	from := i
	switch {
	case r.stride > 0:
		r.io.restore(mark{at: r.start.at + i*r.stride})
	default:
		k := r.blockOf(i)
		if from = r.marks[k].first; r.recent.Buf != nil && from <= r.recentAt && r.recentAt < i {
			from = r.recentAt + 1
			r.io.restore(r.next)
		} else {
			r.io.restore(r.marks[k].mark)
		}
		d.work += readCost * (i - from)
		from = r.approach(k, from, i)
	}
	sc := scope{Struct: r.Owner}
	for ; from <= i; from++ {
		sc.index = from
		c, _ := r.Owner.one(r.Attr, r.io, &sc) // which may need the one before it
		r.recent, r.recentAt, r.next = c, from, r.io.mark()
	}
	return r.recent
}

// approach moves the stream on from an element to another one of the k-th block, as far as the bytes of those between say their
// sizes, and nothing depends on what is in them. It returns where it is.
func (r *Array) approach(k int, from, to int64) int64 {
	if from == to || r.io.left > 0 || !r.isClosed() || r.measured() == nil {
		return from
	}
	m, end := r.measured(), r.end.at
	if k+1 < len(r.marks) {
		end = r.marks[k+1].at
	}
	for b := m.ahead.view(r.io.at, end); from < to; from++ {
		n, ok := m.element(r, from, b, r.io.at, false)
		if !ok || n == 0 {
			break
		}
		r.io.at += int64(n)
		b = b[n:]
	}
	return from
}

// array reads a repeated attribute. One of a file whose elements must be counted may be left unfinished.
func (s *Struct) array(a *spec.Attr, io *Stream, sc *scope) (Cell, error) {
	r := &Array{Owner: s, Attr: a, io: io, start: io.mark(), count: -1}
	c := Cell{Val: expr.OfArray(r), State: Ready, Buf: io.Buf, Type: &a.Type, Start: io.at, Body: io.at}
	s.publish(a, c)
	err := r.begin(sc)
	r.was = s.doc.remembered(r)
	if err == nil && !r.isAll {
		upTo := int64(math.MaxInt64)
		if (s.Owns || a.IsInstance) && io.Buf.IsFile() {
			upTo = keptElements
		}
		if err = r.pass(upTo); err == nil && !r.isAll && !a.IsInstance {
			s.suspended = r
		}
	}
	c.Tail, c.End = io.at, io.at
	r.end = io.mark()
	if err != nil {
		r.Bad, r.isAll = s.problem(err, a, io.at), true
		return c, r.Bad
	}
	return c, nil
}

// publish lets expressions see an array while it is being read.
func (s *Struct) publish(a *spec.Attr, c Cell) {
	switch {
	case !a.IsInstance && s.state == parsing:
		s.Cells = append(s.Cells, c)
	case a.IsInstance && s.insts != nil:
		if is := s.insts[s.Type.Find(a.ID).Index]; is != nil && is.State == Pending {
			*is = c
		}
	}
}

// begin finds what is known of an array without its elements, and all of them if they have one size.
func (r *Array) begin(sc *scope) error {
	a, io := r.Attr, r.io
	if a.Repeat == spec.Times {
		var err error
		if r.count, err = expr.EvalInt(a.RepeatExpr, sc); err != nil {
			return err
		}
		if r.count < 0 {
			return fmt.Errorf("%d repetitions", r.count)
		}
	}
	if a.Type.Kind != spec.User && !a.IsBits() && a.Switch == nil {
		io.left = 0
	}
	if bits := a.ElementBits(); bits > 0 && bits%8 == 0 && io.left == 0 && a.Type.Kind != spec.Bits && a.Process == nil && a.Repeat != spec.Until && (a.Type.User == nil || a.Type.User.EndianOn == nil) {
		r.stride, r.isAll = bits/8, true
		r.n = max(0, (io.End-io.at)/r.stride)
		if r.count >= 0 {
			r.n = min(r.n, r.count)
		}
		io.at += r.n * r.stride
		if r.count == r.n || r.count < 0 && io.at >= io.End {
			return nil
		}
		r.n++ // the last one is cut off
		sc.index = r.n - 1
		_, err := r.Owner.one(a, io, sc)
		return err
	}
	return nil
}

// pass reads one element after the other, up to the last one or the given one.
func (r *Array) pass(upTo int64) error {
	a, io := r.Attr, r.io
	r.isReading = true
	defer func() { r.isReading = false; r.note() }()
	sc := &scope{Struct: r.Owner}
	passed := int64(0) // times without an element
	for {
		r.recall()
		if r.hop(upTo); r.isAll || r.n > upTo {
			return nil
		}
		if r.isAll = r.count >= 0 && r.n >= r.count || a.Repeat == spec.UntilEnd && io.at >= io.End && io.left == 0; r.isAll {
			return nil
		}
		r.block().isClean = false
		before := io.mark()
		sc.index = r.n + passed
		c, err := r.Owner.one(a, io, sc)
		if c.State == Absent && err == nil && r.n < min(r.count, keptElements) { // no case fits: there is no element
			r.count--
			passed++
			if err = r.Owner.doc.Spend(emptyCost); err != nil {
				return err
			}
			continue
		}
		r.n++
		if paid := r.pay(c.End - c.Start); err == nil {
			err = paid
		}
		if r.n <= keptElements && r.Owner.doc.made < keptBytes {
			r.kept = append(r.kept, c)
		} else {
			r.kept = nil
			r.recent, r.recentAt, r.next = c, r.n-1, io.mark()
		}
		if err != nil {
			return err
		}
		if io.mark() == before && (a.Repeat == spec.UntilEnd || r.Owner.doc.Spend(emptyCost) != nil) {
			return &Problem{Code: EndlessRepeat, Text: fmt.Sprintf("%s repeats without bytes", a.ID), At: span.Span{Offset: io.at}, In: io.Buf, Where: a.Place}
		}
		if a.Repeat != spec.Until {
			continue
		}
		item, err := c.Value(a)
		if err != nil {
			return err
		}
		sc.item = &item
		r.isAll, err = expr.Condition(a.RepeatExpr, sc)
		if sc.item = nil; err != nil {
			return err
		}
	}
}

// pay allows work for an element that was read, or counts it if others may read its bytes too.
func (r *Array) pay(size int64) error {
	if s := r.Owner; s.often || r.Attr.IsInstance && s != s.doc.Root {
		return s.doc.Spend(readCost)
	}
	r.Owner.doc.allow(size)
	return nil
}

// measured returns what finds the sizes of elements from their bytes, nil if nothing does.
func (r *Array) measured() *measure {
	b := r.io.Buf
	m, isKnown := b.measures[r.Attr]
	if !isKnown {
		if m = newMeasure(r); b.measures == nil {
			b.measures = map[*spec.Attr]*measure{}
		}
		b.measures[r.Attr] = m
	}
	return m
}

// PassUpTo says where Pass stops.
type PassUpTo struct {
	Until, Enough int64 // no element ends after the one, and the last ends at the other or later
	Largest       int64 // size in bytes of an element
	Counting      bool  // whether it stops before an element that may have a problem
}

// Pass passes over elements from the i-th on, which is at the offset at, as far as they are in b, which
// begins there. It returns the next one and its offset.
func (r *Array) Pass(b []byte, i, at int64, stop PassUpTo) (next, end int64) {
	if !r.io.Buf.IsFile() || r.Attr.Repeat == spec.Until && stop.Largest < stop.Until { // read to find the last one
		return i, at
	}
	m := r.measured()
	if m == nil {
		return i, at
	}
	for k := max(0, r.blockOf(i)); r.Has(i) && at < stop.Enough; {
		for k+1 < len(r.marks) && r.marks[k+1].first <= i {
			k++
		}
		if stop.Largest == stop.Until && k+1 < len(r.marks) && r.marks[k].first == i && (!stop.Counting || r.marks[k].isClean) {
			if next := r.marks[k+1]; next.left == 0 && next.at <= stop.Enough && next.at <= stop.Until {
				b = b[min(int64(len(b)), next.at-at):]
				i, at = next.first, next.at
				continue
			}
		}
		n, ok := m.element(r, i, b[:min(int64(len(b)), stop.Largest)], at, stop.Counting)
		if !ok || n == 0 || at+int64(n) > stop.Until || r.Bad != nil && i == r.n-1 {
			break
		}
		r.pay(int64(n))
		i, at, b = i+1, at+int64(n), b[n:]
	}
	return i, at
}

// IsSound reports whether an element was found and could be read.
func (r *Array) IsSound(i int64) bool { return i < r.n && (r.Bad == nil || i < r.n-1) }

// SizeOf returns the size in bytes of an attribute of an element that is a struct and begins at an offset, if its bytes alone say
// that; -1 if not.
func (r *Array) SizeOf(w *source.Window, i, at int64, field int) int64 {
	m := r.measured()
	if m == nil || m.what.inner == nil {
		return -1
	}
	if m.elementOf != r || m.elementAt != at {
		if n, ok := m.element(r, i, w.Ahead(at), at, false); !ok || n == 0 {
			return -1
		}
		m.elementOf, m.elementAt = r, at
	}
	return int64(m.what.inner.sizes[field])
}

// hop passes over elements that need not be kept, as far as a view of the buffer goes.
func (r *Array) hop(upTo int64) {
	if r.n < keptElements || r.io.left > 0 || r.Attr.Repeat == spec.Until {
		return
	}
	m := r.measured()
	if m == nil || m.isBusy {
		return
	}
	m.isEarly = true
	defer func() { m.isEarly = false }()
	b := m.ahead.view(r.io.at, r.io.End)
	for (r.count < 0 || r.n < r.count) && r.n <= upTo {
		n, ok := m.element(r, r.n, b, r.io.at, true)
		isClean := ok
		if !ok {
			n, ok = m.element(r, r.n, b, r.io.at, false)
		}
		if !ok || n == 0 {
			return
		}
		block := r.block()
		block.isClean = block.isClean && isClean
		r.kept = nil
		r.n++
		r.io.at += int64(n)
		b = b[n:]
		if r.pay(int64(n)) != nil {
			return // the next one fails
		}
	}
}
