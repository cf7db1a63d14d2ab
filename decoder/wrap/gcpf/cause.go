package gcpf

import (
	"fmt"
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/part"
)

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
