package edit

import (
	"cmp"
	"slices"

	"varview/decoder/elephant/internal/literal"
	"varview/decoder/source"
	"varview/decoder/span"
)

// A patch replaces a span of the block by parts.
type patch struct {
	span.Span
	in    int64 // a byte before the children of the container that is changed
	parts []part
}

// dependsOnOthers reports whether a patch has values with numbers, references or constructors.
func dependsOnOthers(p patch) bool {
	return slices.ContainsFunc(p.parts, func(p part) bool { return p.new == nil || len(p.new.marks) > 0 })
}

// A part is one of the parts of a patch: a range of the block, or new bytes.
type part struct {
	old  span.Span
	copy bool // the range also stays where it is
	new  *fragment
}

// A fragment is new bytes, and the places in them that depend on the rest of the block.
type fragment struct {
	b     []byte
	marks []fragmentMark // in order
}

// A fragmentMark is a numbered value, a reference or the place of a constructor's name in a
// fragment.
type fragmentMark struct {
	at       int
	numbered *literal.Literal // the value, if the mark is one
	ref      *literal.Target  // the target of a reference, whose four bytes belong at at
	ctor     string           // a constructor's name, with index
	index    uint16
}

// A linker puts the block together after an edit. It passes over the block in its new
// order. If the target of a reference does not come before it, the target takes the place
// of the reference, and a reference takes the place of the target.
type linker struct {
	e       *Editor
	patches []patch
	out     splicer

	count  uint32                      // numbered values seen
	placed map[uint32]uint32           // new numbers of old values that references lead to
	moved  map[uint32]int64            // where the values ended that took the place of a reference
	begins int64                       // number of the next of these values, or noneBegins
	fresh  map[*literal.Literal]uint32 // numbers of new values
	named  map[uint16]bool             // constructors whose name has been written
	copied *copying
}

// copying is a copy of a range that is being inserted: references within it lead to values
// of the copy.
type copying struct {
	first, end uint32 // old numbers
	placed     map[uint32]uint32
}

// link makes splices of the patches.
func (e *Editor) link() ([]source.Splice, error) {
	size := e.r.Tree.Source.Size()
	slices.SortStableFunc(e.patches, func(a, b patch) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(min(a.Length, 1), min(b.Length, 1)), cmp.Compare(b.Length, a.Length))
	})
	whole := wholeOf(e.r.Tree.Source)
	l := linker{e: e, patches: e.patches, out: splicer{old: whole}, placed: map[uint32]uint32{},
		moved: map[uint32]int64{}, begins: noneBegins, fresh: map[*literal.Literal]uint32{}, named: map[uint16]bool{}}
	if err := l.walk(span.Between(0, size), true); err != nil {
		return nil, err
	}
	return whole.Minimal(l.out.finish(size))
}

func wholeOf(src source.Source) *source.Pieces {
	if p, ok := src.(*source.Pieces); ok {
		return p
	}
	return source.Whole(src)
}

// put writes the parts of a patch.
func (l *linker) put(p *patch) error {
	for i := range p.parts {
		part := &p.parts[i]
		var err error
		switch {
		case part.new != nil:
			err = l.fragment(part.new)
		case part.copy:
			first, _ := slices.BinarySearch(l.e.marks.Numbered, part.old.Offset)
			end, _ := slices.BinarySearch(l.e.marks.Numbered, part.old.End())
			outer := l.copied
			l.copied = &copying{uint32(first), uint32(end), map[uint32]uint32{}}
			err = l.walk(part.old, false)
			l.copied = outer
		default:
			err = l.walk(part.old, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fragment writes new bytes.
func (l *linker) fragment(f *fragment) (err error) {
	at := 0
	for i := range f.marks {
		m := &f.marks[i]
		l.out.add(f.b[at:m.at])
		at = m.at
		switch {
		case m.numbered != nil:
			l.fresh[m.numbered] = l.count
			l.count++
		case m.ref != nil:
			err = l.newReference(m.ref)
		case !l.named[m.index]:
			l.named[m.index] = true
			l.out.add(append([]byte(m.ctor), 0))
		}
		if err != nil {
			return err
		}
	}
	l.out.add(f.b[at:])
	return nil
}
