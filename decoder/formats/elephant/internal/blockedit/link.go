package blockedit

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// A patch replaces a span of the block by parts.
type patch struct {
	span.Span
	in    int64 // a byte before the children of the changed container
	parts []part
}

// dependsOnOthers reports whether a patch has numbered values, references or constructors.
func dependsOnOthers(p patch) bool {
	return slices.ContainsFunc(p.parts, func(p part) bool { return p.new == nil || len(p.new.marks) > 0 })
}

// A part is one of the parts of a patch: a range of the block, or new bytes.
type part struct {
	old span.Span
	new *fragment
}

// A fragment holds new bytes, and the places in them that depend on the rest of the block.
type fragment struct {
	b     []byte
	marks []fragmentMark // in order
}

// A fragmentMark is a numbered value, a reference or the place of a constructor's name in a
// fragment.
type fragmentMark struct {
	at       int
	numbered *literal.Literal // the numbered value, if the mark is one
	ref      *literal.Target  // target of a reference, whose four bytes belong at at
	ctor     string           // name of the constructor with index
	index    uint16
}

// A linker puts the block together after an edit. It passes over the block in its new order. If the target
// of a reference does not come before it, the target takes the place of the reference, and a reference
// takes the place of the target.
type linker struct {
	e       *Editor
	patches []patch
	out     splicer

	count  uint32                      // numbered values seen
	placed map[uint32]uint32           // new numbers of old values that are targets of references
	moved  map[uint32]int64            // ends of values that took the place of a reference, by number
	begins int64                       // number of the next of these values, or noneBegins
	fresh  map[*literal.Literal]uint32 // numbers of new values
	named  map[uint16]bool             // constructors whose name has been written
}

// link makes splices of the patches.
func (e *Editor) link() (splices []source.Splice) {
	if one := e.patches[0]; len(e.patches) == 1 && !e.scanned && !dependsOnOthers(one) && one.Length <= source.MaxView {
		var b []byte
		for _, p := range one.parts {
			b = append(b, p.new.b...)
		}
		if e.Err != nil || string(e.Window.View(one.Offset, one.Length)) == string(b) {
			return nil
		}
		return []source.Splice{source.Put(one.Offset, one.Length, b)}
	}
	slices.SortStableFunc(e.patches, func(a, b patch) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(min(a.Length, 1), min(b.Length, 1)), cmp.Compare(b.Length, a.Length))
	})
	size := e.Reader.Tree.Source.Size()
	whole := edit.Bytes(e.Reader.Tree.Source, 0, size)
	l := linker{e: e, patches: e.patches, out: splicer{old: whole}, placed: map[uint32]uint32{},
		moved: map[uint32]int64{}, begins: noneBegins, fresh: map[*literal.Literal]uint32{}, named: map[uint16]bool{}}
	l.walk(span.Between(0, size), true)
	if splices = l.out.finish(size); e.Err != nil {
		return nil
	}
	splices, err := whole.Minimal(splices)
	e.Keep(err)
	return splices
}

// put writes the parts of a patch.
func (l *linker) put(p *patch) {
	for i := range p.parts {
		if part := &p.parts[i]; part.new != nil {
			l.fragment(part.new)
		} else {
			l.walk(part.old, false)
		}
	}
}

// fragment writes new bytes.
func (l *linker) fragment(f *fragment) {
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
			l.newReference(m.ref)
		case !l.named[m.index]:
			l.named[m.index] = true
			l.out.add(append([]byte(m.ctor), 0))
		}
	}
	l.out.add(f.b[at:])
}

// errTooMany is returned if a reference cannot name its target.
var errTooMany = errors.New("references can refer only to the first 65536 arrays and structs of a block; the target would come later")

// value gives a numbered value that begins at start its new number.
func (l *linker) value(serial uint32, at, start int64, inPlace bool) int64 {
	l.out.keep(at, start, inPlace)
	if end, ok := l.moved[serial]; ok && l.begins != int64(serial) {
		l.refer(l.placed[serial])
		return end
	}
	l.begins = noneBegins
	if serial <= block.MarkRef || l.e.aimed[serial] {
		l.placed[serial] = l.count
	}
	l.count++
	return start
}

const noneBegins = -1

// refer writes a reference.
func (l *linker) refer(to uint32) {
	if to > block.MarkRef {
		l.e.Keep(errTooMany)
	}
	l.out.add(binary.LittleEndian.AppendUint16([]byte{0xff, 0xff}, uint16(to)))
}

// reference continues after an old reference.
func (l *linker) reference(m *block.RefMark, at int64, inPlace bool) int64 {
	to, ok := l.placed[m.To]
	if !m.Leads() {
		to, ok = l.nowhere(m.To), true
	}
	if !ok {
		l.out.keep(at, m.At-2, inPlace)
		l.hoist(m.To, m.Kind)
		return m.At + 2
	}
	if to > block.MarkRef {
		l.e.Keep(errTooMany)
	}
	l.out.keep(at, m.At, inPlace)
	if to == m.To {
		l.out.keep(m.At, m.At+2, inPlace)
	} else {
		l.out.add(binary.LittleEndian.AppendUint16(nil, uint16(to)))
	}
	return m.At + 2
}

// hoist writes a value in the place of a reference to it.
func (l *linker) hoist(serial uint32, kind datatype.ID) {
	e := l.e
	target, err := e.Reader.Numbered(serial)
	if !e.Keep(err) {
		return
	}
	if target = e.whole(target); target.Type != kind {
		e.Keep(errors.New(e.Reader.Path(target) + " cannot replace a reference to it, whose tag says " + datatype.Name(kind)))
	}
	l.moved[serial], l.begins = target.End, int64(serial)
	l.walk(span.Between(e.Block.TagsEnd(e.Window, &target.Value), target.End), false)
}

// newReference writes a reference, or its target in its place.
func (l *linker) newReference(t *literal.Target) {
	to, ok := uint32(0), true
	if old, merged := l.e.merged[t.Lit]; merged {
		t = &literal.Target{Serial: old, Kind: t.Kind}
	}
	switch {
	case t.Nowhere:
		to = l.nowhere(t.Serial)
	case t.Lit != nil:
		to = l.fresh[t.Lit]
	default:
		to, ok = l.placed[t.Serial]
	}
	switch {
	case ok:
		l.refer(to)
	case t.Serial > block.MarkRef && !l.e.aimed[t.Serial]:
		l.e.Keep(errTooMany)
	default:
		l.hoist(t.Serial, t.Kind)
	}
}

// nowhere returns a number for a reference without a target, so that it still has none.
func (l *linker) nowhere(serial uint32) uint32 {
	switch {
	case serial >= l.count:
		return serial
	case l.count > block.MarkRef:
		l.e.Keep(errors.New("a reference without a target would get one by this edit, and no number is left to prevent that"))
	}
	return block.MarkRef
}

// constructor keeps a constructor's name only at its first use.
func (l *linker) constructor(c *block.CtorMark, at int64, inPlace bool) int64 {
	l.out.keep(at, c.At, inPlace)
	first := !l.named[c.Index]
	l.named[c.Index] = true
	switch named := l.e.marks.Named[c.Index]; {
	case first && c.Size == 0:
		l.out.keep(named.At, named.At+named.Size, false)
	case !first:
		return c.At + c.Size
	}
	l.out.keep(c.At, c.At+c.Size, inPlace)
	return c.At + c.Size
}

// orphans handles references that remain although their targets are removed. Those that are replaced by
// their targets are handled when the block is put together.
func (e *Editor) orphans() {
	if !e.scanned || len(e.dead) == 0 || e.o.Orphans == edit.Inherit {
		return
	}
	e.dead = slices.DeleteFunc(e.dead, func(s span.Span) bool { return s.Length == 0 })
	slices.SortFunc(e.dead, func(a, b span.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	var lost []block.RefMark
	for _, m := range e.marks.Refs {
		if m.Leads() && e.isDead(e.marks.Numbered[m.To]) && !e.isDead(m.At) {
			lost = append(lost, m)
		}
	}
	switch {
	case len(lost) == 0:
	case e.o.Orphans == edit.Undefined:
		e.undefine(lost)
	default:
		e.Keep(e.orphanError(lost))
	}
}

// isDead reports whether the byte at an offset is removed.
func (e *Editor) isDead(off int64) bool {
	i, found := slices.BinarySearchFunc(e.dead, off, func(s span.Span, off int64) int { return cmp.Compare(s.Offset, off) })
	return found || i > 0 && e.dead[i-1].Contains(off)
}

func (e *Editor) orphanError(lost []block.RefMark) error {
	target, err := e.Reader.Numbered(lost[0].To)
	if err != nil {
		return err
	}
	first, err := e.Reader.At(lost[0].At)
	if err != nil {
		return err
	}
	return &edit.OrphanError{References: len(lost), Target: e.Reader.Path(target), First: e.Reader.Path(first)}
}

// undefine makes references undefined. If they were the common type of an array, its elements get their own
// tags.
func (e *Editor) undefine(lost []block.RefMark) {
	at := make(map[int64]bool, len(lost)) // offsets of their numbers
	for _, m := range lost {
		at[m.At] = true
	}
	var nodes []*tree.Node
	s := e.Reader.Scan(e.Reader.Tree.Base)
	e.Keep(s.Run(e.Ctx, func(ev tree.Event) bool {
		if v := s.Value(); ev == tree.Atom && v.Refers && at[v.End-2] {
			nodes = append(nodes, s.Subject())
		}
		return true
	}))
	arrays := map[int64]bool{} // by Body
	for _, n := range nodes {
		v := &n.Parent.Value
		switch {
		case n.Flags&block.Tagged != 0:
			from := e.Block.TagsEnd(e.Window, &n.Value) - 1
			e.PutBytes(v, from, n.End-from, e.Tag(datatype.Undefined))
		case v.Type != datatype.Array:
			e.Keep(fmt.Errorf("%s cannot become undefined: the schema says %s", e.Reader.Path(n), datatype.Name(n.Type)))
		case !arrays[v.Body]:
			arrays[v.Body] = true
			e.WidenAround(n.Parent, at)
		}
	}
}

// WidenAround gives the elements of an array their own tags and makes the references whose numbers are at
// the given offsets undefined.
func (e *Editor) WidenAround(array *tree.Node, at map[int64]bool) {
	e.Widen(array, func(n *tree.Node) bool {
		if n.Refers && at[n.End-2] {
			e.PutBytes(&array.Value, n.Start, n.End-n.Start, e.Tag(datatype.Undefined))
			return true
		}
		return e.gone[n.Start] && n.End > n.Start
	})
}
