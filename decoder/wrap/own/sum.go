package own

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

const (
	mostSummed = 8 << 20 // size of the largest content of which checksums are computed
	mostAfter  = 1 << 20 // the same for one that includes a part of the header
	lastAfter  = 16      // offset in the header up to which such a checksum begins
	leastSum   = 4       // bytes of the shortest checksum
)

// sums finds the checksums in a header or trailer: of the content, of the values in it, or of all bytes after a field of the
// header.
func (p *packer) sums(b []byte, isHead bool, in *layer.Inner) map[int]Field {
	found := map[int]Field{}
	content := p.layer.Payload
	if content.Size() > mostSummed || content.Size() < leastSize {
		return found
	}
	of := func(head, tail []byte) func() io.Reader {
		return func() io.Reader {
			return io.MultiReader(bytes.NewReader(head), io.NewSectionReader(content, 0, content.Size()), bytes.NewReader(tail))
		}
	}
	put := func(at int, way checksum.Place, f Field) {
		found[at] = f.of(&way)
	}
	anywhere := func(content func() io.Reader, f Field) {
		checksum.Written(len(b), content, func(way checksum.Place, sum []byte) {
			for at := 0; at+len(sum) <= len(b); at++ {
				if bytes.HasPrefix(b[at:], sum) {
					put(at, way, f)
				}
			}
		})
	}
	if in.Plain != nil && len(in.Sizes) > 1 && in.Plain.Size() <= mostSummed {
		anywhere(func() io.Reader { return io.NewSectionReader(in.Plain, 0, in.Plain.Size()) }, Field{inner: true})
	}
	anywhere(of(nil, nil), Field{})
	var mark [len("\ufeff")]byte
	if content.ReadAt(mark[:], 0); string(mark[:]) == "\ufeff" {
		n := int64(len(mark))
		anywhere(func() io.Reader { return io.NewSectionReader(content, n, content.Size()-n) }, Field{skip: n})
	}
	if !isHead || content.Size() > mostAfter {
		return found
	}
	for at := range max(0, min(lastAfter, len(b)-leastSum-1)+1) {
		for _, size := range checksum.Sizes() {
			if end := at + size; end < len(b) && checksum.IsRandom(b[at:end]) {
				checksum.Written(size, of(b[end:], p.was.tail), func(way checksum.Place, sum []byte) {
					if bytes.Equal(sum, b[at:end]) {
						put(at, way, Field{after: true})
					}
				})
			}
		}
	}
	return found
}

// of returns the field as one of a checksum that is written in a way.
func (f Field) of(way *checksum.Place) Field {
	f.Type, f.Size, f.sum, f.Name = "bytes", way.Size(), way, way.Title()
	return f
}

// sumOf computes the checksum in a field, of the content or of what is in it and, if it includes them, of the rest of the
// header and the trailer.
func (p *packer) sumOf(f *Field, content source.Source, in *layer.Inner, head, tail []byte) ([]byte, error) {
	if f.inner {
		content = in.Plain
	}
	all := []io.Reader{io.NewSectionReader(content, f.skip, content.Size()-f.skip)}
	if f.after {
		all = []io.Reader{bytes.NewReader(head), all[0], bytes.NewReader(tail)}
	}
	return f.sum.Compute(all...)
}

// compareSum reports a checksum that does not fit. rest is what follows it in the header or trailer.
func (p *packer) compareSum(f *Field, b, rest []byte, x *part.Part, in *layer.Inner) {
	if f.inner && (in == nil || in.Plain == nil) { // it is not known yet
		return
	}
	want, err := p.sumOf(f, p.layer.Payload, in, rest, p.was.tail)
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

// renew writes the checksums of a new payload into a header and a trailer, those that include others last.
func (p *packer) renew(content source.Source, in *layer.Inner, head, tail []byte) error {
	for _, after := range []bool{false, true} {
		for _, side := range []struct {
			fields []Field
			bytes  []byte
		}{{p.tail, tail}, {p.head, head}} {
			end := len(side.bytes)
			for i := len(side.fields) - 1; i >= 0; i-- {
				f := &side.fields[i]
				at := offsetOf(side.fields[:i], side.bytes)
				if f.sum != nil && f.after == after {
					sum, err := p.sumOf(f, content, in, side.bytes[end:], tail)
					if err != nil {
						return layer.Lacking(err)
					}
					copy(side.bytes[at:end], sum)
				}
				end = at
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

// Fitting returns how many numbers and checksums in a header and a trailer of some bytes fit what is between them. A number in
// one byte does so by chance.
func Fitting(ctx context.Context, src source.Source, region span.Span, head, tail int64) (n int, err error) {
	l, err := layer.Open(ctx, Around(head, tail), src, region, layer.Options{})
	if err != nil || l.Payload == nil {
		return 0, err
	}
	defer l.Close()
	Complete(l, layer.Inner{Sizes: []int64{l.Payload.Size()}})
	p := l.Packer.(*packer)
	for _, f := range slices.Concat(p.head, p.tail) {
		if f.sum != nil || f.Is != "" && !f.guess {
			n++
		}
	}
	return n, nil
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
