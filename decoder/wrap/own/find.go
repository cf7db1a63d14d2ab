package own

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// Complete tells an open layer of this package what is inside: fields that were only known to be bytes are
// found, and lengths are compared. Nothing may have read the layer's own bytes yet.
func Complete(l *layer.Layer, in layer.Inner) {
	if p, ok := l.Packer.(*piecesPacker); ok && in.Starts != nil {
		p.starts, _ = in.Starts()
	}
	p, ok := l.Packer.(*packer)
	if !ok {
		return
	}
	if p.in = &in; p.found {
		p.found = false
		p.head = (&side{packer: p, whole: p.whole(&in), b: p.was.head}).find()
		p.tail = (&side{packer: p, whole: p.whole(&in), b: p.was.tail, before: int64(len(p.was.head)) + in.Held[0].Size()}).find()
	}
	p.describe(&in)
}

// A length is a number that is looked for, and what it measures.
type length struct {
	value int64
	Field
}

// lengths lists the numbers that could stand anywhere in the layer as a length, the likeliest first. A number of two bytes and more
// that is one of these hardly ever is by chance.
func (s *side) lengths() (all []length) {
	each := func(is string) []Field {
		extents := slices.Clone(s.extents())
		for i := range extents {
			extents[i].Is = is
		}
		return extents
	}
	for _, f := range slices.Concat([]Field{{Is: plainSize}}, each(packedSize), []Field{{Is: fileSize}, {Is: fileSize, add: s.in.Beside}},
		each(characters), []Field{{Is: Count}}, each(inverted), each(negative), each(checksum.ByteSum)) {
		isOther := f.Is == plainSize && len(s.in.Held) == 1
		if n, ok, _ := f.measure(s.whole, span.Span{}); ok && !isOther && (f.Is != characters || n < s.whole.content(&f).Size()) {
			all = append(all, length{n, f})
		}
	}
	return all
}

// lengthsAt lists the lengths of what is behind a number, or before it, that takes at. Behind digits, what sets them apart is none of it.
func (s *side) lengthsAt(c *candidate) (all []length) {
	fields := []Field{{Is: fileSize, of: ofBefore}}
	if s.isHead() {
		fields = nil
		for _, n := range apartFrom(ofBehind, c, s.b) {
			fields = append(fields, Field{Is: fileSize, of: ofBehind, add: -n}, Field{Is: fileSize, of: ofBehind, add: s.in.Beside - n})
		}
		if c.at > 0 && c.at%4 == 0 && c.end == c.at+4 { // and it
			fields = append(fields, Field{Is: fileSize, of: ofBehind, add: 4})
		}
	}
	for _, f := range fields {
		n, _, _ := f.measure(s.whole, s.inFile(c))
		all = append(all, length{n, f})
	}
	return all
}

// find divides a header or trailer into fields: checksums, lengths, and what is between them.
func (s *side) find() (all []Field) {
	s.takeSums()
	s.takeEntries()
	s.takeLengths()
	slices.SortStableFunc(s.taken, func(c, d candidate) int { return cmp.Compare(c.at, d.at) })
	from := 0
	for _, c := range s.taken {
		all = append(append(all, others(s.b[from:c.at])...), c.Field)
		from = c.end
	}
	return append(all, others(s.b[from:])...)
}

const (
	leastText = 3  // fewest characters that are taken for a text
	mostText  = 64 // most bytes of a text with its length
)

// arePacked reports whether bytes are too many and too different for texts, numbers and checksums: the end of an older file that is
// packed, say.
func arePacked(b []byte) bool {
	const many, different = 256, 100
	return len(b) > many && checksum.Different(b[:many]) > different
}

// others divides bytes that measure nothing into texts and numbers, for people.
func others(b []byte) (all []Field) {
	if arePacked(b) {
		return plain("", int64(len(b)))
	}
	for len(b) > 0 {
		f := next(b)
		n, _ := f.length(b)
		all, b = append(all, f), b[n:]
	}
	return all
}

func next(b []byte) Field {
	for _, f := range []Field{{Type: "text"}, {Type: "text16"}} {
		n, ok := f.length(b)
		if p := f.prefix(); ok && p < n && n <= mostText && printable(b[p:n]) == int(n-p) {
			return f
		}
	}
	n := printable(b)
	if size := checksum.HashAt(b); size > 0 {
		return Field{Type: "bytes", Size: int64(size)}
	} else if n < len(b) && n > 0 && b[n] == '\n' {
		return Field{Type: "line"}
	} else if n >= leastText || n == len(b) {
		return Field{Type: "text", Size: int64(n)}
	}
	for n = 1; n < len(b) && printable(b[n:]) < leastText+1 && checksum.HashAt(b[n:]) == 0; n++ {
	}
	if zeros := n - len(bytes.TrimLeft(b[:n], "\x00")); zeros == n || n > 8 || n&(n-1) != 0 {
		return Field{Type: "bytes", Size: int64(n)}
	}
	return Field{Type: fmt.Sprintf("u%d", 8*n)}
}

// printable returns the number of printable ASCII characters at the beginning of b.
func printable(b []byte) int {
	return len(b) - len(bytes.TrimLeftFunc(b, func(c rune) bool { return c >= ' ' && c <= '~' }))
}

// Shape returns the types of the texts and numbers of which bytes consist.
func Shape(b []byte) (shape string) {
	for _, f := range others(b) {
		shape += " " + f.Type
	}
	return shape
}
