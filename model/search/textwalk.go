package search

import (
	"varview/decoder/span"
	"varview/decoder/tree"
)

// farAhead is the distance in bytes from which on a walk begins anew at the next place.
const farAhead = 512 << 10

// A textWalk passes the values of [from, to) and looks at their fields. Where the bytes of
// the text are everywhere in the values, it looks only at those that are around them.
type textWalk struct {
	s        *searcher
	from, to int64
	found    func(Hit) bool
	fields   []span.Field
	places   *candidates // of the text, nil to look at everything
	place    int64       // the next one
	stopped  bool        // found wanted no more
	err      error
}

// look looks for the next place of the text.
func (w *textWalk) look(from int64) {
	w.place, w.err = w.places.next(from, w.to, w.progress)
}

func (w *textWalk) progress(upTo int64) error {
	w.s.progress(w.s.passed+max(0, upTo-w.from), w.s.tree.Source.Size())
	return w.s.ctx.Err()
}

// run passes values from the last known place before an offset on, as long as the places
// are near to one another. The error is errFound where found wanted no more.
func (w *textWalk) run(from int64) error {
	scan := w.s.scannerAt(from)
	scan.Elements = w.s.query.number || w.s.query.word
	if w.places != nil {
		scan.PassUpTo(w.place)
	}
	steps := 0
	err := scan.Run(w.s.ctx, func(ev tree.Event) bool {
		if steps++; steps%1024 == 0 {
			w.progress(scan.Pos())
		}
		if ev == tree.Enter || ev == tree.Atom {
			if w.stopped = !w.value(scan, ev); w.stopped {
				return false
			}
		}
		if w.places != nil && scan.Pos() > w.place {
			if w.look(scan.Pos()); w.err != nil || w.place-scan.Pos() > farAhead {
				return false
			}
			scan.PassUpTo(w.place)
		}
		return scan.Pos() < w.to || ev == tree.Enter
	})
	switch {
	case w.stopped:
		return errFound
	case w.err != nil:
		return w.err
	}
	return err
}

// value calls found for what matches in a value. It reports whether more is wanted.
func (w *textWalk) value(scan *tree.Scanner, ev tree.Event) bool {
	from := w.from
	if start := scan.Value().Start; start >= from && w.s.isNamed(scan, ev) {
		if !w.found(namedHit(scan.Current(ev))) {
			return false
		}
		from = start + 1 // what else is found there is the same value
	}
	w.fields = scan.AppendFields(w.fields[:0], ev)
	for _, f := range w.fields {
		for at := from; at < f.End(); {
			h, ok := w.s.match(scan, f, at)
			if ok && !w.found(Hit{Span: h}) {
				return false
			}
			if !ok || h.Offset >= w.to || f.Kind != span.Text {
				break
			}
			at = h.Offset + 1
		}
	}
	return true
}
