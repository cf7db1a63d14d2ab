package compare

import (
	"context"
	"math"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A walk passes over the children of a value and computes the sum of each with everything in it.
type walk struct {
	*side
	s     *tree.Scanner
	in    *tree.Node
	to    int64 // index of the child before which it ends
	each  func(*item)
	stack []open // values inside a child, outermost first
	key   sum    // sum of the key of the child that comes next
	seen  int64  // children that were passed, including those before the first
}

// noteMissing records a problem if the value counts more children than it has.
func (w *walk) noteMissing(seen int64) {
	if w.in.Count != tree.Unknown && seen < w.in.Count {
		at := w.s.Pos()
		w.note(&span.Problem{Span: span.Span{Offset: at}, Message: span.Counted(w.in.Count-seen, "value") + " missing"})
	}
}

// startAt makes from the next child.
func (w *walk) startAt(from *tree.Node) {
	if key := w.read.Key(from); key != nil {
		w.key, _ = w.atom(&key.Value)
		if key.Layout >= tree.Sequence {
			w.key = w.sumOf(key)
		}
	}
	w.s = w.read.ScanFrom(from)
}

// sumOf returns the sum of a value with everything in it.
func (s *side) sumOf(n *tree.Node) sum { return s.sumIn(context.Background(), n) }

func (s *side) sumIn(ctx context.Context, n *tree.Node) (x sum) {
	if n.Layout < tree.Sequence {
		x, _ = s.atom(&n.Value)
		return x
	}
	if e, is := s.memo[place{n.Start, n.Depth}]; is {
		return e.sum
	}
	o := s.open(&n.Value)
	if o.complete {
		return o.sum()
	}
	var kept []item
	isKept := s.kept != nil && n.End-n.Start >= keptBytes
	err := s.items(ctx, n, nil, math.MaxInt64, math.MaxInt64, func(c *item) {
		o.key = c.key
		o.add(tree.Slot{Index: c.index}, c.sum)
		if isKept {
			kept = append(kept, *c)
		}
	})
	if isKept && err == nil {
		s.keep(n, kept)
	}
	return o.sum()
}

// run passes over the children.
func (w *walk) run(ctx context.Context) error {
	top := w.in.Depth + 1 // depth of the children
	for n := 1; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ev := w.s.Next()
		if ev == tree.Done || ev == tree.Leave && w.s.Depth() <= w.in.Depth {
			w.noteMissing(w.seen)
			return w.window().Err()
		}
		v, slot := w.s.Value(), w.s.Slot()
		if len(w.stack) == 0 && slot.Index >= w.to {
			return nil
		}
		if len(w.stack) == 0 && ev != tree.Leave && !slot.Key {
			w.seen = slot.Index + 1
		}
		switch ev {
		case tree.Atom:
			x, of := w.inner(v)
			w.ended(&open{of: tree.Meaning{Compared: of}, start: v.Start, keyAt: w.s.KeyAt(), slot: slot, serial: v.Serial}, x)
		case tree.Enter:
			if w.isKnown(v, top+len(w.stack)) {
				continue
			}
			o := open{complete: true}
			if len(w.stack) == 0 || !w.stack[len(w.stack)-1].complete {
				o = w.open(v)
			}
			o.start, o.keyAt, o.slot, o.serial = v.Start, w.s.KeyAt(), slot, v.Serial
			w.stack = append(w.stack, o)
		case tree.Leave:
			o := w.stack[len(w.stack)-1]
			w.stack = w.stack[:len(w.stack)-1]
			x := o.sum()
			if v.End-v.Start >= memoBytes && len(w.memo) < maxMemo {
				w.memo[place{v.Start, top + len(w.stack)}] = ended{x, v.End, v.SerialEnd}
			}
			w.ended(&o, x)
		}
	}
}

// inner returns the sum of a value read in one piece, if it counts.
func (w *walk) inner(v *tree.Value) (sum, tree.Comparison) {
	if n := len(w.stack); n > 0 && w.stack[n-1].complete {
		return sum{}, tree.Whole
	}
	return w.atom(v)
}

// isKnown uses the sum of a value that was passed before, and continues after that value.
func (w *walk) isKnown(v *tree.Value, depth int) bool {
	e, ok := w.memo[place{v.Start, depth}]
	if !ok {
		e, ok = w.known[place{v.Start, depth}]
	}
	if !ok || w.s.Slot().Key {
		return false
	}
	n := *w.s.Node()
	n.Tail, n.End, n.SerialEnd = e.end, e.end, e.serialEnd
	_, m := w.meaning(v)
	w.s = w.read.ScanAfter(&n)
	w.ended(&open{of: m, start: n.Start, keyAt: n.KeyAt, slot: n.Slot, serial: n.Serial}, e.sum)
	return true
}

// ended adds a value that was passed to the one around it, or finishes a child.
func (w *walk) ended(o *open, x sum) {
	switch n := len(w.stack); {
	case n > 0 && o.of.Compared == tree.Absent:
	case n > 0:
		w.addTo(&w.stack[n-1], o.slot, x)
	case o.slot.Key:
		w.key = x
	default:
		c := item{sum: x, index: o.slot.Index, start: o.start, keyAt: o.keyAt, key: w.key, serial: o.serial, of: o.of.Compared, isSmall: w.s.Pos()-o.start < gapBytes}
		if name := w.nameOf(&w.in.Value, c.index); name != nil {
			c.key = sum{meaning: ofText(name)}
		}
		w.each(&c)
	}
}

// addTo adds a child to an open value.
func (w *walk) addTo(o *open, slot tree.Slot, x sum) {
	if w.named != nil && !o.complete && o.of.Compared == tree.Map && o.value.Layout == tree.Sequence {
		if name := w.nameOf(&o.value, slot.Index); name != nil {
			o.key = sum{meaning: ofText(name)}
		}
	}
	o.add(slot, x)
}

// nameOf returns the name of a child if it is not in the bytes; otherwise nil.
func (s *side) nameOf(parent *tree.Value, i int64) []byte {
	if s.named == nil || parent.Layout != tree.Sequence {
		return nil
	}
	return s.named.MemberName(parent, i)
}
