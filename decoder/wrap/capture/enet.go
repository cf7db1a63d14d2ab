package capture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"time"

	"varview/decoder/network/enet"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

var errTooLarge = errors.New("its datagram would have more bytes than ENet accepts, 4,096")

// mostOfENet is the largest datagram that ENet accepts.
const mostOfENet = 4096

// Offsets of a fragment's numbers in its command.
const (
	fragmentStart  = 4
	fragmentNumber = 12
	fragmentTotal  = 16
	fragmentOffset = 20
)

// datagram returns an ENet datagram with changed messages. Commands that were packed are
// written unpacked: a receiver accepts both.
func datagram(b []byte, changes []change) ([]byte, error) {
	flow, connection := changes[0].payload.Flow, changes[0].payload.Connection
	var u enet.Unpacker
	defer u.Close()
	var d enet.Datagram
	if !u.Parse(&d, b, 0, flow.Checksum) || d.Damage != nil {
		return nil, errNotFound
	}
	commands, left := withCommands(&d, changes)
	if left > 0 {
		return nil, errNotFound
	}
	is := bytes.Clone(b[:d.Header])
	if d.Packing != enet.NotPacked {
		is[0] &^= 0x40
	}
	if d.Checksum && (!connection.Began || d.ChecksumHolds(b, connection.ConnectID)) {
		binary.BigEndian.PutUint32(is[d.Header-4:], enet.Checksum(is[:d.Header-4], d.ChecksumID(b), commands))
	}
	is = append(is, commands...)
	if len(is) > mostOfENet && len(is) > len(b) {
		return nil, errTooLarge
	}
	return is, nil
}

// withCommands returns the commands of a datagram with changed messages, and the number of changes that
// belong to none of them.
func withCommands(d *enet.Datagram, changes []change) (is []byte, left int) {
	rest := slices.Clone(changes)
	for i := range d.List {
		c := &d.List[i]
		body, data := bytes.Clone(c.Body), d.Commands[c.Data:c.End()]
		if at := slices.IndexFunc(rest, func(x change) bool { return x.isOf(c, data) }); at >= 0 {
			x := &rest[at]
			data = x.new
			binary.BigEndian.PutUint16(body[enet.Kinds[c.Number].Length:], uint16(len(data)))
			if isFragment(c) {
				binary.BigEndian.PutUint32(body[fragmentTotal:], uint32(x.total))
				binary.BigEndian.PutUint32(body[fragmentOffset:], uint32(x.offset))
			}
			rest = slices.Delete(rest, at, at+1)
		}
		is = append(append(is, body...), data...)
	}
	return is, len(rest)
}

func isFragment(c *enet.Command) bool {
	return c.Number == enet.SendFragment || c.Number == enet.SendUnreliablePart
}

// isOf reports whether a change belongs to a command, by the command's numbers and data.
func (x *change) isOf(c *enet.Command, data []byte) bool {
	p, order := x.payload, binary.BigEndian
	if c.Channel != p.Channel || !bytes.Equal(x.old, data) {
		return false
	}
	switch c.Number {
	case enet.SendReliable:
		return c.Sequence == p.Sequence
	case enet.SendUnreliable, enet.SendUnsequenced:
		return c.Sequence == p.Sequence && order.Uint16(c.Body[4:]) == p.Order
	case enet.SendFragment, enet.SendUnreliablePart:
		return order.Uint16(c.Body[fragmentStart:]) == p.Sequence && int(order.Uint32(c.Body[fragmentNumber:])) == x.index
	}
	return false
}

// again finds ENet commands that are repeated: receivers that have missed the first one accept the
// repetition.
type again map[route]*reliable

// A route is the source and destination of a datagram.
type route struct{ src, dst netip.AddrPort }

// reliable holds the changed commands of a route that are sent again if they are lost.
type reliable struct {
	checksum bool // datagrams have one
	commands map[commandKey]sent
}

// A commandKey identifies a command and its repetitions.
type commandKey struct {
	session, channel uint8
	sequence         uint16
	fragment         int // 0 if the command is not a fragment
}

// A sent is a change that has been written.
type sent struct {
	change
	when time.Time
}

// longest is how long ENet keeps repeating a command.
const longest = time.Minute

// note records the changes of a packet.
func (a again) note(p *pcap.Packet, changes []change) {
	for _, c := range changes {
		q := c.payload
		if q.Flow.Transport != payload.ENet || q.Mode != payload.Reliable {
			continue
		}
		r := a[route{q.Src, q.Dst}]
		if r == nil {
			r = &reliable{q.Flow.Checksum, map[commandKey]sent{}}
			a[route{q.Src, q.Dst}] = r
		}
		c.rebuilt = true
		r.commands[commandKey{sessionOf(p, q.Flow), q.Channel, q.Sequence, c.index}] = sent{c, p.Time}
	}
}

// sessionOf returns the number by which ENet distinguishes connections of the same peer.
func sessionOf(p *pcap.Packet, f *payload.Flow) uint8 {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	var d enet.Datagram
	d.ParseHeader(content(p.Data, &h), f.Checksum)
	return d.Session
}

// find returns the changes of commands that a packet repeats.
func (a again) find(p *pcap.Packet) (changes []change) {
	if len(a) == 0 {
		return nil
	}
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	b := content(p.Data, &h)
	if b == nil || h.IsFragment {
		return nil
	}
	udp, _ := link.ParseUDP(p.Data[h.Start:])
	src, dst := netip.AddrPortFrom(h.Src, udp.Src), netip.AddrPortFrom(h.Dst, udp.Dst)
	here, back := a[route{src, dst}], a[route{dst, src}]
	either := cmp.Or(here, back)
	if either == nil {
		return nil
	}
	var u enet.Unpacker
	defer u.Close()
	var d enet.Datagram
	if !u.Parse(&d, b, 0, either.checksum) || d.Damage != nil {
		return nil
	}
	if id, connects := d.Connects(); connects {
		here.keep(id)
		back.keep(id)
	}
	if here == nil {
		return nil
	}
	return here.repeated(&d, p.Time)
}

// keep forgets the commands of all connections but the one that begins.
func (r *reliable) keep(id uint32) {
	if r != nil {
		maps.DeleteFunc(r.commands, func(_ commandKey, s sent) bool { return s.payload.Connection.ConnectID != id })
	}
}

// repeated returns the changes of commands that a datagram repeats.
func (r *reliable) repeated(d *enet.Datagram, when time.Time) (changes []change) {
	for i := range d.List {
		c := &d.List[i]
		key := commandKey{d.Session, c.Channel, c.Sequence, 0}
		if isFragment(c) {
			key.sequence, key.fragment = binary.BigEndian.Uint16(c.Body[fragmentStart:]), int(binary.BigEndian.Uint32(c.Body[fragmentNumber:]))
		}
		s, ok := r.commands[key]
		if ok && when.Sub(s.when) <= longest && s.isOf(c, d.Commands[c.Data:c.End()]) {
			changes = append(changes, s.change)
		}
	}
	return changes
}
