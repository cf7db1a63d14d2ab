// Package model holds an open document: what is looked at, found and wrong in
// it. It knows no terminal.
package model

import (
	"context"
	"errors"
	"path/filepath"
	"sort"
	"sync"
	"sync/atomic"

	"varview/decoder"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Document is an open file.
type Document struct {
	*decoder.Document
	Name string // as people call it: the last part of the path, or "standard input"

	path    string // "-" for standard input
	options decoder.Options
	src     *source.File

	mu       sync.Mutex
	problems []span.Problem // in the order of their offsets
	counts   [3]int         // problems by severity, also those not kept
}

// maxProblems is how many problems are kept; the rest is only counted.
const maxProblems = 100_000

// Open opens the file at path, of which it reads only as much as tells what it
// is. The error says what is wrong with the file or the options.
func Open(ctx context.Context, path string, o decoder.Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	src, err := source.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return newDocument(ctx, src, path, filepath.Base(path), o)
}

// OpenSpooled opens what was read from standard input.
func OpenSpooled(ctx context.Context, src *source.File, o decoder.Options) (*Document, error) {
	return newDocument(ctx, src, "-", "standard input", o)
}

func newDocument(ctx context.Context, src *source.File, path, name string, o decoder.Options) (*Document, error) {
	doc, err := decoder.Open(ctx, src, o)
	if err != nil {
		src.Close()
		return nil, err
	}
	return &Document{Document: doc, Name: name, path: path, options: o, src: src}, nil
}

// Close gives the file back. Work that still runs on it ends with read errors.
func (d *Document) Close() error { return d.src.Close() }

// Reload opens the file again as it is now, in the dialect and framing that
// were asked for. Standard input cannot be opened again.
func (d *Document) Reload(ctx context.Context) (*Document, error) {
	if d.path == "-" {
		return nil, errors.New("standard input cannot be read again")
	}
	return Open(ctx, d.path, d.options)
}

// As reads the same bytes in another dialect and framing; what is empty is
// detected. The two documents share the file, which either closes.
func (d *Document) As(ctx context.Context, dialect, framing string) (*Document, error) {
	o := d.options
	o.Dialect, o.Framing = dialect, framing
	doc, err := decoder.Open(ctx, d.src, o)
	if err != nil {
		return nil, err
	}
	return &Document{Document: doc, Name: d.Name, path: d.path, options: o, src: d.src}, nil
}

// SharesFile reports whether the document reads the same open file as another.
func (d *Document) SharesFile(other *Document) bool { return d.src == other.src }

// Changed says how the file on disk differs from what was opened, "" if it does
// not.
func (d *Document) Changed() string { return d.src.Changed() }

// Size is the number of bytes of the file when it was opened.
func (d *Document) Size() int64 { return d.src.Size() }

// Progress tells how far a long piece of work is. One goroutine counts, others
// look.
type Progress struct {
	done atomic.Int64
	all  atomic.Int64
}

func (p *Progress) set(done, all int64) {
	p.done.Store(done)
	p.all.Store(all)
}

// Share is the part that is done, from 0 to 1.
func (p *Progress) Share() float64 {
	all := p.all.Load()
	if all <= 0 {
		return 0
	}
	return min(1, float64(p.done.Load())/float64(all))
}

// BuildIndex passes over the whole file once: afterwards every value is found
// at once, and all problems are known. It may run beside everything else, but
// only once.
func (d *Document) BuildIndex(ctx context.Context) error {
	return d.Tree.BuildIndex(ctx, func(p span.Problem, _ *tree.Scanner) { d.add(p) })
}

// Indexed tells which share of the file BuildIndex has passed, and whether it
// is through.
func (d *Document) Indexed() (share float64, done bool) {
	reached, done := d.Tree.Indexed()
	if done || d.Size() == 0 {
		return 1, done
	}
	return float64(reached) / float64(d.Size()), false
}

func (d *Document) add(p span.Problem) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[p.Severity]++
	if len(d.problems) == maxProblems {
		return
	}
	// A container's problem may be met behind those of its children.
	i := len(d.problems)
	for i > 0 && d.problems[i-1].Offset > p.Offset {
		i--
	}
	d.problems = append(d.problems, span.Problem{})
	copy(d.problems[i+1:], d.problems[i:])
	d.problems[i] = p
}

// ProblemCount counts the problems found so far that are at least as severe.
func (d *Document) ProblemCount(least span.Severity) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for s := least; s <= span.Error; s++ {
		n += d.counts[s]
	}
	return n
}

// WorstIn returns the most severe problem that begins in [start, end); ok is
// false if there is none.
func (d *Document) WorstIn(start, end int64) (worst span.Problem, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := sort.Search(len(d.problems), func(i int) bool { return d.problems[i].Offset >= start })
	for n := 0; i < len(d.problems) && d.problems[i].Offset < end && n < 1000; i, n = i+1, n+1 {
		if !ok || d.problems[i].Severity > worst.Severity {
			worst, ok = d.problems[i], true
		}
		if worst.Severity == span.Error {
			break
		}
	}
	return worst, ok
}

// NextProblem returns the first problem behind offset, or the first of all
// behind the last; ok is false if there is none.
func (d *Document) NextProblem(offset int64) (p span.Problem, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.problems) == 0 {
		return p, false
	}
	i := sort.Search(len(d.problems), func(i int) bool { return d.problems[i].Offset > offset })
	return d.problems[i%len(d.problems)], true
}
