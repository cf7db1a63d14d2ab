package wrap

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
)

// mostBetween is the most bytes too many before or in the magic at the end of a GCPF
// that are told as such.
const mostBetween = 64

// slippedTrailer describes a magic at the end in which bytes are lost or too many;
// false if it is none. What stands behind the last block is part of it.
func (f *gcpfFormat) slippedTrailer(p *part) bool {
	left := f.region.End() - f.end
	if left == 0 || left > int64(len(gcpfMagic))+mostBetween {
		return false
	}
	b := make([]byte, left)
	if readAt(f.src, b, f.end) != nil {
		return false
	}
	n := len(b) - len(gcpfMagic)
	switch {
	case n > 0:
		return f.fullTrailer(p, b, n)
	case n < 0:
		return f.shortTrailer(p, b, -n)
	}
	return false
}

// fullTrailer is slippedTrailer where n bytes are too many.
func (f *gcpfFormat) fullTrailer(p *part, b []byte, n int) bool {
	for at := range len(gcpfMagic) {
		if string(cutOut(b, at, n)) != gcpfMagic {
			continue
		}
		p.text = "bytes too many"
		p.put(int64(at), f.region.End(), span.Magic, "magic")
		extra := span.Span{Offset: p.End(), Length: int64(n)}
		p.put(int64(n), f.region.End(), span.Gap, "gap")
		p.put(int64(len(b)-n-at), f.region.End(), span.Magic, "magic")
		where := "in the magic at the end"
		if at == 0 {
			where = "between the last block and the magic at the end, or at the end of that block"
		}
		p.warn(extra, span.ExtraBytes, byteCount(int64(n))+" too many "+where, trailerUnread).
			cure(fmt.Sprintf("take out the %s at %#x", byteCount(int64(n)), extra.Offset), takeOut(extra))
		return true
	}
	return false
}

// shortTrailer is slippedTrailer where n bytes are lost. Where the last block ends as
// the magic begins, it is the block that has lost them.
func (f *gcpfFormat) shortTrailer(p *part, b []byte, n int) bool {
	for at := 0; at+n <= len(gcpfMagic); at++ {
		if at == len(b) || string(cutOut([]byte(gcpfMagic), at, n)) != string(b) {
			continue // what is lost at the end is cut
		}
		p.text = "cut"
		last, _, err := f.packed(f.here - 1)
		before := make([]byte, n)
		if at == 0 && f.here > 0 && err == nil && last.Length > int64(n) && readAt(f.src, before, f.end-int64(n)) == nil && string(before) == gcpfMagic[:n] {
			f.parts[gcpfBlocks].fail(last, span.MissingBytes,
				fmt.Sprintf("block %d has lost %s: it takes %s of the magic behind it", f.here-1, byteCount(int64(n)), gcpfMagic[:n]), gcpfReading)
			p.put(int64(len(b)), f.region.End(), span.Magic, "magic")
			return true
		}
		p.put(int64(len(b)), f.region.End(), span.Magic, "magic")
		place := p.Offset + int64(at)
		p.warn(p.Span, span.MissingBytes, fmt.Sprintf("the magic at the end has lost %s", gcpfMagic[at:at+n]), trailerUnread).
			cure(fmt.Sprintf("put %s in at %#x", gcpfMagic[at:at+n], place), source.Put(place, 0, []byte(gcpfMagic[at:at+n])))
		return true
	}
	return false
}
