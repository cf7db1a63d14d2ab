package own

import (
	"errors"
	"math/bits"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// computed returns the number of characters of a text in UTF-8, or the checksum, that a field measures which takes at; that of the content is
// computed once. It is an error if there is no such number, or the bytes are too many for one that is looked for in each file.
func (f *file) computed(x *Field, at span.Span) (int64, error) {
	key := Field{Is: x.Is, level: x.level, skip: x.skip, end: x.end}
	if n, known := f.sums[key]; known && x.of == ofContent {
		return n, nil
	}
	src := f.covered(x, at)
	b := all(src)
	if _, size := checksum.SumOf(x.Is); size < 4 && src.Size() > mostSummed || b == nil || x.Is == characters && !utf8.Valid(b) {
		return 0, errors.New("no text, or too large")
	}
	n := int64(checksum.Number(x.Is, b))
	if x.of == ofContent {
		f.sums[key] = n
	}
	return n, nil
}

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

// measuring lists what the number of a field, which takes at, may measure of some parts of a file: a weak sum as wide as it, or the size of
// the content. Any byte measures something as often as five of 256.
func (f *file) measuring(x Field, at span.Span, is uint64, parts ...Field) (all []left) {
	for _, part := range parts {
		for _, kind := range append([]string{packedSize}, checksum.Weak()...) {
			l := left{part, at, is}
			l.Type, l.Big, l.Is = x.Type, x.Big, kind
			if _, size := checksum.SumOf(kind); x.width() > 0 && size != x.width() && size > 0 && kind != checksum.ByteSum {
				continue
			}
			if n, ok := l.now(f, at); ok && n == is {
				all = append(all, l)
			}
		}
	}
	return all
}

// takeByte takes a byte that is a whole header or trailer, if it is the sum of the content, or all its bytes combined by exclusive or, and
// no small number before it. The result is what it measures if it is not taken.
func (s *side) takeByte() []left {
	if len(s.b) != 1 {
		return nil
	}
	c := candidate{Field: Field{Type: "u8"}, end: 1, n: uint64(s.b[0])}
	all := s.whole.measuring(c.Field, s.inFile(&c), c.n, Field{})
	if len(all) != 1 || all[0].Is != checksum.ByteSum && all[0].Is != "byte-xor" || s.isHead() && c.n < leastByte {
		return all
	}
	s.taken = append(s.taken, candidate{Field: all[0].Field, end: c.end, n: c.n})
	return nil
}

// MeasuringRest returns how many of the first bytes of a region, or else of the last, may measure the rest: its size, its sum, or all
// combined by exclusive or, in one byte; a CRC-16 in two; 0 for none.
func MeasuringRest(src source.Source, region span.Span, first bool) int64 {
	for _, f := range []Field{{Type: "u8"}, {Type: "u16"}, {Type: "u16", Big: true}} {
		at := span.Span{Offset: region.Offset, Length: f.width()}
		rest := span.Between(at.End(), region.End())
		if !first {
			at.Offset = region.End() - at.Length
			rest = span.Between(region.Offset, at.Offset)
		}
		b := summable(source.Join(source.Piece{Src: src, Span: rest}))
		if len(b) == 0 || at.Length > 1 && rest.Length > mostOthers {
			break
		}
		whole := new(packer).whole(&layer.Inner{Held: []source.Source{source.Bytes(b)}})
		if is := f.number(source.NewWindow(src).View(at.Offset, at.Length)); len(whole.measuring(f, at, is, Field{})) > 0 {
			return at.Length
		}
	}
	return 0
}

// weak lists the numbers of one and two bytes, and in digits, in no field that follows the content, nor size that stays, which are weak
// sums of the content or of bytes beside them.
func (p *packer) weak() (all []left) {
	if p.in == nil || p.layer.Payload.Size() > mostOthers {
		return nil
	}
	whole := p.whole(p.in)
	for i, b := range [][]byte{p.was.head, p.was.tail} {
		s := &side{packer: p, whole: whole, b: b, before: int64(i) * (whole.size() - int64(len(b)))}
		for _, x := range p.opened() {
			at := x.inFile()
			isLeft := slices.ContainsFunc(p.left, func(f left) bool { return f.at.Offset < at.End() && at.Offset < f.at.End() })
			if x.Is != "" || x.pad || isLeft {
				s.taken = append(s.taken, candidate{at: int(at.Offset - s.before), end: int(at.End() - s.before)})
			}
		}
		for at := range b {
			all = append(all, s.weakAt(at)...)
		}
	}
	return all
}

// weakAt returns the number that begins at an offset of a side, and takes it, if it is a weak sum.
func (s *side) weakAt(at int) []left {
	for _, f := range []Field{{Type: "u16"}, {Type: "u16", Big: true}, {Type: "u8"}, {Type: digits}, {Type: hex}} {
		size, ok := f.length(s.b[at:])
		c := candidate{Field: f, at: at, end: at + int(size)}
		if !ok || !s.isBare(at, c.end) {
			continue
		}
		if c.n = f.number(s.b[at:c.end]); s.mayBeWeak(&c) {
			place := s.inFile(&c)
			parts := slices.Clip(s.extents())
			if (at <= farInside || !s.isHead()) && size <= 2 && s.whole.size() <= mostWeak {
				parts = append(parts, scopes(s.isHead())[:1+size]...) // of a byte zero is the same as none
			}
			if found := s.whole.measuring(f, place, c.n, parts...); len(found) > 0 {
				s.taken = append(s.taken, c)
				return found[:1]
			}
		}
	}
	return nil
}

const mostWeak = 16 << 10 // bytes of the largest file of which those beside a number are summed

// scopes lists what a checksum in a header, or else a trailer, may be of that is not in the content alone.
func scopes(isHead bool) []Field {
	beside := Field{of: ofBefore}
	if isHead {
		beside.of = ofBehind
	}
	all := []Field{beside, {of: ofOthers}, {of: ofAll}, {of: ofRest}}
	if isHead { // of the fields before it
		all = append(all, Field{of: ofBefore}, Field{of: ofWord})
	}
	return all
}

// mayBeWeak reports whether a number may be a weak sum: a byte beside the content or another number; two that are no part of a word,
// unless they are beside such things or behind a magic word, and no small number; or digits that stand apart.
func (s *side) mayBeWeak(c *candidate) bool {
	before, isName := s.isWord(c.at-1), isNameByte(s.b[c.at]) && isNameByte(s.b[c.end-1])
	switch isPart := isName && (before || s.isWord(c.end)); c.Type {
	case "u8":
		return s.mayBeByte(c) && !(before && isName && c.end%2 == 0)
	case "u16":
		return min(c.n, uint64(bits.ReverseBytes16(uint16(c.n)))) > 0xff && !(isPart && c.at != magicWord && !s.isBeside(c))
	case digits:
		return c.n >= 1000 && !before
	default:
		return c.end-c.at == 4 && !isPart
	}
}

const magicWord = 4 // bytes of most

// mayBeByte reports whether a byte is beside the content or what is taken, and no small number. Such a number is hardly a version before
// the content, behind an even number of bytes that begin with letters.
func (s *side) mayBeByte(c *candidate) bool {
	isLast := s.isHead() && printable(s.b) > 1 && c.end == len(s.b) && c.at%2 == 0 && !isLineEnd(s.b[c.at:])
	return s.isBeside(c) && (c.n >= leastByte || isLast && c.n > 0)
}

// isWord reports whether a byte of a word that is in nothing that is taken is at an offset.
func (s *side) isWord(at int) bool { return s.isBare(at, at+1) && isNameByte(s.b[at]) }

// isBeside reports whether a candidate is beside the content or what is taken.
func (s *side) isBeside(c *candidate) bool {
	return !s.isBare(c.end, c.end+1) || !s.isBare(c.at-1, c.at) && (c.at > 0 || !s.isHead())
}
