package own

import (
	"bytes"
	"fmt"

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
		p.head = p.find(p.was.head, 0, &in)
		p.tail = p.find(p.was.tail, int64(len(p.was.head))+in.Sizes[0], &in)
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
func (p *packer) lengths(end int64, in *layer.Inner) (all []length) {
	add := func(is string, level int, more int64) {
		f := Field{Is: is, level: level, add: more}
		if n, ok, _ := p.measure(&f, in); ok {
			all = append(all, length{n, f})
		}
	}
	last := len(in.Sizes) - 1
	if last > 0 {
		add(PlainSize, 0, 0)
	}
	for level := range max(1, last) {
		add(PackedSize, level, 0)
	}
	add(FileSize, 0, 0)
	add(FileSize, 0, -end) // all bytes after the number
	add(Count, 0, 0)
	return all
}

// Least values of numbers that are taken for lengths.
const (
	leastSize  = 8
	leastCount = 2
	leastByte  = 33 // of a length in one byte: versions and other small numbers are as common
)

// lengthAt returns the length that begins in b at an offset; ok is false if there is none. before is the
// number of the layer's bytes before b. A length of one byte stands right before what it measures.
func (p *packer) lengthAt(b []byte, at int, before int64, in *layer.Inner) (f Field, ok bool) {
	for _, name := range []string{"u64", "u64be", "u32", "u32be", "u16", "u16be", "u8"} {
		f := Field{Type: name}
		end := at + int(f.width())
		if end > len(b) {
			continue
		}
		n := number(b[at:end], f.isBig())
		for _, l := range p.lengths(before+int64(end), in) {
			least := uint64(leastSize)
			if l.Is == Count {
				least = leastCount
			}
			if name == "u8" {
				if least = leastByte; l.Is != PackedSize || before > 0 || end < len(b) {
					continue
				}
			}
			if n == uint64(l.value) && n >= least {
				l.Field.Type = name
				return l.Field, true
			}
		}
	}
	return f, false
}

// find divides a header or trailer into fields: lengths, and what is between them.
func (p *packer) find(b []byte, before int64, in *layer.Inner) (all []Field) {
	from := 0
	for at := 0; at < len(b); {
		f, ok := p.lengthAt(b, at, before, in)
		if !ok {
			at++
			continue
		}
		all = append(append(all, others(b[from:at])...), f)
		at += int(f.width())
		from = at
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
	for _, f := range []Field{{Type: "text32"}, {Type: "text16"}} {
		n, ok := f.length(b)
		if p := f.prefix(); ok && p < n && n <= mostText && printable(b[p:n]) == int(n-p) {
			return f
		}
	}
	n := printable(b)
	if n < len(b) && n > 0 && b[n] == '\n' {
		return Field{Type: "line"}
	} else if n >= leastText || n == len(b) {
		return Field{Type: "text", Bytes: int64(n)}
	}
	for n = 1; n < len(b) && printable(b[n:]) < leastText+1; n++ {
	}
	if zeros := n - len(bytes.TrimLeft(b[:n], "\x00")); zeros == n || n > 8 || n&(n-1) != 0 {
		return Field{Type: "bytes", Bytes: int64(n)}
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
