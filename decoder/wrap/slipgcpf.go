package wrap

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/bits"

	"varview/decoder/source"
	"varview/decoder/span"
)

// slipTable is the most bytes of header and table in which a slip is looked for.
const slipTable = 64 << 10

// slippedGCPF looks for bytes lost or too many in magic, header, or table of a GCPF.
func (l *Layer) slippedGCPF(ctx context.Context, src source.Source, o Options) (*slip, error) {
	f, ok := l.Format.(*gcpfFormat)
	if ok && !f.misses() {
		return nil, nil
	}
	g := &gcpf{src: src, region: l.Region}
	if !g.isMarked() {
		return nil, nil
	}
	head := make([]byte, min(slipTable, l.Region.Length))
	if err := readAt(src, head, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &gcpfSlips{search: &gcpfSearch{ctx: ctx, o: o, g: g, marked: true, left: searchBytes}, head: head}
	defer x.search.close()
	for n := 1; n <= maxSlip; n++ {
		x.extra(n)
		x.lost(n)
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
	if f.layer.GCPF == nil || g.cause != nil && (g.cause.block < 0 || g.cause.clean != nil) {
		return false
	}
	return g.BlockSize == 0 || g.Mode >= modes || g.entries < g.Blocks || g.cut || !g.Trailer || g.Excess > 0
}

// gcpfSlips looks for the likeliest slip of a GCPF.
type gcpfSlips struct {
	search *gcpfSearch
	head   []byte // header and table, and what follows
	best   *slip
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
func (x *gcpfSlips) extra(n int) {
	if len(x.head) < gcpfHeader+n {
		return
	}
	end := x.search.g.region.Length - 4 - int64(n) // of the blocks, without the bytes too many
	for at := range gcpfHeader {
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

// cutOut is b without n bytes at some place.
func cutOut(b []byte, at, n int) []byte { return append(bytes.Clone(b[:at]), b[at+n:]...) }

// reaches reports whether a table of so many lengths leads to the end.
func (x *gcpfSlips) reaches(table []byte, blocks, end int64) bool {
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
func (x *gcpfSlips) take(at, n int) {
	g := x.search.g
	if at > 0 && at+n <= len(x.head) && x.head[at-1] == x.head[at-1+n] {
		return // the same as one byte before
	}
	last := at // of the places that give the same
	for last+n < len(x.head) && x.head[last] == x.head[last+n] {
		last++
	}
	undo := takeOut(span.Span{Offset: g.region.Offset + int64(at), Length: int64(n)})
	x.judge(undo, span.Between(undo.Offset, g.region.Offset+int64(last+n)))
}

// judge keeps a slip if everything fits without it.
func (x *gcpfSlips) judge(undo source.Splice, where span.Span) {
	s := newSlip(x.search.g.src, x.search.g.region, undo)
	g := x.fitting(s)
	if g == nil {
		return
	}
	rank := slipRank(g, x.search.g.region.Offset, undo)
	if x.best == nil || rank < x.rank {
		s.Engine = gcpfCorrupt
		x.best, x.rank = s.tell(where, "in "+gcpfPlace(undo.Offset-x.search.g.region.Offset), ""), rank
		s.Repair = s.undoing()
	}
}

// gcpfPlace names what stands at an offset of a GCPF.
func gcpfPlace(off int64) string {
	switch {
	case off < 4:
		return "the magic"
	case off < gcpfHeader:
		return "the header"
	}
	return "the table of block lengths"
}

// slipRank is the lower, the likelier a slip is that gives g.
func slipRank(g *gcpf, start int64, undo source.Splice) int {
	rank := 4 * int(undo.Length+undo.Added())
	switch {
	case g.BlockSize == usualBlock:
	case bits.OnesCount32(g.BlockSize) == 1:
		rank++
	default:
		rank += 2
	}
	return rank
}

// fitting is the GCPF without a slip, nil if its numbers and blocks do not fit.
func (x *gcpfSlips) fitting(s *slip) *gcpf {
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
func (x *gcpfSlips) of(g *gcpf) *gcpfSearch {
	s := *x.search
	s.g, s.starts = g, nil
	return &s
}

// lost tries to put n bytes in at each place.
func (x *gcpfSlips) lost(n int) {
	if len(x.head) < gcpfHeader+4-n {
		return
	}
	end := x.search.g.region.Length - 4 + int64(n) // of the blocks, with the bytes lost
	for at := range gcpfHeader {
		if x.search.g.region.Length <= slipFile {
			x.fill(at, n)
		}
	}
	blocks, ok := isLikely(x.head)
	table := x.head[gcpfHeader:]
	if !ok || 4*blocks-int64(n) > int64(len(table)) {
		return
	}
	behind := make([]int64, blocks+1)
	for i := blocks - 1; i > 0; i-- {
		behind[i] = behind[i+1] + int64(binary.LittleEndian.Uint32(table[4*i-int64(n):]))
	}
	before := gcpfHeader + 4*blocks
	for i := range blocks {
		if need := end - before - behind[i+1]; need > 0 && need <= math.MaxUint32 {
			x.entry(int(4*i), n, binary.LittleEndian.AppendUint32(nil, uint32(need)))
		}
		if 4*i+4 > int64(len(table)) {
			return
		}
		before += int64(binary.LittleEndian.Uint32(table[4*i:]))
	}
}

// entry tries whether a length of the table has lost n of its bytes.
func (x *gcpfSlips) entry(off, n int, whole []byte) {
	start := gcpfHeader + off
	for at := 0; at+n <= 4; at++ {
		if bytes.Equal(cutOut(whole, at, n), x.head[start:start+4-n]) {
			place := x.search.g.region.Offset + int64(start+at)
			x.judge(source.Put(place, 0, whole[at:at+n]), span.Span{Offset: place})
			return
		}
	}
}

// fill tries what n bytes lost from the header can have been.
func (x *gcpfSlips) fill(at, n int) {
	g := x.search.g
	b := make([]byte, n)
	if at < len(gcpfMagic) {
		copy(b, gcpfMagic[at:])
	}
	place := g.region.Offset + int64(at)
	s := newSlip(g.src, g.region, source.Put(place, 0, b))
	var head [gcpfHeader]byte
	if readAt(s.src, head[:], g.region.Offset) != nil || string(head[:4]) != gcpfMagic {
		return
	}
	with := &gcpf{src: s.src, region: s.region}
	if err := with.parse(x.search.ctx, x.search.o); err != nil {
		return
	}
	search := x.of(with)
	if sound := search.soundness(); sound == nil && x.search.left > 0 {
		cause := search.numbers()
		x.search.left, x.search.err = search.left, search.err
		if cause == nil || !x.completes(s, cause, at, b) {
			return
		}
	}
	x.judge(source.Put(place, 0, b), span.Span{Offset: place})
}

// completes takes over the bytes that other numbers have in place of those put in;
// false if they change more than these.
func (x *gcpfSlips) completes(s *slip, cause *gcpfCause, at int, b []byte) bool {
	was, is := make([]byte, gcpfHeader+maxSlip), make([]byte, gcpfHeader+maxSlip)
	start := s.region.Offset
	if s.region.Length < int64(len(was)) || readAt(s.src, was, start) != nil ||
		readAt(source.Whole(s.src).Splice(cause.puts), is, start) != nil {
		return false
	}
	copy(b, is[at:])
	copy(was[at:], b)
	return bytes.Equal(was, is)
}
