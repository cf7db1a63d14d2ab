package gcpf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"sort"

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
