package own

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// Complete tells an open layer of this package what is inside: fields that were only known to be bytes are
// found, and lengths are compared. Nothing may have read the layer's own bytes yet.
func Complete(l *layer.Layer, in layer.Inner) {
	if p, ok := l.Packer.(*piecesPacker); ok {
		p.complete(&in)
	}
	p, ok := l.Packer.(*packer)
	if !ok {
		return
	}
	if p.in = &in; p.found {
		p.found = false
		p.head = p.find(p.was.head, 0, p.sums(p.was.head, true, &in), &in)
		p.tail = p.find(p.was.tail, int64(len(p.was.head))+in.Held[0].Size(), p.sums(p.was.tail, false, &in), &in)
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
func (p *packer) lengths(in *layer.Inner) (all []length) {
	whole := p.whole(in)
	each := func(is string) []Field {
		extents := p.extents(in)
		for i := range extents {
			extents[i].Is = is
		}
		return extents
	}
	ends := int64(len(p.was.tail) - len(bytes.TrimLeft(p.was.tail, "\r\n"))) // line ends of the text before them
	for _, f := range slices.Concat([]Field{{Is: plainSize}}, each(packedSize), []Field{{Is: packedSize, add: ends}, {Is: fileSize}, {Is: fileSize, add: in.Beside}},
		each(characters), []Field{{Is: Count}}, each(sumOfBytes)) {
		isOther := f.Is == plainSize && len(in.Held) == 1
		if n, ok, _ := f.measure(whole, span.Span{}); ok && !isOther && (f.Is != characters || n < whole.content(&f).Size()) {
			all = append(all, length{n, f})
		}
	}
	return all
}

// lengthsAt lists the lengths of what is behind a number, or before it, that takes at. Behind digits, what sets them apart is none of it.
func (p *packer) lengthsAt(s *side, at span.Span, in *layer.Inner) (all []length) {
	fields := []Field{{Is: fileSize, of: ofBefore}}
	if s.isHead() {
		fields = nil
		for _, n := range apartFrom(ofBehind, at, s.b) {
			fields = append(fields, Field{Is: fileSize, of: ofBehind, add: -n}, Field{Is: fileSize, of: ofBehind, add: in.Beside - n})
		}
		if at.Offset > 0 && at.Offset%4 == 0 && at.Length == 4 { // and it
			fields = append(fields, Field{Is: fileSize, of: ofBehind, add: at.Length})
		}
	}
	for _, f := range fields {
		n, _, _ := f.measure(p.whole(in), at)
		all = append(all, length{n, f})
	}
	return all
}

// find divides a header or trailer into fields: checksums by their offsets, lengths, and what is between them.
func (p *packer) find(b []byte, before int64, sums map[int]Field, in *layer.Inner) (all []Field) {
	s := &side{b: b, before: before, lengths: p.lengths(in), largest: uint64(p.whole(in).size() + in.Beside)}
	for _, l := range s.lengths {
		s.largest = max(s.largest, uint64(l.value))
	}
	s.isSure = before > 0 && slices.ContainsFunc(p.head, func(f Field) bool { return f.Is != "" })
	p.addEntries(b, sums, in)
	for at, f := range sums {
		n, _ := f.length(b[at:])
		s.taken = append(s.taken, candidate{Field: f, at: at, end: at + int(n)})
	}
	found := p.lengthsIn(s, in)
	maps.Copy(found, sums)
	from := 0
	for _, at := range slices.Sorted(maps.Keys(found)) {
		if at < from { // within another
			continue
		}
		f := found[at]
		n, _ := f.length(b[at:])
		all = append(append(all, others(b[from:at])...), f)
		from = at + int(n)
	}
	return append(all, others(b[from:])...)
}

const (
	leastText = 3  // fewest characters that are taken for a text
	mostText  = 64 // most bytes of a text with its length
)

// others divides bytes that measure nothing into texts and numbers, for people.
func others(b []byte) (all []Field) {
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
	n := bytes.IndexFunc(b, func(c rune) bool { return c < ' ' || c > '~' })
	if n < 0 {
		return len(b)
	}
	return n
}

// Shape returns the types of the texts and numbers of which bytes consist.
func Shape(b []byte) (shape string) {
	for _, f := range others(b) {
		shape += " " + f.Type
	}
	return shape
}
