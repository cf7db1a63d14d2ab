package own

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
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

// A scope says of which bytes a checksum is.
type scope uint8

// The scopes of checksums.
const (
	ofContent scope = iota
	ofValues        // the values, once all layers inside are unpacked
	ofBehind        // all bytes of the file behind the checksum
	ofBefore        // all before it
	ofOthers        // all but it
	ofAll           // all, with zeros in its place
)

// A file is what a checksum is beside.
type file struct {
	sides
	content source.Source
	values  source.Source // nil if they are not known
}

// covered returns the bytes that a checksum is of, which takes size bytes at an offset of the header or the trailer.
func (f *file) covered(of scope, isHead bool, at, size int64) io.Reader {
	content := io.NewSectionReader(f.content, 0, f.content.Size())
	var before, behind io.Reader
	if isHead {
		before, behind = bytes.NewReader(f.head[:at]), io.MultiReader(bytes.NewReader(f.head[at+size:]), content, bytes.NewReader(f.tail))
	} else {
		before, behind = io.MultiReader(bytes.NewReader(f.head), content, bytes.NewReader(f.tail[:at])), bytes.NewReader(f.tail[at+size:])
	}
	switch of {
	case ofValues:
		return io.NewSectionReader(f.values, 0, f.values.Size())
	case ofBehind:
		return behind
	case ofBefore:
		return before
	case ofOthers:
		return io.MultiReader(before, behind)
	case ofAll:
		return io.MultiReader(before, bytes.NewReader(make([]byte, size)), behind)
	}
	return content
}

// sums finds the checksums in a header or trailer: of the content, of the values in it, or of other bytes of the file, too.
func (p *packer) sums(b []byte, isHead bool, in *layer.Inner) map[int]Field {
	found := map[int]Field{}
	content := p.layer.Payload
	p.isLarge = content.Size() > mostSummed
	if p.isLarge || content.Size() < leastSize {
		return found
	}
	whole := &file{p.was, content, in.Plain}
	anywhere := func(content func() io.Reader, f Field) {
		checksum.Written(len(b), content, func(way checksum.Place, sum []byte) {
			for at := 0; at+len(sum) <= len(b); at++ {
				if bytes.HasPrefix(b[at:], sum) {
					found[at] = f.summed(&way)
				}
			}
		})
	}
	if in.Plain != nil && len(in.Sizes) > 1 && in.Plain.Size() <= mostSummed {
		anywhere(func() io.Reader { return whole.covered(ofValues, isHead, 0, 0) }, Field{of: ofValues})
	}
	anywhere(func() io.Reader { return whole.covered(ofContent, isHead, 0, 0) }, Field{})
	for _, n := range p.apart() {
		anywhere(func() io.Reader { return io.NewSectionReader(content, n, content.Size()-n) }, Field{skip: n})
	}
	if content.Size() <= mostAround {
		p.sumsAround(b, isHead, whole, found)
	}
	return found
}

// apart returns how many bytes at the beginning of the content a checksum may leave out: a byte order mark, or the length of what
// follows.
func (p *packer) apart() (all []int64) {
	const mark = "\ufeff"
	var first [4]byte
	n, _ := p.layer.Payload.ReadAt(first[:], 0)
	if strings.HasPrefix(string(first[:n]), mark) {
		all = append(all, int64(len(mark)))
	}
	if p.isFrame() {
		all = append(all, 4)
	}
	return all
}

// isFrame reports whether the content begins with the length of all that follows in it.
func (p *packer) isFrame() bool {
	var first [4]byte
	n, _ := p.layer.Payload.ReadAt(first[:], 0)
	return n == 4 && int64(number(first[:], false)) == p.layer.Payload.Size()-4
}

// sizesAround are those of checksums in bytes, and in hexadecimal digits.
var sizesAround = append(checksum.Sizes(), 8, 40)

// mayBeSum reports whether bytes are like those or the digits of a checksum.
func mayBeSum(b []byte) bool {
	return checksum.IsRandom(b) || len(b) >= 8 && len(bytes.Trim(b, hexDigits)) == 0
}

// sumsAround adds the checksums that are of bytes of the header or trailer, too.
func (p *packer) sumsAround(b []byte, isHead bool, whole *file, found map[int]Field) {
	scopes := []scope{ofBefore, ofOthers, ofAll}
	if isHead {
		scopes[0] = ofBehind
	}
	if whole.content.Size() > mostOthers {
		scopes = scopes[:1]
	}
	for at := range min(lastAround+1, len(b)) {
		for _, size := range sizesAround {
			end := at + size
			isOdd := size == 4 && at%2 > 0 && (len(b)-at)%2 > 0
			if _, known := found[at]; known || end > len(b) || isOdd || !mayBeSum(b[at:end]) {
				continue
			}
			for _, of := range scopes {
				if way := checksum.Matching(b[at:end], func() io.Reader { return whole.covered(of, isHead, int64(at), int64(size)) }); way != nil {
					found[at] = Field{of: of}.summed(way)
					break
				}
			}
		}
	}
}

// summed returns the field as one of a checksum that is written in a way.
func (f Field) summed(way *checksum.Place) Field {
	f.Type, f.Size, f.sum, f.Name = "bytes", way.Size(), way, way.Title()
	return f
}

// sumOf computes the checksum in a field at an offset of the header or trailer of a file.
func (f *Field) sumOf(whole *file, isHead bool, at int64) ([]byte, error) {
	covered := whole.covered(f.of, isHead, at, f.Size)
	if _, err := io.CopyN(io.Discard, covered, f.skip); err != nil {
		return nil, err
	}
	return f.sum.Compute(covered)
}

// compareSum reports a checksum that does not fit. at is its offset in the header or trailer.
func (p *packer) compareSum(f *Field, b []byte, at int64, isHead bool, x *part.Part, in *layer.Inner) {
	whole := &file{p.was, p.layer.Payload, nil}
	if in != nil {
		whole.values = in.Plain
	}
	if f.of == ofValues && whole.values == nil { // it is not known yet
		return
	}
	want, err := f.sumOf(whole, isHead, at)
	if err != nil {
		x.Text += ", not computed"
		return
	} else if bytes.Equal(want, b) {
		x.Text += ", fits"
		return
	}
	p.differs = true
	x.Text += ", does not fit"
	right := checksum.Text(want, f.sum.IsText())
	x.Fail(x.Span, layer.Checksum, fmt.Sprintf("the %s does not fit: that of the content is %s", f.Name, right), "many games reject the save").
		RepairBy("write the checksum that the bytes have, "+right, source.Put(x.Offset, x.Length, want))
}

// renew writes the checksums of a new payload into a header and a trailer: those of it, those of what is behind them from the last
// one on, and then those of what is before them.
func (p *packer) renew(whole *file) error {
	for _, of := range [][]scope{{ofContent, ofValues}, {ofBehind}, {ofBefore, ofOthers, ofAll}} {
		for _, side := range []struct {
			fields []Field
			bytes  []byte
			isHead bool
		}{{p.tail, whole.tail, false}, {p.head, whole.head, true}} {
			for i, f := range slices.Backward(side.fields) {
				if f.sum == nil || !slices.Contains(of, f.of) {
					continue
				}
				at := offsetOf(side.fields[:i], side.bytes)
				sum, err := f.sumOf(whole, side.isHead, int64(at))
				if err != nil {
					return layer.Lacking(err)
				}
				copy(side.bytes[at:], sum)
			}
		}
	}
	return nil
}

// offsetOf returns the number of bytes of the fields before one.
func offsetOf(before []Field, b []byte) int {
	n, _ := lengthOf(before, b)
	return int(n)
}

// Sums returns what checksums are in the header and the trailer of an open layer: "CRC-32 in the header".
func Sums(l *layer.Layer) (titles []string) {
	p, ok := l.Packer.(*packer)
	if !ok {
		return nil
	} else if p.summed != nil {
		return []string{l.Title}
	}
	for i, f := range slices.Concat(p.head, p.tail) {
		if where := "header"; f.isSum() {
			if i >= len(p.head) {
				where = "trailer"
			}
			titles = append(titles, f.title()+" in the "+where)
		}
	}
	return titles
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
	if len(in.Sizes) == 0 {
		in.Sizes = []int64{l.Payload.Size()}
	}
	Complete(l, in)
	p := l.Packer.(*packer)
	for i, side := range [][]Field{p.head, p.tail} {
		b, at := p.was.head, int64(0)
		if i > 0 {
			b, at = p.was.tail, head+l.Payload.Size()
		}
		for f, own := range each(side, b) {
			if f.sum != nil || f.Is != "" && !f.guess {
				all = append(all, Follower{fmt.Sprintf("%s at %#x", f.title(), at), f.isSum(), f.add == 0})
			}
			at += int64(len(own))
		}
	}
	return all, nil
}

// An End is a header or trailer.
type End struct {
	Span span.Span
	Kept string // its bytes that do not follow the payload: no sizes, no checksums of it
}

// Ends returns the header and the trailer of an open layer; zero values if it is not of this package, or a checksum alone.
func Ends(l *layer.Layer) (ends [2]End) {
	p, ok := l.Packer.(*packer)
	if !ok || p.summed != nil {
		return ends
	}
	kept := func(fields []Field, b []byte) (all string) {
		for f, own := range each(fields, b) {
			if f.Is == "" && f.sum == nil {
				all += string(own)
			}
		}
		return all
	}
	tail := int64(len(p.was.tail))
	ends[0] = End{span.Span{Offset: l.Region.Offset, Length: int64(len(p.was.head))}, kept(p.head, p.was.head)}
	ends[1] = End{span.Span{Offset: l.Region.End() - tail, Length: tail}, kept(p.tail, p.was.tail)}
	return ends
}

// IsUnsearched reports whether checksums in the header and trailer of an open layer were not looked for, since it is too large.
func IsUnsearched(l *layer.Layer) bool {
	p, ok := l.Packer.(*packer)
	return ok && p.isLarge
}

// UnknownSums returns the kinds of what looks like checksums that no known way to compute them gives: "MD5".
func UnknownSums(l *layer.Layer) (kinds []string) {
	p, ok := l.Packer.(*packer)
	if !ok {
		return nil
	}
	add := func(fields []Field, b []byte) {
		for f, own := range each(fields, b) {
			if kind := checksum.Resembles(own[f.prefix():]); kind != "" && f.sum == nil {
				kinds = append(kinds, kind)
			}
		}
	}
	add(p.head, p.was.head)
	add(p.tail, p.was.tail)
	return kinds
}
