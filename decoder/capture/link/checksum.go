package link

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
)

// Sum returns the checksum of bytes (RFC 1071): 0 where the one that is among them holds.
func Sum(b []byte) uint16 { return ^fold(add(0, b)) }

// add adds 16-bit numbers to a sum, eight bytes at a time: their carries come together when it is folded.
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

// A SumState says whether the checksum of a UDP datagram or TCP segment holds.
type SumState uint8

// What a checksum can be.
const (
	NoSum   SumState = iota // there is none, or not all of its bytes
	Holds                   // it is right
	Pending                 // it is 0 or covers the addresses only: the network card does the rest
	Wrong
)

// SumAt returns where the checksum of a protocol is, -1 where it has none.
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

// HeaderHolds reports whether the checksum of an IPv4 header holds, or is left to the network
// card.
func HeaderHolds(b []byte) bool { return Sum(b) == 0 || b[10] == 0 && b[11] == 0 }

// SetSum sets the checksum of a UDP datagram or TCP segment.
func SetSum(b []byte, protocol uint8, src, dst netip.Addr) {
	field := b[SumAt(protocol):]
	binary.BigEndian.PutUint16(field, 0)
	s := ^fold(add(pseudo(len(b), protocol, src, dst), b))
	if s == 0 && protocol == ProtoUDP {
		s = 0xffff // 0 says that there is none
	}
	binary.BigEndian.PutUint16(field, s)
}

// SetPending sets the checksum of a UDP datagram or TCP segment as it is left to the network card.
// A 0 stays.
func SetPending(b []byte, protocol uint8, src, dst netip.Addr) {
	if field := b[SumAt(protocol):]; binary.BigEndian.Uint16(field) != 0 {
		binary.BigEndian.PutUint16(field, fold(pseudo(len(b), protocol, src, dst)))
	}
}

// pseudo is the sum of what UDP and TCP count of IP: the addresses, the protocol, the length.
// What an IPv4 address has before it in 16 bytes adds 0xffff, which is 0 here.
func pseudo(n int, protocol uint8, src, dst netip.Addr) uint64 {
	from, to := src.As16(), dst.As16()
	return add(add(uint64(protocol)+uint64(n), from[:]), to[:])
}
