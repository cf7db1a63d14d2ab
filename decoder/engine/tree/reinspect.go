package tree

import (
	"cmp"
	"slices"
	"sort"

	"varview/decoder/engine/span"
)

// maxReinspected is the largest number of references that are inspected again because their target has
// changed.
const maxReinspected = 64

// An ending is a place where values end that begin in bytes that were read again.
type ending struct {
	from  point
	depth int // depth of the outermost of these values
}

// compareKinds records which numbers less than to now belong to another kind of value.
func (ri *reindexer) compareKinds(to uint32) {
	if ri.learner == nil || ri.serial == NoSerial {
		return
	}
	for n := ri.serial; n < min(to, maxSerial); n++ {
		if ri.was.Kind(n) != ri.learner.Kind(n) {
			ri.changed[n] = true
		}
	}
}

// mergeRead sorts the spans read again and joins those that overlap.
func (ri *reindexer) mergeRead() {
	slices.SortFunc(ri.read, func(a, b span.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	merged := ri.read[:0]
	for _, r := range ri.read {
		if n := len(merged); n > 0 && merged[n-1].End() >= r.Offset {
			merged[n-1] = span.Between(merged[n-1].Offset, max(merged[n-1].End(), r.End()))
		} else if r.Length > 0 {
			merged = append(merged, r)
		}
	}
	ri.read = merged
}

// isRead reports whether an offset was read again.
func (ri *reindexer) isRead(off int64) bool {
	i := sort.Search(len(ri.read), func(i int) bool { return ri.read[i].End() > off })
	return i < len(ri.read) && ri.read[i].Contains(off)
}

// reportEnding reports problems of values that begin in bytes read again if they are known only at the end
// of the values: that children are missing.
func (ri *reindexer) reportEnding(t ending) {
	s := ri.scanner()
	s.resume(&t.from)
	s.PassOrdinary, s.keyed = true, nil
	s.Report = func(p span.Problem) {
		if p.Offset < t.from.pos && ri.isRead(p.Offset) {
			ri.add(p)
		}
	}
	for s.Depth() > t.depth && s.Next() != Done {
	}
}

// reinspectReferences inspects the references to values that have changed. It returns false if there are
// too many.
func (ri *reindexer) reinspectReferences() bool {
	if len(ri.changed) == 0 {
		return true
	}
	r, s := ri.edited.NewReader(), ri.scanner()
	s.Report = ri.add
	inspected := 0
	for _, ref := range ri.edited.index.refs {
		if !ri.changed[ref.To] || ri.isRead(ref.At) {
			continue
		}
		n, err := r.At(ref.At)
		if inspected++; inspected > maxReinspected || err != nil || !n.Refers {
			return false
		}
		s.reinspect(n)
		ri.read = append(ri.read, n.Span())
	}
	ri.mergeRead()
	return true
}

// noteReferred records which numbers are referred to.
func (ri *reindexer) noteReferred() {
	x, old := &ri.edited.index, &ri.old.index
	x.referred = nil
	if len(x.refs) == maxReferences { // there may be more that are not listed
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

// reinspect reports the problems of n other than its damage.
func (s *Scanner) reinspect(n *Node) {
	s.value, s.slot, s.key = n.Value, n.Slot, n.KeyAt
	s.win.TakeHole()
	s.inspect(n.parentValue(), &s.value)
	if n.Layout >= Sequence {
		s.checkNesting(n.Depth)
	}
}
