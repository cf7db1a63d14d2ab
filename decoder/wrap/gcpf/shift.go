package gcpf

import (
	"context"
	"encoding/binary"
	"math/bits"

	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

// shiftTable is the size of header and table up to which a shift is searched for.
const shiftTable = 64 << 10

// findShift searches the header and table of a GCPF for bytes lost or too many.
func findShift(ctx context.Context, g *file, o layer.Options) (*layer.Shift, error) {
	if !g.isMarked() {
		return nil, nil
	}
	head := make([]byte, min(shiftTable, g.region.Length))
	if err := layer.ReadAt(g.src, head, g.region.Offset); err != nil {
		return nil, err
	}
	x := &shiftSearch{search: &search{ctx: ctx, o: o, g: g, marked: true, left: searchBytes}, head: head}
	defer x.search.close()
	for n := 1; n <= layer.MaxShift; n++ {
		x.extra(n)
		x.lost(n)
	}
	if x.search.err != nil || ctx.Err() != nil || x.best == nil {
		return nil, ctx.Err()
	}
	return x.best, nil
}

// isMisplaced reports whether the blocks are not where the numbers say, and no other number
// would repair that.
func (f *reading) isMisplaced() bool {
	g := f.file
	if !f.isWhole() || g.cause != nil && g.cause.block < 0 {
		return false
	}
	return g.cause != nil || g.BlockSize == 0 || g.Mode >= modes || g.entries < g.Blocks || g.cut || !g.Trailer || g.Excess > 0
}

// shiftSearch finds the likeliest shift in a GCPF.
type shiftSearch struct {
	search *search
	head   []byte // header and table, and what follows
	best   *layer.Shift
	rank   int // the lower the likelier
}

// isPlausible reports whether head can be a header, and returns its number of blocks.
func isPlausible(head []byte) (blocks int64, ok bool) {
	size, plain := int64(binary.LittleEndian.Uint32(head[8:])), int64(binary.LittleEndian.Uint32(head[12:]))
	if s := string(head[:4]); s != Magic && s != resource || Mode(binary.LittleEndian.Uint32(head[4:])) >= modes || size == 0 || size > maxSounded {
		return 0, false
	}
	return plain/size + 1, true
}

// extra tries deleting n bytes at each place.
func (x *shiftSearch) extra(n int) {
	if len(x.head) < headerSize+n {
		return
	}
	end := x.search.g.region.Length - 4 - int64(n) // of the blocks, without the surplus
	for at := range headerSize {
		head := layer.CutOut(x.head[:headerSize+n], at, n)
		if blocks, ok := isPlausible(head); ok && x.reaches(x.head[headerSize+n:], blocks, end) {
			x.take(at, n)
		}
	}
	blocks, ok := isPlausible(x.head)
	table := x.head[headerSize:]
	if !ok || 4*blocks+int64(n) > int64(len(table)) {
		return
	}
	table = table[:4*blocks+int64(n)]
	after := make([]int64, blocks+1) // sums of the lengths from each on, n bytes too late
	for i := blocks - 1; i >= 0; i-- {
		after[i] = after[i+1] + int64(binary.LittleEndian.Uint32(table[4*i+int64(n):]))
	}
	before := headerSize + 4*blocks
	for i := range blocks {
		for at := 4 * i; at < 4*i+4; at++ {
			entry := layer.CutOut(table[4*i:4*i+4+int64(n)], int(at-4*i), n)
			if before+int64(binary.LittleEndian.Uint32(entry))+after[i+1] == end {
				x.take(headerSize+int(at), n)
			}
		}
		before += int64(binary.LittleEndian.Uint32(table[4*i:]))
	}
}

// reaches reports whether the lengths in a table lead to the end.
func (x *shiftSearch) reaches(table []byte, blocks, end int64) bool {
	if 4*blocks > int64(len(table)) {
		return false
	}
	sum := headerSize + 4*blocks
	for i := range blocks {
		sum += int64(binary.LittleEndian.Uint32(table[4*i:]))
	}
	return sum == end
}

// take tries the file without n bytes.
func (x *shiftSearch) take(at, n int) {
	g := x.search.g
	if at > 0 && at+n <= len(x.head) && x.head[at-1] == x.head[at-1+n] {
		return // the same as one byte earlier
	}
	last := at // last of the places with the same result
	for last+n < len(x.head) && x.head[last] == x.head[last+n] {
		last++
	}
	bytes := span.Span{Offset: g.region.Offset + int64(at), Length: int64(n)}
	x.judge(bytes, span.Between(bytes.Offset, g.region.Offset+int64(last+n)))
}

// judge tries a surplus.
func (x *shiftSearch) judge(bytes, where span.Span) {
	region := x.search.g.region
	x.keep(layer.NewSurplus(x.search.g.src, region, bytes, where, x.place(bytes.Offset), corrupt), int(bytes.Length))
}

// place names what is at an offset.
func (x *shiftSearch) place(at int64) string {
	if at < x.search.g.region.Offset+headerSize {
		return "the header"
	}
	return "the table of block lengths"
}

// keep keeps a shift by n bytes if everything fits without it.
func (x *shiftSearch) keep(s *layer.Shift, n int) {
	g := x.fitting(s)
	if g == nil {
		return
	}
	rank := 4*n + oddness(g.BlockSize)
	if x.best == nil || rank < x.rank {
		x.best, x.rank = s, rank
	}
}

// oddness returns how unlikely a block size is.
func oddness(size uint32) int {
	switch {
	case size == usualBlock:
		return 0
	case bits.OnesCount32(size) == 1:
		return 1
	}
	return 2
}

// fitting returns the GCPF without its shift, nil if its numbers and blocks do not fit.
func (x *shiftSearch) fitting(s *layer.Shift) *file {
	g := x.search.parsed(s.Source, s.Region)
	if g == nil || g.cut || !g.Trailer || g.Excess > 0 || g.Short || min(g.BlockSize, g.PlainSize) > maxSounded {
		return nil
	}
	clean := x.of(g)
	if !clean.proves(g, 0, -1) {
		g = nil
	}
	x.search.left, x.search.err = clean.left, clean.err
	return g
}

// of returns a search in a GCPF of other bytes.
func (x *shiftSearch) of(g *file) *search {
	s := *x.search
	s.g, s.starts = g, nil
	return &s
}
