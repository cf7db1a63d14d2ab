// Package span defines what all formats share: spans of bytes, the fields that own them,
// and the problems found at them.
package span

import (
	"fmt"
	"strconv"
	"strings"
)

// A Span is the half-open byte range [Offset, Offset+Length) of one buffer.
type Span struct {
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
}

// Between returns the span from start up to end; an end before start gives an
// empty span at start.
func Between(start, end int64) Span { return Span{start, max(0, end-start)} }

// End returns the offset of the first byte after the span.
func (s Span) End() int64 { return s.Offset + s.Length }

// Contains reports whether the byte at offset lies in the span.
func (s Span) Contains(offset int64) bool { return offset >= s.Offset && offset < s.End() }

// String returns the offsets of the first and last byte: 0x10–0x13.
func (s Span) String() string {
	if s.Length <= 1 {
		return fmt.Sprintf("%#x", s.Offset)
	}
	return fmt.Sprintf("%#x–%#x", s.Offset, s.End()-1)
}

// A Field is a span with exactly one meaning. The fields of a buffer are in
// order, are never empty, and cover it.
type Field struct {
	Span
	Kind  Kind
	Label string // name of the field within its value: "length", "x", "element type"
}

// Unused is the label of the padding with which a program fills up a buffer, behind all that it reads.
const Unused = "unused"

// A Lister appends consecutive fields, from At on and not beyond Tail.
type Lister struct {
	Fields   []Field
	At, Tail int64
}

// Put appends a field of n bytes, unless it is empty or exceeds Tail. It reports whether more fields may
// follow.
func (l *Lister) Put(n int64, kind Kind, label string) bool {
	if l.At+n > l.Tail {
		return false
	}
	if n > 0 {
		l.Fields = append(l.Fields, Field{Span: Span{Offset: l.At, Length: n}, Kind: kind, Label: label})
		l.At += n
	}
	return true
}

// Bytes returns a number of bytes in words: "1 byte", "12 bytes".
func Bytes(n int64) string { return Counted(n, "byte") }

// BytesAre returns a number of bytes with its verb: "1 byte is", "4 bytes are".
func BytesAre(n int64) string { return CountedAre(n, "byte") }

// CountedAre returns a number of things with its verb: "1 block is", "12,684 blocks are".
func CountedAre(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return Counted(n, thing) + " are"
}

// Grouped returns a number with commas between thousands: 1,234,567.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Article returns a name with its article: a Camera, an AnimationLibrary.
func Article(name string) string {
	if name != "" && strings.Contains("aeiou", strings.ToLower(name[:1])) {
		return "an " + name
	}
	return "a " + name
}

// Counted returns a number of things: 1 block, 12,684 blocks.
func Counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Grouped(n) + " " + thing + "s"
}
