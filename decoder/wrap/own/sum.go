package own

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

const (
	mostSummed = 8 << 20 // size of the largest content of which checksums are computed
	mostAround = 1 << 20 // the same for one that includes a part of the header or trailer
	mostOthers = 1 << 17 // the same for one that includes what is before it and what is behind it
	lastAround = 24      // offset in the header or trailer up to which such a checksum begins
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
	return source.Join(source.Piece{Src: src, Span: span.Between(x.skip, max(x.skip, src.Size()-x.cut))})
}

// covered returns the bytes that a checksum is of, which takes at in the file.
func (f *file) covered(x *Field, at span.Span) source.Source {
	if x.of == ofContent {
		return f.content(x)
	}
	held := f.Held[0]
	all := source.Whole(held).Splice([]source.Splice{source.Put(0, 0, f.head), source.Put(held.Size(), 0, f.tail)})
	var instead []byte
	switch {
	case x.of == ofBehind:
		return all.Slice(span.Between(at.End()+x.skip, all.Size()))
	case x.of == ofBefore:
		return all.Slice(span.Between(0, at.Offset-x.skip))
	case x.of == ofAll && (x.isDigits() || x.sum != nil && x.sum.IsText()):
		instead = bytes.Repeat([]byte("0"), int(at.Length))
	case x.of == ofAll:
		instead = make([]byte, at.Length)
	}
	return all.Splice([]source.Splice{source.Put(at.Offset, at.Length, instead)})
}

// summable returns the bytes of a source; nil if it is too large for checksums, or some are missing.
func summable(src source.Source) []byte {
	if src.Size() > mostSummed {
		return nil
	}
	return source.Read(src, span.Span{Length: src.Size()})
}

// sums finds the checksums in a header or trailer by their offsets: of the content, of a buffer in it, or of other bytes of the file,
// too.
func (p *packer) sums(b []byte, isHead bool, in *layer.Inner) map[int]Field {
	found, content := map[int]Field{}, in.Held[0].Size()
	p.isLarge = content > mostSummed
	if p.isLarge || content < leastSize {
		return found
	}
	x := &sumSearch{b: b, isHead: isHead, whole: p.whole(in), scopes: scopes(isHead)}
	if content > mostAround {
		x.scopes = nil
	} else if content > mostOthers {
		x.scopes = x.scopes[:1]
	}
	for _, f := range p.extents(in) {
		if src := x.whole.content(&f); src.Size() <= mostSummed {
			x.inside = append(x.inside, f)
			x.sums = append(x.sums, checksum.Of(func() []byte { return summable(src) }))
		}
	}
	for at := range b {
		for _, size := range checksum.SizesAt(b[:at], b[at:]) {
			if f := x.at(span.Span{Offset: int64(at), Length: int64(size)}); f != nil {
				found[at] = *f
				break
			}
		}
	}
	return found
}

// A sumSearch looks for checksums in a header or trailer.
type sumSearch struct {
	b      []byte
	isHead bool
	whole  *file
	inside []Field          // what is in the content that one may be of
	sums   []*checksum.Sums // those of each
	scopes []Field          // of other bytes of the file, too
}

// at returns the field that is a checksum at a place; nil for none.
func (x *sumSearch) at(at span.Span) *Field {
	is := x.b[at.Offset:at.End()]
	for i, f := range x.inside {
		if way := x.sums[i].Matching(is); way != nil {
			f = f.writtenAs(way)
			return &f
		}
	}
	if x.isOdd(at) {
		return nil
	}
	place := at
	if !x.isHead {
		place.Offset += x.whole.size() - int64(len(x.b))
	}
	for _, f := range x.scopes {
		for _, skip := range apartFrom(f.of, at, x.b) {
			f.skip, f.sum = skip, &checksum.Place{Form: checksum.Binary}
			if printable(is) == len(is) {
				f.sum.Form = checksum.Lower
			}
			if way := checksum.Of(func() []byte { return summable(x.whole.covered(&f, place)) }).Matching(is); way != nil {
				f = f.writtenAs(way)
				return &f
			}
		}
	}
	return nil
}

// isOdd reports whether no game writes a checksum of other bytes than the content at a place: a part of digits, or in the middle of words.
func (x *sumSearch) isOdd(at span.Span) bool {
	isFree := func(by int64) bool { return at.Offset%by > 0 && (int64(len(x.b))-at.Offset)%by > 0 }
	behind := x.b[at.End():]
	isPart := printable(x.b[at.Offset:at.End()]) == int(at.Length) && len(behind) > 0 && strings.IndexByte(hexDigits, behind[0]) >= 0
	return isPart || isFree(2) && at.Length == 4 || at.Offset > lastAround && isFree(4) && printable(x.b[at.Offset:]) < int(at.Length)
}

// extents lists what a number or checksum may be of: the buffers inside, the innermost first, and the content without a byte order mark,
// the length of all that follows in it, or the line ends and zeros behind it.
func (p *packer) extents(in *layer.Inner) (all []Field) {
	const mark = "\ufeff"
	win, size := source.NewWindow(p.layer.Payload), p.layer.Payload.Size()
	for level := len(in.Held) - 1; level >= 0; level-- {
		all = append(all, Field{level: level})
	}
	if strings.HasPrefix(string(win.View(0, min(4, size))), mark) {
		all = append(all, Field{skip: int64(len(mark))})
	}
	if size >= 4 && int64(win.U32(0)) == size-4 {
		all = append(all, Field{skip: 4})
	}
	last := win.View(max(0, size-8), min(8, size))
	if ends := len(last) - len(bytes.TrimRight(last, "\r\n\x00")); ends > 0 {
		all = append(all, Field{cut: int64(ends)})
	}
	return all
}

// apartFrom lists how many bytes next to a field of b may set it apart from what is behind it, or before it, and are in no scope: none
// or, beside text, a line end or another character.
func apartFrom(of scope, at span.Span, b []byte) []int64 {
	const line = "\r\n"
	beside, isLine := b[at.End():], bytes.HasPrefix(b[at.End():], []byte(line))
	if of == ofBefore {
		beside, isLine = b[max(0, at.Offset-1):at.Offset], bytes.HasSuffix(b[:at.Offset], []byte(line))
	}
	isText := printable(b[at.Offset:at.End()]) == int(at.Length)
	switch {
	case of > ofBefore || !isText || len(beside) == 0 || isNameByte(beside[0]) || beside[0] >= 0x80:
		return []int64{0}
	case isLine:
		return []int64{2, 0}
	}
	return []int64{1, 0}
}

// writtenAs returns the field as one of a checksum that is written in a way.
func (f Field) writtenAs(way *checksum.Place) Field {
	f.Type, f.Size, f.sum = "bytes", way.Size(), way
	if way.Form == checksum.Decimal {
		f.Type, f.Size = digits, 0
	}
	return f
}

// asSum returns the field of a recipe with the checksum that it is, if it is one.
func (f Field) asSum() Field {
	if checksum.TitleOf(f.Is) == "" {
		return f
	}
	forms := map[string]checksum.Form{"u32": checksum.Binary, "u64": checksum.Wide, digits: checksum.Decimal, hex: checksum.Lower}
	f.sum = &checksum.Place{Sum: f.Is, Form: forms[f.Type]}
	if f.Big {
		f.sum.Form = map[string]checksum.Form{"u32": checksum.Big, "u64": checksum.WideBig}[f.Type]
	}
	return f
}

// sumOf computes the checksum in a field of a file.
func (x *located) sumOf(whole *file) ([]byte, error) {
	of := whole.covered(x.Field, x.inFile())
	b := source.Read(of, span.Span{Length: of.Size()})
	if b == nil {
		return nil, io.ErrUnexpectedEOF
	}
	switch sum := x.sum.Compute(b); x.sum.Form {
	case checksum.Lower:
		return inCase(sum, x.own), nil
	case checksum.Decimal:
		n, _ := strconv.ParseInt(string(sum), 10, 64)
		return x.written(x.own, n)
	default:
		return sum, nil
	}
}

// compareSum reports a checksum that does not fit.
func (p *packer) compareSum(x *located, y *part.Part, in *layer.Inner) {
	if in == nil {
		if x.level > 0 { // it is not known yet
			return
		}
		in = &layer.Inner{Held: []source.Source{p.layer.Payload}}
	}
	want, err := x.sumOf(p.whole(in))
	if err != nil {
		y.Text += ", not computed"
		return
	} else if bytes.Equal(want, x.own) {
		y.Text += ", fits"
		return
	}
	p.differs = true
	y.Text += ", does not fit"
	right := checksum.Text(want, x.sum.IsText())
	y.Fail(y.Span, layer.Checksum, fmt.Sprintf("the %s does not fit: that of the content is %s", x.title(), right), "many games reject the save").
		RepairBy("write the checksum that the bytes have, "+right, source.Put(y.Offset, y.Length, want))
}

// A Follower is a number or checksum that fits what it is beside.
type Follower struct {
	Title   string // with its offset: "packed size at 0x4"
	IsSum   bool
	IsExact bool // it is the whole that it fits, without a part that could belong to it or not
}

// Following returns the numbers and checksums in a header and a trailer of some bytes that fit what is between them. A number
// in one byte does so by chance. in says what is inside; its zero value that nothing is known.
func Following(ctx context.Context, src source.Source, region span.Span, head, tail int64, in layer.Inner) (all []Follower, err error) {
	l, err := layer.Open(ctx, Around(head, tail), src, region, layer.Options{})
	if err != nil || l.Payload == nil {
		return nil, err
	}
	defer l.Close()
	if len(in.Held) == 0 {
		in.Held = []source.Source{l.Payload}
	}
	Complete(l, in)
	for _, x := range l.Packer.(*packer).opened() {
		if x.sum != nil || x.Is != "" && !x.guess {
			all = append(all, Follower{fmt.Sprintf("%s at %#x", x.title(), x.inFile().Offset), x.sum != nil, x.add+x.cut == 0 && (x.skip == 0 || x.sum != nil)})
		}
	}
	return all, nil
}

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
		if x.Is == "" && x.sum == nil {
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
