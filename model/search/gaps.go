package search

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// eachGap calls found for each hit in the bytes of an event that no value claims. It reports whether found
// wants more.
func (w *walk) eachGap(scan *tree.Scanner, ev tree.Event) bool {
	w.gaps = scan.AppendGaps(w.gaps[:0], ev)
	return w.inGaps(scan.Window())
}

// eachGapBefore does the same for the bytes before all values, if the walk begins there.
func (w *walk) eachGapBefore(scan *tree.Scanner) bool {
	base := &w.s.tree.Base.Value
	if w.from >= base.Body || scan.Pos() > base.Body {
		return true
	}
	w.gaps = scan.AppendGapsBefore(w.gaps[:0], base)
	return w.inGaps(scan.Window())
}

func (w *walk) inGaps(win *source.Window) bool {
	for _, gap := range w.gaps {
		for at := max(gap.Offset, w.from); at < min(gap.End(), w.to) && w.s.ctx.Err() == nil; {
			hit, ok := w.s.query.expr.inGap(win, gap, at)
			if !ok || hit.Offset >= w.to {
				break
			}
			if !w.found(Hit{Span: hit, Rank: Other}) {
				return false
			}
			at = hit.Offset + 1 // hits may overlap, as in values
		}
	}
	return true
}

// inGap returns the first place at or after an offset of a gap where an expression is found. Terms that must
// hold together may be anywhere in the gap from there on. There are no names, types and paths in a gap.
func (x *expr) inGap(w *source.Window, gap span.Span, from int64) (first span.Span, ok bool) {
	switch x.op {
	case opTerm:
		return x.term.inGap(w, gap, from)
	case opNot:
		return first, false
	}
	for _, part := range x.parts {
		if part.op == opNot {
			if _, is := part.parts[0].inGap(w, gap, gap.Offset); is && x.op == opAnd {
				return first, false
			}
			continue
		}
		hit, is := part.inGap(w, gap, from)
		switch {
		case is && (!ok || hit.Offset < first.Offset):
			first, ok = hit, true
		case !is && x.op == opAnd:
			return first, false
		}
	}
	return first, ok
}

// inGap returns the first place of a term at or after an offset of a gap: of a text, of bytes, or of a number
// in one of the forms in which programs store numbers.
func (t *term) inGap(w *source.Window, gap span.Span, from int64) (first span.Span, ok bool) {
	if t.in != anywhere && t.in != inValue && t.in != inBytes {
		return first, false
	}
	take := func(hit span.Span, is bool) {
		if is && (!ok || hit.Offset < first.Offset) {
			first, ok = hit, true
		}
	}
	if t.text != nil {
		take(t.text.find(w, gap, from))
	}
	if t.regex != nil {
		take(t.regexIn(w, gap, from))
	}
	if t.bytes != nil {
		take(findIn(w, gap, from, int64(len(t.bytes.bytes)), t.bytes.index))
	}
	for _, form := range t.forms() {
		take(findIn(w, gap, from, int64(len(form)), func(b []byte) int { return bytes.Index(b, form) }))
	}
	return first, ok
}

// regexIn returns the first match of the regular expression at or after an offset.
func (t *term) regexIn(w *source.Window, gap span.Span, from int64) (hit span.Span, ok bool) {
	src := io.NewSectionReader(windowReader{w}, from, gap.End()-from)
	at := t.regex.FindReaderIndex(bufio.NewReader(src))
	if at == nil || at[0] == at[1] {
		return hit, false
	}
	return span.Between(from+int64(at[0]), from+int64(at[1])), true
}

// A windowReader reads through a window.
type windowReader struct{ *source.Window }

// ReadAt implements io.ReaderAt.
func (r windowReader) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		b := r.View(off+int64(n), min(int64(len(p)-n), source.MaxView, r.Size()-off-int64(n)))
		if len(b) == 0 {
			return n, io.EOF
		}
		n += copy(p[n:], b)
	}
	return n, nil
}

// findIn returns the first place in a span, at or after from, of what index finds, which has the given
// length in bytes.
func findIn(w *source.Window, f span.Span, from, length int64, index func([]byte) int) (span.Span, bool) {
	const piece = 32 << 10
	for at := max(f.Offset, from); at < f.End(); at += piece {
		b := w.View(at, min(piece+length-1, f.End()-at))
		if i := index(b); i >= 0 {
			return span.Span{Offset: at + int64(i), Length: length}, true
		}
	}
	return span.Span{}, false
}

// forms returns the bytes in which programs store the number of a term, in either byte order. There are none
// for zero, which is everywhere, and for a comparison.
func (t *term) forms() (all [][]byte) {
	if !t.isNumber() || t.test.Op != "=" {
		return nil
	}
	value := t.test.With.Num.Float()
	whole, isWhole := t.test.With.Num.Int64()
	if value == 0 {
		return nil
	}
	add := func(b []byte) {
		other := slices.Clone(b)
		slices.Reverse(other)
		all = append(all, b, other)
	}
	little := binary.LittleEndian
	add(little.AppendUint64(nil, math.Float64bits(value)))
	if f := float32(value); float64(f) == value || !isWhole && !math.IsInf(float64(f), 0) {
		add(little.AppendUint32(nil, math.Float32bits(f)))
	}
	if i := whole; isWhole {
		add(little.AppendUint64(nil, uint64(i)))
		if i >= math.MinInt32 && i <= math.MaxUint32 {
			add(little.AppendUint32(nil, uint32(i)))
		}
		const oneByte = 0xff // a smaller number in two bytes is everywhere, too
		if i >= math.MinInt16 && i <= math.MaxUint16 && (i > oneByte || i < 0) {
			add(little.AppendUint16(nil, uint16(i)))
		}
	}
	return all
}
