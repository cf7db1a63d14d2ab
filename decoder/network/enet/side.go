package enet

import (
	"fmt"
	"time"
	"unsafe"

	"varview/decoder/engine/span"
	"varview/decoder/network/order"
	"varview/decoder/network/payload"
)

// A side is what one side of a connection sends.
type side struct {
	flow     *Flow
	fromB    bool
	other    *side
	sent     *payload.Traffic
	channels map[uint8]*channel
	groups   numbers
	waiting  int // messages of which fragments are missing
	awaited  map[ackKey]*awaited
	begun    bool    // it has sent something
	unseen   int     // number of acknowledgements before that
	packed   int     // number of its datagrams that are compressed
	packing  Packing // of the last of them
	answered bool    // the other side has acknowledged something
	heard    bool    // that was compressed

	largest   int       // size of the largest packet of which something is acknowledged
	lastHeard time.Time // when the last of what is acknowledged was sent first
}

// limits are those after which missing reliable commands are given up.
var limits = order.Limits{Items: 1024, Bytes: maxMessage}

const (
	recent      = 64  // commands of a channel that are remembered, to recognise repeated ones
	overhead    = 250 // bytes of memory that a waiting command takes besides its data
	maxGroups   = 64  // messages in fragments that a channel joins at a time
	maxMessage  = 32 << 20
	maxFragment = 1 << 20 // largest number of fragments of a message in ENet
)

// A channel is one channel of a side. Reliable messages leave it in their order.
type channel struct {
	side   *side
	number uint8
	line   *order.Line[reliable] // by reliable sequence numbers, with more bits
	groups map[uint32]*group

	seen       [recent]key
	unreliable numbers
}

// numbers are those of the last unreliable command of a channel, or of the last unsequenced one of a side.
type numbers struct {
	begun         bool
	reliable, own uint16
}

// A key identifies commands: reliable and unreliable sequence number, or a group, or when a reliable one was sent.
type key struct {
	number        uint8
	reliable, own uint16
}

// A reliable command may come before one with a smaller number. It has no message if it carries none.
type reliable struct {
	flow    *Flow
	command *Command // until the next datagram
	at      payload.Part
	message *payload.Payload
}

// Len implements order.Item.
func (r reliable) Len() uint32 { return 1 }

// Size implements order.Item.
func (r reliable) Size() int {
	if r.message == nil {
		return 0
	}
	return payload.Bytes{Data: r.message.Bytes, Parts: r.message.Parts}.Size()
}

// Clone implements order.Item.
func (r reliable) Clone() reliable {
	is := reliable{at: r.flow.partOf(r.command)}
	if r.message != nil {
		is.message = r.message.Clone()
	}
	return is
}

func (s *side) channel(number uint8) *channel {
	c := s.channels[number]
	if c == nil {
		if s.channels == nil {
			s.channels = map[uint8]*channel{}
		}
		c = &channel{side: s, number: number}
		c.line = order.New(s.flow.pool, limits, c.pass, c.lacks)
		c.line.Begun, c.line.Next = s.flow.connection.Began, 1
		s.channels[number] = c
		s.flow.pool.Grow(&s.flow.item, 2*int64(unsafe.Sizeof(*c)), s.flow.forget) // with its place in the map
	}
	return c
}

// reliable reads a command that requests an acknowledgement.
func (s *side) reliable(c *Command, isDamaged bool) {
	ch := s.channel(c.Channel)
	f := s.flow
	if !ch.line.Begun {
		ch.line.Begun, ch.line.Next = true, uint32(c.Sequence)
	}
	sequence := ch.line.Next + uint32(int16(c.Sequence-uint16(ch.line.Next)))
	isDoubled := ch.repeats(key{c.Number, c.Sequence, f.datagram.SentTime})
	if ch.line.HasPassed(sequence) || ch.line.Waits(sequence) {
		if !isDoubled {
			s.sent.Resend(f.partOf(c))
		}
		return
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
	ch.line.Add(sequence, reliable{flow: f, command: c, message: m}, f.packet.Time)
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
	if ch.repeats(key{c.Number, c.Sequence, c.u16(offsetOwn)}) {
		return
	}
	mode, last, reliable := payload.Unreliable, &ch.unreliable, c.Sequence
	if c.Number == SendUnsequenced {
		mode, last, reliable = payload.Unsequenced, &s.groups, 0
	}
	s.count(last, numbers{true, reliable, c.u16(offsetOwn)})
	s.flow.out.Payload(s.message(c, mode, s.flow.data(c), c.Missing > 0))
}

// count counts the commands that are missing between the last one and another. Those that come late are not missing.
// They are numbered anew after each reliable command.
func (s *side) count(last *numbers, is numbers) {
	ahead := int16(is.own - last.own)
	if newer := int16(is.reliable - last.reliable); newer != 0 {
		ahead = int16(is.own)
		if newer < 0 {
			ahead = newer
		}
	}
	switch {
	case !last.begun && !s.flow.connection.Began:
	case ahead > 0:
		s.sent.Dropped += int(ahead) - 1
	case ahead == 0:
		return
	case ahead > -recent && s.sent.Dropped > 0:
		s.sent.Dropped--
		return
	}
	*last = is
}

// offsetOwn is where an unreliable or unsequenced command has its own number.
const offsetOwn = 4

// repeats reports whether a command was seen before, and remembers it.
func (ch *channel) repeats(k key) bool {
	slot := &ch.seen[(k.own^k.reliable<<3^uint16(k.number)<<4)%recent]
	if *slot == k {
		return true
	}
	*slot = k
	return false
}

// pass hands over the message of a command.
func (ch *channel) pass(r reliable, _ uint32) {
	if r.message != nil {
		ch.side.flow.out.Payload(r.message)
	}
}

// lacks reports that n commands before one are not in the capture.
func (ch *channel) lacks(n uint32, before reliable) {
	ch.side.flow.out.Problem(payload.Bytes{Parts: []payload.Part{before.at}}, payload.MissingCommand,
		fmt.Sprintf("the capture lacks %s of channel %d from number %d on, which should come before this", span.Counted(int64(n), "reliable ENet command"), ch.number, uint16(ch.line.Next)))
}

// finish gives up what waits.
func (s *side) finish() {
	for number := range 256 {
		ch := s.channels[uint8(number)]
		if ch == nil {
			continue
		}
		ch.line.Close()
		ch.dropGroups()
	}
	s.channels = nil
}
