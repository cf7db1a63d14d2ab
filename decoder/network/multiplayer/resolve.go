package multiplayer

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/methods"
	"varview/decoder/network/payload"
)

// resolve finds out who a message is from and to, and what its ids stand for, and remembers what it says
// about ids.
func (r *Reader) resolve(m *message.Message, f *flow) {
	f.learnServer(m)
	x := exchange{Reader: r, flow: f, server: f.server, message: m}
	r.met(m, f)
	switch f.side(m.Payload).protocol {
	case message.Godot3:
		f.system(m)
		x.from, x.to = party{id: m.From.ID}, party{id: m.To.ID}
		x.overdue()
		x.godot3(&m.Body)
	case message.Godot4:
		f.peers(m)
		x.from, x.to = partyOf(m.From, m.Payload.Src), partyOf(m.To, m.Payload.Dst)
		x.overdue()
		x.godot4(&m.Body)
	}
}

func partyOf(p message.Peer, addr netip.AddrPort) party {
	if p.Known {
		return party{id: p.ID}
	}
	return party{addr: addr}
}

// learnServer finds out which side of the flow is the server.
func (f *flow) learnServer(m *message.Message) {
	p := m.Payload
	switch c := p.Connection; {
	case c != nil && c.Server.IsValid():
		f.server = c.Server
	case f.protocol != message.Godot3 || !m.From.Known:
	case m.From.ID == 1:
		f.server = p.Src
	case m.To.ID == 1:
		f.server = p.Dst
	}
}

// peers sets from and to of a message of Godot 4, by its connection.
func (f *flow) peers(m *message.Message) {
	p := m.Payload
	c := p.Connection
	if c == nil || !c.Server.IsValid() {
		return
	}
	client := message.KnownPeer(int32(c.ClientID))
	if p.Flow.Transport == payload.WebSocket {
		if m.Kind == message.YourID {
			f.named(c, m.Peer)
		}
		client.ID, client.Known = f.clients[c]
	}
	if server := message.KnownPeer(1); p.Src == c.Server {
		m.From, m.To = server, client
	} else {
		m.From, m.To = client, server
	}
}

// named notes the id of a connection's client. Only the last connections of a flow are kept.
func (f *flow) named(c *payload.Connection, id int32) {
	const most = 16
	if f.clients == nil || len(f.clients) >= most {
		f.clients = map[*payload.Connection]int32{}
	}
	f.clients[c] = id
}

// An exchange is one message between two peers of a server.
type exchange struct {
	*Reader
	flow     *flow
	server   netip.AddrPort
	from, to party
	message  *message.Message
}

// key returns the key of the sender's node with a number or a path.
func (x *exchange) key(id uint32, path string) key {
	return key{server: x.server, from: x.from, id: id, path: path}
}

// announce remembers that an id stands for a path.
func (x *exchange) announce(from, to party, b *message.Body) {
	k, is := key{server: x.server, from: from, to: to, id: b.ID}, known{b.Path.Text, b.Digest, x.message.Number + 1}
	if !b.Path.Known {
		return
	}
	if was, before := x.memory.paths[k]; before && was.path == is.path && was.digest == is.digest {
		return
	} else if before {
		x.warn(message.RepeatedPath, b.Path.At, fmt.Sprintf("the id %d already stands for another path", b.ID))
	}
	if x.memory.reserve(2*len(is.path) + entrySize) {
		x.forgotten()
	}
	x.memory.paths[k] = is
	if is.digest != "" {
		x.memory.digests[key{server: x.server, from: from, path: is.path}] = is.digest
	}
}

// find sets the path that an id stands for, and returns the digest of the node's methods.
func (x *exchange) find(from, to party, p *message.Path) (digest string) {
	if !p.ByID {
		return ""
	}
	is, ok := x.memory.paths[key{server: x.server, from: from, to: to, id: p.ID}]
	if p.Text, p.Origin, p.Known = is.path, is.origin, ok; !ok {
		x.beginsLate()
		x.warn(message.UnknownPath, p.At, fmt.Sprintf("no earlier message in the capture says which path has the id %d", p.ID))
		if c := x.message.Payload.Connection; c != nil && c.Began && !x.lossy && from == x.from {
			x.neverGiven(&x.cursor.Problems[len(x.cursor.Problems)-1], p.ID)
		}
	}
	return is.digest
}

// neverGiven completes the problem of an id to which its sender has not given a path, though the whole connection was captured.
func (x *exchange) neverGiven(p *span.Problem, id uint32) {
	p.Severity = span.Error
	p.Message = fmt.Sprintf("no message has said which path has the id %d, so its receiver does not know it: it may be of a connection before, of a peer with the same id", id)
	p.Engine = fmt.Sprintf("ID %d not found in cache of peer %d.", id, x.from.id)
	if x.message.Protocol == message.Godot3 {
		p.Engine = "Invalid packet received. Unabled to find requested cached node."
	}
}

// warn adds a problem.
func (x *exchange) warn(code string, at span.Span, text string) {
	x.cursor.Problems = append(x.cursor.Problems, span.Problem{Span: at, Severity: span.Warning, Code: code, Message: text})
}

// noNode reports a number without a spawned node; what is the node or a synchronizer of it.
func (x *exchange) noNode(at span.Span, what string, id uint32) {
	x.warn(message.UnknownNode, at, fmt.Sprintf("no earlier message in the capture spawns a %s with the number %d", what, id))
}

func (x *exchange) godot3(b *message.Body) {
	switch b.Kind {
	case message.SimplifyPath:
		x.announce(x.from, party{}, b)
		x.await(b)
	case message.ConfirmPath:
		x.confirmed(b)
	case message.Call, message.Set:
		x.find(x.from, party{}, &b.Path)
		x.repeats(b)
		x.refused(b)
	}
}

func (x *exchange) godot4(b *message.Body) {
	switch b.Kind {
	case message.SimplifyPath:
		x.announce(x.from, x.to, b)
		x.await(b)
	case message.ConfirmPath:
		x.find(x.to, x.from, &b.Path)
		x.confirmed(b)
		if b.Valid == message.Differs {
			x.refuse(message.DigestDiffers, "same methods", "the methods that can be called on this node differ between receiver and sender, and calls may reach others"+x.methodsOf(b),
				"The rpc node checksum failed. Make sure to have the same methods on both nodes. Node path: "+message.PathText(b.Path))
		}
	case message.Call:
		x.called(b)
	case message.Spawn:
		x.find(x.from, x.to, &b.Path)
		if l := x.options.Methods; l != nil && b.Path.Known && b.Scene != message.CustomScene && !x.message.Payload.Partial {
			why, engine := l.Unspawnable(b.Path.Text, int(b.Scene))
			x.refuse(message.UnknownScene, "scene", why, engine)
		}
		x.spawned(b)
	case message.Despawn:
		if n := x.memory.nodes[x.key(b.NetID, "")]; n == nil {
			x.noNode(b.Path.At, "node", b.NetID)
		} else {
			b.Name, b.Path.Origin, n.gone = n.name, n.origin, true
		}
	case message.Sync, message.Delta:
		for i := range b.Entries {
			x.synced(&b.Entries[i])
		}
	case message.Relay:
		x.relayed(b)
	}
}

// called finds the path and the name of a call of Godot 4.
func (x *exchange) called(b *message.Body) {
	if b.Digest = x.find(x.from, x.to, &b.Path); !b.Path.ByID {
		b.Digest = x.memory.digests[x.key(0, b.Path.Text)]
		x.repeats(b)
	}
	if l := x.options.Methods; l != nil {
		if b.Name = l.Name(b.Path.Text, b.Digest, b.Method); b.Name != "" {
			x.refused(b)
		}
	}
}

// spawned remembers the name of a node by its number and those of its synchronizers.
func (x *exchange) spawned(b *message.Body) {
	node := &spawned{name: b.Name, origin: x.message.Number + 1}
	for i := -1; i < len(b.SyncIDs); i++ {
		id := b.NetID
		if i >= 0 {
			id = b.SyncIDs[i]
		}
		if x.memory.reserve(len(b.Name)) {
			x.forgotten()
		}
		x.memory.nodes[x.key(id, "")] = node
	}
}

// refused reports a call that no script of the project allows.
func (x *exchange) refused(b *message.Body) {
	l := x.options.Methods
	if l == nil || x.message.Payload.Partial || !x.isClean() {
		return
	}
	why, engine := l.Refused(&methods.Request{Name: b.Name, Node: message.PathText(b.Path), From: x.from.id, IsSet: b.Kind == message.Set, Arguments: len(b.Args)})
	label := "method"
	switch {
	case b.Kind == message.Set:
		label = "property"
	case x.message.Protocol == message.Godot4:
		label = "method id"
	}
	x.refuse(message.RefusedCall, label, why, engine)
}

// refuse reports at a field why the receiver refuses the message, unless why is "".
func (x *exchange) refuse(code, label, why, engine string) {
	if why == "" {
		return
	}
	p := span.Problem{Severity: span.Error, Code: code, Message: why, Engine: engine}
	if i := slices.IndexFunc(x.cursor.Parts, func(p message.Part) bool { return p.Label == label && p.Role == message.Field }); i >= 0 {
		p.Span = x.cursor.Parts[i].Span
	}
	x.cursor.Problems = append(x.cursor.Problems, p)
}

// methodsOf names the methods of a node on both sides, as far as the project has them.
func (x *exchange) methodsOf(b *message.Body) (text string) {
	l := x.options.Methods
	if l == nil {
		return ""
	}
	for _, side := range []struct {
		who  string
		from party
	}{{"sender", x.to}, {"receiver", x.from}} {
		digest, ok := x.memory.digests[key{server: x.server, from: side.from, path: b.Path.Text}]
		if list, isKnown := l.List(digest); ok && isKnown {
			text += fmt.Sprintf("; the %s has %s", side.who, strings.Join(list, ", "))
		} else if ok {
			text += fmt.Sprintf("; the methods of the %s are not those of any script of the project", side.who)
		}
	}
	return text
}

func (x *exchange) synced(e *message.Entry) {
	if e.Path.ByID {
		x.find(x.from, x.to, &e.Path)
		return
	}
	switch n := x.memory.nodes[x.key(e.ID, "")]; {
	case n == nil:
		x.noNode(e.Path.At, "synchronizer", e.ID)
	case n.gone:
		e.Node, e.Path.Origin = n.name, n.origin
		engine := "ignores it without a word"
		if x.message.Innermost().Kind == message.Delta {
			engine = "Ignoring delta for non-authority or invalid synchronizer."
		}
		x.warn(message.SyncAfterDespawn, e.Path.At, fmt.Sprintf("a sync of %q, which the sender has despawned before; the engine: %s", n.name, engine))
	default:
		e.Node, e.Path.Origin = n.name, n.origin
	}
}

// relayed resolves the message in a relay. On its way to the server the relay names the receiver, and from
// there the sender.
func (x *exchange) relayed(b *message.Body) {
	inner := *x
	if x.from.id == 1 {
		inner.from = party{id: b.Peer}
	} else {
		inner.to = party{id: b.Peer}
	}
	inner.overdue()
	inner.godot4(b.Inner)
}
