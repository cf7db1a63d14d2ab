package own

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"

	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// Complete tells an open layer of this package what is inside: fields that were only known to be bytes are
// found, and lengths are compared. Nothing may have read the layer's own bytes yet.
func Complete(l *layer.Layer, in layer.Inner) {
	p, ok := l.Packer.(*packer)
	if !ok {
		return
	}
	if p.found {
		p.found = false
		p.head = p.find(p.was.head, 0, p.sums(p.was.head, true, &in), &in)
		p.tail = p.find(p.was.tail, int64(len(p.was.head))+in.Sizes[0], p.sums(p.was.tail, false, &in), &in)
	}
	p.describe(&in)
}

// A length is a number that is looked for, and what it measures.
type length struct {
	value int64
	Field
}

// lengths lists the numbers that could stand at an offset of the layer as a length, the likeliest first. A
// number of two bytes and more that is one of these hardly ever is by chance.
func (p *packer) lengths(at, end int64, in *layer.Inner) (all []length) {
	add := func(is string, level int, more int64) {
		f := Field{Is: is, level: level, add: more}
		if n, ok, _ := p.measure(&f, in); ok {
			all = append(all, length{n, f})
		}
	}
	last := len(in.Sizes) - 1
	if last > 0 {
		add(plainSize, 0, 0)
	}
	for level := range max(1, last) {
		add(packedSize, level, 0)
	}
	if n := len(p.was.tail) - len(bytes.TrimLeft(p.was.tail, "\r\n")); n > 0 { // line ends of the text before them
		add(packedSize, 0, int64(n))
	}
	if last == 0 && p.isFrame() { // the frame of the content has it too
		add(packedSize, 0, -4)
	}
	if n := p.ended(); n > 0 && last == 0 { // those that belong to it
		add(packedSize, 0, -n)
	}
	for _, beside := range slices.Compact([]int64{0, in.Beside}) {
		add(fileSize, 0, beside)
		if end <= int64(len(p.was.head)) {
			add(fileSize, 0, beside-end) // all bytes after the number
			if at > 0 && at%4 == 0 && end-at == 4 {
				add(fileSize, 0, beside-at) // and it
			}
		}
	}
	add(Count, 0, 0)
	return all
}

// sumNumbers lists the checksums of the content that could stand as a number.
func (p *packer) sumNumbers(in *layer.Inner) (all []length) {
	if p.layer.Payload.Size() > mostSummed {
		return nil
	}
	scopes := []scope{ofContent}
	if in.Plain != nil && len(in.Sizes) > 1 && in.Plain.Size() <= mostSummed {
		scopes = append(scopes, ofValues)
	}
	for _, sum := range checksum.Numbers() {
		for _, of := range scopes {
			f := Field{Is: sum, of: of}
			if n, ok, err := p.measure(&f, in); ok && err == nil {
				all = append(all, length{n, f})
			}
		}
	}
	return all
}

// ended returns how many line ends and zeros the content ends with.
func (p *packer) ended() int64 {
	var b [8]byte
	n, _ := p.layer.Payload.ReadAt(b[:], max(0, p.layer.Payload.Size()-int64(len(b))))
	return int64(n - len(bytes.TrimRight(b[:n], "\r\n\x00")))
}

// find divides a header or trailer into fields: checksums by their offsets, lengths, and what is between them.
func (p *packer) find(b []byte, before int64, sums map[int]Field, in *layer.Inner) (all []Field) {
	s := &side{b: b, before: before, sums: sync.OnceValue(func() []length { return p.sumNumbers(in) })}
	s.isSure = before > 0 && slices.ContainsFunc(p.head, func(f Field) bool { return f.Is != "" })
	for at, f := range sums {
		s.taken = append(s.taken, candidate{Field: f, at: at, end: at + int(f.Size)})
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
	if n < len(b) && n > 0 && b[n] == '\n' {
		return Field{Type: "line"}
	} else if n >= leastText || n == len(b) {
		return Field{Type: "text", Size: int64(n)}
	}
	for n = 1; n < len(b) && printable(b[n:]) < leastText+1; n++ {
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
