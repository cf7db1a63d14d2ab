package gamemaker

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"varview/decoder/edit/simple"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Snap is the family of SNAP's binary form since 5.0.0: structs and arrays have a count.
var Snap = simple.New(snap("snap", "SNAP 5 and later", "SnapBufferWriteBinary of the GameMaker library SNAP", simple.Description{
	Sniff: sniffCounted, Value: readCounted, Glance: glanceCounted, Encode: encodeCounted, Header: headCounted, Unused: true,
}))

// OldSnap is the family of SNAP's binary form from 1.1.0 to 4.2.0: a zero ends structs and arrays.
var OldSnap = simple.New(snap("snap4", "SNAP 1 to 4", "snap_to_binary of the GameMaker library SNAP up to 4.2.0", simple.Description{
	Sniff: sniffTerminated, Value: readTerminated, Encode: encodeTag, Header: headTerminated,
	HasChild: func(c *simple.Cursor) bool { return c.Left() > 0 && c.Peek() != tagEnd },
	Foot:     func(c *simple.Cursor) { c.Number(1, span.Terminator, "end") }, Terminator: "\x00",
}))

// snap adds to a description what both layouts share.
func snap(name, title, about string, d simple.Description) simple.Description {
	d.Name, d.Title, d.About = name, title, about
	d.Types = []string{"undefined", "bool", "real", "string", "int32", "int64", "ptr", "ref", "array", "struct", "name"}
	d.LittleEndian, d.Floats, d.CESU8 = true, true, true
	d.Numbers = []string{"int32", "int64", "ptr", "ref"}
	d.Engine = map[string]string{span.UnknownType: "SNAP stops with an error"}
	return d
}

// The tags of values.
const (
	tagEnd = iota
	tagStruct
	tagArray
	tagString
	tagReal
	tagFalse
	tagTrue
	tagUndefined
	tagInt32
	tagInt64
	tagPointer
	tagReference
)

// sniffCounted accepts a struct or an array whose count fits the size, and a string or a real that takes
// all bytes. A struct that begins with a name may be damaged.
func sniffCounted(start []byte, size int64) format.Claim {
	if len(start) < 9 {
		return sniffShort(start, size)
	}
	switch n := binary.LittleEndian.Uint64(start[1:]); {
	case start[0] == tagStruct || start[0] == tagArray:
		if start[0] == tagStruct && n > 0 && n < uint64(size) && isMember(start[9:]) {
			return format.Plausible
		}
		if n < uint64(size) {
			return format.LastResort
		}
	default:
		return sniffShort(start, size)
	}
	return format.None
}

// sniffShort accepts a string or a real that takes all bytes.
func sniffShort(start []byte, size int64) format.Claim {
	isText := len(start) > 2 && start[0] == tagString && bytes.IndexByte(start[1:], 0) >= min(len(start)-2, 3)
	if isText || size == 9 && start[0] == tagReal {
		return format.LastResort
	}
	return format.None
}

// sniffTerminated accepts a struct that begins with a name, an array that begins with a value, and either
// if empty.
func sniffTerminated(start []byte, size int64) format.Claim {
	if len(start) < 2 || start[0] != tagStruct && start[0] != tagArray || start[1] > tagReference {
		return format.None
	}
	if start[1] == tagEnd && size > 2 || start[1] != tagEnd && start[0] == tagStruct && start[1] != tagString {
		return format.None
	}
	if start[0] == tagStruct && isMember(start[2:]) {
		return format.Plausible
	}
	return format.LastResort
}

// isMember reports whether bytes are the name of a member and the tag of its value.
func isMember(b []byte) bool {
	const least, most = 2, 64
	end := bytes.IndexByte(b[:min(len(b), most)], 0)
	isOdd := func(c rune) bool { return c < ' ' || c == 0x7f || c == utf8.RuneError }
	return end >= least && end+1 < len(b) && bytes.IndexFunc(b[:end], isOdd) < 0 && b[end+1] > tagEnd && b[end+1] <= tagReference
}

// readCounted reads a value of the layout with counts, or the name of a member.
func readCounted(c *simple.Cursor) {
	if c.Place().Key {
		c.Type("name")
		c.TextUntil(0)
		return
	}
	switch tag := readTag(c); tag {
	case tagStruct:
		c.Pairs(c.Number(8, span.Length, "count"))
	case tagArray:
		c.Items(c.Number(8, span.Length, "count"))
	default:
		readTagged(c, tag)
	}
}

// glanceCounted is the Glance of the layout with counts.
func glanceCounted(at simple.Place, b []byte) (g simple.Glance) {
	switch {
	case at.Key:
		g.Type, g.Kind = "name", span.Text
	case len(b) < 9:
	case b[0] == tagString:
		g.Type, g.Kind, g.Head = "string", span.Text, 1
	case b[0] == tagReal:
		g.Type, g.Head, g.Size = "real", 1, 8
	case b[0] == tagFalse, b[0] == tagTrue:
		g.Type, g.Size = "bool", 1
	case b[0] == tagStruct:
		g.Type, g.Layout, g.Head, g.Size = "struct", tree.Pairs, 9, binary.LittleEndian.Uint64(b[1:])
	case b[0] == tagArray:
		g.Type, g.Layout, g.Head, g.Size = "array", tree.Sequence, 9, binary.LittleEndian.Uint64(b[1:])
	}
	if g.Kind == span.Text {
		n := bytes.IndexByte(b[g.Head:], 0)
		if n < 0 {
			return simple.Glance{}
		}
		g.Size, g.Tail = uint64(n), 1
	}
	return g
}

// readTerminated reads a value of the layout without counts, or the name of a member.
func readTerminated(c *simple.Cursor) {
	tag := readTag(c)
	if c.Place().Key {
		if c.Type("name"); tag != tagString {
			c.Fail(span.UnknownType, fmt.Sprintf("a name has the tag 3, not %d", tag))
		}
		c.TextUntil(0)
		return
	}
	switch tag {
	case tagStruct:
		c.PairsUntil()
	case tagArray:
		c.ItemsUntil()
	default:
		readTagged(c, tag)
	}
}

// tagTypes are the names of types, by tag.
var tagTypes = [...]string{"", "struct", "array", "string", "real", "bool", "bool", "undefined", "int32", "int64", "ptr", "ref"}

// readTag reads the tag of a value.
func readTag(c *simple.Cursor) uint64 {
	tag := c.Number(1, span.Type, "type")
	if tag < uint64(len(tagTypes)) {
		c.SaysType(tagTypes[tag])
	}
	return tag
}

// readTagged reads what follows the tag of a value without children.
func readTagged(c *simple.Cursor, tag uint64) {
	switch tag {
	case tagString:
		c.TextUntil(0)
	case tagReal:
		c.Float(8)
	case tagFalse, tagTrue:
		c.Bool(tag == tagTrue)
	case tagUndefined:
		c.Null()
	case tagInt32:
		c.Int(4)
	case tagInt64:
		c.Int(8)
	case tagPointer, tagReference:
		c.Uint(8)
	default:
		c.Fail(span.UnknownType, fmt.Sprintf("SNAP has no tag %d", tag))
	}
}

// encodeCounted returns the bytes of a value without children, or of a name, which has no tag.
func encodeCounted(d simple.Datum) []byte {
	b := encodeTag(d)
	if d.Place.Key && b != nil {
		return b[1:]
	}
	return b
}

// encodeTag returns the bytes of a value without children.
func encodeTag(d simple.Datum) []byte {
	u64 := binary.LittleEndian.AppendUint64
	switch {
	case d.Kind == tree.Text && bytes.IndexByte(d.Data, 0) >= 0:
		return nil
	case d.Kind == tree.Text:
		return append(append([]byte{tagString}, d.Data...), 0)
	case d.Place.Key:
		return nil
	case d.Kind == tree.Null:
		return []byte{tagUndefined}
	case d.Kind == tree.Bool:
		return []byte{tagFalse + byte(d.Bits)}
	case d.Kind == tree.Float64:
		return u64([]byte{tagReal}, d.Bits)
	case d.Name == "int32":
		return binary.LittleEndian.AppendUint32([]byte{tagInt32}, uint32(d.Bits))
	case d.Name == "int64":
		return u64([]byte{tagInt64}, d.Bits)
	case d.Name == "ptr":
		return u64([]byte{tagPointer}, d.Bits)
	case d.Name == "ref":
		return u64([]byte{tagReference}, d.Bits)
	}
	return nil
}

// headCounted returns the bytes before n children.
func headCounted(at simple.Place, l tree.Layout, n, _ int64) []byte {
	head := headTerminated(at, l, n, 0)
	if head == nil {
		return nil
	}
	return binary.LittleEndian.AppendUint64(head, uint64(n))
}

// headTerminated returns the byte before children.
func headTerminated(at simple.Place, l tree.Layout, _, _ int64) []byte {
	switch {
	case at.Key:
		return nil
	case l == tree.Pairs:
		return []byte{tagStruct}
	}
	return []byte{tagArray}
}
