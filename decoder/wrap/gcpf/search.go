package gcpf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sort"
	"strings"

	"varview/decoder/fastlz"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

const (
	searchBytes  = 64 << 20 // plain and packed bytes that a search reads at most
	searchBlocks = 1 << 22  // most blocks among which a wrong length is searched for
	maxSounded   = 4 << 20  // plain bytes of a block up to which Open unpacks the first and the last
)

// A search finds the smallest change of the numbers of a GCPF with which its blocks unpack.
type search struct {
	ctx    context.Context
	o      layer.Options
	g      *file // as in the file
	marked bool  // the magic is at the end of the region
	codecs [modes]*codec
	memory []byte // of the block that was unpacked last
	left   int64  // bytes that may still be read
	ended  bool   // there were more to read
	err    error  // of reading

	starts []int64 // of the blocks, and the end of the last, by the lengths in the file
	moved  int64   // how far the lengths miss the end
	wrong  int64   // the first block that does not unpack at its place according to the lengths
}

// A cause is the cause of the problems of a GCPF, with the numbers that it should have.
type cause struct {
	part.Problem
	puts     []source.Splice // the numbers, each in its place
	lengthOf int64           // block whose length differs from the one in the file, -1 if there is none
	length   int64
	block    int64 // block with too few or too many bytes, -1 if there is none
}

// correct changes the numbers of g to the right ones.
func (g *file) correct(ctx context.Context, o layer.Options) error {
	s := &search{ctx: ctx, o: o, g: g, left: searchBytes}
	defer s.close()
	s.marked = g.isMarked()
	for _, look := range []func() *cause{s.soundness, s.oneLength, s.numbers, s.oneBlock} {
		cause := look()
		if s.err != nil || ctx.Err() != nil {
			return errors.Join(s.err, ctx.Err())
		}
		if cause == nil {
			continue
		}
		if cause != noCause {
			if fixed := s.with(cause.puts); fixed != nil {
				fixed.cause = cause
				*g = *fixed
			}
		}
		s.ended = false
		break
	}
	g.unsearched = s.ended
	return s.err
}

// noCause is the cause if the numbers agree with the blocks.
var noCause = &cause{}

// soundness returns noCause if the numbers fit together, and the first and the last block
// unpack; otherwise nil.
func (s *search) soundness() *cause {
	g := s.g
	if !s.complete() || s.marked && !g.Trailer {
		return nil
	}
	if min(g.BlockSize, g.PlainSize) > maxSounded || g.Blocks == 0 || s.fits(g, 0) && s.fits(g, g.Blocks-1) {
		return noCause
	}
	return nil
}

// complete reports whether all blocks are there according to the numbers.
func (s *search) complete() bool {
	g := s.g
	return g.BlockSize > 0 && g.Mode < modes && g.entries == g.Blocks && !g.cut
}

func (s *search) close() {
	for _, c := range s.codecs {
		if c != nil {
			c.close()
		}
	}
}

// read returns bytes of the file, nil if they are incomplete or too many.
func (s *search) read(at span.Span) []byte {
	if at.Offset < s.g.region.Offset || at.End() > s.g.region.End() || at.Length < 0 {
		return nil
	}
	if at.Length > s.left {
		s.ended = true
		return nil
	}
	s.left -= at.Length
	b := make([]byte, at.Length)
	if err := layer.ReadAt(s.g.src, b, at.Offset); err != nil {
		if hole := (*source.HoleError)(nil); !errors.As(err, &hole) && s.err == nil {
			s.err = err
		}
		return nil
	}
	return b
}

// unpack returns what the bytes at some place unpack to, no more than most bytes, valid
// until the next call; ok is false if they do not unpack, or not all of them are needed.
func (s *search) unpack(m Mode, at span.Span, most int64) (plain []byte, ok bool) {
	packed := s.read(at)
	if len(packed) == 0 || m >= modes {
		return nil, false
	}
	return s.unpackBytes(m, packed, most)
}

func (s *search) unpackBytes(m Mode, packed []byte, most int64) (plain []byte, ok bool) {
	if s.codecs[m] == nil {
		if s.codecs[m], s.err = newCodec(m); s.err != nil {
			return nil, false
		}
	}
	for room := min(most, 16<<10); s.left > 0; room = min(most, room*16) {
		s.memory = atLeast(s.memory, room)
		plain, used, err := s.codecs[m].measure(s.memory[:0:room], packed)
		s.left -= int64(len(plain))
		if !errors.Is(err, layer.ErrTooMuch) || room == most {
			return plain, err == nil && used == len(packed)
		}
	}
	s.ended = true
	return nil, false
}

// fits reports whether block i of g unpacks to the number of bytes that it must hold.
func (s *search) fits(g *file, i int64) bool {
	at, whole, err := g.packed(i)
	if hole := (*source.HoleError)(nil); err != nil && !errors.As(err, &hole) && s.err == nil {
		s.err = err
	}
	return err == nil && whole && s.fitsAt(g, i, at)
}

// fitsAt is fits for bytes at some place.
func (s *search) fitsAt(g *file, i int64, at span.Span) bool {
	want := g.plainSize(i)
	plain, ok := s.unpack(g.Mode, at, max(want, fastlz.Least)+1)
	return ok && holds(g.Mode, plain, want)
}

// holds reports whether a block of a mode that unpacks to plain can hold want
// bytes.
func holds(m Mode, plain []byte, want int64) bool {
	n := int64(len(plain))
	return n == want || m == FastLZ && n == fastlz.Least && want < n && layer.IsZero(plain[want:])
}

// with returns the GCPF with other numbers, nil if it cannot be read.
func (s *search) with(puts []source.Splice) *file {
	return s.parsed(source.Whole(s.g.src).Splice(puts), s.g.region)
}

// parsed returns the GCPF in a region, nil if its blocks are incomplete.
func (s *search) parsed(src source.Source, region span.Span) *file {
	g := &file{magic: s.g.magic, src: src, region: region}
	if err := g.parse(s.ctx, s.o); err != nil {
		if hole := (*source.HoleError)(nil); !errors.As(err, &hole) && s.err == nil {
			s.err = err
		}
		return nil
	}
	if g.BlockSize == 0 || g.Mode >= modes || g.entries < g.Blocks || g.cut {
		return nil
	}
	return g
}

// proves reports whether blocks of g unpack: the first, the last, and some around block i,
// except one that may be damaged.
func (s *search) proves(g *file, i, damaged int64) bool {
	for _, j := range []int64{i, i + 1, i - 1, 0, g.Blocks - 1} {
		if j >= 0 && j < g.Blocks && j != damaged && !s.fits(g, j) {
			return false
		}
	}
	return true
}

// locate finds the first block that does not unpack at its place according to the lengths
// in the file. It reports whether the lengths miss the end.
func (s *search) locate() bool {
	g := s.g
	if !s.marked || g.BlockSize == 0 || g.Mode >= modes || g.entries < g.Blocks || g.Blocks == 0 || g.Blocks > searchBlocks {
		return false
	}
	table := s.read(span.Between(g.table, g.first))
	if table == nil {
		return false
	}
	s.starts = append(make([]int64, 0, g.Blocks+1), g.first)
	for ; len(table) > 0; table = table[4:] {
		s.starts = append(s.starts, s.starts[len(s.starts)-1]+int64(binary.LittleEndian.Uint32(table)))
	}
	s.moved = g.region.End() - 4 - s.starts[g.Blocks]
	s.wrong = int64(sort.Search(int(g.Blocks), func(i int) bool { return !s.fitsAt(g, int64(i), s.at(int64(i), 0)) }))
	return s.moved != 0
}

// at returns where block i is if it has moved by some bytes.
func (s *search) at(i, by int64) span.Span {
	return span.Span{Offset: s.starts[i] + by, Length: s.starts[i+1] - s.starts[i]}
}

// measure unpacks and also returns the number of packed bytes used.
func (c *codec) measure(dst, packed []byte) (plain []byte, used int, err error) {
	if c.mode != Deflate && c.mode != Gzip {
		plain, err = c.unpack(dst, packed)
		return plain, len(packed), err
	}
	in := bytes.NewReader(packed)
	s, err := c.stream(in)
	if err != nil {
		return dst, 0, layer.Explain(err)
	}
	plain, err = fill(dst, s)
	c.streams.Put(s)
	return plain, len(packed) - in.Len(), layer.Explain(err)
}

// oneLength returns the cause that the length of one block is wrong.
func (s *search) oneLength() *cause {
	if !s.locate() {
		return nil
	}
	for _, i := range []int64{s.wrong, s.wrong - 1} {
		if i < 0 || i >= s.g.Blocks {
			continue
		}
		c := s.length(i)
		if c == nil {
			continue
		}
		if g := s.with(c.puts); g == nil || !s.proves(g, i, -1) {
			continue
		}
		was := s.starts[i+1] - s.starts[i]
		c.Code = span.WrongLength
		c.Message = fmt.Sprintf("the length of block %d says %s, but the block has %s", i, span.Bytes(was), span.Bytes(c.length))
		c.RepairBy(fmt.Sprintf("set the length of block %d to %d", i, c.length), c.puts...)
		return c
	}
	return nil
}

// length returns the cause that another length of block i would make the lengths reach the
// end; nil if there is no such length.
func (s *search) length(i int64) *cause {
	n := s.starts[i+1] - s.starts[i] + s.moved
	if n < 1 || n > math.MaxUint32 {
		return nil
	}
	at := span.Span{Offset: s.g.table + 4*i, Length: 4}
	c := &cause{lengthOf: i, length: n, block: -1, puts: []source.Splice{part.Put32(at.Offset, uint32(n))}}
	c.Problem.Problem = span.Problem{Span: at, Severity: span.Error, Engine: stopsThere}
	if i == 0 {
		c.Engine = corrupt
	}
	return c
}

// oneBlock returns the cause that bytes were lost or added in a block, or between two.
func (s *search) oneBlock() *cause {
	i := s.wrong
	if s.moved == 0 || i >= s.g.Blocks {
		return nil
	}
	const most = 64 // bytes by which the last block may differ, which nothing after it confirms
	c := s.length(i)
	if c == nil || i == s.g.Blocks-1 && max(s.moved, -s.moved) > most {
		return nil
	}
	if g := s.with(c.puts); g == nil || !s.proves(g, i, i) {
		return nil
	}
	c.block = i
	c.Span = span.Span{Offset: s.starts[i], Length: c.length}
	if s.moved < 0 {
		c.Code, c.Message = span.MissingBytes, fmt.Sprintf("block %d has lost %s: it does not unpack", i, span.Bytes(-s.moved))
	} else {
		c.Code, c.Message = span.ExtraBytes, fmt.Sprintf("block %d has %s too many: it does not unpack", i, span.Bytes(s.moved))
	}
	if i < s.g.Blocks-1 {
		c.Message += ", and the blocks after it unpack"
		c.RepairBy(fmt.Sprintf("set the length of block %d to %d, so that the engine finds the blocks after it", i, c.length), c.puts...)
	}
	return c
}

// A shape is a number of blocks for which the lengths reach the end.
type shape struct {
	blocks int64
	end    int64 // of the last block
}

// mostShapes is the number of shapes that are tried.
const mostShapes = 4

// shapes returns the numbers of blocks for which the lengths reach the end, whatever the
// header says.
func (s *search) shapes() (all []shape) {
	g := s.g
	if s.complete() && g.Blocks > 0 {
		all = append(all, shape{g.Blocks, g.end})
	}
	end := g.region.End()
	if s.marked {
		end -= 4
	}
	w := source.NewWindow(g.src)
	table := g.region.Offset + headerSize
	sum := int64(0)
	for n := int64(1); table+4*n+sum <= end && n <= searchBlocks && len(all) < mostShapes; n++ {
		sum += int64(w.U32(table + 4*(n-1)))
		if table+4*n+sum == end && (len(all) == 0 || all[0].blocks != n) {
			all = append(all, shape{n, end})
		}
	}
	if w.Err() != nil && s.err == nil {
		s.err = w.Err()
	}
	return all
}

// numbers returns the cause that mode, block size or plain size are wrong: the smallest
// change of them with which the blocks unpack.
func (s *search) numbers() (best *cause) {
	least := 1 << 10
	for _, shape := range s.shapes() {
		for k := range modes + 1 {
			m := k - 1
			if k == 0 {
				m = s.g.Mode // the likeliest
			} else if m == s.g.Mode {
				continue
			}
			if c, cost := s.solve(shape, m); c != nil && cost < least {
				best, least = c, cost
			}
		}
	}
	return best
}

// numbers are the numbers of a header.
type numbers struct {
	mode         Mode
	block, plain uint32
}

// solve returns the numbers that fit the blocks of a shape in a mode, and the number of
// header bytes that change.
func (s *search) solve(shape shape, m Mode) (c *cause, cost int) {
	is := numbers{s.g.Mode, s.g.BlockSize, s.g.PlainSize}
	to, ok := s.sizes(shape, m)
	if !ok || to == is {
		return nil, 0
	}
	if to.block != is.block && is.block == usualBlock && int64(is.plain/is.block)+1 == shape.blocks {
		return nil, 0 // the numbers agree: the first block is damaged
	}
	c = &cause{lengthOf: -1, block: -1}
	for i, change := range []struct{ is, to uint32 }{{uint32(is.mode), uint32(to.mode)}, {is.block, to.block}, {is.plain, to.plain}} {
		if change.is != change.to {
			c.puts = append(c.puts, part.Put32(s.g.region.Offset+4+4*int64(i), change.to))
			cost += 8 + differing(change.is, change.to)
		}
	}
	if g := s.with(c.puts); g == nil || g.Blocks != shape.blocks || !s.proves(g, 1, -1) {
		return nil, 0
	}
	c.describe(is, to, shape.blocks)
	return c, cost
}

// differing returns the number of bytes in which two numbers differ.
func differing(a, b uint32) (n int) {
	for x := a ^ b; x != 0; x >>= 8 {
		if byte(x) != 0 {
			n++
		}
	}
	return n
}

// sizes returns the numbers according to what the first and the last block of a shape hold.
func (s *search) sizes(shape shape, m Mode) (to numbers, ok bool) {
	g := s.g
	table := g.region.Offset + headerSize
	first, last := s.read(span.Span{Offset: table, Length: 4}), s.read(span.Span{Offset: table + 4*(shape.blocks-1), Length: 4})
	if first == nil || last == nil {
		return to, false
	}
	to = numbers{m, g.BlockSize, g.PlainSize}
	firstLength, lastLength := int64(binary.LittleEndian.Uint32(first)), int64(binary.LittleEndian.Uint32(last))
	head, ok := s.unpack(m, span.Span{Offset: table + 4*shape.blocks, Length: firstLength}, maxBlock)
	if !ok {
		return to, false
	}
	if shape.blocks == 1 {
		to.plain = nearest(m, head, 0, g.PlainSize)
		if to.block <= to.plain {
			to.block = max(usualBlock, uint32(1)<<min(31, bits.Len32(to.plain)))
		}
		return to, true
	}
	size := len(head)
	tail, ok := s.unpack(m, span.Span{Offset: shape.end - lastLength, Length: lastLength}, maxBlock)
	before := uint64(shape.blocks-1) * uint64(size)
	if !ok || len(tail) > size || size == 0 || before+uint64(len(tail)) >= 1<<32 {
		return to, false
	}
	to.block = uint32(size)
	to.plain = nearest(m, tail, uint32(before), g.PlainSize)
	return to, true
}

// usualBlock is the block size that engines write.
const usualBlock = 4096

// nearest returns the plain size of a file whose last block unpacks to tail. If that is a
// FastLZ block filled up with zeros, the size is the one nearest to what the file says.
func nearest(m Mode, tail []byte, before, said uint32) uint32 {
	best := before + uint32(len(tail))
	if m != FastLZ || len(tail) != fastlz.Least {
		return best
	}
	for n := len(tail) - 1; n >= 0 && tail[n] == 0; n-- {
		if to := before + uint32(n); differing(to, said) < differing(best, said) {
			best = to
		}
	}
	return best
}

// describe sets the problem to the wrong numbers and the right ones.
func (c *cause) describe(is, to numbers, blocks int64) {
	c.Problem.Problem = span.Problem{Span: c.puts[0].Span, Severity: span.Error, Engine: corrupt}
	var wrong, right []string
	say := func(code, message, how string) {
		if c.Code == "" {
			c.Code = code
		}
		wrong, right = append(wrong, message), append(right, how)
	}
	if is.mode >= modes {
		say(layer.UnknownMode, fmt.Sprintf("compression mode %d does not exist; the blocks are %v", uint32(is.mode), to.mode), fmt.Sprintf("set the mode to %d, %v", to.mode, to.mode))
	} else if is.mode != to.mode {
		say(layer.WrongMode, fmt.Sprintf("the mode says %v, but the blocks are %v", is.mode, to.mode), fmt.Sprintf("set the mode to %d, %v", to.mode, to.mode))
	}
	switch {
	case is.block == to.block:
	case is.block == 0:
		c.Engine += "; Godot 3 crashes"
		say(layer.BlockSize, "the block size is 0", fmt.Sprintf("set the block size to %d", to.block))
	case blocks == 1:
		say(layer.BlockSize, fmt.Sprintf("the block size says %s, but then %s do not fit in the only block", span.Bytes(int64(is.block)), span.Bytes(int64(to.plain))), fmt.Sprintf("set the block size to %d", to.block))
	default:
		say(layer.BlockSize, fmt.Sprintf("the block size says %s, but the first block holds %s", span.Bytes(int64(is.block)), span.Bytes(int64(to.block))), fmt.Sprintf("set the block size to %d", to.block))
	}
	if is.plain != to.plain {
		if blocks > 1 && len(c.puts) == 1 && is.plain < to.plain && is.plain/is.block == to.plain/is.block {
			c.Engine = fmt.Sprintf("the last %s are not read", span.Bytes(int64(to.plain-is.plain)))
		}
		say(layer.WrongSize, fmt.Sprintf("the plain size says %s, but the blocks hold %s", span.Bytes(int64(is.plain)), span.Bytes(int64(to.plain))), fmt.Sprintf("set the plain size to %d", to.plain))
	}
	c.Message = strings.Join(wrong, "; ")
	c.RepairBy(strings.Join(right, ", and "), c.puts...)
}
