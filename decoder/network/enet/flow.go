package enet

import (
	"fmt"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

// Out takes what a flow hands over.
type Out interface {
	Payload(*payload.Payload)
	Closed()
	Problem(at payload.Bytes, code, message string)

	// Event reports what happens to a connection.
	Event(at payload.Bytes, message string)
}

// A Packet is a UDP datagram of a flow.
type Packet struct {
	payload.Bytes
	Missing int // number of bytes that were sent but not captured
	ToB     bool
	Frame   int
	Time    time.Time
	Wire    int // its size on the wire
}

// A Flow reads the datagrams that two addresses send each other. It follows one connection at a time, as
// Godot has no more between the same two ports.
type Flow struct {
	pool           *pool.Pool
	unpacker       *Unpacker
	servers        payload.Servers
	out            Out
	flow           *payload.Flow
	connection     *payload.Connection
	used           bool // something of the connection was seen
	opened, closed bool
	answered       bool // by the server
	refused        bool
	granted        uint32       // number of channels
	asked          *awaited     // CONNECT; nil if the capture lacks it
	wants          uint32       // number of channels that the client asks for
	first          payload.Part // of the connection in the capture
	session        int          // session that both sides have agreed on; unknown before
	sides          [2]side      // what A sends, what B sends
	item           pool.Item    // memory of the channels

	packet   *Packet // the current packet
	commands payload.Bytes
	datagram Datagram
	size     int  // bytes of the commands in the current packet
	carries  bool // the connection has more than asked for and held itself
}

// NewFlow returns a flow without a connection yet.
func NewFlow(p *pool.Pool, u *Unpacker, servers payload.Servers, flow *payload.Flow, out Out) *Flow {
	f := &Flow{pool: p, unpacker: u, servers: servers, flow: flow, out: out}
	f.connect(&payload.Connection{Number: 1})
	return f
}

// connect begins a connection: both sides count anew.
func (f *Flow) connect(c *payload.Connection) {
	f.Finish()
	f.connection, f.used, f.opened, f.closed, f.session = c, false, false, false, unknown
	f.answered, f.refused, f.carries, f.asked, f.granted = false, false, false, nil, 0
	f.first = payload.Part{}
	for i := range f.sides {
		f.sides[i] = side{flow: f, fromB: i == 1, other: &f.sides[1-i], sent: &f.flow.Sent[i]}
	}
}

// IsOver reports whether a side has closed the connection, or has acknowledged nothing in it: what it does not get is no news.
func (f *Flow) IsOver() bool { return f.closed || f.sides[0].isIgnored() || f.sides[1].isIgnored() }

// Finish gives up what waits: the connection is over.
func (f *Flow) Finish() {
	f.item.Free()
	if f.connection != nil {
		f.conclude()
	}
	for i := range f.sides {
		f.sides[i].finish()
	}
}

// forget gives up all state of the connection, since the pool needs the memory.
func (f *Flow) forget() {
	c := *f.connection
	c.Began = false // channels begin with what comes next
	f.asked, f.sides[0].awaited, f.sides[1].awaited = nil, nil, nil
	opened, closed, session := f.opened, f.closed, f.session
	f.connect(&c)
	f.used, f.opened, f.closed, f.session = true, opened, closed, session
}

// Datagram reads a datagram.
func (f *Flow) Datagram(p *Packet) {
	f.packet = p
	d := &f.datagram
	if !f.unpacker.Parse(d, p.Data, p.Missing, f.flow.Checksum) {
		if p.Missing == 0 {
			f.out.Problem(p.Bytes, span.Truncated, fmt.Sprintf("a datagram of %s is too short for ENet", span.Bytes(int64(len(p.Data)))))
		}
		return
	}
	f.locate(d)
	if c := d.connect(); c != nil {
		f.begin(c)
		f.ask(c)
	}
	if f.used = true; f.first.Frame == 0 {
		f.first = p.Parts[0]
	}
	if f.session != unknown && d.Peer != noPeer && int(d.Session) != f.session {
		f.out.Problem(p.Slice(0, 2), payload.OtherSession, "an ENet datagram of another session, such as the previous connection: receivers drop it")
		return
	}
	f.check(d)
	from := &f.sides[0]
	if !p.ToB {
		from = &f.sides[1]
	}
	f.carryOut(from, d)
	if d.Damage != nil {
		f.damage(d)
	}
	for _, ch := range from.channels { // gives up commands that have been missing for too long
		ch.line.Tick(p.Time)
	}
	from.sent.Wait(len(from.awaited), from.waiting)
}

// carryOut reads the commands of a datagram.
func (f *Flow) carryOut(from *side, d *Datagram) {
	f.size = 0
	for i := range d.List {
		f.size += len(d.List[i].Body) + d.List[i].Length
	}
	if from.begun = true; d.Packing != NotPacked {
		from.packed++
		from.packing = d.Packing
	}
	for i := range d.List {
		isDamaged := d.Damage != nil && i == len(d.List)-1 && d.List[i].Data > d.Damage.At
		f.command(from, &d.List[i], isDamaged)
		f.carries = f.carries || d.List[i].Number == Disconnect || d.List[i].Number >= SendReliable && d.List[i].Number != BandwidthLimit
		f.answered = f.answered || d.List[i].Number != Connect && d.List[i].Number != Disconnect
	}
}

// data returns the data of a command. They bear its share of the cost of the packet.
func (f *Flow) data(c *Command) payload.Bytes {
	b := f.commands.Slice(c.Data, c.Length)
	for i := range b.Parts {
		b.Parts[i].Cost = float32(f.packet.Wire) / float32(f.size) * float32(len(c.Body)+c.Length) / float32(c.Length)
	}
	return b
}

// locate sets where the commands of a datagram are in the capture.
func (f *Flow) locate(d *Datagram) {
	p := f.packet
	f.commands = payload.Bytes{Data: d.Commands, Parts: p.AppendParts(f.commands.Parts[:0], d.Header, len(p.Data)-d.Header)}
	if d.Packing != NotPacked {
		f.commands = f.commands.Unpacked(d.Commands)
	}
}

// damage reports why commands could not be read.
func (f *Flow) damage(d *Datagram) {
	if src, dst := f.flow.Ends(!f.packet.ToB); f.asked != nil && !f.answered && src == f.connection.Server {
		if !f.refused {
			f.refused = true
			f.out.Problem(f.packet.Bytes, payload.Refused, fmt.Sprintf("%s asks %s for a connection of ENet, and is answered with something else: another program listens there", dst, src))
		}
		return
	}
	at := payload.Bytes{Parts: f.commands.Parts}
	if d.Packing == NotPacked {
		n := min(d.Damage.Length, len(d.Commands)-d.Damage.At)
		at = f.commands.Slice(d.Damage.At, n)
	}
	if len(at.Parts) == 0 { // nothing follows the header
		at = f.packet.Bytes
	}
	f.out.Problem(at, d.Damage.Code, d.Damage.Message)
}

// check reports a checksum that does not fit, and commands that ENet does not send.
func (f *Flow) check(d *Datagram) {
	p := f.packet
	id := f.connection.ConnectID
	if d.Peer == noPeer {
		id = 0
	}
	if d.Checksum && p.Missing == 0 && d.Packing != UnknownPacking && f.knowsID(d) && !d.checksumHolds(p.Data, id) {
		f.out.Problem(p.Slice(d.Header-4, 4), payload.WrongChecksum, "the checksum of an ENet datagram is wrong: receivers drop it")
	}
	if d.Damage != nil {
		return
	}
	if c := unusual(d.List); c != nil {
		f.out.Problem(f.commands.Slice(c.At, 1), payload.WrongCommand, fmt.Sprintf("an ENet command %s with flags %#x, which are never sent", Kinds[c.Number].Name, c.Flags))
	}
}

// unknown is the session before it is agreed on.
const unknown = -1

func (f *Flow) knowsID(d *Datagram) bool { return f.connection.Began || d.connect() != nil }

// begin begins a connection with CONNECT, unless that was repeated.
func (f *Flow) begin(c *Command) {
	id := c.value("connect_id")
	if f.connection.Began && f.connection.ConnectID == id {
		return
	}
	number := f.connection.Number
	if f.used {
		number++
	}
	client, server := f.flow.Ends(!f.packet.ToB)
	f.connect(&payload.Connection{Number: number, Client: client, Server: server, Began: true, ConnectID: id, ClientID: c.value("data")})
}

// command reads a command. isDamaged is set if its data are incomplete.
func (f *Flow) command(from *side, c *Command, isDamaged bool) {
	if c.Flags&flagAcknowledge != 0 {
		from.await(c)
	}
	if c.Flags&flagAcknowledge != 0 || c.Channel == noChannel && c.Number != Acknowledge {
		from.reliable(c, isDamaged)
		return
	}
	switch c.Number {
	case Acknowledge:
		to := from.other
		if !to.begun {
			to.unseen++
		}
		to.acknowledged(c)
		to.sent.Wait(len(to.awaited), to.waiting)
	case SendUnreliable, SendUnsequenced:
		if !isDamaged {
			from.unreliable(c)
		}
	case SendUnreliablePart:
		if !isDamaged {
			from.fragment(c)
		}
	}
}

// control carries out a command without data, once.
func (f *Flow) control(from *side, c *Command) {
	switch c.Number {
	case VerifyConnect:
		if incoming, outgoing := c.value("incoming_session"), c.value("outgoing_session"); incoming == outgoing && incoming <= 3 {
			f.session = int(incoming)
		}
		delete(from.other.awaited, ackKey{noChannel, 1}) // it acknowledges CONNECT
		f.answer(from, c)
		f.open(from.fromB)
	case ThrottleConfigure:
		from.sent.Throttle.Configure(time.Duration(c.value("interval"))*time.Millisecond, int(c.value("acceleration")), int(c.value("deceleration")))
	case Disconnect:
		if f.leave(from, c); !f.closed {
			f.closed = true
			f.out.Closed()
		}
	}
}

// open takes who is the client from the server's answer, if CONNECT is not in the capture.
func (f *Flow) open(fromB bool) {
	src, dst := f.flow.Ends(fromB)
	if !f.opened && !f.connection.Client.IsValid() {
		f.connection.Client, f.connection.Server = dst, src // the server verifies
	}
	f.opened = true
}

// Certainty is how certain it is that a datagram is ENet.
type Certainty uint8

// The certainties.
const (
	No     Certainty = iota
	Likely           // all of it is as ENet sends it, which may be chance
	Sure             // it connects
)

// Recognize returns how certain it is that a datagram is ENet, and whether it has a checksum.
func (u *Unpacker) Recognize(b []byte) (certainty Certainty, checksum bool) {
	var d Datagram
	for _, checksum := range []bool{false, true} {
		if !u.Parse(&d, b, 0, checksum) || !d.isStrict() {
			continue
		}
		if id, ok := d.connects(); ok && (!checksum || d.checksumHolds(b, id)) {
			return Sure, checksum
		}
		return Likely, checksum
	}
	return No, false
}

// connects reports whether a datagram asks for a connection or grants one, and returns the number of that which its checksum
// includes.
func (d *Datagram) connects() (id uint32, ok bool) {
	if d.connect() != nil && d.Peer == noPeer {
		return 0, true
	}
	for i := range d.List {
		if c := &d.List[i]; c.Number == VerifyConnect {
			return c.value("connect_id"), true
		}
	}
	return 0, false
}
