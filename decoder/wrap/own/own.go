// Package own opens bytes with a header or a trailer of a game's own, or both, around them: a version, a
// signature, a time, sizes. The payload is what is between. Wrapping it again keeps the game's bytes, except
// numbers that are lengths, which follow the payload.
package own

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// most is the largest size of a header or trailer.
const most = 64 << 10

type kind struct {
	layer.Info
	place
}

// A place says where the payload is.
type place struct {
	head, tail []Field
	found      bool            // the fields are only known to be bytes
	trailer    int64           // size of the trailer, once it was opened; otherwise that of its fields
	summed     *checksum.Place // set if all that is beside the payload is this checksum
}

// At returns the kind of bytes with a header and a trailer of these fields, either of which may be empty. All
// fields of a trailer must have a size that does not depend on its bytes.
func At(head, tail []Field) layer.Wrapper { return of(place{head: head, tail: tail}) }

// Around returns the kind of bytes with a header and a trailer of some bytes, whose fields are found once
// what is inside is known.
func Around(head, tail int64) layer.Wrapper {
	return of(place{found: true, head: plain(head), tail: plain(tail)})
}

func plain(n int64) []Field {
	if n == 0 {
		return nil
	}
	return []Field{{Type: "bytes", Size: n}}
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

// Is reports whether a kind is bytes of a game's own around others, which are in plain view.
func Is(k layer.Wrapper) bool {
	_, ok := k.(*kind)
	return ok
}

// IsBeside reports whether a kind is bytes beside a payload in plain view: a checksum, or a header or trailer of the game's own.
func IsBeside(k layer.Wrapper) bool { return IsSummed(k) || Is(k) }

// Eager implements layer.Deferrer: only the header and the trailer are read.
func (*kind) Eager(span.Span, layer.Options) int64 { return 0 }

// Sniff implements layer.Wrapper: only what is inside shows that these bytes are a game's own.
func (*kind) Sniff(*layer.Sample) bool { return false }

// sides are the bytes of a header and a trailer.
type sides struct{ head, tail []byte }

// Open implements layer.Wrapper.
func (k *kind) Open(ctx context.Context, l *layer.Layer, src source.Source, _ layer.Options) error {
	return k.open(ctx, l, src)
}

// open opens a layer at a place.
func (k *place) open(ctx context.Context, l *layer.Layer, src source.Source) error {
	var b sides
	var err error
	ends := l.Region
	if k.trailer > 0 {
		ends = span.Between(max(ends.Offset, ends.End()-k.trailer), ends.End())
	}
	if b.tail, err = read(src, ends, k.tail, true); err == nil {
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
	p := &packer{place: *k, layer: l, was: b, content: l.Payload}
	l.Packer = p
	l.Title = p.title()
	p.describe(nil)
	return ctx.Err()
}

// errShort is the error of a region that ends within its header or trailer.
var errShort = fmt.Errorf("too short")

// read returns the bytes of fields at the beginning of a region, or at its end.
func read(src source.Source, region span.Span, fields []Field, atEnd bool) ([]byte, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	b := make([]byte, min(region.Length, most))
	if atEnd {
		region = span.Between(region.End()-int64(len(b)), region.End())
	}
	if err := layer.ReadAt(src, b, region.Offset); err != nil {
		return nil, err
	}
	n, ok := lengthOf(fields, b)
	if !ok {
		return nil, errShort
	}
	if atEnd {
		return b[int64(len(b))-n:], nil
	}
	return b[:n], nil
}

// lengthOf returns the number of bytes of fields at the beginning of b; ok is false if b is too short.
func lengthOf(fields []Field, b []byte) (all int64, ok bool) {
	for i := range fields {
		n, ok := fields[i].length(b[all:])
		if !ok {
			return all, false
		}
		all += n
	}
	return all, true
}

// A packer writes the game's bytes around a payload.
type packer struct {
	place
	layer   *layer.Layer
	was     sides
	content source.Source // what checksums are of: the payload, or the new one
	differs bool          // a checksum does not fit
	changes []string      // what Changes returns
	isLarge bool          // no checksums were looked for
	left    []left
	stale   []string // what Stale returns
}

// AsOpened returns the kind of an open layer with the fields that were found; nil if it is not of this
// package.
func AsOpened(l *layer.Layer) layer.Wrapper {
	if p, ok := l.Packer.(*packer); ok && p.summed != nil {
		return Summed(p.summed)
	} else if ok {
		return of(place{head: p.head, tail: p.tail, trailer: int64(len(p.was.tail))})
	}
	return nil
}

// Named returns the texts and numbers in the fields of an open layer's header that have names, by "{NAME}".
func Named(l *layer.Layer) map[string]string {
	is := map[string]string{}
	if p, ok := l.Packer.(*packer); ok {
		for f, own := range each(p.head, p.was.head) {
			text := strings.TrimRight(string(own[f.prefix():]), "\r\n\x00")
			if f.isNumber() {
				text = fmt.Sprint(f.number(own))
			}
			if f.Name != "" {
				is["{"+f.Name+"}"] = text
			}
		}
	}
	return is
}

func (p *packer) title() string {
	var all []string
	if n := len(p.was.head); n > 0 {
		all = append(all, "own header of "+span.Bytes(int64(n)))
	}
	if n := len(p.was.tail); n > 0 {
		all = append(all, "own trailer of "+span.Bytes(int64(n)))
	}
	return strings.Join(all, ", ")
}

// describe makes the reading: a part for each field, and the payload. in is nil until it is known what is
// inside.
func (p *packer) describe(in *layer.Inner) {
	l := p.layer
	parts := p.parts(true, in)
	if n := l.Payload.Size(); n > 0 {
		body := part.At("content", l.Region.Offset+int64(len(p.was.head)))
		body.Put(n, l.Region.End(), span.Data, "content")
		body.Text = span.Bytes(n)
		parts = append(parts, body)
	}
	parts = append(parts, p.parts(false, in)...)
	d := l.Describe(l.About(), parts...)
	l.Reading = &d
}

// parts describes the fields of the header or the trailer.
func (p *packer) parts(isHead bool, in *layer.Inner) (all []part.Part) {
	fields, b, start := p.tail, p.was.tail, p.layer.Region.End()-int64(len(p.was.tail))
	if isHead {
		fields, b, start = p.head, p.was.head, p.layer.Region.Offset
	}
	off := start
	for i := range fields {
		f := &fields[i]
		n, _ := f.length(b)
		x := part.At(f.title(), off)
		x.Put(f.prefix(), p.layer.Region.End(), span.Length, "text length")
		x.Put(n-x.Length, p.layer.Region.End(), f.kind(), f.title())
		own := b[f.prefix():n]
		switch {
		case f.sum != nil:
			x.Text = checksum.Text(own, f.sum.IsText())
			p.compareSum(f, own, off-start, isHead, &x, in)
		case f.isNumber():
			x.Text = fmt.Sprint(f.number(own))
			p.compare(f, own, &x, in)
		case f.kind() == span.Padding:
			x.Text = span.Bytes(n)
		case f.kind() == span.Text:
			x.Text = string(tree.AppendQuoted(nil, own))
		default:
			x.Text = fmt.Sprintf("%x", own)
		}
		if sum := checksum.Resembles(own); sum != "" && in != nil && f.sum == nil {
			x.Note(x.Span, span.UnknownSum, fmt.Sprintf("these %s look like the checksum of the save (%s), but no known way to compute it gives them; "+
				"a secret of the game may be part of it: a recipe that has it, with the step checksum, computes it anew", span.Bytes(int64(len(own))), sum), "many games reject the save once it is edited")
		}
		b, off = b[n:], off+n
		if n > 0 {
			all = append(all, x)
		}
	}
	return all
}

// compare reports a length that does not fit what is inside.
func (p *packer) compare(f *Field, b []byte, x *part.Part, in *layer.Inner) {
	if in == nil {
		return
	}
	want, ok, _ := p.measure(f, in)
	if !ok || want < 0 || f.number(b) == uint64(want) {
		return
	}
	code := layer.WrongSize
	if f.isSum() {
		code = layer.Checksum
	}
	problem := x.Fail(x.Span, code, fmt.Sprintf("the %s in the game's own bytes is %s, but it should be %d", f.title(), x.Text, want), "many games reject the save")
	if right, err := f.written(b, want); err == nil {
		problem.RepairBy(fmt.Sprintf("set it to %d", want), source.Put(x.Offset, x.Length, right))
	}
}

// measure returns what a length should be; ok is false if that is not known. The error is that of counting
// the values.
func (p *packer) measure(f *Field, in *layer.Inner) (n int64, ok bool, err error) {
	last := len(in.Sizes) - 1
	switch f.Is {
	case packedSize:
		n = in.Sizes[min(f.level, last)]
	case plainSize:
		n = in.Sizes[last]
	case fileSize:
		n = in.Sizes[0] + int64(len(p.was.head)+len(p.was.tail))
	case Count:
		if in.Count == nil {
			return 0, false, nil
		}
		n, err = in.Count()
	case "":
	default:
		sum, of := checksum.Place{Sum: f.Is, Form: checksum.Big}, p.content
		if f.of == ofValues {
			of = in.Plain
		}
		b, failed := sum.Compute(io.NewSectionReader(of, 0, of.Size()))
		n, err = int64(number(b, true)), failed
	}
	return n + f.add, f.Is != "" && err == nil, err
}

// CanRewrap implements layer.Packer.
func (*packer) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	in := &w.Inner
	resized := *p // in a header of another size, the file has another size too
	resized.changes = nil
	resized.content = w.Plain
	head, err := resized.written(p.head, p.was.head, in)
	if err != nil {
		return 0, err
	}
	if resized.was.head = head; len(head) != len(p.was.head) {
		resized.changes = nil
		if head, err = resized.written(p.head, p.was.head, in); err != nil {
			return 0, err
		}
	}
	tail, err := resized.written(p.tail, p.was.tail, in)
	if err != nil {
		return 0, err
	}
	p.changes, p.stale = resized.changes, resized.staleIn(in)
	if !p.layer.Stays {
		if err := p.renew(&file{sides{head, tail}, w.Plain, in.Plain}); err != nil {
			return 0, err
		}
	}
	out := w.Output(0)
	out.Write(head)
	if _, err := io.Copy(out, w.Reader()); err != nil {
		return 0, err
	}
	numbers := int64(len(tail)) - p.filling()
	out.Write(tail[:numbers])
	out.Write(layer.Refilled(tail[numbers:], w.Plain.Size()-p.layer.Payload.Size()))
	return out.Finish()
}

// staleIn names the numbers that stay, though they measured something that is another number around a new payload.
func (p *packer) staleIn(in *layer.Inner) (all []string) {
	for i := range p.left {
		f := &p.left[i]
		if want, ok, err := p.measure(&f.Field, in); ok && err == nil && uint64(want) != f.is {
			all = append(all, fmt.Sprintf("%d at %#x, as the %s was", f.is, f.at, f.title()))
		}
	}
	return all
}

// Stale returns the numbers that the last Rewrap of a layer has left, though they equalled sizes that have changed: "256 at 0x8, as
// the packed size was".
func Stale(l *layer.Layer) []string {
	if p, ok := l.Packer.(*packer); ok {
		return p.stale
	}
	return nil
}

// Changes returns the sizes and counts that the last Rewrap of a layer has set anew, with both numbers: "packed size, 25 → 30".
func Changes(l *layer.Layer) []string {
	if p, ok := l.Packer.(*packer); ok {
		return p.changes
	}
	return nil
}

// filling returns how many zeros at the end of the trailer fill the bytes up to a whole block. Others are the trailer's own:
// few, and the first ones after another byte, are the end of a number or a text.
func (p *packer) filling() int64 {
	if p.summed != nil {
		return p.summed.Tail
	}
	const block, least, own = 256, 32, 8
	zeros := int64(len(p.was.tail) - len(bytes.TrimRight(p.was.tail, "\x00")))
	if p.layer.Region.Length%block != 0 || zeros < least {
		return 0
	}
	return zeros - own
}

// written returns the bytes of fields around a new payload.
func (p *packer) written(fields []Field, b []byte, in *layer.Inner) ([]byte, error) {
	out := make([]byte, 0, len(b))
	for f, own := range each(fields, b) {
		want, ok, err := p.measure(f, in)
		if was := f.number(own); ok && was != uint64(want) {
			own, err = f.written(own, want)
			if !f.isSum() {
				p.changes = append(p.changes, fmt.Sprintf("%s, %d → %d", f.title(), was, want))
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}
