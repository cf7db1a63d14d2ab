package godot4

import (
	"varview/decoder/capture/message"
	"varview/decoder/span"
)

// The flags of a REMOTE_CALL, in its first byte.
const (
	widthShift = 4      // of the width of the node id: 1, 2, 4 bytes
	wideMethod = 1 << 6 // the method id has 2 bytes
	noCount    = 1 << 7 // no arguments, or one of bytes alone
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
