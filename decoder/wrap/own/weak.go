package own

import (
	"errors"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// computed returns the number of characters of a text in UTF-8, or the weak sum, that a field measures which takes at; that of the content is
// computed once. It is an error if there is no such number, or the bytes are too many.
func (f *file) computed(x *Field, at span.Span) (int64, error) {
	key := Field{Is: x.Is, level: x.level, skip: x.skip, cut: x.cut}
	if n, known := f.sums[key]; known && x.of == ofContent {
		return n, nil
	}
	b := summable(f.covered(x, at))
	if b == nil || x.Is == characters && !utf8.Valid(b) {
		return 0, errors.New("no text, or too large")
	}
	n := int64(utf8.RuneCount(b))
	if x.Is != characters {
		n = int64(weakOf(x.Is).Of(b))
	}
	if x.of == ofContent {
		f.sums[key] = n
	}
	return n, nil
}

// weakOf returns the weak sum of a name; one without a name for none.
func weakOf(name string) (w checksum.Weak) {
	if i := slices.IndexFunc(checksum.WeakKinds, func(w checksum.Weak) bool { return w.Name == name }); i >= 0 {
		w = checksum.WeakKinds[i]
	}
	return w
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
	kinds := append([]checksum.Weak{{Name: packedSize, Width: x.width()}}, checksum.WeakKinds...)
	for _, part := range parts {
		for _, w := range kinds {
			l := left{part, at, is}
			l.Type, l.Big, l.Is = x.Type, x.Big, w.Name
			if isWide := x.width() == 0 || w.Width == x.width() || l.Is == sumOfBytes; !isWide {
				continue
			}
			if n, ok := l.now(f, at); ok && n == is {
				all = append(all, l)
			}
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
	all := p.whole(in).measuring(Field{Type: "u8"}, span.Span{Offset: s.before, Length: 1}, uint64(s.b[0]), Field{})
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
		if b := summable(in.Held[0]); b != nil { // read once
			in.Held[0] = source.Bytes(b)
		}
		if is := source.NewWindow(src).View(at.Offset, width); len(new(packer).whole(in).measuring(f, at, f.number(is), Field{})) > 0 {
			return width
		}
	}
	return 0
}

// weak lists the numbers of one and two bytes in the bytes that are no other field, which are weak sums of the content or of
// bytes beside them.
func (p *packer) weak() (all []left) {
	if p.in == nil || p.layer.Payload.Size() > mostOthers {
		return nil
	}
	whole := p.whole(p.in)
	for _, part := range p.bare() {
		for at := range part.own {
			all = append(all, p.weakAt(whole, &part, at)...)
		}
	}
	return all
}

// weakAt returns the number that begins at an offset of a part, if it is a weak sum.
func (p *packer) weakAt(whole *file, part *located, at int) []left {
	for _, f := range []Field{{Type: "u16"}, {Type: "u16", Big: true}, {Type: "u8"}, {Type: digits}, {Type: hex}} {
		size, ok := f.length(part.own[at:])
		if end := at + int(size); ok && part.mayBeWeak(&f, at, end) {
			place := span.Span{Offset: part.inFile().Offset + int64(at), Length: size}
			parts := append(p.extents(p.in), whole.beside(part.isHead, place)...)
			if found := whole.measuring(f, place, f.number(part.own[at:end]), parts...); len(found) > 0 {
				return found[:1]
			}
		}
	}
	return nil
}

const mostWeak = 16 << 10 // bytes of the largest file of which those beside a number are summed

// beside lists what a weak sum in a header, or else a trailer, that takes at may be of beside the content: of a byte zero is the same as none.
func (f *file) beside(isHead bool, at span.Span) []Field {
	if at.Length > 2 || f.size() > mostWeak || isHead && at.Offset > lastAround {
		return nil
	}
	return scopes(isHead)[:1+at.Length]
}

// scopes lists what a checksum in a header, or else a trailer, may be of that is not in the content alone.
func scopes(isHead bool) []Field {
	if isHead {
		return []Field{{of: ofBehind}, {of: ofOthers}, {of: ofAll}}
	}
	return []Field{{of: ofBefore}, {of: ofOthers}, {of: ofAll}}
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

// mayBeWeak reports whether a number in a part, from one offset to another, may be a weak sum: a byte beside the content or another
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
