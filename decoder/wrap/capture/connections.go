package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"sort"

	"varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

// A way is one direction of a connection, given by the addresses of its two sides. number distinguishes
// connections between the same addresses.
type way struct {
	src, dst netip.AddrPort
	number   int
}

// connections are the TCP connections in which something has changed.
type connections struct {
	pairs      map[[2]netip.AddrPort]*pair // pairs by their two addresses in order
	hosts      map[[2]netip.Addr]bool      // of the pairs
	directions map[way]*direction
}

// A pair is what is known about two addresses while packets are read.
type pair struct {
	number int    // of the connection
	first  uint32 // sequence number of its SYN
}

func newConnections() *connections {
	return &connections{map[[2]netip.AddrPort]*pair{}, map[[2]netip.Addr]bool{}, map[way]*direction{}}
}

// watch records that something has changed between two addresses.
func (c *connections) watch(a, b netip.AddrPort) {
	c.pairs[ordered(a, b)] = &pair{}
	c.hosts[[2]netip.Addr{a.Addr(), b.Addr()}] = true
	c.hosts[[2]netip.Addr{b.Addr(), a.Addr()}] = true
}

// restart prepares for reading the packets again.
func (c *connections) restart() {
	for _, p := range c.pairs {
		*p = pair{}
	}
	for _, d := range c.directions {
		d.restart()
	}
}

func ordered(a, b netip.AddrPort) [2]netip.AddrPort {
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return [2]netip.AddrPort{a, b}
}

// A segment belongs to a connection in which something has changed.
type segment struct {
	link.Packet
	tcp        link.TCPHeader
	own, other *direction
	at         int64 // position of its first byte
	start      int   // offset of its data in the packet
}

// segment reads a packet. It returns nil if the packet does not belong to one of the connections. All
// packets must be read in order.
func (c *connections) segment(p *pcap.Packet) (*segment, error) {
	var s segment
	link.Decode(p.Link, p.Data, p.Wire, &s.Packet)
	if !s.IsIP || s.Protocol != link.ProtoTCP || !c.hosts[[2]netip.Addr{s.Src, s.Dst}] {
		return nil, nil
	}
	if s.IsFragment {
		return nil, errFragment
	}
	ok := false
	if s.tcp, ok = link.ParseTCP(p.Data[s.Start:s.End]); !ok {
		return nil, nil
	}
	src, dst := netip.AddrPortFrom(s.Src, s.tcp.Src), netip.AddrPortFrom(s.Dst, s.tcp.Dst)
	pair := c.pairs[ordered(src, dst)]
	if pair == nil || s.tcp.Size < 20 || s.Start+s.tcp.Size > s.End {
		return nil, nil
	}
	if s.tcp.Flags&(link.SYN|link.ACK) == link.SYN && (pair.number == 0 || pair.first != s.tcp.Seq) {
		pair.number, pair.first = pair.number+1, s.tcp.Seq
	}
	s.own, s.other = c.direction(way{src, dst, pair.number}), c.direction(way{dst, src, pair.number})
	s.at, s.start = s.own.position(s.tcp.Seq), s.Start+s.tcp.Size
	if s.tcp.Flags&link.SYN != 0 {
		s.at++
	}
	return &s, nil
}

func (c *connections) direction(w way) *direction {
	d := c.directions[w]
	if d == nil {
		d = &direction{}
		c.directions[w] = d
	}
	return d
}

// rewritten returns the data of a packet after the changes.
func (s *segment) rewritten(p *pcap.Packet) ([]byte, error) {
	content := s.own.content(s.at, p.Data[s.start:s.End])
	by := len(content) - (s.End - s.start)
	switch {
	case s.Missing > 0 && by != 0:
		return nil, errors.New("a segment with it was captured in part")
	case s.End-s.Start+by > math.MaxUint16-60:
		return nil, fmt.Errorf("a TCP segment with it would be larger than IP allows")
	}
	is := append(append(append([]byte{}, p.Data[:s.start]...), content...), p.Data[s.End:]...)
	t := is[s.Start:s.start]
	order := binary.BigEndian
	order.PutUint32(t[4:], s.tcp.Seq+uint32(s.own.moved(s.at)-s.at))
	if s.tcp.Flags&link.ACK != 0 {
		s.acknowledge(t[8:])
		s.selective(t[20:])
	}
	addLength(is, &s.Packet, by)
	fixSums(p.Data, is, &s.Packet)
	return is, nil
}

// acknowledge moves the acknowledged sequence number at the start of b.
func (s *segment) acknowledge(b []byte) {
	at := s.other.near(binary.BigEndian.Uint32(b))
	binary.BigEndian.PutUint32(b, uint32(s.other.moved(at)))
}

// selective moves the numbers of selective acknowledgements (RFC 2018) in the options.
func (s *segment) selective(options []byte) {
	const end, none, sack = 0, 1, 5
	for len(options) > 0 && options[0] != end {
		if options[0] == none {
			options = options[1:]
			continue
		}
		if len(options) < 2 || options[1] < 2 || int(options[1]) > len(options) {
			return
		}
		one := options[2:options[1]]
		for ; options[0] == sack && len(one) >= 4; one = one[4:] {
			s.acknowledge(one)
		}
		options = options[options[1]:]
	}
}

// A splice replaces bytes of a TCP stream, at least one.
type splice struct {
	at, end int64 // position of the old bytes
	new     []byte
	before  int64 // bytes that earlier splices add; set by restart
}

// A direction is the stream that one side of a TCP connection sends. A position in it is a sequence number
// that does not wrap around.
type direction struct {
	started     bool
	first, last int64 // positions of the first segment and of the highest one so far
	splices     []splice
}

// position returns the position of a segment that begins at a sequence number. The segments must come in
// the order of the capture, so that they get the same positions each time it is read.
func (d *direction) position(seq uint32) int64 {
	if !d.started {
		d.started, d.first = true, int64(seq)+1<<32 // so that there is room before it
		d.last = d.first
	}
	at := d.near(seq)
	d.last = max(d.last, at)
	return at
}

// near returns the position of a sequence number that the other side names.
func (d *direction) near(seq uint32) int64 { return d.last + int64(int32(seq-uint32(d.last))) }

// add adds a splice; ok is false if another one replaces the same bytes.
func (d *direction) add(s splice) (ok bool) {
	i := d.from(s.at)
	if i < len(d.splices) && d.splices[i].at < s.end {
		return false
	}
	d.splices = slices.Insert(d.splices, i, s)
	return true
}

// restart prepares for reading the segments again, with all splices known.
func (d *direction) restart() {
	d.last = d.first
	by := int64(0)
	for i := range d.splices {
		s := &d.splices[i]
		s.before = by
		by += int64(len(s.new)) - (s.end - s.at)
	}
}

// from returns the index of the first splice that ends after a position.
func (d *direction) from(pos int64) int {
	return sort.Search(len(d.splices), func(i int) bool { return d.splices[i].end > pos })
}

// inside returns the number of new bytes that replace the old ones up to a position.
func (s *splice) inside(pos int64) int {
	switch {
	case pos <= s.at:
		return 0
	case pos >= s.end:
		return len(s.new)
	}
	return int(min(pos-s.at, int64(len(s.new))))
}

// moved returns the place of a position in the new stream.
func (d *direction) moved(pos int64) int64 {
	i := sort.Search(len(d.splices), func(i int) bool { return d.splices[i].at >= pos })
	if i == 0 {
		return pos
	}
	s := &d.splices[i-1]
	return pos + s.before + int64(s.inside(pos)) - (min(pos, s.end) - s.at)
}

// content returns the new bytes of a segment. The contents of adjacent segments are adjacent too.
func (d *direction) content(at int64, b []byte) []byte {
	end := at + int64(len(b))
	var out bytes.Buffer
	for i := d.from(at); i < len(d.splices) && d.splices[i].at < end; i++ {
		s := &d.splices[i]
		out.Write(b[:max(0, s.at-at)])
		out.Write(s.new[s.inside(at):s.inside(end)])
		next := min(s.end, end)
		b, at = b[next-at:], next
	}
	out.Write(b)
	return out.Bytes()
}
