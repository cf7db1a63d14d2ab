package search

import (
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// farAhead is the distance in bytes to the next place beyond which a walk starts anew there.
const farAhead = 512 << 10

// A walk passes the values of [from, to) and searches them. If all hits must contain a text, it looks
// only at the values around the places of that text.
type walk struct {
	s        *searcher
	from, to int64
	found    func(Hit) bool
	fields   []span.Field
	gaps     []span.Span
	judge    *judge      // judge of a query about values
	covered  int64       // values before this offset are parts of a hit
	places   *candidates // places of the text; nil to look at everything
	place    int64       // the next place
	reach    int64       // distance up to which it continues to the next place without starting anew
	stopped  bool        // found has returned false
	err      error
}

// prepare makes a scanner pass only what the walk looks at.
func (w *walk) prepare(scan *tree.Scanner) {
	if w.s.query.sole == nil {
		w.judge = newJudge(w.s, scan)
		scan.Elements = true
	} else {
		scan.Elements = w.s.query.sole.seesNumbers()
	}
	if w.places != nil {
		scan.PassUpTo(w.place)
	}
}

// look finds the next place of the text.
func (w *walk) look(from int64) { w.place, w.err = w.places.next(from, w.to, w.progress) }

func (w *walk) progress(upTo int64) error { return w.s.passedFrom(w.from)(upTo) }

// run passes values from the last known place before an offset, as long as the places are close together.
// The error is errFound if found has returned false.
func (w *walk) run(from int64) error {
	scan := w.s.scannerAt(from)
	w.prepare(scan)
	if w.stopped = !w.eachGapBefore(scan); w.stopped {
		return errFound
	}
	steps := 0
	err := scan.Run(w.s.ctx, func(ev tree.Event) bool {
		if steps++; steps%1024 == 0 {
			w.progress(scan.Pos())
		}
		// A key can be before the end of the stretch, and its value after it.
		return w.step(scan, ev) && (scan.Pos() < w.to || ev == tree.Enter || scan.Slot().Key)
	})
	return w.ended(err)
}

// ended returns the error with which a scanner was stopped, or err.
func (w *walk) ended(err error) error {
	switch {
	case w.stopped:
		return errFound
	case w.err != nil:
		return w.err
	}
	return err
}

// step handles an event. It reports whether to continue.
func (w *walk) step(scan *tree.Scanner, ev tree.Event) bool {
	if ev == tree.Enter || ev == tree.Atom {
		w.follow(ev)
	}
	if w.stopped = !w.eachIn(scan, ev); w.stopped {
		return false
	}
	return w.passOn(scan)
}

// follow tells the judge where the scanner is.
func (w *walk) follow(ev tree.Event) {
	if w.judge != nil && w.judge.paths != nil {
		w.judge.paths.Step(ev)
	}
}

// passOn makes the scanner skip everything up to the next place of the text; after a key that contains
// the text, it first passes the key's value. It reports whether there is a next place.
func (w *walk) passOn(scan *tree.Scanner) bool {
	if w.places == nil || scan.Pos() <= w.place || w.judge != nil && scan.Slot().Key {
		return true
	}
	if w.look(scan.Pos()); w.err != nil || w.place-scan.Pos() > w.reach {
		return false
	}
	scan.PassUpTo(w.place)
	return true
}

// eachIn calls found for each hit in the value of an event, and in bytes that no value claims. It reports
// whether found wants more.
func (w *walk) eachIn(scan *tree.Scanner, ev tree.Event) bool {
	if (ev == tree.Enter || ev == tree.Atom) && !w.each(scan, ev) {
		return false
	}
	return w.eachGap(scan, ev)
}

// each calls found for each hit in a value. It reports whether found wants more.
func (w *walk) each(scan *tree.Scanner, ev tree.Event) bool {
	hit, ok := w.value(scan, ev)
	if w.judge != nil {
		return !ok || hit.Offset < w.from || w.found(hit)
	}
	from := w.from
	if ok && hit.Offset >= from {
		if !w.found(hit) {
			return false
		}
		from = hit.Offset + 1 // other hits there are the same value
	}
	return w.eachField(scan, ev, from)
}

// value returns the hit of the whole value of an event, if the value is a hit by its name, or by a query
// about values. ok is false for the parts of a value that is a hit.
func (w *walk) value(scan *tree.Scanner, ev tree.Event) (hit Hit, ok bool) {
	if w.judge == nil {
		name, t := w.s.name(scan, ev), w.s.query.sole
		if len(name) > 0 && t.matchesText(name) {
			return valueHit(scan.Current(ev), rankOf(true, t.isAllOf(name))), true
		}
		if is, isAll := w.s.spelled(t, scan.Window(), scan.Value()); is {
			return valueHit(scan.Current(ev), rankOf(scan.Slot().Key, isAll)), true
		}
		return hit, false
	}
	v := scan.Value()
	if scan.Slot().Key && ev == tree.Atom {
		w.judge.key, w.judge.keyAt = *v, v.Start
	}
	if scan.Slot().Key || v.Start < w.covered {
		return hit, false
	}
	if hit, ok = w.judge.hit(scan, ev); ok && v.Layout == tree.Fixed {
		w.covered = v.End
	}
	return hit, ok
}

// eachField calls found for each hit in the fields of a value, beginning at an offset.
func (w *walk) eachField(scan *tree.Scanner, ev tree.Event, from int64) bool {
	w.fields = scan.AppendFields(w.fields[:0], ev)
	for _, f := range w.fields {
		for at := from; at < f.End(); {
			h, ok := w.match(scan, f, at)
			if ok && !w.found(Hit{Span: h, Node: scan.Current(ev), Rank: rankOf(scan.Slot().Key, h == f.Span)}) {
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

// match searches a field for the query, at or after offset from.
func (w *walk) match(scan *tree.Scanner, f span.Field, from int64) (span.Span, bool) {
	t := w.s.query.sole
	switch f.Kind {
	case span.Text:
		if t.text == nil {
			return span.Span{}, false
		}
		return t.text.find(scan.Window(), f.Span, from)
	case span.Value, span.ID:
		if w.s.isText && t.text != nil && isLetter(scan.Window().View(f.Offset, 1)) {
			return t.text.find(scan.Window(), f.Span, from)
		}
		if !t.seesNumbers() || f.Offset < from {
			return span.Span{}, false
		}
		var content [64]byte
		b := w.s.tree.Reading.AppendField(content[:0], scan.Window(), scan.Value(), f)
		if scan.Window().TakeHole() != nil {
			return span.Span{}, false
		}
		return f.Span, t.matchesField(b)
	}
	return span.Span{}, false
}
