package edit

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/span"
)

// A cursor passes over the patches and marks in a range of the block.
type cursor struct {
	l       *linker
	old     span.Span
	inPlace bool // what is in the range stays where it is

	patch, numbered, ref, ctor int // next of each list
}

// What a cursor stops at.
const (
	atEnd = iota
	atPatch
	atNumbered
	atRef
	atCtor
)

func (l *linker) cursor(old span.Span, inPlace bool) cursor {
	c := cursor{l: l, old: old, inPlace: inPlace}
	m, at := l.e.marks, old.Offset
	c.patch = sort.Search(len(l.patches), func(i int) bool { return l.patches[i].Offset >= at })
	c.numbered, _ = slices.BinarySearch(m.Numbered, at)
	c.ref, _ = slices.BinarySearchFunc(m.Refs, at, func(r block.RefMark, at int64) int { return cmp.Compare(r.At, at) })
	c.ctor, _ = slices.BinarySearchFunc(m.Ctors, at, func(c block.CtorMark, at int64) int { return cmp.Compare(c.At, at) })
	return c
}

// next returns what comes next from at on, and where.
func (c *cursor) next(at int64) (what int, stop int64) {
	l, m, end := c.l, c.l.e.marks, c.old.End()
	for c.patch < len(l.patches) && l.patches[c.patch].Offset <= end && !c.applies(&l.patches[c.patch], at) {
		c.patch++
	}
	for c.numbered < len(m.Numbered) && m.Numbered[c.numbered] < at {
		c.numbered++
	}
	for c.ref < len(m.Refs) && m.Refs[c.ref].At < at {
		c.ref++
	}
	for c.ctor < len(m.Ctors) && m.Ctors[c.ctor].At < at {
		c.ctor++
	}
	stop = math.MaxInt64
	if c.patch < len(l.patches) && l.patches[c.patch].Offset <= end {
		what, stop = atPatch, l.patches[c.patch].Offset
	}
	if c.numbered < len(m.Numbered) {
		switch begins := m.Numbered[c.numbered]; {
		case begins >= end:
		case begins < stop, begins == stop && l.patches[c.patch].in >= stop: // a patch of the value's own count
			what, stop = atNumbered, begins
		}
	}
	if c.ref < len(m.Refs) && m.Refs[c.ref].At < min(stop, end) {
		what, stop = atRef, m.Refs[c.ref].At
	}
	if c.ctor < len(m.Ctors) && m.Ctors[c.ctor].At < min(stop, end) {
		what, stop = atCtor, m.Ctors[c.ctor].At
	}
	return what, stop
}

// walk passes over a range of the old block with the patches that belong to it. What stays
// in place is kept.
func (l *linker) walk(old span.Span, inPlace bool) error {
	c := l.cursor(old, inPlace)
	for at := old.Offset; ; {
		var err error
		switch what, stop := c.next(at); what {
		case atPatch:
			p := &l.patches[c.patch]
			l.out.keep(at, stop, inPlace)
			at = p.End()
			c.patch++
			err = l.put(p)
		case atNumbered:
			at, err = l.value(uint32(c.numbered), at, stop, inPlace)
			c.numbered++
		case atRef:
			at, err = l.reference(&l.e.marks.Refs[c.ref], at, inPlace)
			c.ref++
		case atCtor:
			at = l.constructor(&l.e.marks.Ctors[c.ctor], at, inPlace)
			c.ctor++
		default:
			l.out.keep(at, old.End(), inPlace)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// applies reports whether a patch belongs to a range that is done up to at. A patch that
// moves or replaces the range itself does not, and a copy has the bytes from before the
// edit.
func (c *cursor) applies(p *patch, at int64) bool {
	switch {
	case p.Offset < at || p.End() > c.old.End() || c.l.copied != nil:
		return false
	case c.inPlace:
		return true
	case p.Span == c.old:
		return false
	case p.Length > 0 || p.Offset > c.old.Offset && p.Offset < c.old.End():
		return true
	}
	return p.in >= c.old.Offset // otherwise it belongs to what is around the range
}
