package link

import (
	"encoding/binary"
	"net/netip"
)

func (p *Packet) ipv6(b []byte, at int, end *int) (next int, ok bool) {
	if !p.add(IPv6, b, at, 40) {
		return 0, false
	}
	h := b[at:]
	if n := int(binary.BigEndian.Uint16(h[4:])); n > 0 { // 0 in a jumbogram
		if at+40+n > *end {
			p.damage(at+4, 2, "a payload length of IPv6 that is more than the packet has")
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
