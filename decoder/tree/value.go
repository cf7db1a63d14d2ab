// Package tree reads a buffer as a tree of values without building one: a
// scanner passes over values in file order, an index remembers where it has
// been, and a reader finds single values from there. What a value looks like is
// the business of a Format.
package tree

import (
	"math"

	"varview/decoder/span"
)

// Layout says how the children of a value lie.
type Layout uint8

const (
	Leaf     Layout = iota // no children; the end is known at once
	Fixed                  // children of one stride from Body on: found by arithmetic
	Sequence               // children follow one another from Body on
	Pairs                  // as Sequence, a key before each child
)

// Unknown stands for an end or a count that only reading on can tell.
const Unknown = -1

// A Value is what a format can tell of a value from its first bytes. Offsets
// count from the start of the buffer.
//
//	Start    Head      Body        Tail   End
//	| prefix | header  | children  | gap  |
type Value struct {
	Start int64 // first byte, a frame's length included
	Head  int64 // first byte of the value itself: behind a frame's length
	Body  int64 // first byte behind the leading fields: children or payload
	Tail  int64 // end of what was understood, behind it a gap up to End; Unknown until its children are passed
	End   int64 // first byte behind the value; Unknown until its children are passed
	Limit int64 // no byte of the value or its children may lie at or behind it
	Count int64 // children (pairs count once); Unknown where they run up to Limit

	Damage *span.Problem // why the value could not be read to its end

	Type     uint16 // the format's own number for what it is
	Flags    uint16 // flag bits, by the format's rules
	Sub      uint32 // more that the format wants to know: an element type, an unknown id
	Stride   uint16 // Fixed: bytes from one child to the next
	MinChild uint16 // fewest bytes a child can have
	Layout   Layout
	Fenced   bool // End does not depend on the children: a frame, a whole buffer
	Opaque   bool // Fixed: one field of the value holds all children
	Numbered bool // it takes a number, which is Serial; for formats whose values refer to others
	Refers   bool // it stands for the value with the number Sub
	Footed   bool // fields of its own follow its children; see Footer

	Serial    uint32 // how many numbered values begin before it; NoSerial where that is unknown
	SerialEnd uint32 // the same for what follows it; known when End is
	Foot      int64  // Footed: where the fields behind the children begin; known when Tail is
}

// NoSerial stands for a number that damage before the value has left unknown.
const NoSerial = math.MaxUint32

// Span is the value's own span; its end must be known.
func (v *Value) Span() span.Span { return span.Between(v.Start, v.End) }

// HasGap reports whether the value ends in bytes that nothing claims.
func (v *Value) HasGap() bool { return v.Tail != Unknown && v.Tail < v.End }

// IsClosed reports whether the bytes of the value cannot be read whatever they are
// read as: a schema is missing, or a wrapper's block did not unpack.
func (v *Value) IsClosed() bool {
	return v.Damage != nil && (v.Damage.Code == span.MissingSchema || v.Damage.Code == span.Unreadable)
}

// HasFoot reports whether fields of its own stand behind the children of the value,
// which is passed: its end is certain.
func (v *Value) HasFoot() bool { return v.Footed && v.Tail != Unknown && v.Tail > v.Foot }

// Break ends the value with a gap from tail to its limit: it cannot be read
// on. The problem lies at [tail, tail+length).
func (v *Value) Break(tail int64, p *span.Problem) {
	v.Layout, v.Count = Leaf, 0
	v.Tail, v.End, v.Damage = tail, v.Limit, p
	v.Body = min(v.Body, tail)
}

// Close gives a value without children its end.
func (v *Value) Close(end int64) {
	v.Tail, v.End = end, end
}

// Contain gives the value children that follow one another from Body on; each
// has at least minChild bytes.
func (v *Value) Contain(layout Layout, count int64, minChild uint16) {
	v.Layout, v.Count, v.MinChild = layout, count, minChild
	v.Tail, v.End = Unknown, Unknown
}

// Overcounted reports whether the value counts more children than the bytes up
// to its limit could hold.
func (v *Value) Overcounted() bool {
	least := int64(v.MinChild)
	if v.Layout == Pairs {
		least *= 2
	}
	return v.Count*least > v.Limit-v.Body
}

// A Slot names a child of a value: the i-th, or the key that stands before it.
type Slot struct {
	Index int64
	Key   bool
}
