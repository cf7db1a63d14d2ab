package decoder

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"varview/decoder/detect"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
	"varview/decoder/wrap"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/own"
)

// digitsBehind returns the wrappers of digits in a text, with a header or trailer around them: of the longest, if they are most of it, or
// of a part of these. It is nil if the text is sound as a whole, or what is around them would be whole groups of digits, with which what
// is inside can begin and end as well.
func (d *Document) digitsBehind(ctx context.Context, src source.Source, region span.Span, o *Options) ([]wrap.Kind, error) {
	const most = 1 << 20 // bytes of a text that is decoded at each offset
	if region.Length > most {
		return nil, nil
	}
	whole := source.Read(src, region)
	if whole == nil || areDigits(whole) && readsAsOne(ctx, src, region) {
		return nil, nil
	}
	parts := []span.Span{longestDigits(whole), span.Between(0, region.Length)}
	if parts[0] == parts[1] || parts[0].Length <= region.Length/2 {
		parts = parts[1:]
	}
	for _, part := range parts {
		offsets := make([]int64, detect.MostTail+1)
		for n := range offsets {
			offsets[n] = part.Offset + int64(n)
		}
		found, err := d.packedBehind(ctx, src, region, region.Offset+part.End(), offsets, o)
		if err != nil {
			return nil, err
		}
		if found != nil && !found.isWithin(whole, part) && max(found.Head, found.Tail) <= detect.MostAhead { // more is as likely damage within the digits
			return []wrap.Kind{own.Around(found.Head, found.Tail), found.packed}, nil
		}
	}
	return nil, nil
}

// readsAsOne reports whether all that a text of digits holds reads without a problem, be it by chance: with a header or trailer among
// the digits it would not.
func readsAsOne(ctx context.Context, src source.Source, text span.Span) bool {
	return slices.ContainsFunc(wrap.Sniff(src, text, ""), func(k wrap.Kind) bool {
		l, err := wrap.Open(ctx, k, src, text, wrap.Options{MaxUnpacked: mostPacked})
		is := err == nil && l.Payload != nil && families().MayBeSound(ctx, l.Payload)
		return err == nil && l.Close() == nil && is
	})
}

// isWithin reports whether what is before and behind a place in a part of a text is rather more of its digits.
func (p *ownPlace) isWithin(text []byte, part span.Span) bool {
	isApart := part.Length < int64(len(bytes.TrimRight(text, "\x00\r\n"))) && p.Head == part.Offset
	return !isApart && areMoreDigits(text[:p.Head], p.packed) && areMoreDigits(text[int64(len(text))-p.Tail:], p.packed)
}

// longestDigits returns the longest part of a text of digits that is not apart from itself: a word, or lines as long as one another and a
// shorter one behind them.
func longestDigits(b []byte) (longest span.Span) {
	var part span.Span
	first, last := 0, 0 // lengths of its lines
	for at := 0; at < len(b); {
		n := len(b) - at - len(bytes.TrimLeftFunc(b[at:], func(c rune) bool { return c < 0x80 && wrap.IsDigit(byte(c)) }))
		isMore := part.Length > 0 && last == first && n <= first && len(bytes.Trim(b[part.End():at], "\r\n")) == 0
		if !isMore {
			part, first = span.Span{Offset: int64(at)}, n
		}
		last, part.Length = n, int64(at+n)-part.Offset
		if part.Length > longest.Length {
			longest = part
		}
		for at += n; at < len(b) && (b[at] >= 0x80 || !wrap.IsDigit(b[at])); at++ {
		}
	}
	return longest
}

// digitsAt returns the kind of a text of digits that takes a region, but for a trailer, if what it holds can be
// read, and the number of its bytes; nil for none. A text of which the packed bytes take all is likelier.
func digitsAt(ctx context.Context, src source.Source, region span.Span) (first wrap.Kind, size int64, err error) {
	if start := source.NewWindow(src).View(region.Offset, min(region.Length, leastDigits)); !areDigits(start) {
		return nil, 0, nil
	}
	if region.Length > 2*beginningSize { // all of it is decoded for each place where it may begin and end
		if may, err := MayHoldSound(ctx, src, region); !may {
			return nil, 0, err
		}
	}
	for _, end := range digitsEnds(src, region) {
		text := span.Between(region.Offset, end)
		for _, k := range wrap.Sniff(src, text, "") {
			if !k.IsText() {
				continue
			}
			isRead, isWhole, err := digitsHold(ctx, k, src, text)
			if err != nil || isRead && isWhole {
				return k, text.Length, err
			}
			if isRead && first == nil {
				first, size = k, text.Length
			}
		}
	}
	return first, size, nil
}

// digitsHold reports whether a text of digits of a kind holds values, and whether they are all that is in it.
func digitsHold(ctx context.Context, k wrap.Kind, src source.Source, text span.Span) (isRead, isWhole bool, err error) {
	l, err := wrap.Open(ctx, k, src, text, wrap.Options{MaxUnpacked: mostPacked})
	if err != nil {
		return false, false, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if l.Payload == nil {
		return false, false, nil
	}
	if isRead, isWhole = holdsSound(ctx, l.Payload); isRead {
		var bad bool
		bad, err = score.HasProblem(ctx, tree.New(src, l.Reading, text), true, isUnsound)
		isRead = !bad
	}
	return isRead, isWhole, err
}

// isUnsound reports whether a problem of a text of digits shows that it is none: padding is often left out.
func isUnsound(p *span.Problem) bool { return p.Severity > span.Note && p.Code != layer.DigitPadding }

// beginningSize is the number of bytes of a text of digits by which MayHoldSound judges it.
const beginningSize = 8 << 10

// MayHoldSound reports whether what a text of digits holds may be sound, by its beginning: to decode and read all of it takes long.
func MayHoldSound(ctx context.Context, src source.Source, text span.Span) (bool, error) {
	part := span.Span{Offset: text.Offset, Length: min(beginningSize, text.Length)}
	for _, k := range wrap.Sniff(src, part, "") {
		l, err := wrap.Open(ctx, k, src, part, wrap.Options{MaxUnpacked: mostPacked})
		if err != nil {
			return false, err
		}
		may := !k.IsText()
		if l.Payload != nil {
			begin := beginning{l.Payload, l.Payload.Size()}
			if part.Length < text.Length {
				begin.size = text.Length // at most
			}
			all := span.Between(0, begin.size)
			may = may || len(wrap.Sniff(begin, all, "binary")) > 0 || wrap.IsSigned(begin, all) || families().MayBeSound(ctx, begin)
		}
		if err := l.Close(); err != nil || may {
			return may, err
		}
	}
	return false, nil
}

// A beginning is what a source of a size begins with; the rest is a hole.
type beginning struct {
	source.Source
	size int64
}

// Size implements source.Source.
func (b beginning) Size() int64 { return b.size }

// ReadAt implements io.ReaderAt.
func (b beginning) ReadAt(p []byte, off int64) (n int, err error) {
	if known := b.Source.Size(); off < known {
		n, err = b.Source.ReadAt(p[:min(int64(len(p)), known-off)], off)
	}
	if n < len(p) && (err == nil || err == io.EOF) {
		err = &source.HoleError{Span: span.Between(off+int64(n), b.size), Err: errNotDecoded}
	}
	return n, err
}

var errNotDecoded = errors.New("it is not decoded")

// holdsSound reports whether a payload is packed, is a text of digits, or can be read as values to its end; isWhole, whether the packed
// bytes are all of it.
func holdsSound(ctx context.Context, payload source.Source) (is, isWhole bool) {
	region := span.Between(0, payload.Size())
	if region.Length >= leastDigits && areDigits(source.NewWindow(payload).View(0, leastDigits)) {
		if all := source.Read(payload, region); all != nil && areDigits(all) {
			return true, true // which no other bytes are by chance
		}
	}
	if len(wrap.Sniff(payload, region, "binary")) == 0 && !wrap.IsSigned(payload, region) {
		is = families().IsSound(ctx, payload)
		return is, is
	}
	_, size, err := packedAt(ctx, payload, region, &Options{MaxUnpacked: mostPacked})
	return true, err == nil && size == region.Length
}

func areDigits(b []byte) bool {
	return !bytes.ContainsFunc(b, func(c rune) bool { return c >= 0x80 || !wrap.IsDigit(byte(c)) })
}

// areMoreDigits reports whether a header or trailer is whole groups of digits, with blanks between them, or nothing: such are part of a
// text of digits of a kind, rather than stand around one. A checksum is none of it.
func areMoreDigits(b []byte, k wrap.Kind) bool {
	kind, _, _ := checksum.LooksAt(b, true, false)
	b = bytes.ReplaceAll(bytes.TrimRight(b, "\r\n"), []byte(" "), nil)
	isOther := kind != "" || wrap.DigitGroup(k) == 2 && len(bytes.Trim(b, "0123456789abcdefABCDEF")) > 0
	return areDigits(b) && !isOther && int64(len(b))%wrap.DigitGroup(k) == 0
}

const (
	leastDigits = 16 // bytes of a text of digits
	mostLines   = 3  // lines behind one
)

// digitsEnds lists where a text of digits may end: before the digits of a checksum that fits, before what is no digit, or no hexadecimal
// one, after its padding, before digits like a checksum, or one of the last lines, or after four digits.
func digitsEnds(src source.Source, region span.Span) (ends []int64) {
	b := source.NewWindow(src).View(region.End()-min(region.Length, detect.MostTail), min(region.Length, detect.MostTail))
	tail := int64(len(b))
	if held := checksum.HeldIn(src, region); held > 0 {
		tail = region.Length - held
	} else if n := bytes.IndexFunc(b, func(c rune) bool { return c >= 0x80 || !wrap.IsDigit(byte(c)) && c != '\r' && c != '\n' }); n < 0 {
		tail = 0
	} else {
		tail -= int64(n)
	}
	end := region.End() - tail
	if pad := bytes.IndexByte(b, '='); pad >= 0 && int64(pad) < int64(len(b))-tail {
		for pad < len(b) && b[pad] == '=' {
			pad++
		}
		end = region.End() - int64(len(b)-pad)
	}
	add := func(end int64) {
		if !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
	}
	add(end)
	last := source.NewWindow(src).View(region.End()-min(region.Length, detect.MostAhead), min(region.Length, detect.MostAhead))
	if _, n, more := checksum.LooksAt(last, false, false); n > 0 && n+more < len(last) {
		add(region.End() - int64(n+more))
	}
	if other := bytes.TrimLeft(b, "0123456789abcdefABCDEF"); len(other) < len(b) {
		add(region.End() - int64(len(other)))
	}
	lines := bytes.TrimRight(b, "\r\n")
	for range mostLines {
		if lines = bytes.TrimRight(lines[:bytes.LastIndexByte(lines, '\n')+1], "\r\n"); len(lines) > 0 {
			add(region.End() - int64(len(b)-len(lines)))
		}
	}
	if odd := (end - region.Offset) % 4; odd > 0 {
		add(end - odd)
	}
	return ends
}
