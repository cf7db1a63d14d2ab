package layers

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/buffer"
	"varview/decoder/network/enet"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/places"
	"varview/decoder/network/websocket"
)

// find finds the places of messages in the unit.
func (x *builder) find(messages *buffer.Placed) {
	x.places = nil
	if messages != nil {
		messages.Each(span.Span{Offset: x.unit.at, Length: int64(x.size)}, func(p *places.Place) { x.places = append(x.places, *p) })
	}
}

// content adds the bytes of a transport up to an index: the messages in them, and the rest under a name.
// names counts the names in the innermost group.
func (x *builder) content(name string, end int, names map[string]int) {
	end = min(end, x.limit)
	for len(x.places) > 0 && len(x.nodes) < maxNodes/2 {
		p := x.places[0]
		at := int(p.Offset - x.unit.at)
		if at >= end {
			break
		}
		x.places = x.places[1:]
		if at < x.at || at+int(p.Length) > min(end, len(x.bytes)) {
			continue
		}
		if at > x.at {
			x.rest(numbered(names, name), at, span.Data)
		}
		if p.Part == 0 {
			x.head(&p, end, names)
		} else {
			x.message(&p, name, names)
		}
	}
	if end > x.at {
		x.rest(numbered(names, name), end, span.Data)
	}
}

// numbered returns a name, with a number if it is not the first of its kind.
func numbered(names map[string]int, name string) string {
	if names[name]++; names[name] > 1 {
		name += strconv.Itoa(names[name])
	}
	return name
}

// message adds a message, or a part of one.
func (x *builder) message(p *places.Place, name string, names map[string]int) {
	if !p.IsWhole() {
		x.put(numbered(names, name), int(p.Length), span.Data, data).place = p.Key
		return
	}
	n := x.add(node{name: numbered(names, "message"), kind: messageGroup, start: x.at, end: x.at + int(p.Length)})
	n.place = p.Key
	x.at += int(p.Length)
}

// head adds what precedes a message in a stream, and the message if that follows at once.
func (x *builder) head(p *places.Place, end int, names map[string]int) {
	name, order := "value", binary.ByteOrder(binary.LittleEndian)
	switch p.Form {
	case places.Header:
		name = "websocket"
	case places.LengthBig:
		order = binary.BigEndian
	}
	if !x.group(numbered(names, name), layerGroup) {
		return
	}
	group, was := x.open[len(x.open)-1], x.order
	x.order = order
	if p.Form == places.Header {
		end := x.at + int(p.Length)
		if h, isThere := websocket.Explain(x.bytes[x.at:end]); isThere {
			x.put("flags", 1, span.Flags, bitmask).means(h.Flags)
			x.put("length", h.Size-1, span.Length, data).means(strconv.FormatUint(h.Length, 10))
			x.put("mask", end-x.at, span.Value, data)
		} else { // the file has changed
			x.rest("data", end, span.Data)
		}
	} else {
		x.number("length", int(p.Length), span.Length)
	}
	x.order = was
	if next := x.places; len(next) > 0 && next[0].Offset == x.unit.at+int64(x.at) && x.at+int(next[0].Length) <= end && next[0].Message == p.Message {
		x.places = next[1:]
		x.message(&next[0], "data", map[string]int{})
	} else {
		x.nodes[group].place = p.Key
	}
	x.close()
}

var _ format.Carrier = (*Reading)(nil)

// Piece implements format.Carrier: a message, a value in it or a part of it, or else the first one of the
// layer or packet, or after it.
func (r *Reading) Piece(t *tree.Reader, n *tree.Node) (p format.Piece, ok bool) {
	u, packet := r.unitOf(t, n)
	if u == nil || r.messages == nil {
		return p, false
	}
	defer r.pool.Put(u)
	p.IsNear = u.nodes[n.Flags].place == 0
	place := u.placeNear(n.Flags)
	if message := r.messageAround(n); message != nil {
		place, p.Steps, p.IsNear = message.Foot, format.StepsTo(n, message), false
	}
	if place == 0 {
		place = r.messages.After(packet.Start)
	}
	p.Record = r.messages.At(place).Message + 1
	return p, place != 0
}

// messageAround returns the message that contains a value; nil for the values around messages.
func (r *Reading) messageAround(n *tree.Node) (message *tree.Node) {
	for ; kindOf(&n.Value) == messageGroup; n = n.Parent {
		message = n
	}
	return message
}

// placeNear returns the place of the first message in a node, or else in the smallest group around it that
// has one; 0 if there is none.
func (u *unit) placeNear(number uint16) int64 {
	for g := int(number); g >= 0; g-- {
		in := &u.nodes[g]
		if in.start > u.nodes[number].start || in.end < u.nodes[number].end {
			continue
		}
		for _, x := range u.nodes[g:] {
			if x.place != 0 && x.start < in.end {
				return x.place
			}
		}
	}
	return 0
}

// Find implements format.Carrier: the message, a value in it, or the last part of it.
func (r *Reading) Find(_ context.Context, t *tree.Reader, p format.Piece) (*tree.Node, error) {
	if r.messages == nil {
		return nil, nil
	}
	place, ok := r.messages.Last(p.Record - 1)
	if !ok {
		return nil, nil
	}
	n, err := t.At(place.Offset)
	if err != nil {
		return nil, err
	}
	if message := r.messageAround(n); message != nil {
		return p.Descend(t, message)
	}
	return n, nil
}

// enetColumns are the fields of commands after the number and flags, by number of the
// command.
var enetColumns = [16][]column{
	enet.Acknowledge:        {{"sequence", 2, span.Value, number}, {"acknowledged", 2, span.Ref, number}, {"sent_time", 2, span.Value, number}},
	enet.Connect:            append(connecting, column{"connect_id", 4, span.ID, bitmask}, column{"data", 4, span.Value, number}),
	enet.VerifyConnect:      append(connecting[:len(connecting):len(connecting)], column{"connect_id", 4, span.ID, bitmask}),
	enet.Disconnect:         {{"sequence", 2, span.Value, number}, {"data", 4, span.Value, number}},
	enet.Ping:               {{"sequence", 2, span.Value, number}},
	enet.SendReliable:       {{"sequence", 2, span.Value, number}, {"length", 2, span.Length, number}},
	enet.SendUnreliable:     {{"sequence", 2, span.Value, number}, {"unreliable", 2, span.Value, number}, {"length", 2, span.Length, number}},
	enet.SendFragment:       fragment,
	enet.SendUnsequenced:    {{"sequence", 2, span.Value, number}, {"group", 2, span.Value, number}, {"length", 2, span.Length, number}},
	enet.BandwidthLimit:     {{"sequence", 2, span.Value, number}, {"incoming", 4, span.Value, number}, {"outgoing", 4, span.Value, number}},
	enet.ThrottleConfigure:  {{"sequence", 2, span.Value, number}, {"interval", 4, span.Value, number}, {"acceleration", 4, span.Value, number}, {"deceleration", 4, span.Value, number}},
	enet.SendUnreliablePart: fragment,
}

var connecting = []column{
	{"sequence", 2, span.Value, number}, {"peer", 2, span.Value, number}, {"incoming_session", 1, span.Value, number}, {"outgoing_session", 1, span.Value, number},
	{"mtu", 4, span.Value, number}, {"window", 4, span.Value, number}, {"channels", 4, span.Length, number}, {"incoming", 4, span.Value, number}, {"outgoing", 4, span.Value, number},
	{"interval", 4, span.Value, number}, {"acceleration", 4, span.Value, number}, {"deceleration", 4, span.Value, number},
}

var fragment = []column{
	{"sequence", 2, span.Value, number}, {"start", 2, span.Ref, number}, {"length", 2, span.Length, number}, {"count", 4, span.Length, number},
	{"number", 4, span.Value, number}, {"total", 4, span.Length, number}, {"offset", 4, span.Value, number},
}

// enet adds a datagram of ENet that ends at an index.
func (x *builder) enet(end, missing int, checksum bool) {
	b := x.bytes[x.at:end]
	var d enet.Datagram
	compressed, ok := d.ParseHeader(b, checksum)
	if !ok || !x.group("enet", layerGroup) {
		return
	}
	defer x.close()
	x.number("peer", 2, span.Flags).means(fmt.Sprintf("peer %d, session %d%s", d.Peer, d.Session, sentBits(&d, compressed)))
	if d.HasTime {
		x.number("sent_time", 2, span.Value)
	}
	if checksum {
		x.put("checksum", 4, span.Hash, bitmask)
	}
	if compressed {
		x.content("packed", end, map[string]int{})
		return
	}
	list, damage := enet.ParseCommands(nil, b[d.Header:], missing)
	if damage != nil {
		x.fail(x.at+damage.At, damage.Length, damage.Code, damage.Message)
	}
	if x.group("commands", listGroup) {
		for i := range list {
			x.command(&list[i])
		}
		x.close()
	}
	x.rest("gap", end, span.Gap)
}

func sentBits(d *enet.Datagram, compressed bool) (text string) {
	if compressed {
		text += ", compressed"
	}
	if d.HasTime {
		text += ", with the time"
	}
	return text
}

// command adds a command of ENet.
func (x *builder) command(c *enet.Command) {
	if !x.group("", layerGroup) {
		return
	}
	x.number("command", 1, span.Type).means(enet.Kinds[c.Number].Name)
	x.number("channel", 1, span.Value)
	for _, column := range enetColumns[c.Number] {
		x.put(column.name, column.size, column.kind, column.meaning)
	}
	if end := x.at + c.Length; end > x.limit {
		x.put("data", c.Length, span.Data, data) // it is cut
	} else {
		x.content("data", end, map[string]int{})
	}
	x.close()
}

// fileHeader reads the header of a pcap file, or what is in its place.
func (r *Reading) fileHeader(u *unit) {
	x := newBuilder(u, "header", headerGroup, r.header.Order)
	defer x.close()
	if !r.isKnown() {
		x.rest("gap", u.size, span.Gap)
		x.fail(0, u.size, payload.NoCapture, "the file is not a capture: neither pcap nor pcapng")
		return
	}
	x.put("magic", 4, span.Magic, data)
	x.number("major", 2, span.Version)
	x.number("minor", 2, span.Version)
	x.put("zone", 4, span.Padding, data)
	x.put("accuracy", 4, span.Padding, data)
	x.number("snaplen", 4, span.Length)
	x.number("link_type", 4, span.Type)
}

// recordEnd returns the end of a pcap file's packet. If its length is impossible, that is where the next
// packet seems to begin.
func (r *Reading) recordEnd(w *source.Window, at, limit int64) int64 {
	size := int64(r.header.RecordSize())
	if at+size > limit {
		return limit
	}
	head := r.header.ParseRecord(w.View(at, size))
	if head.Captured <= pcap.MaxPacket {
		return min(at+size+int64(head.Captured), limit)
	}
	return r.resume(w, at+size, limit, func(b []byte) bool { return r.header.StartsRecord(b) })
}

// resume returns where something begins after damage; the limit if it is not near.
func (r *Reading) resume(w *source.Window, at, limit int64, starts func([]byte) bool) int64 {
	for until := min(at+pcap.MaxPacket, limit); at < until; {
		b := w.View(at, min(limit-at, source.MaxView))
		for i := range b {
			if i > len(b)/2 && at+int64(len(b)) < limit {
				b = b[:i] // what follows is read in its context
				break
			}
			if starts(b[i:]) {
				return at + int64(i)
			}
		}
		if len(b) == 0 {
			break
		}
		at += int64(len(b))
	}
	return limit
}

// record reads a packet of a pcap file.
func (r *Reading) record(u *unit) {
	x := newBuilder(u, "", packetGroup, r.header.Order)
	defer x.close()
	size := r.header.RecordSize()
	if u.size < size {
		x.rest("cut", u.size, span.Gap)
		x.fail(0, u.size, span.Truncated, "the file ends in the header of a packet")
		return
	}
	head := r.header.ParseRecord(u.bytes)
	x.number("seconds", 4, span.Value)
	x.number("fraction", 4, span.Value)
	x.number("captured", 4, span.Length)
	x.number("wire", 4, span.Length)
	x.put("patched", size-pcap.RecordHeaderSize, span.Data, data)
	if head.Captured > pcap.MaxPacket {
		x.rest("gap", u.size, span.Gap)
		x.fail(8, 4, span.LengthOverrun, fmt.Sprintf("a packet has %s by its header, more than any capture keeps", span.Bytes(int64(head.Captured))))
		return
	}
	if left := u.size - size; left < int(head.Captured) {
		x.fail(size, left, span.Truncated, fmt.Sprintf("the file ends in a packet: it has %s, but %s left", span.Bytes(int64(head.Captured)), span.BytesAre(int64(left))))
	}
	x.packet(r.header.Link, int(head.Captured), max(int(head.Wire), int(head.Captured)), r)
}
