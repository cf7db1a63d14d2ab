// Package enet reads ENet (http://enet.bespin.org), which Godot's multiplayer uses over UDP.
package enet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
)

// A Datagram is a parsed UDP datagram of ENet.
type Datagram struct {
	Peer     uint16 // number of the receiver's peer
	Session  uint8
	HasTime  bool
	SentTime uint16 // the sender's clock in milliseconds, if HasTime
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
		d.SentTime = binary.BigEndian.Uint16(b[2:])
	}
	return bits&flagCompressed != 0, true
}

// isStrict reports whether the whole datagram is as ENet sends it.
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

// connect returns the first command if it asks for a connection; otherwise nil.
func (d *Datagram) connect() *Command {
	if len(d.List) > 0 && d.List[0].Number == Connect {
		return &d.List[0]
	}
	return nil
}

// checksumHolds reports whether the checksum of a datagram fits. connectID is the random number of the
// connection as it is sent; 0 in CONNECT.
func (d *Datagram) checksumHolds(b []byte, connectID uint32) bool {
	return Checksum(b[:d.Header-4], connectID, d.Commands) == binary.BigEndian.Uint32(b[d.Header-4:])
}

// Checksum returns the checksum of a datagram: head goes up to the checksum, commands are not packed.
func Checksum(head []byte, connectID uint32, commands []byte) uint32 {
	sum := crc32.ChecksumIEEE(head)
	sum = crc32.Update(sum, crc32.IEEETable, binary.BigEndian.AppendUint32(nil, connectID))
	return crc32.Update(sum, crc32.IEEETable, commands)
}

// ChecksumID returns the only connection number with which the checksum of a datagram fits. It runs the CRC
// backwards: over the commands, and over the number as if it were 0, which yields the state before the
// number, combined with the number's bits.
func (d *Datagram) ChecksumID(b []byte) uint32 {
	var byHighest [256]byte // index of the table entry with each highest byte; all differ
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

// The numbers of commands.
const (
	Acknowledge        = 1
	Connect            = 2
	VerifyConnect      = 3
	Disconnect         = 4
	Ping               = 5
	SendReliable       = 6
	SendUnreliable     = 7
	SendFragment       = 8
	SendUnsequenced    = 9
	BandwidthLimit     = 10
	ThrottleConfigure  = 11
	SendUnreliablePart = 12
)

// Bits of a command's first byte, and of the first two bytes of a datagram.
const (
	flagAcknowledge = 0x80 // an acknowledgement is requested
	flagUnsequenced = 0x40
	commandBits     = 0x0f

	flagSentTime   = 0x8000
	flagCompressed = 0x4000
	sessionShift   = 12
	peerBits       = 0x0fff

	noPeer = 0xfff // the peer number of CONNECT
)

// noChannel is the channel of the connection itself, on which all commands count as reliable.
const noChannel = 0xff

// A Column is a number in the header of a command.
type Column struct {
	Name string
	Size int
	Kind span.Kind
}

// A CommandType describes the commands of one number.
type CommandType struct {
	Name    string
	Columns []Column // after the first byte and the channel; data follow if one is their length
	flags   []byte   // flags that occur
	size    int      // of the header, without data
	length  int      // offset of the length of the data; 0 if there are none
}

var (
	sequence   = Column{"sequence", 2, span.Value}
	length     = Column{"length", 2, span.Length}
	throttle   = []Column{{"interval", 4, span.Value}, {"acceleration", 4, span.Value}, {"deceleration", 4, span.Value}}
	bandwidth  = []Column{{"incoming", 4, span.Value}, {"outgoing", 4, span.Value}}
	connecting = slices.Concat([]Column{sequence, {"peer", 2, span.Value}, {"incoming_session", 1, span.Value}, {"outgoing_session", 1, span.Value},
		{"mtu", 4, span.Value}, {"window", 4, span.Value}, {"channels", 4, span.Length}}, bandwidth, throttle, []Column{{"connect_id", 4, span.ID}})
	fragmented = []Column{sequence, {"start", 2, span.Ref}, length, {"count", 4, span.Length}, {"number", 4, span.Value}, {"total", 4, span.Length}, {"offset", 4, span.Value}}
)

// Kinds are the commands by number; those without a name do not exist.
var Kinds = [16]CommandType{
	Acknowledge:        command("acknowledge", []byte{0}, sequence, Column{"acknowledged", 2, span.Ref}, Column{"sent_time", 2, span.Value}),
	Connect:            command("connect", []byte{flagAcknowledge}, slices.Concat(connecting, []Column{{"data", 4, span.Value}})...),
	VerifyConnect:      command("verify_connect", []byte{flagAcknowledge}, connecting...),
	Disconnect:         command("disconnect", []byte{flagAcknowledge, flagUnsequenced, 0}, sequence, Column{"data", 4, span.Value}),
	Ping:               command("ping", []byte{flagAcknowledge}, sequence),
	SendReliable:       command("send_reliable", []byte{flagAcknowledge}, sequence, length),
	SendUnreliable:     command("send_unreliable", []byte{0}, sequence, Column{"unreliable", 2, span.Value}, length),
	SendFragment:       command("send_fragment", []byte{flagAcknowledge}, fragmented...),
	SendUnsequenced:    command("send_unsequenced", []byte{flagUnsequenced}, sequence, Column{"group", 2, span.Value}, length),
	BandwidthLimit:     command("bandwidth_limit", []byte{flagAcknowledge}, slices.Concat([]Column{sequence}, bandwidth)...),
	ThrottleConfigure:  command("throttle_configure", []byte{flagAcknowledge}, slices.Concat([]Column{sequence}, throttle)...),
	SendUnreliablePart: command("send_unreliable_fragment", []byte{0}, fragmented...),
}

func command(name string, flags []byte, columns ...Column) CommandType {
	k := CommandType{Name: name, Columns: columns, flags: flags, size: 2}
	for _, x := range columns {
		if x == length {
			k.length = k.size
		}
		k.size += x.Size
	}
	return k
}

// A Command is one command of a datagram.
type Command struct {
	Number, Flags, Channel uint8
	Sequence               uint16 // reliable sequence number
	Body                   []byte // the whole command without its data
	At, Data               int    // offsets of the command and of its data in the commands
	Length                 int    // length of the data that are present
	Missing                int    // number of bytes of the data that were not captured
}

// End returns the offset of the command's end in the commands.
func (c *Command) End() int { return c.Data + c.Length }

func (c *Command) u16(at int) uint16 { return binary.BigEndian.Uint16(c.Body[at:]) }

// value returns the number in a column; 0 if the command has none.
func (c *Command) value(name string) (x uint32) {
	at := 2
	for _, column := range Kinds[c.Number].Columns {
		if column.Name == name {
			for _, b := range c.Body[at : at+column.Size] {
				x = x<<8 | uint32(b)
			}
		}
		at += column.Size
	}
	return x
}

// A Damage says why commands cannot be read from an index on.
type Damage struct {
	At, Length    int
	Code, Message string
}

// maxCommands is the largest number of commands of a datagram that are read; ENet sends 32 at most.
const maxCommands = 4096

// ParseCommands appends the commands of a datagram, which consists of b and missing further bytes that were
// not captured. If the data of a command are too long, or incomplete in the capture, it returns what there
// is of them.
func ParseCommands(list []Command, b []byte, missing int) ([]Command, *Damage) {
	for at := 0; at < len(b); {
		if len(list) == maxCommands {
			return list, &Damage{at, len(b) - at, payload.WrongCommand, "more commands than a datagram can have"}
		}
		number := b[at] & commandBits
		kind := &Kinds[number]
		c := Command{Number: number, Flags: b[at] &^ commandBits, At: at}
		if kind.Name == "" {
			return list, &Damage{at, 1, payload.WrongCommand, fmt.Sprintf("ENet has no command %d: what follows in the datagram is lost", number)}
		}
		if at+kind.size > len(b) {
			if missing > 0 {
				return list, nil
			}
			return list, &Damage{at, len(b) - at, span.Truncated, fmt.Sprintf("an ENet command %s needs %s, but %s left in the datagram", kind.Name, span.Bytes(int64(kind.size)), span.BytesAre(int64(len(b)-at)))}
		}
		c.Channel, c.Sequence = b[at+1], binary.BigEndian.Uint16(b[at+2:])
		c.Body = b[at : at+kind.size]
		c.Data = at + kind.size
		if kind.length > 0 {
			n := int(c.u16(kind.length))
			c.Length = min(n, len(b)-c.Data)
			c.Missing = n - c.Length
			if c.Missing > missing {
				return append(list, c), &Damage{at + kind.length, 2, span.LengthOverrun,
					fmt.Sprintf("an ENet command %s has %s of data by its length, but %s left in the datagram", kind.Name, span.Bytes(int64(n)), span.BytesAre(int64(len(b)+missing-c.Data)))}
			}
		}
		list = append(list, c)
		at = c.End()
	}
	return list, nil
}

// unusual returns the first command with flags that ENet never sets, or on a channel that it never uses;
// nil if there is none.
func unusual(list []Command) *Command {
	for i := range list {
		if c := &list[i]; !slices.Contains(Kinds[c.Number].flags, c.Flags) {
			return c
		}
	}
	return nil
}
