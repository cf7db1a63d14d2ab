package edit

import (
	"errors"

	"varview/decoder/tree"
)

// maxDamageDepth is the depth to which the last values of a container are examined.
const maxDamageDepth = 32

// isDamaged reports whether n, or the last value in it, ends in bytes that cannot be
// read, so that nothing can follow it.
func isDamaged(r *tree.Reader, n *tree.Node) (bool, error) {
	if r.Tree.IsResynced() { // damage can be anywhere
		return holdsDamage(r, n)
	}
	for range maxDamageDepth {
		if n.Damage != nil {
			return true, nil
		}
		if n.Layout < tree.Sequence {
			return false, nil
		}
		last, err := r.LastChild(n)
		if errors.Is(err, tree.ErrNoChild) {
			return n.Count > 0, nil
		}
		if err != nil {
			return false, err
		}
		if n.Count != tree.Unknown && last.Slot.Index+1 < n.Count {
			return true, nil
		}
		n = last
	}
	return false, nil
}

// holdsDamage reports whether any value in n is damaged.
func holdsDamage(r *tree.Reader, n *tree.Node) (bool, error) {
	if n.Damage != nil || n.Layout < tree.Sequence {
		return n.Damage != nil, nil
	}
	s := r.Scan(n)
	s.PassOrdinary = true
	for {
		switch ev := s.Next(); {
		case s.Window().Err() != nil:
			return false, s.Window().Err()
		case ev == tree.Done, ev == tree.Leave && s.Depth() <= n.Depth:
			v := s.Value()
			return v.HasGap() || v.Damage != nil, nil
		case s.Value().Damage != nil:
			return true, nil
		}
	}
}
