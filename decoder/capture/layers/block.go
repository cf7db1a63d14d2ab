package layers

import (
	"encoding/binary"
	"fmt"

	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
	"varview/decoder/source"
	"varview/decoder/span"
)

// blockEnd returns where a block ends. If its length cannot be, that is where the next one
// seems to begin.
func (r *Reading) blockEnd(w *source.Window, at, limit int64) int64 {
	if at+pcap.BlockHeaderSize+4 > limit {
		return limit
	}
	b := w.View(at, pcap.BlockHeaderSize+4)
	order := r.orderAt(at, b)
	if length := int64(order.Uint32(b[4:])); pcap.IsBlockLength(order.Uint32(b), length) {
		return min(at+(length+3)&^3, limit)
	}
	return r.resume(w, at+4, limit, func(b []byte) bool { return pcap.StartsBlock(order, b) })
}

// orderAt returns the byte order of a block that begins with these bytes.
func (r *Reading) orderAt(at int64, b []byte) binary.ByteOrder {
	if order, ok := pcap.SectionOrder(b); ok {
		return order
	}
	return r.layout.at(at).order
}

// block reads a block of a pcapng file.
func (r *Reading) block(u *unit) {
	order := r.orderAt(u.at, u.bytes)
	name, kind := "", blockGroup
	if u.at == r.region.Offset {
		name, kind = "header", headerGroup
	}
	x := newBuilder(u, name, kind, order)
	defer x.close()
	size := u.size
	if size < pcap.BlockHeaderSize+pcap.BlockFootSize {
		x.rest("cut", size, span.Gap)
		x.fail(0, size, span.Error, span.Truncated, "the file ends in the header of a block")
		return
	}
	blockType, length := order.Uint32(u.bytes), int64(order.Uint32(u.bytes[4:]))
	x.put("type", 4, span.Type, bitmask).means(pcap.BlockName(blockType))
	x.number("length", 4, span.Length)
	switch {
	case !pcap.IsBlockLength(blockType, length):
		x.rest("gap", size, span.Gap)
		x.fail(4, 4, span.Error, span.LengthOverrun, fmt.Sprintf("a block of type %#x has a length of %s, which is impossible", blockType, span.Bytes(length)))
		return
	case length > maxUnit:
		x.rest("data", size, span.Data)
		return
	case int64(size) < length:
		x.fail(0, size, span.Error, span.Truncated, fmt.Sprintf("the file ends in a block of %s: %s left", span.Bytes(length), span.BytesAre(int64(size))))
		x.body(r, blockType, size)
		return
	}
	end := int(length) - pcap.BlockFootSize
	if again := order.Uint32(u.bytes[end:]); int64(again) != length {
		x.fail(end, 4, span.Error, span.WrongLength, fmt.Sprintf("the length at the end of a block is %d, at its start %d", again, length))
	}
	x.body(r, blockType, end)
	x.limit = size
	x.number("length_again", 4, span.Length)
	x.rest("padding", size, span.Padding)
}

// body adds what a block holds up to an index.
func (x *builder) body(r *Reading, blockType uint32, end int) {
	x.limit = end
	switch {
	case blockType == pcap.SectionHeader:
		x.put("order", 4, span.Magic, data)
		x.number("major", 2, span.Version)
		x.number("minor", 2, span.Version)
		x.put("section_length", 8, span.Length, bitmask)
		x.options(end)
	case blockType == pcap.InterfaceDescriptor:
		x.number("link_type", 2, span.Type)
		x.put("reserved", 2, span.Padding, data)
		x.number("snaplen", 4, span.Length)
		x.options(end)
	case blockType == pcap.Statistics:
		x.number("interface", 4, span.Value)
		x.number("time_high", 4, span.Value)
		x.number("time_low", 4, span.Value)
		x.options(end)
	case pcap.IsPacket(blockType):
		x.packetBlock(r, blockType, end)
	}
	x.rest("data", end, span.Data)
}

// packetBlock adds a block with a packet.
func (x *builder) packetBlock(r *Reading, blockType uint32, end int) {
	section := r.layout.at(x.unit.at)
	p, ok := pcap.ParsePacket(x.order, blockType, x.bytes[x.at:end], section.snaplen)
	if !ok {
		return
	}
	if blockType == pcap.SimplePacket {
		x.number("wire", 4, span.Length)
	} else {
		if blockType == pcap.OldPacket {
			x.number("interface", 2, span.Value)
			x.number("drops", 2, span.Value)
		} else {
			x.number("interface", 4, span.Value)
		}
		x.number("time_high", 4, span.Value)
		x.number("time_low", 4, span.Value)
		x.number("captured", 4, span.Length)
		x.number("wire", 4, span.Length)
	}
	n := int(p.Captured)
	if int64(p.Captured) > int64(end-x.at) {
		n = end - x.at
	}
	if whole := int64(x.order.Uint32(x.bytes[4:])); n < int(p.Captured) && int64(x.size) >= whole { // else the file ends here
		x.fail(pcap.BlockHeaderSize+12, 4, span.Error, span.LengthOverrun, fmt.Sprintf("a packet has %s by its header, but its block has %s", span.Bytes(int64(p.Captured)), span.Bytes(int64(n))))
	}
	if int(p.Interface) >= len(section.links) {
		x.fail(pcap.BlockHeaderSize, 4, span.Error, payload.UnknownInterface, fmt.Sprintf("a packet is of interface %d, which is not described", p.Interface))
		x.put("data", n, span.Data, data)
	} else {
		x.packet(section.links[p.Interface], n, max(int(p.Wire), n), r)
	}
	x.put("padding", min(-n&3, end-x.at), span.Padding, data)
	x.options(end)
}

// optionNames are the codes of options that all blocks have.
var optionNames = map[uint16]string{0: "end", 1: "comment"}

// options adds the options of a block.
func (x *builder) options(end int) {
	if end-x.at < 4 || !x.group("options", listGroup) {
		return
	}
	for end-x.at >= 4 {
		code, n := x.order.Uint16(x.bytes[x.at:]), int(x.order.Uint16(x.bytes[x.at+2:]))
		if !x.group("", layerGroup) {
			break
		}
		x.number("code", 2, span.Type).means(optionNames[code])
		x.number("length", 2, span.Length)
		kind, m := span.Data, data
		if optionNames[code] == "comment" {
			kind, m = span.Text, text
		}
		x.put("value", n, kind, m)
		x.put("padding", min(-n&3, end-x.at), span.Padding, data)
		x.close()
		if optionNames[code] == "end" {
			break
		}
	}
	x.close()
}
