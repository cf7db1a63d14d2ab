// Package godot4 reads the packets of Godot 4's SceneMultiplayer. All numbers are
// little-endian.
package godot4

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/network/message"
)

// Commands, in the lowest bits of the first byte.
const (
	remoteCall = iota
	simplifyPath
	confirmPath
	raw
	spawn
	despawn
	sync
	system

	commandBits = 7
)

// commandNames are the engine's names of the commands.
var commandNames = []string{"REMOTE_CALL", "SIMPLIFY_PATH", "CONFIRM_PATH", "RAW", "SPAWN", "DESPAWN", "SYNC", "SYS"}

// flagsOf are the flags that a command can have.
var flagsOf = [8]uint8{remoteCall: 0xf0, sync: deltaFlag}

// deltaFlag is set in a sync of changes.
const deltaFlag = 1 << 4

// Packet reads a packet.
func Packet(c *message.Cursor, b *message.Body) {
	start := c.At
	first := c.U8(span.Type, "command")
	if c.Failed() {
		b.Kind = message.Unknown
		return
	}
	c.Means(commandNames[first&commandBits])
	if odd := first &^ commandBits &^ flagsOf[first&commandBits]; odd != 0 {
		c.Warn(c.Last(), span.UnknownFlags, fmt.Sprintf("flag bits %#02x mean nothing here: the engine ignores them and writes none", odd))
	}
	switch first & commandBits {
	case remoteCall:
		call(c, b, start, first)
	case simplifyPath:
		b.Kind = message.SimplifyPath
		b.Digest = c.Fixed(digestLength, "MD5 of the methods")
		c.Terminator()
		b.ID = c.U32(span.ID, "path id")
		at := c.Last()
		b.Path = path(c)
		b.Path.At = at
	case confirmPath:
		confirm(c, b)
	case raw:
		b.Kind = message.Raw
		if c.Left() == 0 {
			c.Warn(c.Last(), span.Truncated, "RAW without data: the engine refuses it")
		}
		b.Data = c.Data("data")
	case spawn:
		spawned(c, b)
	case despawn:
		b.Kind, b.NetID = message.Despawn, c.U32(span.ID, "net id")
		b.Path.At = c.Last()
	case sync:
		synced(c, b, first&deltaFlag != 0)
	case system:
		systemMessage(c, b)
	}
}

// digestLength is the number of hexadecimal digits of an MD5.
const digestLength = 32

func path(c *message.Cursor) message.Path {
	text := c.Text("path", true)
	return message.Path{Text: text, Known: !c.Failed()}
}

// confirm reads a confirmation. Before Godot 4.3 it had the path, not its id.
func confirm(c *message.Cursor, b *message.Body) {
	b.Kind, b.Valid = message.ConfirmPath, message.Differs
	same := c.U8(span.Value, "same methods")
	if same != 0 {
		b.Valid = message.Same
	}
	if same > 1 {
		c.Warn(c.Last(), span.BoolValue, fmt.Sprintf("a bool of %d", same))
	}
	if rest := c.Bytes[c.At:c.Limit]; len(rest) > 1 && rest[len(rest)-1] == 0 && (len(rest) != 4 || isText(rest[:3])) {
		b.Path = path(c)
		return
	}
	b.ID = c.U32(span.ID, "path id")
	b.Path = message.Path{ByID: true, ID: b.ID, At: c.Last()}
}

// isText reports whether bytes are a short path in ASCII: an id has zeros or is too large.
func isText(b []byte) bool {
	for _, x := range b {
		if x <= ' ' || x > '~' {
			return false
		}
	}
	return true
}

// spawned reads a SPAWN.
func spawned(c *message.Cursor, b *message.Body) {
	b.Kind, b.Scene = message.Spawn, c.U8(span.ID, "scene")
	if b.Scene == message.CustomScene {
		c.Means("custom")
	}
	b.Path = message.Path{ByID: true, ID: c.U32(span.ID, "spawner id"), At: c.Last()}
	b.NetID = c.U32(span.ID, "net id")
	n := c.U32(span.Length, "synchronizer count")
	if at := c.Last(); int64(n) > c.Left()/4 {
		c.Fail(at, span.LengthOverrun, fmt.Sprintf("%s counted, but %s left", span.Counted(int64(n), "synchronizer"), span.BytesAre(c.Left())))
	}
	size := int64(c.U32(span.Length, "name length"))
	name := c.Last()
	for range n {
		b.SyncIDs = append(b.SyncIDs, c.U32(span.ID, "synchronizer net id"))
		if c.Failed() {
			return
		}
	}
	fits(c, name, size, "name")
	c.Until(c.At+size, func() { b.Name = c.Text("name", true) })
	if b.Scene == message.CustomScene {
		size := int64(c.U32(span.Length, "data size"))
		fits(c, c.Last(), size, "data")
		c.Until(c.At+size, func() { b.Custom = c.Args("data", 1, true) })
	}
	b.State = c.Values("state", true)
}

// fits fails if a length, which is at a span, is more than is left.
func fits(c *message.Cursor, at span.Span, size int64, what string) {
	if size > c.Left() {
		c.Fail(at, span.LengthOverrun, fmt.Sprintf("%s of %s, but %s left", what, span.Bytes(size), span.BytesAre(c.Left())))
	}
}

// leastEntry and leastDelta are the bytes before the values of an entry: fewer are ignored.
const (
	leastEntry = 8
	leastDelta = 16
)

// synced reads a SYNC, which may be one of changes.
func synced(c *message.Cursor, b *message.Body, isDelta bool) {
	least := int64(leastEntry)
	if b.Kind = message.Sync; isDelta {
		b.Kind, least = message.Delta, leastDelta
	} else {
		b.Time = c.U16(span.Value, "time")
	}
	c.List("entries")
	for c.Left() >= least && !c.Failed() {
		b.Entries = append(b.Entries, entry(c, isDelta))
	}
	c.EndList()
}

// entry reads the entry of one synchronizer.
func entry(c *message.Cursor, isDelta bool) (e message.Entry) {
	c.List("")
	e.ID = c.U32(span.ID, "id")
	e.Path = message.Path{ByID: e.ID&message.PathID != 0, At: c.Last()}
	if e.Path.ByID {
		e.Path.ID = e.ID &^ message.PathID
	}
	if isDelta {
		e.Mask = c.U64(span.Flags, "mask")
	}
	size := int64(c.U32(span.Length, "size"))
	fits(c, c.Last(), size, "values")
	c.Until(c.At+size, func() { e.Values = c.Values("values", true) })
	c.EndList()
	return e
}

// The system messages.
const (
	auth = iota
	addPeer
	delPeer
	relay
)

var systemNames = []string{"AUTH", "ADD_PEER", "DEL_PEER", "RELAY"}

// systemMessage reads a SYS.
func systemMessage(c *message.Cursor, b *message.Body) {
	sub := c.U8(span.Type, "system command")
	b.Kind = message.Unknown
	if int(sub) >= len(systemNames) {
		c.Fail(c.Last(), message.UnknownKind, fmt.Sprintf("Godot 4 has no system command %d", sub))
		return
	}
	if c.Failed() {
		return
	}
	c.Means(systemNames[sub])
	switch sub {
	case auth:
		b.Kind, b.Data = message.Auth, c.Data("data")
	case addPeer:
		b.Kind, b.Peer = message.AddPeer, int32(c.U32(span.ID, "peer"))
	case delPeer:
		b.Kind, b.Peer = message.DelPeer, int32(c.U32(span.ID, "peer"))
	case relay:
		b.Kind, b.Peer, b.Inner = message.Relay, int32(c.U32(span.ID, "peer")), new(message.Body)
		c.List("inner")
		if c.Left() > 0 && !c.Failed() && c.Bytes[c.At]&commandBits == system {
			b.Inner.Kind = message.Unknown
			c.Fail(span.Span{Offset: c.At, Length: 1}, message.BadRelay, "a system message is relayed: the engine refuses it")
		} else {
			Packet(c, b.Inner)
		}
		c.EndList()
	}
}

// YourID reads the first message of a WebSocket server: the id of the client.
func YourID(c *message.Cursor, b *message.Body) {
	b.Kind, b.Peer = message.YourID, int32(c.U32(span.ID, "peer"))
}

// Flags of a REMOTE_CALL, in its first byte.
const (
	widthShift = 4      // shift of the width of the node id: 1, 2, 4 bytes
	wideMethod = 1 << 6 // the method id has 2 bytes
	noCount    = 1 << 7 // no arguments, or a single one of bytes
)

// call reads a REMOTE_CALL, which begins at start.
func call(c *message.Cursor, b *message.Body, start int64, flags uint8) {
	b.Kind = message.Call
	at := c.Last()
	var node uint32
	switch flags >> widthShift & 3 {
	case 0:
		node = uint32(c.U8(span.ID, "node id"))
	case 1:
		node = uint32(c.U16(span.ID, "node id"))
	case 2:
		node = c.U32(span.ID, "node id")
	default:
		c.Fail(at, message.BadWidth, "no node id has the width 3")
		return
	}
	b.Path = c.CallPath(node, start, "the command", func() { methodAndArgs(c, b, flags) }, path)
}

func methodAndArgs(c *message.Cursor, b *message.Body, flags uint8) {
	if flags&wideMethod != 0 {
		b.Method = c.U16(span.ID, "method id")
	} else {
		b.Method = uint16(c.U8(span.ID, "method id"))
	}
	if flags&noCount == 0 {
		b.Args = c.Args("args", int(c.U8(span.Length, "argument count")), true)
		return
	}
	b.Args = c.Unmarked("args")
}
