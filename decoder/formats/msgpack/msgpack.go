// Package msgpack reads and writes MessagePack by its specification of 2017
// (https://github.com/msgpack/msgpack/blob/master/spec.md).
package msgpack

import (
	"strconv"
	"time"

	"varview/decoder/edit/simple"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Family is MessagePack.
var Family = simple.New(simple.Description{
	Name:  "msgpack",
	Title: "MessagePack",
	About: "the libraries of many languages",
	Types: []string{"nil", "bool", "int", "float", "str", "bin", "array", "map", "ext", "timestamp"},
	Sniff: sniff,
	Value: value,
	Bare:  true,

	Glance: glance,
	Encode: encode,
	Header: header,
})

// sniff accepts an array or map; files of less than 32 bytes only if they begin with a text. Fewer than one
// random file in 50,000 is accepted so. Without the rule for short files one in 4,000 files of 12 random
// bytes would be, and many files of small numbers.
func sniff(start []byte, size int64) format.Claim {
	if size < 4 {
		return format.None
	}
	first := 1 // offset of the first item or key
	switch b := start[0]; {
	case b >= 0x80 && b <= 0x9f: // fixmap, fixarray
	case b == 0xdc || b == 0xde:
		first = 3
	case b == 0xdd || b == 0xdf:
		first = 5
	default:
		return format.None
	}
	if size >= 32 || first < len(start) && (start[first]>>5 == 0xa0>>5 || start[first] >= 0xd9 && start[first] <= 0xdb) {
		return format.LastResort
	}
	return format.None
}

// value reads a value by its first byte.
func value(c *simple.Cursor) {
	switch b := c.Peek(); {
	case b <= 0x7f || b >= 0xe0: // fixint
		c.Type("int")
		c.Int(1)
	case b <= 0x8f: // fixmap
		c.Type("map")
		c.Pairs(c.Low(4, span.Length, "type and count"))
	case b <= 0x9f: // fixarray
		c.Type("array")
		c.Items(c.Low(4, span.Length, "type and count"))
	case b <= 0xbf: // fixstr
		c.Type("str")
		c.Text(c.Low(5, span.Length, "type and length"))
	case b == 0xc2 || b == 0xc3:
		c.Type("bool")
		c.Number(1, span.Value, "value")
		c.Bool(b == 0xc3)
	default:
		f := &formats[b-0xc0]
		c.Type(f.typeName)
		c.Number(1, span.Type, "type")
		c.Means(f.name)
		f.read(c, f.size)
	}
}

// glance is the description's Glance.
func glance(_ simple.Place, b []byte) simple.Glance {
	switch c := b[0]; {
	case c <= 0x7f || c >= 0xe0: // fixint
		return simple.Glance{Type: "int", Size: 1}
	case c <= 0x8f: // fixmap
		return simple.Glance{Type: "map", Layout: tree.Pairs, Head: 1, Size: uint64(c & 0xf)}
	case c <= 0x9f: // fixarray
		return simple.Glance{Type: "array", Layout: tree.Sequence, Head: 1, Size: uint64(c & 0xf)}
	case c <= 0xbf: // fixstr
		return simple.Glance{Type: "str", Kind: span.Text, Head: 1, Size: uint64(c & 0x1f)}
	case c == 0xc2 || c == 0xc3:
		return simple.Glance{Type: "bool", Size: 1}
	default:
		return glanceAt(b, formats[c-0xc0].typeName, formats[c-0xc0].size)
	}
}

// glanceAt is glance for a value that begins with a type of its own, and a number of some bytes.
func glanceAt(b []byte, typeName string, size int) (g simple.Glance) {
	switch g.Type = typeName; typeName {
	case "nil":
		g.Size = 1
		return g
	case "int", "float":
		g.Head, g.Size = 1, uint64(size)
		return g
	case "str":
		g.Kind = span.Text
	case "bin":
		g.Kind = span.Data
	case "array":
		g.Layout = tree.Sequence
	case "map":
		g.Layout = tree.Pairs
	default:
		return simple.Glance{}
	}
	if len(b) <= size {
		return simple.Glance{}
	}
	g.Head = 1 + size
	for _, c := range b[1:g.Head] {
		g.Size = g.Size<<8 | uint64(c)
	}
	return g
}

// formats describes the first bytes from 0xc0 to 0xdf.
var formats = [...]struct {
	name     string
	typeName string
	read     func(c *simple.Cursor, size int)
	size     int // size of what comes next: a number, a length, or the data of a fixext
}{
	{"nil", "nil", readNil, 0},
	{"never used", "", readUnused, 0},
	{}, {}, // false and true
	{"bin 8", "bin", readBin, 1}, {"bin 16", "bin", readBin, 2}, {"bin 32", "bin", readBin, 4},
	{"ext 8", "ext", readExt, 1}, {"ext 16", "ext", readExt, 2}, {"ext 32", "ext", readExt, 4},
	{"float 32", "float", (*simple.Cursor).Float, 4}, {"float 64", "float", (*simple.Cursor).Float, 8},
	{"uint 8", "int", (*simple.Cursor).Uint, 1}, {"uint 16", "int", (*simple.Cursor).Uint, 2},
	{"uint 32", "int", (*simple.Cursor).Uint, 4}, {"uint 64", "int", (*simple.Cursor).Uint, 8},
	{"int 8", "int", (*simple.Cursor).Int, 1}, {"int 16", "int", (*simple.Cursor).Int, 2},
	{"int 32", "int", (*simple.Cursor).Int, 4}, {"int 64", "int", (*simple.Cursor).Int, 8},
	{"fixext 1", "ext", readFixExt, 1}, {"fixext 2", "ext", readFixExt, 2}, {"fixext 4", "ext", readFixExt, 4},
	{"fixext 8", "ext", readFixExt, 8}, {"fixext 16", "ext", readFixExt, 16},
	{"str 8", "str", readStr, 1}, {"str 16", "str", readStr, 2}, {"str 32", "str", readStr, 4},
	{"array 16", "array", readArray, 2}, {"array 32", "array", readArray, 4},
	{"map 16", "map", readMap, 2}, {"map 32", "map", readMap, 4},
}

func readNil(c *simple.Cursor, _ int) { c.Null() }

func readUnused(c *simple.Cursor, _ int) {
	c.Fail(span.UnknownType, "MessagePack has no type 0xc1")
}

func readStr(c *simple.Cursor, size int) { c.Text(c.Number(size, span.Length, "length")) }

func readBin(c *simple.Cursor, size int) { c.Bytes(c.Number(size, span.Length, "length")) }

func readArray(c *simple.Cursor, size int) { c.Items(c.Number(size, span.Length, "count")) }

func readMap(c *simple.Cursor, size int) { c.Pairs(c.Number(size, span.Length, "count")) }

func readFixExt(c *simple.Cursor, size int) { readExtData(c, uint64(size)) }

func readExt(c *simple.Cursor, size int) { readExtData(c, c.Number(size, span.Length, "length")) }

// readExtData reads the type of an ext and n bytes of data.
func readExtData(c *simple.Cursor, n uint64) {
	code := int8(c.Number(1, span.Type, "ext type"))
	c.Means(strconv.Itoa(int(code)))
	if code == -1 && (n == 4 || n == 8 || n == 12) {
		readTimestamp(c, n)
	} else {
		c.Bytes(n)
	}
	c.Tag("ext", int64(code))
}

// readTimestamp reads a timestamp of 32, 64 or 96 bits.
func readTimestamp(c *simple.Cursor, n uint64) {
	c.Type("timestamp")
	var seconds int64
	var nanoseconds uint64
	switch n {
	case 4:
		seconds = int64(c.Number(4, span.Value, "seconds"))
	case 8:
		both := c.Number(8, span.Value, "nanoseconds and seconds") // in 30 and 34 bits
		nanoseconds, seconds = both>>34, int64(both&(1<<34-1))
	case 12:
		nanoseconds = c.Number(4, span.Value, "nanoseconds")
		seconds = int64(c.Number(8, span.Value, "seconds"))
		c.Means(strconv.FormatInt(seconds, 10))
	}
	c.Raw(n)
	if nanoseconds < 1e9 && seconds >= year0 && seconds < year10000 {
		c.Note(time.Unix(seconds, int64(nanoseconds)).UTC().Format(time.RFC3339Nano))
	}
}

// The years that RFC 3339 can write, in seconds since 1970.
const (
	year0     = -62167219200
	year10000 = 253402300800
)
