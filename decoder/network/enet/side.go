package enet

import (
	"fmt"
	"time"
	"unsafe"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

// A side is what one side of a connection sends.
type side struct {
	flow     *Flow
	fromB    bool
	sent     *payload.Traffic
	channels map[uint8]*channel
	waiting  int // messages of which fragments are missing
	awaited  map[ackKey]*awaited
	begun    bool    // it has sent something
	unseen   int     // number of acknowledgements before that
	packed   int     // number of its datagrams that are compressed
	packing  Packing // of the last of them
	answered bool    // the other side has acknowledged something
	heard    bool    // that was compressed
}

// Limits after which missing reliable commands are given up: commands waiting for them, and time.
const (
	maxWaiting = 1024
	maxWait    = 20 * time.Second
)

const (
	recent      = 64  // unreliable commands of a channel that are remembered, to recognise repeated ones
	overhead    = 250 // bytes of memory that a waiting command takes besides its data
	maxGroups   = 64  // messages in fragments that a channel joins at a time
	maxMessage  = 32 << 20
	maxFragment = 1 << 20 // largest number of fragments of a message in ENet
)

// A channel is one channel of a side. Reliable messages leave it in their order.
type channel struct {
	side    *side
	number  uint8
	started bool
	next    uint16              // reliable sequence number of the next command
	waiting map[uint16]*waiting // commands that came before next
	groups  map[uint32]*group
	item    pool.Item
	since   time.Time // time since which the channel waits

	seen       [recent]key // unreliable commands
	counted    bool
	base       uint16 // reliable number of the last of them
	unreliable uint16 // its own number
}

// A key identifies unreliable commands: reliable and unreliable sequence number, or a group.
type key struct {
	number        uint8
	reliable, own uint16
}

// A waiting command came before one with a smaller number. It has no message if it carries none.
type waiting struct {
	message *payload.Payload
	at      payload.Part // place of the command
}

func (s *side) channel(number uint8) *channel {
	c := s.channels[number]
	if c == nil {
		if s.channels == nil {
			s.channels = map[uint8]*channel{}
		}
		c = &channel{side: s, number: number}
		if s.flow.connection.Began {
			c.started, c.next = true, 1
		}
		s.channels[number] = c
		s.flow.grow(&s.flow.item, 2*int(unsafe.Sizeof(*c)), s.flow.forget) // with its place in the map
	}
	return c
}

// reliable reads a command that requests an acknowledgement.
func (s *side) reliable(c *Command, isDamaged bool) {
	ch := s.channel(c.Channel)
	f := s.flow
	if !ch.started {
		ch.started, ch.next = true, c.Sequence
	}
	ahead := int16(c.Sequence - ch.next)
	if ahead < 0 || ch.waiting[c.Sequence] != nil {
		return // it was sent again
	}
	var m *payload.Payload
	switch {
	case isDamaged:
	case c.Number == SendReliable:
		m = s.message(c, payload.Reliable, s.flow.data(c), c.Missing > 0)
	case c.Number == SendFragment:
		m = ch.join(c)
	default:
		f.control(s, c)
	}
	ch.accept(c, m)
}

// message returns a message that a command completes.
func (s *side) message(c *Command, mode payload.Mode, b payload.Bytes, isPartial bool) *payload.Payload {
	f := s.flow
	m := payload.New(f.flow, s.fromB, b, f.packet.Frame, f.packet.Time)
	m.Connection, m.Channel, m.Mode, m.Partial = f.connection, c.Channel, mode, isPartial
	return m
}

// unreliable reads a command that is never repeated.
func (s *side) unreliable(c *Command) {
	ch := s.channel(c.Channel)
	if ch.repeats(c) {
		return
	}
	mode := payload.Unreliable
	if c.Number == SendUnsequenced {
		mode = payload.Unsequenced
	} else {
		ch.count(c.Sequence, c.u16(4))
	}
	s.flow.out.Payload(s.message(c, mode, s.flow.data(c), c.Missing > 0))
}

// count counts the unreliable commands that are missing before one with a number. Those that come late are not missing.
// They are numbered anew after each reliable command.
func (ch *channel) count(reliable, number uint16) {
	sent, ahead := ch.side.sent, int16(number-ch.unreliable)
	if newer := int16(reliable - ch.base); newer != 0 {
		ahead = int16(number)
		if newer < 0 {
			ahead = newer
		}
	}
	switch {
	case !ch.counted:
		ch.counted = true
	case ahead > 0:
		sent.Dropped += int(ahead) - 1
	case ahead == 0:
		return
	case ahead > -recent && sent.Dropped > 0:
		sent.Dropped--
		return
	}
	ch.base, ch.unreliable = reliable, number
}

// repeats reports whether an unreliable command was seen before, and remembers it.
func (ch *channel) repeats(c *Command) bool {
	k := key{c.Number, c.Sequence, c.u16(4)}
	slot := &ch.seen[(k.own^k.reliable<<3^uint16(k.number)<<4)%recent]
	if *slot == k {
		return true
	}
	*slot = k
	return false
}

// accept takes a new reliable command. m is nil if it completes no message.
func (ch *channel) accept(c *Command, m *payload.Payload) {
	if c.Sequence != ch.next {
		ch.wait(c, m)
		return
	}
	ch.pass(m)
	ch.flush()
}

// pass passes the command with the next number.
func (ch *channel) pass(m *payload.Payload) {
	ch.next++
	if m != nil {
		ch.side.flow.out.Payload(m)
	}
}

// flush passes the commands that no longer wait.
func (ch *channel) flush() {
	for len(ch.waiting) > 0 {
		w := ch.waiting[ch.next]
		if w == nil {
			return
		}
		delete(ch.waiting, ch.next)
		ch.pass(w.message)
	}
	ch.item.Free()
}

// wait keeps a command until the ones before it are there.
func (ch *channel) wait(c *Command, m *payload.Payload) {
	f := ch.side.flow
	if ch.waiting == nil {
		ch.waiting = map[uint16]*waiting{}
	}
	if len(ch.waiting) == 0 {
		ch.since = f.packet.Time
	}
	size := overhead
	if m != nil {
		m = m.Clone()
		size += len(m.Bytes)
	}
	ch.waiting[c.Sequence] = &waiting{m, f.commands.Slice(c.At, len(c.Body)).Parts[0]}
	f.grow(&ch.item, size, ch.giveUpAll)
	if len(ch.waiting) > maxWaiting {
		ch.giveUp()
	}
}

// tick gives up commands that have been missing for too long.
func (s *side) tick(now time.Time) {
	for _, ch := range s.channels {
		if len(ch.waiting) > 0 && now.Sub(ch.since) > maxWait {
			ch.giveUp()
			ch.since = now
		}
	}
}

// giveUp skips the missing commands before the first one that waits.
func (ch *channel) giveUp() {
	least := uint16(1<<16 - 1)
	var first *waiting
	for sequence, w := range ch.waiting {
		if ahead := sequence - ch.next; ahead <= least {
			least, first = ahead, w
		}
	}
	if first == nil {
		return
	}
	at := payload.Bytes{Parts: []payload.Part{first.at}}
	ch.side.flow.out.Problem(at, payload.MissingCommand, fmt.Sprintf("the capture lacks %s of channel %d from number %d on, which should come before this", span.Counted(int64(least), "reliable ENet command"), ch.number, ch.next))
	ch.next += least
	ch.flush()
}

// giveUpAll passes over all missing commands.
func (ch *channel) giveUpAll() {
	for len(ch.waiting) > 0 {
		ch.giveUp()
	}
}

// finish gives up what waits.
func (s *side) finish() {
	for number := range 256 {
		ch := s.channels[uint8(number)]
		if ch == nil {
			continue
		}
		ch.giveUpAll()
		ch.dropGroups()
	}
	s.channels = nil
}
