package link

import (
	"encoding/binary"
	"net/netip"
)

// MaxPayload is the most bytes that Datagram and Segment take.
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

// ipHeader returns the header of IP for n bytes, and its size. If one address is of IPv4 and
// the other of IPv6, the packet is of IPv6.
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
