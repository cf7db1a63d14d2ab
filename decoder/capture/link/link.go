// Package link reads the headers of a captured packet, from the link layer to UDP and TCP.
package link

import (
	"encoding/binary"
	"net/netip"

	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// A Layer is a kind of header.
type Layer uint8

// The layers.
const (
	Ethernet Layer = iota
	VLAN
	Cooked  // Linux cooked capture
	Cooked2 // Linux cooked capture, version 2
	Null    // BSD loopback
	PPP
	PPPoE
	IPv4
	IPv6
	Extension // of IPv6: hop-by-hop options, routing, destination options
	Fragment  // of IPv6
	Authentication
	UDP
	TCP
)

var layerNames = []string{"eth", "vlan", "sll", "sll2", "null", "ppp", "pppoe", "ip", "ipv6", "ext", "fragment", "ah", "udp", "tcp"}

// String returns the name that the layer has in paths.
func (l Layer) String() string { return layerNames[l] }

// A Header is the place of one header in a packet.
type Header struct {
	Layer      Layer
	Start, End int
}

// maxHeaders is the most headers of a packet. No sender comes near it.
const maxHeaders = 24

// The link types that are read (https://www.tcpdump.org/linktypes.html).
const (
	typeNull     = 0
	typeEthernet = 1
	typePPP      = 9
	typeRawBSD   = 12
	typeRawOpen  = 14
	typeRaw      = 101
	typeLoop     = 108
	typeSLL      = 113
	typeIPv4     = 228
	typeIPv6     = 229
	typeSLL2     = 276
)

// The protocol numbers of IP that are read.
const (
	protoHopByHop    = 0
	protoIPv4        = 4
	ProtoTCP         = 6
	ProtoUDP         = 17
	protoIPv6        = 41
	protoRouting     = 43
	protoFragment    = 44
	protoAH          = 51
	protoDestination = 60
	protoMobility    = 135
)

// A Packet is what the headers of a packet say.
type Packet struct {
	List [maxHeaders]Header
	N    int

	IsIP       bool
	Src, Dst   netip.Addr
	Protocol   uint8
	Start, End int // of the payload of IP in the packet, as far as it was captured
	Missing    int // bytes of the payload that were not captured

	IsFragment bool
	ID         uint32 // that the fragments of a datagram share
	Offset     int    // of the fragment in the payload
	More       bool   // other fragments follow

	// Damage is a problem of a header: the rest of the packet is not read. Its span is in
	// the packet. Code is "" if there is none.
	Damage span.Problem
}

// Headers returns the headers, in their order. They follow one another.
func (p *Packet) Headers() []Header { return p.List[:p.N] }

// add adds a header of n bytes at start. It returns false where the packet does not have
// them.
func (p *Packet) add(l Layer, b []byte, start, n int) bool {
	if start+n > len(b) {
		return false
	}
	if p.N == maxHeaders {
		return false
	}
	p.List[p.N] = Header{l, start, start + n}
	p.N++
	return true
}

func (p *Packet) damage(start, n int, message string) {
	p.Damage = span.Problem{Span: span.Span{Offset: int64(start), Length: int64(n)}, Severity: span.Error, Code: payload.WrongHeader, Message: message}
}

// Known reports whether packets of a link type can be read.
func Known(linkType uint16) bool {
	switch linkType {
	case typeNull, typeEthernet, typePPP, typeRawBSD, typeRawOpen, typeRaw, typeLoop, typeSLL, typeIPv4, typeIPv6, typeSLL2:
		return true
	}
	return false
}

// Decode reads the headers of a packet up to and with IP. wire is the number of bytes that
// were sent.
func Decode(linkType uint16, b []byte, wire int, p *Packet) {
	p.N, p.IsIP, p.IsFragment, p.Damage.Code = 0, false, false, ""
	p.Start, p.End, p.Missing, p.Offset, p.More = 0, 0, 0, 0, false
	switch linkType {
	case typeEthernet:
		p.ethernet(b, wire)
	case typeSLL:
		if p.add(Cooked, b, 0, 16) {
			p.ether(binary.BigEndian.Uint16(b[14:]), b, 16, wire)
		}
	case typeSLL2:
		if p.add(Cooked2, b, 0, 20) {
			p.ether(binary.BigEndian.Uint16(b), b, 20, wire)
		}
	case typeNull, typeLoop:
		if p.add(Null, b, 0, 4) && isFamily(b) {
			p.ip(b, 4, wire)
		}
	case typeRawBSD, typeRawOpen, typeRaw, typeIPv4, typeIPv6:
		p.ip(b, 0, wire)
	case typePPP:
		n := 2
		if len(b) > 0 && b[0] == 0xff {
			n = 4
		}
		if p.add(PPP, b, 0, n) {
			p.ppp(binary.BigEndian.Uint16(b[n-2:]), b, n, wire)
		}
	}
}

// isFamily reports whether a BSD loopback header, which has the byte order of whoever
// captured, announces IP. IPv6 has another number on each system.
func isFamily(b []byte) bool {
	for _, family := range []uint32{binary.LittleEndian.Uint32(b), binary.BigEndian.Uint32(b)} {
		switch family {
		case 2, 10, 24, 28, 30:
			return true
		}
	}
	return false
}

func (p *Packet) ethernet(b []byte, wire int) {
	if p.add(Ethernet, b, 0, 14) {
		p.ether(binary.BigEndian.Uint16(b[12:]), b, 14, wire)
	}
}

// ether reads what follows an EtherType.
func (p *Packet) ether(kind uint16, b []byte, at, wire int) {
	for kind == 0x8100 || kind == 0x88a8 || kind == 0x9100 {
		if !p.add(VLAN, b, at, 4) {
			return
		}
		kind = binary.BigEndian.Uint16(b[at+2:])
		at += 4
	}
	switch kind {
	case 0x0800, 0x86dd:
		p.ip(b, at, wire)
	case 0x8864:
		if p.add(PPPoE, b, at, 8) {
			p.ppp(binary.BigEndian.Uint16(b[at+6:]), b, at+8, wire)
		}
	}
}

// ppp reads what follows a protocol number of PPP.
func (p *Packet) ppp(kind uint16, b []byte, at, wire int) {
	if kind == 0x0021 || kind == 0x0057 {
		p.ip(b, at, wire)
	}
}

// ip reads IP headers, one inside the other.
func (p *Packet) ip(b []byte, at, wire int) {
	end := wire // of what the headers so far have room for
	for at < len(b) && p.N < maxHeaders {
		next, ok := 0, false
		switch b[at] >> 4 {
		case 4:
			next, ok = p.ipv4(b, at, &end)
		case 6:
			next, ok = p.ipv6(b, at, &end)
		default:
			p.damage(at, 1, "neither IPv4 nor IPv6 begins where a header announces it")
		}
		if !ok {
			return
		}
		p.IsIP = true
		p.Start, p.End = min(next, len(b)), max(min(next, len(b)), min(end, len(b)))
		p.Missing = max(0, end-max(next, len(b)))
		if p.IsFragment || p.Protocol != protoIPv4 && p.Protocol != protoIPv6 {
			return
		}
		at = next
	}
}

func (p *Packet) ipv4(b []byte, at int, end *int) (next int, ok bool) {
	if len(b) < at+20 {
		return 0, false // the header was not captured
	}
	h := b[at:]
	size, total := int(h[0]&15)*4, int(binary.BigEndian.Uint16(h[2:]))
	if total == 0 { // segmentation was left to the network card
		total = *end - at
	}
	switch {
	case size < 20:
		p.damage(at, 1, "an IPv4 header shorter than 20 bytes")
		return 0, false
	case total < size:
		p.damage(at+2, 2, "a total length of IPv4 that is less than its header")
		return 0, false
	case !p.add(IPv4, b, at, size):
		return 0, false
	}
	if at+total > *end {
		p.damage(at+2, 2, "a total length of IPv4 that is more than the packet has")
	} else {
		*end = at + total
	}
	fragment := binary.BigEndian.Uint16(h[6:])
	p.Offset, p.More = int(fragment&0x1fff)*8, fragment&0x2000 != 0
	p.IsFragment, p.ID = p.Offset > 0 || p.More, uint32(binary.BigEndian.Uint16(h[4:]))
	p.Src, p.Dst = netip.AddrFrom4([4]byte(h[12:16])), netip.AddrFrom4([4]byte(h[16:20]))
	p.Protocol = h[9]
	return at + size, true
}

// Add adds the header of UDP or TCP to a packet that is no fragment.
func (p *Packet) Add(l Layer, start, n int) {
	if p.N < maxHeaders {
		p.List[p.N] = Header{l, start, start + n}
		p.N++
	}
}
