package tree

import (
	"math"

	"varview/decoder/engine/span"
)

// adopt takes over the old points that follow the match, which is at the old point q, up to the n-th splice
// or the first place that is now read differently. It reports whether that completes the index.
func (ri *reindexer) adopt(q *point, by int64, n int) (through bool) {
	x := &ri.edited.index
	until := int64(math.MaxInt64)
	if n < len(ri.splices) {
		until = ri.splices[n].Offset - lookAround
	}
	last := q
	for ri.next < len(ri.points) {
		p := &ri.points[ri.next]
		if p.pos > until || p.pos > ri.oldUpTo || p.pos+by > ri.upTo {
			break
		}
		adopted, ok := ri.follow(p)
		if !ok {
			break
		}
		x.points = append(x.points, adopted)
		ri.last, last = adopted, p
		ri.next++
	}
	through = ri.next == len(ri.points) && n == len(ri.splices) && ri.uneven < 0
	to, serial := last.pos, last.serial
	if through && ri.done {
		to, serial = ri.old.Source.Size(), NoSerial
		x.done, x.base = true, ri.base+ri.open[0].moved
		ri.leaveAt(0)
	}
	if ri.learner != nil {
		ri.learner.Adopt(ri.was, span.Between(q.pos, to), by, q.serial, serial)
	}
	ri.adoptRefs(q.pos, to)
	return through
}

// adoptRefs takes over the references in a part of the old bytes.
func (ri *reindexer) adoptRefs(from, to int64) {
	x := &ri.edited.index
	for len(ri.refs) > 0 && ri.refs[0].At < from {
		ri.refs = ri.refs[1:]
	}
	for len(ri.refs) > 0 && ri.refs[0].At < to && len(x.refs) < maxReferences {
		x.refs = append(x.refs, reference{ri.refs[0].To, ri.refs[0].At + ri.shift})
		ri.refs = ri.refs[1:]
	}
}

// follow returns an old point as it is after the edit; ok is false if the bytes before it are now read
// differently.
func (ri *reindexer) follow(p *point) (adopted point, ok bool) {
	depth := p.in.Depth
	around := p.in // the innermost value that is open already
	for around != nil && (around.Depth >= len(ri.open) || ri.open[around.Depth].old != around) {
		around = around.Parent
	}
	if around == nil || around.Depth < ri.uneven {
		return point{}, false
	}
	if around.Depth == ri.uneven && ri.unevenCounts && !ri.hasRoom(p, around) {
		return point{}, false
	}
	tails := len(ri.endings)
	ri.leave(around.Depth)
	if !ri.enter(p.in, around) {
		ri.endings = ri.endings[:tails]
		return point{}, false
	}
	in := &ri.open[depth]
	adopted = point{p.pos + ri.shift, in.new, p.next, ri.keyOffset(p.nextAt), p.serial}
	adopted.next.Index += in.moved
	if p.serial != NoSerial {
		adopted.serial += ri.serialShift
	}
	return adopted, true
}

// hasRoom reports whether the child of around that leads to p still exists after the edit.
func (ri *reindexer) hasRoom(p *point, around *Node) bool {
	pair := &ri.open[around.Depth]
	child, room := p.next.Index, pair.new.Count
	if p.in.Layout != Pairs || p.next.Key { // otherwise its key has already been read
		room++
	}
	for n := p.in; n != around; n = n.Parent {
		child, room = n.Slot.Index, pair.new.Count
	}
	return child+pair.moved < room
}

// leave closes the open values deeper than depth.
func (ri *reindexer) leave(depth int) {
	for d := depth + 1; d < ri.fixed; d++ {
		if ri.open[d].new.Fenced {
			ri.leaveAt(d)
			break
		}
	}
	ri.open, ri.fixed = ri.open[:depth+1], min(ri.fixed, depth+1)
}

// leaveAt records that values end after the last point adopted; depth is that of the outermost of them.
func (ri *reindexer) leaveAt(depth int) { ri.endings = append(ri.endings, ending{ri.last, depth}) }

// enter opens n and the values between it and around, which is already open.
func (ri *reindexer) enter(n, around *Node) bool {
	for d := len(ri.open); d <= n.Depth; d++ {
		ri.open = append(ri.open, openPair{})
	}
	for m := n; m != around; m = m.Parent {
		ri.open[m.Depth].old = m
	}
	for d := around.Depth + 1; d <= n.Depth; d++ {
		pair := &ri.open[d]
		if pair.new = ri.moveNode(pair.old, &ri.open[d-1]); pair.new == nil {
			ri.open = ri.open[:around.Depth+1]
			return false
		}
	}
	return true
}

// moveNode returns an old node, in a value that is open, as it is after the edit; nil if it is now read
// differently.
func (ri *reindexer) moveNode(o *Node, in *openPair) *Node {
	limit := o.Limit + ri.shift
	if o.Limit == o.Parent.Limit {
		limit = in.new.Limit
	}
	n := *o
	n.Parent, n.jump, n.KeyAt, n.Limit = in.new, in.new.jumpBelow(), ri.keyOffset(o.KeyAt), limit
	n.Slot.Index += in.moved
	n.Start, n.Head, n.Body = o.Start+ri.shift, o.Head+ri.shift, o.Body+ri.shift
	if o.Fenced {
		if n.End += ri.shift; o.End == o.Parent.Limit || n.End > in.new.Limit { // the new limit may cut it
			v, ok := ri.readAgain(o, in, n.Slot, n.Start)
			if !ok {
				return nil
			}
			n.Value = v
		}
	}
	if o.Serial != NoSerial {
		n.Serial += ri.serialShift
	}
	if n == *o {
		return o
	}
	return ri.store(&n)
}

// readAgain reads an old value at its place after the edit; ok is false if a different
// value is there now.
func (ri *reindexer) readAgain(o *Node, in *openPair, slot Slot, at int64) (v Value, ok bool) {
	n := &Node{Parent: in.new, Slot: slot}
	ri.edited.Reading.Read(ri.s.win, &in.new.Value, slot, at, &n.Value)
	n.Serial, n.SerialEnd = o.Serial, o.SerialEnd
	return n.Value, n.Damage == nil && n.Count == o.Count && ri.isAlike(&openPair{o, n, 0})
}

// store returns a copy of n. Copies are allocated many at a time, which is faster.
func (ri *reindexer) store(n *Node) *Node {
	if len(ri.nodes) == cap(ri.nodes) {
		ri.nodes = make([]Node, 0, 64)
	}
	ri.nodes = append(ri.nodes, *n)
	return &ri.nodes[len(ri.nodes)-1]
}

// keyOffset returns the offset of an old key after the edit.
func (ri *reindexer) keyOffset(off int64) int64 {
	if off == Unknown {
		return Unknown
	}
	for _, p := range ri.keys {
		if p.old.Start == off {
			return p.new.Start
		}
	}
	return off + ri.shift
}
