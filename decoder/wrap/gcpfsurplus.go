package wrap

import (
	"context"
	"encoding/binary"
	"math/bits"

	"varview/decoder/source"
	"varview/decoder/span"
)

// surplusTable is the most bytes of header and table in which a surplus is looked for.
const surplusTable = 64 << 10

// surplusOfGCPF looks for bytes too many in header or table of a GCPF.
func (l *Layer) surplusOfGCPF(ctx context.Context, src source.Source, o Options) (*surplus, error) {
	f, ok := l.Format.(*gcpfFormat)
	if ok && !f.misses() {
		return nil, nil
	}
	g := &gcpf{src: src, region: l.Region}
	if !g.isMarked() {
		return nil, nil
	}
	head := make([]byte, min(surplusTable, l.Region.Length))
	if err := readAt(src, head, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &gcpfSurplus{search: &gcpfSearch{ctx: ctx, o: o, g: g, marked: true, left: searchBytes}, head: head}
	defer x.search.close()
	for n := 1; n <= maxSurplus; n++ {
		x.extra(n)
	}
	if x.search.err != nil || ctx.Err() != nil || x.best == nil {
		return nil, ctx.Err()
	}
	return x.best, nil
}

// misses reports whether the blocks are not where the numbers say, and no other
// number would put that right.
func (f *gcpfFormat) misses() bool {
	g := f.gcpf
	if f.layer.GCPF == nil || g.cause != nil && g.cause.block < 0 {
		return false
	}
	return g.BlockSize == 0 || g.Mode >= modes || g.entries < g.Blocks || g.cut || !g.Trailer || g.Excess > 0
}

// gcpfSurplus looks for the likeliest surplus of a GCPF.
type gcpfSurplus struct {
	search *gcpfSearch
	head   []byte // header and table, and what follows
	best   *surplus
	rank   int // the lower the likelier
}

// isLikely reports whether a header can be one.
func isLikely(head []byte) (blocks int64, ok bool) {
	size, plain := int64(binary.LittleEndian.Uint32(head[8:])), int64(binary.LittleEndian.Uint32(head[12:]))
	if string(head[:4]) != gcpfMagic || Mode(binary.LittleEndian.Uint32(head[4:])) >= modes || size == 0 || size > maxSounded {
		return 0, false
	}
	return plain/size + 1, true
}

// extra tries to take out n bytes at each place.
func (x *gcpfSurplus) extra(n int) {
	if len(x.head) < gcpfHeader+n {
		return
	}
	end := x.search.g.region.Length - 4 - int64(n) // of the blocks, without the bytes too many
	for at := range gcpfHeader - len(gcpfMagic) {
		at += len(gcpfMagic)
		head := cutOut(x.head[:gcpfHeader+n], at, n)
		if blocks, ok := isLikely(head); ok && x.reaches(x.head[gcpfHeader+n:], blocks, end) {
			x.take(at, n)
		}
	}
	blocks, ok := isLikely(x.head)
	table := x.head[gcpfHeader:]
	if !ok || 4*blocks+int64(n) > int64(len(table)) {
		return
	}
	table = table[:4*blocks+int64(n)]
	behind := make([]int64, blocks+1) // sums of the lengths from each on, where they stand too far behind
	for i := blocks - 1; i >= 0; i-- {
		behind[i] = behind[i+1] + int64(binary.LittleEndian.Uint32(table[4*i+int64(n):]))
	}
	before := gcpfHeader + 4*blocks
	for i := range blocks {
		for at := 4 * i; at < 4*i+4; at++ {
			entry := cutOut(table[4*i:4*i+4+int64(n)], int(at-4*i), n)
			if before+int64(binary.LittleEndian.Uint32(entry))+behind[i+1] == end {
				x.take(gcpfHeader+int(at), n)
			}
		}
		before += int64(binary.LittleEndian.Uint32(table[4*i:]))
	}
}

// reaches reports whether a table of so many lengths leads to the end.
func (x *gcpfSurplus) reaches(table []byte, blocks, end int64) bool {
	if 4*blocks > int64(len(table)) {
		return false
	}
	sum := gcpfHeader + 4*blocks
	for i := range blocks {
		sum += int64(binary.LittleEndian.Uint32(table[4*i:]))
	}
	return sum == end
}

// take tries what the file is without n bytes.
func (x *gcpfSurplus) take(at, n int) {
	g := x.search.g
	if at > 0 && at+n <= len(x.head) && x.head[at-1] == x.head[at-1+n] {
		return // the same as one byte before
	}
	last := at // of the places that give the same
	for last+n < len(x.head) && x.head[last] == x.head[last+n] {
		last++
	}
	bytes := span.Span{Offset: g.region.Offset + int64(at), Length: int64(n)}
	x.judge(bytes, span.Between(bytes.Offset, g.region.Offset+int64(last+n)))
}

// judge keeps a surplus if everything fits without it.
func (x *gcpfSurplus) judge(bytes, where span.Span) {
	region := x.search.g.region
	place := "the table of block lengths"
	if bytes.Offset < region.Offset+gcpfHeader {
		place = "the header"
	}
	s := newSurplus(x.search.g.src, region, bytes, where, place, gcpfCorrupt)
	g := x.fitting(s)
	if g == nil {
		return
	}
	rank := 4*int(bytes.Length) + oddness(g.BlockSize)
	if x.best == nil || rank < x.rank {
		x.best, x.rank = s, rank
	}
}

// oddness is the lower, the likelier a block size is.
func oddness(size uint32) int {
	switch {
	case size == usualBlock:
		return 0
	case bits.OnesCount32(size) == 1:
		return 1
	}
	return 2
}

// fitting is the GCPF without its surplus, nil if its numbers and blocks do not fit.
func (x *gcpfSurplus) fitting(s *surplus) *gcpf {
	g := x.search.parsed(s.src, s.region)
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

// of is a search in a GCPF of other bytes.
func (x *gcpfSurplus) of(g *gcpf) *gcpfSearch {
	s := *x.search
	s.g, s.starts = g, nil
	return &s
}
