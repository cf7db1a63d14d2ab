package gcpf

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"varview/decoder/fastlz"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

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
