package tree

import (
	"cmp"
	"slices"
	"sort"

	"varview/decoder/span"
)

// maxRetold is how many references may be inspected again because what they lead
// to has changed.
const maxRetold = 64

// A tail is where values are left that began in what was read again.
type tail struct {
	from  point
	depth int // of the outermost of them that are left there
}

// compareKinds takes note of the numbers up to to that another kind of value has
// than before.
func (k *keeper) compareKinds(to uint32) {
	if k.learner == nil || k.serial == NoSerial {
		return
	}
	for n := k.serial; n < min(to, maxSerial); n++ {
		if k.was.Kind(n) != k.learner.Kind(n) {
			k.changed[n] = true
		}
	}
}

// mergeRead puts the spans read again into order, without overlap.
func (k *keeper) mergeRead() {
	slices.SortFunc(k.read, func(a, b span.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	merged := k.read[:0]
	for _, r := range k.read {
		if n := len(merged); n > 0 && merged[n-1].End() >= r.Offset {
			merged[n-1] = span.Between(merged[n-1].Offset, max(merged[n-1].End(), r.End()))
		} else if r.Length > 0 {
			merged = append(merged, r)
		}
	}
	k.read = merged
}

// isRead reports whether an offset was read again.
func (k *keeper) isRead(off int64) bool {
	i := sort.Search(len(k.read), func(i int) bool { return k.read[i].End() > off })
	return i < len(k.read) && k.read[i].Contains(off)
}

// tell reports what is only known where the values are left that began in what
// was read again: that children are missing.
func (k *keeper) tell(t tail) {
	s := k.scanner()
	s.resume(&t.from)
	s.Brisk, s.keyed = true, nil
	s.Report = func(p span.Problem) {
		if p.Offset < t.from.pos && k.isRead(p.Offset) {
			k.add(p)
		}
	}
	for s.Depth() > t.depth && s.Next() != Done {
	}
}

// retell inspects the references to what has changed. It reports whether these
// are few.
func (k *keeper) retell() bool {
	if len(k.changed) == 0 {
		return true
	}
	r, s := k.e.NewReader(), k.scanner()
	s.Report = k.add
	told := 0
	for _, ref := range k.e.index.refs {
		if !k.changed[ref.To] || k.isRead(ref.At) {
			continue
		}
		n, err := r.At(ref.At)
		if told++; told > maxRetold || err != nil || !n.Refers {
			return false
		}
		s.reinspect(n)
		k.read = append(k.read, n.Span())
	}
	k.mergeRead()
	return true
}

// noteReferred notes which numbers are referred to.
func (k *keeper) noteReferred() {
	x, old := &k.e.index, &k.old.index
	x.referred = nil
	if len(x.refs) == maxReferences { // there may be more that are not kept
		old.mu.RLock()
		if old.referred != nil {
			bits := *old.referred
			x.referred = &bits
		}
		old.mu.RUnlock()
	}
	for _, r := range x.refs {
		x.noteReferred(r)
	}
}

// reinspect reports what is unusual about n, apart from its damage.
func (s *Scanner) reinspect(n *Node) {
	var parent *Value
	if n.Parent != nil {
		parent = &n.Parent.Value
	}
	s.value, s.slot, s.key = n.Value, n.Slot, n.KeyAt
	s.win.TakeHole()
	s.inspect(parent, &s.value)
	if n.Layout >= Sequence {
		s.checkNesting(n.Depth)
	}
}
