package tree

import (
	"context"

	"varview/decoder/source"
	"varview/decoder/span"
)

// What an edit may cost.
type editLimits struct {
	small int64 // bytes: a buffer that is not larger is read as a whole
	scan  int64 // bytes of a larger one that may be read again
	reach int64 // bytes: a value with keys is read from its start if that is not farther away
}

var usualLimits = editLimits{small: 1 << 20, scan: 2 << 20, reach: 256 << 10}

// Edited returns the tree of the bytes after an edit, which src holds; the
// splices are in order. What is known of the old bytes is kept where it still
// holds, so that this takes a few milliseconds. The old tree may be in use
// meanwhile, and even be indexed.
//
// It reports the problems of the spans that it has read again, and returns these,
// in order, without overlap. The last goes one byte beyond the end of the buffer
// if it reaches it: what is missing there is a problem too. Of the problems of
// the old bytes those stay, at source.Map of their offsets, that then begin
// neither in such a span nor, unless the whole tree is indexed, at or behind what
// Indexed tells. There BuildIndex goes on, and reports the rest.
//
// In a buffer over 1 MiB a key that repeats one more than 256 KiB before it may
// be told, or not, as it was before the edit. Nothing at all is kept where only a
// search tells where reading goes on behind a part that cannot be read.
func (t *Tree) Edited(src source.Source, splices []source.Splice, report func(span.Problem)) (e *Tree, read []span.Span) {
	return t.edited(src, splices, usualLimits, report)
}

func (t *Tree) edited(src source.Source, splices []source.Splice, limits editLimits, report func(span.Problem)) (e *Tree, read []span.Span) {
	all := []span.Span{span.Between(0, src.Size()+1)}
	e = t.Anew(src, splices)
	switch {
	case !t.resumes.isEmpty():
		return e, all
	case src.Size() <= limits.small:
		e.BuildIndex(context.Background(), func(p span.Problem, _ *Scanner) { report(p) })
		return e, all
	}
	k := newReindexer(t, e, splices, limits)
	if !k.run() || !e.resumes.isEmpty() {
		return t.Anew(src, splices), all
	}
	for _, p := range k.problems {
		report(p)
	}
	return e, k.read
}

// Anew returns a tree of src, the bytes after an edit, of which nothing is read.
func (t *Tree) Anew(src source.Source, splices []source.Splice) *Tree {
	before := 0 // what is put in at the start of the region belongs to it
	for before < len(splices) && splices[before].Offset < t.Region.Offset {
		before++
	}
	region := span.Between(source.Map(splices[:before], t.Region.Offset), source.Map(splices, t.Region.End()))
	f := t.Reading
	if l := t.can.learner; l != nil {
		f = l.Edited(src, region)
	}
	e := New(src, f, region)
	if e.Base.Value == t.Base.Value {
		e.Base = t.Base // and with it what lies in it
	}
	e.index.every, e.index.perNode = t.index.every, t.index.perNode
	return e
}

// isEmpty reports whether no search took part in a reading.
func (l *resumeCache) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.ends) == 0
}
