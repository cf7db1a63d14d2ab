package read

import (
	"fmt"

	"varview/decoder/kaitai/expr"
	"varview/decoder/kaitai/spec"
	"varview/decoder/span"
)

const (
	keptElements  = 4096    // up to which the elements of an array stay in memory
	markEvery     = 32      // elements, of a longer one
	maxEmpty      = 1 << 18 // elements without bytes, in an array
	maxEmptyInAll = 1 << 22
)

// An Array holds the values of a repeated attribute. If there are many, they are read again.
type Array struct {
	Owner    *Struct
	Attr     *spec.Attr
	io       *Stream
	start    mark
	n        int64
	stride   int64 // bytes of each element; 0 if they differ
	kept     []Cell
	marks    []mark
	clean    []bool // for each mark: the elements up to the next mark have no problem
	recent   Cell   // the element recentAt
	recentAt int64
	next     mark // after it

	measured   *measure
	isMeasured bool
	Bad        *Problem // problem of the last element
}

// Len implements expr.Array.
func (r *Array) Len() int64 { return r.n }

// At implements expr.Array.
func (r *Array) At(i int64) (expr.Value, error) {
	if i < 0 || i >= r.n {
		return expr.Value{}, fmt.Errorf("index %d is not in %s, which has %d", i, r.Attr.ID, r.n)
	}
	c := r.Cell(i)
	return c.Value(r.Attr)
}

// Cell returns an element; i is in the array.
func (r *Array) Cell(i int64) Cell {
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
	case r.recent.Buf != nil && r.recentAt < i && i-r.recentAt <= i%markEvery:
		from = r.recentAt + 1
		r.io.restore(r.next)
	default:
		from = i / markEvery * markEvery
		r.io.restore(r.marks[i/markEvery])
	}
	sc := scope{Struct: r.Owner}
	for ; from <= i; from++ {
		sc.index = from
		c, _ := r.Owner.one(r.Attr, r.io, &sc) // which may need the one before it
		r.recent, r.recentAt, r.next = c, from, r.io.mark()
	}
	return r.recent
}

// array reads a repeated attribute.
func (s *Struct) array(a *spec.Attr, io *Stream, sc *scope) (Cell, error) {
	r := &Array{Owner: s, Attr: a, io: io, start: io.mark()}
	c := Cell{Val: expr.OfArray(r), State: Ready, Buf: io.Buf, Type: &a.Type, Start: io.at, Body: io.at}
	s.publish(a, c)
	err := r.read(sc)
	c.Tail, c.End = io.at, io.at
	if err != nil {
		r.Bad = s.problem(err, a, io.at)
		return c, r.Bad
	}
	return c, nil
}

// publish lets expressions see an array while it is being read.
func (s *Struct) publish(a *spec.Attr, c Cell) {
	slot, _ := s.Type.Find(a.ID)
	switch {
	case a.IsInstance && s.insts != nil && s.insts[slot.Index] != nil && s.insts[slot.Index].State == Pending:
		*s.insts[slot.Index] = c
	case !a.IsInstance && s.state == parsing:
		s.Cells = append(s.Cells, c)
	}
}

func (r *Array) read(sc *scope) error {
	a, io := r.Attr, r.io
	count := int64(-1)
	if a.Repeat == spec.Times {
		v, err := a.RepeatExpr.Eval(sc)
		if err != nil {
			return err
		}
		if count, err = v.Int64(); err != nil {
			return err
		}
		if count < 0 {
			return fmt.Errorf("%d repetitions", count)
		}
	}
	if a.Type.Kind != spec.User && !a.IsBits() && a.Switch == nil {
		io.left = 0
	}
	if bits := a.ElementBits(); bits > 0 && bits%8 == 0 && io.left == 0 && a.Type.Kind != spec.Bits && a.Process == nil && a.Repeat != spec.Until && (a.Type.User == nil || a.Type.User.EndianOn == nil) {
		r.stride = bits / 8
		fit := max(0, (io.End-io.at)/r.stride)
		r.n = fit
		if count >= 0 {
			r.n = min(fit, count)
		}
		io.at += r.n * r.stride
		if count == r.n || count < 0 && io.at >= io.End {
			return nil
		}
		r.n++ // the last one is cut off
		sc.index = r.n - 1
		_, err := r.Owner.one(a, io, sc)
		return err
	}
	return r.pass(count, sc)
}

// pass reads one element after the other.
func (r *Array) pass(count int64, sc *scope) error {
	a, io := r.Attr, r.io
	defer func() { sc.hasItem = false }()
	for empty := 0; ; {
		r.hop(count)
		if a.Repeat == spec.Times && r.n >= count || a.Repeat == spec.UntilEnd && io.at >= io.End && io.left == 0 {
			return nil
		}
		if r.n%markEvery == 0 {
			r.marks = append(r.marks, io.mark())
		}
		before := io.mark()
		sc.index = r.n
		c, err := r.Owner.one(a, io, sc)
		if block := r.n / markEvery; block < int64(len(r.clean)) {
			r.clean[block] = false
		}
		r.n++
		if r.n <= keptElements {
			r.kept = append(r.kept, c)
		} else {
			r.kept = nil
			r.recent, r.recentAt, r.next = c, r.n-1, io.mark()
		}
		if err != nil {
			return err
		}
		if io.mark() == before {
			empty++
			r.Owner.doc.empty++
			if a.Repeat == spec.UntilEnd || empty > maxEmpty || r.Owner.doc.empty > maxEmptyInAll {
				return &Problem{Code: EndlessRepeat, Text: fmt.Sprintf("%s repeats without bytes", a.ID), At: span.Span{Offset: io.at}, In: io.Buf, Where: a.Place}
			}
		}
		if a.Repeat != spec.Until {
			continue
		}
		if sc.item, err = c.Value(a); err != nil {
			return err
		}
		sc.hasItem = true
		done, err := a.RepeatExpr.Eval(sc)
		sc.hasItem = false
		if err != nil || done.IsTrue() {
			return err
		}
		if done.Kind != expr.Bool {
			return fmt.Errorf("repeat-until is %v", done.Kind)
		}
	}
}
