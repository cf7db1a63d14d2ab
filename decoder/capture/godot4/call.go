package godot4

import (
	"fmt"

	"varview/decoder/capture/message"
	"varview/decoder/span"
)

// The flags of a REMOTE_CALL, in its first byte.
const (
	widthShift = 4      // of the width of the node id: 1, 2, 4 bytes
	wideMethod = 1 << 6 // the method id has 2 bytes
	noCount    = 1 << 7 // no arguments, or one of bytes alone

	// atEnd is set in a node id of 4 bytes that is the offset of the path, counted from the
	// first byte.
	atEnd = 1 << 31
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
	if node&atEnd == 0 {
		b.Path = message.Path{ByID: true, ID: node}
		methodAndArgs(c, b, flags)
		return
	}
	c.Relabel(span.Length, "path offset")
	end := start + int64(node&^atEnd)
	if end < c.At || end >= c.Limit {
		c.Fail(c.Last(), message.BadOffset, fmt.Sprintf("the path should begin %s after the command, but the packet has %s",
			span.Bytes(end-start), span.Bytes(c.Limit-start)))
		return
	}
	c.Points(end)
	c.Until(end, func() { methodAndArgs(c, b, flags) })
	b.Path = path(c)
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
