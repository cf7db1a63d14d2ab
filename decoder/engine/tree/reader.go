package tree

import (
	"errors"
	"math"

	"varview/decoder/engine/source"
)

// A Reader finds values in a tree, each time with a scanner. It belongs to one goroutine, because of its
// window.
type Reader struct {
	Tree *Tree

	// Budget is the number of values that one call may pass over before it returns ErrPending; 0 means no
	// limit. A thousand take about ten microseconds.
	Budget int

	// Last lets a step lead to the last of several entries with its key, which games read, unless it says which, as #1 does: in what
	// a user types. The first one has the path without a number.
	Last bool

	// Passed, if set, is called from time to time while a value is visited, or values at a pattern are
	// searched for, with the offset up to which its bytes have been passed and their number.
	Passed func(done, all int64)

	win       *source.Window
	last      *Node        // last node found by At: the next one is often close behind it
	plain     []byte       // reused by Plain
	step      []byte       // reused by isNamed
	spare     *Scanner     // its memory is reused for the next scanner
	fenced    *Node        // n of fenceAround
	fence     *Node        // what it returned
	text      []byte       // reused for text that is written
	writer    *plainWriter // reused for literals
	visited   *Node        // reused by Visit
	key       Value        // reused for the key of a step
	ends      keptEnds
	endless   map[levelID]int // values whose end a look-up has not found, with its budget
	keys      [countedLevels]*keyTable
	outer     *Node // node whose path is pathOuter
	pathOuter []byte
	recent    [countedLevels]*Node // children found by Child: the next one is often close behind it
}

// NewReader returns a reader of t without a budget.
func (t *Tree) NewReader() *Reader { return t.readerOver(source.NewWindow(t.Source)) }

func (t *Tree) readerOver(w *source.Window) *Reader { return &Reader{Tree: t, win: w} }

// Of returns a reader of a tree of the same source, which shares the window of r.
func (r *Reader) Of(t *Tree) *Reader { return t.readerOver(r.win) }

// Window returns the window that the reader reads through.
func (r *Reader) Window() *source.Window { return r.win }

// read returns the child slot of n that begins at off: a key, or a child of Fixed layout. Neither contains
// numbered values.
func (r *Reader) read(n *Node, slot Slot, keyAt, off int64) *Node {
	c := &Node{Parent: n, Slot: slot, KeyAt: keyAt, Depth: n.Depth + 1}
	r.Tree.Reading.Read(r.win, &n.Value, slot, off, &c.Value)
	c.Serial, c.SerialEnd = n.firstSerial(), n.firstSerial()
	return c
}

// closeBehind is the largest number of children that it is quicker to pass one by one.
const closeBehind = 16

// Child returns the child i of n. The error is ErrNoChild if the bytes hold no such child, whatever the
// count of n, or ErrPending.
func (r *Reader) Child(n *Node, i int64) (*Node, error) {
	if i < 0 || n.Layout == Leaf || n.Count != Unknown && i >= n.Count {
		return nil, ErrNoChild
	}
	if c := r.childInPlace(n, i); c != nil {
		return c, nil
	}
	s, known := r.approach(n, i)
	defer r.Keep(s)
	if known != nil {
		if c := known.openChild(n); c != nil && c.Slot == (Slot{Index: i}) {
			return c, nil
		}
	}
	recent := &r.recent[n.Depth%countedLevels]
	if c := *recent; c != nil && c.Slot.Index <= i && c.isAhead(s, n) {
		p := before(c)
		p.in = n
		s.resume(p)
	}
	if c := *recent; c != nil && s.pos == c.Start && i-c.Slot.Index < closeBehind {
		s.seekChildren(n)
	} else {
		s.passChildren(n)
		s.passBefore = i
	}
	c, err := r.passTo(s, n, i)
	if err == nil {
		*recent = c
	}
	return c, err
}

// childInPlace returns the child i of n where its place is known without reading the children before it, or nil.
func (r *Reader) childInPlace(n *Node, i int64) *Node {
	if n.Layout == Fixed {
		return r.read(n, Slot{Index: i}, Unknown, n.Body+i*int64(n.Stride))
	}
	if p, ok := r.Tree.Reading.(Described); ok && n.Layout == Sequence {
		if off, ok := p.ChildAt(&n.Value, i); ok {
			return r.read(n, Slot{Index: i}, Unknown, off)
		}
	}
	if k := r.Tree.keysOf(n); k != nil && i < int64(len(k.entries)) {
		key := r.read(n, Slot{i, true}, Unknown, k.entries[i].at)
		if c := r.read(n, Slot{Index: i}, key.Start, key.End); key.Layout < Sequence && key.Damage == nil && c.Damage == nil {
			return c
		}
	}
	return nil
}

// passTo lets s, which is before the child i of n, read on to it. The errors are those of Child.
func (r *Reader) passTo(s *Scanner, n *Node, i int64) (*Node, error) {
	for used := r.budget(s); ; {
		before := s.place(n)
		ev := s.Next()
		switch {
		case ev == Passed && s.Depth() == n.Depth+1: // a reading may pass more than it is asked for
			if s.place(n).next.Index > i {
				s.resume(&before)
				s.seekChildren(n)
			}
		case ev == Done || ev == Leave && s.Depth() <= n.Depth:
			return nil, ErrNoChild
		case ev == Enter && s.Depth() == n.Depth+2, ev == Atom && s.Depth() == n.Depth+1:
			if s.slot == (Slot{Index: i}) {
				return s.Current(ev), nil
			}
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}

// isAhead reports whether c is a child of n at or after the place of a scanner.
func (c *Node) isAhead(s *Scanner, n *Node) bool {
	v := c.Parent.Value // its end may not be known
	v.Tail, v.End, v.Foot, v.SerialEnd = n.Tail, n.End, n.Foot, n.SerialEnd
	v.Count, v.Open = n.Count, n.Open
	return c.Depth == n.Depth+1 && c.Start >= s.pos && v == n.Value
}

// Finish returns n with known Tail and End; the error may be ErrPending.
func (r *Reader) Finish(n *Node) (*Node, error) {
	if n.Layout < Sequence || n.Tail != Unknown && n.Damage == nil {
		return n, nil
	}
	if v, ok := r.ends.of[levelID{n.Start, n.Depth}]; ok {
		return n.ended(&v.Value), nil
	}
	s, known := r.approach(n, math.MaxInt64)
	defer r.Keep(s)
	// Each frame would otherwise use up the budget again, where the index is being built or is yet to be built.
	tried := known == nil && r.Budget <= r.endless[levelID{n.Start, n.Depth}] && !r.Tree.index.Done()
	if r.Budget != 0 && (tried || known != nil && r.Tree.index.continues(known)) {
		return nil, ErrPending
	}
	s.hopDepth, s.PassOrdinary = n.Depth+1, true
	for used := r.budget(s); ; {
		ev := s.Next()
		if ev == Leave && s.Depth() <= n.Depth || ev == Done {
			return n.ended(&s.value), nil
		}
		if used(ev) {
			if r.endless == nil || len(r.endless) >= maxEnds {
				r.endless = map[levelID]int{}
			}
			r.endless[levelID{n.Start, n.Depth}] = r.Budget
			return nil, ErrPending
		}
	}
}

// ended returns n with the end that it has according to v.
func (n *Node) ended(v *Value) *Node {
	done := *n
	done.Tail, done.End, done.Foot, done.SerialEnd = v.Tail, v.End, v.Foot, v.SerialEnd
	done.Count, done.Open = v.Count, v.Open
	return &done
}

const (
	largeValue = 4 << 10 // smallest size of a value whose end is kept
	apart      = 2 << 10 // smallest distance between the starts of such nested values
	maxEnds    = 1 << 10
)

// keptEnds are ends of large values that were passed. Without them, each of several nested values would
// take passing over everything in it.
type keptEnds struct {
	of   map[levelID]keptEnd
	last int64 // start of the value whose end was kept last
}

// A keptEnd is a value that was left, and what the scanner then knew.
type keptEnd struct {
	Value
	cutShort, schemaless bool
}

// keep keeps the end of a value that was left, unless the end of one that begins shortly after it is kept.
func (k *keptEnds) keep(s *Scanner) {
	v := &s.value
	size := v.End - v.Start
	if size < largeValue || v.Start <= k.last && k.last-v.Start < max(apart, size/256) && k.of != nil {
		return
	}
	if k.of == nil || len(k.of) >= maxEnds {
		k.of = map[levelID]keptEnd{}
	}
	k.of[levelID{v.Start, s.Depth()}], k.last = keptEnd{*v, s.cutShort, s.schemaless}, v.Start
}

// Keep keeps the memory of a scanner that is no longer used for the next one.
func (r *Reader) Keep(s *Scanner) {
	if r.spare == nil || cap(s.levels) >= cap(r.spare.levels) {
		r.spare = s
	}
}

// scanner returns a scanner over the reader's window.
func (r *Reader) scanner() *Scanner {
	s := r.spare
	if s == nil {
		s = r.Tree.scannerOver(r.win)
	} else {
		*s = Scanner{format: r.Tree.Reading, can: r.Tree.can, win: r.win, resumes: &r.Tree.resumes, levels: s.levels[:0]}
	}
	r.spare, s.ends = nil, &r.ends
	return s
}

// End returns the end of n; finding the end of a container may take reading it.
func (r *Reader) End(n *Node) (int64, error) {
	if n.End != Unknown {
		return n.End, nil
	}
	done, err := r.Finish(n)
	if err != nil {
		return Unknown, err
	}
	return done.End, nil
}

// Next returns the child of n's parent that follows n; after a key that is the key's value.
func (r *Reader) Next(n *Node) (*Node, error) {
	if n.Parent == nil {
		return nil, ErrNoChild
	}
	if n.Parent.Layout == Fixed {
		return r.Child(n.Parent, n.Slot.Index+1)
	}
	if n.End == Unknown {
		done, err := r.Finish(n)
		if err != nil {
			return nil, err
		}
		n = done
	}
	s := r.scanFrom(after(n))
	defer r.Keep(s)
	s.seekChildren(n.Parent)
	for used := r.budget(s); ; {
		ev := s.Next()
		if ev == Done || ev == Leave && s.Depth() <= n.Parent.Depth {
			return nil, ErrNoChild
		}
		if depth := s.eventDepth(ev); depth == n.Depth && !s.slot.Key && ev != Leave {
			return s.Current(ev), nil
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}

// Key returns the key of n; nil if it has none.
func (r *Reader) Key(n *Node) *Node {
	if n.KeyAt == Unknown {
		return nil
	}
	return r.read(n.Parent, Slot{n.Slot.Index, true}, Unknown, n.KeyAt)
}

// Count returns the number of children that n has or, if it is damaged, should have. It is Unknown for the
// base until the index is built or all frames are known, and for a Marked value if counting exceeds the
// budget.
func (r *Reader) Count(n *Node) int64 {
	switch {
	case n.Count != Unknown:
	case n.Depth == 0:
		return max(r.Tree.index.baseCount(), r.Tree.frames.baseCount())
	default:
		if done, err := r.Finish(n); err == nil {
			return done.Count
		}
	}
	return n.Count
}

// length is Count, but passes the children of the base to count them, as long as the index does not know their number.
func (r *Reader) length(n *Node) int64 {
	count := r.Count(n)
	if count != Unknown || n.Depth > 0 {
		return count
	}
	c, err := r.Child(n, 0)
	for count = 0; err == nil; c, err = r.Next(c) {
		count++
	}
	if !errors.Is(err, ErrNoChild) {
		return Unknown
	}
	return count
}

// At returns the innermost value that owns the byte at off.
func (r *Reader) At(off int64) (*Node, error) {
	base := r.Tree.Base
	if off < base.Body {
		return base, nil
	}
	s := r.Scan(base)
	defer r.Keep(s)
	p, ok := r.Tree.placeBefore(func(p *point) bool { return p.pos <= off })
	if l := r.lastBefore(off); l != nil && (!ok || l.Start > p.pos) {
		p, ok = *before(l), true
	}
	if ok {
		for in := r.fenceAround(p.in); in != nil && in.Depth > 0 && in.End <= off; in = in.Parent.fence() { // leave what ends before off
			p = r.pastNode(in, p)
		}
		s.resume(&p)
	}
	s.hopTo, s.PassOrdinary, s.passTo = off, true, off
	for used := r.budget(s); ; {
		ev := s.Next()
		switch ev {
		case Done:
			return base, nil
		case Enter:
			if off < s.value.Body {
				r.last = s.Current(ev)
				return r.last, nil
			}
		case Atom:
			if off < s.value.End {
				r.last = s.Current(ev)
				return r.element(r.last, off), nil
			}
		case Leave:
			if off < s.value.End {
				return s.Current(ev), nil
			}
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}

// closeAround is the number of values around the last one that At looks at.
const closeAround = 1 << 10

// lastBefore returns the value that At has found last or, if off is before it, the innermost one around it
// that begins at or before off; nil if none is close.
func (r *Reader) lastBefore(off int64) *Node {
	l := r.last
	for range closeAround {
		if l == nil || l.Start <= off {
			break
		}
		l = l.Parent
	}
	if l == nil || l.Start > off || l.Parent == nil {
		return nil
	}
	return l
}

// fenceAround returns the innermost Fenced value around the children of n; nil if there is none. The next
// value asked for is often close inside n: if values are nested very deep, not all are passed again.
func (r *Reader) fenceAround(n *Node) *Node {
	in := n
	for in != nil && !in.Fenced && in != r.fenced {
		in = in.Parent
	}
	if in != nil && in == r.fenced {
		in = r.fence
	}
	r.fenced, r.fence = n, in
	return in
}

// fence returns n or the innermost Fenced value around it; nil if there is none.
func (n *Node) fence() *Node {
	for n != nil && !n.Fenced {
		n = n.Parent
	}
	return n
}

// element returns the innermost element or component of n at off.
func (r *Reader) element(n *Node, off int64) *Node {
	for n.Layout == Fixed && !n.Opaque && off >= n.Body && off < n.Tail {
		i := (off - n.Body) / int64(n.Stride)
		if i >= n.Count {
			break
		}
		n = r.read(n, Slot{Index: i}, Unknown, n.Body+i*int64(n.Stride))
	}
	return n
}

// LastChild returns the last child of n that the bytes hold, whatever the count of n.
func (r *Reader) LastChild(n *Node) (*Node, error) {
	if n.Layout == Leaf {
		return nil, ErrNoChild
	}
	if n.Layout == Fixed {
		return r.Child(n, n.Count-1)
	}
	var last *Node
	s, known := r.approach(n, math.MaxInt64)
	defer r.Keep(s)
	if known != nil {
		if last = known.openChild(n); last == nil || last.Slot.Key {
			at, _ := known.childAt(n)
			last, _ = r.Child(n, at-1)
		}
	}
	s.passChildren(n)
	fresh := false // last is made here, not shared with others
	isPassed := false
	var passed point // the last child is among those passed from here on, if isPassed
	for used := r.budget(s); ; {
		before := s.place(n)
		ev := s.Next()
		switch {
		case ev == Done || ev == Leave && s.Depth() <= n.Depth:
			if isPassed {
				s.resume(&passed)
				s.seekChildren(n)
				isPassed = false
				break
			}
			if last == nil {
				return nil, ErrNoChild
			}
			return last, nil
		case ev == Passed:
			if s.Depth() == n.Depth+1 {
				passed, isPassed = before, true
			}
		case ev != Leave && !s.slot.Key && s.eventDepth(ev) == n.Depth+1:
			if !fresh {
				last, fresh = &Node{Parent: n, Depth: n.Depth + 1}, true
			}
			last.Value, last.Slot, last.KeyAt = s.value, s.slot, s.key
			isPassed = false
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}

// ChildAt returns the i-th child of n, which is known to begin at start, with its key at
// keyAt; serial is the number of the first numbered value at or after start.
func (r *Reader) ChildAt(n *Node, i, keyAt, start int64, serial uint32) *Node {
	c := r.read(n, Slot{Index: i}, keyAt, start)
	c.Serial = serial
	if c.Layout < Sequence {
		c.SerialEnd = c.serialAfter(c.firstSerial())
	}
	return c
}

// beginsBefore reports whether a value, which may be nil, or its key begins at off or before it.
func (n *Node) beginsBefore(off int64) bool {
	return n != nil && (n.Start <= off || n.KeyAt != Unknown && n.KeyAt <= off)
}

// partOver is ChildOver of a value with a fixed number of children.
func (r *Reader) partOver(n *Node, off int64) (*Node, error) {
	if n.Stride > 0 {
		return r.Child(n, (off-n.Body)/int64(n.Stride))
	}
	for i := range n.Count {
		if c, err := r.Child(n, i); err != nil || c.Start <= off && off < c.End {
			return c, err
		}
	}
	return nil, ErrNoChild
}

// ChildOver returns the child of n that contains the byte at off, or whose key does. The error is
// ErrNoChild if there is none.
func (r *Reader) ChildOver(n *Node, off int64) (*Node, error) {
	if n.Layout == Fixed {
		return r.partOver(n, off)
	}
	if k := r.Tree.keysOf(n); k != nil {
		for i := max(k.before(off), 0); ; i++ {
			if c := r.childInPlace(n, i); c == nil {
				break
			} else if c, err := r.Finish(c); err != nil || c.End > off {
				return c, err
			}
		}
	}
	s := r.Scan(n)
	defer r.Keep(s)
	if p, ok := r.Tree.index.before(func(p *point) bool { return p.pos <= off }); ok {
		if _, in := p.childAt(n); in {
			s.resume(&p)
		}
	}
	recent := &r.recent[n.Depth%countedLevels]
	if c := *recent; c.beginsBefore(off) && c.isAhead(s, n) {
		p := before(c)
		p.in = n
		s.resume(p)
	}
	s.passChildren(n)
	s.passTo = off
	for used := r.budget(s); ; {
		ev := s.Next()
		if ev == Done || ev == Leave && s.Depth() <= n.Depth {
			return nil, ErrNoChild
		}
		if (ev == Atom || ev == Leave) && s.eventDepth(ev) == n.Depth+1 && !s.slot.Key && s.value.End > off {
			*recent = s.Current(ev)
			return *recent, nil
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}
