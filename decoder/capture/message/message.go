// Package message defines what the payloads of a flow say: the calls, values and system
// messages of Godot's networking, with the meaning of each byte.
package message

import (
	"varview/decoder/capture/payload"
	"varview/decoder/capture/variants"
	"varview/decoder/span"
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
	YourID                   // the id of the peer that is told so
	AddPeer                  // another peer has come
	DelPeer                  // another peer is gone
	Spawn                    // a node is made
	Despawn                  // a node is removed
	Sync                     // properties of nodes
	Delta                    // properties of nodes that have changed
	Auth                     // bytes that the game compares before peers know each other
	Relay                    // a message from or for another peer
	Unknown                  // a message of no known kind
)

var kindNames = []string{"bytes", "var", "rpc", "set", "simplify-path", "confirm-path", "raw", "your-id", "add-peer", "del-peer",
	"spawn", "despawn", "sync", "delta", "auth", "relay", "unknown"}

// String returns the kind's name in the output.
func (k Kind) String() string { return kindNames[k] }

// Exists reports whether k is a kind.
func (k Kind) Exists() bool { return int(k) < len(kindNames) }

// A Message is what one payload says. It is valid as long as its payload.
type Message struct {
	Number  int // from 0, in the order of the output
	Payload *payload.Payload
	Body
	Protocol Protocol
	From, To Peer
	Parts    []Part
	Problems []span.Problem // spans are in the payload

	Values *variants.Reader // of the Variants in it
}

// A Peer is the id of a peer, where it is known.
type Peer struct {
	ID    int32 // of a receiver 0 is all of them, and one below 0 all but the peer with that number
	Known bool
}

// KnownPeer returns a peer with an id.
func KnownPeer(id int32) Peer { return Peer{id, true} }

// A Body is what a message says, whoever sends it. Of the fields only those of its kind are
// set.
type Body struct {
	Kind Kind

	Path   Path     // of the node: Call, Set, SimplifyPath, ConfirmPath; of the spawner: Spawn
	ID     uint32   // that stands for the path: SimplifyPath and ConfirmPath
	Name   string   // of the method, of the property, of a node that is spawned or removed
	Method uint16   // the number of the method where calls have no names
	Named  bool     // Call: Method has no meaning, or it is known that Name is its name
	Digest string   // the MD5 of the names of the node's methods: SimplifyPath, and Call where it is known
	Valid  Validity // ConfirmPath
	Args   []variants.Value
	Data   []byte // of Bytes, Raw, Auth
	Peer   int32  // YourID, AddPeer, DelPeer; of Relay the one it is for, or that has sent it

	Scene   uint8  // Spawn: the number of the scene, 255 for none
	NetID   uint32 // Spawn, Despawn
	SyncIDs []uint32
	Custom  *variants.Value  // Spawn: what the game gives along
	State   []variants.Value // Spawn
	Time    uint16           // Sync
	Entries []Entry          // Sync, Delta

	Inner *Body // Relay
}

// A Path is the path of a node.
type Path struct {
	Text  string
	Known bool   // Text is the path; else it is not known what the id stands for
	ByID  bool   // the message has the id, not the path
	ID    uint32 // where ByID is set
}

// Validity says whether what was compared is the same.
type Validity uint8

// The validities.
const (
	Unsaid Validity = iota
	Differs
	Same
)

// An Entry is what a Sync or Delta says of one synchronizer.
type Entry struct {
	ID     uint32 // with ByPathID the id of its path, else its number since it was spawned
	Path   Path
	Node   string // the name of the spawned node that it belongs to, where that is known
	Mask   uint64 // Delta
	Values []variants.Value
}

// PathID is set in the id of an entry that stands for a path.
const PathID = 1 << 31

// Innermost returns what is relayed, or the message's own body.
func (b *Body) Innermost() *Body {
	for b.Inner != nil {
		b = b.Inner
	}
	return b
}
