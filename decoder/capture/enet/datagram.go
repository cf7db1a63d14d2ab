package enet

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// A Datagram is what a UDP datagram of ENet says.
type Datagram struct {
	Peer     uint16 // number of the receiver's peer
	Session  uint8
	HasTime  bool
	Time     uint16 // when it was sent, in milliseconds
	Checksum bool   // it has one
	Header   int    // size of the header, with the checksum

	Packing  Packing
	Commands []byte // unpacked
	List     []Command
	Damage   *Damage // in Commands
}

// ParseHeader reads the header of a datagram without its commands.
func (d *Datagram) ParseHeader(b []byte, checksum bool) (compressed, ok bool) {
	if len(b) < 2 {
		return false, false
	}
	bits := binary.BigEndian.Uint16(b)
	d.Peer, d.Session, d.HasTime = bits&peerBits, uint8(bits>>sessionShift&3), bits&flagSentTime != 0
	d.Header, d.Checksum = 2, checksum
	if d.HasTime {
		d.Header += 2
	}
	if checksum {
		d.Header += 4
	}
	if len(b) < d.Header {
		return false, false
	}
	if d.HasTime {
		d.Time = binary.BigEndian.Uint16(b[2:])
	}
	return bits&flagCompressed != 0, true
}

// isStrict reports whether all of a datagram is as ENet sends it.
func (d *Datagram) isStrict() bool {
	if d.Damage != nil || len(d.List) == 0 || unusual(d.List) != nil {
		return false
	}
	wanted := false
	for i := range d.List {
		wanted = wanted || d.List[i].Flags&flagAcknowledge != 0
	}
	return wanted == d.HasTime
}

// Connects returns the random number with which a datagram asks for a connection, if it does.
func (d *Datagram) Connects() (id uint32, ok bool) {
	if c := d.first(Connect); c != nil {
		return c.u32(40), true
	}
	return 0, false
}

// first returns the first command, if it has that number.
func (d *Datagram) first(number uint8) *Command {
	if len(d.List) > 0 && d.List[0].Number == number {
		return &d.List[0]
	}
	return nil
}

// find returns the first command with a number.
func (d *Datagram) find(number uint8) *Command {
	for i := range d.List {
		if d.List[i].Number == number {
			return &d.List[i]
		}
	}
	return nil
}

// ChecksumHolds reports whether the checksum of a datagram holds, in which the sender counts
// the connection's random number as it is sent; in CONNECT 0.
func (d *Datagram) ChecksumHolds(b []byte, connectID uint32) bool {
	return Checksum(b[:d.Header-4], connectID, d.Commands) == binary.BigEndian.Uint32(b[d.Header-4:])
}

// Checksum returns the checksum of a datagram with a head, which goes up to the checksum, and
// commands that are not packed.
func Checksum(head []byte, connectID uint32, commands []byte) uint32 {
	sum := crc32.ChecksumIEEE(head)
	sum = crc32.Update(sum, crc32.IEEETable, binary.BigEndian.AppendUint32(nil, connectID))
	return crc32.Update(sum, crc32.IEEETable, commands)
}

// ChecksumID returns the one number of the connection with which the checksum of a datagram holds. A
// CRC can be run backwards: over the commands, and over the number as if it were 0, which gives what
// was there before it, with the bits of the number.
func (d *Datagram) ChecksumID(b []byte) uint32 {
	var byHighest [256]byte // the entry of the table with a highest byte, which each has another
	for i, entry := range crc32.IEEETable {
		byHighest[entry>>24] = byte(i)
	}
	state := ^binary.BigEndian.Uint32(b[d.Header-4:])
	before := func(b byte) {
		i := byHighest[state>>24]
		state = (state^crc32.IEEETable[i])<<8 | uint32(i^b)
	}
	for i := len(d.Commands) - 1; i >= 0; i-- {
		before(d.Commands[i])
	}
	for range 4 {
		before(0)
	}
	return bits.ReverseBytes32(^state ^ crc32.ChecksumIEEE(b[:d.Header-4]))
}
