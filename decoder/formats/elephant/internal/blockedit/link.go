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
func (e *Editor) link() ([]source.Splice, error) {
	size := e.Reader.Tree.Source.Size()
	slices.SortStableFunc(e.patches, func(a, b patch) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(min(a.Length, 1), min(b.Length, 1)), cmp.Compare(b.Length, a.Length))
	})
	whole := edit.Bytes(e.Reader.Tree.Source, 0, size)
	if one := e.patches[0]; len(e.patches) == 1 && !e.scanned && !dependsOnOthers(one) {
		var b []byte
		for _, p := range one.parts {
			b = append(b, p.new.b...)
		}
		return whole.Minimal([]source.Splice{source.Put(one.Offset, one.Length, b)})
	}
	l := linker{e: e, patches: e.patches, out: splicer{old: whole}, placed: map[uint32]uint32{},
		moved: map[uint32]int64{}, begins: noneBegins, fresh: map[*literal.Literal]uint32{}, named: map[uint16]bool{}}
	if err := l.walk(span.Between(0, size), true); err != nil {
		return nil, err
	}
	return whole.Minimal(l.out.finish(size))
}

// put writes the parts of a patch.
func (l *linker) put(p *patch) (err error) {
	for i := range p.parts {
		if part := &p.parts[i]; part.new != nil {
			err = l.fragment(part.new)
		} else {
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

// errTooMany is returned if a reference cannot name its target.
var errTooMany = errors.New("references can refer only to the first 65536 arrays and structs of a block; the target would come later")

// value gives a numbered value that begins at start its new number.
func (l *linker) value(serial uint32, at, start int64, inPlace bool) (int64, error) {
	l.out.keep(at, start, inPlace)
	if end, ok := l.moved[serial]; ok && l.begins != int64(serial) {
		return end, l.refer(l.placed[serial])
	}
	l.begins = noneBegins
	if serial <= block.MarkRef || l.e.aimed[serial] {
		l.placed[serial] = l.count
	}
	l.count++
	return start, nil
}

const noneBegins = -1

// refer writes a reference.
func (l *linker) refer(to uint32) error {
	if to > block.MarkRef {
		return errTooMany
	}
	b := binary.LittleEndian.AppendUint16([]byte{0xff, 0xff}, uint16(to))
	l.out.add(b)
	return nil
}

// reference continues after an old reference.
func (l *linker) reference(m *block.RefMark, at int64, inPlace bool) (int64, error) {
	to, ok := l.placed[m.To]
	if !m.Leads() {
		var err error
		if to, err = l.nowhere(m.To); err != nil {
			return 0, err
		}
		ok = true
	}
	switch {
	case !ok:
		l.out.keep(at, m.At-2, inPlace)
		return m.At + 2, l.hoist(m.To, m.Kind)
	case to > block.MarkRef:
		return 0, errTooMany
	}
	l.out.keep(at, m.At, inPlace)
	if to == m.To {
		l.out.keep(m.At, m.At+2, inPlace)
	} else {
		l.out.add(binary.LittleEndian.AppendUint16(nil, uint16(to)))
	}
	return m.At + 2, nil
}

// hoist writes a value in the place of a reference to it.
func (l *linker) hoist(serial uint32, kind datatype.ID) error {
	content, target, err := l.e.contentOf(serial)
	if err != nil {
		return err
	}
	if target.Type != kind {
		return errors.New(l.e.Reader.Path(target) + " cannot replace a reference to it, whose tag says " + datatype.Name(kind))
	}
	l.moved[serial], l.begins = content.End(), int64(serial)
	return l.walk(content, false)
}

// newReference writes a reference, or its target in its place.
func (l *linker) newReference(t *literal.Target) error {
	to, ok := uint32(0), true
	if old, merged := l.e.merged[t.Lit]; merged {
		t = &literal.Target{Serial: old, Kind: t.Kind}
	}
	switch {
	case t.Nowhere:
		var err error
		if to, err = l.nowhere(t.Serial); err != nil {
			return err
		}
	case t.Lit != nil:
		to = l.fresh[t.Lit]
	default:
		to, ok = l.placed[t.Serial]
	}
	switch {
	case ok:
		return l.refer(to)
	case t.Serial > block.MarkRef && !l.e.aimed[t.Serial]:
		return errTooMany
	}
	return l.hoist(t.Serial, t.Kind)
}

// nowhere returns a number for a reference without a target, so that it still has none.
func (l *linker) nowhere(serial uint32) (uint32, error) {
	switch {
	case serial >= l.count:
		return serial, nil
	case l.count > block.MarkRef:
		return 0, errors.New("a reference without a target would get one by this edit, and no number is left to prevent that")
	}
	return block.MarkRef, nil
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
func (e *Editor) orphans() error {
	if !e.scanned || len(e.dead) == 0 || e.o.Orphans == edit.Inherit {
		return nil
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
		return nil
	case e.o.Orphans == edit.Undefined:
		return e.undefine(lost)
	}
	return e.orphanError(lost)
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
func (e *Editor) undefine(lost []block.RefMark) error {
	at := make(map[int64]bool, len(lost)) // offsets of their numbers
	for _, m := range lost {
		at[m.At] = true
	}
	var nodes []*tree.Node
	s := e.Reader.Scan(e.Reader.Tree.Base)
	err := s.Run(e.Ctx, func(ev tree.Event) bool {
		if v := s.Value(); ev == tree.Atom && v.Refers && at[v.End-2] {
			nodes = append(nodes, s.Subject())
		}
		return true
	})
	if err != nil {
		return err
	}
	arrays := map[int64]bool{} // by Body
	for _, n := range nodes {
		v := &n.Parent.Value
		switch {
		case n.Flags&block.Tagged != 0:
			from := e.Block.TagsEnd(e.Window, &n.Value) - 1
			e.PutBytes(v, from, n.End-from, e.Tag(datatype.Undefined))
		case v.Type == datatype.Array:
			if !arrays[v.Body] {
				arrays[v.Body] = true
				err = e.WidenAround(n.Parent, at)
			}
		default:
			err = fmt.Errorf("%s cannot become undefined: the schema says %s", e.Reader.Path(n), datatype.Name(n.Type))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WidenAround gives the elements of an array their own tags and makes the references whose numbers are at
// the given offsets undefined.
func (e *Editor) WidenAround(array *tree.Node, at map[int64]bool) error {
	return e.Widen(array, func(n *tree.Node) (bool, error) {
		switch {
		case n.Refers && at[n.End-2]:
			e.PutBytes(&array.Value, n.Start, n.End-n.Start, e.Tag(datatype.Undefined))
			return true, nil
		case e.gone[n.Start] && n.End > n.Start:
			return true, nil
		}
		return false, nil
	})
}
