package diff

import (
	"cmp"
	"slices"

	"varview/decoder/engine/tree"
	"varview/model/compare"
)

const (
	whyUnclear = "both have changed it, and it is not certain which element has become which"
	whyMoved   = "both have changed which elements there are, or their order"
)

// whyContested says why the changes that both sides have made of which elements there are cannot be merged; "" if they can.
func (l *listChanges) whyContested(m *merging) string {
	if !l.judged {
		l.judged, l.why = true, l.judge(m)
	}
	return l.why
}

func (l *listChanges) judge(m *merging) string {
	ours, theirs := &l.sides[oursSide], &l.sides[theirsSide]
	if len(ours.fresh) == len(ours.gone) && len(theirs.fresh) == len(theirs.gone) {
		for i := range l.sides {
			l.sides[i].unclear = slices.DeleteFunc(l.sides[i].unclear, func(u *compare.Unclear) bool { return u.IsWeak })
		}
	}
	switch {
	case (ours.moves && theirs.isChanged() || theirs.moves && ours.isChanged()) && !l.areSame(m):
		return whyMoved
	case ours.isTouchedBy(theirs), theirs.isTouchedBy(ours), l.isUnclear() && len(ours.changes) > 0 && len(theirs.changes) > 0:
		return whyUnclear
	}
	return ""
}

// isTouchedBy reports whether the other side has changed elements of which it is unclear what has become of them on this one.
func (s *listSide) isTouchedBy(other *listSide) bool {
	all := other.touched
	slices.SortFunc(all, func(x, y touch) int { return cmp.Compare(x.from, y.from) })
	return slices.ContainsFunc(s.unclear, func(u *compare.Unclear) bool {
		i, _ := slices.BinarySearchFunc(all, u.FromA, func(t touch, at int64) int { return cmp.Compare(t.to, at) })
		for ; i < len(all) && all[i].from <= u.ToA; i++ {
			if all[i].isIn(u) {
				return true
			}
		}
		return false
	})
}

// childCount returns the number of children of a value that can be read.
func childCount(r *tree.Reader, n *tree.Node) int64 {
	if n.Count != tree.Unknown && n.Damage == nil {
		return n.Count
	}
	last, err := r.LastChild(n)
	if err != nil {
		return 0
	}
	return last.Slot.Index + 1
}
