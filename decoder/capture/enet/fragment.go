package enet

import (
	"fmt"
	"maps"
	"slices"

	"varview/decoder/capture/payload"
	"varview/decoder/capture/pool"
	"varview/decoder/span"
)

// A group is a message whose fragments are not all there.
type group struct {
	count  uint32
	total  uint32
	have   uint32 // bytes
	pieces map[uint32]piece
	item   pool.Item
}

type piece struct {
	payload.Bytes
	offset uint32
}

// Where the numbers of a fragment are in its command.
const (
	fragmentStart  = 4
	fragmentCount  = 8
	fragmentNumber = 12
	fragmentTotal  = 16
	fragmentOffset = 20
)

// fragment reads a fragment of an unreliable message.
func (s *side) fragment(c *Command) {
	ch := s.channel(c.Channel)
	if m := ch.join(c); m != nil {
		m.mode, m.order = payload.Unreliable, c.u16(fragmentStart)
		s.flow.deliver(s.fromB, m)
	}
}

// join adds a fragment to its message, and returns that once it is complete.
func (ch *channel) join(c *Command) *message {
	f := ch.side.flow
	number, count, total, offset := c.u32(fragmentNumber), c.u32(fragmentCount), c.u32(fragmentTotal), c.u32(fragmentOffset)
	if count == 0 || count > maxFragment || number >= count || total > maxMessage || uint64(offset)+uint64(c.Length) > uint64(total) {
		f.out.Problem(f.commands.Slice(c.At, len(c.Body)), span.LengthOverrun, fmt.Sprintf("fragment %d of %d, of %d bytes at %d, is not in a message of %d bytes", number, count, c.Length, offset, total))
		return nil
	}
	k := uint32(c.u16(fragmentStart))
	if c.Number == SendUnreliablePart {
		k |= 1<<31 | uint32(c.Sequence)<<16&0x7fff0000
	}
	g := ch.groups[k]
	if g == nil || g.count != count || g.total != total {
		if g = ch.newGroup(k, count, total); g == nil {
			return nil
		}
	}
	if _, known := g.pieces[number]; known {
		f.repeated(ch.side.fromB, 0)
		return nil
	}
	g.pieces[number] = piece{f.commands.Slice(c.Data, c.Length).Clone(), offset}
	g.have += uint32(c.Length)
	if uint32(len(g.pieces)) == count {
		return ch.joined(k, g)
	}
	f.grow(&g.item, c.Length+overhead, func() {
		if ch.groups[k] == g {
			f.out.Problem(g.first(), payload.TooMuch, "a message in fragments that is left out: more waits to be put together than is kept in memory")
			delete(ch.groups, k)
		}
	})
	return nil
}

// newGroup begins a message.
func (ch *channel) newGroup(k, count, total uint32) *group {
	if len(ch.groups) >= maxGroups {
		ch.dropGroups()
	}
	if ch.groups == nil {
		ch.groups = map[uint32]*group{}
	}
	g := &group{count: count, total: total, pieces: map[uint32]piece{}}
	ch.groups[k] = g
	return g
}

// joined puts together a message whose fragments are all there.
func (ch *channel) joined(k uint32, g *group) *message {
	g.item.Free()
	delete(ch.groups, k)
	m := &message{channel: ch.number, mode: payload.Reliable, sequence: uint16(k), frame: ch.side.flow.packet.Frame, when: ch.side.flow.packet.Time}
	m.partial = g.have != g.total
	at := uint32(0)
	for number := range g.count {
		p := g.pieces[number]
		if p.offset != at {
			m.partial = true
			break
		}
		m.Append(p.Bytes, 0, len(p.Data))
		at += uint32(len(p.Data))
	}
	return m
}

// first returns a fragment that is there.
func (g *group) first() payload.Bytes {
	least := g.count
	for number := range g.pieces {
		least = min(least, number)
	}
	return g.pieces[least].Bytes
}

// dropGroups gives up the messages of which fragments are missing.
func (ch *channel) dropGroups() {
	for _, k := range slices.Sorted(maps.Keys(ch.groups)) {
		g := ch.groups[k]
		ch.side.flow.out.Problem(g.first(), payload.MissingCommand, fmt.Sprintf("a message of %s of which %d of %d fragments are not in the capture", span.Bytes(int64(g.total)), int(g.count)-len(g.pieces), g.count))
		g.item.Free()
		delete(ch.groups, k)
	}
}
