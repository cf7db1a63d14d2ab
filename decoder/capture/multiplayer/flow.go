package multiplayer

import (
	"net/netip"

	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// A flow is what is known of one flow.
type flow struct {
	protocol message.Protocol
	held     []*payload.Payload // while that is not decided
	server   netip.AddrPort     // invalid where it is not known
	clients  map[*payload.Connection]int32

	mostlyVars bool // most payloads are one Variant, so that what begins like one is one
}

// enough is the number of payloads after which it is decided what a flow carries.
const enough = 32

// decide finds out what a flow carries: the protocol that explains most of its payloads.
func (r *Reader) decide(f *flow) {
	best := 0
	f.protocol = message.OnlyBytes
	for _, as := range candidates(f.held[0].Flow.Transport) {
		fit := 0
		for _, p := range f.held {
			fit += r.fit(p, as, f)
		}
		if fit > best {
			best, f.protocol = fit, as
		}
	}
	f.mostlyVars = r.areMostlyVars(f)
	f.held = nil
}

// areMostlyVars reports whether most of a flow's payloads are one Variant.
func (r *Reader) areMostlyVars(f *flow) bool {
	vars, others := 0, 0
	for _, p := range f.held {
		r.trial = message.Message{Payload: p}
		switch r.parse(&r.trial, f.protocol, f); r.trial.Kind {
		case message.Var:
			vars++
		case message.Bytes:
			if !looksLikeValue(r.trial.Data) {
				others++
			}
		}
	}
	return vars > others
}

// candidates lists the protocols that a transport can carry. Of those that explain as much
// the first is taken.
func candidates(t payload.Transport) []message.Protocol {
	switch t {
	case payload.ENet:
		return []message.Protocol{message.Godot3, message.Godot4, message.Godot3Peer, message.Variants4, message.Variants3}
	case payload.WebSocket:
		return []message.Protocol{message.Godot3, message.Godot4, message.Variants4, message.Variants3}
	case payload.UDP, payload.TCP:
		return []message.Protocol{message.Variants4, message.Variants3}
	}
	return nil
}

// What a payload says for or against a protocol.
const (
	explained = 2
	possible  = 1
	unlikely  = -2
)

// fit returns how well a payload is explained by a protocol.
func (r *Reader) fit(p *payload.Payload, as message.Protocol, f *flow) int {
	m := &r.trial
	*m = message.Message{Payload: p}
	r.parse(m, as, f)
	if !r.isClean() {
		if as == message.Variants3 || as == message.Variants4 || as == message.Godot3Peer {
			return 0
		}
		return unlikely
	}
	switch as {
	case message.Godot3:
		return r.fitGodot3(m)
	case message.Godot4:
		return fitGodot4(m)
	case message.Godot3Peer:
		switch {
		case p.Channel == 0:
			return possible
		case !r.isNearby(m):
			return unlikely
		case m.Kind == message.Var:
			return explained
		}
		return possible
	}
	if m.Kind == message.Var {
		return explained
	}
	return 0
}

func (r *Reader) isClean() bool {
	for i := range r.cursor.Problems {
		if r.cursor.Problems[i].Severity > span.Note {
			return false
		}
	}
	return true
}

// isNearby reports whether the addresses in a header of Godot 3 are those of the connection.
func (r *Reader) isNearby(m *message.Message) bool {
	c := m.Payload.Connection
	client := int32(0)
	if c != nil {
		client = int32(c.ClientID)
	}
	return m.From.ID == 1 || m.To.ID == 1 || client > 1 && (m.From.ID == client || m.To.ID == client)
}

func (r *Reader) fitGodot3(m *message.Message) int {
	switch {
	case m.From.Known && m.From.ID <= 0:
		return unlikely
	case m.Kind != message.Raw:
		return explained
	case r.isNearby(m):
		return possible
	}
	return 0
}

// fitGodot4 judges a packet that could be read. Engines leave some bits of its first byte
// zero, and count ids from 1.
func fitGodot4(m *message.Message) int {
	b := m.Payload.Bytes
	const unused, flags = 1 << 3, 0xf0
	isCall, isSync := m.Kind == message.Call, m.Kind == message.Sync || m.Kind == message.Delta
	switch {
	case len(b) == 0, m.Kind != message.YourID && (b[0]&unused != 0 || b[0]&flags != 0 && !isCall && !isSync),
		isCall && m.Path.ByID && m.Path.ID == 0:
		return unlikely
	case m.Kind == message.Raw:
		return possible
	case isSync && len(m.Entries) == 0:
		return 0
	}
	return explained
}
