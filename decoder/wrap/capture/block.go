package capture

import (
	"bytes"
	"encoding/binary"
	"errors"

	"varview/decoder/capture/pcap"
	"varview/decoder/wrap/layer"
)

// A block is what surrounds the data of one packet in the file.
type block struct {
	start, end int64  // in the source
	head       []byte // up to the data
	tail       []byte // after the data and their padding, without a hash of the packet
	hashed     bool   // the file has a hash
	was        int    // old number of bytes of the data
	order      binary.ByteOrder
	lengths    []int // places in head of the numbers of bytes of the data
	total      int   // place in head of the length of the block, which its end repeats; -1 for none
}

// The types of pcapng blocks with a packet, and how far before the data they begin.
const (
	obsoletePacket = 2
	simplePacket   = 3
	enhancedPacket = 6

	packetHead = 28
	simpleHead = 12
)

// blockOf reads the block around the data of a packet, which begins at an offset of the
// source.
func (f *rewriter) blockOf(at int64, p *pcap.Packet) (b block, err error) {
	file := make([]byte, pcap.FileHeaderSize)
	if err := layer.ReadAt(f.w.Source, file, f.w.Region.Offset); err != nil {
		return b, err
	}
	b.was, b.total = len(p.Data), -1
	if h, ok := pcap.ParseHeader(file); ok {
		b.order, b.lengths = h.Order, []int{8, 12}
		return b, f.readBlock(&b, at, int64(h.RecordSize()), 0)
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, kind := range []struct {
			head    int64
			types   []uint32
			lengths []int
		}{{packetHead, []uint32{enhancedPacket, obsoletePacket}, []int{20, 24}}, {simpleHead, []uint32{simplePacket}, []int{8}}} {
			head := make([]byte, 8)
			if at-kind.head < f.at || layer.ReadAt(f.w.Source, head, at-kind.head) != nil {
				continue
			}
			total := int64(order.Uint32(head[4:]))
			for _, t := range kind.types {
				padded := kind.head + (p.At.Length+3)&^3 + 4
				if order.Uint32(head) == t && total >= padded && total&3 == 0 {
					b.order, b.lengths, b.total = order, kind.lengths, 4
					return b, f.readBlock(&b, at, kind.head, total)
				}
			}
		}
	}
	return b, errors.New("the length of its packet cannot be changed: the file has it in an unknown block")
}

// readBlock reads head and tail of a block.
func (f *rewriter) readBlock(b *block, at, head, total int64) error {
	b.start = at - head
	b.head = make([]byte, head)
	if err := layer.ReadAt(f.w.Source, b.head, b.start); err != nil {
		return err
	}
	after := at + int64(b.was)
	if b.total < 0 {
		b.end = after
		return nil
	}
	after = at + (int64(b.was)+3)&^3
	b.end = b.start + total
	b.tail = make([]byte, b.end-after)
	err := layer.ReadAt(f.w.Source, b.tail, after)
	if head == packetHead {
		b.dropHash()
	}
	return err
}

// dropHash removes the hash of the packet from the options: it is that of the old bytes.
func (b *block) dropHash() {
	const head, hash = 4, 3
	end := len(b.tail) - pcap.BlockFootSize
	for at := 0; at+head <= end; {
		size := head + (int(b.order.Uint16(b.tail[at+2:]))+3)&^3
		switch code := b.order.Uint16(b.tail[at:]); {
		case code == 0 || at+size > end:
			return
		case code == hash:
			b.tail, end, b.hashed = append(b.tail[:at], b.tail[at+size:]...), end-size, true
		default:
			at += size
		}
	}
}

// with returns the block with other data.
func (b *block) with(data []byte) []byte {
	head, tail := bytes.Clone(b.head), bytes.Clone(b.tail)
	for _, at := range b.lengths {
		b.order.PutUint32(head[at:], b.order.Uint32(head[at:])+uint32(len(data)-b.was))
	}
	whole := append(head, data...)
	if b.total < 0 {
		return whole
	}
	whole = append(whole, make([]byte, -len(data)&3)...)
	whole = append(whole, tail...)
	b.order.PutUint32(whole[b.total:], uint32(len(whole)))
	b.order.PutUint32(whole[len(whole)-4:], uint32(len(whole)))
	return whole
}
