package model

import (
	"context"
	"errors"
	"io"
	"sort"
	"sync"
	"sync/atomic"

	"varview/decoder"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
)

// A Buffer is one address space of a document: the file, or what a wrapper holds.
type Buffer struct {
	Number int
	Tree   *tree.Tree

	doc      *Document
	layer    *decoder.Layer // the wrapper that the buffer is, nil for the values
	verified Progress       // how much of the wrapper's payload was compared with its checksum
	indexed  atomic.Bool    // Index is through
	isCut    atomic.Bool    // it unpacks to more than was allowed

	mu       sync.Mutex
	problems []span.Problem // in the order of their offsets
	counts   [3]int         // problems by severity, also those not kept
}

// maxProblems is how many problems of a buffer are kept; the rest is only
// counted.
const maxProblems = 100_000

func newBuffer(d *Document, number int, t *tree.Tree) *Buffer {
	b := &Buffer{Number: number, Tree: t, doc: d}
	if number < len(d.Layers) {
		b.layer = &d.Layers[number]
	}
	return b
}

// Size is the number of bytes.
func (b *Buffer) Size() int64 { return b.Tree.Source.Size() }

// IsWrapper reports whether the buffer is a wrapper, which has parts and no
// values.
func (b *Buffer) IsWrapper() bool { return b.layer != nil }

// Title says in two words what the buffer is: "GCPF Zstandard", "Godot 4".
func (b *Buffer) Title() string {
	switch {
	case b.layer == nil:
		return b.doc.Title
	case b.layer.GCPF != nil:
		return "GCPF " + b.layer.GCPF.Mode.String()
	case b.layer.Kind == wrap.GCPF, b.layer.Kind == wrap.GDEC:
		return map[wrap.Kind]string{wrap.GCPF: "GCPF", wrap.GDEC: "GDEC"}[b.layer.Kind]
	}
	return b.layer.Kind.String()
}

// Index passes over the whole buffer once: afterwards every value is found at
// once, and all problems are known. A wrapper's checksum is verified before, if
// it has not been. It may run beside everything else, but only once.
func (b *Buffer) Index(ctx context.Context) error {
	done, err := b.doc.use()
	if err != nil {
		return err
	}
	defer done()
	if b.layer != nil {
		if err := b.layer.Verify(ctx, b.verified.set); err != nil && ctx.Err() != nil {
			return err // what cannot be read is a problem of its own
		}
		b.verified.set(1, 1)
	}
	err = b.Tree.BuildIndex(ctx, func(p span.Problem, _ *tree.Scanner) { b.add(p) })
	b.indexed.Store(err == nil)
	return err
}

// Indexed tells which share of the buffer Index has passed, and whether it is
// through.
func (b *Buffer) Indexed() (share float64, done bool) {
	passed, all, done := b.work()
	if done || all == 0 {
		return 1, done
	}
	return float64(passed) / float64(all), false
}

// work counts the bytes that Index has to pass and those it has passed.
func (b *Buffer) work() (passed, all int64, done bool) {
	reached, _ := b.Tree.Indexed()
	passed, all = reached, b.Size()
	if b.layer != nil && b.layer.Payload != nil {
		size := b.layer.Payload.Size()
		passed, all = passed+int64(b.verified.Share()*float64(size)), all+size
	}
	return passed, all, b.indexed.Load()
}

func (b *Buffer) add(p span.Problem) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[p.Severity]++
	if p.Code == wrap.TooLarge {
		b.isCut.Store(true)
	}
	if len(b.problems) == maxProblems {
		return
	}
	// A container's problem may be met behind those of its children.
	i := len(b.problems)
	for i > 0 && b.problems[i-1].Offset > p.Offset {
		i--
	}
	b.problems = append(b.problems, span.Problem{})
	copy(b.problems[i+1:], b.problems[i:])
	b.problems[i] = p
}

// ProblemCount counts the problems found so far that are at least as severe.
func (b *Buffer) ProblemCount(least span.Severity) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for s := least; s <= span.Error; s++ {
		n += b.counts[s]
	}
	return n
}

// WorstIn returns the most severe problem that begins in [start, end); ok is
// false if there is none.
func (b *Buffer) WorstIn(start, end int64) (worst span.Problem, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.search(start)
	for n := 0; i < len(b.problems) && b.problems[i].Offset < end && n < 1000; i, n = i+1, n+1 {
		if !ok || b.problems[i].Severity > worst.Severity {
			worst, ok = b.problems[i], true
		}
		if worst.Severity == span.Error {
			break
		}
	}
	return worst, ok
}

// problemFrom returns the first problem at an offset or behind it.
func (b *Buffer) problemFrom(offset int64) (p span.Problem, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.search(offset)
	if i == len(b.problems) {
		return p, false
	}
	return b.problems[i], true
}

// search is the position of the first problem that is not before an offset.
func (b *Buffer) search(offset int64) int {
	return sort.Search(len(b.problems), func(i int) bool { return b.problems[i].Offset >= offset })
}

// readAround reads the bytes from off on, as many as there are. Those of holes,
// which cannot be had, are zero; they are returned as spans within what was read.
func (b *Buffer) readAround(dst []byte, off int64) (n int, holes []span.Span) {
	for n < len(dst) {
		got, err := b.Tree.Source.ReadAt(dst[n:], off+int64(n))
		n += got
		var hole *source.HoleError
		if !errors.As(err, &hole) || errors.Is(err, io.EOF) {
			return n, holes
		}
		at := off + int64(n)
		end := min(hole.End(), off+int64(len(dst)))
		if end <= at {
			return n, holes
		}
		clear(dst[n : end-off])
		holes = append(holes, span.Between(at, end))
		n = int(end - off)
	}
	return n, holes
}

// holeAt is the hole that the byte at off lies in, empty if in none.
func (b *Buffer) holeAt(off int64) span.Span {
	var one [1]byte
	_, err := b.Tree.Source.ReadAt(one[:], off)
	var hole *source.HoleError
	if errors.As(err, &hole) && hole.Contains(off) {
		return hole.Span
	}
	return span.Span{}
}

// Resolve finds the value at a path. It may read the whole buffer.
func (b *Buffer) Resolve(path string) (*tree.Node, error) {
	done, err := b.doc.use()
	if err != nil {
		return nil, err
	}
	defer done()
	return b.Tree.NewReader().Resolve(path)
}
