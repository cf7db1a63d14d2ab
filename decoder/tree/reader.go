package tree

import (
	"math"

	"varview/decoder/source"
)

// A Reader finds values in a tree, each look-up with a scanner of its own. It belongs
// to one goroutine, because of its window.
type Reader struct {
	Tree *Tree

	// Budget is the number of values that one call may pass over before it returns
	// ErrPending; 0 is no limit. A thousand take about ten microseconds.
	Budget int

	win     *source.Window
	plain   []byte // of Plain
	counted [countedLevels]*countedKeys
}

// NewReader returns a reader of t without a budget.
func (t *Tree) NewReader() *Reader {
	return t.readerOver(source.NewWindow(t.Source))
}

func (t *Tree) readerOver(w *source.Window) *Reader {
	return &Reader{Tree: t, win: w}
}

// Window returns the window that the reader reads through.
func (r *Reader) Window() *source.Window { return r.win }

// Scan returns a scanner before the first child of n. Where n has a parent, it continues
// after the Leave event of n.
func (r *Reader) Scan(n *Node) *Scanner {
	s := r.Tree.scannerOver(r.win)
	s.begin(n)
	return s
}

// ScanEnd returns a scanner at the last known place in n.
func (r *Reader) ScanEnd(n *Node) *Scanner {
	s, _ := r.approach(n, math.MaxInt64)
	return s
}

// ScanChildren is Scan for one who looks for children of n: what lies in these is passed
// quickly.
func (r *Reader) ScanChildren(n *Node) *Scanner {
	s := r.Scan(n)
	s.seekChildren(n)
	return s
}

// ScanFrom returns a scanner whose next event is n.
func (r *Reader) ScanFrom(n *Node) *Scanner { return r.scanFrom(before(n)) }

// ScanAfter returns a scanner that goes on after n, whose end is known.
func (r *Reader) ScanAfter(n *Node) *Scanner { return r.scanFrom(after(n)) }

func (r *Reader) scanFrom(p *point) *Scanner {
	s := r.Tree.scannerOver(r.win)
	s.resume(p)
	return s
}

// before returns the point at which n comes next.
func before(n *Node) *point {
	return &point{pos: n.Start, in: n.Parent, next: n.Slot, nextAt: n.KeyAt, serial: n.Serial}
}

// after returns the point after n, whose end is known.
func after(n *Node) *point {
	next, nextAt := n.Parent.following(n.Slot, n.Start)
	return &point{pos: n.End, in: n.Parent, next: next, nextAt: nextAt, serial: n.SerialEnd}
}

// following returns the slot after that of a child which begins at start, and where the
// key of that slot's value begins.
func (v *Value) following(slot Slot, start int64) (next Slot, nextAt int64) {
	if slot.Key {
		return Slot{Index: slot.Index}, start
	}
	return Slot{slot.Index + 1, v.Layout == Pairs}, Unknown
}

// budget returns a function that reports after an event whether the budget of a call is
// used up.
func (r *Reader) budget() func(Event) bool {
	if r.Budget == 0 {
		return func(Event) bool { return false }
	}
	left := r.Budget
	return func(ev Event) bool {
		if ev == Passed {
			left -= passedCost
		}
		left--
		return left < 0
	}
}

// passedCost is what a Passed event takes of a budget: about the time that this number
// of values takes.
const passedCost = 1000

// seekChildren prepares the scanner to look for children of n: what lies in these is
// passed quickly.
func (s *Scanner) seekChildren(n *Node) {
	s.hopDepth = n.Depth + 1
	s.PassOrdinary, s.passDepth = true, n.Depth+1
}

// passChildren is seekChildren for one who looks for a child that is far away: those before
// it are passed, many at once.
func (s *Scanner) passChildren(n *Node) {
	s.seekChildren(n)
	s.passDepth = n.Depth
}

// place returns the point where the scanner is, if that is between two children of n.
func (s *Scanner) place(n *Node) point {
	l := &s.levels[len(s.levels)-1]
	return point{pos: s.pos, in: n, next: l.next, nextAt: l.nextAt, serial: s.serial}
}

// read returns the child slot of n that begins at off: a key, or a child of Fixed
// layout. Neither contains numbered values.
func (r *Reader) read(n *Node, slot Slot, keyAt, off int64) *Node {
	c := &Node{Parent: n, Slot: slot, KeyAt: keyAt, Depth: n.Depth + 1}
	r.Tree.Reading.Read(r.win, &n.Value, slot, off, &c.Value)
	c.Serial, c.SerialEnd = n.firstSerial(), n.firstSerial()
	return c
}

// approach returns a scanner at the last known point in n at or before its child upTo.
// Where no point is in n, known is nil and the scanner is before the first child.
func (r *Reader) approach(n *Node, upTo int64) (s *Scanner, known *point) {
	p, ok := r.Tree.placeBefore(func(p *point) bool {
		at, in := p.childAt(n)
		return in && at <= upTo || !in && p.pos <= n.Start
	})
	if ok {
		if _, in := p.childAt(n); in {
			p = r.pastChild(n, p, upTo)
			return r.scanFrom(&p), &p
		}
	}
	return r.Scan(n), nil
}

// pastChild returns the point after the child of n that p is in, if its end is known and it
// comes before the child upTo; else p.
func (r *Reader) pastChild(n *Node, p point, upTo int64) point {
	if c := p.openChild(n); c != nil && c.Fenced && c.Slot.Index < upTo {
		return r.pastNode(c, p)
	}
	return p
}

// pastNode returns the point after a value that p is in, whose end is known; p where what
// is in the value must be known first.
func (r *Reader) pastNode(n *Node, p point) point {
	if r.Tree.can.learner != nil {
		return p
	}
	end := *n
	end.SerialEnd = p.serial // nothing is numbered
	return *after(&end)
}

// Child returns the child i of n. The error is ErrNoChild where the bytes hold no such
// child, whatever n counts, or ErrPending.
func (r *Reader) Child(n *Node, i int64) (*Node, error) {
	if i < 0 || n.Layout == Leaf || n.Count != Unknown && i >= n.Count {
		return nil, ErrNoChild
	}
	if n.Layout == Fixed {
		return r.read(n, Slot{Index: i}, Unknown, n.Body+i*int64(n.Stride)), nil
	}
	s, known := r.approach(n, i)
	if known != nil {
		if c := known.openChild(n); c != nil && c.Slot == (Slot{Index: i}) {
			return c, nil
		}
	}
	s.passChildren(n)
	for used := r.budget(); ; {
		before := s.place(n)
		ev := s.Next()
		switch {
		case ev == Passed && s.Depth() == n.Depth+1:
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

// openChild returns the child of n that the point is in, nil if it is between two.
func (p *point) openChild(n *Node) *Node {
	in := p.in
	if in.Depth <= n.Depth {
		return nil
	}
	for in.Depth > n.Depth+1 {
		in = in.Parent
	}
	return in
}

// Finish returns n with its Tail and End known; the error may be ErrPending.
func (r *Reader) Finish(n *Node) (*Node, error) {
	if n.Layout < Sequence {
		return n, nil
	}
	s, known := r.approach(n, math.MaxInt64)
	if r.Budget != 0 && known != nil && r.Tree.index.continues(known) {
		return nil, ErrPending // the budget would be spent in vain, for each frame again
	}
	s.hopDepth, s.PassOrdinary = n.Depth+1, true
	for used := r.budget(); ; {
		ev := s.Next()
		if ev == Leave && s.Depth() <= n.Depth || ev == Done {
			done := *n
			v := &s.value
			done.Tail, done.End, done.Foot, done.SerialEnd = v.Tail, v.End, v.Foot, v.SerialEnd
			return &done, nil
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}

// End returns the end of n; to find that of a container may take reading it.
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

// Next returns the child of n's parent that follows n; after a key that is its value.
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
	s.seekChildren(n.Parent)
	for used := r.budget(); ; {
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

// eventDepth returns the depth of the value of the last event.
func (s *Scanner) eventDepth(ev Event) int {
	if ev == Enter {
		return s.Depth() - 1
	}
	return s.Depth()
}

// Ahead returns the child of n's parent that contains a place which is known without reading,
// at least that many bytes after the start of n: n itself if it is larger than that. It is
// nil where none is known.
func (r *Reader) Ahead(n *Node, bytes int64) *Node {
	p, ok := r.Tree.index.after(n.Start + bytes)
	if !ok {
		return nil
	}
	if _, in := p.childAt(n.Parent); !in {
		return nil
	}
	if c := p.openChild(n.Parent); c != nil {
		return c
	}
	s := r.scanFrom(&p)
	if ev := s.Next(); ev == Enter || ev == Atom {
		return s.Current(ev)
	}
	return nil
}

// Key returns the key of n, nil if it has none.
func (r *Reader) Key(n *Node) *Node {
	if n.KeyAt == Unknown {
		return nil
	}
	return r.read(n.Parent, Slot{n.Slot.Index, true}, Unknown, n.KeyAt)
}

// Count returns the number of children that n has or, if it is damaged, should have. For
// the base it is Unknown until the index is built, or all frames are known.
func (r *Reader) Count(n *Node) int64 {
	if n.Count == Unknown && n.Depth == 0 {
		return max(r.Tree.index.baseCount(), r.Tree.frames.baseCount())
	}
	return n.Count
}

// At returns the innermost value that owns the byte at off.
func (r *Reader) At(off int64) (*Node, error) {
	base := r.Tree.Base
	if off < base.Body {
		return base, nil
	}
	s := r.Scan(base)
	p, ok := r.Tree.placeBefore(func(p *point) bool { return p.pos <= off })
	if ok {
		for in := p.in; in != nil; in = in.Parent { // what ends before is left at once
			if in.Depth > 0 && in.Fenced && in.End <= off {
				p = r.pastNode(in, p)
			}
		}
		s.resume(&p)
	}
	s.hopTo, s.PassOrdinary, s.passTo = off, true, off
	for used := r.budget(); ; {
		ev := s.Next()
		switch ev {
		case Done:
			return base, nil
		case Enter:
			if off < s.value.Body {
				return s.Current(ev), nil
			}
		case Atom:
			if off < s.value.End {
				return r.element(s.Current(ev), off), nil
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

// LastChild returns the last child of n that the bytes hold, whatever n counts.
func (r *Reader) LastChild(n *Node) (*Node, error) {
	if n.Layout == Leaf {
		return nil, ErrNoChild
	}
	if n.Layout == Fixed {
		return r.Child(n, n.Count-1)
	}
	var last *Node
	s, known := r.approach(n, math.MaxInt64)
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
	for used := r.budget(); ; {
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
// keyAt; serial is the number of the first numbered value from there on.
func (r *Reader) ChildAt(n *Node, i, keyAt, start int64, serial uint32) *Node {
	c := r.read(n, Slot{Index: i}, keyAt, start)
	c.Serial = serial
	if c.Layout < Sequence {
		c.SerialEnd = c.serialAfter(c.firstSerial())
	}
	return c
}

// ChildOver returns the child of n that contains the byte at off, its key included. The error is
// ErrNoChild where none does.
func (r *Reader) ChildOver(n *Node, off int64) (*Node, error) {
	if n.Layout == Fixed {
		return r.Child(n, (off-n.Body)/int64(n.Stride))
	}
	s := r.Scan(n)
	if p, ok := r.Tree.index.before(func(p *point) bool { return p.pos <= off }); ok {
		if _, in := p.childAt(n); in {
			s = r.scanFrom(&p)
		}
	}
	s.seekChildren(n)
	for used := r.budget(); ; {
		ev := s.Next()
		if ev == Done || ev == Leave && s.Depth() <= n.Depth {
			return nil, ErrNoChild
		}
		if s.eventDepth(ev) == n.Depth+1 && !s.slot.Key && ev != Passed && (ev == Atom || ev == Leave) && s.value.End > off {
			return s.Current(ev), nil
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}
