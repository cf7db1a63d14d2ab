package source

import (
	"bytes"
	"context"
	"io"

	"varview/decoder/engine/span"
)

// Differences calls each for the splices that lead from one source to another, in order, until each returns
// false. For sources of the same size these are the runs of bytes that differ, at least apart bytes from
// one another; otherwise it is one splice between the common beginning and the common end.
func Differences(ctx context.Context, from, to Source, apart int64, each func(Splice) bool) error {
	c := comparison{ctx: ctx, a: from, b: to}
	if from.Size() != to.Size() {
		head := c.alike(0, 0, min(from.Size(), to.Size()))
		tail := c.alikeBefore(from.Size(), to.Size(), min(from.Size(), to.Size())-head)
		if c.err == nil {
			each(spliceOf(to, span.Between(head, from.Size()-tail), span.Between(head, to.Size()-tail)))
		}
		return c.err
	}
	return c.runs(from.Size(), apart, func(run span.Span) bool { return each(spliceOf(to, run, run)) })
}

func spliceOf(to Source, was, is span.Span) Splice {
	return Splice{was, Join(Piece{to, is})}
}

// A comparison reads two sources piece by piece.
type comparison struct {
	ctx  context.Context
	a, b Source
	err  error
	bufs [2][]byte
}

const comparedAtOnce = 64 << 10

// read reads n bytes of both sources.
func (c *comparison) read(a, b, n int64) (x, y []byte) {
	if c.bufs[0] == nil {
		c.bufs = [2][]byte{make([]byte, comparedAtOnce), make([]byte, comparedAtOnce)}
	}
	if c.err = c.ctx.Err(); c.err != nil {
		return nil, nil
	}
	x, y = c.bufs[0][:n], c.bufs[1][:n]
	for i, src := range []Source{c.a, c.b} {
		if _, err := src.ReadAt([][]byte{x, y}[i], []int64{a, b}[i]); err != nil && err != io.EOF {
			c.err = err
			return nil, nil
		}
	}
	return x, y
}

// alike returns how many of the n bytes from a and b on are equal before the first difference.
func (c *comparison) alike(a, b, n int64) int64 {
	for done, most := int64(0), int64(firstBytes); done < n; most = min(2*most, comparedAtOnce) {
		x, y := c.read(a+done, b+done, min(n-done, most))
		if c.err != nil {
			return done
		}
		if !bytes.Equal(x, y) {
			return done + int64(commonPrefix(x, y))
		}
		done += int64(len(x))
	}
	return n
}

// alikeBefore returns how many of the n bytes before a and b are equal after the last difference.
func (c *comparison) alikeBefore(a, b, n int64) int64 {
	for done := int64(0); done < n; {
		most := min(n-done, comparedAtOnce)
		x, y := c.read(a-done-most, b-done-most, most)
		if c.err != nil {
			return done
		}
		if !bytes.Equal(x, y) {
			return done + int64(commonSuffix(x, y))
		}
		done += most
	}
	return n
}

// runs calls each for the runs of bytes that differ in sources of the same size, until each returns false.
func (c *comparison) runs(size, apart int64, each func(span.Span) bool) error {
	var run span.Span // last run found; empty if there is none
	for at := int64(0); at < size; at += comparedAtOnce {
		x, y := c.read(at, at, min(size-at, comparedAtOnce))
		if c.err != nil {
			return c.err
		}
		for i := commonPrefix(x, y); i < len(x); i += 1 + commonPrefix(x[i+1:], y[i+1:]) {
			off := at + int64(i)
			if run.Length > 0 && off >= run.End()+apart {
				if !each(run) {
					return nil
				}
				run.Length = 0
			}
			if run.Length == 0 {
				run.Offset = off
			}
			run = span.Between(run.Offset, off+1)
		}
	}
	if run.Length > 0 {
		each(run)
	}
	return nil
}
