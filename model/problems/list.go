// Package problems keeps the problems of a buffer in order, and moves them with their bytes when these
// are edited.
package problems

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap"
)

// maxProblems is the number of problems of a buffer that are kept; further ones are only counted.
const maxProblems = 100_000

// A List holds the problems of a buffer, as far as it has been read. It is safe for concurrent use.
type List struct {
	mu     sync.Mutex
	list   []diagnose.Diagnosis // by offset
	at     [3][]int64           // offsets of the problems of each severity, in order
	counts [3]int               // counts by severity, including those not kept
	cut    atomic.Bool          // one of them is that a wrapper unpacks to more than was allowed
}

func (x *List) Add(p span.Problem) { x.AddDiagnosis(diagnose.Diagnosis{Problem: p}) }

func (x *List) AddDiagnosis(p diagnose.Diagnosis) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.counts[p.Severity]++
	if p.Code == wrap.TooLarge {
		x.cut.Store(true)
	}
	if len(x.list) == maxProblems {
		return
	}
	// A container's problem may be reported after those of its children.
	i := len(x.list)
	for i > 0 && x.list[i-1].Offset > p.Offset {
		i--
	}
	x.list = slices.Insert(x.list, i, p)
	at := &x.at[p.Severity]
	i = len(*at)
	for i > 0 && (*at)[i-1] > p.Offset {
		i--
	}
	*at = slices.Insert(*at, i, p.Offset)
}

// Keep takes over the problems of the buffer from before an edit: those up to an offset of the new
// version that do not lie in what was read again.
func (x *List) Keep(old *List, splices []source.Splice, read []span.Span, upTo int64) {
	m := source.NewMapping(splices)
	old.mu.Lock()
	defer old.mu.Unlock()
	for _, p := range old.list {
		p.Span = span.Between(m.Map(p.Offset), m.Map(p.End()))
		i := sort.Search(len(read), func(i int) bool { return p.BeginsBefore(read[i].End()) })
		if p.BeginsBefore(upTo) && (i == len(read) || p.BeginsBefore(read[i].Offset)) {
			x.AddDiagnosis(p)
		}
	}
}

// HasEvidence reports whether a problem contradicts the way in which the bytes are read, or may be the
// consequence of one that does.
func (x *List) HasEvidence() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.list {
		if x.list[i].MayHaveCause() {
			return true
		}
	}
	return false
}

// IsFull reports whether there are more problems than are kept.
func (x *List) IsFull() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.list) == maxProblems
}

func (x *List) Count(least span.Severity) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := 0
	for s := least; s <= span.Error; s++ {
		n += x.counts[s]
	}
	return n
}

func (x *List) WorstIn(start, end int64) (worst span.Problem, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for severity, at := range slices.Backward(x.at[:]) {
		first, _ := slices.BinarySearch(at, start)
		if first == len(at) || at[first] >= end {
			continue
		}
		i := x.search(at[first])
		for x.list[i].Severity != span.Severity(severity) {
			i++
		}
		return x.list[i].Problem, true
	}
	return worst, false
}

// Has reports whether a problem with a code begins at an offset.
func (x *List) Has(offset int64, code string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := x.search(offset); i < len(x.list) && x.list[i].Offset == offset; i++ {
		if x.list[i].Code == code {
			return true
		}
	}
	return false
}

func (x *List) From(offset int64) (p span.Problem, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.search(offset)
	if i == len(x.list) {
		return p, false
	}
	return x.list[i].Problem, true
}

// search returns the position of the first problem at or after an offset.
func (x *List) search(offset int64) int {
	return sort.Search(len(x.list), func(i int) bool { return x.list[i].Offset >= offset })
}

// All returns a copy of the kept problems, by offset, and the number of others.
func (x *List) All() (list []diagnose.Diagnosis, more int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.list), x.counts[span.Note] + x.counts[span.Warning] + x.counts[span.Error] - len(x.list)
}

// AddMissing adds those problems, sorted by offset, that are not there yet.
func (x *List) AddMissing(list []diagnose.Diagnosis) {
	for _, f := range list {
		if !x.Has(f.Offset, f.Code) {
			x.AddDiagnosis(f)
		}
	}
}

// Divide returns the problems that end at or before an offset, and the others.
func (x *List) Divide(offset int64) (before, after *List) {
	before, after = &List{}, &List{}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range x.list {
		if f.End() <= offset {
			before.AddDiagnosis(f)
		} else {
			after.AddDiagnosis(f)
		}
	}
	return before, after
}

// IsCut reports whether a wrapper unpacks to more than was allowed.
func (x *List) IsCut() bool { return x.cut.Load() }

// Moved returns the problems after an edit, except those whose bytes it has changed.
func (x *List) Moved(m Moving) *List {
	var is List
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.list {
		if f, ok := m.problem(&x.list[i]); ok {
			is.AddDiagnosis(f)
		}
	}
	for s, n := range x.counts {
		is.counts[s] += n - len(x.at[s]) // those that are not kept
	}
	return &is
}

// plural makes counts of one like others.
var plural = strings.NewReplacer("byte ", "bytes ", " is ", " are ", " was ", " were ")

// Cause returns what problems of one cause have in common: all but the numbers and names in their messages, and what exactly is
// missing.
func Cause(p *span.Problem) string {
	var b strings.Builder
	b.WriteString(p.Code + " ")
	quoted := false
	message, missing, _ := strings.Cut(p.Message, ": ")
	if p.Code != span.Truncated {
		message += missing
	}
	for _, r := range plural.Replace(message) {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r >= '0' && r <= '9' || r == ',' || r == '.' || r == ':':
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
