// Package godot3 reads the packets of Godot 3's multiplayer API, with the headers that its
// ENet and WebSocket peers put before them. All numbers are little-endian.
package godot3

import (
	"fmt"

	"varview/decoder/capture/message"
	"varview/decoder/span"
)

// The types of packets.
const (
	remoteCall = iota
	remoteSet
	simplifyPath
	confirmPath
	raw
)

// typeNames are the engine's names of them.
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
		b.Path = fullPath(c)
	case confirmPath:
		b.Kind = message.ConfirmPath
		b.Path = fullPath(c)
	case raw:
		b.Kind, b.Data = message.Raw, c.Data("data")
	}
}

// pathWord reads the path word of a packet, what follows it, and the path at the end, if it
// is there.
func pathWord(c *message.Cursor, b *message.Body, start int64, read func()) {
	id := c.U32(span.ID, "path id")
	b.Path = c.CallPath(id, start, "the packet's type", read, fullPath)
}

func fullPath(c *message.Cursor) message.Path {
	text := c.Text("path", false)
	return message.Path{Text: text, Known: !c.Failed()}
}
