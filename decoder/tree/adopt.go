package tree

import (
	"math"

	"varview/decoder/span"
)

// adopt takes over the old points behind the match, which is at the old point q,
// as far as reading goes on alike: up to the next splice, the n-th. It reports
// whether this is all there is.
func (k *keeper) adopt(q *point, by int64, n int) (through bool) {
	x := &k.e.index
	until := int64(math.MaxInt64)
	if n < len(k.splices) {
		until = k.splices[n].Offset - lookAround
	}
	last := q
	for k.next < len(k.points) {
		p := &k.points[k.next]
		if p.pos > until || p.pos > k.wasTo || p.pos+by > k.upTo {
			break
		}
		adopted, ok := k.follow(p)
		if !ok {
			break
		}
		x.points = append(x.points, adopted)
		k.last, last = adopted, p
		k.next++
	}
	through = k.next == len(k.points) && n == len(k.splices) && k.uneven < 0
	to, serial := last.pos, last.serial
	if through && k.done {
		to, serial = k.old.Source.Size(), NoSerial
		x.done, x.base = true, k.base+k.open[0].moved
		k.leaveAt(0)
	}
	if k.learner != nil {
		k.learner.Adopt(k.was, span.Between(q.pos, to), by, q.serial, serial)
	}
	k.adoptRefs(q.pos, to)
	return through
}

// adoptRefs takes over the references in a part of the old bytes.
func (k *keeper) adoptRefs(from, to int64) {
	x := &k.e.index
	for len(k.refs) > 0 && k.refs[0].At < from {
		k.refs = k.refs[1:]
	}
	for len(k.refs) > 0 && k.refs[0].At < to && len(x.refs) < maxReferences {
		x.refs = append(x.refs, Reference{k.refs[0].To, k.refs[0].At + k.by})
		k.refs = k.refs[1:]
	}
}

// follow is an old point as it is after the edit; ok is false if reading does not
// go on alike up to there.
func (k *keeper) follow(p *point) (adopted point, ok bool) {
	depth := p.in.Depth
	around := p.in // the innermost value that is open already
	for around != nil && (around.Depth >= len(k.open) || k.open[around.Depth].old != around) {
		around = around.Parent
	}
	if around == nil || around.Depth < k.uneven {
		return point{}, false
	}
	if around.Depth == k.uneven && k.unevenCounts && !k.hasRoom(p, around) {
		return point{}, false
	}
	tails := len(k.tails)
	k.leave(around.Depth)
	if !k.enter(p.in, around) {
		k.tails = k.tails[:tails]
		return point{}, false
	}
	in := &k.open[depth]
	adopted = point{p.pos + k.by, in.new, p.next, k.place(p.nextAt), p.serial}
	adopted.next.Index += in.moved
	if p.serial != NoSerial {
		adopted.serial += k.serials
	}
	return adopted, true
}

// hasRoom reports whether what leads to p is a child that around has after the
// edit too.
func (k *keeper) hasRoom(p *point, around *Node) bool {
	pair := &k.open[around.Depth]
	child, room := p.next.Index, pair.new.Count
	if p.in.Layout != Pairs || p.next.Key { // else its key is read already
		room++
	}
	for n := p.in; n != around; n = n.Parent {
		child, room = n.Slot.Index, pair.new.Count
	}
	return child+pair.moved < room
}

// leave closes the open values that are deeper.
func (k *keeper) leave(depth int) {
	for d := depth + 1; d < k.fixed; d++ {
		if k.open[d].new.Fenced {
			k.leaveAt(d)
			break
		}
	}
	k.open, k.fixed = k.open[:depth+1], min(k.fixed, depth+1)
}

// leaveAt takes note that values are left behind the last place adopted, the
// outermost of them at a depth.
func (k *keeper) leaveAt(depth int) {
	k.tails = append(k.tails, tail{k.last, depth})
}

// enter opens n and what lies between it and around, which is open.
func (k *keeper) enter(n, around *Node) bool {
	for d := len(k.open); d <= n.Depth; d++ {
		k.open = append(k.open, openPair{})
	}
	for m := n; m != around; m = m.Parent {
		k.open[m.Depth].old = m
	}
	for d := around.Depth + 1; d <= n.Depth; d++ {
		pair := &k.open[d]
		if pair.new = k.moveNode(pair.old, &k.open[d-1]); pair.new == nil {
			k.open = k.open[:around.Depth+1]
			return false
		}
	}
	return true
}

// moveNode is an old node as it is after the edit, in a value that is open; nil
// if it is read otherwise now.
func (k *keeper) moveNode(o *Node, in *openPair) *Node {
	limit := o.Limit + k.by
	if o.Limit == o.Parent.Limit {
		limit = in.new.Limit
	}
	n := *o
	n.Parent, n.KeyAt, n.Limit = in.new, k.place(o.KeyAt), limit
	n.Slot.Index += in.moved
	n.Start, n.Head, n.Body = o.Start+k.by, o.Head+k.by, o.Body+k.by
	if o.Fenced {
		if n.End += k.by; o.End == o.Parent.Limit || n.End > in.new.Limit { // which may have cut it
			v, ok := k.readAgain(o, in, n.Slot, n.Start)
			if !ok {
				return nil
			}
			n.Value = v
		}
	}
	if o.Serial != NoSerial {
		n.Serial += k.serials
	}
	if n == *o {
		return o
	}
	return k.keep(&n)
}

// readAgain reads an old value where it is after the edit; ok is false if another
// stands there.
func (k *keeper) readAgain(o *Node, in *openPair, slot Slot, at int64) (v Value, ok bool) {
	n := &Node{Parent: in.new, Slot: slot}
	k.e.Reading.Read(k.s.win, &in.new.Value, slot, at, &n.Value)
	n.Serial, n.SerialEnd = o.Serial, o.SerialEnd
	return n.Value, n.Damage == nil && n.Count == o.Count && k.isAlike(&openPair{o, n, 0})
}

// keep is a copy of n. Many lie together, which takes less time.
func (k *keeper) keep(n *Node) *Node {
	if len(k.nodes) == cap(k.nodes) {
		k.nodes = make([]Node, 0, 64)
	}
	k.nodes = append(k.nodes, *n)
	return &k.nodes[len(k.nodes)-1]
}

// place is where an old key is after the edit.
func (k *keeper) place(off int64) int64 {
	if off == Unknown {
		return Unknown
	}
	for _, p := range k.keys {
		if p.old.Start == off {
			return p.new.Start
		}
	}
	return off + k.by
}
