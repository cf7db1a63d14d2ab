package search

import (
	"io"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// besides finds the next named value, or the one before, that begins at the same
// byte as the one a search begins at.
func (s *searcher) besides(from Spot, backward bool) (hit Hit, err error) {
	if from.At == nil || s.query.bytes != nil {
		return hit, io.EOF
	}
	ok, passed := false, false
	err = s.eachName(from.Offset, func(n *tree.Node, matches bool) bool {
		switch {
		case n.Same(from.At):
			passed = true
			return !backward
		case matches && passed != backward:
			hit, ok = namedHit(n), true
			return backward
		}
		return true
	})
	if err == nil && !ok {
		err = io.EOF
	}
	return hit, err
}

// scannerAt passes over everything from an offset on. Values without bytes are
// at the same offset as what follows them, and a remembered place can be between
// them: where there are any it sets out before.
func (s *searcher) scannerAt(from int64) *tree.Scanner {
	if s.names != nil {
		from = max(0, from-1)
	}
	return s.tree.ScannerAt(from)
}

// isNamed reports whether the value of an event has a name that matches.
func (s *searcher) isNamed(scan *tree.Scanner, ev tree.Event) bool {
	if s.names == nil || ev == tree.Leave || scan.Slot().Key {
		return false
	}
	parent := scan.Parent()
	if ev == tree.Enter { // it is open itself by now
		parent = &scan.Node().Parent.Value
	}
	if parent.Layout != tree.Sequence {
		return false
	}
	return s.matches(s.names.MemberName(parent, scan.Slot().Index))
}

func (s *searcher) matches(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	return s.query.index(name) >= 0
}

// namedHit is the hit of a value by its name: its bytes, or the first of them
// where its end is not known yet.
func namedHit(n *tree.Node) Hit {
	if n.End == tree.Unknown {
		return Hit{span.Span{Offset: n.Start, Length: 1}, n}
	}
	return Hit{span.Between(n.Start, n.End), n}
}

// eachName calls found for each value that begins at an offset, until that
// returns false, and says whether its name matches.
func (s *searcher) eachName(offset int64, found func(n *tree.Node, matches bool) bool) error {
	scan := s.scannerAt(offset)
	return scan.Run(s.ctx, func(ev tree.Event) bool {
		v := scan.Value()
		if ev == tree.Leave || v.Start < offset {
			return true
		}
		return v.Start == offset && found(scan.Current(ev), s.isNamed(scan, ev))
	})
}
