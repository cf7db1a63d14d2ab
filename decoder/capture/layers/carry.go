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

var _ format.Carrier = (*Reading)(nil)

// Piece implements format.Carrier: the data of a command of ENet, or of a datagram; anywhere else
// in a packet only its number is known.
func (r *Reading) Piece(t *tree.Reader, n *tree.Node) (p format.Piece, ok bool) {
	u, packet := r.unitOf(t, n)
	if u == nil {
		return p, false
	}
	defer r.pool.Put(u)
	number, err := r.numberOf(t, packet)
	if p, ok = u.piece(n.Flags); ok {
		p.Bytes = bytes.Clone(p.Bytes)
	}
	p.Packet = number
	return p, err == nil
}

// piece returns the data that a node is or is in.
func (u *unit) piece(number uint16) (p format.Piece, ok bool) {
	in, isCommand := u.around(number)
	f, ok := u.field(in, "data")
	if !isCommand {
		f, ok = &u.nodes[number], u.nodes[number].name == "data" && u.hasLayer("udp")
	}
	if !ok || f.field != span.Data {
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

// numberOf returns the number of a packet from 1.
func (r *Reading) numberOf(t *tree.Reader, packet *tree.Node) (number int, err error) {
	if !r.isNG {
		return int(packet.Slot.Index) + 1, nil
	}
	_, number, err = r.packetsTo(context.Background(), t, func(at int64, _ int) bool { return at >= packet.Start })
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

// Find implements format.Carrier. Where the data is packed or in a stream, it is the last
// layer of its packet, or what follows that.
func (r *Reading) Find(ctx context.Context, t *tree.Reader, p format.Piece) (*tree.Node, error) {
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
		if x.name != "data" {
			continue
		}
		if here, ok := u.piece(uint16(i)); ok && here.Whole == p.Whole && here.Offset >= 0 && here.Offset+int64(len(here.Bytes)) <= int64(len(p.Bytes)) &&
			bytes.Equal(here.Bytes, p.Bytes[here.Offset:][:len(here.Bytes)]) {
			return r.descend(t, packet, u, uint16(i))
		}
	}
	return r.descend(t, packet, u, last)
}
