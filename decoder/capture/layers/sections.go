package layers

import (
	"encoding/binary"
	"sort"
	"sync"

	"varview/decoder/capture/pcap"
	"varview/decoder/source"
	"varview/decoder/span"
)

// mapped is the number of bytes of a pcapng file whose sections and interfaces are found. What
// follows is read with those that are the last there.
const mapped = 64 << 20

// sections knows the sections of a pcapng file, and their interfaces. It finds them when they
// are first asked for.
type sections struct {
	src    source.Source
	region span.Span
	once   sync.Once
	list   []section
}

// A section is what holds from an offset on.
type section struct {
	from    int64
	order   binary.ByteOrder
	links   []uint16 // of its interfaces so far
	snaplen uint32   // of the first interface
}

// maxKnown is the most sections and interfaces that are kept.
const maxKnown = 1 << 12

// at returns what holds at an offset.
func (s *sections) at(off int64) section {
	s.once.Do(s.find)
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].from > off })
	if i == 0 {
		return section{order: binary.LittleEndian}
	}
	return s.list[i-1]
}

func (s *sections) find() {
	w := source.NewWindow(s.src)
	is := section{order: binary.LittleEndian}
	for at, end := s.region.Offset, min(s.region.End(), s.region.Offset+mapped); at+pcap.BlockHeaderSize+4 <= end && len(s.list) < maxKnown; {
		b := w.View(at, pcap.BlockHeaderSize+8)
		if order, ok := pcap.SectionOrder(b); ok {
			is = section{from: at, order: order}
			s.list = append(s.list, is)
		}
		kind, length := is.order.Uint32(b), int64(is.order.Uint32(b[4:]))
		if !pcap.IsBlockLength(kind, length) {
			at += 4 // until one begins again
			continue
		}
		if kind == pcap.InterfaceDescriptor && len(b) >= pcap.BlockHeaderSize+8 {
			if len(is.links) == 0 {
				is.snaplen = is.order.Uint32(b[12:])
			}
			is.from = at
			is.links = append(is.links[:len(is.links):len(is.links)], is.order.Uint16(b[8:]))
			s.list = append(s.list, is)
		}
		at += (length + 3) &^ 3
	}
}
