package capture

import (
	"encoding/binary"
	"io"

	"varview/decoder/capture/pcap"
	"varview/decoder/source"
	"varview/decoder/span"
)

// A section is one of a pcapng file, which says how long it is.
type section struct {
	length span.Span // in the source: the number that says so
	blocks span.Span // that it counts
	order  binary.ByteOrder
	added  int64 // bytes that the changes add
}

// sections lists the sections that say how long they are. Most do not, so that their blocks have to
// be passed one by one.
func (f *rewriter) sections() (list []section) {
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
			list = append(list, section{length: span.Span{Offset: start + lengthAt, Length: 8}, blocks: span.Span{Offset: at, Length: length}, order: order})
			at += length
		}
	}
	return list
}

// measure works out how many bytes the changes add to each section, by making them without writing
// anything.
func (f *rewriter) measure(c *comparer) error {
	list := f.sections()
	if len(list) == 0 {
		return nil
	}
	dry := &rewriter{w: f.w, pieces: f.pieces, out: io.Discard, grown: func(at, by int64) {
		for i := range list {
			if list[i].blocks.Contains(at) {
				list[i].added += by
			}
		}
	}}
	f.lengths = list
	return dry.packets(c)
}

// keepLengths copies the source up to an offset as far as that takes lengths of sections, and
// changes them.
func (f *rewriter) keepLengths(end int64) error {
	for len(f.lengths) > 0 && f.lengths[0].length.Offset < end {
		s := f.lengths[0]
		f.lengths = f.lengths[1:]
		if s.added == 0 {
			continue
		}
		if err := f.w.Keep(f.out, span.Between(f.at, s.length.Offset)); err != nil {
			return err
		}
		b := make([]byte, s.length.Length)
		s.order.PutUint64(b, uint64(s.blocks.Length+s.added))
		if _, err := f.out.Write(b); err != nil {
			return err
		}
		f.at = s.length.End()
	}
	return nil
}
