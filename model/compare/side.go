package compare

import (
	"context"

	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A side is one of the two trees that are compared, read by one goroutine at a time.
type side struct {
	read  *tree.Reader
	named format.MemberNamer // nil if all names of children are in the bytes
	head  []byte
	form  []byte
	memo  map[place]ended // sums of large values
	known map[place]ended // sums known before; set in a side that passes a segment
	kept  map[place]known // children of large values; nil if they are not kept

	workers int
	segment int64 // approximate number of bytes that a worker passes at once

	damage *span.Problem // the first problem in the values that were read
}

func newSide(t *tree.Tree) *side {
	s := &side{read: t.NewReader(), memo: map[place]ended{}, workers: parallel.Workers(), segment: segmentBytes}
	s.named, _ = t.Reading.(format.MemberNamer)
	return s
}

// A place identifies a value of a tree.
type place struct {
	start int64
	depth int
}

// ended is what is known about a value that was passed.
type ended struct {
	sum
	end       int64
	serialEnd uint32
}

const (
	memoBytes = 1 << 10 // smallest size of a value whose sum is kept
	maxMemo   = 1 << 19 // largest number of sums that are kept
)

// An item is a child of a value.
type item struct {
	sum
	index  int64
	start  int64
	keyAt  int64
	key    sum // sum of its key or name, in a Map
	serial uint32
	of     tree.Comparison

	isSmall bool // it has less than gapBytes
}

// node returns the child of n for an item.
func (s *side) node(n *tree.Node, x *item) *tree.Node {
	c := s.read.ChildAt(n, x.index, x.keyAt, x.start, x.serial)
	if c.Damage != nil { // its end may have been found by reading on
		if found, err := s.read.Child(n, x.index); err == nil {
			return found
		}
	}
	return c
}

// meaning returns what a value means, apart from its children. The bytes are valid until the next call.
func (s *side) meaning(v *tree.Value) ([]byte, tree.Meaning) {
	var m tree.Meaning
	s.head, m = s.read.AppendMeaning(s.head[:0], v)
	return s.head, m
}

// items calls each for the children of n, beginning with from, which is nil for the first, and ending
// before index to, which begins at end at the latest. It returns the error of ctx or of reading.
func (s *side) items(ctx context.Context, n, from *tree.Node, to, end int64, each func(*item)) error {
	switch {
	case n.Layout == tree.Leaf:
		return nil
	case n.Layout == tree.Fixed:
		return s.elements(ctx, n, from, to, each)
	}
	if cuts := s.cuts(ctx, n, from, to, end); len(cuts) > 0 {
		return s.inSegments(ctx, n, from, to, cuts, each)
	}
	return s.walk(ctx, n, from, to, each)
}

// walk is items in one goroutine, for children stored one after another.
func (s *side) walk(ctx context.Context, n, from *tree.Node, to int64, each func(*item)) error {
	w := &walk{side: s, in: n, each: each, to: to}
	if from == nil {
		w.s = s.read.Scan(n)
	} else {
		w.startAt(from)
	}
	return w.run(ctx)
}

// elements is items for children of equal size.
func (s *side) elements(ctx context.Context, n, from *tree.Node, to int64, each func(*item)) error {
	i := int64(0)
	if from != nil {
		i = from.Slot.Index
	}
	var v tree.Value
	x := item{keyAt: tree.Unknown, serial: n.Serial}
	for ; i < min(n.Count, to); i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.index, x.start = i, n.Body+i*int64(n.Stride)
		s.read.Tree.Reading.Read(s.read.Window(), &n.Value, tree.Slot{Index: i}, x.start, &v)
		x.sum, x.of = s.atom(&v)
		each(&x)
	}
	return s.read.Window().Err()
}

// atom returns the sum of a value that is read in one piece.
func (s *side) atom(v *tree.Value) (sum, tree.Comparison) {
	o := s.open(v)
	if o.complete || v.Layout != tree.Fixed {
		return o.sum(), o.of.Compared
	}
	var child tree.Value
	for i := range v.Count {
		s.read.Tree.Reading.Read(s.read.Window(), v, tree.Slot{Index: i}, v.Body+i*int64(v.Stride), &child)
		x, _ := s.atom(&child)
		o.add(tree.Slot{Index: i}, x)
	}
	return o.sum(), o.of.Compared
}

// open begins the sum of a value.
func (s *side) open(v *tree.Value) open {
	if v.Damage != nil {
		s.note(v.Damage)
	}
	head, m := s.meaning(v)
	o := open{of: m, start: v.Start, serial: v.Serial}
	o.complete = m.Compared == tree.Whole || m.Compared == tree.Absent || m.Len() > 0
	o.head = s.ofMeaning(head, &m)
	o.form = s.ofForm(v)
	if s.named != nil {
		o.value = *v
	}
	if o.complete && m.Compared == tree.List { // equal bytes mean equal content only in the same form
		o.head = mix(o.head, o.form)
	}
	return o
}

// note records a problem if it is the first.
func (s *side) note(p *span.Problem) {
	if s.damage == nil || p.Offset < s.damage.Offset {
		s.damage = p
	}
}

// noteAny records a problem, if there is one, as note does.
func (s *side) noteAny(p *span.Problem) {
	if p != nil {
		s.note(p)
	}
}

// window returns the window that the side reads through.
func (s *side) window() *source.Window { return s.read.Window() }

// sameContent reports whether the contents of two values are the same.
func sameContent(a, b *side, x, y *tree.Meaning) bool {
	if x.Len() != y.Len() {
		return false
	}
	for at := int64(0); at < x.Len(); {
		p := x.View(a.window(), at)
		q := y.View(b.window(), at)
		n := min(len(p), len(q))
		if n == 0 || string(p[:n]) != string(q[:n]) {
			return false
		}
		at += int64(n)
	}
	return true
}
