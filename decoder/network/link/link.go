// Package link reads the headers of a captured packet, from the link layer to UDP and TCP.
package link

import (
	"encoding/binary"
	"math/bits"
	"net/netip"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
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
	Extension // IPv6: hop-by-hop options, routing, destination options
	Fragment  // of IPv6
	Authentication
	UDP
	TCP
	NFLog
	WiFi
	SNAP
	Radiotap
	Pktap
	MPLS
	GRE
	VXLAN
	Geneve
	ERSPAN
	GTP // GTP-U of mobile networks
	PPI
)

var layerNames = []string{"eth", "vlan", "sll", "sll2", "null", "ppp", "pppoe", "ip", "ipv6", "ext", "fragment", "ah", "udp", "tcp",
	"nflog", "wlan", "snap", "radiotap", "pktap", "mpls", "gre", "vxlan", "geneve", "erspan", "gtp", "ppi"}

// String returns the name that the layer has in paths.
func (l Layer) String() string { return layerNames[l] }

// A Header is the place of one header in a packet.
type Header struct {
	Layer      Layer
	Start, End int
}

// maxHeaders is the largest number of headers of a packet. No sender comes near it.
const maxHeaders = 24

// Link types that are read (https://www.tcpdump.org/linktypes.html).
const (
	typeNull     = 0
	typeEthernet = 1
	typePPP      = 9
	typeRawBSD   = 12
	typeRawOpen  = 14
	typeRaw      = 101
	typeLoop     = 108
	typeWiFi     = 105
	typeSLL      = 113
	typeRadiotap = 127
	typePktapOld = 149
	typePPI      = 192
	typeIPv4     = 228
	typeIPv6     = 229
	typeNFLog    = 239
	typePktap    = 258
	typeSLL2     = 276
)

// Protocol numbers of IP that are read.
const (
	protoHopByHop    = 0
	ProtoICMP        = 1
	protoIPv4        = 4
	ProtoTCP         = 6
	ProtoUDP         = 17
	protoIPv6        = 41
	protoRouting     = 43
	protoFragment    = 44
	protoGRE         = 47
	ProtoICMPv6      = 58
	protoMPLS        = 137
	protoAH          = 51
	protoDestination = 60
	protoMobility    = 135
)

// A Packet is the content of a packet's headers.
type Packet struct {
	List [maxHeaders]Header
	N    int

	IsIP       bool
	Src, Dst   netip.Addr
	Protocol   uint8
	Start, End int // span of the payload of IP in the packet, as far as it was captured
	Missing    int // number of bytes of the payload that were not captured

	IsFragment bool
	ID         uint32 // shared by the fragments of a datagram
	Offset     int    // offset of the fragment in the payload
	More       bool   // other fragments follow

	IsEncrypted bool // an 802.11 frame whose content is

	// Damage is a problem of a header: the rest of the packet is not read. Its span is in the packet. Code
	// is "" if there is none.
	Damage span.Problem
}

// Headers returns the headers, in order. They follow one another.
func (p *Packet) Headers() []Header { return p.List[:p.N] }

// add adds a header of n bytes at start. It returns false if the packet is too short.
func (p *Packet) add(l Layer, b []byte, start, n int) bool {
	if start+n > len(b) || p.N == maxHeaders {
		return false
	}
	p.List[p.N] = Header{l, start, start + n}
	p.N++
	return true
}

func (p *Packet) damage(start, n int, message string) {
	p.Damage = span.Problem{Span: span.Span{Offset: int64(start), Length: int64(n)}, Severity: span.Error, Code: payload.WrongHeader, Message: message}
}

// links reads the headers of packets by their link type, from an index on.
var links map[uint16]func(p *Packet, b []byte, at, wire int)

func init() {
	raw := (*Packet).ip
	links = map[uint16]func(p *Packet, b []byte, at, wire int){
		typeEthernet: (*Packet).ethernet, typeRawBSD: raw, typeRawOpen: raw, typeRaw: raw, typeIPv4: raw, typeIPv6: raw,
		typeSLL:  func(p *Packet, b []byte, at, wire int) { p.typed(Cooked, b, at, 16, 14, wire) },
		typeSLL2: func(p *Packet, b []byte, at, wire int) { p.typed(Cooked2, b, at, 20, 0, wire) },
		typeNull: (*Packet).loopback, typeLoop: (*Packet).loopback, typePPP: (*Packet).pppLink,
		typeNFLog: (*Packet).nflog, typeWiFi: (*Packet).wifi, typeRadiotap: (*Packet).radiotap,
		typePktap: (*Packet).pktap, typePktapOld: (*Packet).pktap, typePPI: (*Packet).ppi,
	}
}

// Known reports whether packets of a link type can be read.
func Known(linkType uint16) bool { return links[linkType] != nil }

// Decode reads the headers of a packet up to and including IP, which may be in a tunnel. wire is the number of
// bytes that were sent.
func Decode(linkType uint16, b []byte, wire int, p *Packet) {
	p.N, p.IsIP, p.IsFragment, p.IsEncrypted, p.Damage.Code = 0, false, false, false, ""
	p.Start, p.End, p.Missing, p.Offset, p.More, p.ID = 0, 0, 0, 0, false, 0
	if read := links[linkType]; read != nil {
		read(p, b, 0, wire)
	}
}

// typed reads a header of some bytes with an EtherType at an index of it.
func (p *Packet) typed(l Layer, b []byte, at, size, etherType, wire int) {
	if p.add(l, b, at, size) {
		p.ether(binary.BigEndian.Uint16(b[at+etherType:]), b, at+size, wire)
	}
}

// loopback reads the header of BSD's loopback interface.
func (p *Packet) loopback(b []byte, at, wire int) {
	if p.add(Null, b, at, 4) && isFamily(b[at:]) {
		p.ip(b, at+4, wire)
	}
}

// pppLink reads the header of a PPP link.
func (p *Packet) pppLink(b []byte, at, wire int) {
	n := 2
	if len(b) > at && b[at] == 0xff {
		n = 4
	}
	if p.add(PPP, b, at, n) {
		p.ppp(binary.BigEndian.Uint16(b[at+n-2:]), b, at+n, wire)
	}
}

// isFamily reports whether a BSD loopback header, in the byte order of the capturing machine, announces IP.
// IPv6 has another number on each system.
func isFamily(b []byte) bool {
	for _, family := range []uint32{binary.LittleEndian.Uint32(b), binary.BigEndian.Uint32(b)} {
		switch family {
		case 2, 10, 24, 28, 30:
			return true
		}
	}
	return false
}

func (p *Packet) ethernet(b []byte, at, wire int) { p.typed(Ethernet, b, at, 14, 12, wire) }

// ether reads what follows an EtherType.
func (p *Packet) ether(kind uint16, b []byte, at, wire int) {
	switch kind {
	case 0x8100, 0x88a8, 0x9100:
		p.typed(VLAN, b, at, 4, 2, wire)
	case etherIPv4, etherIPv6:
		p.ip(b, at, wire)
	case etherMPLS, etherMPLSMany:
		p.mpls(b, at, wire)
	case etherPPPoE:
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
	end := wire // end of the bytes that the headers so far allow
	for at < len(b) && p.N < maxHeaders {
		next, ok := 0, false
		switch b[at] >> 4 {
		case 4:
			next, ok = p.ipv4(b, at, &end)
		case 6:
			next, ok = p.ipv6(b, at, &end)
		default:
			p.damage(at, 1, "a header announces IPv4 or IPv6, and neither begins here")
		}
		if !ok {
			return
		}
		p.IsIP = true
		p.Start, p.End = min(next, len(b)), max(min(next, len(b)), min(end, len(b)))
		p.Missing = max(0, end-max(next, len(b)))
		if p.IsFragment || p.tunnel(b, next, end) || p.Protocol != protoIPv4 && p.Protocol != protoIPv6 {
			return
		}
		at = next
	}
}

// tunnel reads what a packet of IP carries, if that is another packet with its own headers.
func (p *Packet) tunnel(b []byte, at, end int) bool {
	switch p.Protocol {
	case protoGRE:
		return p.gre(b, at, end)
	case protoMPLS:
		return p.inside(func() { p.mpls(b, at, end) })
	case ProtoUDP:
		return p.overlay(b, at, end)
	}
	return false
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
		p.damage(at+2, 2, "an IPv4 total length that is less than that of the header")
		return 0, false
	case !p.add(IPv4, b, at, size):
		return 0, false
	}
	if at+total > *end {
		p.damage(at+2, 2, "an IPv4 total length that is more than the packet has")
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

// MaxPayload is the largest payload of Datagram and Segment in bytes.
const MaxPayload = 65000

// Datagram returns a UDP datagram with its headers from IP on.
func Datagram(src, dst netip.AddrPort, payload []byte) []byte {
	b, start := ipHeader(src.Addr(), dst.Addr(), ProtoUDP, UDPSize+len(payload))
	b = ports(b, src, dst)
	b = binary.BigEndian.AppendUint16(b, uint16(UDPSize+len(payload)))
	b = append(binary.BigEndian.AppendUint16(b, 0), payload...)
	SetSum(b[start:], ProtoUDP, src.Addr(), dst.Addr())
	return b
}

// Segment returns a TCP segment with its headers from IP on.
func Segment(src, dst netip.AddrPort, seq, ack uint32, flags uint8, payload []byte) []byte {
	const size = 20
	b, start := ipHeader(src.Addr(), dst.Addr(), ProtoTCP, size+len(payload))
	b = ports(b, src, dst)
	b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, seq), ack)
	b = append(b, size/4<<4, flags, 0xff, 0xff, 0, 0, 0, 0) // a window of 65535
	b = append(b, payload...)
	SetSum(b[start:], ProtoTCP, src.Addr(), dst.Addr())
	return b
}

func ports(b []byte, src, dst netip.AddrPort) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, src.Port()), dst.Port())
}

// ipHeader returns the header of IP for n bytes, and its size. If one address is of IPv4 and the other of
// IPv6, the packet is of IPv6.
func ipHeader(src, dst netip.Addr, protocol uint8, n int) (b []byte, size int) {
	src, dst = src.Unmap(), dst.Unmap()
	if !src.Is4() || !dst.Is4() {
		b = append(make([]byte, 0, 40+n), 0x60, 0, 0, 0, byte(n>>8), byte(n), protocol, 64)
		from, to := src.As16(), dst.As16()
		return append(append(b, from[:]...), to[:]...), 40
	}
	total := 20 + n
	b = append(make([]byte, 0, total), 0x45, 0, byte(total>>8), byte(total), 0, 0, 0x40, 0, 64, protocol, 0, 0)
	from, to := src.As4(), dst.As4()
	b = append(append(b, from[:]...), to[:]...)
	binary.BigEndian.PutUint16(b[10:], Sum(b))
	return b, 20
}

func (p *Packet) ipv6(b []byte, at int, end *int) (next int, ok bool) {
	if !p.add(IPv6, b, at, 40) {
		return 0, false
	}
	h := b[at:]
	if n := int(binary.BigEndian.Uint16(h[4:])); n > 0 { // 0 in a jumbogram
		if at+40+n > *end {
			p.damage(at+4, 2, "an IPv6 payload length that is more than the packet has")
		} else {
			*end = at + 40 + n
		}
	}
	p.IsFragment, p.Offset, p.More = false, 0, false
	p.Src, p.Dst = netip.AddrFrom16([16]byte(h[8:24])), netip.AddrFrom16([16]byte(h[24:40]))
	return p.extensions(h[6], b, at+40)
}

// extensions reads the extension headers of IPv6.
func (p *Packet) extensions(kind uint8, b []byte, at int) (next int, ok bool) {
	for {
		layer, size := Extension, 8
		switch kind {
		case protoHopByHop, protoRouting, protoDestination, protoMobility:
			if at+2 > len(b) {
				return 0, false
			}
			size = (int(b[at+1]) + 1) * 8
		case protoFragment:
			layer = Fragment
		case protoAH:
			if at+2 > len(b) {
				return 0, false
			}
			layer, size = Authentication, (int(b[at+1])+2)*4
		default:
			p.Protocol = kind
			return at, true
		}
		if !p.add(layer, b, at, size) {
			return 0, false
		}
		if layer == Fragment {
			bits := binary.BigEndian.Uint16(b[at+2:])
			p.Offset, p.More = int(bits&^7), bits&1 != 0
			p.IsFragment, p.ID = p.Offset > 0 || p.More, binary.BigEndian.Uint32(b[at+4:])
		}
		kind = b[at]
		at += size
		if p.IsFragment && p.Offset > 0 { // what follows is not the start of a header
			p.Protocol = kind
			return at, true
		}
	}
}

// A UDPHeader is the header of a UDP datagram.
type UDPHeader struct {
	Src, Dst uint16
	Length   int // length of the datagram with its header
	Checksum uint16
}

// UDPSize is the size of the header.
const UDPSize = 8

// ParseUDP reads the header of a UDP datagram.
func ParseUDP(b []byte) (h UDPHeader, ok bool) {
	if len(b) < UDPSize {
		return h, false
	}
	return UDPHeader{binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:]), int(binary.BigEndian.Uint16(b[4:])), binary.BigEndian.Uint16(b[6:])}, true
}

// SegmentEnd returns where the UDP datagram or TCP segment in a packet ends; what IP has behind it is padding.
func (p *Packet) SegmentEnd(b []byte) int {
	if h, ok := ParseUDP(b[p.Start:p.End]); ok && p.Protocol == ProtoUDP && h.Length >= UDPSize && p.Start+h.Length <= p.End {
		return p.Start + h.Length
	}
	return p.End
}

// NoPort is why a datagram does not arrive: no program listens at its port.
const NoPort = "port unreachable"

// TooLarge is why a datagram does not arrive: it has more bytes than a link on its way takes at once.
const TooLarge = "fragmentation needed"

// unreachable are the reasons why packets do not arrive, by the codes of ICMP and ICMPv6.
var unreachable = [2][]string{
	{"network unreachable", "host unreachable", "protocol unreachable", NoPort, TooLarge, 9: "prohibited", 10: "prohibited", 13: "prohibited"},
	{"network unreachable", "prohibited", 3: "host unreachable", 4: NoPort, 5: "prohibited", 6: "prohibited"},
}

// Unreachable returns the protocol and the ends of a packet of UDP or TCP of which a message of ICMP says why it does not
// arrive; why is "" if it says something else.
func Unreachable(b []byte, icmp uint8) (protocol uint8, src, dst netip.AddrPort, why string) {
	const head = 8   // the packet follows, as far as it is there
	const tooBig = 2 // of ICMPv6
	kind, reasons := byte(3), unreachable[0]
	switch {
	case icmp == ProtoICMPv6 && len(b) > 0 && b[0] == tooBig:
		kind, reasons = tooBig, []string{TooLarge}
	case icmp == ProtoICMPv6:
		kind, reasons = 1, unreachable[1]
	}
	if len(b) < head || b[0] != kind || int(b[1]) >= len(reasons) {
		return 0, src, dst, ""
	}
	var p Packet
	p.ip(b[head:], 0, len(b))
	h, ok := ParseUDP(b[head:][p.Start:]) // ports of TCP are in the same place
	if !ok || !p.IsIP || p.Protocol != ProtoUDP && p.Protocol != ProtoTCP {
		return 0, src, dst, ""
	}
	return p.Protocol, netip.AddrPortFrom(p.Src, h.Src), netip.AddrPortFrom(p.Dst, h.Dst), reasons[b[1]]
}

// A TCPHeader is the header of a TCP segment.
type TCPHeader struct {
	Src, Dst uint16
	Seq, Ack uint32
	Size     int // with options
	Flags    uint8
	Window   uint16
}

// Flags of TCP that matter here.
const (
	FIN = 1
	SYN = 2
	RST = 4
	ACK = 16
)

// ParseTCP reads the header of a TCP segment. Size may be less than 20 or exceed the segment.
func ParseTCP(b []byte) (h TCPHeader, ok bool) {
	if len(b) < 20 {
		return h, false
	}
	return TCPHeader{
		Src: binary.BigEndian.Uint16(b), Dst: binary.BigEndian.Uint16(b[2:]),
		Seq: binary.BigEndian.Uint32(b[4:]), Ack: binary.BigEndian.Uint32(b[8:]),
		Size: int(b[12]>>4) * 4, Flags: b[13], Window: binary.BigEndian.Uint16(b[14:]),
	}, true
}

// Sum returns the checksum of bytes (RFC 1071): 0 if the bytes include one that fits.
func Sum(b []byte) uint16 { return ^fold(add(0, b)) }

// add adds 16-bit numbers to a sum, eight bytes at a time: folding adds up their carries.
func add(s uint64, b []byte) uint64 {
	carry := uint64(0)
	for ; len(b) >= 8; b = b[8:] {
		s, carry = bits.Add64(s, binary.BigEndian.Uint64(b), carry)
	}
	var rest [8]byte
	copy(rest[:], b)
	s, carry = bits.Add64(s, binary.BigEndian.Uint64(rest[:]), carry)
	s, carry = bits.Add64(s, 0, carry)
	return s + carry
}

func fold(s uint64) uint16 {
	for s > 0xffff {
		s = s&0xffff + s>>16
	}
	return uint16(s)
}

// A SumState says whether the checksum of a UDP datagram or TCP segment fits.
type SumState uint8

// What a checksum can be.
const (
	NoSum   SumState = iota // there is none, or its bytes are incomplete
	Holds                   // it is right
	Pending                 // it is 0 or covers only the addresses: the network card does the rest
	Wrong
)

// SumAt returns the offset of a protocol's checksum; -1 if it has none.
func SumAt(protocol uint8) int {
	switch protocol {
	case ProtoUDP:
		return 6
	case ProtoTCP:
		return 16
	}
	return -1
}

// CheckSum checks the checksum of a whole UDP datagram or TCP segment.
func CheckSum(b []byte, protocol uint8, src, dst netip.Addr) SumState {
	at := SumAt(protocol)
	if at < 0 || len(b) < at+2 {
		return NoSum
	}
	is, pseudo := binary.BigEndian.Uint16(b[at:]), pseudo(len(b), protocol, src, dst)
	switch {
	case is == 0 && protocol == ProtoUDP:
		return NoSum
	case fold(add(pseudo, b)) == 0xffff:
		return Holds
	case is == fold(pseudo), is == 0:
		return Pending
	}
	return Wrong
}

// HeaderHolds reports whether the checksum of an IPv4 header fits, or is left to the network card.
func HeaderHolds(b []byte) bool { return Sum(b) == 0 || b[10] == 0 && b[11] == 0 }

// SetSum sets the checksum of a UDP datagram or TCP segment.
func SetSum(b []byte, protocol uint8, src, dst netip.Addr) {
	field := b[SumAt(protocol):]
	binary.BigEndian.PutUint16(field, 0)
	s := ^fold(add(pseudo(len(b), protocol, src, dst), b))
	if s == 0 && protocol == ProtoUDP {
		s = 0xffff // 0 means that there is none
	}
	binary.BigEndian.PutUint16(field, s)
}

// pseudo returns the sum of the parts of IP that UDP and TCP include: the addresses, the protocol, the
// length. The prefix of an IPv4 address in 16 bytes adds 0xffff, which is 0 here.
func pseudo(n int, protocol uint8, src, dst netip.Addr) uint64 {
	from, to := src.As16(), dst.As16()
	return add(add(uint64(protocol)+uint64(n), from[:]), to[:])
}
