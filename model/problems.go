package model

import (
	"sort"
	"sync"
	"sync/atomic"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap"
)

// maxProblems is how many problems of a buffer are kept; the rest is only
// counted.
const maxProblems = 100_000

// problems are what is wrong with a buffer, as far as it has been read.
type problems struct {
	mu     sync.Mutex
	list   []diagnose.Finding // in the order of their offsets
	counts [3]int             // by severity, also of those not kept
	cut    atomic.Bool        // among them is that a wrapper unpacks to more than was allowed
}

func (x *problems) add(p span.Problem) { x.addFinding(diagnose.Finding{Problem: p}) }

func (x *problems) addFinding(p diagnose.Finding) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.counts[p.Severity]++
	if p.Code == wrap.TooLarge {
		x.cut.Store(true)
	}
	if len(x.list) == maxProblems {
		return
	}
	// A container's problem may be met behind those of its children.
	i := len(x.list)
	for i > 0 && x.list[i-1].Offset > p.Offset {
		i--
	}
	x.list = append(x.list, diagnose.Finding{})
	copy(x.list[i+1:], x.list[i:])
	x.list[i] = p
}

// keep takes over the problems of the buffer as it was before an edit: those up
// to an offset of the new one that do not lie in what was read again.
func (x *problems) keep(old *problems, splices []source.Splice, read []span.Span, upTo int64) {
	m := source.NewMapping(splices)
	old.mu.Lock()
	defer old.mu.Unlock()
	for _, p := range old.list {
		p.Span = span.Between(m.Map(p.Offset), m.Map(p.End()))
		i := sort.Search(len(read), func(i int) bool { return read[i].End() > p.Offset })
		if p.Offset < upTo && (i == len(read) || !read[i].Contains(p.Offset)) {
			x.addFinding(p)
		}
	}
}

// hasEvidence reports whether a problem speaks against the way the bytes are read.
func (x *problems) hasEvidence() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.list {
		if x.list[i].IsEvidence() {
			return true
		}
	}
	return false
}

// isFull reports whether there are more problems than are kept.
func (x *problems) isFull() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.list) == maxProblems
}

func (x *problems) count(least span.Severity) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := 0
	for s := least; s <= span.Error; s++ {
		n += x.counts[s]
	}
	return n
}

func (x *problems) worstIn(start, end int64) (worst span.Problem, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.search(start)
	for n := 0; i < len(x.list) && x.list[i].Offset < end && n < 1000; i, n = i+1, n+1 {
		if !ok || x.list[i].Severity > worst.Severity {
			worst, ok = x.list[i].Problem, true
		}
		if worst.Severity == span.Error {
			break
		}
	}
	return worst, ok
}

func (x *problems) from(offset int64) (p span.Problem, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.search(offset)
	if i == len(x.list) {
		return p, false
	}
	return x.list[i].Problem, true
}

// search is the position of the first problem that is not before an offset.
func (x *problems) search(offset int64) int {
	return sort.Search(len(x.list), func(i int) bool { return x.list[i].Offset >= offset })
}
