package search

import (
	"io"

	"varview/decoder/tree"
)

// besides finds the next value that is a hit, or the previous one, at the same byte as the
// one where the search begins.
func (s *searcher) besides(from Spot, backward bool) (hit Hit, err error) {
	if from.At == nil {
		return hit, io.EOF
	}
	ok, passed := false, false
	err = s.eachValueAt(from.Offset, func(n *tree.Node, h Hit, matches bool) bool {
		switch {
		case n.Same(from.At):
			passed = true
			return !backward
		case matches && passed != backward:
			hit, ok = h, true
			return backward
		}
		return true
	})
	if err == nil && !ok {
		err = io.EOF
	}
	return hit, err
}

// eachValueAt calls found for each value that begins at an offset, until found returns
// false; matches says whether the value is a hit.
func (s *searcher) eachValueAt(offset int64, found func(n *tree.Node, h Hit, matches bool) bool) error {
	scan := s.scannerAt(offset)
	w := &walk{s: s, to: offset + 1}
	w.prepare(scan)
	return scan.Run(s.ctx, func(ev tree.Event) bool {
		v := scan.Value()
		if ev == tree.Leave {
			return true
		}
		w.follow(ev)
		hit, matches := w.value(scan, ev)
		if v.Start < offset {
			return true
		}
		return v.Start == offset && found(scan.Current(ev), hit, matches)
	})
}

// scannerAt returns a scanner that passes everything from an offset on. Values without
// bytes have the same offset as what follows them, and a known place can be between them:
// if there can be such values, it begins at an earlier place.
func (s *searcher) scannerAt(from int64) *tree.Scanner {
	if s.names != nil {
		from = max(0, from-1)
	}
	return s.tree.ScannerAt(from)
}

// name returns the name that a schema gives the value of an event, nil if there is none.
func (s *searcher) name(scan *tree.Scanner, ev tree.Event) []byte {
	if s.names == nil || scan.Slot().Key {
		return nil
	}
	around := scan.Around(ev)
	if around.Layout != tree.Sequence {
		return nil
	}
	return s.names.MemberName(around, scan.Slot().Index)
}
