package link

import "encoding/binary"

// Numbers of what carries packets inside of others.
const (
	etherIPv4     = 0x0800
	etherIPv6     = 0x86dd
	etherPPPoE    = 0x8864
	etherMPLS     = 0x8847
	etherMPLSMany = 0x8848
	etherBridged  = 0x6558 // GRE: an Ethernet frame

	etherERSPAN  = 0x88be // GRE: an Ethernet frame of a switch's mirror
	etherERSPAN3 = 0x22eb

	portVXLAN      = 4789
	portVXLANLinux = 8472 // before the number was assigned
	portGeneve     = 6081
	portGTP        = 2152
)

// nflog reads a header of Linux's netfilter log: its packet is the value of an attribute.
func (p *Packet) nflog(b []byte, start, wire int) {
	const head, attribute, packet = 4, 4, 9
	for at := start + head; at+attribute <= len(b); {
		size := int(binary.LittleEndian.Uint16(b[at:])) // in the byte order of the machine, nearly always this one
		if kind := binary.LittleEndian.Uint16(b[at+2:]) & 0x3fff; kind == packet {
			if p.add(NFLog, b, start, at+attribute-start) {
				p.ip(b, at+attribute, wire)
			}
			return
		}
		at += max((size+3)&^3, attribute)
	}
}

// wifi reads the header of an 802.11 frame with data that is not encrypted.
func (p *Packet) wifi(b []byte, at, wire int) {
	const (
		data, dataMask   = 0x08, 0x0c
		noData, qos      = 0x40, 0x80
		toAP, fromAP     = 1, 2
		protected, order = 0x40, 0x80
	)
	if len(b) < at+2 {
		return
	}
	control, flags, size := b[at], b[at+1], 24
	if p.IsEncrypted = control&dataMask == data && flags&protected != 0; p.IsEncrypted || control&dataMask != data || control&noData != 0 {
		return
	}
	if flags&(toAP|fromAP) == toAP|fromAP {
		size += 6
	}
	if control&qos != 0 {
		size += 2
		if flags&order != 0 {
			size += 4
		}
	}
	if p.add(WiFi, b, at, size) {
		p.typed(SNAP, b, at+size, 8, 6, wire)
	}
}

// radiotap reads the header that describes how an 802.11 frame was received.
func (p *Packet) radiotap(b []byte, at, wire int) {
	if len(b) < at+4 {
		return
	}
	if n := int(binary.LittleEndian.Uint16(b[at+2:])); n >= 8 && p.add(Radiotap, b, at, n) {
		p.wifi(b, at+n, wire)
	}
}

// pktap reads the header of macOS, which names the link type of the packet.
func (p *Packet) pktap(b []byte, at, wire int) {
	if len(b) >= at+12 {
		p.announced(Pktap, b, at, int64(binary.LittleEndian.Uint32(b[at:])), b[at+8:], wire)
	}
}

// ppi reads the header of PPI, which names the link type of the packet (CACE PPI 1.0.10).
func (p *Packet) ppi(b []byte, at, wire int) {
	if len(b) >= at+8 {
		p.announced(PPI, b, at, int64(binary.LittleEndian.Uint16(b[at+2:])), b[at+4:], wire)
	}
}

// announced reads a header of some bytes, and the packet after it, whose link type is at of.
func (p *Packet) announced(l Layer, b []byte, at int, size int64, of []byte, wire int) {
	const least = 8
	read := links[uint16(binary.LittleEndian.Uint32(of))]
	if size >= least && size <= int64(len(b)) && read != nil && p.add(l, b, at, int(size)) {
		read(p, b, at+int(size), wire)
	}
}

// mpls reads labels, the last of which is marked, and the packet after them.
func (p *Packet) mpls(b []byte, at, wire int) {
	for last := false; !last; at += 4 {
		if !p.add(MPLS, b, at, 4) {
			return
		}
		last = b[at+2]&1 != 0
	}
	switch {
	case at >= len(b):
	case b[at]>>4 == 0: // a control word, and an Ethernet frame
		if p.add(MPLS, b, at, 4) {
			p.ethernet(b, at+4, wire)
		}
	default:
		p.ip(b, at, wire)
	}
}

// gre reads the header of GRE (RFC 2784, RFC 2890). It reports whether the packet in it is read.
func (p *Packet) gre(b []byte, at, wire int) bool {
	const sum, key, sequence, acknowledged = 0x8000, 0x2000, 0x1000, 0x80
	if len(b) < at+4 {
		return false
	}
	flags, kind, size := binary.BigEndian.Uint16(b[at:]), binary.BigEndian.Uint16(b[at+2:]), 4
	for _, has := range []uint16{sum, key, sequence, acknowledged} {
		if flags&has != 0 {
			size += 4
		}
	}
	if !p.add(GRE, b, at, size) {
		return false
	}
	return p.inside(func() {
		switch {
		case kind == etherERSPAN && flags&sequence == 0: // without a header of its own
			p.ethernet(b, at+size, wire)
		case kind == etherERSPAN:
			p.mirrored(b, at+size, 8, wire)
		case kind == etherERSPAN3:
			p.mirrored(b, at+size, 12, wire)
		default:
			p.carried(kind, b, at+size, wire)
		}
	})
}

// mirrored reads a header of ERSPAN with a size, and the frame after it.
func (p *Packet) mirrored(b []byte, at, size, wire int) {
	if p.add(ERSPAN, b, at, size) {
		p.ethernet(b, at+size, wire)
	}
}

// carried reads what a tunnel carries: an Ethernet frame, or what follows an EtherType.
func (p *Packet) carried(kind uint16, b []byte, at, wire int) {
	if kind == etherBridged {
		p.ethernet(b, at, wire)
	} else {
		p.ether(kind, b, at, wire)
	}
}

// overlay reads a UDP datagram of VXLAN (RFC 7348), Geneve (RFC 8926) or GTP-U (3GPP TS 29.281), if it is one. It reports whether the packet in it is
// read.
func (p *Packet) overlay(b []byte, at, wire int) bool {
	const idIsSet, optionWords, least = 0x08, 0x3f, 8
	h, ok := ParseUDP(b[min(at, len(b)):])
	if !ok || len(b) < at+UDPSize+least {
		return false
	}
	layer, size, kind := VXLAN, least, uint16(etherBridged)
	switch head := b[at+UDPSize:]; {
	case (h.Dst == portVXLAN || h.Dst == portVXLANLinux) && head[0] == idIsSet:
	case h.Dst == portGeneve && head[0]>>6 == 0:
		layer, size, kind = Geneve, least+4*int(head[0]&optionWords), binary.BigEndian.Uint16(head[2:])
	case h.Dst == portGTP && head[0]>>4 == gtpVersion && head[1] == gtpPacket:
		layer, size, kind = GTP, gtpSize(head), etherIPv4 // or IPv6
	default:
		return false
	}
	return p.inside(func() {
		if p.add(UDP, b, at, UDPSize) && p.add(layer, b, at+UDPSize, size) {
			p.carried(kind, b, at+UDPSize+size, wire)
		}
	})
}

const gtpVersion, gtpPacket = 3, 0xff // 1 with a bit for GTP; the type of a message with a packet

// gtpSize returns the size of a header of GTP-U with its extension headers (3GPP TS 29.281, 5.1 and 5.2).
func gtpSize(head []byte) int {
	const fixed, optional, extends = 8, 4, 4
	if head[0]&7 == 0 {
		return fixed
	}
	size := fixed + optional
	for head[0]&extends != 0 && size < len(head) && head[size-1] != 0 && head[size] != 0 {
		size += 4 * int(head[size])
	}
	return size
}

// inside reads a packet in a tunnel. If that is no IP, all is as before.
func (p *Packet) inside(read func()) bool {
	outer := *p
	p.IsIP = false
	if read(); !p.IsIP {
		*p = outer
		return false
	}
	return true
}
