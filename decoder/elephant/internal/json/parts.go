package json

import (
	"bytes"
	"context"
	"math"

	"varview/decoder/parallel"
	"varview/decoder/tree"
)

// Parts of large values are written at the same time. How a reference is written depends on
// what was written before, so the text of a part has marks in the places of references, and
// the parts are put together in order.

// A mark is a place in the text of a part.
type mark struct {
	kind    markKind
	at      int
	shared  int // length of the path here that is the same as at the mark before
	steps   int // end of the rest of that path, in the steps of the part
	serial  uint32
	nowhere bool // the reference leads nowhere
}

type markKind uint8

const (
	isReference  markKind = iota
	beginsTarget          // of a reference
	endsTarget
)

// mark leaves a mark with the current path.
func (j *jsonWriter) mark(m mark) {
	j.shared = min(j.shared, len(j.path))
	j.steps = append(j.steps, j.path[j.shared:]...)
	m.at, m.shared, m.steps = len(j.Dst), j.shared, len(j.steps)
	j.marks = append(j.marks, m)
	j.shared = len(j.path)
}

// pathUpTo returns the path up to a length, so that another step can be added.
func (j *jsonWriter) pathUpTo(length int) []byte {
	j.shared = min(j.shared, length)
	return j.path[:length]
}

// canPart reports whether parts may be written at the same time: not inside one another.
func (j *jsonWriter) canPart() bool { return !j.isPart && !j.inParts && parallel.Workers() > 1 }

// A partWriter writes a part with x. It leaves out a value that is too large to be loaded;
// rest writes that later.
type partWriter func(x *jsonWriter) (rest func())

// writeParts writes the parts that next returns, several at the same time. Their paths
// begin with the first length bytes of the current one.
func (j *jsonWriter) writeParts(length int, next func() (partWriter, bool)) {
	type result struct {
		x    *jsonWriter
		rest func()
	}
	j.inParts = true
	path := bytes.Clone(j.path[:length])
	writers := parallel.Spares[*jsonWriter]{New: func() *jsonWriter {
		r := j.r.Tree.NewReader()
		return &jsonWriter{ctx: j.ctx, f: j.f, r: r, w: r.Window(), isPart: true}
	}}
	err := parallel.Ordered(j.ctx, parallel.Workers(), next, func(_ context.Context, write partWriter) result {
		x := writers.Get()
		x.Writer, x.marks, x.steps = tree.NewLiteral(x.Dst[:0], math.MaxInt), x.marks[:0], x.steps[:0]
		x.path, x.shared = append(x.path[:0], path...), length
		return result{x, write(x)}
	}, func(done result) error {
		j.putPart(done.x, length)
		if done.rest != nil && j.err == nil {
			done.rest()
		}
		j.Full() // flushes
		writers.Put(done.x)
		if j.err == nil {
			j.err = done.x.w.Err()
		}
		return j.err
	})
	j.inParts = false
	if j.err == nil {
		j.err = err
	}
}

// elementParts writes elements of n from c on, up to one that is larger than a part, and
// returns that one.
func (j *jsonWriter) elementParts(n, c *tree.Node, length int) (large *tree.Node) {
	j.writeParts(length, func() (partWriter, bool) {
		from := c
		if from == nil {
			return nil, false
		}
		end := int64(math.MaxInt64)
		if c = j.r.Ahead(from, j.r.Tree.TextSegment); c != nil {
			end = c.Slot.Index
		}
		if end == from.Slot.Index {
			large, c = from, nil
			return nil, false
		}
		return func(x *jsonWriter) (rest func()) {
			tooLarge := x.smallElements(n, from, length, end)
			if tooLarge == nil {
				return nil
			}
			return func() { j.restOf(n, tooLarge, length, end) }
		}, true
	})
	return large
}

// restOf writes an element of n that is too large to be loaded, and those after it up to
// the one with the index end.
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

// memberParts writes members that are not in memory, up to one that is larger than a few
// parts, and returns how many it has written.
func (j *jsonWriter) memberParts(items []item, members []int, some bool, length int) (n int) {
	const few = 4
	size := j.r.Tree.TextSegment
	if items[members[0]].node == nil || items[members[0]].size > few*size || !j.canPart() {
		return 0
	}
	j.writeParts(length, func() (partWriter, bool) {
		from := n
		for sum := int64(0); n < len(members) && sum < size && items[members[n]].size <= few*size; n++ {
			sum += items[members[n]].size
		}
		part := members[from:n]
		return func(x *jsonWriter) (rest func()) {
			for at, m := range part {
				x.memberName(&items[m], some || from+at > 0, length)
				if !x.writeNode(items[m].node) {
					return func() { j.restOfMembers(items, part[at:], length) }
				}
			}
			return nil
		}, len(part) > 0
	})
	return n
}

// restOfMembers writes members. The first is too large to be loaded, and its name has been
// written.
func (j *jsonWriter) restOfMembers(items []item, members []int, length int) {
	for at, m := range members {
		if at > 0 {
			j.memberName(&items[m], true, length)
			j.write(items[m].node)
			continue
		}
		j.path = append(append(j.path[:length], '.'), items[m].name...)
		j.writeLarge(items[m].node)
	}
}

// putPart writes the text of a part, and what its marks stand for.
func (j *jsonWriter) putPart(x *jsonWriter, length int) {
	var open []func() // ends of targets that were begun
	at, steps, skipped := 0, 0, 0
	for _, m := range x.marks {
		j.path = append(j.path[:m.shared], x.steps[steps:m.steps]...)
		steps = m.steps
		if skipped > 0 { // in a target that has already been written
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
