package pcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// maxBlock is the longest block without a packet that is believed.
const maxBlock = 1 << 30

// block reads a block of a pcapng file. found is set if it holds a packet.
func (r *Reader) block(p *Packet) (found bool, err error) {
	b, err := r.peek(BlockHeaderSize + 4)
	if err != nil || len(b) == 0 {
		return false, errors.Join(err, r.end())
	}
	if len(b) < BlockHeaderSize+BlockFootSize {
		r.problem(0, int64(len(b)), 0, span.Truncated, "the file ends in the header of a block")
		r.use = len(b)
		return false, r.end()
	}
	if order, ok := SectionOrder(b); ok {
		r.order, r.interfaces = order, r.interfaces[:0]
	}
	kind, length := r.order.Uint32(b), int64(r.order.Uint32(b[4:]))
	if IsPacket(kind) {
		r.frame++
	}
	if !IsBlockLength(kind, length) {
		r.problem(4, 4, r.frameOf(kind), span.LengthOverrun, fmt.Sprintf("a block of type %#x has a length of %s, which is impossible", kind, span.Bytes(length)))
		return false, r.resync(4, r.startsBlock)
	}
	if length > bufferSize {
		return false, r.pass(length)
	}
	whole := int(length+3) &^ 3
	if b, err = r.peek(whole); err != nil {
		return false, err
	}
	if len(b) < int(length) {
		r.problem(0, int64(len(b)), r.frameOf(kind), span.Truncated, fmt.Sprintf("the file ends in a block of %s: %s left", span.Bytes(length), span.BytesAre(int64(len(b)))))
		r.ended = true
		length = int64(len(b)) + BlockFootSize // all that is there is its body
	} else if again := r.order.Uint32(b[length-BlockFootSize:]); int64(again) != length {
		r.problem(int(length)-BlockFootSize, BlockFootSize, r.frameOf(kind), span.WrongLength,
			fmt.Sprintf("the length at the end of a block is %d, at its start %d", again, length))
		if next, _ := r.peek(whole + 3*4); len(next) > whole && !isHead(r.order, next[whole:]) {
			return false, r.resync(4, r.startsBlock)
		}
	}
	r.use = min(whole, len(b))
	return r.body(kind, b[BlockHeaderSize:length-BlockFootSize], p), nil
}

// frameOf returns the number of the packet in a block, 0 if it has none.
func (r *Reader) frameOf(kind uint32) int {
	if IsPacket(kind) {
		return r.frame
	}
	return 0
}

// IsBlockLength reports whether a block can be as long.
func IsBlockLength(kind uint32, length int64) bool {
	if IsPacket(kind) {
		return length >= BlockHeaderSize+4+BlockFootSize && length <= bufferSize
	}
	return length >= BlockHeaderSize+BlockFootSize && length <= maxBlock
}

// pass passes over a long block.
func (r *Reader) pass(length int64) error {
	left := (length + 3) &^ 3
	for left > 0 {
		b, err := r.peek(int(min(left, bufferSize)))
		if err != nil {
			return err
		}
		if len(b) == 0 {
			r.problem(0, 0, 0, span.Truncated, fmt.Sprintf("the file ends in a block of %s", span.Bytes(length)))
			return r.end()
		}
		r.skip(len(b))
		left -= int64(len(b))
	}
	return nil
}

// isHead reports whether a known block could begin with these bytes.
func isHead(order binary.ByteOrder, b []byte) bool {
	if _, ok := SectionOrder(b); ok {
		return true
	}
	return len(b) >= BlockHeaderSize && BlockName(order.Uint32(b)) != "" && IsBlockLength(order.Uint32(b), int64(order.Uint32(b[4:])))
}

// StartsBlock reports whether bytes begin with a known block, whose length is also at its
// end.
func StartsBlock(order binary.ByteOrder, b []byte) bool {
	if !isHead(order, b) {
		return false
	}
	if o, ok := SectionOrder(b); ok {
		order = o
	}
	length := int64(order.Uint32(b[4:]))
	return length <= int64(len(b)) && IsBlockLength(order.Uint32(b), length) && int64(order.Uint32(b[length-BlockFootSize:])) == length
}

// startsBlock is StartsBlock in the section.
func (r *Reader) startsBlock(b []byte) bool { return StartsBlock(r.order, b) }

// body reads what a block holds. found is set if that is a packet.
func (r *Reader) body(kind uint32, body []byte, p *Packet) (found bool) {
	switch {
	case kind == InterfaceDescriptor:
		i, ok := ParseInterface(r.order, body)
		switch {
		case !ok:
			r.problem(0, int64(r.use), 0, span.Truncated, "an interface block is too short")
		case len(r.interfaces) == maxInterfaces:
			r.problem(0, int64(r.use), 0, payload.TooMany, fmt.Sprintf("more than %d interfaces: this one is left out", maxInterfaces))
		default:
			r.interfaces = append(r.interfaces, i)
		}
	case IsPacket(kind):
		return r.packet(kind, body, p)
	}
	return false
}

func (r *Reader) packet(kind uint32, body []byte, p *Packet) (found bool) {
	snaplen := uint32(0)
	if len(r.interfaces) > 0 {
		snaplen = r.interfaces[0].Snaplen
	}
	b, ok := ParsePacket(r.order, kind, body, snaplen)
	switch {
	case !ok:
		r.problem(0, int64(r.use), r.frame, span.Truncated, fmt.Sprintf("the block of packet %d is too short", r.frame))
		return false
	case int64(b.Interface) >= int64(len(r.interfaces)):
		r.problem(BlockHeaderSize, 4, r.frame, payload.UnknownInterface, fmt.Sprintf("packet %d is of interface %d, which is not described", r.frame, b.Interface))
		return false
	}
	captured := int(min(int64(b.Captured), int64(len(body)-b.Start)))
	if captured < int(b.Captured) && !r.ended {
		r.problem(BlockHeaderSize+12, 4, r.frame, span.LengthOverrun,
			fmt.Sprintf("packet %d has %s by its header, but its block has %s", r.frame, span.Bytes(int64(b.Captured)), span.Bytes(int64(captured))))
	}
	from := &r.interfaces[b.Interface]
	when := time.Time{}
	if b.HasTime {
		when = from.Time(b.Units)
	}
	*p = Packet{Frame: r.frame, Data: body[b.Start : b.Start+captured], Wire: max(int(b.Wire), captured), Time: when, Link: from.Link,
		At: span.Span{Offset: r.at + BlockHeaderSize + int64(b.Start), Length: int64(captured)}}
	if kind != SimplePacket {
		p.Comments = comments(r.order, body[min(len(body), b.Start+(captured+3)&^3):])
	}
	return true
}
