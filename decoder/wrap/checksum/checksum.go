// Package checksum opens bytes with a checksum before or after them, as games add one. The payload is the
// rest; wrapping it again computes the checksum anew.
package checksum

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper. It is opened at the place that Find returns.
var Kind layer.Wrapper = At(nil)

type kind struct {
	layer.Info
	place *Place
}

// At returns the kind for a place that is known; nil for one that is looked for.
func At(p *Place) layer.Wrapper {
	return &kind{layer.Info{Name: "checksum", About: "bytes with their CRC-32, MD5, SHA-1 or SHA-256 before or after them"}, p}
}

// Is reports whether a kind is a checksum, which holds bytes in no other form.
func Is(k layer.Wrapper) bool {
	_, ok := k.(*kind)
	return ok
}

// A Place says where a checksum is, and how it is written.
type Place struct {
	Sum    string // kind of the checksum, one of Sums
	Start  bool   // it comes before the bytes
	Form   Form
	Secret string // text that is hashed after the bytes
	Salt   string // text that is hashed before the bytes
	placed bool   // gap and tail are known
	gap    int64  // number of bytes between the hashed ones and the checksum
	tail   int64  // number of bytes after the checksum
}

// A Form is how a checksum is written.
type Form uint8

// The forms of a checksum.
const (
	Lower  Form = iota // hexadecimal digits with a to f
	Upper              // hexadecimal digits with A to F
	Binary             // its bytes; for a CRC-32 the least significant first
	Big                // its bytes; for a CRC-32 the most significant first
	Base64             // its bytes in base64
)

// Sniff implements layer.Wrapper.
func (k *kind) Sniff(s *layer.Sample) bool { return false }

// SetForm sets the kind and form by their names in a recipe. The defaults are MD5 and digits.
func (p *Place) SetForm(form string) error {
	if p.Sum == "" {
		p.Sum = "md5"
	}
	if _, ok := sums[p.Sum]; !ok {
		return fmt.Errorf("there is no checksum %q: %s", p.Sum, strings.Join(slices.Concat(Sums, keyed), ", "))
	}
	if sums[p.Sum].keyed && p.Secret == "" {
		return fmt.Errorf("%s needs a secret, its key", p.Sum)
	}
	i := slices.Index([]string{"digits", "DIGITS", "bytes", "big-endian", "base64"}, cmp.Or(form, "digits"))
	if i < 0 {
		return fmt.Errorf("a checksum has no form %q: digits, DIGITS, bytes, big-endian, base64", form)
	}
	p.Form = Form(i)
	return nil
}

// Size returns the number of bytes that the checksum takes.
func (p *Place) Size() int64 {
	n := sums[p.Sum].size
	switch {
	case p.Form == Base64:
		n = base64.StdEncoding.EncodedLen(n)
	case p.IsText():
		n *= 2
	}
	return int64(n)
}

// Sizes returns those of checksums that are not written in digits, in bytes.
func Sizes() []int { return sizes }

// Numbers are the names of the kinds that are numbers of 4 bytes.
func Numbers() []string {
	return slices.DeleteFunc(slices.Clone(Sums), func(name string) bool { return !sums[name].number })
}

// TitleOf returns the name of a kind of checksum, "CRC-32" of "crc32"; "" for what is none.
func TitleOf(sum string) string { return sums[sum].title }

// Written calls do for the checksum of the content in each kind and form that takes at most some bytes.
func Written(most int, content func() io.Reader, do func(way Place, sum []byte)) {
	for _, name := range Sums {
		var h hash.Hash
		for form := Lower; form <= Base64; form++ {
			p := Place{Sum: name, Form: form}
			if p.Size() > int64(most) || form == Big && !sums[name].number || form == Base64 && sums[name].number || name == html5 && !p.IsText() {
				continue
			}
			if h == nil {
				h = p.hash()
				if _, err := io.Copy(h, content()); err != nil {
					return
				}
			}
			do(p, p.write(h))
		}
	}
}

// IsRandom reports whether bytes differ from one another as much as those of nearly all checksums do.
func IsRandom(b []byte) bool { return isRandom(b) }

// Title returns the name of the kind of checksum: "CRC-32".
func (p *Place) Title() string { return sums[p.Sum].title }

// IsText reports whether the checksum is written in digits, hexadecimal or base64.
func (p *Place) IsText() bool { return p.Form <= Upper || p.Form == Base64 }

// Compute returns the checksum of what the readers give, as it is written.
func (p *Place) Compute(parts ...io.Reader) ([]byte, error) {
	h := p.hash()
	if _, err := io.Copy(h, io.MultiReader(parts...)); err != nil {
		return nil, err
	}
	return p.write(h), nil
}

// hash returns a hash that computes the checksum of the bytes written to it.
func (p *Place) hash() hash.Hash {
	s := sums[p.Sum]
	h := s.new()
	if s.keyed {
		h = hmac.New(s.new, []byte(p.Secret))
	}
	io.WriteString(h, p.Salt)
	return h
}

func (p *Place) write(h hash.Hash) []byte {
	if !sums[p.Sum].keyed {
		io.WriteString(h, p.Secret)
	}
	b := h.Sum(nil)
	switch p.Form {
	case Lower:
		return fmt.Appendf(nil, "%x", b)
	case Upper:
		return fmt.Appendf(nil, "%X", b)
	case Base64:
		return base64.StdEncoding.AppendEncode(nil, b)
	case Binary:
		if sums[p.Sum].number {
			return []byte{b[3], b[2], b[1], b[0]}
		}
	}
	return b
}

// spans divides a region into the hashed bytes, those between, and the checksum. ok is false if the region
// is too short.
func (p *Place) spans(region span.Span) (held, gap, sum span.Span, ok bool) {
	n := p.Size()
	if region.Length < n+p.gap+p.tail {
		return held, gap, sum, false
	}
	if p.Start {
		sum = span.Span{Offset: region.Offset, Length: n}
		gap = span.Span{Offset: sum.End(), Length: p.gap}
		return span.Between(gap.End(), region.End()), gap, sum, true
	}
	sum = span.Span{Offset: region.End() - p.tail - n, Length: n}
	gap = span.Span{Offset: sum.Offset - p.gap, Length: p.gap}
	return span.Between(region.Offset, gap.Offset), gap, sum, true
}

// Held returns the number of the bytes in a region that are hashed, if they are at its beginning; otherwise 0.
func (p *Place) Held(region span.Span) int64 {
	held, _, _, ok := p.spans(region)
	if !ok || p.Start {
		return 0
	}
	return held.Length
}

// Open implements layer.Wrapper.
func (k *kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	p := k.place
	if p == nil {
		p = Find(src, l.Region, false)
	} else if !p.placed {
		p = p.locate(src, l.Region)
	}
	var held, gap, sum span.Span
	fits := p != nil
	if fits {
		held, gap, sum, fits = p.spans(l.Region)
	}
	if !fits {
		l.Reject("checksum", "no checksum was found before or after these bytes")
		return nil
	}
	payload := source.Join(source.Piece{Src: src, Span: held})
	h := p.hash()
	if _, err := io.Copy(h, io.NewSectionReader(payload, 0, held.Length)); err != nil {
		return err
	}
	have, want := make([]byte, sum.Length), p.write(h)
	if err := layer.ReadAt(src, have, sum.Offset); err != nil {
		return err
	}
	l.Payload = payload
	l.Packer = &packer{Place: p, layer: l, gap: gap, sum: sum}
	p.describe(l, held, gap, sum, have, want)
	return ctx.Err()
}

// describe makes the reading: the payload, the bytes between, the checksum, and what follows it.
func (p *Place) describe(l *layer.Layer, held, gap, sum span.Span, have, want []byte) {
	where, name := "at the end", sums[p.Sum].title
	if p.Start {
		where = "at the beginning"
	}
	one := func(name string, s span.Span, kind span.Kind) part.Part {
		x := part.At(name, s.Offset)
		x.Put(s.Length, l.Region.End(), kind, name)
		x.Text = span.Bytes(s.Length)
		return x
	}
	body, between, check := one("content", held, span.Data), one("between", gap, span.Padding), one(name, sum, span.Checksum)
	state, says := layer.Matches, "fits"
	if check.Text = Text(have, p.IsText()) + ", fits"; !bytes.Equal(have, want) {
		state, says = layer.Differs, "does not fit"
		check.Text = Text(have, p.IsText()) + ", does not fit"
		check.Fail(sum, layer.Checksum, fmt.Sprintf("the %s does not fit: that of the content is %s", name, Text(want, p.IsText())), "many games reject the save").
			RepairBy("write the checksum that the bytes have, "+Text(want, p.IsText()), source.Put(sum.Offset, sum.Length, want))
	}
	l.SetChecksum(state)
	l.Title, l.ShortTitle = fmt.Sprintf("%s %s, %s", name, where, says), name+" "+says
	parts := []part.Part{body, between, check, one(span.Unused, span.Between(sum.End(), l.Region.End()), span.Padding)}
	if p.Start {
		parts = []part.Part{check, between, body}
	}
	kept := parts[:0]
	for _, x := range parts {
		if x.Length > 0 {
			kept = append(kept, x)
		}
	}
	d := l.Describe(l.About(), kept...)
	l.Reading = &d
}

// Text shows a checksum, which is written in digits or bytes.
func Text(b []byte, digits bool) string {
	if digits {
		return string(b)
	}
	return fmt.Sprintf("%x", b)
}

// A packer computes the checksum anew, unless the layer says that it stays.
type packer struct {
	*Place
	layer    *layer.Layer
	gap, sum span.Span
}

// Of returns the place of an open layer's checksum; nil if the layer is not a checksum.
func Of(l *layer.Layer) *Place {
	if p, ok := l.Packer.(*packer); ok {
		return p.Place
	}
	return nil
}

// CanRewrap implements layer.Packer.
func (*packer) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	before, after := int64(0), span.Between(p.sum.End(), w.Region.End())
	if p.Start {
		before, after = p.sum.Length, span.Span{}
	}
	out, h := w.Output(before), p.hash()
	if p.Start {
		if err := w.Keep(out, p.gap); err != nil {
			return 0, err
		}
	}
	if _, err := io.Copy(io.MultiWriter(out, h), w.Reader()); err != nil {
		return 0, err
	}
	sum := p.write(h)
	if p.layer.Stays {
		if err := layer.ReadAt(w.Source, sum, p.sum.Offset); err != nil {
			return 0, err
		}
	}
	if p.Start {
		if err := w.WriteHead(sum); err != nil {
			return 0, err
		}
		n, err := out.Finish()
		return before + n, err
	}
	if err := w.Keep(out, p.gap); err != nil {
		return 0, err
	}
	if _, err := out.Write(sum); err != nil {
		return 0, err
	}
	if err := w.KeepEnd(out, after); err != nil {
		return 0, err
	}
	return out.Finish()
}
