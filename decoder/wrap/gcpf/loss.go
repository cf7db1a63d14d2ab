package gcpf

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/fastlz"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

// mostBlocks is the greatest number of blocks of a GCPF in which lost bytes are searched for.
const mostBlocks = 256

// lost tries inserting n bytes at each place of header and table. What a GCPF of Godot holds
// there follows from its blocks.
func (x *shiftSearch) lost(n int) {
	for at := 0; at < headerSize+4*mostBlocks; at++ {
		h := hidden{shiftSearch: x, at: at, n: n}
		first, last, ok := h.blocks()
		if !ok && at >= headerSize {
			return
		}
		for blocks := first; blocks <= last; blocks++ {
			if !h.fill(blocks) {
				continue
			}
			for m := range modes {
				if h.number(4, uint32(m)) && h.finish(m) {
					place := h.search.g.region.Offset + int64(at)
					x.keep(layer.NewLoss(h.search.g.src, h.search.g.region, place, bytes.Clone(h.full[at:at+n]), h.place(place), corrupt), n)
				}
			}
		}
	}
}

// hidden is the header and table of a GCPF of which some bytes are lost.
type hidden struct {
	*shiftSearch
	at, n  int    // the lost bytes
	full   []byte // header and table with them
	lastAt span.Span
}

// hides reports whether bytes of a number are lost.
func (h *hidden) hides(at int) bool { return at < h.at+h.n && h.at < at+4 }

// byteAt returns a byte of header and table that is not lost.
func (h *hidden) byteAt(i int) (byte, bool) {
	switch {
	case i >= h.at+h.n:
		i -= h.n
	case i >= h.at:
		return 0, false
	}
	if i >= len(h.head) {
		return 0, false
	}
	return h.head[i], true
}

// blocks returns the least and the greatest number of blocks that there can be; ok is false
// if there are none, or there is no place for the lost bytes in so few.
func (h *hidden) blocks() (first, last int, ok bool) {
	if h.hides(12) {
		return 1, mostBlocks, true
	}
	var plain [4]byte
	for i := range plain {
		if plain[i], ok = h.byteAt(12 + i); !ok {
			return 1, 0, false
		}
	}
	n := int(min(binary.LittleEndian.Uint32(plain[:])/usualBlock, mostBlocks)) + 1
	if n > mostBlocks || h.at >= headerSize+4*n {
		return 1, 0, false
	}
	return n, n, true
}

// fill fills in header and table for a number of blocks, but for mode and plain size, and
// reports whether the lengths reach the end.
func (h *hidden) fill(blocks int) bool {
	size := headerSize + 4*blocks
	if size-h.n > len(h.head) || h.at+h.n > size {
		return false
	}
	h.full = append(h.full[:0], h.head[:h.at]...)
	h.full = append(h.full, make([]byte, h.n)...)
	h.full = append(h.full, h.head[h.at:size-h.n]...)
	left, unknown := h.search.g.region.Length+int64(h.n)-int64(size+len(Magic)), -1
	for at := headerSize; at < size; at += 4 {
		switch {
		case !h.hides(at):
			left -= int64(binary.LittleEndian.Uint32(h.full[at:]))
		case unknown >= 0:
			return false // two lengths, and only their sum is known
		default:
			unknown = at
		}
	}
	switch {
	case unknown < 0 && left != 0, left < 0:
		return false
	case unknown >= 0 && !h.number(unknown, uint32(left)):
		return false
	}
	packed := int64(binary.LittleEndian.Uint32(h.full[size-4:]))
	h.lastAt = span.Span{Offset: h.search.g.region.End() - int64(len(Magic)) - packed, Length: packed}
	return h.number(0, binary.LittleEndian.Uint32([]byte(h.search.g.magic))) && h.number(8, usualBlock)
}

// number writes a number over lost bytes, and reports whether those that are there agree.
func (h *hidden) number(at int, n uint32) bool {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], n)
	for i, c := range b {
		if is, there := h.byteAt(at + i); there && is != c {
			return false
		}
	}
	copy(h.full[at:], b[:])
	return true
}

// finish fills in the plain size, which the last block shows, and reports whether it can be
// right.
func (h *hidden) finish(m Mode) bool {
	if !h.hides(12) {
		return true
	}
	plain, ok := h.search.unpack(m, h.lastAt, usualBlock)
	n := len(plain)
	if m == FastLZ && n == fastlz.Least && layer.IsZero(plain) {
		n = 0 // FastLZ has no shorter blocks
	}
	blocks := (len(h.full) - headerSize) / 4
	return ok && n < usualBlock && h.number(12, uint32((blocks-1)*usualBlock+n))
}
