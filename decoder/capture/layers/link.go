package layers

import (
	"bytes"
	"context"
	"errors"

	"varview/decoder/format"
	"varview/decoder/tree"
)

var _ format.Linker = (*Reading)(nil)

// unitOf returns the unit that a value is in, and the value of the unit in the tree.
func (r *Reading) unitOf(t *tree.Reader, n *tree.Node) (*unit, *tree.Node) {
	if n == nil || kindOf(&n.Value) == bufferGroup || r.isUnitList(&n.Value) {
		return nil, nil
	}
	for kindOf(&n.Value) == messageGroup || n.Flags != 0 {
		n = n.Parent
	}
	return r.unit(t.Window(), n.Start, r.region.End()), n
}

// field returns a field of a group by its name.
func (u *unit) field(group uint16, name string) (f *node, ok bool) {
	for _, c := range u.nodes[group].children {
		if x := &u.nodes[c]; x.name == name && x.kind == bufferGroup {
			return x, true
		}
	}
	return &node{}, false
}

// bytesOf returns the bytes of a field.
func (u *unit) bytesOf(f *node) []byte { return u.bytes[f.start:min(f.end, len(u.bytes))] }

// value returns the number in a field of a group, -1 if it has none.
func (u *unit) value(group uint16, name string) int64 {
	f, ok := u.field(group, name)
	if !ok {
		return -1
	}
	return int64(f.value(u.bytesOf(f)))
}

// commands lists the groups of ENet's commands.
func (u *unit) commands() []uint16 {
	for i := range u.nodes {
		if u.nodes[i].name == "commands" {
			return u.nodes[i].children
		}
	}
	return nil
}

// around returns the command that a node is or is in; ok is false if it is in none.
func (u *unit) around(number uint16) (command uint16, ok bool) {
	for _, c := range u.commands() {
		if x := &u.nodes[c]; c <= number && u.nodes[number].start < x.end && u.nodes[number].start >= x.start {
			return c, true
		}
	}
	return 0, false
}

// ends returns the address and port of each side.
func (u *unit) ends() (src, dst []byte) {
	for i := range u.nodes {
		for _, x := range []struct {
			name string
			end  *[]byte
			port bool
		}{{"src", &src, false}, {"dst", &dst, false}, {"sport", &src, true}, {"dport", &dst, true}} {
			f, ok := u.field(uint16(i), x.name)
			switch {
			case ok && x.port:
				*x.end = append(bytes.Clone(*x.end), u.bytesOf(f)...)
			case ok && f.meaning == address:
				*x.end = u.bytesOf(f)
			}
		}
	}
	return src, dst
}

// Link implements format.Linker: an acknowledgement leads to what it acknowledges.
func (r *Reading) Link(t *tree.Reader, n *tree.Node) string {
	u, _ := r.unitOf(t, n)
	if u == nil || kindOf(&n.Value) != fieldType {
		return ""
	}
	defer r.pool.Put(u)
	if u.nodes[n.Flags].name != "acknowledged" {
		return ""
	}
	return "the command that is acknowledged"
}

// An acknowledged is what an acknowledgement says.
type acknowledged struct {
	src, dst          []byte // of what it acknowledges
	channel, sequence int64
	time              int64      // when that was sent
	last, best        *tree.Node // the last with the number, and the one with the time
}

// Follow implements format.Linker. Of a command that was sent again the one with the time of the
// acknowledgement is taken.
func (r *Reading) Follow(ctx context.Context, t *tree.Reader, n *tree.Node) (*tree.Node, error) {
	u, packet := r.unitOf(t, n)
	if u == nil {
		return nil, nil
	}
	command, ok := u.around(n.Flags)
	if !ok {
		return nil, nil
	}
	a := acknowledged{channel: u.value(command, "channel"), sequence: u.value(command, "acknowledged"), time: u.value(command, "sent_time")}
	dst, src := u.ends()
	a.src, a.dst = bytes.Clone(src), bytes.Clone(dst)
	r.pool.Put(u)
	const chunk = 64 // packets that are looked through from the first to the last
	for end := packet.Slot.Index; end > 0; end -= chunk {
		begin := max(0, end-chunk)
		x, err := t.Child(packet.Parent, begin)
		for ; err == nil && x.Slot.Index < end; x, err = t.Next(x) {
			if err := r.look(t, x, &a); err != nil {
				return nil, err
			}
		}
		if err != nil && !errors.Is(err, tree.ErrNoChild) {
			return nil, err
		}
		if a.best != nil {
			return a.best, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return a.last, nil
}

// look looks for what is acknowledged in a packet.
func (r *Reading) look(t *tree.Reader, packet *tree.Node, a *acknowledged) error {
	u := r.unit(t.Window(), packet.Start, r.region.End())
	defer r.pool.Put(u)
	for _, c := range u.commands() {
		if u.value(c, "channel") != a.channel || u.value(c, "sequence") != a.sequence || u.bytes[u.nodes[c].start]&0x80 == 0 {
			continue
		}
		if src, dst := u.ends(); !bytes.Equal(src, a.src) || !bytes.Equal(dst, a.dst) {
			return nil
		}
		n, err := r.descend(t, packet, u, c)
		if err != nil {
			return err
		}
		a.last = n
		for i := range u.nodes {
			if u.nodes[i].name == "enet" && u.value(uint16(i), "sent_time") == a.time {
				a.best = n
			}
		}
	}
	return nil
}

// descend returns the value of a node in a unit.
func (r *Reading) descend(t *tree.Reader, packet *tree.Node, u *unit, number uint16) (*tree.Node, error) {
	n, at := packet, uint16(0)
	for at != number {
		next := -1
		for i, c := range u.nodes[at].children {
			if c <= number {
				next = i
			}
		}
		if next < 0 {
			return nil, tree.ErrNoChild
		}
		at = u.nodes[at].children[next]
		var err error
		if n, err = t.Child(n, int64(next)); err != nil {
			return nil, err
		}
	}
	return n, nil
}
