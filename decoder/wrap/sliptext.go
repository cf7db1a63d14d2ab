package wrap

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

const (
	slipDigits = 4 << 10  // most characters of a text in which a digit is looked for
	slipTried  = 16 << 20 // characters of all texts that are tried
)

// slippedText looks for a digit lost or too many.
func (l *Layer) slippedText(ctx context.Context, src source.Source, o Options) (*slip, error) {
	f, ok := l.Format.(*textFormat)
	if s, err := l.strays(src); ok && (s != nil || err != nil) {
		return s, err
	}
	if !ok || !f.extra && !f.lost || l.Region.Length > slipDigits {
		return nil, nil
	}
	text := make([]byte, l.Region.Length)
	if err := readAt(src, text, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &textSlips{ctx: ctx, o: o, kind: l.Kind, src: src, region: l.Region, text: text, f: f, zlib: newZlibProver(), left: slipTried}
	if f.lost && l.Payload != nil && f.form == formBase64 && x.isGood(l.Payload) {
		return nil, nil // only padding is lost
	}
	if f.extra {
		x.takeEach()
	}
	if f.lost && len(x.good) == 0 && l.Payload != nil && provesItself(l.Payload) {
		x.putEach()
	}
	return x.result(), ctx.Err()
}

// strays are bytes behind the end of a base64 text that are no text.
func (l *Layer) strays(src source.Source) (*slip, error) {
	if l.Kind != Base64 {
		return nil, nil
	}
	tail := make([]byte, min(l.Region.Length, 2*maxSlip))
	if err := readAt(src, tail, l.Region.End()-int64(len(tail))); err != nil {
		return nil, err
	}
	n := int64(len(tail) - len(trimStrays(tail)))
	zeros, err := zerosAtEnd(src, l.Region)
	if err != nil {
		return nil, err
	}
	if n = max(n, zeros); n == 0 || n == l.Region.Length {
		return nil, nil
	}
	s := newSlip(src, l.Region, takeOut(span.Span{Offset: l.Region.End() - n, Length: n}))
	what := byteCount(n) + " behind the end"
	s.Span, s.Code, s.Message, s.Repair = s.splices[0].Span, span.TrailingBytes, what+" of the text, which are no digits", "take out the "+what
	return s, nil
}

// zerosAtEnd is how many bytes at the end of a region are zero.
func zerosAtEnd(src source.Source, region span.Span) (n int64, err error) {
	for n < region.Length {
		b := make([]byte, min(4096, region.Length-n))
		if err := readAt(src, b, region.End()-n-int64(len(b))); err != nil {
			return 0, err
		}
		left := len(bytes.TrimRight(b, "\x00"))
		n += int64(len(b) - left)
		if left > 0 {
			break
		}
	}
	return n, nil
}

// textSlips looks for the digit that a text has lost or too many.
type textSlips struct {
	ctx    context.Context
	o      Options
	kind   Kind
	src    source.Source
	region span.Span
	text   []byte
	f      *textFormat
	zlib   *zlibProver
	left   int             // characters that may still be tried
	good   []source.Splice // with which the payload is right
	same   bool            // all of them give the same
	first  []byte          // the payload of the first
}

// isDigit reports whether a character of the text is a digit.
func (x *textSlips) isDigit(i int) bool {
	if x.f.form == formBase64 {
		return base64Chars[x.text[i]] == charDigit
	}
	return hexChars[x.text[i]] == charDigit
}

// takeEach tries the text without each of its digits.
func (x *textSlips) takeEach() {
	for i := range x.text {
		if !x.isDigit(i) || i > 0 && x.text[i] == x.text[i-1] {
			continue
		}
		x.try(cutOut(x.text, i, 1), takeOut(span.Span{Offset: x.region.Offset + int64(i), Length: 1}))
	}
}

// putEach tries the text with each digit at each place.
func (x *textSlips) putEach() {
	set := base64Digits
	if x.f.form != formBase64 {
		set = lowerDigits
	}
	for i := range x.text {
		if !x.isDigit(i) {
			continue
		}
		for _, c := range []byte(set) {
			if i > 0 && c == x.text[i-1] {
				continue // the same as one place before
			}
			text := append(append(bytes.Clone(x.text[:i]), c), x.text[i:]...)
			x.try(text, source.Put(x.region.Offset+int64(i), 0, []byte{c}))
		}
	}
}

// try notes a text if its payload is right.
func (x *textSlips) try(text []byte, undo source.Splice) {
	if x.left -= len(text); x.left < 0 || x.ctx.Err() != nil {
		return
	}
	win := source.NewWindow(source.Bytes(text))
	o := Options{MaxUnpacked: min(x.o.MaxUnpacked, slipDigits)}
	d, err := decodeText(x.ctx, newLexer(win, x.kind, span.Between(0, int64(len(text)))), win, o)
	if err != nil || len(d.notes) > 0 || d.lost > 0 || d.wrong || d.form != x.f.form {
		d.spool.close()
		return
	}
	held := &Layer{}
	if held.hold(&d.spool) != nil {
		return
	}
	defer held.Close()
	if !x.isGood(held.Payload) {
		return
	}
	payload, err := io.ReadAll(io.NewSectionReader(held.Payload, 0, held.Payload.Size()))
	if err != nil {
		return
	}
	if len(x.good) == 0 {
		x.first, x.same = payload, true
	}
	x.same = x.same && bytes.Equal(x.first, payload)
	x.good = append(x.good, undo)
}

// isGood reports whether a payload is right: by its own checksum, or because it reads
// well.
func (x *textSlips) isGood(payload source.Source) bool {
	head := make([]byte, min(payload.Size(), slipDigits))
	if readAt(payload, head, 0) != nil {
		return false
	}
	all := span.Between(0, payload.Size())
	switch {
	case len(head) > zlibHeader && isZlib(head[0], head[1]):
		return x.zlib.nearly(head)
	case bytes.HasPrefix(head, []byte(gcpfMagic)):
		g := &gcpf{src: payload, region: all}
		s := &gcpfSearch{ctx: x.ctx, o: x.o, g: g, left: slipDigits * 64}
		defer s.close()
		return all.Length >= gcpfHeader && g.parse(x.ctx, x.o) == nil && g.Trailer && g.Excess == 0 && s.soundness() == nothingWrong
	case bytes.HasPrefix(head, []byte(gdecMagic)):
		l := &Layer{Kind: GDEC, Region: all}
		return openGDEC(x.ctx, l, payload, x.o) == nil && l.Checksum() == Matches
	}
	return x.o.Reads != nil && x.o.Reads(x.ctx, payload)
}

// provesItself reports whether a payload begins as what has a checksum, or lengths that
// have to fit. Of others a lost digit is not looked for: with 64 digits at each place
// something reads by chance.
func provesItself(payload source.Source) bool {
	var head [4]byte
	if payload.Size() < 4 || readAt(payload, head[:], 0) != nil {
		return false
	}
	return isZlib(head[0], head[1]) || string(head[:]) == gcpfMagic || string(head[:]) == gdecMagic
}

// result is what slipped, nil if that was not found.
func (x *textSlips) result() *slip {
	if len(x.good) == 0 || x.left < 0 {
		return nil
	}
	undo := x.good[0]
	last := x.good[len(x.good)-1].End()
	if n := int(last - x.region.Offset); undo.Length > 0 {
		for n < len(x.text) && x.text[n] == x.text[n-1] { // the same digit again
			n++
		}
		last = x.region.Offset + int64(n)
	}
	s := newSlip(x.src, x.region, undo)
	s.Span = span.Between(undo.Offset, last)
	what := "digit too many: without it the payload is right"
	s.Code = span.ExtraBytes
	if undo.Length == 0 {
		s.Code, what = span.MissingBytes, "digit is lost: with it the payload is right"
	}
	s.Message = fmt.Sprintf("a %s %s", x.f.digitName(), what)
	if x.same {
		s.Repair = s.undoing()
	} else {
		s.Message += fmt.Sprintf("; %d places can be it", len(x.good))
	}
	return s
}
