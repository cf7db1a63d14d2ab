// Package godot3 reads the packets of Godot 3's multiplayer API, with the headers that its
// ENet and WebSocket peers put before them. All numbers are little-endian.
package godot3

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/network/message"
)

// The types of packets.
const (
	remoteCall = iota
	remoteSet
	simplifyPath
	confirmPath
	raw
)

// typeNames are the engine's names of the types.
var typeNames = []string{"REMOTE_CALL", "REMOTE_SET", "SIMPLIFY_PATH", "CONFIRM_PATH", "RAW"}

// Packet reads a packet of the multiplayer API.
func Packet(c *message.Cursor, b *message.Body) {
	start := c.At
	kind := c.U8(span.Type, "type")
	b.Kind = message.Unknown
	if c.Failed() {
		return
	}
	if int(kind) >= len(typeNames) {
		c.Fail(c.Last(), message.UnknownKind, fmt.Sprintf("Godot 3 has no packet of type %d", kind))
		return
	}
	c.Means(typeNames[kind])
	switch kind {
	case remoteCall:
		b.Kind = message.Call
		pathWord(c, b, start, func() {
			b.Name, b.Named = c.Text("method", false), true
			b.Args = c.Args("args", int(c.U8(span.Length, "argument count")), false)
		})
	case remoteSet:
		b.Kind = message.Set
		pathWord(c, b, start, func() {
			b.Name = c.Text("property", false)
			b.Args = c.Args("args", 1, false)
		})
	case simplifyPath:
		b.Kind = message.SimplifyPath
		b.ID = c.U32(span.ID, "path id")
		at := c.Last()
		b.Path = fullPath(c)
		b.Path.At = at
	case confirmPath:
		b.Kind = message.ConfirmPath
		b.Path = fullPath(c)
	case raw:
		b.Kind, b.Data = message.Raw, c.Data("data")
	}
}

// pathWord reads the path word of a packet, what follows it, and the path at the end, if it is there.
func pathWord(c *message.Cursor, b *message.Body, start int64, read func()) {
	id := c.U32(span.ID, "path id")
	b.Path = c.CallPath(id, start, "the packet's type", read, fullPath)
}

func fullPath(c *message.Cursor) message.Path {
	text := c.Text("path", false)
	return message.Path{Text: text, Known: !c.Failed()}
}

// ENetHeader reads the header that Godot's ENet peer puts before a packet: who sends it, and to whom.
// Channel 0 is for messages of the server about other peers, which are read to their end: system is then
// true.
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

// webSocketNames are the meanings of the first byte of the header that Godot's WebSocket peer puts before a
// packet.
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
