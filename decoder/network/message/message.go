// Package message defines what the payloads of a flow say: the calls, values and system messages of Godot's
// networking, with the meaning of each byte.
package message

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// A Kind is what a message does.
type Kind uint8

// The kinds.
const (
	Bytes        Kind = iota // bytes of the game, or of no known meaning
	Var                      // one Variant: put_var
	Call                     // a remote call
	Set                      // a remote change of a property
	SimplifyPath             // a path gets an id
	ConfirmPath              // the receiver knows the path
	Raw                      // bytes of the game: send_bytes
	YourID                   // the id of the peer that receives this
	AddPeer                  // another peer has connected
	DelPeer                  // another peer has disconnected
	Spawn                    // a node is made
	Despawn                  // a node is removed
	Sync                     // properties of nodes
	Delta                    // changed properties of nodes
	Auth                     // bytes by which the game authenticates peers
	Relay                    // a message from or for another peer
	Unknown                  // a message of no known kind
)

var kindNames = []string{"bytes", "var", "rpc", "set", "simplify-path", "confirm-path", "raw", "your-id", "add-peer", "del-peer",
	"spawn", "despawn", "sync", "delta", "auth", "relay", "unknown"}

// String returns the kind's name in the output.
func (k Kind) String() string { return kindNames[k] }

// A Message is the content of one payload. It is valid as long as its payload.
type Message struct {
	Number  int // number from 0, in the order of the output
	Payload *payload.Payload
	Body
	Protocol Protocol
	From, To Peer
	Parts    []Part
	Problems []span.Problem // spans are in the payload
	Parsed   int            // number of the problems that show in the payload itself

	Shape   Shape
	Values  *variants.Reader // reader of the Variants in it
	Readers *variants.Readers
}

// A Shape is how one side of a flow sends its values.
type Shape struct {
	Vars   bool  // most payloads are Variants, so what begins like one is one
	Header uint8 // number of bytes of the game's own before each value
}

// Looked looks into the bytes of a body.
func (m *Message) Looked(b *Body) look.Look {
	if m.Readers == nil {
		return look.Look{}
	}
	return look.Into(b.Data, m.Readers.All(m.Protocol.Dialect())...)
}

// A Peer is the id of a peer, if it is known.
type Peer struct {
	ID    int32 // for a receiver, 0 means all peers, and a negative id all but the peer with that number
	Known bool
}

// KnownPeer returns a peer with an id.
func KnownPeer(id int32) Peer { return Peer{id, true} }

// A Body is the content of a message, whoever sends it. Only the fields of its kind are set.
type Body struct {
	Kind Kind

	Path   Path     // path of the node: Call, Set, SimplifyPath, ConfirmPath; of the spawner: Spawn; only with an Origin: Despawn
	ID     uint32   // id that stands for the path: SimplifyPath and ConfirmPath
	Name   string   // name of the method, of the property, or of a node that is spawned or removed
	Method uint16   // number of the method, if calls have no names
	Named  bool     // Call: Method has no meaning, or Name is known to be its name
	Digest string   // MD5 of the names of the node's methods: SimplifyPath, and Call if known
	Valid  Validity // ConfirmPath
	Args   []variants.Value
	Cut    []variants.Value // Var: what is there of a value that cannot be read
	Data   []byte           // for Bytes, Raw, Auth
	Peer   int32            // YourID, AddPeer, DelPeer; for Relay the receiver or sender

	Scene   uint8  // Spawn: number of the scene; 255 if there is none
	NetID   uint32 // Spawn, Despawn
	SyncIDs []uint32
	Custom  []variants.Value // Spawn: data of the game, if there are some
	State   []variants.Value // Spawn
	Time    uint16           // Sync
	Entries []Entry          // Sync, Delta

	Inner *Body // Relay
}

// A Path is the path of a node.
type Path struct {
	Text  string
	Known bool   // Text is the path; otherwise it is not known what the id stands for
	ByID  bool   // the message has the id, not the path
	ID    uint32 // set if ByID is

	At span.Span // place in the payload of the id, or of the number of a node that was spawned

	// Origin is the number of the message that has assigned the id, or has spawned the node that a number stands for,
	// counted from 1; 0 if there is none.
	Origin int
}

// Validity says whether what was compared is equal.
type Validity uint8

// The validities.
const (
	Unsaid Validity = iota
	Differs
	Same
)

// An Entry is the part of a Sync or Delta about one synchronizer.
type Entry struct {
	ID     uint32 // id of its path, with PathID; otherwise its number since it was spawned
	Path   Path   // only with an Origin if its node was spawned
	Node   string // name of the spawned node that it belongs to, if known
	Mask   uint64 // Delta
	Values []variants.Value
}

// PathID is set in the id of an entry that stands for a path.
const PathID = 1 << 31

// CustomScene is the number of the scene of a node that a function of the game makes.
const CustomScene = 255

// Innermost returns the relayed body, or the message's own.
func (b *Body) Innermost() *Body {
	for b.Inner != nil {
		b = b.Inner
	}
	return b
}

// A Part is a step through the payload of a message, or through a packet: a field, a value, or the beginning or end of
// a list. The fields and values tile the bytes.
type Part struct {
	span.Field // field of the part; its label is the name of a list
	Role       Role
	Form       variants.Form // of a value
	Notation   Notation      // of a field
	BigEndian  bool          // a number has its highest byte first
	Place      int           // number, from 1, of the place of the message that a part of a packet is or belongs to; 0 if there is none
	Means      string        // meaning of a field's bytes; "" if it is obvious
}

// A Role is what a part is.
type Role uint8

// The roles.
const (
	Field Role = iota // bytes with one meaning
	Value             // a Variant
	Open              // what follows, up to its Close, is a list
	Layer             // the same for a layer of a packet
	Whole             // a message in a packet
	Close
)

// A Notation is how the bytes of a field are read.
type Notation uint8

// The notations.
const (
	ByKind Notation = iota // as is usual for the kind of the field
	Data
	Number
	Bitmask // a number, in hexadecimal digits
	Address // of IP
	Text
)

// Reads returns how the bytes of a field are read.
func (p *Part) Reads() Notation {
	switch {
	case p.Notation != ByKind:
		return p.Notation
	case p.Kind == span.Text || p.Kind == span.Magic:
		return Text
	case p.Kind == span.Data || p.Kind == span.Gap:
		return Data
	}
	return Number
}

// Located returns a problem of the message as one of the capture: its span is that of the bytes in the
// file, or of the packed bytes that they were unpacked from.
func (m *Message) Located(p span.Problem) payload.Problem {
	data := payload.Bytes{Data: m.Payload.Bytes, Parts: m.Payload.Parts}
	at := p.Span
	frame, when := m.Payload.Frame(), m.Payload.Time
	if within := data.AppendParts(nil, int(at.Offset), 1); len(within) > 0 {
		frame, when = within[0].Frame, within[0].Time
	}
	p.Span = data.At(int(at.Offset), int(at.Length))
	return payload.Problem{Problem: p, Frame: frame, Time: when, Flow: m.Payload.Flow}
}

// pathAtEnd is set in the path id of a call that is the offset of the path instead, which is then at the
// end of the message.
const pathAtEnd = 1 << 31

// CallPath reads what follows the path id of a call, which was just read, and the path if that is at the
// end. Its offset counts from start, a place that from names.
func (c *Cursor) CallPath(id uint32, start int64, from string, read func(), path func(*Cursor) Path) Path {
	if id&pathAtEnd == 0 {
		p := Path{ByID: true, ID: id, At: c.Last()}
		read()
		return p
	}
	if n := len(c.Parts); n > 0 && !c.failed {
		c.Parts[n-1].Kind, c.Parts[n-1].Label = span.Length, "path offset"
	}
	at := start + int64(id&^pathAtEnd)
	if at < c.At || at >= c.Limit {
		c.Fail(c.Last(), BadOffset, fmt.Sprintf("the path should begin %s after %s, but the packet has %s", span.Bytes(at-start), from, span.Bytes(c.Limit-start)))
		return Path{}
	}
	c.Until(at, read)
	return path(c)
}

// A Protocol is the meaning of a flow's payloads.
type Protocol uint8

// The protocols.
const (
	Undecided  Protocol = iota
	Godot3              // packets of Godot 3's multiplayer API
	Godot4              // packets of Godot 4's SceneMultiplayer
	Godot3Peer          // Variants or bytes, with the header of Godot 3's ENet peer
	Variants4           // Variants of Godot 4, or bytes
	Variants3           // Variants of Godot 3, or bytes
	OnlyBytes           // nothing known
	numProtocols
)

var protocols = [numProtocols]struct{ name, dialect, about string }{
	Godot3:     {"godot3-mp", "godot3", "Godot 3's multiplayer API"},
	Godot4:     {"godot4-mp", "godot4", "Godot 4's SceneMultiplayer"},
	Godot3Peer: {"godot3-peer", "godot3", "put_var and put_packet of Godot 3's ENet peer"},
	Variants4:  {"godot4", "godot4", "Variants of Godot 4"},
	Variants3:  {"godot3", "godot3", "Variants of Godot 3"},
	OnlyBytes:  {"bytes", "godot4", "bytes without a known meaning"},
}

// String returns the name in the output, which ParseProtocol accepts.
func (p Protocol) String() string { return protocols[p].name }

// Exists reports whether p is one of Protocols.
func (p Protocol) Exists() bool { return p > Undecided && p < numProtocols }

// IsPlain reports whether payloads are Variants or bytes without anything else.
func (p Protocol) IsPlain() bool { return p == Variants4 || p == Variants3 || p == OnlyBytes }

// About describes the protocol for people.
func (p Protocol) About() string { return protocols[p].about }

// Protocols lists all protocols.
func Protocols() (all []Protocol) {
	for p := Godot3; p < numProtocols; p++ {
		all = append(all, p)
	}
	return all
}

// ParseProtocol returns the protocol of a name.
func ParseProtocol(name string) (Protocol, bool) {
	for p := range protocols {
		if protocols[p].name == name && name != "" {
			return Protocol(p), true
		}
	}
	return Undecided, false
}

// Dialect returns the dialect of the protocol's Variants.
func (p Protocol) Dialect() string { return protocols[p].dialect }

// Title returns in about limit bytes what a message says: the node, the method, the values. Control
// characters in it are not escaped.
func (m *Message) Title(limit int) string {
	t := titler{m: m, limit: limit}
	t.body(&m.Body)
	return t.String()
}

type titler struct {
	strings.Builder
	m     *Message
	limit int
}

func (t *titler) body(b *Body) {
	switch b.Kind {
	case Call:
		t.WriteString(PathText(b.Path) + "." + methodText(b))
		t.list("(", ")", b.Args)
	case Set:
		t.WriteString(PathText(b.Path) + "." + b.Name)
		t.list(" = ", "", b.Args)
	case Var:
		t.list("", "", append(b.Args[:len(b.Args):len(b.Args)], b.Cut...))
	case SimplifyPath:
		fmt.Fprintf(t, "%s is %d", PathText(b.Path), b.ID)
	case ConfirmPath:
		t.WriteString(PathText(b.Path))
		if b.Valid == Differs {
			t.WriteString(", other methods")
		}
	case Bytes, Raw, Auth:
		t.data(b)
	case YourID, AddPeer, DelPeer:
		t.WriteString(strconv.Itoa(int(b.Peer)))
	case Spawn:
		t.spawn(b)
	case Despawn:
		t.WriteString(b.Name)
		fmt.Fprintf(t, "#%d", b.NetID)
	case Sync, Delta:
		t.entries(b)
	case Relay:
		fmt.Fprintf(t, "%d: %s ", b.Peer, b.Inner.Kind)
		t.body(b.Inner)
	}
}

// PathText returns the path of a node, or the id if its path is not known.
func PathText(p Path) string {
	switch {
	case p.Known:
		return p.Text
	case p.ByID:
		return "?" + strconv.FormatUint(uint64(p.ID), 10)
	}
	return "?"
}

// methodText returns the name of a method, or its number.
func methodText(b *Body) string {
	if b.Name != "" || b.Named {
		return b.Name
	}
	return "#" + strconv.Itoa(int(b.Method))
}

func (t *titler) spawn(b *Body) {
	fmt.Fprintf(t, "%s: %s#%d", PathText(b.Path), b.Name, b.NetID)
	if b.Scene != CustomScene {
		fmt.Fprintf(t, " of scene %d", b.Scene)
	}
	if len(b.Custom) > 0 {
		t.list(" from ", "", b.Custom)
	}
	t.list(" (", ")", b.State)
}

func (t *titler) entries(b *Body) {
	for i := range b.Entries {
		e := &b.Entries[i]
		if i > 0 {
			t.WriteString(", ")
		}
		switch {
		case e.Path.ByID:
			t.WriteString(PathText(e.Path))
		default:
			fmt.Fprintf(t, "%s#%d", e.Node, e.ID)
		}
		t.list("(", ")", e.Values)
		if t.Len() >= t.limit {
			return
		}
	}
}

// list writes values, as many as there is room for.
func (t *titler) list(before, after string, values []variants.Value) {
	t.WriteString(before)
	t.Write(t.m.Values.AppendAll(nil, t.m.Payload.Bytes, values, t.limit-t.Len()))
	t.WriteString(after)
}

// data writes what bytes hold, or the first of them as hexadecimal digits.
func (t *titler) data(of *Body) {
	b := of.Data
	t.WriteString(span.Bytes(int64(len(b))))
	if len(b) == 0 {
		return
	}
	l := t.m.Looked(of)
	if text, ok := l.AppendTitle(nil, t.limit-t.Len()); ok {
		t.WriteString(": ")
		t.Write(text)
		return
	}
	shown := b[:min(len(b), max(0, (t.limit-t.Len())/2))]
	t.WriteString(": " + hex.EncodeToString(shown))
	if len(shown) < len(b) {
		t.WriteString("…")
	}
}
