// Package enet reads ENet (http://enet.bespin.org), which Godot's multiplayer uses over UDP.
package enet

import (
	"encoding/binary"
	"fmt"

	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

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
	flagAcknowledge = 0x80 // an acknowledgement is wanted
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

// CommandHeaderSize is the size of the header that all commands have.
const CommandHeaderSize = 4

// A Kind describes the commands of one number.
type Kind struct {
	Name   string
	Size   int    // with the header, without data
	flags  []byte // that occur
	Length int    // where the u16 with the length of the data is; 0 without data
}

// Kinds are the commands by number; those without a name do not exist.
var Kinds = [16]Kind{
	Acknowledge:        {"acknowledge", 8, []byte{0}, 0},
	Connect:            {"connect", 48, []byte{flagAcknowledge}, 0},
	VerifyConnect:      {"verify_connect", 44, []byte{flagAcknowledge}, 0},
	Disconnect:         {"disconnect", 8, []byte{flagAcknowledge, flagUnsequenced, 0}, 0},
	Ping:               {"ping", 4, []byte{flagAcknowledge}, 0},
	SendReliable:       {"send_reliable", 6, []byte{flagAcknowledge}, 4},
	SendUnreliable:     {"send_unreliable", 8, []byte{0}, 6},
	SendFragment:       {"send_fragment", 24, []byte{flagAcknowledge}, 6},
	SendUnsequenced:    {"send_unsequenced", 8, []byte{flagUnsequenced}, 6},
	BandwidthLimit:     {"bandwidth_limit", 12, []byte{flagAcknowledge}, 0},
	ThrottleConfigure:  {"throttle_configure", 16, []byte{flagAcknowledge}, 0},
	SendUnreliablePart: {"send_unreliable_fragment", 24, []byte{0}, 6},
}

// A Command is one command of a datagram.
type Command struct {
	Number   uint8
	Flags    uint8
	Channel  uint8
	Sequence uint16 // the reliable sequence number
	Body     []byte // the whole command without its data
	At, Data int    // where it and its data begin in the commands
	Length   int    // of the data, as far as it is there
	Missing  int    // bytes of the data that were not captured
}

// End returns where the command ends in the commands.
func (c *Command) End() int { return c.Data + c.Length }

func (c *Command) u16(at int) uint16 { return binary.BigEndian.Uint16(c.Body[at:]) }
func (c *Command) u32(at int) uint32 { return binary.BigEndian.Uint32(c.Body[at:]) }

// A Damage says why commands cannot be read from an index on.
type Damage struct {
	At, Length    int
	Code, Message string
}

// maxCommands is the most commands of a datagram that are read; ENet sends 32 at most.
const maxCommands = 4096

// ParseCommands appends the commands of a datagram, which ends after b and as many bytes as
// were not captured. Of a command whose data are too long, or were not captured as a whole,
// there is what there is.
func ParseCommands(list []Command, b []byte, missing int) ([]Command, *Damage) {
	for at := 0; at < len(b); {
		if len(list) == maxCommands {
			return list, &Damage{at, len(b) - at, payload.WrongCommand, "more commands than a datagram has"}
		}
		number := b[at] & commandBits
		kind := &Kinds[number]
		c := Command{Number: number, Flags: b[at] &^ commandBits, At: at}
		if kind.Name == "" {
			return list, &Damage{at, 1, payload.WrongCommand, fmt.Sprintf("ENet has no command %d: what follows in the datagram is lost", number)}
		}
		if at+kind.Size > len(b) {
			if missing > 0 {
				return list, nil
			}
			return list, &Damage{at, len(b) - at, span.Truncated, fmt.Sprintf("an ENet command %s needs %s, but %s left in the datagram", kind.Name, span.Bytes(int64(kind.Size)), span.BytesAre(int64(len(b)-at)))}
		}
		c.Channel, c.Sequence = b[at+1], binary.BigEndian.Uint16(b[at+2:])
		c.Body = b[at : at+kind.Size]
		c.Data = at + kind.Size
		if kind.Length > 0 {
			n := int(c.u16(kind.Length))
			c.Length = min(n, len(b)-c.Data)
			c.Missing = n - c.Length
			if c.Missing > missing {
				return append(list, c), &Damage{at + kind.Length, 2, span.LengthOverrun,
					fmt.Sprintf("an ENet command %s has %s of data by its length, but %s left in the datagram", kind.Name, span.Bytes(int64(n)), span.BytesAre(int64(len(b)+missing-c.Data)))}
			}
		}
		list = append(list, c)
		at = c.End()
	}
	return list, nil
}

// unusual returns the first command with flags that ENet never sets, or on a channel that it
// never uses; nil if there is none.
func unusual(list []Command) *Command {
	for i := range list {
		c := &list[i]
		known := false
		for _, flags := range Kinds[c.Number].flags {
			known = known || flags == c.Flags
		}
		if !known {
			return c
		}
	}
	return nil
}
