package capture

import (
	"encoding/binary"

	"varview/decoder/capture/link"
)

// fixSums puts the checksums of a changed packet right that held before. Others stay as they
// are: those of packets captured where they were sent are often not set yet.
func fixSums(old, is []byte, h *link.Packet) {
	for _, x := range h.Headers() {
		if x.Layer == link.IPv4 && sum(0, old[x.Start:x.End]) == 0 {
			binary.BigEndian.PutUint16(is[x.Start+10:], 0)
			binary.BigEndian.PutUint16(is[x.Start+10:], sum(0, is[x.Start:x.End]))
		}
	}
	if h.Missing > 0 || h.End > len(old) {
		return
	}
	at, isUDP := 16, h.Protocol == link.ProtoUDP
	if isUDP {
		at = 6
	} else if h.Protocol != link.ProtoTCP {
		return
	}
	before, after := old[h.Start:h.End], is[h.Start:h.End+len(is)-len(old)]
	if len(before) < at+2 || isUDP && before[at] == 0 && before[at+1] == 0 || sum(pseudo(h, len(before)), before) != 0 {
		return
	}
	binary.BigEndian.PutUint16(after[at:], 0)
	s := sum(pseudo(h, len(after)), after)
	if s == 0 && isUDP {
		s = 0xffff
	}
	binary.BigEndian.PutUint16(after[at:], s)
}

// pseudo is the sum of what UDP and TCP count of IP: the addresses, the protocol, the length.
func pseudo(h *link.Packet, n int) (s uint32) {
	for _, a := range [][]byte{h.Src.AsSlice(), h.Dst.AsSlice()} {
		s += words(a)
	}
	return s + uint32(h.Protocol) + uint32(n)
}

// words adds up big-endian numbers of 16 bits.
func words(b []byte) (s uint32) {
	for ; len(b) > 1; b = b[2:] {
		s += uint32(binary.BigEndian.Uint16(b))
	}
	if len(b) == 1 {
		s += uint32(b[0]) << 8
	}
	return s
}

// sum is the internet's checksum: 0 where the one among the bytes holds.
func sum(start uint32, b []byte) uint16 {
	s := start + words(b)
	for s > 0xffff {
		s = s&0xffff + s>>16
	}
	return ^uint16(s)
}
