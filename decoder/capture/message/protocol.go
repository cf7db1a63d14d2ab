package message

// A Protocol is what the payloads of a flow are.
type Protocol uint8

// The protocols.
const (
	Undecided  Protocol = iota
	Godot3              // packets of Godot 3's multiplayer API
	Godot4              // packets of Godot 4's SceneMultiplayer
	Godot3Peer          // Variants or bytes, with the header of Godot 3's ENet peer
	Variants4           // Variants of Godot 4, or bytes
	Variants3           // Variants of Godot 3, or bytes
	OnlyBytes           // nothing that is known
	numProtocols
)

var protocols = [numProtocols]struct{ name, about string }{
	Godot3:     {"godot3-mp", "Godot 3's multiplayer API"},
	Godot4:     {"godot4-mp", "Godot 4's SceneMultiplayer"},
	Godot3Peer: {"godot3-peer", "put_var and put_packet of Godot 3's ENet peer"},
	Variants4:  {"godot4", "Variants of Godot 4"},
	Variants3:  {"godot3", "Variants of Godot 3"},
	OnlyBytes:  {"bytes", "bytes without a known meaning"},
}

// String returns the name that the output has and that ParseProtocol takes.
func (p Protocol) String() string { return protocols[p].name }

// Exists reports whether p is one of Protocols.
func (p Protocol) Exists() bool { return p > Undecided && p < numProtocols }

// About says what the protocol is, for people.
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
	for _, p := range Protocols() {
		if p.String() == name {
			return p, true
		}
	}
	return Undecided, false
}

// Dialect returns the dialect of the Variants that the protocol has.
func (p Protocol) Dialect() string { return dialects[p] }

// dialects are those of the Variants of each protocol.
var dialects = [numProtocols]string{Godot3: "godot3", Godot4: "godot4", Godot3Peer: "godot3", Variants4: "godot4", Variants3: "godot3", OnlyBytes: "godot4"}
