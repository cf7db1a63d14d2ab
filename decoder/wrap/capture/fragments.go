package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/capture/fragment"
	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
	"varview/decoder/capture/pool"
	"varview/decoder/span"
)

// A piece is what an IP fragment carries of a changed datagram.
type piece struct {
	was    int // size before
	offset int // in the datagram
	data   []byte
}

// memory is the most bytes of fragments that wait to be joined.
const memory = 32 << 20

// join works out the changes of UDP datagrams that came in IP fragments, and takes them from the
// changes of packets.
func (f *rewriter) join(c *comparer) error {
	if !c.fragmented || len(c.changes) == 0 {
		return nil
	}
	f.pieces = map[int]piece{}
	joiner := fragment.NewJoiner(pool.New(memory), func(fragment.Key, int, payload.Bytes) {})
	return f.each(func(p *pcap.Packet) error {
		var h link.Packet
		link.Decode(p.Link, p.Data, p.Wire, &h)
		if !h.IsFragment || h.Missing > 0 || h.Protocol != link.ProtoUDP {
			return nil
		}
		n := int64(h.End - h.Start)
		part := payload.Part{At: span.Span{Offset: p.At.Offset + int64(h.Start), Length: n}, Frame: p.Frame, Length: n}
		key := fragment.Key{Src: h.Src, Dst: h.Dst, Protocol: h.Protocol, ID: h.ID}
		b, ok := joiner.Add(key, h.Offset, h.More, payload.Bytes{Data: p.Data[h.Start:h.End], Parts: []payload.Part{part}}, p.Frame, p.Time)
		if !ok {
			return nil
		}
		return f.joined(c, b, &h)
	})
}

// joined makes the changes of a datagram, and divides it again.
func (f *rewriter) joined(c *comparer, b payload.Bytes, h *link.Packet) error {
	frames := payload.AppendFrames(nil, b.Parts)
	var all []change
	for _, frame := range frames {
		all = append(all, c.changes[frame]...)
		delete(c.changes, frame)
	}
	if len(all) == 0 {
		return nil
	}
	is, err := f.changedWhole(b, h, all, frames)
	if err == nil {
		err = f.divide(b.Parts, is)
	}
	if err != nil {
		return fmt.Errorf("message %d: %w", all[0].number, err)
	}
	return nil
}

// changedWhole returns a datagram with changed messages. What is in different fragments of a message
// becomes one change.
func (f *rewriter) changedWhole(b payload.Bytes, h *link.Packet, all []change, frames []int) ([]byte, error) {
	var joined []change
	for _, c := range all {
		if slices.ContainsFunc(joined, func(x change) bool { return x.number == c.number }) {
			continue
		}
		if slices.ContainsFunc(c.whole.frames, func(frame int) bool { return !slices.Contains(frames, frame) }) {
			return nil, errFragment
		}
		c.old, c.new, c.index, c.offset, c.total = c.whole.old, c.whole.new, 0, 0, len(c.whole.new)
		joined = append(joined, c)
	}
	alone := link.Packet{Src: h.Src, Dst: h.Dst, Protocol: h.Protocol, End: len(b.Data)}
	is, err := withDatagram(b.Data, &alone, joined)
	if err == nil {
		fixSums(b.Data, is, &alone)
	}
	return is, err
}

// divide divides a datagram into as many fragments as it was in. If possible, all but the last keep
// their size, which is a multiple of 8.
func (f *rewriter) divide(parts []payload.Part, is []byte) error {
	last, offset, before := len(parts)-1, 0, 0
	for _, p := range parts[:last] {
		before += int(p.Length)
	}
	even := len(is) / len(parts) &^ 7
	if len(is) <= before && even == 0 {
		return errors.New("it would be too short for the IP fragments that it came in")
	}
	for i, p := range parts {
		n := int(p.Length)
		if len(is) <= before {
			n = even
		}
		if i == last {
			n = len(is) - offset
		}
		if _, known := f.pieces[p.Frame]; known {
			return errFragment
		}
		f.pieces[p.Frame] = piece{int(p.Length), offset, is[offset : offset+n]}
		offset += n
	}
	return nil
}

// in returns the data of a packet with the piece.
func (x *piece) in(p *pcap.Packet) ([]byte, error) {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	if h.End-h.Start != x.was {
		return nil, errFragment
	}
	data := slices.Concat(p.Data[:h.Start], x.data, p.Data[h.End:])
	setOffset(data, &h, x.offset)
	addLength(data, &h, len(x.data)-x.was)
	fixSums(p.Data, data, &h)
	return data, nil
}

// setOffset sets the offset of a fragment in the last of its headers that has one.
func setOffset(b []byte, h *link.Packet, offset int) {
	const flags4, flags6 = 7 << 13, 7
	order := binary.BigEndian
	for _, head := range slices.Backward(h.Headers()) {
		switch head.Layer {
		case link.IPv4:
			at := b[head.Start+6:]
			order.PutUint16(at, order.Uint16(at)&flags4|uint16(offset/8))
			return
		case link.Fragment:
			at := b[head.Start+2:]
			order.PutUint16(at, order.Uint16(at)&flags6|uint16(offset))
			return
		}
	}
}
