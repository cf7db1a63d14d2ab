package layers

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"varview/decoder/capture/pcap"
	"varview/decoder/format"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var (
	_ format.Carrier = (*Reading)(nil)
	_ format.Counter = (*Reading)(nil)
)

// Piece implements format.Carrier: a message, a value in it or a part of it, or else the first one
// of the layer or packet. Of what was sent again, the data of a command of ENet or of a datagram
// is known; anywhere else in a packet only its number.
func (r *Reading) Piece(t *tree.Reader, n *tree.Node) (p format.Piece, ok bool) {
	u, packet := r.unitOf(t, n)
	if u == nil {
		return p, false
	}
	defer r.pool.Put(u)
	place := int64(0)
	if message := r.messageAround(n); message != nil {
		place, p.Steps = message.Foot, format.StepsTo(n, message)
	} else if p, ok = u.piece(n.Flags); ok {
		p.Bytes = bytes.Clone(p.Bytes)
	} else {
		place = u.placeNear(n.Flags)
	}
	if place != 0 {
		p.Record = r.messages.At(place).Message + 1
		return p, true
	}
	if p.At = packet.Start; !r.isNG {
		p.Packet = int(packet.Slot.Index) + 1
	}
	return p, true
}

// messageAround returns the message that a value is in, nil for the values around messages.
func (r *Reading) messageAround(n *tree.Node) (message *tree.Node) {
	for ; kindOf(&n.Value) == messageGroup; n = n.Parent {
		message = n
	}
	return message
}

// placeNear returns the place of the first message in a node, or else in the smallest group around
// it that has one; 0 for none.
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

// piece returns the data that a node is or is in.
func (u *unit) piece(number uint16) (p format.Piece, ok bool) {
	in, isCommand := u.around(number)
	f, ok := u.field(in, "data")
	if !isCommand {
		f, ok = &u.nodes[number], u.nodes[number].name == "data" && u.hasLayer("udp")
	}
	if !ok || f.field != span.Data || f.place != 0 {
		return p, false
	}
	p.Bytes = u.bytesOf(f)
	p.Whole = int64(len(p.Bytes))
	if total := u.value(in, "total"); isCommand && total >= 0 {
		p.Whole, p.Offset = total, u.value(in, "offset")
	}
	return p, p.Whole > 0
}

// hasLayer reports whether a packet has a layer.
func (u *unit) hasLayer(name string) bool {
	return slices.ContainsFunc(u.nodes, func(n node) bool { return n.kind == layerGroup && n.name == name })
}

// list returns the list of packets or blocks.
func list(t *tree.Reader) (*tree.Node, error) { return t.Child(t.Tree.Base, 1) }

// PacketAt implements format.Counter.
func (r *Reading) PacketAt(ctx context.Context, t *tree.Reader, from int64) (number int, err error) {
	_, number, err = r.packetsTo(ctx, t, func(at int64, _ int) bool { return at >= from })
	return number, err
}

// packetsTo counts the packets of pcapng up to the first of which ok is true, and returns the
// number of its block in the list.
func (r *Reading) packetsTo(ctx context.Context, t *tree.Reader, ok func(at int64, number int) bool) (block int64, number int, err error) {
	in, err := list(t)
	if err != nil {
		return 0, 0, err
	}
	w, end := t.Window(), r.region.End()
	for at := in.Body; at < end; block++ {
		if block%1024 == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		b := w.View(at, pcap.BlockHeaderSize+4)
		if len(b) == pcap.BlockHeaderSize+4 && pcap.IsPacket(r.orderAt(at, b).Uint32(b)) {
			if number++; ok(at, number) {
				return block, number, w.Err()
			}
		}
		at = r.blockEnd(w, at, end)
	}
	return 0, 0, cmp.Or(w.Err(), tree.ErrNoChild)
}

// Find implements format.Carrier: the message, or the last part of it. Where only its packet is
// known, it is the last layer there, or what follows that.
func (r *Reading) Find(ctx context.Context, t *tree.Reader, p format.Piece) (*tree.Node, error) {
	if n, err := r.placed(t, p); n != nil || err != nil {
		return n, err
	}
	in, err := list(t)
	if err != nil {
		return nil, err
	}
	block := int64(p.Packet) - 1
	if r.isNG {
		block, _, err = r.packetsTo(ctx, t, func(_ int64, number int) bool { return number == p.Packet })
	}
	if err != nil {
		return nil, err
	}
	packet, err := t.Child(in, block)
	if err != nil {
		return nil, err
	}
	u := r.unit(t.Window(), packet.Start, r.region.End())
	defer r.pool.Put(u)
	last := uint16(0)
	for i := range u.nodes {
		x := &u.nodes[i]
		if x.kind == layerGroup && x.name != "" || x.name == "data" && x.field == span.Data {
			last = uint16(i)
		}
	}
	return r.descend(t, packet, u, last)
}

// placed returns a message, or a value in it, or the last part of it; nil where its place is not
// known.
func (r *Reading) placed(t *tree.Reader, p format.Piece) (*tree.Node, error) {
	if r.messages == nil || p.Record == 0 {
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
