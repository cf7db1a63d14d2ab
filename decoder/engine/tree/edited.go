package tree

import (
	"context"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// editLimits bound the cost of an edit.
type editLimits struct {
	small int64 // size in bytes of the largest buffer that is read as a whole
	scan  int64 // bytes of a larger buffer that may be read again
	reach int64 // a value with keys is read from its start if that is at most this many bytes away
}

var usualLimits = editLimits{small: 1 << 20, scan: 2 << 20, reach: 256 << 10}

// Edited returns the tree of the bytes after an edit, which are in src; the splices are in order. What is
// known about the old bytes is kept if it is still true, so that this takes a few milliseconds. The old
// tree may be used at the same time, and even be indexed.
//
// Edited reports the problems of the spans that it has read again, and returns these spans in order and
// without overlap. If the last one reaches the end of the buffer, it ends one byte after it: missing bytes
// are a problem too. A problem of the old bytes remains valid, at source.Map of its offset, unless that
// offset is in one of these spans or not before the one that Checked returns. CheckRest resumes there and
// reports the rest.
//
// In a buffer over 1 MiB, problems of keys that repeat one more than 256 KiB before them are kept from
// before the edit. Nothing is kept if only a search can find where reading resumes after an unreadable
// value.
func (t *Tree) Edited(src source.Source, splices []source.Splice, report func(span.Problem)) (e *Tree, read []span.Span) {
	return t.edited(src, splices, usualLimits, report)
}

func (t *Tree) edited(src source.Source, splices []source.Splice, limits editLimits, report func(span.Problem)) (e *Tree, read []span.Span) {
	all := []span.Span{span.Between(0, src.Size()+1)}
	e = t.Reopen(src, splices)
	switch {
	case !t.resumes.isEmpty(), src.Size() > limits.small && t.keepsNothing():
		return e, all
	case src.Size() <= limits.small:
		e.BuildIndex(context.Background())
		e.CheckRest(context.Background(), CheckOptions{}, func(p span.Problem, _ *Node) { report(p) })
		return e, all
	}
	k := newReindexer(t, e, splices, limits)
	if !k.run() || !e.resumes.isEmpty() {
		return t.Reopen(src, splices), all
	}
	upTo, _ := e.Checked()
	for _, p := range k.problems {
		if p.BeginsBefore(upTo) { // otherwise CheckRest will report it
			report(p)
		}
	}
	return e, k.read
}

// Repaired returns a tree of src, the bytes after an edit, in which nothing from the first splice on has
// been read; splices are in order. What is known about the bytes before it is kept, unless a search was
// needed to resume reading in them.
func (t *Tree) Repaired(src source.Source, splices []source.Splice) *Tree {
	e := t.Reopen(src, splices)
	if !t.resumes.hasBefore(splices[0].Offset) && !t.keepsNothing() {
		newReindexer(t, e, splices, usualLimits).keepStart()
	}
	return e
}

// Reopen returns a tree of src, the bytes after an edit. Nothing of it has been read.
func (t *Tree) Reopen(src source.Source, splices []source.Splice) *Tree {
	before := 0 // bytes inserted at the start of the region belong to it
	for before < len(splices) && splices[before].Offset < t.Region.Offset {
		before++
	}
	region := span.Between(source.Map(splices[:before], t.Region.Offset), source.Map(splices, t.Region.End()))
	f := t.Reading
	if l := t.can.learner; l != nil {
		f = l.Edited(src, region)
	} else if o, ok := f.(Reopener); ok {
		f = o.Reopen(src, region, splices)
	} else if p, ok := f.(Placed); ok {
		f = p.Unplaced()
	}
	e := New(src, f, region)
	if e.Base.Value == t.Base.Value {
		e.Base = t.Base // so that nodes of the old tree remain nodes of this one
	}
	e.index.every, e.index.perNode, e.segment = t.index.every, t.index.perNode, t.segment
	return e
}

// keepsNothing reports whether the reading of the bytes after an edit begins anew.
func (t *Tree) keepsNothing() bool {
	_, ok := t.Reading.(Reopener)
	return ok
}

// hasBefore reports whether reading the bytes before an offset needed a search.
func (l *resumeCache) hasBefore(off int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := range l.ends {
		if at < off {
			return true
		}
	}
	return false
}

// isEmpty reports whether the reading needed no search.
func (l *resumeCache) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.ends) == 0
}
