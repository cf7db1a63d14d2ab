package multiplayer

import (
	"varview/decoder/capture/godot3"
	"varview/decoder/capture/godot4"
	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/variants"
)

// A Hint is what a flow shows about a payload besides its protocol.
type Hint struct {
	IsYourID   bool // it is the first message of a server of Godot 4 over WebSocket
	MostlyVars bool // what begins like a Variant is one
}

// Parse reads the payload of a message, and leaves its parts and problems in the cursor. values
// has the dialect of the protocol.
func Parse(c *message.Cursor, m *message.Message, as message.Protocol, values *variants.Reader, hint Hint) {
	m.Values = values
	c.Begin(m.Payload.Bytes, values)
	switch as {
	case message.Godot3:
		if !header(c, m) {
			godot3.Packet(c, &m.Body)
		}
	case message.Godot3Peer:
		if !header(c, m) {
			plain(c, m, hint.MostlyVars)
		}
	case message.Godot4:
		if hint.IsYourID {
			godot4.YourID(c, &m.Body)
		} else {
			godot4.Packet(c, &m.Body)
		}
	case message.OnlyBytes:
		m.Data = c.Data("data")
	default:
		plain(c, m, hint.MostlyVars)
	}
	c.End()
}

// parse reads the payload of a message of a flow.
func (r *Reader) parse(m *message.Message, as message.Protocol, f *flow) {
	Parse(&r.cursor, m, as, r.values[as.Dialect()], Hint{IsYourID: isYourID(m.Payload, f), MostlyVars: f.mostlyVars})
}

// header reads the header of a peer of Godot 3.
func header(c *message.Cursor, m *message.Message) (system bool) {
	if m.Payload.Flow.Transport == payload.WebSocket {
		return godot3.WebSocketHeader(c, m)
	}
	return godot3.ENetHeader(c, m)
}

// isYourID reports whether a payload is the first of a server of Godot 4 over WebSocket.
func isYourID(p *payload.Payload, f *flow) bool {
	c := p.Connection
	if p.Flow.Transport != payload.WebSocket || c == nil || !c.Began || p.Src != c.Server || len(p.Bytes) != 4 {
		return false
	}
	_, known := f.clients[c]
	return !known
}

// plain reads a payload that is one Variant or bytes. A Variant that is damaged is told from
// bytes by its header, where Variants are what the flow carries.
func plain(c *message.Cursor, m *message.Message, mostlyVars bool) {
	if c.Left() == 0 || c.Failed() {
		return
	}
	before := c.Place()
	values, ok := c.Value("value")
	if ok && c.Left() == 0 || mostlyVars && looksLikeValue(c.Bytes[before.At:]) {
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
