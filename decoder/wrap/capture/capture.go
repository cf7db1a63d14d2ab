// Package capture opens a capture of a network: its payload is the messages in the capture.
package capture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/buffer"
	"varview/decoder/network/layers"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/places"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper.
var Kind layer.Wrapper = kind{layer.Info{Name: "capture", About: "a capture of a network (pcap, pcapng)"}}

type kind struct{ layer.Info }

var _ layer.Deferrer = kind{}

// Sniff implements layer.Wrapper.
func (kind) Sniff(s *layer.Sample) bool { return network.Sniff(s.Head) }

// Eager implements layer.Deferrer: only the beginning is read if the rest is to be
// deferred.
func (kind) Eager(span.Span, layer.Options) int64 { return 0 }

// firstShare divides Options.Defer into the limit, in bytes, up to which messages are read.
const firstShare = 1024

// Open implements layer.Wrapper.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	s, found := &layer.Spool{Limit: o.MaxUnpacked}, &layer.Spool{Limit: math.MaxInt64, Memory: 1 << 20}
	w := &recorder{spool: s, places: places.NewWriter(found, l.Region.Offset)}
	s.Write(buffer.AppendHeader(nil, 0))
	options := multiplayer.Options{Methods: o.Methods, Double: o.Double}
	in := &progress{Reader: io.NewSectionReader(src, l.Region.Offset, l.Region.Length), all: l.Region.Length, report: o.Report}
	summary, err := read(ctx, in, network.Options{MaxUnpacked: o.Defer / firstShare}, options, w)
	if err == nil {
		err = errors.Join(s.Err, w.places.Finish())
	}
	if err != nil {
		s.Close()
		found.Close()
		return err
	}
	if err := l.Hold(s); err != nil {
		return err
	}
	index, err := l.Keep(found)
	if err != nil {
		return err
	}
	messages := buffer.NewPlaced(l.Payload, w.places.Index(index), o.Double)
	l.Payload = counted(l.Payload, w.messages)
	l.Unfinished = o.Defer > 0 && summary.Cut
	l.Title = fmt.Sprintf("capture, %s, %s", span.Counted(int64(summary.Packets), "packet"), span.Counted(w.messages, "message"))
	if l.Unfinished {
		l.Title += ", the beginning"
	}
	p := &packer{cut: errors.Is(w.err, layer.ErrFull), packed: isPacked(src, l.Region), size: summary.Size, limit: o.MaxUnpacked, options: options}
	describe(l, src, messages, p, o)
	l.Packer = p
	return nil
}

// isPacked reports whether the file is compressed.
func isPacked(src source.Source, region span.Span) bool {
	head := source.NewWindow(src).View(region.Offset, min(region.Length, pcap.FileHeaderSize))
	_, isPcap := pcap.ParseHeader(head)
	_, isNG := pcap.SectionOrder(head)
	return !isPcap && !isNG
}

// read reads the messages of a capture.
func read(ctx context.Context, in io.Reader, o network.Options, m multiplayer.Options, h multiplayer.Handler) (network.Summary, error) {
	r := multiplayer.New(m, h)
	summary, err := network.Read(ctx, in, o, r)
	r.Flush()
	return summary, err
}

// counted returns a payload with the number of its messages in its header.
func counted(src source.Source, messages int64) source.Source {
	head := source.Bytes(buffer.AppendHeader(nil, messages))
	return source.Join(source.Piece{Src: head, Span: span.Between(0, head.Size())}, source.Piece{Src: src, Span: span.Between(head.Size(), src.Size())})
}

// describe makes the reading of the file. That of a compressed file has no details.
func describe(l *layer.Layer, src source.Source, messages *buffer.Placed, as *packer, o layer.Options) {
	if !as.packed && !as.cut {
		l.Reading = layers.New(src, l.Region, messages)
		return
	}
	p := part.At("packets", l.Region.Offset)
	p.Put(l.Region.Length, l.Region.End(), span.Data, "packets")
	p.Text = span.Bytes(l.Region.Length)
	if as.cut {
		p.Warn(p.Span, layer.TooLarge, layer.OnlyFirst(o.MaxUnpacked), "")
	}
	d := l.Describe(l.About(), p)
	l.Reading = &d
}

// A recorder writes the messages of a capture as records.
type recorder struct {
	spool    *layer.Spool
	places   *places.Writer
	messages int64
	record   []byte
	err      error
}

// Message implements multiplayer.Handler. It leaves out a record that does not fit.
func (w *recorder) Message(m *message.Message) {
	if w.err != nil {
		return
	}
	w.record = buffer.Append(w.record[:0], m)
	if int64(len(w.record)) > w.spool.Left() {
		w.err = layer.ErrFull
		return
	}
	at := w.spool.Size()
	if _, w.err = w.spool.Write(w.record); w.err == nil {
		w.places.Add(m.Payload, w.messages, at)
		w.messages++
	}
}

// Problem implements multiplayer.Handler: the command check lists them.
func (w *recorder) Problem(*payload.Problem) {}

// progress reports how much of a file has been read.
type progress struct {
	io.Reader
	done, all int64
	report    func(done, all int64)
}

// Read implements io.Reader.
func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.done += int64(n)
	p.report(p.done, p.all)
	return n, err
}

// Bits of the first two bytes of a WebSocket frame (RFC 6455, 5.2; RFC 7692, 6).
const (
	bitFin    = 0x80
	bitPacked = 0x40
	bitMasked = 0x80
)

// headFor returns the head of a unit with another length, which is the only one of its message and not
// packed.
func headFor(f *payload.Flow, old []byte, n int) []byte {
	if f.Transport == payload.TCP {
		if f.BigEndian {
			return binary.BigEndian.AppendUint32(nil, uint32(n))
		}
		return binary.LittleEndian.AppendUint32(nil, uint32(n))
	}
	is := []byte{old[0]&^bitPacked | bitFin, old[1] & bitMasked}
	switch {
	case n < 126:
		is[1] |= byte(n)
	case n <= math.MaxUint16:
		is[1] |= 126
		is = binary.BigEndian.AppendUint16(is, uint16(n))
	default:
		is[1] |= 127
		is = binary.BigEndian.AppendUint64(is, uint64(n))
	}
	if old[1]&bitMasked != 0 {
		is = append(is, old[len(old)-4:]...)
	}
	return is
}

// maskIn returns the mask of a unit; zero if it has none.
func maskIn(f *payload.Flow, head []byte) (mask [4]byte) {
	if f.Transport == payload.WebSocket && head[1]&bitMasked != 0 {
		copy(mask[:], head[len(head)-4:])
	}
	return mask
}

// A block is what surrounds the data of one packet in the file.
type block struct {
	start, end int64  // in the source
	head       []byte // up to the data
	tail       []byte // bytes after the data and their padding, without the hash of the packet
	hashed     bool   // the file has a hash
	was        int    // old number of bytes of the data
	order      binary.ByteOrder
	lengths    []int // offsets in head of the data's lengths
	total      int   // offset in head of the block's length, which its end repeats; -1 if there is none
}

// Types of pcapng blocks with a packet, and how far before the data they begin.
const (
	obsoletePacket = 2
	simplePacket   = 3
	enhancedPacket = 6

	packetHead = 28
	simpleHead = 12
)

// blockOf reads the block around the data of a packet, which begins at an offset of the source.
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

// dropHash removes the hash of the packet from the options, as it no longer fits.
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

// sections lists the length fields of the sections of a pcapng file. Most do not give a length, so that
// their blocks have to be passed one by one.
func (f *rewriter) sections() (list []span.Span) {
	const head, lengthAt, unknown = 24, 16, -1
	all := source.NewWindow(f.w.Source)
	var order binary.ByteOrder
	for at := f.w.Region.Offset; at+head <= f.w.Region.End() && f.w.Ctx.Err() == nil; {
		b := all.View(at, head)
		o, isSection := pcap.SectionOrder(b)
		if isSection {
			order = o
		}
		if order == nil {
			return nil // no pcapng
		}
		size := (int64(order.Uint32(b[4:])) + 3) &^ 3
		if size < pcap.BlockHeaderSize+pcap.BlockFootSize {
			return list
		}
		start := at
		at += size
		length := int64(order.Uint64(b[lengthAt:]))
		if isSection && length != unknown && length >= 0 && length <= f.w.Region.End()-at {
			list = append(list, span.Span{Offset: start + lengthAt, Length: 8})
			at += length
		}
	}
	return list
}
