package model

import (
	"io"
	"sync/atomic"

	"varview/decoder/engine/tree"
)

// Progress tells how far a long piece of work is. One goroutine sets it, others read it.
type Progress struct {
	done    atomic.Int64
	all     atomic.Int64
	indexed atomic.Pointer[indexing]
}

// An indexing is the part of some work in which trees are indexed.
type indexing struct {
	from, to float64 // share of the work that is done before it and after it
	trees    []*tree.Tree
}

// Set notes how far the work is. It does nothing if p is nil.
func (p *Progress) Set(done, all int64) {
	if p == nil {
		return
	}
	p.done.Store(done)
	p.all.Store(all)
	p.indexed.Store(nil)
}

// Reader counts what is read from r, which has all bytes.
func (p *Progress) Reader(r io.Reader, all int64) io.Reader {
	return io.TeeReader(r, p.Writer(io.Discard, all))
}

// Writer counts what is written to w, about all bytes.
func (p *Progress) Writer(w io.Writer, all int64) io.Writer { return &countedWriter{w, p, 0, all} }

type countedWriter struct {
	io.Writer
	progress  *Progress
	done, all int64
}

// Write implements io.Writer.
func (w *countedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.done += int64(n)
	w.progress.Set(w.done, w.all)
	return n, err
}

// Index notes that indexing trees begins, which takes the work from share from to share to.
func (p *Progress) Index(from, to float64, trees ...*tree.Tree) {
	if p != nil {
		p.indexed.Store(&indexing{from, to, trees})
	}
}

// Share returns the part that is done, from 0 to 1.
func (p *Progress) Share() float64 {
	if i := p.indexed.Load(); i != nil {
		return i.from + (i.to-i.from)*i.share()
	}
	done, all := p.done.Load(), p.all.Load()
	if all <= 0 {
		return 0
	}
	return min(1, float64(done)/float64(all))
}

// share returns the part of the bytes that are indexed.
func (i *indexing) share() float64 {
	var reached, size int64
	for _, t := range i.trees {
		at, done := t.Indexed()
		if done {
			at = t.Source.Size()
		}
		reached, size = reached+at, size+t.Source.Size()
	}
	return float64(reached) / float64(max(1, size))
}
