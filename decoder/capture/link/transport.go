package link

import "encoding/binary"

// A UDPHeader is the header of a UDP datagram.
type UDPHeader struct {
	Src, Dst uint16
	Length   int // of the datagram with its header
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

// A TCPHeader is the header of a TCP segment.
type TCPHeader struct {
	Src, Dst uint16
	Seq, Ack uint32
	Size     int // with options
	Flags    uint8
}

// The flags of TCP that matter here.
const (
	FIN = 1
	SYN = 2
	RST = 4
	ACK = 16
)

// ParseTCP reads the header of a TCP segment. Size may be less than 20 or more than there
// is.
func ParseTCP(b []byte) (h TCPHeader, ok bool) {
	if len(b) < 20 {
		return h, false
	}
	return TCPHeader{
		Src: binary.BigEndian.Uint16(b), Dst: binary.BigEndian.Uint16(b[2:]),
		Seq: binary.BigEndian.Uint32(b[4:]), Ack: binary.BigEndian.Uint32(b[8:]),
		Size: int(b[12]>>4) * 4, Flags: b[13],
	}, true
}
