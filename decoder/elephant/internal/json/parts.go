package json

import (
	"bytes"
	"context"
	"math"

	"varview/decoder/parallel"
	"varview/decoder/tree"
)

// A part is a run of elements of an array. Parts are written beside each other. How
// references are written depends on what was written before, so that the text of a part has
// marks in their places, and is put together in order.
type part struct {
	from *tree.Node
	to   *tree.Node // the element after it, nil for the end
}

// A mark is a place in the text of a part.
type mark struct {
	kind    markKind
	at      int
	shared  int // length of the path of what is there that is the same as at the mark before
	steps   int // end of the rest of that path, in the steps of the part
	serial  uint32
	nowhere bool // of a reference that leads nowhere
}

type markKind uint8

const (
	isReference  markKind = iota
	beginsTarget          // of a reference
	endsTarget
)

// mark leaves a mark with the path of what is written.
func (j *jsonWriter) mark(m mark) {
	j.shared = min(j.shared, len(j.path))
	j.steps = append(j.steps, j.path[j.shared:]...)
	m.at, m.shared, m.steps = len(j.Dst), j.shared, len(j.steps)
	j.marks = append(j.marks, m)
	j.shared = len(j.path)
}

// pathUpTo returns the path up to a length, to which another step is to be added.
func (j *jsonWriter) pathUpTo(length int) []byte {
	j.shared = min(j.shared, length)
	return j.path[:length]
}

// partsOf writes elements of n from c on, in parts, up to one that is larger than a part,
// which it returns.
func (j *jsonWriter) partsOf(n, c *tree.Node, length int) (large *tree.Node) {
	next := func() (p part, more bool) {
		if c == nil {
			return p, false
		}
		p = part{from: c, to: j.r.Ahead(c, j.r.Tree.TextSegment)}
		c = p.to
		if c != nil && c.Slot == p.from.Slot {
			large, c = c, nil
			return p, false
		}
		return p, true
	}
	writers := parallel.Spares[*jsonWriter]{New: func() *jsonWriter {
		r := j.r.Tree.NewReader()
		return &jsonWriter{ctx: j.ctx, f: j.f, r: r, w: r.Window(), isPart: true}
	}}
	path := bytes.Clone(j.path[:length])
	err := parallel.Ordered(j.ctx, parallel.Workers(), next, func(_ context.Context, p part) *written {
		x := writers.Get()
		x.Writer, x.marks, x.steps = tree.NewLiteral(x.Dst[:0], math.MaxInt), x.marks[:0], x.steps[:0]
		x.path, x.shared = append(x.path[:0], path...), length
		return &written{p, x, x.smallElements(n, p.from, length, p.end())}
	}, func(w *written) error {
		j.putPart(w.x, length)
		if w.rest != nil && j.err == nil {
			j.restOf(n, w.rest, length, w.end())
		}
		writers.Put(w.x)
		if j.Full(); j.err != nil {
			return j.err
		}
		return w.x.r.Window().Err()
	})
	if j.err == nil {
		j.err = err
	}
	return large
}

// end is the index of the element after the part.
func (p part) end() int64 {
	if p.to == nil {
		return math.MaxInt64
	}
	return p.to.Slot.Index
}

// written is a part that was written: all of it, or what comes before an element that is too
// large to be loaded.
type written struct {
	part
	x    *jsonWriter
	rest *tree.Node
}

// restOf writes an element of n that is too large to be loaded, and those after it in the
// same part.
func (j *jsonWriter) restOf(n, c *tree.Node, length int, end int64) {
	for c != nil && j.err == nil {
		j.path = tree.AppendIndexStep(j.path[:length], c.Slot.Index)
		j.writeLarge(c)
		next, err := j.r.Next(c)
		if err != nil || next.Slot.Index >= end {
			return
		}
		c = j.smallElements(n, next, length, end)
	}
}

// putPart writes the text of a part, with what its marks stand for.
func (j *jsonWriter) putPart(x *jsonWriter, length int) {
	var open []func() // ends of targets that were begun
	at, steps, skipped := 0, 0, 0
	for _, m := range x.marks {
		j.path = append(j.path[:m.shared], x.steps[steps:m.steps]...)
		steps = m.steps
		if skipped > 0 { // in a target that has been written before
			switch m.kind {
			case beginsTarget:
				skipped++
			case endsTarget:
				skipped--
				at = m.at
			}
			continue
		}
		j.Dst = append(j.Dst, x.Dst[at:m.at]...)
		at = m.at
		switch m.kind {
		case isReference:
			j.follow(m.serial, m.nowhere)
		case beginsTarget:
			if done, ok := j.enter(m.serial); ok {
				open = append(open, done)
			} else {
				skipped = 1
			}
		case endsTarget:
			last := len(open) - 1
			open[last]()
			open = open[:last]
		}
		if j.Full() || j.err != nil {
			return
		}
	}
	j.Dst = append(j.Dst, x.Dst[at:]...)
	j.path = j.path[:length]
}
