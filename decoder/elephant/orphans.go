package elephant

import (
	"cmp"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// orphans sees to references that stay and lead to what goes away. Those that are
// to become the value do so when the block is put together.
func (e *editor) orphans() error {
	if !e.scanned || len(e.dead) == 0 || e.o.Orphans == edit.Inherit {
		return nil
	}
	e.dead = slices.DeleteFunc(e.dead, func(s span.Span) bool { return s.Length == 0 })
	slices.SortFunc(e.dead, func(a, b span.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	var lost []refMark
	for _, m := range e.marks.refs {
		if m.leads() && e.isDead(e.marks.numbered[m.to]) && !e.isDead(m.at) {
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

// isDead reports whether the byte at an offset goes away.
func (e *editor) isDead(off int64) bool {
	i, found := slices.BinarySearchFunc(e.dead, off, func(s span.Span, off int64) int { return cmp.Compare(s.Offset, off) })
	return found || i > 0 && e.dead[i-1].Contains(off)
}

func (e *editor) orphanError(lost []refMark) error {
	target, err := e.r.Numbered(lost[0].to)
	if err != nil {
		return err
	}
	first, err := e.r.At(lost[0].at)
	if err != nil {
		return err
	}
	return &edit.OrphanError{References: len(lost), Target: e.r.Path(target), First: e.r.Path(first)}
}

// undefine makes references undefined. Elements of an array whose common type
// they have had get tags of their own.
func (e *editor) undefine(lost []refMark) error {
	at := make(map[int64]bool, len(lost)) // where their numbers stand
	for _, m := range lost {
		at[m.at] = true
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
		case n.Flags&isTagged != 0:
			from := e.f.tagsEnd(e.w, &n.Value) - 1
			e.putBytes(v, from, n.End-from, e.tag(tUndefined))
		case v.Type == tArray:
			if !arrays[v.Body] {
				arrays[v.Body] = true
				err = e.widenAround(n.Parent, at)
			}
		default:
			err = fmt.Errorf("%s cannot become undefined: the schema says %s", e.r.Path(n), typeName(n.Type))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// widenAround gives the elements of an array tags of their own and makes those
// references undefined whose numbers stand at the given offsets.
func (e *editor) widenAround(array *tree.Node, at map[int64]bool) error {
	return e.widen(array, func(n *tree.Node) (bool, error) {
		switch {
		case n.Refers && at[n.End-2]:
			e.putBytes(&array.Value, n.Start, n.End-n.Start, e.tag(tUndefined))
			return true, nil
		case e.gone[n.Start] && n.End > n.Start:
			return true, nil
		}
		return false, nil
	})
}
