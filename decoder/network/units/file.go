package units

import (
	"encoding/binary"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/pcap"
)

// fileHeader reads the header of a pcap file, or what is in its place.
func (r *Packets) fileHeader(u *unit) {
	x := newBuilder(u, r.header.Order)
	defer x.end(headerGroup, "header")
	if !r.isKnown() {
		x.rest("gap", u.size, span.Gap)
		return
	}
	x.columns([]column{{"magic", 4, span.Magic, data}, {"major", 2, span.Version, number}, {"minor", 2, span.Version, number}, {"zone", 4, span.Padding, data},
		{"accuracy", 4, span.Padding, data}, {"snaplen", 4, span.Length, number}, {"link_type", 4, span.Type, number}})
}

// columns adds fields.
func (x *builder) columns(all []column) {
	for _, c := range all {
		x.put(c.name, c.size, c.kind, c.as)
	}
}

// recordEnd returns the end of a pcap file's packet. If its length is impossible, that is where the next
// packet seems to begin.
func (r *Packets) recordEnd(w *source.Window, at, limit int64) int64 {
	size := int64(r.header.RecordSize())
	if at+size > limit {
		return limit
	}
	head := r.header.ParseRecord(w.View(at, size))
	if head.Captured <= pcap.MaxPacket {
		return min(at+size+int64(head.Captured), limit)
	}
	return r.resume(at+size, limit)
}

// resume returns where something begins behind an offset at which a length cannot be, as far as that was read.
func (r *Packets) resume(at, limit int64) int64 {
	at -= r.region.Offset
	i := sort.Search(len(r.skipped), func(i int) bool { return r.skipped[i].Offset >= at })
	if i < len(r.skipped) && r.skipped[i].Offset == at {
		return min(r.region.Offset+r.skipped[i].End(), limit)
	}
	return limit
}

// packetRecord reads a packet of a pcap file.
func (r *Packets) packetRecord(u *unit) {
	x := newBuilder(u, r.header.Order)
	defer x.end(packetGroup, "")
	size := int64(r.header.RecordSize())
	if u.size < size {
		x.rest("cut", u.size, span.Gap)
		return
	}
	head := r.header.ParseRecord(u.bytes)
	x.columns([]column{{"seconds", 4, span.Value, number}, {"fraction", 4, span.Value, number}, {"captured", 4, span.Length, number}, {"wire", 4, span.Length, number},
		{"patched", size - pcap.RecordHeaderSize, span.Data, data}})
	if head.Captured > pcap.MaxPacket {
		x.rest("gap", u.size, span.Gap)
		return
	}
	x.packet(r.header.Link, int64(head.Captured), int64(max(head.Wire, head.Captured)), r)
}

// blockEnd returns the end of a block. If its length is impossible, that is where the next one seems to
// begin.
func (r *Packets) blockEnd(w *source.Window, at, limit int64) int64 {
	if at+pcap.BlockHeaderSize+4 > limit {
		return limit
	}
	b := w.View(at, pcap.BlockHeaderSize+4)
	order := r.orderAt(at, b)
	if length := int64(order.Uint32(b[4:])); pcap.IsBlockLength(order.Uint32(b), length) {
		return min(at+(length+3)&^3, limit)
	}
	return r.resume(at+4, limit)
}

// orderAt returns the byte order of a block that begins with these bytes.
func (r *Packets) orderAt(at int64, b []byte) binary.ByteOrder {
	if order, ok := pcap.SectionOrder(b); ok {
		return order
	}
	return r.section(at).Order
}

// block reads a block of a pcapng file.
func (r *Packets) block(u *unit) {
	order := r.orderAt(u.at, u.bytes)
	name, kind := "", blockGroup
	if u.at == r.region.Offset {
		name, kind = "header", headerGroup
	}
	x := newBuilder(u, order)
	defer x.end(kind, name)
	size := u.size
	if size < pcap.BlockHeaderSize+pcap.BlockFootSize {
		x.rest("cut", size, span.Gap)
		return
	}
	blockType, length := order.Uint32(u.bytes), int64(order.Uint32(u.bytes[4:]))
	means(x.put("type", 4, span.Type, bitmask), pcap.BlockName(blockType))
	x.number("length", 4, span.Length)
	switch {
	case !pcap.IsBlockLength(blockType, length):
		x.rest("gap", size, span.Gap)
		return
	case length > maxUnit:
		x.rest("data", size, span.Data)
		return
	case size < length:
		x.body(r, blockType, size)
		return
	}
	x.body(r, blockType, length-pcap.BlockFootSize)
	x.Limit = size
	x.number("length_again", 4, span.Length)
	x.rest("padding", size, span.Padding)
}

// blockColumns are the fields of blocks before their options or their packet, by type.
var blockColumns = map[uint32][]column{
	pcap.SectionHeader:       {{"order", 4, span.Magic, data}, {"major", 2, span.Version, number}, {"minor", 2, span.Version, number}, {"section_length", 8, span.Length, bitmask}},
	pcap.InterfaceDescriptor: {{"link_type", 2, span.Type, number}, {"reserved", 2, span.Padding, data}, {"snaplen", 4, span.Length, number}},
	pcap.Statistics:          {{"interface", 4, span.Value, number}, {"time_high", 4, span.Value, number}, {"time_low", 4, span.Value, number}},
	pcap.SimplePacket:        {{"wire", 4, span.Length, number}},
	pcap.OldPacket:           append([]column{{"interface", 2, span.Value, number}, {"drops", 2, span.Value, number}}, packetColumns...),
	pcap.EnhancedPacket:      append([]column{{"interface", 4, span.Value, number}}, packetColumns...),
}

var packetColumns = []column{{"time_high", 4, span.Value, number}, {"time_low", 4, span.Value, number}, {"captured", 4, span.Length, number}, {"wire", 4, span.Length, number}}

// body adds the content of a block up to an index.
func (x *builder) body(r *Packets, blockType uint32, end int64) {
	x.Limit = end
	if pcap.IsPacket(blockType) {
		x.packetBlock(r, blockType, end)
	} else if columns := blockColumns[blockType]; columns != nil {
		x.columns(columns)
		x.options(end)
	}
	x.rest("data", end, span.Data)
}

// packetBlock adds a block with a packet.
func (x *builder) packetBlock(r *Packets, blockType uint32, end int64) {
	section := r.section(x.unit.at)
	p, ok := pcap.ParsePacket(x.order, blockType, x.bytes[x.At:end], section.Snaplen)
	if !ok {
		return
	}
	x.columns(blockColumns[blockType])
	n := min(int64(p.Captured), end-x.At)
	if int(p.Interface) >= len(section.Links) {
		x.put("data", n, span.Data, data)
	} else {
		x.packet(section.Links[p.Interface], n, max(int64(p.Wire), n), r)
	}
	x.put("padding", min(-n&3, end-x.At), span.Padding, data)
	x.options(end)
}

// optionNames are the codes of options that all blocks have.
var optionNames = map[uint16]string{0: "end", 1: "comment"}

// options adds the options of a block.
func (x *builder) options(end int64) {
	if end-x.At < 4 || !x.group("options", message.Open) {
		return
	}
	for end-x.At >= 4 {
		code, n := x.order.Uint16(x.bytes[x.At:]), int64(x.order.Uint16(x.bytes[x.At+2:]))
		if !x.group("", message.Layer) {
			break
		}
		means(x.number("code", 2, span.Type), optionNames[code])
		x.number("length", 2, span.Length)
		kind, m := span.Data, data
		if optionNames[code] == "comment" {
			kind, m = span.Text, text
		}
		x.put("value", n, kind, m)
		x.put("padding", min(-n&3, end-x.At), span.Padding, data)
		x.EndList()
		if optionNames[code] == "end" {
			break
		}
	}
	x.EndList()
}
