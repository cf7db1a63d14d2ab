package change

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// A flip is an attribute that an edit makes exist, no longer exist, or have another type, or that fills up another number
// of bytes.
type flip struct {
	o, n    read.Place
	oc, nc  *read.Cell
	isFill  bool
	filling int64 // number of bytes
}

// fills reports whether bytes fill up what an expression says, and would have another size now: "(4 - len % 4) % 4", or "16 - len"
// where the length is that of a text. Nothing else follows from these.
func (w *walk) fills(o, n read.Place, oc, nc *read.Cell, length int64) bool {
	a := o.Attr
	if !mayFill(a) || a.Size == nil || w.path == nil {
		return false
	}
	v, err := n.Eval(a.Size, nc.Start)
	now, bad := v.Int64()
	if err != nil || bad != nil || now == length || now < 0 || now > zeros {
		return false
	}
	found, err := n.Solve(a.Size, expr.Of(length), w.file.rank)
	if isFixed := errors.Is(err, expr.ErrFixed); !isFixed && (err != nil || !slices.ContainsFunc(found, w.isDecided) || !isFiller(oc)) {
		return false
	}
	if w.flip == nil {
		w.flip = &flip{o: o, n: n, oc: oc, nc: nc, isFill: true, filling: now}
	}
	return true
}

// isDecided reports whether something else has decided that a field has another value.
func (s *settling) isDecided(d read.Decision) bool {
	c := d.Cell()
	key, err := s.placeOf(&c, d.Attr)
	is, ok := s.decided[key]
	return err == nil && ok && !isEqual(is.want, d.Want)
}

// isFiller reports whether bytes are all the same.
func isFiller(c *read.Cell) bool {
	b := c.Buf.Append(nil, c.Start, min(c.End, c.Start+zeros))
	return c.End-c.Start <= zeros && bytes.Count(b, b[:min(len(b), 1)]) >= len(b)
}

// makeRoom lets what fills up a value at its end, or zeros that nothing reads, have more bytes, or fewer, if the value cannot have the
// size that it needs: "4096 * sectors". Once all else is as it should be, this has again the size that its expression says.
func (w *walk) makeRoom(o, n read.Place, oc, nc *read.Cell, size int64) {
	was, _ := oc.Val.Ref.(*read.Struct)
	if was == nil || w.flip != nil || was.IO.Buf != oc.Buf || len(was.Type.Seq) == 0 {
		return
	}
	a := was.Type.Seq[len(was.Type.Seq)-1]
	filler := read.Place{Of: was, Attr: a, Index: -1}
	fc := was.Of(a)
	mayShrink := !mayFill(a) || !a.SizeEOS && !isSaid(a.Size) || fc.Bad != nil
	if mayShrink {
		filler, fc = o, unread(was, oc)
	} else {
		mayShrink = isFiller(fc)
	}
	if fc == nil {
		return
	}
	steps, by := filler.Steps(), int64(0)
	grown, _ := w.layers[keyOf(oc.Buf)].grown(span.Between(fc.Start, fc.End), func(s *splice) bool { return len(s.in) == len(steps) && leadsTo(steps, s.in) })
	if mayShrink {
		by = fc.Start - fc.End - grown
	}
	for ; by < zeros; by++ {
		_, err := n.Solve(o.Attr.Size, expr.Of(size+by), w.file.rank)
		if isSame := size+by == oc.End-oc.Start; !isSame && (err != nil || isShared(n)) {
			continue
		}
		if by != 0 {
			w.flip = &flip{o: filler, n: filler, oc: fc, nc: &read.Cell{Buf: nc.Buf, Start: nc.Start + size}, isFill: true, filling: fc.End - fc.Start + grown + by}
		}
		return
	}
}

// isShared reports whether an expression says the size of all elements of a list, of which there may be one.
func isShared(p read.Place) bool { return p.Index >= 0 && !isOfElement(p.Attr.Size) }

// unread returns the zeros in the bytes of a struct behind all that is read of it; nil if there is anything else.
func unread(s *read.Struct, c *read.Cell) *read.Cell {
	end := max(s.End, lastOf(s, c.Buf))
	if end > c.Tail || c.Tail < c.End || len(bytes.TrimLeft(c.Buf.Append(nil, end, min(c.Tail, end+zeros)), "\x00")) > 0 {
		return nil
	}
	return &read.Cell{State: read.Ready, Buf: c.Buf, Start: end, End: c.Tail}
}

// lastOf returns where the last value ends that a struct reads in a buffer, also at positions; beyond all if one could not be read, or
// if there are more than some to look at.
func lastOf(s *read.Struct, buf *read.Buffer) (end int64) {
	left := aligned
	read.Place{}.Inside(&read.Cell{Val: expr.Value{Kind: expr.Struct, Ref: s}}, true, func(p read.Place, c *read.Cell) bool {
		if left--; left < 0 || c.Bad != nil {
			end = math.MaxInt64
		} else if c.Buf == buf {
			end = max(end, c.Tail, c.End)
		}
		return left > 0 && !isPlain(p.Attr)
	})
	return end
}

// mayFill reports whether an attribute is bytes that nothing but their size says.
func mayFill(a *spec.Attr) bool {
	return a.Switch == nil && a.Type.Kind == spec.RawBytes && (a.Size != nil || a.SizeEOS) && !a.IsContents && a.Process == nil && a.Repeat == spec.Once
}

// leadsTo reports whether some steps are the first of others.
func leadsTo(steps, to []read.Place) bool {
	return len(steps) <= len(to) && slices.EqualFunc(steps, to[:len(steps)], func(a, b read.Place) bool { return a.Attr == b.Attr && a.Index == b.Index })
}

// comesOrGoes compares an attribute that is absent in one of the readings. Once its bytes were made or removed, it has the
// size that these have.
func (w *walk) comesOrGoes(o, n read.Place, oc, nc *read.Cell) bool {
	size, isMade := w.flipped[n.Path()]
	switch {
	case n.Attr.IsInstance, w.path == nil: // it has no bytes between others
		return true
	case isMade && nc.Bad == nil && nc.End-nc.Start == size:
		w.fresh(n, nc)
		return true
	case !isMade && n.Attr.Switch != nil && n.Attr.If == nil && !slices.Contains(w.file.Choices, edit.MakeEmpty):
		return w.ask(n)
	case !isMade && w.flip == nil && n.Attr.Type.Kind != spec.Bits:
		w.flip = &flip{o: o, n: n, oc: oc, nc: nc}
		return false
	case nc.State == read.Absent:
		return w.fail(n, "would no longer exist")
	}
	return w.fail(n, "would exist, and does not now")
}

// retyped compares a value that has another type now.
func (w *walk) retyped(o, n read.Place, oc, nc *read.Cell) bool {
	size, isMade := w.flipped[n.Path()]
	switch {
	case w.path == nil:
		return true
	case slices.Contains(w.file.Choices, edit.KeepBytes):
		if nc.Bad != nil || nc.End-nc.Start != oc.End-oc.Start {
			return w.fail(n, "would have another type, of which its bytes are no value")
		}
		w.file.Steers = true
		return true
	case isMade:
		if o.Attr.Size != nil && !w.need(n, o.Attr.Size, nc.Start, size, "size") {
			return false
		}
		if nc.Bad != nil || nc.End-nc.Start != size {
			return w.fail(n, "would have another type, and an empty value of it cannot be made")
		}
		w.fresh(n, nc)
		return true
	case slices.Contains(w.file.Choices, edit.MakeEmpty):
		w.flip = &flip{o: o, n: n, oc: oc, nc: nc}
		return false
	}
	return w.ask(n)
}

// ask asks what becomes of a value that gets another type, or none.
func (w *walk) ask(n read.Place) bool {
	if w.err == nil {
		w.err = &edit.ChoiceError{Text: fmt.Sprintf("%s (%v) would have another type", n, n.Attr.Place), Choices: []edit.Choice{edit.MakeEmpty, edit.KeepBytes}}
	}
	return false
}

// make makes the bytes of an attribute that comes or gets another type, and removes those of one that goes.
func (s *settling) make(f *flip) (err error) {
	s.file.flips, s.file.Steers = true, true
	var b []byte
	if f.isFill {
		b = f.oc.Buf.Append(nil, f.oc.Start, min(f.oc.End, f.oc.Start+f.filling))
		more := []byte{0}
		if len(b) > 0 && isFiller(f.oc) {
			more[0] = b[0]
		}
		b = append(b, bytes.Repeat(more, int(f.filling)-len(b))...)
		return s.put(f, b)
	}
	if f.nc.State != read.Absent {
		if b, err = empty(f.n, f.nc); err != nil {
			return fmt.Errorf("%s (%v) would come into being: %w", f.n, f.n.Attr.Place, err)
		}
	}
	s.flipped[f.n.Path()] = int64(len(b))
	return s.put(f, b)
}

// put puts the bytes of an attribute in the place of those that it had, or between others.
func (s *settling) put(f *flip, b []byte) error {
	if f.oc.State != read.Absent && f.oc.End > f.oc.Start {
		s.layers.of(f.oc.Buf).replace(span.Between(f.oc.Start, f.oc.End), b)
		return nil
	}
	l, err := s.layers.now(f.nc.Buf, s.bufs)
	if err == nil {
		was := int64(math.MaxInt64)
		if f.oc.State != read.Absent {
			was = f.oc.Start
		}
		l.insert(f.nc.Start, was, b, f.o.Steps()) // as it is called before the edit
	}
	return err
}

// empty returns the bytes of an attribute that comes into being: its contents, the first value of its enum, zeros, or none.
func empty(p read.Place, c *read.Cell) (all []byte, err error) {
	switch a := p.Attr; {
	case a.Repeat == spec.UntilEnd:
		return nil, nil
	case a.Repeat == spec.Until:
		return nil, errors.New("nothing says how many elements it has")
	case a.Repeat == spec.Once || p.Index >= 0:
		return build(p, c.Type, nil, c.Start-p.Of.IO.Base)
	}
	n, err := p.Eval(p.Attr.RepeatExpr, c.Start)
	if err != nil {
		return nil, err
	}
	count, err := n.Int64()
	for i := int64(0); i < count && err == nil && len(all) < zeros; i++ {
		var b []byte
		p.Index = i
		if b, err = build(p, &p.Attr.Type, nil, c.Start+int64(len(all))-p.Of.IO.Base); err == nil {
			all = append(all, b...)
		}
	}
	return all, err
}

// first returns the value of an attribute that nothing else says, if it is not zero: the first of its enum, and digits for a text that
// an expression uses.
func first(a *spec.Attr) (v expr.Value, ok bool) {
	if bits := a.ElementBits(); a.Type.Kind == spec.Str && bits > 0 && a.IsUsed() && charset.IsPlain(a.Encoding) {
		return expr.Of(strings.Repeat("0", int(bits/8))), true
	}
	if a.Enum == nil || len(a.Enum.Order) == 0 {
		return v, false
	}
	if _, isZero := read.Enumerated(expr.Of(0), a).Label(); isZero {
		return v, false
	}
	v, ok = a.Enum.Values[a.Enum.Order[0]]
	return v, ok
}
