package own

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

const (
	mostSummed = 8 << 20 // size of the largest content of which checksums are computed
	mostAround = 1 << 20 // the same for one that includes a part of the header or trailer
	mostOthers = 1 << 17 // the same for one that includes what is before it and what is behind it
	farInside  = 24      // bytes from both ends of a header or trailer where no such checksum is
)

// A scope says of which bytes a size or a checksum is.
type scope uint8

// The scopes.
const (
	ofContent scope = iota // of the content, or of a buffer inside it
	ofBehind               // of all bytes behind the field
	ofBefore               // of all before it
	ofOthers               // of all but it
	ofAll                  // of all, with zeros in its place
	ofWord                 // of the four bytes before it
	ofRest                 // of all before it but a magic word
)

// A file is what the fields of a header and a trailer are beside.
type file struct {
	sides
	*layer.Inner
	sums map[Field]int64 // weak sums of the content that are computed
}

// whole returns the file as it was, with what is inside.
func (p *packer) whole(in *layer.Inner) *file { return &file{p.was, in, map[Field]int64{}} }

// size returns the number of all bytes.
func (f *file) size() int64 { return int64(len(f.head)+len(f.tail)) + f.Held[0].Size() }

// content returns what a field is of in the content.
func (f *file) content(x *Field) source.Source {
	src := f.Values()
	if x.Is != plainSize && x.level < len(f.Held) {
		src = f.Held[x.level]
	}
	size := src.Size()
	if x.end != asIs {
		src, size = f.ended(src, x.end)
	}
	return source.Join(source.Piece{Src: src, Span: span.Between(x.skip, max(x.skip, size))})
}

// An ending says how much of the line ends and zeros behind the values a size or checksum takes in. Some of these are the content's, others
// the first bytes of the trailer.
type ending uint8

// The endings.
const (
	asIs      ending = iota // those of the content
	withNone                // none
	withLines               // line ends
	withZero                // line ends and a zero, which ends a text
)

// ended returns content with what is behind it, and how many bytes of that an ending takes in.
func (f *file) ended(src source.Source, end ending) (source.Source, int64) {
	const most, lines, blanks = 8, "\r\n", "\r\n\x00" // of line ends
	all := source.Whole(src).Splice([]source.Splice{source.Put(src.Size(), 0, f.tail[:len(f.tail)-len(bytes.TrimLeft(f.tail, blanks))])})
	win := source.NewWindow(all)
	n := all.Size() - win.ZerosBefore(0, all.Size())
	last := win.View(max(0, n-most), min(most, n))
	n -= int64(len(last) - len(bytes.TrimRight(last, blanks)))
	for next := win.View(n, min(most, all.Size()-n)); end > withNone && len(next) > 0 && strings.IndexByte(lines, next[0]) >= 0; next = next[1:] {
		n++
	}
	if end == withZero && n < all.Size() && win.Byte(n) == 0 {
		n++
	}
	return all, n
}

// covered returns the bytes that a checksum is of, which takes at in the file.
func (f *file) covered(x *Field, at span.Span) source.Source {
	if x.of == ofContent {
		return f.content(x)
	}
	held := f.Held[0]
	all := source.Whole(held).Splice([]source.Splice{source.Put(0, 0, f.head), source.Put(held.Size(), 0, f.tail)})
	instead := ""
	switch {
	case x.of == ofBehind:
		return all.Slice(span.Between(at.End()+x.skip, all.Size()))
	case x.of == ofBefore:
		return all.Slice(span.Between(0, at.Offset-x.skip))
	case x.of == ofWord:
		return all.Slice(span.Between(max(0, at.Offset-4), at.Offset))
	case x.of == ofRest:
		return all.Slice(span.Between(min(magicWord, at.Offset), at.Offset))
	case x.of == ofAll && x.isText():
		instead = "0"
	case x.of == ofAll:
		instead = "\x00"
	}
	return all.Splice([]source.Splice{source.Put(at.Offset, at.Length, bytes.Repeat([]byte(instead), int(at.Length)))})
}

// all returns the bytes of a source; nil if some are missing.
func all(src source.Source) []byte { return source.Read(src, span.Span{Length: src.Size()}) }

// summable returns them; nil if they are too many for checksums.
func summable(src source.Source) []byte {
	if src.Size() > mostSummed {
		return nil
	}
	return all(src)
}

// takeSums takes the checksums of the content, of a buffer in it, or of other bytes of the file, too.
func (s *side) takeSums() {
	content, fields := s.in.Held[0].Size(), slices.Clip(s.extents())
	s.isLarge = content > mostSummed
	if s.isLarge || content < leastSize {
		return
	} else if content <= mostOthers {
		fields = append(fields, scopes(s.isHead())...)
	} else if content <= mostAround {
		fields = append(fields, scopes(s.isHead())[0])
	}
	known := map[Field]*checksum.Sums{}
	for _, isOdd := range []bool{false, true} { // one byte earlier, there may be that of the content without a zero
		for at := range s.b {
			for _, size := range checksum.SizesAt(s.b[:at], s.b[at:]) {
				c := candidate{at: at, end: at + size, isOdd: printable(s.b[at:at+size]) < size && !isAligned(s.b, at, at+min(size, 4))}
				if c.isOdd == isOdd && s.isBare(at, c.end) && s.isSum(&c, fields, known) {
					s.taken = append(s.taken, c)
				}
			}
		}
	}
}

// isSum reports whether a candidate is a checksum of what one of some fields is of. It notes the sums of those in the content.
func (s *side) isSum(c *candidate, fields []Field, known map[Field]*checksum.Sums) bool {
	is, place := s.b[c.at:c.end], s.inFile(c)
	for _, f := range fields {
		skips, isContent := []int64{f.skip}, f.of == ofContent
		if !isContent {
			if c.at > farInside && c.end+farInside < len(s.b) {
				return false
			}
			skips, f.sum = apartFrom(f.of, c, s.b), &checksum.Place{Form: checksum.Binary}
			if printable(is) == len(is) {
				f.sum.Form = checksum.Lower
			}
		}
		for _, f.skip = range skips {
			sums := known[f]
			if sums == nil {
				sums = checksum.Of(func() []byte { return summable(s.whole.covered(&f, place)) })
			}
			if isContent {
				known[f] = sums
			}
			if way := sums.Matching(is); way != nil {
				c.Field = f.writtenAs(way)
				return true
			}
		}
	}
	return false
}

// extents lists what a number or checksum may be of: the buffers inside, the innermost first, and the content without a byte order mark,
// the length of all that follows in it, or with other line ends and zeros behind it.
func (p *packer) extents() (all []Field) {
	if p.within != nil {
		return p.within
	}
	const mark = "\ufeff"
	win, size := source.NewWindow(p.layer.Payload), p.layer.Payload.Size()
	for level := len(p.in.Held) - 1; level >= 0; level-- {
		all = append(all, Field{level: level})
	}
	if strings.HasPrefix(string(win.View(0, min(4, size))), mark) {
		all = append(all, Field{skip: int64(len(mark))})
	}
	if size >= 4 && int64(win.U32(0)) == size-4 {
		all = append(all, Field{skip: 4})
	}
	whole, sizes := p.whole(p.in), []int64{size}
	for _, end := range []ending{withNone, withLines, withZero} {
		if _, n := whole.ended(p.layer.Payload, end); !slices.Contains(sizes, n) {
			all, sizes = append(all, Field{end: end}), append(sizes, n)
		}
	}
	p.within = all
	return all
}

// apartFrom lists how many bytes next to a field of b may set it apart from what is behind it, or before it, and are in no scope: none
// or, beside text, a line end or another character.
func apartFrom(of scope, at *candidate, b []byte) []int64 {
	const line = "\r\n"
	beside, isLine := b[at.end:], bytes.HasPrefix(b[at.end:], []byte(line))
	if of == ofBefore {
		beside, isLine = b[max(0, at.at-1):at.at], bytes.HasSuffix(b[:at.at], []byte(line))
	}
	isText, other := printable(b[at.at:at.end]) == at.end-at.at, make([]byte, 4) // half of a number in eight bytes
	switch {
	case of == ofBehind && !isText && bytes.HasPrefix(b[at.end:], other), of == ofBefore && !isText && bytes.HasSuffix(b[:at.at], other):
		return []int64{0, 4}
	case of > ofBefore || !isText || len(beside) == 0 || isNameByte(beside[0]) || beside[0] >= 0x80:
		return []int64{0}
	case isLine:
		return []int64{2, 0}
	}
	return []int64{1, 0}
}

// writtenAs returns the field as one of a checksum that is written in a way.
func (f Field) writtenAs(way *checksum.Place) Field {
	f.Is, f.Type, f.Size, f.sum = way.Sum, "bytes", way.Size(), way
	if way.Form == checksum.Decimal {
		f.Type, f.Size, f.sum = digits, 0, nil
	}
	return f
}

// A Follower is a number or checksum that fits what it is beside.
type Follower struct {
	Title   string // with its offset: "packed size at 0x4"
	IsSum   bool   // it is a checksum that hardly fits by chance
	IsExact bool   // it is the whole that it fits, without a part that could belong to it or not
}

// Following returns the numbers and checksums in a header and a trailer of some bytes that fit what is between them. A number
// in one byte does so by chance. in says what is inside; its zero value that nothing is known.
func Following(ctx context.Context, src source.Source, region span.Span, head, tail int64, in layer.Inner) (all []Follower, err error) {
	found, err := following(ctx, src, region, head, tail, in)
	for _, x := range found {
		all = append(all, Follower{fmt.Sprintf("%s at %#x", x.title(), x.inFile().Offset), x.isStrong(), x.add == 0 && x.end == asIs && (x.skip == 0 || x.isSum())})
	}
	return all, err
}

// following returns the fields of which Following says what they are.
func following(ctx context.Context, src source.Source, region span.Span, head, tail int64, in layer.Inner) ([]located, error) {
	l, err := layer.Open(ctx, Around(head, tail), src, region, layer.Options{})
	if err != nil || l.Payload == nil {
		return nil, err
	}
	defer l.Close()
	if len(in.Held) == 0 {
		in.Held = []source.Source{l.Payload}
	}
	Complete(l, in)
	return slices.DeleteFunc(l.Packer.(*packer).opened(), func(x located) bool { return x.Is == "" || x.Type == "u8" }), nil
}

// isStrong reports whether a field is a checksum that hardly fits by chance.
func (f *Field) isStrong() bool { return f.isSum() && !slices.Contains(checksum.Weak(), f.Is) }

// An End is a header or trailer.
type End struct {
	Span span.Span
	Kept string // its bytes that do not follow the payload: no sizes, no checksums of it
}

// Before returns the number of bytes before the payload of an open layer of this package; 0 for another one.
func Before(l *layer.Layer) int64 {
	if p, ok := l.Packer.(*packer); ok {
		return l.Region.Offset + int64(len(p.was.head))
	}
	return 0
}

// Ends returns the header and the trailer of an open layer; zero values if it is not of this package, or a checksum alone.
func Ends(l *layer.Layer) (ends [2]End) {
	p, ok := l.Packer.(*packer)
	if !ok || p.alone != nil {
		return ends
	}
	tail := int64(len(p.was.tail))
	ends[0].Span = span.Span{Offset: l.Region.Offset, Length: int64(len(p.was.head))}
	ends[1].Span = span.Span{Offset: l.Region.End() - tail, Length: tail}
	for _, x := range p.opened() {
		end := &ends[0]
		if !x.isHead {
			end = &ends[1]
		}
		if x.Is == "" {
			end.Kept += string(x.own)
		}
	}
	return ends
}

// openSummed opens bytes beside their checksum.
func (k *kind) openSummed(ctx context.Context, l *layer.Layer, src source.Source) error {
	at := k.alone.Locate(src, l.Region)
	if at == nil {
		l.Reject(k.Name, "no checksum was found before or after these bytes")
		return nil
	}
	sum, between := Field{}.writtenAs(at), plain("between", at.Gap)
	p, where := place{alone: at, tail: append(append(between, sum), plain(span.Unused, at.Tail)...)}, "at the end"
	if at.Start {
		p, where = place{alone: at, head: append([]Field{sum}, between...)}, "at the beginning"
	}
	if err := p.open(ctx, l, src); err != nil {
		return err
	}
	state, says := layer.Matches, "fits"
	if l.Packer.(*packer).differs {
		state, says = layer.Differs, "does not fit"
	}
	l.SetChecksum(state)
	l.Title, l.ShortTitle = fmt.Sprintf("%s %s, %s", at.Title(), where, says), at.Title()+" "+says
	return nil
}

// plain is the field of some bytes, if there are any: those with a name set others apart.
func plain(name string, n int64) []Field {
	if n == 0 {
		return nil
	}
	return []Field{{Type: "bytes", Size: n, Name: name, pad: name != ""}}
}
