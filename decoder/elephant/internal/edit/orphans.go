package edit

import (
	"cmp"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// orphans handles references that stay although their targets are removed. Those that
// become the value itself do so when the block is put together.
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
	target, err := e.r.Numbered(lost[0].To)
	if err != nil {
		return err
	}
	first, err := e.r.At(lost[0].At)
	if err != nil {
		return err
	}
	return &edit.OrphanError{References: len(lost), Target: e.r.Path(target), First: e.r.Path(first)}
}

// undefine makes references undefined. If an array had references as its common type, its
// elements get tags of their own.
func (e *Editor) undefine(lost []block.RefMark) error {
	at := make(map[int64]bool, len(lost)) // offsets of their numbers
	for _, m := range lost {
		at[m.At] = true
	}
	var nodes []*tree.Node
	s := e.r.Scan(e.r.Tree.Base)
	err := s.Run(e.ctx, func(ev tree.Event) bool {
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
			from := e.f.TagsEnd(e.w, &n.Value) - 1
			e.PutBytes(v, from, n.End-from, e.Tag(datatype.Undefined))
		case v.Type == datatype.Array:
			if !arrays[v.Body] {
				arrays[v.Body] = true
				err = e.WidenAround(n.Parent, at)
			}
		default:
			err = fmt.Errorf("%s cannot become undefined: the schema says %s", e.r.Path(n), datatype.Name(n.Type))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WidenAround gives the elements of an array tags of their own and makes the references
// whose numbers are at the given offsets undefined.
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
