package tree

import (
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
)

// AppendFields appends the fields that the last event brings: the leading ones
// of a value that was entered, all of one that was passed, the gap of one that
// was left.
func (s *Scanner) AppendFields(fields []span.Field, ev Event) []span.Field {
	v := &s.value
	switch ev {
	case Enter:
		return s.format.Fields(s.win, s.outer(), v, fields)
	case Atom:
		fields = s.format.Fields(s.win, s.Parent(), v, fields)
	}
	return appendEnd(fields, s.can.footer, s.win, v)
}

// appendEnd appends the fields of v behind its children, and its gap.
func appendEnd(fields []span.Field, f Footer, w *source.Window, v *Value) []span.Field {
	if v.Footed && v.Tail > v.Foot {
		fields = f.FootFields(w, v, fields)
	}
	if v.HasGap() {
		fields = append(fields, GapField(v))
	}
	return fields
}

// ScannerAt returns a scanner of its own at the last known place at or before
// off.
func (t *Tree) ScannerAt(off int64) *Scanner {
	s := t.Scanner()
	if p, ok := t.index.before(func(p *point) bool { return p.pos <= off }); ok {
		s.resume(&p)
	}
	s.hopTo = off
	return s
}

// PlaceBefore is the last known place before off from which ScannerAt can go
// on; 0 is the start of the buffer.
func (t *Tree) PlaceBefore(off int64) int64 {
	p, _ := t.index.before(func(p *point) bool { return p.pos < off })
	return p.pos
}

// EachFieldIn calls each for the fields that have bytes in [from, to), in
// order. It returns ErrPending where it cannot tell yet what the rest is.
func (r *Reader) EachFieldIn(from, to int64, each func(span.Field)) error {
	n, err := r.At(from)
	if err != nil {
		return err
	}
	var fields []span.Field
	emit := func() {
		for _, f := range fields {
			if f.End() > from && f.Offset < to {
				each(f)
			}
		}
	}
	var s *Scanner
	switch {
	case n.Parent == nil && from < n.Body:
		fields = r.Tree.Reading.Fields(r.win, nil, &n.Value, fields)
		emit()
		s = r.Scan(n)
	case n.endsAt(from):
		fields = appendEnd(fields, r.Tree.can.footer, r.win, &n.Value)
		emit()
		if n.Parent == nil {
			return nil
		}
		s = r.scanFrom(&point{pos: n.End, in: n.Parent, next: Slot{n.Slot.Index + 1, n.Parent.Layout == Pairs}, nextAt: Unknown, serial: n.SerialEnd})
	case n.Parent == nil:
		return nil
	default:
		s = r.ScanFrom(n)
	}
	s.Elements = true
	for used := r.steps(); s.pos < to; {
		ev := s.Next()
		if ev == Done {
			return nil
		}
		fields = s.AppendFields(fields[:0], ev)
		emit()
		if used(ev) {
			return ErrPending
		}
	}
	return nil
}

// endsAt reports whether the byte at off belongs to what v has behind its
// children: fields of its own, or a gap.
func (v *Value) endsAt(off int64) bool {
	return v.Footed && v.Tail != Unknown && off >= v.Foot || v.HasGap() && off >= v.Tail
}

// Step is the last step of the path of n, without a number for repeated keys:
// ".name", `["any text"]`, "[3]", "" for the root.
func (r *Reader) Step(n *Node) string {
	if n.Parent == nil {
		return ""
	}
	key := &n.Value
	if !n.Slot.Key {
		k := r.Key(n)
		if k == nil {
			return string(r.AppendStep(nil, &n.Parent.Value, n.Slot, nil))
		}
		key = &k.Value
	}
	return string(r.appendKeyStep(nil, &n.Parent.Value, n.Slot, key))
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
	s.below(n)
	fresh := false // last is made here, not shared with others
	for used := r.steps(); ; {
		ev := s.Next()
		if ev == Done || ev == Leave && s.Depth() <= n.Depth {
			break
		}
		if ev != Leave && !s.slot.Key && s.eventDepth(ev) == n.Depth+1 {
			if !fresh {
				last, fresh = &Node{Parent: n, Depth: n.Depth + 1}, true
			}
			last.Value, last.Slot, last.KeyAt = s.value, s.slot, s.key
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
	if last == nil {
		return nil, ErrNoChild
	}
	return last, nil
}
