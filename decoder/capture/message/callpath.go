package message

import (
	"fmt"

	"varview/decoder/span"
)

// PathAtEnd is set in the path id of a call that is the offset of the path instead, which is then
// at the end of the message.
const PathAtEnd = 1 << 31

// CallPath reads what follows the path id of a call, which was read last, and the path if that is
// at the end. Its offset counts from start, the place of what from names.
func (c *Cursor) CallPath(id uint32, start int64, from string, read func(), path func(*Cursor) Path) Path {
	if id&PathAtEnd == 0 {
		read()
		return Path{ByID: true, ID: id}
	}
	c.Relabel(span.Length, "path offset")
	at := start + int64(id&^PathAtEnd)
	if at < c.At || at >= c.Limit {
		c.Fail(c.Last(), BadOffset, fmt.Sprintf("the path should begin %s after %s, but the packet has %s", span.Bytes(at-start), from, span.Bytes(c.Limit-start)))
		return Path{}
	}
	c.Points(at)
	c.Until(at, read)
	return path(c)
}
