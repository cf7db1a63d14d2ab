package godot3

import (
	"fmt"

	"varview/decoder/capture/message"
	"varview/decoder/span"
)

// ENetHeader reads what Godot's ENet peer puts before a packet: who sends it, and to whom.
// Channel 0 is for messages of the server about other peers, which are read to their end:
// system is then true.
func ENetHeader(c *message.Cursor, m *message.Message) (system bool) {
	if m.Payload.Channel == 0 {
		switch what := c.U32(span.Type, "type"); what {
		case 0:
			c.Means("add peer")
			m.Kind = message.AddPeer
		case 1:
			c.Means("remove peer")
			m.Kind = message.DelPeer
		default:
			m.Kind = message.Unknown
			c.Fail(c.Last(), message.UnknownKind, fmt.Sprintf("Godot 3 has no system message %d", what))
		}
		m.Peer = int32(c.U32(span.ID, "peer"))
		return true
	}
	addresses(c, m)
	return false
}

// webSocketNames are what the first byte of the header means that Godot's WebSocket peer
// puts before a packet.
var webSocketNames = []string{"packet", "add peer", "remove peer", "your id"}

// WebSocketHeader is ENetHeader for Godot's WebSocket peer.
func WebSocketHeader(c *message.Cursor, m *message.Message) (system bool) {
	what := c.U8(span.Type, "type")
	if int(what) >= len(webSocketNames) {
		m.Kind = message.Unknown
		c.Fail(c.Last(), message.UnknownKind, fmt.Sprintf("Godot 3 has no WebSocket message of type %d", what))
		return true
	}
	c.Means(webSocketNames[what])
	addresses(c, m)
	if what == 0 {
		return false
	}
	m.Kind = []message.Kind{1: message.AddPeer, 2: message.DelPeer, 3: message.YourID}[what]
	m.Peer = int32(c.U32(span.ID, "peer"))
	return true
}

func addresses(c *message.Cursor, m *message.Message) {
	m.From = message.Peer{ID: int32(c.U32(span.ID, "source")), Known: true}
	m.To = message.Peer{ID: int32(c.U32(span.ID, "target")), Known: true}
	if c.Failed() {
		m.From.Known, m.To.Known = false, false
	}
}
