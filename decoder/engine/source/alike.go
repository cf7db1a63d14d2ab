package source

import (
	"bytes"
	"context"
	"io"

	"varview/decoder/engine/span"
)

// A Common is a run of bytes that two sources have in common: Length bytes at A in one and at B in the
// other.
type Common struct{ A, B, Length int64 }

// Sizes with which Alike resumes after a difference.
const (
	sameBlock  = 256 // number of bytes that must be equal
	firstBytes = 1 << 10
	nearBytes  = 8 << 10
)

// reaches are the distances that Alike looks ahead for bytes in both sources, one after the other.
var reaches = [...]int64{16 << 10, 256 << 10, 4 << 20, 64 << 20}

// Alike returns the long runs of bytes that two sources have in common, in the order of both. After a
// difference it looks up to 64 MiB ahead for equal bytes; if there are none, only the common end is left.
func Alike(ctx context.Context, a, b Source) ([]Common, error) {
	c := &comparison{ctx: ctx, a: a, b: b}
	var all []Common
	for x, y := int64(0), int64(0); x < a.Size() && y < b.Size(); {
		n := c.alike(x, y, min(a.Size()-x, b.Size()-y))
		if n >= sameBlock || n > 0 && (x == 0 && y == 0 || x+n == a.Size()) {
			all = append(all, Common{x, y, n})
		}
		x, y = x+n, y+n
		p, q, found := c.resumeNear(x, y)
		for _, reach := range reaches {
			if found || c.err != nil {
				break
			}
			p, q, found = c.resume(x, y, reach)
			if x+reach >= a.Size() && y+reach >= b.Size() {
				break
			}
		}
		if !found || c.err != nil {
			if n = c.alikeBefore(a.Size(), b.Size(), min(a.Size()-x, b.Size()-y)); n > 0 {
				all = append(all, Common{a.Size() - n, b.Size() - n, n})
			}
			break
		}
		x, y = p, q
	}
	return all, c.err
}

// resumeNear finds the next block that is in both sources, at equal distances after x and y: most changes
// do not move the bytes after them.
func (c *comparison) resumeNear(x, y int64) (p, q int64, found bool) {
	for reach := int64(firstBytes); ; reach = nearBytes { // there can be many changes close together
		n := min(reach, c.a.Size()-x, c.b.Size()-y)
		as, bs := c.read(x, y, n)
		for i := 0; i+sameBlock <= len(as); i += 4 {
			if bytes.Equal(as[i:i+sameBlock], bs[i:i+sameBlock]) {
				return x + int64(i), y + int64(i), true
			}
		}
		if c.err != nil || n < reach || reach == nearBytes {
			return 0, 0, false
		}
	}
}

// resume finds the next block that is in both sources, at most reach bytes after x and y.
func (c *comparison) resume(x, y, reach int64) (p, q int64, found bool) {
	as, bs := c.ahead(c.a, x, reach), c.ahead(c.b, y, reach)
	if c.err != nil {
		return 0, 0, false
	}
	at := map[uint64]int{} // blocks of a by hash, the first with each
	for i := 0; i+sameBlock <= len(as); i += sameBlock {
		h := hashBlock(as[i : i+sameBlock])
		if _, known := at[h]; !known {
			at[h] = i
		}
	}
	var h uint64
	for j := range bs {
		if j < sameBlock {
			h = h*hashBase + uint64(bs[j])
		} else {
			h = (h-uint64(bs[j-sameBlock])*hashTop)*hashBase + uint64(bs[j])
		}
		k := j + 1 - sameBlock
		if k < 0 {
			continue
		}
		if i, known := at[h]; known && bytes.Equal(as[i:i+sameBlock], bs[k:k+sameBlock]) {
			for i > 0 && k > 0 && as[i-1] == bs[k-1] {
				i, k = i-1, k-1
			}
			return x + int64(i), y + int64(k), true
		}
	}
	return 0, 0, false
}

// hashBase is the base of the hash of a block, hashTop the factor of its first byte.
const hashBase = 0x9e3779b97f4a7c15

var hashTop = func() uint64 {
	top := uint64(1)
	for range sameBlock - 1 {
		top *= hashBase
	}
	return top
}()

func hashBlock(b []byte) (h uint64) {
	for _, c := range b {
		h = h*hashBase + uint64(c)
	}
	return h
}

// ahead reads up to n bytes of a source.
func (c *comparison) ahead(src Source, at, n int64) []byte {
	b := make([]byte, max(0, min(n, src.Size()-at)))
	if c.err = c.ctx.Err(); c.err != nil {
		return nil
	}
	if n, err := src.ReadAt(b, at); n < len(b) {
		c.err = err
	}
	return b
}

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

func spliceOf(to Source, was, is span.Span) Splice { return Splice{was, Join(Piece{to, is})} }

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
