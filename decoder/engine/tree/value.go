// Package tree reads a buffer as a tree of values without building one: a Scanner passes
// over values in file order, an index remembers places in it, and a Reader finds single
// values from there. A Reading knows the layout of values.
package tree

import (
	"math"

	"varview/decoder/engine/span"
)

// Layout is how the children of a value are laid out.
type Layout uint8

const (
	Leaf     Layout = iota // no children; the end is known
	Fixed                  // children of equal size from Body on, found by arithmetic; or parts of a text (Stride 0, Opaque), found by number
	Sequence               // children follow one another from Body on
	Pairs                  // like Sequence, with a key before each child
)

// Unknown is an end or a count that is known only after reading on.
const Unknown = -1

// A Value is what the first bytes of a value say about it. Offsets count from the start of the buffer.
//
//	Start    Head      Body        Tail   End
//	| prefix | header  | children  | gap  |
type Value struct {
	Start int64 // first byte, including a frame's length
	Head  int64 // first byte of the value itself, after a frame's length
	Body  int64 // first byte after the leading fields: children or payload
	Tail  int64 // end of what was understood; a gap follows up to End; Unknown until its children are passed
	End   int64 // first byte after the value; Unknown until its children are passed
	Limit int64 // the value and its children must end at or before it
	Count int64 // number of children (pairs count once); Unknown if they run up to Limit

	Damage *span.Problem // why the value could not be read to its end

	Type     uint16 // type number of the format
	Flags    uint16 // flag bits, by the format's rules
	Sub      uint32 // further data of the format: an element type, an unknown id
	Inner    uint32 // the same for its children
	Rows     uint32 // number of values in each child, for children that have no bytes of their own
	Stride   uint16 // Fixed: bytes from one child to the next
	MinChild uint16 // least number of bytes of a child
	Layout   Layout
	Fenced   bool // End does not depend on the children: a frame, a whole buffer
	Opaque   bool // Fixed: one field of the value holds all children
	Numbered bool // it has the number Serial; for formats whose values refer to others
	Refers   bool // it refers to the value with the number Sub
	Footed   bool // fields follow its children; see Footer
	Marked   bool // its children end where a mark in the bytes says so; see Marker
	Open     bool // Marked: the bytes end before the mark; known when Tail is

	Object any // pointer that the reading keeps for it; nil if the bytes suffice

	Serial    uint32 // number of numbered values that begin before it; NoSerial if unknown
	SerialEnd uint32 // the same for what follows it; known when End is
	Foot      int64  // Footed: offset of the fields after the children; known when Tail is
}

// NoSerial is a number that is unknown because of damage before the value.
const NoSerial = math.MaxUint32

// Span returns the value's own span; its end must be known.
func (v *Value) Span() span.Span { return span.Between(v.Start, v.End) }

// HasGap reports whether the value ends in bytes without a meaning.
func (v *Value) HasGap() bool { return v.Tail != Unknown && v.Tail < v.End }

// IsClosed reports whether the bytes of the value cannot be read at all: a schema is missing, or a
// wrapper's block could not be unpacked.
func (v *Value) IsClosed() bool {
	return v.Damage != nil && (v.Damage.Code == span.MissingSchema || v.Damage.Code == span.Unreadable)
}

// HasFoot reports whether fields of the value itself follow its children, which have been passed: its end
// is then certain.
func (v *Value) HasFoot() bool { return v.Footed && v.Tail != Unknown && v.Tail > v.Foot }

// Break ends the value with a gap from tail to its limit: it cannot be read further
// because of p.
func (v *Value) Break(tail int64, p *span.Problem) {
	v.Layout, v.Count, v.Footed = Leaf, 0, false
	v.Tail, v.End, v.Damage = tail, v.Limit, p
	v.Body = min(v.Body, tail)
}

// Close sets the end of a value without children.
func (v *Value) Close(end int64) { v.Tail, v.End = end, end }

// Contain declares that children of at least minChild bytes follow one another from Body on.
func (v *Value) Contain(layout Layout, count int64, minChild uint16) {
	v.Layout, v.Count, v.MinChild = layout, count, minChild
	v.Tail, v.End = Unknown, Unknown
}

// Overcounted reports whether the value counts more children than could be in the bytes
// up to its limit.
func (v *Value) Overcounted() bool {
	least := int64(v.MinChild)
	if v.Layout == Pairs {
		least *= 2
	}
	return v.Count*least > v.Limit-v.Body
}

// A Slot identifies a child of a value: the i-th, or the key before it.
type Slot struct {
	Index int64
	Key   bool
}
