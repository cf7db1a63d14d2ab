// Package blockedit changes the values of a block. An edit becomes patches, and a linker puts
// the block together from them, so that references and names of constructors follow.
package blockedit

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// An Editor makes one edit.
type Editor struct {
	edit.Editing // its reader has no budget; patches take the place of its splices
	Block        *block.Reading
	o            edit.Options

	patches []patch
	dead    []span.Span                 // spans that are removed
	gone    map[int64]bool              // starts of values that are removed without a replacement
	aimed   map[uint32]bool             // numbers of the targets of new references
	merged  map[*literal.Literal]uint32 // numbers of old values that have become literals
	filled  map[int64]bool              // Body of each array that has got new elements or tags
	marks   *block.Marks                // marks of the unchanged block; empty until something depends on them
	scanned bool
	ctors   map[string]uint16 // indexes of the constructors of new values
	full    bool              // no index was left for one of them
}

// noMarks are the marks of the editors that need none: there are many where many values are set.
var noMarks block.Marks

func New(ctx context.Context, f *block.Reading, r *tree.Reader, o edit.Options) *Editor {
	if r.Budget > 0 {
		r = r.Of(r.Tree)
	}
	return &Editor{Editing: edit.Begin(ctx, r, o), Block: f, o: o, marks: &noMarks}
}

// note notes something in one of the maps of an editor, most of which stay nil: there are many editors where many values are set.
func note[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// Done returns the splices of the patches, or the first error. References to removed values are redirected or refused, as the
// options say.
func (e *Editor) Done() ([]source.Splice, error) {
	switch {
	case e.Err != nil || len(e.patches) == 0:
		return nil, cmp.Or(e.Err, e.Window.Err())
	case e.Together != nil && slices.ContainsFunc(e.patches, dependsOnOthers):
		return nil, edit.ErrAlone
	case e.full:
		return nil, errors.New("the block has no index left for another constructor")
	}
	e.orphans()
	splices := e.link()
	return splices, cmp.Or(e.Err, e.Window.Err())
}

// Put replaces a span in the container v by parts.
func (e *Editor) Put(v *tree.Value, s span.Span, parts ...part) {
	if s.Length > 0 || len(parts) > 0 {
		e.patches = append(e.patches, patch{s, v.Body - 1, parts})
	}
}

// PutBytes replaces n bytes at an offset in v by bytes that depend on nothing else.
func (e *Editor) PutBytes(v *tree.Value, off, n int64, b ...byte) {
	e.Put(v, span.Span{Offset: off, Length: n}, part{new: &fragment{b: b}})
}

// Remove removes the span of a child of v.
func (e *Editor) Remove(v *tree.Value, s span.Span) {
	e.Put(v, s)
	if s.Length > 0 {
		e.dead = append(e.dead, s)
		note(&e.gone, s.Offset, true)
	}
}

// need collects the marks of the block, once.
func (e *Editor) need() {
	if e.scanned {
		return
	}
	if e.BeAlone(); e.Err != nil {
		return
	}
	switch m, err := block.ScanMarks(e.Ctx, e.Block, e.Reader.Tree); {
	case !e.Keep(err):
	case m.Lost:
		e.Keep(errors.New("this edit moves references or constructors, and a part of the block cannot be read that may hold some; " +
			"a missing schema is loaded with --schema or :schema"))
	default:
		e.marks, e.scanned = m, true
	}
}

// NeedFor collects the marks if v or anything in it depends on other places, or they depend on it.
func (e *Editor) NeedFor(v *tree.Value) {
	isAlone := v.Refers || !e.Block.Rules.CtorTags && v.Serial != tree.NoSerial && v.Serial == v.SerialEnd
	if (v.Type == datatype.Array || v.Type == datatype.Struct) && !isAlone {
		e.need()
	}
}

// whole returns n with a known end.
func (e *Editor) whole(n *tree.Node) *tree.Node {
	if n.End == tree.Unknown {
		n = e.Finish(n)
		e.Keep(e.Window.Err())
	}
	return n
}

// readable reports whether there is no error. A value that cannot be edited because it, or the value that contains it, cannot
// be read, ends the edit.
func (e *Editor) readable(n *tree.Node) bool {
	switch {
	case n.Damage == nil || n.Layout != tree.Leaf:
	case n.Damage.Code == span.MissingSchema:
		e.Keep(errors.New("this struct cannot be read: " + n.Damage.Message + "; its bytes can be edited"))
	default:
		e.Keep(errors.New("this value is damaged: " + n.Damage.Message + "; its bytes can be edited"))
	}
	return e.Err == nil
}

// Entry returns the span of a child with its name.
func Entry(n *tree.Node) span.Span {
	if n.KeyAt != tree.Unknown {
		return span.Between(n.KeyAt, n.End)
	}
	return span.Between(n.Start, n.End)
}

// Counted returns the number of children of v according to its count.
func (e *Editor) Counted(v *tree.Value) int64 {
	if v.Type == datatype.Array && v.Sub == 0 {
		return 0
	}
	return int64(e.Window.U16(e.countAt(v)))
}

// countAt returns the offset of the count of an array or of a struct with names.
func (e *Editor) countAt(v *tree.Value) int64 {
	if v.Type == datatype.Array && v.Sub != 0 {
		return v.Body - 3
	}
	return v.Body - 2
}

// SetCount writes the number of children of v, if there is room for them.
func (e *Editor) SetCount(v *tree.Value, n int64) {
	e.Keep(e.hasRoom(v, n))
	if n != e.Counted(v) {
		e.PutBytes(v, e.countAt(v), 2, binary.LittleEndian.AppendUint16(nil, uint16(n))...)
	}
}

// hasRoom returns an error if v cannot have n children.
func (e *Editor) hasRoom(v *tree.Value, n int64) error {
	limit, what := e.Block.Rules.Room(v.Type), "elements"
	if v.Type == datatype.Struct {
		what = "members"
	}
	if n > int64(limit) {
		return fmt.Errorf("%s has room for at most %d %s", datatype.Name(v.Type), limit, what)
	}
	return nil
}

// recount adds to the number of children of v, which several edits made together may change.
func (e *Editor) recount(v *tree.Value, by int64) {
	together, was, at := e.Together, e.Counted(v), e.countAt(v)
	if together == nil {
		e.SetCount(v, was+by)
		return
	}
	if n := was + together.Added(at) + by; n == 0 || e.hasRoom(v, n) != nil { // an empty array has no type
		e.BeAlone()
	}
	e.Add(span.Span{Offset: at, Length: 2}, by, func(by int64) ([]byte, error) {
		return binary.LittleEndian.AppendUint16(nil, uint16(was+by)), nil
	})
}

// Tag returns the tag byte of a type in this block.
func (e *Editor) Tag(t datatype.ID) byte {
	switch {
	case t&datatype.CtorElement != 0:
		return byte(t)
	case t < datatype.Any:
		return byte(t)
	}
	low := !e.Block.Rules.HighTags
	if e.Block.Rules.LowTags && e.Block.Rules.HighTags { // 1.4.0: as in the rest of the block
		base := &e.Reader.Tree.Base.Value
		low = e.Block.FirstTag(e.Window, &tree.Value{Head: base.Body}) < int(datatype.Any)
	}
	if low {
		return byte(t - block.TagShift)
	}
	return byte(t)
}

// A splicer collects the bytes of a block in their new order and makes splices of what has
// moved.
type splicer struct {
	old     *source.Pieces
	at      int64          // offset up to which the old bytes are done
	fresh   []source.Piece // pieces that replace the bytes from at on
	small   []byte         // new bytes after fresh
	splices []source.Splice
}

// add adds new bytes.
func (s *splicer) add(b []byte) { s.small = append(s.small, b...) }

// keep adds old bytes. inPlace says that they stay in place, like all others for which it is set.
func (s *splicer) keep(start, end int64, inPlace bool) {
	switch {
	case start == end:
	case inPlace:
		s.flush(start)
		s.at = end
	default:
		s.settle()
		s.append(s.old.Slice(span.Between(start, end)))
	}
}

// settle moves the new bytes to the end of fresh.
func (s *splicer) settle() {
	if len(s.small) > 0 {
		s.append(source.Memory(s.small))
		s.small = nil
	}
}

func (s *splicer) append(p *source.Pieces) {
	p.List(func(_ int64, piece source.Piece) bool {
		s.fresh = append(s.fresh, piece)
		return true
	})
}

// flush makes a splice that replaces the old bytes up to an offset.
func (s *splicer) flush(upTo int64) {
	s.settle()
	if upTo > s.at || len(s.fresh) > 0 {
		s.splices = append(s.splices, source.Splice{Span: span.Between(s.at, upTo), New: source.Join(s.fresh...)})
		s.fresh = nil
	}
}

// finish makes the last splice and returns all of them.
func (s *splicer) finish(size int64) []source.Splice {
	s.flush(size)
	return s.splices
}

// A cursor passes over the patches and marks in a range of the block.
type cursor struct {
	l       *linker
	old     span.Span
	inPlace bool // the range stays in place

	patch, numbered, ref, ctor int // next of each list
}

// What a cursor stops at.
const (
	atEnd = iota
	atPatch
	atNumbered
	atRef
	atCtor
)

func (l *linker) cursor(old span.Span, inPlace bool) cursor {
	c := cursor{l: l, old: old, inPlace: inPlace}
	m, at := l.e.marks, old.Offset
	c.patch = sort.Search(len(l.patches), func(i int) bool { return l.patches[i].Offset >= at })
	c.numbered, _ = slices.BinarySearch(m.Numbered, at)
	c.ref, _ = slices.BinarySearchFunc(m.Refs, at, func(r block.RefMark, at int64) int { return cmp.Compare(r.At, at) })
	c.ctor, _ = slices.BinarySearchFunc(m.Ctors, at, func(c block.CtorMark, at int64) int { return cmp.Compare(c.At, at) })
	return c
}

// pass passes over what comes before an offset, or does not apply there.
func (c *cursor) pass(at int64) {
	l, m, end := c.l, c.l.e.marks, c.old.End()
	for c.patch < len(l.patches) && l.patches[c.patch].Offset <= end && !c.applies(&l.patches[c.patch], at) {
		c.patch++
	}
	for c.numbered < len(m.Numbered) && m.Numbered[c.numbered] < at {
		c.numbered++
	}
	for c.ref < len(m.Refs) && m.Refs[c.ref].At < at {
		c.ref++
	}
	for c.ctor < len(m.Ctors) && m.Ctors[c.ctor].At < at {
		c.ctor++
	}
}

// next returns what comes next from at on, and its offset.
func (c *cursor) next(at int64) (what int, stop int64) {
	c.pass(at)
	l, m, end := c.l, c.l.e.marks, c.old.End()
	stop = math.MaxInt64
	if c.patch < len(l.patches) && l.patches[c.patch].Offset <= end {
		what, stop = atPatch, l.patches[c.patch].Offset
	}
	if c.numbered < len(m.Numbered) {
		switch begins := m.Numbered[c.numbered]; {
		case begins >= end:
		case begins < stop, begins == stop && l.patches[c.patch].in >= stop: // a patch of the value's own count
			what, stop = atNumbered, begins
		}
	}
	if c.ref < len(m.Refs) && m.Refs[c.ref].At < min(stop, end) {
		what, stop = atRef, m.Refs[c.ref].At
	}
	if c.ctor < len(m.Ctors) && m.Ctors[c.ctor].At < min(stop, end) {
		what, stop = atCtor, m.Ctors[c.ctor].At
	}
	return what, stop
}

// walk passes over a range of the old block with the patches that belong to it, and keeps what stays in
// place.
func (l *linker) walk(old span.Span, inPlace bool) {
	c := l.cursor(old, inPlace)
	for at := old.Offset; l.e.Err == nil; {
		switch what, stop := c.next(at); what {
		case atPatch:
			p := &l.patches[c.patch]
			l.out.keep(at, stop, inPlace)
			at = p.End()
			c.patch++
			l.put(p)
		case atNumbered:
			at = l.value(uint32(c.numbered), at, stop, inPlace)
			c.numbered++
		case atRef:
			at = l.reference(&l.e.marks.Refs[c.ref], at, inPlace)
			c.ref++
		case atCtor:
			at = l.constructor(&l.e.marks.Ctors[c.ctor], at, inPlace)
			c.ctor++
		default:
			l.out.keep(at, old.End(), inPlace)
			return
		}
	}
}

// applies reports whether a patch belongs to a range that has been passed up to at. A patch that moves or
// replaces the range itself does not.
func (c *cursor) applies(p *patch, at int64) bool {
	switch {
	case p.Offset < at || p.End() > c.old.End():
		return false
	case c.inPlace:
		return true
	case p.Span == c.old:
		return false
	case p.Length > 0 || p.Offset > c.old.Offset && p.Offset < c.old.End():
		return true
	}
	return p.in >= c.old.Offset // otherwise it belongs to what is around the range
}
