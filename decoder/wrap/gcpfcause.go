package wrap

import (
	"context"
	"fmt"
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
)

// oneLength is the cause that the length of one block is wrong.
func (s *gcpfSearch) oneLength() *gcpfCause {
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
		c.Message = fmt.Sprintf("the length of block %d says %s, but the block has %s", i, byteCount(was), byteCount(c.length))
		c.cure(fmt.Sprintf("set the length of block %d to %d", i, c.length), c.puts...)
		return c
	}
	return nil
}

// length is the cause that the length of block i has to be another one for the
// lengths to reach the end; nil if that cannot be.
func (s *gcpfSearch) length(i int64) *gcpfCause {
	n := s.starts[i+1] - s.starts[i] + s.moved
	if n < 1 || n > math.MaxUint32 {
		return nil
	}
	at := span.Span{Offset: s.g.table + 4*i, Length: 4}
	c := &gcpfCause{lengthOf: i, length: n, block: -1, puts: []source.Splice{put32(at.Offset, uint32(n))}}
	c.Problem = span.Problem{Span: at, Severity: span.Error, Engine: gcpfReading}
	if i == 0 {
		c.Engine = gcpfCorrupt
	}
	return c
}

// oneBlock is the cause that bytes are lost or added in a block, or between two.
func (s *gcpfSearch) oneBlock() *gcpfCause {
	i := s.wrong
	if s.moved == 0 || i >= s.g.Blocks {
		return nil
	}
	if s.moved > 0 && s.fitsAt(s.g, i, s.at(i, s.moved)) {
		return s.between(i)
	}
	const most = 64 // bytes by which the last block may differ, which nothing behind it confirms
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
		c.Code, c.Message = span.MissingBytes, fmt.Sprintf("block %d has lost %s: it does not unpack", i, byteCount(-s.moved))
	} else {
		c.Code, c.Message = span.ExtraBytes, fmt.Sprintf("block %d has %s too many: it does not unpack", i, byteCount(s.moved))
	}
	if i < s.g.Blocks-1 {
		c.Message += ", and the blocks behind it unpack"
		c.cure(fmt.Sprintf("set the length of block %d to %d, so that the engine finds the blocks behind it", i, c.length), c.puts...)
	}
	later := gcpfSearch{ctx: context.Background(), o: s.o, g: s.g, starts: s.starts[i : i+2], moved: s.moved}
	c.refine = func() { c.findIntruders(later) }
	return c
}

// findIntruders looks for the bytes without which the block of the cause unpacks.
func (c *gcpfCause) findIntruders(s gcpfSearch) {
	defer s.close()
	s.left = searchBytes
	if at, ok := s.intruders(c.block); ok {
		c.Message = fmt.Sprintf("block %d has %s too many, without which it unpacks", c.block, byteCount(s.moved))
		c.cure("take out the "+byteCount(s.moved)+" at "+at.String(), takeOut(at))
	}
}

// between is the cause that bytes stand before block i which belong to none.
func (s *gcpfSearch) between(i int64) *gcpfCause {
	c := s.length(max(0, i-1))
	if c == nil {
		return nil
	}
	c.block = max(0, i-1)
	c.Span = span.Span{Offset: s.starts[i], Length: s.moved}
	c.Code = span.ExtraBytes
	c.Message = fmt.Sprintf("%s before block %d, which belong to no block", byteCount(s.moved), i)
	c.cure(fmt.Sprintf("take out the %s", byteCount(s.moved)), takeOut(c.Span))
	region := s.g.region
	region.Length -= s.moved
	if c.clean = s.parsed(source.Whole(s.g.src).Splice(c.splices), region); c.clean == nil {
		return nil
	}
	clean := gcpfSearch{ctx: s.ctx, o: s.o, g: c.clean, codecs: s.codecs, left: s.left}
	if proven := clean.proves(c.clean, i, -1); !proven || clean.err != nil {
		return nil
	}
	return c
}

const (
	mostIntruders = 8       // bytes in one place that are looked for as added to a block
	intruderWork  = 8 << 20 // packed bytes that may be unpacked for it
)

// intruders finds the bytes of block i, which begins at the first start, without
// which it unpacks, if all ways to take some out give the same block.
func (s *gcpfSearch) intruders(i int64) (at span.Span, ok bool) {
	n := s.starts[1] - s.starts[0]
	if s.moved < 1 || s.moved > mostIntruders || n*n > intruderWork {
		return at, false
	}
	packed := s.read(span.Span{Offset: s.starts[0], Length: n + s.moved})
	if packed == nil {
		return at, false
	}
	want := s.g.plain(i)
	found := ""
	for p := range n + 1 {
		try := append(packed[:p:p], packed[p+s.moved:]...)
		if string(try) == found {
			continue
		}
		if plain, good := s.unpackBytes(s.g.Mode, try, want+1); !good || !holds(s.g.Mode, plain, want) {
			continue
		}
		if found != "" {
			return at, false
		}
		found, at = string(try), span.Span{Offset: s.starts[0] + p, Length: s.moved}
	}
	return at, found != ""
}
