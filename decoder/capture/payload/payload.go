// Package payload defines what the layers of a network capture hand to the messages above
// them: the payloads of each flow, what happens to its connections, and problems.
package payload

import (
	"net/netip"
	"strconv"
	"time"

	"varview/decoder/span"
)

// A Payload is what one side of a flow gave to its transport as one unit: a UDP datagram, a
// value with its length from a TCP stream, a WebSocket message, or an ENet message. Fragments
// are joined, masks removed, packed bytes unpacked, and what was sent again comes once.
type Payload struct {
	Bytes []byte // valid only until Handler.Payload returns
	Parts []Part // where Bytes come from, in their order; valid as long as Bytes

	Frames []int // numbers of the packets that it came in, from 1, ascending; valid as long as Bytes
	Time   time.Time

	Flow       *Flow
	Connection *Connection // nil for UDP datagrams
	Src, Dst   netip.AddrPort

	Channel  uint8  // of ENet
	Mode     Mode   // how the transport delivers it
	Sequence uint16 // of ENet: the reliable sequence number on its channel
	Order    uint16 // of ENet: the unreliable sequence number or the unsequenced group
	Text     bool   // a WebSocket message of text

	Unit Unit // of TCP and WebSocket

	// Partial is set where bytes are missing that were sent: the packet was captured
	// in part, or a part of the stream was not captured. Missing bytes at the end are
	// not in Bytes.
	Partial bool
}

// Frame returns the number of the packet that completed the payload.
func (p *Payload) Frame() int {
	if len(p.Frames) == 0 {
		return 0
	}
	return p.Frames[len(p.Frames)-1]
}

// A Unit is what a stream has around the last bytes of a payload: a value with its length, or
// the last frame of a WebSocket message.
type Unit struct {
	Head   Bytes  // the length, or the header of the frame; valid as long as the payload's Bytes
	Size   int    // of what follows it, which is as in the stream: masked and packed
	Before []Unit // the frames of the message before its last one
	Alone  bool   // what is packed refers to nothing before it, and nothing after it to that
}

// ChannelText writes the channel of ENet, with a mark where delivery is not reliable: ~ for
// unreliable, ? for unsequenced.
func (p *Payload) ChannelText() (s string) {
	if p.Flow.Transport == ENet {
		s = strconv.Itoa(int(p.Channel))
	}
	switch p.Mode {
	case Unreliable:
		s += "~"
	case Unsequenced:
		s += "?"
	}
	return s
}

// A Part is a run of a payload's bytes that come from one place of the capture.
type Part struct {
	At     span.Span // in the capture file (that is not compressed itself); where Form is Unpacked, the packed bytes
	Frame  int       // the packet that it is in
	Length int64     // number of the payload's bytes, which differs from At.Length where Form is Unpacked
	Form   Form      // how the bytes of the payload differ from those of the capture
	Mask   [4]byte   // where Form is Masked: byte i of the part is masked with Mask[i%4]
}

// A Form is how a payload's bytes are in the capture.
type Form uint8

// The forms.
const (
	Plain    Form = iota // as they are
	Masked               // each combined with a byte of a mask, as WebSocket clients do
	Unpacked             // compressed together with other bytes
)

// A Transport is what a flow carries payloads with.
type Transport uint8

// The transports. Unknown is a flow that is not decided yet.
const (
	Unknown   Transport = iota
	UDP                 // datagrams
	TCP                 // values in a TCP stream, each after its length in 4 bytes
	WebSocket           // WebSocket messages
	ENet                // ENet messages
	TLS                 // encrypted, over TCP
	DTLS                // encrypted, over UDP
	Stream              // a TCP stream of something else
)

var transportNames = []string{"unknown", "udp", "tcp", "websocket", "enet", "tls", "dtls", "stream"}

// TransportNames returns the names of the transports that are known.
func TransportNames() []string { return transportNames[1:] }

// String returns the name that the output has and that ParseTransport takes.
func (t Transport) String() string {
	if int(t) < len(transportNames) {
		return transportNames[t]
	}
	return "unknown"
}

// ParseTransport returns the transport of a name.
func ParseTransport(name string) (Transport, bool) {
	for i, n := range transportNames[1:] {
		if n == name {
			return Transport(i + 1), true
		}
	}
	return Unknown, false
}

// A Mode is how a transport delivers a payload.
type Mode uint8

// The modes.
const (
	Reliable    Mode = iota // delivered, and in order: TCP, WebSocket, ENet's reliable commands
	Unreliable              // may be lost; late ones are dropped: ENet's unreliable commands
	Unsequenced             // may be lost or come in any order: UDP, ENet's unsequenced commands
)

// A Flow is all that two addresses send each other with one IP protocol.
type Flow struct {
	Number    int            // from 1, in the order in which they appear
	A, B      netip.AddrPort // A is the one that sent first
	Transport Transport      // as far as that is decided
	BigEndian bool           // of Transport TCP: the lengths have their highest byte first
	Checksum  bool           // of Transport ENet: datagrams have a checksum
}

// A Connection is a connection within a flow: state of both sides begins anew with it.
type Connection struct {
	Number         int            // from 1 in each flow
	Client, Server netip.AddrPort // invalid where the capture does not have its beginning
	Began          bool           // the capture has the beginning

	// Of ENet, where the capture has the connecting commands.
	ClientID               uint32 // the data of CONNECT: Godot's unique id of the client
	ConnectID              uint32 // the random number that tells connections apart
	ClientSlot, ServerSlot uint16 // the peer numbers by which each side is addressed
	Channels               uint32

	// Of WebSocket, where the capture has the request.
	Path     string // as the client asked for it; not cleaned for a terminal
	Protocol string // that the server chose
}

// An Event is what happens to a connection, or a payload that is not reported again.
type Event struct {
	Kind       EventKind
	Frame      int
	Time       time.Time
	Flow       *Flow
	Connection *Connection
	Src, Dst   netip.AddrPort

	Code   uint32 // of Closed: the data of ENet's DISCONNECT, the code of a WebSocket's close
	Reason string // of Closed: the reason of a WebSocket's close; not cleaned for a terminal
	First  int    // of Repeated: the packet in which the same was sent first, 0 where that was long ago
}

// An EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	Opened   EventKind = iota // the connection is ready for payloads of both sides
	Closed                    // one side closed it
	Repeated                  // something was sent again
)

// A Problem is a problem of the capture or of what it holds. Its span is in the capture
// file (that is not compressed itself).
type Problem struct {
	span.Problem
	Frame int   // the packet in which it shows, 0 for the file as a whole
	Flow  *Flow // nil where it is of no flow
}

// A Handler takes what is read, in the order of the packets.
type Handler interface {
	Payload(*Payload)
	Event(*Event)
	Problem(*Problem)
}
