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
var blockNames = map[uint64]string{
	SectionHeader: "section", InterfaceDescriptor: "interface", OldPacket: "old packet", SimplePacket: "simple packet",
	NameResolution: "names", Statistics: "statistics", EnhancedPacket: "packet", Journal: "journal",
	DecryptionSecrets: "secrets", Custom: "custom", CustomNotCopied: "custom",
}

// BlockName returns the name of a type of block; "" if it is not known.
func BlockName(kind uint64) string { return blockNames[kind] }

// Record is the type of a packet of a pcap file, which counts as a block. No block of pcapng has it.
const Record = 1 << 32

// A Header is the start of a file. It says how the file is divided into blocks.
type Header struct {
	IsNG    bool
	Order   binary.ByteOrder // of pcapng that of the first section
	Nano    bool             // times are in nanoseconds instead of microseconds
	Patched bool             // records have a longer header
	Link    uint16           // of a pcap file
}

// ParseHeader reads the start of a file, of which at most FileHeaderSize bytes are needed.
func ParseHeader(b []byte) (h Header, ok bool) {
	if h.Order, h.IsNG = SectionOrder(b); h.IsNG {
		return h, true
	}
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
	return Header{}, false
}

// HeadSize returns the number of bytes at the start of a block that say how long it is.
func (h *Header) HeadSize() int {
	switch {
	case h.IsNG:
		return BlockHeaderSize + 4
	case h.Patched:
		return PatchedSize
	}
	return RecordHeaderSize
}

// Around returns the number of bytes before the body of a block and behind it.
func (h *Header) Around() (before, behind int) {
	if h.IsNG {
		return BlockHeaderSize, BlockFootSize
	}
	return 0, 0
}

// Interface returns the only interface of a pcap file.
func (h *Header) Interface() Interface {
	if h.Nano {
		return Interface{Link: h.Link, Resolution: 9}
	}
	return Interface{Link: h.Link, Resolution: 6}
}

// A Head is what the first bytes of a block say.
type Head struct {
	Kind   uint64
	Length int64
	Size   int64 // Length with what is behind up to the next block
	CanBe  bool  // whether a block of that type can be so long
}

// Head reads the first HeadSize bytes of a block.
func (h *Header) Head(order binary.ByteOrder, b []byte) Head {
	if !h.IsNG {
		n := order.Uint32(b[8:])
		length := int64(h.HeadSize()) + int64(n)
		return Head{Record, length, length, n <= MaxPacket}
	}
	kind, length := uint64(order.Uint32(b)), int64(order.Uint32(b[4:]))
	return Head{kind, length, (length + 3) &^ 3, isBlockLength(kind, length)}
}

// isBlockLength reports whether a block of pcapng can have a length.
func isBlockLength(kind uint64, length int64) bool {
	if IsPacket(kind) {
		return length >= BlockHeaderSize+4+BlockFootSize && length <= bufferSize
	}
	return length >= BlockHeaderSize+BlockFootSize && length <= maxBlock
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

// perSecond returns the number of the interface's units in a second.
func (i *Interface) perSecond() (n uint64) {
	if n = 1; i.Resolution&0x80 != 0 {
		return n << min(i.Resolution&0x7f, 63)
	}
	for range min(i.Resolution, 19) {
		n *= 10
	}
	return n
}

// Time returns the time given by a number of the interface's units.
func (i *Interface) Time(units uint64) time.Time {
	perSecond := i.perSecond()
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

// ParsePacket reads the body of a block of a type with a packet. snaplen is that of the first interface, which a simple packet
// needs.
func (h *Header) ParsePacket(order binary.ByteOrder, kind uint64, body []byte, snaplen uint32) (p PacketBlock, ok bool) {
	least := 20
	switch kind {
	case SimplePacket:
		least = 4
	case Record:
		least = h.HeadSize()
	}
	if len(body) < least {
		return p, false
	}
	switch p = (PacketBlock{Start: least, HasTime: true}); kind {
	case SimplePacket:
		p.HasTime, p.Wire = false, order.Uint32(body)
		p.Captured = min(p.Wire, uint32(len(body)-4))
		if snaplen > 0 {
			p.Captured = min(p.Captured, snaplen)
		}
	case Record:
		own := h.Interface()
		p.Units = uint64(order.Uint32(body))*own.perSecond() + uint64(order.Uint32(body[4:]))
		p.Captured = order.Uint32(body[8:])
		p.Wire = max(p.Captured, order.Uint32(body[12:]))
	default:
		if p.Interface = order.Uint32(body); kind == OldPacket {
			p.Interface = uint32(order.Uint16(body))
		}
		p.Units = uint64(order.Uint32(body[4:]))<<32 | uint64(order.Uint32(body[8:]))
		p.Captured, p.Wire = order.Uint32(body[12:]), order.Uint32(body[16:])
	}
	return p, true
}

// IsPacket reports whether blocks of a type hold a packet.
func IsPacket(kind uint64) bool {
	return kind == EnhancedPacket || kind == SimplePacket || kind == OldPacket || kind == Record
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

// block reads a block. found is set if it holds a packet.
func (r *Reader) block(p *Packet) (found bool, err error) {
	size := r.header.HeadSize()
	b, err := r.peek(size)
	if err != nil || len(b) == 0 {
		return false, errors.Join(err, r.end())
	}
	if len(b) < size {
		r.use = len(b)
		r.cutHead()
		return false, r.end()
	}
	if order, ok := SectionOrder(b); ok && r.header.IsNG {
		r.order, r.interfaces = order, r.interfaces[:0]
		r.note()
	}
	h, frame := r.header.Head(r.order, b), 0
	if IsPacket(h.Kind) {
		r.frame++
		frame = r.frame
	}
	switch {
	case !h.CanBe:
		return false, r.impossible(h, frame, b)
	case h.Length > bufferSize:
		return false, r.pass(h)
	}
	if b, err = r.peek(int(h.Size)); err != nil {
		return false, err
	}
	length := int(h.Length)
	before, behind := r.header.Around()
	if len(b) < length {
		r.cut(h, frame, b)
		r.ended = true
		length = len(b) + behind // the rest of the file is its body
	} else if behind > 0 && !r.endsWell(h, frame, b) {
		return false, r.resync(4, r.startsBlock)
	}
	r.use = min(int(h.Size), len(b))
	return r.body(h.Kind, frame, b[before:length-behind], p), nil
}

// cutHead reports that the file ends in what a block begins with.
func (r *Reader) cutHead() {
	if r.header.IsNG {
		r.problem(0, int64(r.use), 0, span.Truncated, "the file ends in the header of a block")
		return
	}
	r.frame++
	r.problem(0, int64(r.use), r.frame, span.Truncated, fmt.Sprintf("the file ends in the header of packet %d", r.frame))
}

// impossible reports a length that cannot be, and looks for the next block.
func (r *Reader) impossible(h Head, frame int, b []byte) error {
	if h.Kind == Record {
		message := fmt.Sprintf("packet %d has %s by its header, more than any capture keeps", frame, span.Bytes(h.Length-int64(len(b))))
		r.problem(8, 4, frame, span.LengthOverrun, message)
		return r.resync(len(b), r.startsRecord)
	}
	r.problem(4, 4, frame, span.LengthOverrun, fmt.Sprintf("a block of type %#x has a length of %s, which is impossible", h.Kind, span.Bytes(h.Length)))
	return r.resync(4, r.startsBlock)
}

// cut reports that the file ends in a block of which some bytes are there.
func (r *Reader) cut(h Head, frame int, b []byte) {
	at, what := 0, fmt.Sprintf("a block of %s:", span.Bytes(h.Length))
	if h.Kind == Record {
		at = r.header.HeadSize()
		what = fmt.Sprintf("packet %d: it has %s, but", frame, span.Bytes(h.Length-int64(at)))
	}
	left := int64(len(b) - at)
	r.problem(at, left, frame, span.Truncated, fmt.Sprintf("the file ends in %s %s left", what, span.BytesAre(left)))
}

// endsWell reports whether the length at the end of a block is that at its start, or at least another block follows.
func (r *Reader) endsWell(h Head, frame int, b []byte) bool {
	again := r.order.Uint32(b[h.Length-BlockFootSize:])
	if int64(again) == h.Length {
		return true
	}
	r.problem(int(h.Length)-BlockFootSize, BlockFootSize, frame, span.WrongLength, fmt.Sprintf("the length at the end of a block is %d, at its start %d", again, h.Length))
	next, _ := r.peek(int(h.Size) + 3*4)
	return len(next) <= int(h.Size) || r.isHead(next[h.Size:])
}

// pass passes over a long block.
func (r *Reader) pass(h Head) error {
	for left := h.Size; left > 0; {
		b, err := r.peek(int(min(left, bufferSize)))
		if err != nil {
			return err
		}
		if len(b) == 0 {
			r.problem(0, 0, 0, span.Truncated, fmt.Sprintf("the file ends in a block of %s", span.Bytes(h.Length)))
			return r.end()
		}
		r.skip(len(b))
		left -= int64(len(b))
	}
	return nil
}

// isHead reports whether a known block of pcapng could begin with these bytes.
func (r *Reader) isHead(b []byte) bool {
	if _, ok := SectionOrder(b); ok {
		return true
	}
	return len(b) >= BlockHeaderSize && BlockName(uint64(r.order.Uint32(b))) != "" && r.header.Head(r.order, b).CanBe
}

// startsBlock reports whether bytes begin with a known block, whose length is repeated at its end.
func (r *Reader) startsBlock(b []byte) bool {
	if !r.isHead(b) {
		return false
	}
	order := r.order
	if o, ok := SectionOrder(b); ok {
		order = o
	}
	h := r.header.Head(order, b)
	return h.CanBe && h.Length <= int64(len(b)) && int64(order.Uint32(b[h.Length-BlockFootSize:])) == h.Length
}

// startsRecord reports whether bytes begin with the headers of two packets of a pcap file, or with the last packet, and the
// first may follow the one that was read last.
func (r *Reader) startsRecord(b []byte) bool {
	first, ok := r.likely(b)
	if !ok {
		return false
	}
	next := b[min(len(b), first.Start+int(first.Captured)):]
	if _, ok := r.likely(next); !ok && (len(next) > 0 || first.Start+int(first.Captured) != len(b)) {
		return false
	}
	after := r.interfaces[0].Time(first.Units).Sub(r.last)
	return r.last.IsZero() || after > -time.Hour && after < 24*time.Hour
}

// likely reads the header of a packet of a pcap file, and reports whether it looks like those in captures.
func (r *Reader) likely(b []byte) (p PacketBlock, ok bool) {
	p, ok = r.header.ParsePacket(r.order, Record, b, 0)
	return p, ok && p.Captured > 0 && p.Captured <= r.order.Uint32(b[12:]) && p.Wire <= MaxPacket && uint64(r.order.Uint32(b[4:])) < r.interfaces[0].perSecond()
}

// body reads the content of a block. found is set if that is a packet.
func (r *Reader) body(kind uint64, frame int, body []byte, p *Packet) (found bool) {
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
		return r.packet(kind, frame, body, p)
	}
	return false
}

func (r *Reader) packet(kind uint64, frame int, body []byte, p *Packet) (found bool) {
	snaplen := uint32(0)
	if len(r.interfaces) > 0 {
		snaplen = r.interfaces[0].Snaplen
	}
	b, ok := r.header.ParsePacket(r.order, kind, body, snaplen)
	switch {
	case !ok:
		r.problem(0, int64(r.use), frame, span.Truncated, fmt.Sprintf("the block of packet %d is too short", frame))
		return false
	case int64(b.Interface) >= int64(len(r.interfaces)):
		r.problem(BlockHeaderSize, 4, frame, payload.UnknownInterface, fmt.Sprintf("packet %d is of interface %d, which is not described", frame, b.Interface))
		return false
	}
	captured := int(min(int64(b.Captured), int64(len(body)-b.Start)))
	if captured < int(b.Captured) && !r.ended {
		r.problem(BlockHeaderSize+12, 4, frame, span.LengthOverrun,
			fmt.Sprintf("packet %d has %s by its header, but its block has %s", frame, span.Bytes(int64(b.Captured)), span.Bytes(int64(captured))))
	}
	from := &r.interfaces[b.Interface]
	if r.last = (time.Time{}); b.HasTime {
		r.last = from.Time(b.Units)
	}
	before, _ := r.header.Around()
	*p = Packet{Frame: frame, Data: body[b.Start : b.Start+captured], Wire: max(int(b.Wire), captured), Time: r.last, Link: from.Link, Cut: r.ended,
		At: span.Span{Offset: r.at + int64(before+b.Start), Length: int64(captured)}}
	if kind != SimplePacket && kind != Record {
		p.readOptions(r.order, body[min(len(body), b.Start+(captured+3)&^3):])
	}
	return true
}
