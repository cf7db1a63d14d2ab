// Package own opens bytes with a header or a trailer of a game's own, or both, around them: a version, a
// signature, a time, sizes. The payload is what is between. Wrapping it again keeps the game's bytes, except
// numbers that are lengths, which follow the payload.
package own

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// most is the largest size of a header or trailer.
const most = 64 << 10

// A kind is bytes with the game's own around them.
type kind struct {
	layer.Info
	place
}

// A place says where the payload is.
type place struct {
	head, tail []Field
	found      bool            // the fields are only known to be bytes
	alone      *checksum.Place // all that is beside the payload but line ends and zeros, if it is a checksum; its zero value is looked for
}

// At returns the kind of bytes with a header and a trailer of these fields, either of which may be empty. All
// fields of a trailer must have a size that does not depend on its bytes.
func At(head, tail []Field) layer.Wrapper { return of(place{head: head, tail: tail}) }

// Around returns the kind of bytes with a header and a trailer of some bytes, whose fields are found once
// what is inside is known.
func Around(head, tail int64) layer.Wrapper {
	return of(place{found: true, head: plain("", head), tail: plain("", tail)})
}

// Summed returns the kind of bytes with a checksum at a place; its zero value is looked for.
func Summed(at *checksum.Place) layer.Wrapper {
	return &kind{layer.Info{Name: "checksum", About: "bytes with their CRC-32, MD5, SHA-1 or SHA-256 before or after them"}, place{alone: at}}
}

// name returns the name of the kind.
func (k *place) name() string {
	if len(k.head) == 0 {
		return "own trailer"
	}
	return "own header"
}

func of(p place) layer.Wrapper {
	return &kind{layer.Info{Name: p.name(), About: "bytes of the game's own before or behind the values", File: true}, p}
}

// IsBeside reports whether a kind is bytes beside a payload in plain view: a checksum, or a header or trailer of the game's own.
func IsBeside(k layer.Wrapper) bool {
	_, is := k.(*kind)
	return is
}

// IsSummed reports whether a kind is bytes with nothing beside them but their checksum.
func IsSummed(k layer.Wrapper) bool {
	own, is := k.(*kind)
	return is && own.alone != nil
}

// Is reports whether a kind is bytes of a game's own around others, which are in plain view.
func Is(k layer.Wrapper) bool { return IsBeside(k) && !IsSummed(k) }

// IsCompleted reports whether a kind is one that Complete tells what is inside.
func IsCompleted(k layer.Wrapper) bool {
	_, is := k.(*piecesKind)
	return is || Is(k)
}

// Eager implements layer.Deferrer: only the header and the trailer are read, unless a checksum is computed.
func (k *kind) Eager(region span.Span, _ layer.Options) int64 {
	if k.alone != nil {
		return region.Length
	}
	return 0
}

// Sniff implements layer.Wrapper: only what is inside shows that these bytes are a game's own.
func (*kind) Sniff(*layer.Sample) bool { return false }

// sides are the bytes of a header and a trailer.
type sides struct{ head, tail []byte }

// Open implements layer.Wrapper.
func (k *kind) Open(ctx context.Context, l *layer.Layer, src source.Source, _ layer.Options) error {
	if k.alone != nil {
		return k.openSummed(ctx, l, src)
	}
	return k.open(ctx, l, src)
}

// open opens a layer at a place.
func (k *place) open(ctx context.Context, l *layer.Layer, src source.Source) error {
	var b sides
	var err error
	if b.tail, err = read(src, l.Region, k.tail, true); err == nil {
		b.head, err = read(src, span.Between(l.Region.Offset, l.Region.End()-int64(len(b.tail))), k.head, false)
	}
	if err == errShort {
		l.Reject(k.name(), fmt.Sprintf("the bytes have not the %s that the recipe says", k.name()))
		return nil
	} else if err != nil {
		return err
	}
	held := span.Between(l.Region.Offset+int64(len(b.head)), l.Region.End()-int64(len(b.tail)))
	l.Payload = source.Join(source.Piece{Src: src, Span: held})
	p := &packer{place: *k, layer: l, was: b}
	l.Packer = p
	l.Title = p.title()
	p.describe(nil)
	return ctx.Err()
}

// errShort is the error of a region that ends within its header or trailer.
var errShort = fmt.Errorf("too short")

// read returns the bytes of fields at the beginning of a region, or at its end: there those that are numbers in digits are all digits that
// stand there.
func read(src source.Source, region span.Span, fields []Field, atEnd bool) ([]byte, error) {
	b := make([]byte, min(region.Length, most, int64(len(fields))*most))
	if atEnd {
		region.Offset = region.End() - int64(len(b))
	}
	if err := layer.ReadAt(src, b, region.Offset); err != nil {
		return nil, err
	}
	rest, all := b, fields
	for len(all) > 0 {
		f := &all[0]
		if atEnd {
			f = &all[len(all)-1]
		}
		n, ok := f.length(rest)
		for from := max(0, len(rest)-mostDigits); atEnd && f.isFree() && from < len(rest); from++ {
			if n, ok = f.length(rest[from:]); ok && n == int64(len(rest)-from) {
				break
			}
		}
		switch last := int64(len(rest)) - n; {
		case !ok || last < 0:
			return nil, errShort
		case atEnd:
			rest, all = rest[:last], all[:len(all)-1]
		default:
			rest, all = rest[n:], all[1:]
		}
	}
	if atEnd {
		return b[len(rest):], nil
	}
	return b[:len(b)-len(rest)], nil
}

// A packer writes the game's bytes around a payload.
type packer struct {
	place
	layer   *layer.Layer
	was     sides
	in      *layer.Inner // what was inside; nil until it is known
	differs bool         // a checksum does not fit
	changes []Change     // what Changes returns
	isLarge bool         // no checksums were looked for
	within  []Field      // what extents returns
	left    []left
	stale   []saying
}

// AsOpened returns the kind of an open layer with the fields that were found; nil if it is not of this
// package.
func AsOpened(l *layer.Layer) layer.Wrapper {
	if k, ok := l.Kind.(*piecesKind); ok {
		return k
	} else if p, ok := l.Packer.(*packer); ok && p.alone != nil {
		return Summed(p.alone)
	} else if ok {
		return of(place{head: p.head, tail: sized(p.tail, p.was.tail)})
	}
	return nil
}

// sized returns the fields of a trailer with sizes that do not depend on their bytes, but for those of numbers that may get more digits.
func sized(fields []Field, b []byte) (all []Field) {
	for f, own := range each(fields, b) {
		other := *f
		if f.prefix() > 0 || f.Type == "line" || f.isNumber() && f.width() == 0 && !f.isFree() {
			other.Type, other.Size = "text", int64(len(own))
		}
		all = append(all, other)
	}
	return all
}

// Named returns the texts and numbers in the fields of an open layer's header that have names, by "{NAME}".
func Named(l *layer.Layer) map[string]string {
	is := map[string]string{}
	for _, p := range packers(l) {
		for f, own := range each(p.head, p.was.head) {
			if f.isNumber() {
				own = fmt.Append(nil, f.number(own))
			}
			if f.Name != "" {
				is["{"+f.Name+"}"] = strings.TrimRight(string(own[f.prefix():]), "\r\n\x00")
			}
		}
	}
	return is
}

func (p *packer) title() string {
	var all []string
	for i, b := range [][]byte{p.was.head, p.was.tail} {
		if n := int64(len(b)); n > 0 {
			all = append(all, [...]string{"own header of ", "own trailer of "}[i]+span.Bytes(n))
		}
	}
	return strings.Join(all, ", ")
}

// describe makes the reading: a part for each field, and the payload. in is nil until it is known what is
// inside.
func (p *packer) describe(in *layer.Inner) {
	d := p.layer.Describe(p.layer.About(), p.allParts(in)...)
	p.layer.Reading = &d
}

// allParts describes the header, the payload and the trailer.
func (p *packer) allParts(in *layer.Inner) (all []part.Part) {
	region, n := p.layer.Region, p.layer.Payload.Size()
	body := part.At("content", region.Offset+int64(len(p.was.head)))
	body.Put(n, region.End(), span.Data, "content")
	body.Text = span.Bytes(n)
	for _, x := range p.opened() {
		if !x.isHead && body.Length > 0 {
			all, body.Length = append(all, body), 0
		}
		all = append(all, p.part(&x, in))
	}
	return slices.DeleteFunc(append(all, body), func(x part.Part) bool { return x.Length == 0 })
}

// part describes a field.
func (p *packer) part(x *located, in *layer.Inner) part.Part {
	region := p.layer.Region
	y := part.At(x.title(), region.Offset+x.inFile().Offset)
	y.Put(x.prefix(), region.End(), span.Length, "text length")
	y.Put(x.at.Length-y.Length, region.End(), x.kind(), x.title())
	switch own := x.own[x.prefix():]; {
	case x.isNumber() && !x.isSum():
		y.Text = fmt.Sprint(x.number(own))
	case x.kind() == span.Padding:
		y.Text = span.Bytes(x.at.Length)
	case x.kind() == span.Text:
		y.Text = string(tree.AppendQuoted(nil, own))
	default:
		y.Text = fmt.Sprintf(x.verb(), own)
	}
	p.compare(x, &y, in)
	if !x.isHead && arePacked(x.own) {
		y.Warn(y.Span, span.TrailingBytes, span.Bytes(x.at.Length)+" behind the content are neither text nor numbers: perhaps the end of an older, longer file", "most games read over it")
	}
	if sum := x.unknownSum(x.own); sum != "" && in != nil {
		y.Note(y.Span, span.UnknownSum, fmt.Sprintf("these %s look like the checksum of the save (%s), but no known way to compute it gives them; "+
			"a secret of the game may be part of it: a recipe that has it, with the step checksum, computes it anew", span.Bytes(x.at.Length-x.prefix()), sum), "many games reject the save once it is edited")
	}
	return y
}

// compare reports a number or checksum that does not fit what is inside. A checksum that is of the content alone is known before that.
func (p *packer) compare(x *located, y *part.Part, in *layer.Inner) {
	if in == nil && x.isSum() && x.level == 0 {
		in = &layer.Inner{Held: []source.Source{p.layer.Payload}}
	}
	if x.Is == "" || in == nil {
		return
	}
	right, err := x.right(p.whole(in))
	fits := bytes.Equal(right, x.own)
	switch {
	case x.isSum() && err != nil:
		y.Text += ", not computed"
	case x.isSum() && fits:
		y.Text += ", fits"
	case x.isSum():
		p.differs = true
		y.Text += ", does not fit"
		is := fmt.Sprintf(x.verb(), right)
		y.Fail(y.Span, layer.Checksum, fmt.Sprintf("the %s does not fit: that of the content is %s", x.title(), is), rejected).
			RepairBy("write the checksum that the bytes have, "+is, source.Put(y.Offset, y.Length, right))
	case errors.Is(err, errLarge):
		y.Fail(y.Span, layer.WrongSize, err.Error(), rejected)
	case err == nil && !fits:
		want := x.number(right)
		y.Fail(y.Span, layer.WrongSize, fmt.Sprintf("the %s in the game's own bytes is %s, but it should be %d", x.title(), y.Text, want), rejected).
			RepairBy(fmt.Sprintf("set it to %d", want), source.Put(y.Offset, y.Length, right))
	}
}

const rejected = "many games reject the save"

// CanRewrap implements layer.Packer.
func (*packer) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	in := w.Inner
	if len(in.Held) == 0 {
		in.Held = []source.Source{w.Plain}
	}
	whole := p.whole(&in)
	whole.head, whole.tail = bytes.Clone(p.was.head), bytes.Clone(p.was.tail)
	const most = 8 // rounds: what is measured includes other numbers, and more digits make the file larger
	for round, isNew := 0, true; isNew; round++ {
		if round == most {
			return 0, errors.New("the numbers and checksums in the game's own bytes change one another without an end")
		}
		var err error
		if isNew, err = p.renew(whole); err != nil {
			return 0, layer.Lacking(err)
		}
	}
	p.changes, p.stale = p.changed(whole), p.staleIn(whole)
	out := w.Output(0)
	out.Write(whole.head)
	if _, err := io.Copy(out, w.Reader()); err != nil {
		return 0, err
	}
	numbers := int64(len(whole.tail)) - p.filling()
	out.Write(whole.tail[:numbers])
	out.Write(layer.Refilled(whole.tail[numbers:], w.Plain.Size()-p.layer.Payload.Size()))
	return out.Finish()
}

// renew writes the fields of a file, from the last one on, as they should be, and reports whether they were others.
func (p *packer) renew(whole *file) (isNew bool, err error) {
	for _, x := range slices.Backward(p.fields(whole.sides, whole.Held[0].Size())) {
		if p.layer.Stays && x.isSum() {
			continue
		}
		right, err := x.right(whole)
		if err != nil {
			return false, err
		}
		side := &whole.tail
		if x.isHead {
			side = &whole.head
		}
		isNew = isNew || !bytes.Equal(right, x.own)
		*side = slices.Replace(*side, int(x.at.Offset), int(x.at.End()), right...)
	}
	return isNew, nil
}

// right returns the bytes that a field should have in a file.
func (x *located) right(whole *file) ([]byte, error) {
	if x.sum != nil {
		b := all(whole.covered(x.Field, x.inFile()))
		if b == nil {
			return nil, io.ErrUnexpectedEOF
		}
		sum := x.sum.Compute(b)
		if x.sum.Form == checksum.Lower {
			sum = inCase(sum, x.own)
		}
		return sum, nil
	}
	want, ok, err := x.measure(whole, x.inFile())
	if !ok || x.number(x.own) == uint64(x.held(want)) {
		return x.own, err
	}
	return x.written(x.own, want)
}

// opened returns the fields as they were.
func (p *packer) opened() []located { return p.fields(p.was, p.layer.Payload.Size()) }

// A Change is a field that has other bytes in a file that was written.
type Change struct {
	Title    string
	Was, At  span.Span // where it is in the old file and in the new one
	Old, New []byte
	said     string // of a size or count, where it is and both numbers
	saying   saying // of which that is
}

// A saying is what is said of bytes of a buffer: before and behind which one it is.
type saying struct{ at, says string }

// in returns it with the number of the buffer, unless that is the file, or no place is said.
func (s saying) in(buffer int) string {
	if buffer > 0 && s.says != "" {
		return fmt.Sprintf("%s of buffer %d%s", s.at, buffer, s.says)
	}
	return s.at + s.says
}

// changed lists the fields that are others in a new file.
func (p *packer) changed(whole *file) (all []Change) {
	is, region := p.fields(whole.sides, whole.Held[0].Size()), p.layer.Region.Offset
	for i, x := range p.opened() {
		if bytes.Equal(x.own, is[i].own) {
			continue
		}
		was, at := x.inFile(), is[i].inFile()
		was.Offset, at.Offset = was.Offset+region, at.Offset+region
		c := Change{Title: x.title(), Was: was, At: at, Old: x.own, New: is[i].own}
		if text := x.change(x.own, c.New); text != "" {
			c.saying = saying{fmt.Sprintf("%s at %#x", c.Title, was.Offset), ", " + text + x.inCharacters(p.whole(p.in), whole)}
		}
		all = append(all, c)
	}
	return all
}

// inCharacters says how many characters the new content has, if that is another number than that of its bytes, but was the same
// before: the size may be either.
func (f *Field) inCharacters(was, whole *file) string {
	if f.Is != packedSize && f.Is != plainSize || was.Inner == nil {
		return ""
	}
	before, now := summable(was.content(f)), summable(whole.content(f))
	if n := utf8.RuneCount(now); utf8.RuneCount(before) == len(before) && n < len(now) && utf8.Valid(now) {
		return fmt.Sprintf(" (in bytes; it has %d characters)", n)
	}
	return ""
}

// change says what became of the bytes of a size or count, or of hexadecimal digits that do not show whether their letters are
// capitals; "" for others and if nothing did.
func (f *Field) change(was, is []byte) string {
	isHex := f.Type == hex || f.sum != nil && f.sum.Form <= checksum.Upper
	switch {
	case isHex && !bytes.ContainsAny(was, "abcdefABCDEF") && bytes.ContainsAny(is, "abcdefABCDEF"):
		return fmt.Sprintf("%s → %s (whether the game writes capitals, the old one does not show)", was, is)
	case f.Is == "" || f.isSum() || f.number(was) == f.number(is):
		return ""
	}
	return fmt.Sprintf("%d → %d", f.number(was), f.number(is))
}

// staleIn names the numbers that stay, though they measured something that is another number in a new file, or are like a checksum where
// none is known.
func (p *packer) staleIn(whole *file) (all []saying) {
	was := p.opened()
	named := slices.DeleteFunc(slices.Concat(p.left, p.weak()), func(f left) bool {
		if f.at.Offset >= int64(len(p.was.head)) {
			f.at.Offset += whole.size() - p.layer.Region.Length
		}
		n, ok := f.now(whole, f.at)
		return !ok || n == f.is
	})
	order := 0
	for _, x := range was {
		order += x.order()
	}
	for _, x := range was {
		if slices.ContainsFunc(was, func(x located) bool { return x.isSum() }) {
			break
		}
		for _, y := range x.likeSums(order) {
			overlaps := func(f left) bool { return f.at.Offset < y.at.End() && y.at.Offset < f.at.End() }
			if y.at.Length == 4 { // a byte of it measures something by chance
				named = slices.DeleteFunc(named, func(f left) bool { return overlaps(f) && f.at.Length == 1 })
			}
			if !slices.ContainsFunc(named, overlaps) {
				named = append(named, y)
			}
		}
	}
	for _, f := range named {
		says := "which is like a checksum"
		if f.Is != "" {
			says = fmt.Sprintf("as the %s was", f.title())
		}
		all = append(all, saying{fmt.Sprintf("%d at %#x", f.is, p.layer.Region.Offset+f.at.Offset), ", " + says})
	}
	if n := p.block(); n > 0 && whole.size()%n > 0 {
		all = append(all, saying{at: fmt.Sprintf("the number of zeros at the end, which filled the file up to a multiple of %d bytes", n)})
	}
	return all
}

// block returns of which power of two the layer's size is a multiple, as zeros at its end fill it; 0 if they may be others.
func (p *packer) block() int64 {
	const least, most = 16, 4096
	zeros := int64(len(p.was.tail) - len(bytes.TrimRight(p.was.tail, "\x00")))
	n := p.layer.Region.Length & -p.layer.Region.Length
	if n = min(n, most); n < least || zeros*n < 4*least || zeros >= n {
		return 0
	}
	return n
}

// likeSums lists the numbers of four bytes in a field that differ as much as the bytes of checksums, and are no times of these years; a
// number of two bytes, also behind two letters at the start, or a byte that stands alone, and is no small number in either order; eight
// digits that are all of a line. order is that of other numbers.
func (x *located) likeSums(order int) (all []left) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	n, width, isByte := -x.at.Offset&3, int64(4), x.side == 1
	if !x.isHead { // what is before it may be the zero of a text
		n = (x.side - x.at.Offset) & 3
	}
	switch isMagic := x.isHead && x.at.Offset == 0 && x.Type == "u32" && len(bytes.TrimLeft(x.own, letters)) == 2; {
	case isMagic:
		n, width = 2, 2
	case isByte, x.Type == "u16", x.at.Length == width: // alone, it is where it is
		n, width = 0, x.at.Length
	}
	if line := bytes.TrimRight(x.own, "\r\n"); x.Is == "" && len(line) < len(x.own) && checksum.AreDigits(line, 4) {
		f := Field{Type: hex}
		return []left{{Field: f, at: span.Span{Offset: x.inFile().Offset, Length: int64(len(line))}, is: f.number(line)}}
	}
	if x.Is != "" || !isByte && (x.kind() == span.Text || x.unknownSum(x.own) != "") {
		return nil
	}
	for ; n+width <= x.at.Length; n += width {
		if word := x.own[n : n+width]; isLikeSum(word, order) {
			all = append(all, left{at: span.Span{Offset: x.inFile().Offset + n, Length: width}, is: number(word, false)})
		}
	}
	return all
}

// isLikeSum reports whether one, two or four bytes are like a checksum, beside numbers in an order.
func isLikeSum(word []byte, order int) bool {
	little, big := number(word, false), number(word, true)
	if len(word) < 4 {
		return min(little, big) >= [...]uint64{1: leastByte, 2: leastWord}[len(word)]
	}
	return checksum.IsRandom(word) && !(order <= 0 && isTime(little)) && !(order >= 0 && isTime(big)) && bytes.IndexByte(word, 0) < 0
}

// isTime reports whether a number is seconds of the years 2014 to 2030.
func isTime(n uint64) bool { return n >= 1_400_000_000 && n < 1_900_000_000 }

// Said is what is said of the game's bytes around values.
type Said struct {
	Sums         []string // its checksums: "CRC-32 in the header"
	Unknown      []string // kinds of what looks like a checksum that no known way to compute it gives: "MD5"
	IsUnsearched bool     // none were looked for, since it is too large
	Changes      []Change // fields that the last Rewrap has set anew
	Stale        []string // numbers that this has left, though they equalled sizes that have changed: "256 at 0x8, as the packed size was"
}

// Add adds what is said of an open layer, whose bytes are in the buffer of a number: 0 is the file.
func (s *Said) Add(l *layer.Layer, buffer int) {
	for _, p := range packers(l) {
		s.IsUnsearched = s.IsUnsearched || p.isLarge
		for _, c := range p.changes {
			c.said = c.saying.in(buffer)
			s.Changes = append(s.Changes, c)
		}
		for _, x := range p.stale {
			s.Stale = append(s.Stale, x.in(buffer))
		}
		if p.alone != nil {
			s.Sums = append(s.Sums, l.Title)
			continue
		}
		for _, x := range p.opened() {
			if x.isSum() {
				s.Sums = append(s.Sums, x.title()+" in the "+map[bool]string{true: "header", false: "trailer"}[x.isHead])
			} else if kind := x.unknownSum(x.own); kind != "" {
				s.Unknown = append(s.Unknown, kind)
			}
		}
	}
}

// Resized returns the sizes and counts that were set anew, with both numbers: "packed size at 0x4, 25 → 30".
func (s *Said) Resized() (all []string) {
	for _, c := range s.Changes {
		if c.said != "" {
			all = append(all, c.said)
		}
	}
	return all
}

// packers returns what writes the game's bytes of an open layer: of each piece, where there are several.
func packers(l *layer.Layer) (all []*packer) {
	switch p := l.Packer.(type) {
	case *packer:
		return []*packer{p}
	case *piecesPacker:
		for _, x := range p.pieces {
			all = append(all, x.around())
		}
	}
	return all
}

// filling returns how many zeros at the end of the trailer fill the bytes up to a whole block. Others are the trailer's own:
// few, and the first ones after another byte, are the end of a number or a text.
func (p *packer) filling() int64 {
	if p.alone != nil {
		return p.alone.Tail
	}
	const block, least, own = 256, 32, 8
	zeros := int64(len(p.was.tail) - len(bytes.TrimRight(p.was.tail, "\x00")))
	if p.layer.Region.Length%block != 0 || zeros < least {
		return 0
	}
	return zeros - own
}
