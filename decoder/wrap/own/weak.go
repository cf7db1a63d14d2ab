package own

import (
	"errors"
	"math/bits"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// A combination makes a number of all bytes. One of one or two bytes is any number by chance, so it is only said that it may be one.
type combination struct {
	name  string
	width int64 // bytes that hold it
	of    func(b []byte) uint64
}

// combinations are those that are looked for.
var combinations = []combination{
	{sumOfBytes, 1, added},
	{minusBytes, 1, func(b []byte) uint64 { return -added(b) & (1<<8 - 1) }},
	{xorOfBytes, 1, func(b []byte) (n uint64) {
		for _, c := range b {
			n ^= uint64(c)
		}
		return n
	}},
	{"crc16-ccitt", 2, crc{0x8408, 0xffff, 0, false}.of},
	{"crc16-xmodem", 2, crc{0x8408, 0, 0, false}.of},
	{"crc16-kermit", 2, crc{0x8408, 0, 0, true}.of},
	{"crc16-x25", 2, crc{0x8408, 0xffff, 0xffff, true}.of},
	{"crc16-arc", 2, crc{0xa001, 0, 0, true}.of},
	{"crc16-modbus", 2, crc{0xa001, 0xffff, 0, true}.of},
}

func added(b []byte) (n uint64) {
	for _, c := range b {
		n += uint64(c)
	}
	return n
}

// A crc is a kind of CRC-16, of which the polynomial is written with the least significant bit first. If it is reversed, that is the
// first bit of each byte.
type crc struct {
	polynomial, start, inverted uint16
	isReversed                  bool
}

func (c crc) of(b []byte) uint64 {
	n := c.start
	for _, x := range b {
		if !c.isReversed {
			x = bits.Reverse8(x)
		}
		n ^= uint16(x)
		for range 8 {
			n = n>>1 ^ c.polynomial&-(n&1)
		}
	}
	if !c.isReversed {
		n = bits.Reverse16(n)
	}
	return uint64(n ^ c.inverted)
}

// computed returns the number of characters of a text in UTF-8, or a combination of all bytes of a source. It is an error if it has no
// such number, or is too large.
func computed(src source.Source, is string) (int64, error) {
	b := summable(src)
	if b == nil || is == characters && !utf8.Valid(b) {
		return 0, errors.New("no text, or too large")
	} else if is == characters {
		return int64(utf8.RuneCount(b)), nil
	}
	return int64(combinationOf(is).of(b)), nil
}

// combinationOf returns the combination of a name.
func combinationOf(name string) *combination {
	i := slices.IndexFunc(combinations, func(c combination) bool { return c.name == name })
	if i < 0 {
		return &combination{}
	}
	return &combinations[i]
}

// least returns the least number of bytes that can hold what a field measures.
func (f *Field) least() int64 { return max(combinationOf(f.Is).width, 1) }

// A left number is one that stays, though it measures something.
type left struct {
	Field
	at span.Span
	is uint64
}

// now returns what a left number would be in a file in which it takes at.
func (f *left) now(whole *file, at span.Span) (n uint64, ok bool) {
	want, ok, err := f.measure(whole, at)
	if f.width() == 1 {
		want &= 1<<8 - 1
	}
	return uint64(f.held(want)), ok && err == nil
}

// measuring lists what the number of a field of one or two bytes, which stands alone, may measure: any byte measures something as often as
// three or four of 256.
func (p *packer) measuring(in *layer.Inner, f Field, at span.Span, is uint64) (all []left) {
	names := []string{packedSize}
	for _, c := range combinations {
		if c.width == f.width() {
			names = append(names, c.name)
		}
	}
	for _, f.Is = range names {
		l := left{f, at, is}
		if n, ok := l.now(&file{p.was, in}, at); ok && n == is {
			all = append(all, l)
		}
	}
	return all
}

// byteSum returns the field of a byte that is a whole header or trailer, and the sum of the content, or all its bytes combined by exclusive
// or; nil for another one, for a small number before the content, and if it measures something else too.
func (p *packer) byteSum(s *side, in *layer.Inner) *Field {
	if len(s.b) != 1 || s.isHead() && s.b[0] < leastByte {
		return nil
	}
	all := p.measuring(in, Field{Type: "u8"}, span.Span{Offset: s.before, Length: 1}, uint64(s.b[0]))
	if len(all) != 1 || all[0].Is != sumOfBytes && all[0].Is != xorOfBytes {
		return nil
	}
	return &all[0].Field
}

// MeasuringRest returns how many of the first bytes of a region, or else of the last, may measure the rest: its size, its sum, or all
// combined by exclusive or, in one byte; a CRC-16 in two; 0 for none.
func MeasuringRest(src source.Source, region span.Span, first bool) int64 {
	for _, f := range []Field{{Type: "u8"}, {Type: "u16"}, {Type: "u16", Big: true}} {
		width := f.width()
		if region.Length <= width || width > 1 && region.Length > mostOthers {
			break
		}
		at, rest := span.Span{Offset: region.Offset, Length: width}, span.Between(region.Offset+width, region.End())
		if !first {
			at.Offset, rest = region.End()-width, span.Between(region.Offset, region.End()-width)
		}
		in := &layer.Inner{Held: []source.Source{source.Join(source.Piece{Src: src, Span: rest})}}
		if is := source.NewWindow(src).View(at.Offset, width); len(new(packer).measuring(in, f, at, f.number(is))) > 0 {
			return width
		}
	}
	return 0
}

// weak lists the numbers of one and two bytes in the bytes that are no other field, which are combinations of the content or of bytes
// beside them.
func (p *packer) weak() (all []left) {
	if p.in == nil || p.layer.Payload.Size() > mostOthers {
		return nil
	}
	whole := &file{p.was, p.in}
	x := weakSearch{whole: whole}
	for _, f := range p.extents(p.in) {
		for _, c := range combinations {
			f.Is = c.name
			if n, _, err := f.measure(whole, span.Span{}); err == nil {
				x.known = append(x.known, length{n, f})
			}
		}
	}
	for _, part := range p.bare() {
		for at := range part.own {
			if l := x.at(&part, at); l != nil {
				all = append(all, *l)
			}
		}
	}
	return all
}

// bare returns the parts of a header and a trailer that are in no field that follows the content, nor size that stays.
func (p *packer) bare() (all []located) {
	isNew := true
	for _, x := range p.opened() {
		isLeft := slices.ContainsFunc(p.left, func(f left) bool { return f.at.Offset < x.inFile().End() && x.inFile().Offset < f.at.End() })
		switch last := len(all) - 1; {
		case x.Is != "" || x.sum != nil || x.pad || isLeft:
			isNew = true
		case isNew || all[last].isHead != x.isHead:
			all, isNew = append(all, x), false
		default:
			all[last].own = slices.Concat(all[last].own, x.own)
			all[last].at.Length += x.at.Length
		}
	}
	return all
}

// A weakSearch looks for combinations.
type weakSearch struct {
	whole *file
	known []length // combinations of the content
}

const mostWeak = 16 << 10 // bytes of the largest file of which those beside a number are combined

// at returns the number that begins at an offset of a part, if it is a combination; nil for none.
func (x *weakSearch) at(part *located, at int) *left {
	var beside []length
	for _, f := range []Field{{Type: "u16"}, {Type: "u16", Big: true}, {Type: "u8"}, {Type: digits}, {Type: hex}} {
		size, ok := f.length(part.own[at:])
		if !ok || !part.mayBeWeak(&f, at, at+int(size)) {
			continue
		}
		place := span.Span{Offset: part.inFile().Offset + int64(at), Length: size}
		if !f.Big { // the number before had another size
			beside = x.beside(part.isHead, place)
		}
		n := f.number(part.own[at : at+int(size)])
		for _, l := range slices.Concat(x.known, beside) {
			l.Type, l.Big = f.Type, f.Big
			if isWide := l.width() == 0 || l.Is == sumOfBytes || l.width() == l.least(); isWide && uint64(l.held(l.value)) == n {
				return &left{l.Field, place, n}
			}
		}
	}
	return nil
}

// beside lists the combinations of the bytes beside a number in a header, or else a trailer, that takes at.
func (x *weakSearch) beside(isHead bool, at span.Span) (all []length) {
	if at.Length > 2 || x.whole.size() > mostWeak || isHead && at.Offset > lastAround {
		return nil
	}
	scopes := []scope{ofBefore, ofOthers, ofAll}
	if isHead {
		scopes[0] = ofBehind
	}
	for _, of := range scopes[:1+min(at.Length, 2)] { // of a byte zero is the same as none
		f := Field{of: of}
		for _, c := range combinations {
			f.Is = c.name
			if n, _, err := f.measure(x.whole, at); err == nil {
				all = append(all, length{n, f})
			}
		}
	}
	return all
}

// mayBeWeak reports whether a number in a part, from one offset to another, may be a combination: a byte beside the content or another
// number; two that are no part of a word and no small number; or digits that stand apart.
func (x *located) mayBeWeak(f *Field, from, to int) bool {
	n, isName := f.number(x.own[from:to]), isNameByte(x.own[from]) && isNameByte(x.own[to-1])
	isIn, isPart := x.besideWord(from, to)
	switch f.Type {
	case "u8":
		isWord := isIn && isName && (x.at.Offset+int64(to))%2 == 0
		return n >= leastByte && !isWord && x.isBeside(from, to)
	case "u16":
		return n > 0xff && n%(1<<8) > 0 && !(isPart && isName)
	case digits:
		return n >= 1000 && !isIn
	}
	return to-from == 4 && !isPart
}

// besideWord reports whether a character of a word is before bytes of a part, from one offset to another, and whether one is beside them.
func (x *located) besideWord(from, to int) (before, beside bool) {
	before = from > 0 && isNameByte(x.own[from-1])
	return before, before || to < len(x.own) && isNameByte(x.own[to])
}

// isBeside reports whether bytes of a part, from one offset to another, are beside the content or another field.
func (x *located) isBeside(from, to int) bool {
	return to == len(x.own) || from == 0 && (!x.isHead || x.at.Offset > 0)
}
