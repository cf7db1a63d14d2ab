package block

import (
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Edited implements tree.Learner. The rules stay the same, whatever the header is now.
func (f *Reading) Edited(src source.Source, region span.Span) tree.Learner {
	e := Open(f.Rules, f.names.schemas, src, region)
	e.names.shared = f.names.shared.clone()
	return e
}

// Adopt implements tree.Learner.
func (f *Reading) Adopt(was tree.Reading, part span.Span, by int64, from, to uint32) {
	old, _ := Of(was)
	f.names.adopt(old.names, part, by)
	for n := from; n < to && n <= MarkRef; n++ {
		f.kinds.set(n, old.kinds.of(n))
	}
}

// adopt takes over what another has learnt about a part of its bytes, which has moved.
func (n *names) adopt(old *names, part span.Span, by int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	old.mu.RLock()
	defer old.mu.RUnlock()
	for index, u := range old.ctors {
		if part.Contains(u.at) {
			u.at += by
			n.note(index, u)
		}
	}
	for at, end := range old.texts {
		if part.Contains(at) && end != tree.Unknown && end < part.End() {
			n.noteText(at+by, end+by)
		}
	}
}

// Agrees implements tree.Learner: the same constructors have been named before.
func (f *Reading) Agrees(was tree.Reading, wasAt, at int64) bool {
	other, _ := Of(was)
	n, old := f.names, other.names
	n.mu.RLock()
	defer n.mu.RUnlock()
	old.mu.RLock()
	defer old.mu.RUnlock()
	count := 0
	for index, u := range old.ctors {
		if u.at >= wasAt {
			continue
		}
		count++
		if v, ok := n.ctors[index]; !ok || v.at >= at || v.name != u.name || v.bare != u.bare {
			return false
		}
	}
	for _, v := range n.ctors {
		if v.at < at {
			count--
		}
	}
	return count == 0
}

// Alike implements tree.Learner: a schema and the list of skipped members determine what is
// in each slot, and the header of the block what its footer must be.
func (f *Reading) Alike(was, is *tree.Value) bool {
	return was.Flags&BySchema == 0 && was.Type != datatype.File
}

// Note implements tree.Learner. A damaged value may be of another kind.
func (f *Reading) Note(v *tree.Value) {
	if v.Damage == nil || v.Damage.Code == span.MissingSchema {
		f.kinds.set(v.Serial, v.Type)
	}
}

// Kind implements tree.Learner: the datatype.
func (f *Reading) Kind(serial uint32) uint32 { return uint32(f.kinds.of(serial)) }
