package payload

import "varview/decoder/span"

// Bytes are bytes and where they come from.
type Bytes struct {
	Data  []byte
	Parts []Part // together as long as Data
}

// At returns where n bytes from an index on are in the capture: the span of those that are
// in the same part as the first. Bytes that were unpacked are where the packed ones are.
func (b Bytes) At(from, n int) span.Span {
	for _, p := range b.Parts {
		if int64(from) < p.Length || int64(from) == p.Length && n == 0 {
			if p.Form == Unpacked {
				return p.At
			}
			return span.Span{Offset: p.At.Offset + int64(from), Length: min(int64(n), p.Length-int64(from))}
		}
		from -= int(p.Length)
	}
	if len(b.Parts) > 0 {
		return span.Span{Offset: b.Parts[len(b.Parts)-1].At.End()}
	}
	return span.Span{}
}

// Append appends the n bytes of from that begin at an index, and their parts.
func (b *Bytes) Append(from Bytes, at, n int) {
	b.Data = append(b.Data, from.Data[at:at+n]...)
	b.Parts = from.AppendParts(b.Parts, at, n)
}

// AppendParts appends the parts of the n bytes that begin at an index. Neighbours become
// one part.
func (b Bytes) AppendParts(dst []Part, at, n int) []Part {
	skip, left := int64(at), int64(n)
	for _, p := range b.Parts {
		if left <= 0 {
			break
		}
		if skip >= p.Length {
			skip -= p.Length
			continue
		}
		p = p.cut(skip, min(left, p.Length-skip))
		skip = 0
		left -= p.Length
		if last := len(dst) - 1; last >= 0 && dst[last].joins(p) {
			dst[last].At.Length += p.At.Length
			dst[last].Length += p.Length
			continue
		}
		dst = append(dst, p)
	}
	return dst
}

// cut returns the n bytes of a part that begin at an index.
func (p Part) cut(at, n int64) Part {
	if p.Form != Unpacked {
		p.At = span.Span{Offset: p.At.Offset + at, Length: n}
	}
	var mask [4]byte
	for i := range mask {
		mask[i] = p.Mask[(at+int64(i))&3]
	}
	p.Mask, p.Length = mask, n
	return p
}

// joins reports whether a part continues p, in the same packet and without a mask.
func (p Part) joins(next Part) bool {
	return p.Form == Plain && next.Form == Plain && p.Frame == next.Frame && p.At.End() == next.At.Offset
}

// Slice returns the n bytes that begin at an index. Its parts are new.
func (b Bytes) Slice(at, n int) Bytes {
	return Bytes{Data: b.Data[at : at+n], Parts: b.AppendParts(nil, at, n)}
}

// Clone returns a copy that does not change.
func (b Bytes) Clone() Bytes {
	return Bytes{Data: append([]byte(nil), b.Data...), Parts: append([]Part(nil), b.Parts...)}
}

// AppendFrames appends the numbers of the packets of parts, each once and ascending, to
// frames that are in the same order.
func AppendFrames(frames []int, parts []Part) []int {
	for _, p := range parts {
		i := len(frames)
		for i > 0 && frames[i-1] > p.Frame {
			i--
		}
		if i > 0 && frames[i-1] == p.Frame {
			continue
		}
		frames = append(frames, 0)
		copy(frames[i+1:], frames[i:])
		frames[i] = p.Frame
	}
	return frames
}
