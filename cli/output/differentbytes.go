package output

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// DifferentBytes are bytes of a file that differ in another one. The first ones of both are
// there to be shown.
type DifferentBytes struct {
	Was, Is  span.Span
	Old, New []byte
}

// AppendJSON appends them as a line of JSON, with the file if it is one of several.
func (d *DifferentBytes) AppendJSON(dst []byte, file string) []byte {
	dst = appendFile(append(dst, '{'), file)
	dst = strconv.AppendInt(append(dst, `"change":"changed","severity":"change","path":"$","offset":`...), d.Was.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"length":`...), d.Was.Length, 10)
	dst = strconv.AppendInt(append(dst, `,"new_offset":`...), d.Is.Offset, 10)
	dst = strconv.AppendInt(append(dst, `,"new_length":`...), d.Is.Length, 10)
	dst = append(hex.AppendEncode(append(dst, `,"old":"`...), d.Old), `","new":"`...)
	return append(hex.AppendEncode(dst, d.New), "\"}\n"...)
}

// Append appends them as lines for people.
func (d *DifferentBytes) Append(dst []byte, colors *Palette) []byte {
	dst = append(dst, fmt.Sprintf("%#x, %s → %#x, %s\n", d.Was.Offset, span.Bytes(d.Was.Length), d.Is.Offset, span.Bytes(d.Is.Length))...)
	if d.Was.Length > 0 {
		dst = colors.side(dst, colors.removed, "- ", string(tree.AppendHex(nil, d.Old, d.Was.Length)), 0)
	}
	if d.Is.Length > 0 {
		dst = colors.side(dst, colors.added, "+ ", string(tree.AppendHex(nil, d.New, d.Is.Length)), 0)
	}
	return dst
}
