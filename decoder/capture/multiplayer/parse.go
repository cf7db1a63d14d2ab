package multiplayer

import (
	"varview/decoder/capture/godot3"
	"varview/decoder/capture/godot4"
	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
)

// parse reads the payload of a message.
func (r *Reader) parse(m *message.Message, as Protocol, f *flow) {
	c := &r.cursor
	m.Values = r.values[dialects[as]]
	c.Begin(m.Payload.Bytes, m.Values)
	switch as {
	case Godot3:
		if !r.header(m) {
			godot3.Packet(c, &m.Body)
		}
	case Godot3Peer:
		if !r.header(m) {
			r.plain(m, f)
		}
	case Godot4:
		if r.isYourID(m.Payload, f) {
			godot4.YourID(c, &m.Body)
		} else {
			godot4.Packet(c, &m.Body)
		}
	case OnlyBytes:
		m.Data = c.Data("data")
	default:
		r.plain(m, f)
	}
	c.End()
}

// header reads the header of a peer of Godot 3.
func (r *Reader) header(m *message.Message) (system bool) {
	if m.Payload.Flow.Transport == payload.WebSocket {
		return godot3.WebSocketHeader(&r.cursor, m)
	}
	return godot3.ENetHeader(&r.cursor, m)
}

// isYourID reports whether a payload is the first of a server of Godot 4 over WebSocket.
func (r *Reader) isYourID(p *payload.Payload, f *flow) bool {
	c := p.Connection
	if p.Flow.Transport != payload.WebSocket || c == nil || !c.Began || p.Src != c.Server || len(p.Bytes) != 4 {
		return false
	}
	_, known := f.clients[c]
	return !known
}

// plain reads a payload that is one Variant or bytes. A Variant that is damaged is told from
// bytes by its header, where Variants are what the flow carries.
func (r *Reader) plain(m *message.Message, f *flow) {
	c := &r.cursor
	if c.Left() == 0 || c.Failed() {
		return
	}
	before := c.Place()
	values, ok := c.Value("value")
	if ok && c.Left() == 0 || f.mostlyVars && looksLikeValue(c.Bytes[before.At:]) {
		m.Kind, m.Args = message.Var, values
		return
	}
	c.Return(before)
	m.Kind, m.Data = message.Bytes, c.Data("data")
}

// looksLikeValue reports whether bytes begin like a Variant: with the number of a type, and
// few flags.
func looksLikeValue(b []byte) bool {
	const mostTypes, mostFlags = 39, 0x0f
	return len(b) >= 4 && b[0] < mostTypes && b[1] == 0 && b[2] <= mostFlags && b[3] == 0
}
