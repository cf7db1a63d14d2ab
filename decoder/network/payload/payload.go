// Package payload defines what the layers of a network capture hand to the messages above
// them: the payloads of each flow, what happens to its connections, and problems.
package payload

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"varview/decoder/engine/span"
)

// A Payload is what one side of a flow gave to its transport as one unit: a UDP datagram, a value with its
// length from a TCP stream, a WebSocket message, or an ENet message. Fragments are joined, masks removed,
// packed bytes unpacked, and repetitions left out.
type Payload struct {
	Bytes []byte // valid only until Handler.Payload returns
	Parts []Part // places that Bytes come from, in order; valid as long as Bytes

	Frames []int // numbers of the packets that it came in, from 1, ascending; valid as long as Bytes
	Time   time.Time

	Flow       *Flow
	Connection *Connection // nil for UDP datagrams
	Src, Dst   netip.AddrPort

	Channel uint8 // channel of ENet
	Mode    Mode  // how the transport delivers it

	// Head frames the last bytes of a payload in a TCP stream: a length, or the header of the last frame of a
	// WebSocket message. It is valid as long as Bytes.
	Head Bytes

	// What it costs, and how its connection was just then; set by Measure.
	Wire    int           // bytes on the wire, with its share of the headers around it
	Since   time.Duration // time since the first message of the capture, once that is read
	Trip    time.Duration // round trip of what the sender sends, in microseconds; 0 if unknown
	Unacked int           // reliable commands of the sender that waited for their acknowledgement, with its own

	// Partial is set if bytes are missing that were sent: the packet was captured in part, or a part of the
	// stream was not captured. Missing bytes at the end are not in Bytes.
	Partial bool
}

// New returns a payload of a flow that a packet has completed.
func New(f *Flow, fromB bool, b Bytes, frame int, when time.Time) *Payload {
	p := &Payload{Bytes: b.Data, Parts: b.Parts, Frames: AppendFrames(nil, b.Parts), Time: when, Flow: f}
	if p.Src, p.Dst = f.Ends(fromB); len(p.Frames) == 0 { // it is empty
		p.Frames = append(p.Frames, frame)
	}
	return p
}

// Clone returns a copy that does not change.
func (p *Payload) Clone() *Payload {
	is, b := *p, Bytes{p.Bytes, p.Parts}.Clone()
	is.Bytes, is.Parts, is.Frames, is.Head = b.Data, b.Parts, slices.Clone(p.Frames), p.Head.Clone()
	return &is
}

// weigh returns about how many bytes the payload takes on the wire.
func (p *Payload) weigh() int {
	bytes := float32(0)
	for _, parts := range [][]Part{p.Parts, p.Head.Parts} {
		for i := range parts {
			bytes += parts[i].Cost * float32(parts[i].Length)
		}
	}
	return int(bytes + 0.5)
}

// Measure sets what the payload costs and how its connection is.
func (p *Payload) Measure() {
	sent := p.Flow.From(p.Src)
	p.Wire, p.Trip, p.Unacked = p.weigh(), sent.Trips.Last.Truncate(time.Microsecond), sent.Unacked
}

// Frame returns the number of the packet that completed the payload.
func (p *Payload) Frame() int {
	if len(p.Frames) == 0 {
		return 0
	}
	return p.Frames[len(p.Frames)-1]
}

// ChannelText returns the channel of ENet, with a mark if delivery is not reliable: ~ for unreliable, ? for
// unsequenced.
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
	At     span.Span // span in the (uncompressed) capture file; if Form is Unpacked, of the packed bytes
	Frame  int       // number of the packet
	Time   time.Time // when it was captured; zero if that is not known
	Length int64     // number of the payload's bytes, which differs from At.Length if Form is Unpacked
	Form   Form      // how the bytes of the payload differ from those of the capture
	Cost   float32   // bytes on the wire for each byte of the payload
	Mask   [4]byte   // if Form is Masked: byte i of the part is masked with Mask[i%4]

	Comments []string // on the packet, in pcapng; not cleaned for a terminal
}

// Comments calls do for each comment on the packets of the payload.
func (p *Payload) Comments(do func(frame int, comment string)) {
	for i, x := range p.Parts {
		if i > 0 && p.Parts[i-1].Frame == x.Frame {
			continue
		}
		for _, c := range x.Comments {
			do(x.Frame, c)
		}
	}
}

// A Form is the form of a payload's bytes in the capture.
type Form uint8

// The forms.
const (
	Plain    Form = iota // as they are
	Masked               // combined with the bytes of a mask, as WebSocket clients do
	Unpacked             // compressed together with other bytes

	Header    // not of the payload, but the header of a WebSocket frame before it
	Length    // likewise the length of a value, with the lowest byte first
	LengthBig // the same with the highest byte first
)

// A Transport is what carries the payloads of a flow.
type Transport uint8

// The transports. Unknown means that the flow is not decided yet.
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

// String returns the name in the output, which ParseTransport accepts.
func (t Transport) String() string {
	if int(t) < len(transportNames) {
		return transportNames[t]
	}
	return "unknown"
}

// ParseTransport returns the transport of a name.
func ParseTransport(name string) (Transport, bool) {
	t := Transport(max(0, slices.Index(transportNames, name)))
	return t, t != Unknown
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
	Number    int            // number from 1, in order of appearance
	A, B      netip.AddrPort // A is the side that sent first
	Transport Transport      // transport, as far as it is decided
	Checksum  bool           // whether datagrams of an ENet transport have a checksum
	Sent      [2]Traffic     // what A sends, what B sends
}

// Ends returns the source and the destination of what one side sends.
func (f *Flow) Ends(fromB bool) (src, dst netip.AddrPort) {
	if fromB {
		return f.B, f.A
	}
	return f.A, f.B
}

// IsOneSided reports whether the capture has packets of only one side so far.
func (f *Flow) IsOneSided() bool { return (f.Sent[0].Packets == 0) != (f.Sent[1].Packets == 0) }

// Lacks returns the message about a flow without the packets of one side.
func (f *Flow) Lacks(fromB bool) string {
	src, dst := f.Ends(fromB)
	return fmt.Sprintf("what %s sends to %s was not captured, though %s acknowledges it: capture both directions, without a filter by source or destination", src, dst, dst)
}

// From returns what the sender with an address sends.
func (f *Flow) From(src netip.AddrPort) *Traffic {
	if src == f.B && src != f.A {
		return &f.Sent[1]
	}
	return &f.Sent[0]
}

// A Connection is a connection within a flow, with which the state of both sides begins anew.
type Connection struct {
	Number         int            // number from 1 in each flow
	Client, Server netip.AddrPort // invalid if the capture lacks the beginning
	Began          bool           // the capture has the beginning

	// Of ENet, where the capture has the connecting commands.
	ClientID  uint32 // the data of CONNECT: Godot's unique id of the client
	ConnectID uint32 // the random number that tells connections apart
}

// Servers are those that have answered a client.
type Servers map[netip.AddrPort]bool

// maxServers is the largest number of servers that are remembered.
const maxServers = 16 << 10

// Add notes that a server has answered.
func (s Servers) Add(server netip.AddrPort) {
	if len(s) < maxServers {
		s[server] = true
	}
}

// Unanswering says why a server may not answer a client.
func (s Servers) Unanswering(server netip.AddrPort) string {
	if s[server] {
		return "the server is there and answers others, so it is full (max_clients), or refuses new connections"
	}
	return "no server listens there, or a firewall drops the packets"
}

// A Problem is a problem of the capture or of what it holds. Its span is in the capture
// file (that is not compressed itself).
type Problem struct {
	span.Problem
	Frame int           // the packet in which it shows, 0 for the file as a whole
	Time  time.Time     // when that was captured; zero if that is not known
	Since time.Duration // the same since the first message, once that is read
	Flow  *Flow         // nil if it concerns none, or several
	Event bool          // what happens to a connection, which is no problem

	IsComment bool // likewise a comment on the packet
}

// KindOfProblem is the kind by which queries ask for problems and events, beside those of messages.
const KindOfProblem = "connection"

// Texts returns the texts with a name, as those of a message do.
func (p *Problem) Texts(name string) []string {
	switch f := p.Flow; {
	case name == "":
		return []string{p.Message, p.Code, p.Engine}
	case name == "kind":
		return []string{KindOfProblem}
	case name == "frame":
		return []string{strconv.Itoa(p.Frame)}
	case name == "time" && !p.Time.IsZero():
		return []string{strconv.FormatFloat(p.Since.Seconds(), 'f', 6, 64)}
	case f == nil:
	case name == "flow":
		return []string{strconv.Itoa(f.Number)}
	case name == "transport":
		return []string{f.Transport.String()}
	case name == "src", name == "dst": // what concerns a connection concerns both sides
		return append(AddressTexts(f.A), AddressTexts(f.B)...)
	}
	return nil
}

// Content returns the bytes in which queries search: none.
func (p *Problem) Content() []byte { return nil }

// HasProblem reports whether it is a problem worse than a note.
func (p *Problem) HasProblem() bool { return p.Severity > span.Note }

// AddressTexts returns how queries ask for an address: with its port, and without.
func AddressTexts(a netip.AddrPort) []string {
	if !a.IsValid() {
		return nil
	}
	return []string{a.String(), a.Addr().String()}
}

// A Handler takes what is read, in the order of the packets.
type Handler interface {
	Payload(*Payload)
	Closed(*Flow) // one side closed the connection
	Problem(*Problem)
}

// Bytes are bytes and where they come from.
type Bytes struct {
	Data  []byte
	Parts []Part // together as long as Data
}

// Size returns the number of bytes, with those of the comments on their packets.
func (b Bytes) Size() int {
	n := len(b.Data)
	for i := range b.Parts {
		for _, c := range b.Parts[i].Comments {
			n += len(c)
		}
	}
	return n
}

// At returns where n bytes from an index on are in the capture: the span of those that are in the same part
// as the first. For unpacked bytes it returns the span of the packed ones.
func (b Bytes) At(from, n int) span.Span {
	for _, p := range b.Parts {
		if int64(from) < p.Length || int64(from) == p.Length && n == 0 {
			if p.Form == Unpacked {
				return p.At
			}
			return span.Span{Offset: p.At.Offset + int64(from), Length: min(int64(n), p.Length-int64(from))}
		}
		from -= int(p.Length)
	}
	if len(b.Parts) > 0 {
		return span.Span{Offset: b.Parts[len(b.Parts)-1].At.End()}
	}
	return span.Span{}
}

// Append appends n bytes of from, beginning at an index, with their parts.
func (b *Bytes) Append(from Bytes, at, n int) {
	b.Data = append(b.Data, from.Data[at:at+n]...)
	b.Parts = from.AppendParts(b.Parts, at, n)
}

// AppendParts appends the parts of n bytes that begin at an index. Neighbours become one part.
func (b Bytes) AppendParts(dst []Part, at, n int) []Part {
	skip, left := int64(at), int64(n)
	for _, p := range b.Parts {
		if left <= 0 {
			break
		}
		if skip >= p.Length {
			skip -= p.Length
			continue
		}
		p = p.cut(skip, min(left, p.Length-skip))
		skip = 0
		left -= p.Length
		if last := len(dst) - 1; last >= 0 && dst[last].joins(p) {
			dst[last].At.Length += p.At.Length
			dst[last].Length += p.Length
			continue
		}
		dst = append(dst, p)
	}
	return dst
}

// cut returns the n bytes of a part that begin at an index.
func (p Part) cut(at, n int64) Part {
	if p.Form != Unpacked {
		p.At = span.Span{Offset: p.At.Offset + at, Length: n}
	}
	var mask [4]byte
	for i := range mask {
		mask[i] = p.Mask[(at+int64(i))&3]
	}
	p.Mask, p.Length = mask, n
	return p
}

// joins reports whether a part continues p, in the same packet and without a mask.
func (p Part) joins(next Part) bool {
	return p.Form == Plain && next.Form == Plain && p.Frame == next.Frame && p.Cost == next.Cost && p.At.End() == next.At.Offset
}

// Slice returns n bytes that begin at an index, with new parts.
func (b Bytes) Slice(at, n int) Bytes {
	return Bytes{Data: b.Data[at : at+n], Parts: b.AppendParts(nil, at, n)}
}

// Unpacked returns what was unpacked from the bytes.
func (b Bytes) Unpacked(data []byte) Bytes {
	is := Bytes{Data: data, Parts: slices.Clone(b.Parts)}
	for i := range is.Parts {
		p := &is.Parts[i]
		p.Form, p.Mask, p.Length = Unpacked, [4]byte{}, 0
	}
	if len(is.Parts) > 0 {
		is.Parts[0].Length = int64(len(data))
	}
	return is
}

// Clone returns a copy that does not change.
func (b Bytes) Clone() Bytes {
	return Bytes{Data: append([]byte(nil), b.Data...), Parts: append([]Part(nil), b.Parts...)}
}

// AppendFrames appends the packet numbers of parts, each once and ascending, to frames, which are in the
// same order.
func AppendFrames(frames []int, parts []Part) []int {
	for _, p := range parts {
		if i, isThere := slices.BinarySearch(frames, p.Frame); !isThere {
			frames = slices.Insert(frames, i, p.Frame)
		}
	}
	return frames
}

// Codes of problems of captures and transports.
var (
	NoCapture        = span.AddCode(&Codes, "no-capture", span.Error, "a file that is not a capture: neither pcap nor pcapng")
	UnknownInterface = span.AddCode(&Codes, "unknown-interface", span.Error, "a packet of an interface that the capture does not describe")
	UnknownLink      = span.AddCode(&Codes, "unknown-link-type", span.Warning, "packets of a link type that is not read")
	WrongHeader      = span.AddCode(&Codes, "wrong-packet-header", span.Error, "a header of IP, UDP or TCP that contradicts itself or the packet")
	MissingSegment   = span.AddCode(&Codes, "missing-segment", span.Warning, "bytes of a TCP stream that the capture does not have")
	WrongFrame       = span.AddCode(&Codes, "bad-websocket-frame", span.Error, "a frame that WebSocket does not allow")
	WrongCommand     = span.AddCode(&Codes, "wrong-enet-command", span.Error, "bytes that are not a command of ENet, or flags that it never sets")
	WrongSum         = span.AddCode(&Codes, "wrong-checksum", span.Note, "wrong checksums of IP, UDP or TCP in a flow, other than those left to the network card")
	WrongChecksum    = span.AddCode(&Codes, "wrong-enet-checksum", span.Error, "the checksum of an ENet datagram is wrong, so that receivers drop it")
	MissingCommand   = span.AddCode(&Codes, "missing-enet-command", span.Warning, "reliable commands of ENet, or fragments, that the capture does not have")
	OtherSession     = span.AddCode(&Codes, "other-enet-session", span.Note, "an ENet datagram of a connection that is over")
	Encrypted        = span.AddCode(&Codes, "encrypted-flow", span.Note, "a flow that is encrypted with TLS or DTLS, and is not read")
	NoAnswer         = span.AddCode(&Codes, "not-answered", span.Error, "a connection of TCP or ENet is asked for, and nobody answers")
	Refused          = span.AddCode(&Codes, "connection-refused", span.Error, "a connection of TCP, TLS, ENet or WebSocket is refused, or packets do not arrive (ICMP)")
	ClosedBadly      = span.AddCode(&Codes, "closed-with-error", span.Error, "a WebSocket connection is closed with a status that names an error, or without one, or a TCP connection is broken off")
	TimedOut         = span.AddCode(&Codes, "timed-out", span.Error, "reliable commands of ENet, or bytes of TCP, are repeated and never acknowledged: their receiver is gone")
	SentAgain        = span.AddCode(&Codes, "sent-again", span.Note, "reliable commands of ENet, or segments of TCP, of which many are sent more than once: packets are lost, or late")
	FewerChannels    = span.AddCode(&Codes, "fewer-channels", span.Warning, "a server of ENet grants fewer channels than the client asks for")
	OneCompresses    = span.AddCode(&Codes, "one-side-compresses", span.Error, "one side of ENet compresses, and the other drops that")
	BeginsLate       = span.AddCode(&Codes, "capture-begins-late", span.Error, "the capture begins after a connection has begun, and later messages need what is missing")
	OneDirection     = span.AddCode(&Codes, "one-direction", span.Warning, "a flow of which the capture has only one direction: what the other side sends is acknowledged, and not there")
	OtherFraming     = span.AddCode(&Codes, "other-framing", span.Error, "a TCP stream whose values do not each follow a length of 32 bits, as get_var and PacketPeerStream expect")
	NotUnderstood    = span.AddCode(&Codes, "not-understood", span.Note, "a flow of which nothing is understood: it carries something else, or its beginning is missing; or a capture without any")
	CapturedInPart   = span.AddCode(&Codes, "captured-in-part", span.Error, "packets of which only the first bytes were captured (snaplen)")
	NotRead          = span.AddCode(&Codes, "not-read", span.Warning, "one side of a TCP connection has no room left for what the other sends: its program does not read")
	CapturedTwice    = span.AddCode(&Codes, "captured-twice", span.Warning, "packets that are in the capture twice, as it was made on two interfaces")
	TooMuch          = span.AddCode(&Codes, "left-out", span.Warning, "a message or stream that would take too much memory until the rest of it comes")
	TooMany          = span.AddCode(&Codes, "too-many", span.Warning, "more flows or interfaces than are kept at a time")
)

// Codes describes them.
var Codes []span.Code
