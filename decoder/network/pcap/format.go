// Package pcap reads the files in which captures are kept: pcap and pcapng.
package pcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
)

// Sizes in bytes.
const (
	FileHeaderSize   = 24 // header of a pcap file
	RecordHeaderSize = 16 // header of a packet in it
	PatchedSize      = 24 // header of a packet in the files of a patched libpcap
	BlockHeaderSize  = 8  // header of a pcapng block: type and length
	BlockFootSize    = 4  // the length again

	// MaxPacket is the largest captured size of a packet that is accepted. libpcap itself reads no more
	// than 256 KiB.
	MaxPacket = 1 << 20
)

// The types of pcapng blocks.
const (
	SectionHeader       = 0x0a0d0d0a
	InterfaceDescriptor = 1
	OldPacket           = 2
	SimplePacket        = 3
	NameResolution      = 4
	Statistics          = 5
	EnhancedPacket      = 6
	Journal             = 9
	DecryptionSecrets   = 10
	Custom              = 0xbad
	CustomNotCopied     = 0x40000bad
)

// orderMagic tells the byte order of a section.
const orderMagic = 0x1a2b3c4d

// blockNames are the types of blocks that are known.
var blockNames = map[uint32]string{
	SectionHeader: "section", InterfaceDescriptor: "interface", OldPacket: "old packet", SimplePacket: "simple packet",
	NameResolution: "names", Statistics: "statistics", EnhancedPacket: "packet", Journal: "journal",
	DecryptionSecrets: "secrets", Custom: "custom", CustomNotCopied: "custom",
}

// BlockName returns the name of a type of block; "" if it is not known.
func BlockName(kind uint32) string { return blockNames[kind] }

// A Header is the start of a pcap file.
type Header struct {
	Order   binary.ByteOrder
	Nano    bool // times are in nanoseconds instead of microseconds
	Patched bool // records have a longer header
	Link    uint16
}

// RecordSize returns the size of the header of a packet.
func (h *Header) RecordSize() int {
	if h.Patched {
		return PatchedSize
	}
	return RecordHeaderSize
}

// ParseHeader reads the start of a pcap file.
func ParseHeader(b []byte) (h Header, ok bool) {
	if len(b) < FileHeaderSize {
		return h, false
	}
	for _, h.Order = range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch h.Order.Uint32(b) {
		case 0xa1b2c3d4:
		case 0xa1b23c4d:
			h.Nano = true
		case 0xa1b2cd34:
			h.Patched = true
		default:
			continue
		}
		h.Link = uint16(h.Order.Uint32(b[20:]))
		return h, true
	}
	return h, false
}

// A Record is the header of a packet in a pcap file.
type Record struct {
	Seconds, Fraction uint32
	Captured, Wire    uint32 // number of bytes in the file, number of bytes that were sent
}

// ParseRecord reads the header of a packet.
func (h *Header) ParseRecord(b []byte) Record {
	return Record{h.Order.Uint32(b), h.Order.Uint32(b[4:]), h.Order.Uint32(b[8:]), h.Order.Uint32(b[12:])}
}

// Time returns when the packet was captured.
func (h *Header) Time(r Record) time.Time {
	unit := int64(time.Microsecond)
	if h.Nano {
		unit = 1
	}
	return time.Unix(int64(r.Seconds), int64(r.Fraction)*unit).UTC()
}

// maxComment is the number of bytes that a comment may have.
const maxComment = 1<<16 - 1

// An Interface is the description of an interface in a pcapng section.
type Interface struct {
	Link       uint16
	Snaplen    uint32
	Resolution byte  // unit of times: 10 or, with the highest bit, 2 to the power of minus this
	Offset     int64 // seconds to add to times
}

// Codes of options: two that all blocks may have, one of packets, and two of interfaces.
const (
	optionEnd        = 0
	optionComment    = 1
	optionHash       = 3
	optionResolution = 9
	optionOffset     = 14
)

// parseInterface reads the body of an interface block.
func parseInterface(order binary.ByteOrder, body []byte) (i Interface, ok bool) {
	if len(body) < 8 {
		return i, false
	}
	i = Interface{Link: order.Uint16(body), Snaplen: order.Uint32(body[4:]), Resolution: 6}
	eachOption(order, body[8:], func(code uint16, value []byte) {
		switch {
		case code == optionResolution && len(value) == 1:
			i.Resolution = value[0]
		case code == optionOffset && len(value) == 8:
			i.Offset = int64(order.Uint64(value))
		}
	})
	return i, true
}

// eachOption calls do with each option of a block.
func eachOption(order binary.ByteOrder, b []byte, do func(code uint16, value []byte)) {
	for len(b) >= 4 {
		code, n := order.Uint16(b), int(order.Uint16(b[2:]))
		if code == optionEnd || 4+n > len(b) {
			return
		}
		do(code, b[4:4+n])
		b = b[min(len(b), 4+(n+3)&^3):]
	}
}

// readOptions reads the options of a packet's block.
func (p *Packet) readOptions(order binary.ByteOrder, options []byte) {
	eachOption(order, options, func(code uint16, value []byte) {
		switch {
		case code == optionComment && len(value) > 0:
			p.Comments = append(p.Comments, string(value))
		case code == optionHash:
			p.Hashed = true
		}
	})
}

// Time returns the time given by a number of the interface's units.
func (i *Interface) Time(units uint64) time.Time {
	n := i.Resolution & 0x7f
	perSecond := uint64(1)
	switch {
	case i.Resolution&0x80 != 0:
		perSecond <<= min(n, 63)
	default:
		for range min(n, 19) {
			perSecond *= 10
		}
	}
	hi, lo := bits.Mul64(units%perSecond, uint64(time.Second))
	nano, _ := bits.Div64(hi, lo, perSecond)
	return time.Unix(int64(units/perSecond)+i.Offset, int64(nano)).UTC()
}

// A PacketBlock tells where a block has its packet.
type PacketBlock struct {
	Interface      uint32
	Units          uint64 // time since 1970
	HasTime        bool
	Start          int // offset of the captured bytes in the body
	Captured, Wire uint32
}

// ParsePacket reads the body of a block of one of the three types with a packet. snaplen is that of the
// first interface, which a simple packet needs.
func ParsePacket(order binary.ByteOrder, kind uint32, body []byte, snaplen uint32) (p PacketBlock, ok bool) {
	if kind == SimplePacket {
		if len(body) < 4 {
			return p, false
		}
		p = PacketBlock{Start: 4, Wire: order.Uint32(body)}
		p.Captured = min(p.Wire, uint32(len(body)-4))
		if snaplen > 0 {
			p.Captured = min(p.Captured, snaplen)
		}
		return p, true
	}
	if len(body) < 20 {
		return p, false
	}
	p = PacketBlock{Start: 20, Interface: order.Uint32(body), HasTime: true, Captured: order.Uint32(body[12:]), Wire: order.Uint32(body[16:])}
	if kind == OldPacket {
		p.Interface = uint32(order.Uint16(body))
	}
	p.Units = uint64(order.Uint32(body[4:]))<<32 | uint64(order.Uint32(body[8:]))
	return p, true
}

// IsPacket reports whether blocks of a type hold a packet.
func IsPacket(kind uint32) bool {
	return kind == EnhancedPacket || kind == SimplePacket || kind == OldPacket
}

// SectionOrder returns the byte order of a section, by the first 12 bytes of its header.
func SectionOrder(b []byte) (order binary.ByteOrder, ok bool) {
	if len(b) < 12 || binary.LittleEndian.Uint32(b) != SectionHeader {
		return nil, false
	}
	switch uint32(orderMagic) {
	case binary.LittleEndian.Uint32(b[8:]):
		return binary.LittleEndian, true
	case binary.BigEndian.Uint32(b[8:]):
		return binary.BigEndian, true
	}
	return nil, false
}

// maxBlock is the length of the longest block without a packet that is accepted.
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
		r.note()
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
		length = int64(len(b)) + BlockFootSize // the rest of the file is its body
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

// frameOf returns the number of the packet in a block; 0 if it has none.
func (r *Reader) frameOf(kind uint32) int {
	if IsPacket(kind) {
		return r.frame
	}
	return 0
}

// IsBlockLength reports whether a block can have a length.
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

// startsBlock reports whether bytes begin with a known block, whose length is repeated at its end.
func (r *Reader) startsBlock(b []byte) bool {
	order := r.order
	if !isHead(order, b) {
		return false
	}
	if o, ok := SectionOrder(b); ok {
		order = o
	}
	length := int64(order.Uint32(b[4:]))
	return length <= int64(len(b)) && IsBlockLength(order.Uint32(b), length) && int64(order.Uint32(b[length-BlockFootSize:])) == length
}

// body reads the content of a block. found is set if that is a packet.
func (r *Reader) body(kind uint32, body []byte, p *Packet) (found bool) {
	switch {
	case kind == InterfaceDescriptor:
		i, ok := parseInterface(r.order, body)
		switch {
		case !ok:
			r.problem(0, int64(r.use), 0, span.Truncated, "an interface block is too short")
		case len(r.interfaces) == maxInterfaces:
			r.problem(0, int64(r.use), 0, payload.TooMany, fmt.Sprintf("more than %d interfaces: this one is left out", maxInterfaces))
		default:
			r.interfaces = append(r.interfaces, i)
			r.note()
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
	*p = Packet{Frame: r.frame, Data: body[b.Start : b.Start+captured], Wire: max(int(b.Wire), captured), Time: when, Link: from.Link, Cut: r.ended,
		At: span.Span{Offset: r.at + BlockHeaderSize + int64(b.Start), Length: int64(captured)}}
	if kind != SimplePacket {
		p.readOptions(r.order, body[min(len(body), b.Start+(captured+3)&^3):])
	}
	return true
}
