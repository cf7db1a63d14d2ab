package damage

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	blockedit "varview/decoder/elephant/internal/edit"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// noReference makes a reference undefined. It does not change one to which a schema gives
// another type.
func (e *repairer) noReference() error {
	n, at := e.n, map[int64]bool{e.p.Offset: true}
	switch {
	case !n.Refers:
		return errStale
	case e.f.DanglingRepair(&n.Parent.Value, &n.Value) == "":
		return fmt.Errorf("%s cannot become undefined: the schema says %s", e.r.Path(n), datatype.Name(n.Type))
	case n.Flags&block.Tagged != 0:
		from := e.f.TagsEnd(e.w, &n.Value) - 1
		return e.write(span.Between(from, n.End), e.Tag(datatype.Undefined))
	case n.Parent.Type == datatype.Array:
		return e.WidenAround(n.Parent, at)
	}
	return e.Skip(n)
}

// refTag gives a reference the tag of its target. The elements of an array get tags of
// their own.
func (e *repairer) refTag() error {
	n := e.n
	if !n.Refers || !block.Leads(&n.Value) {
		return errStale
	}
	target, err := e.r.Numbered(n.Sub)
	if err != nil {
		return err
	}
	is := target.Type
	switch {
	case is == n.Type:
		return errStale
	case e.f.RefTagRepair(&n.Parent.Value, &n.Value) == "":
		return fmt.Errorf("%s cannot get another tag: the schema says %s", e.r.Path(n), datatype.Name(n.Type))
	case n.Flags&block.Tagged != 0:
		return e.write(span.Span{Offset: e.f.TagsEnd(e.w, &n.Value) - 1, Length: 1}, e.Tag(is))
	}
	return e.Widen(n.Parent, func(other *tree.Node) (bool, error) {
		if other.Start != n.Start {
			return false, nil
		}
		e.PutBytes(&n.Parent.Value, n.Start, 0, e.Tag(is))
		return true, nil
	})
}

// ctorIndex gives a constructor the index that the library writes, in all of its structs
// that can be read.
func (e *repairer) ctorIndex() error {
	n := e.n
	if n.Flags&block.Named == 0 || e.f.Rules.CtorTags {
		return errStale
	}
	m, err := block.ScanMarks(e.ctx, e.f, e.r.Tree)
	if err != nil {
		return err
	}
	is, own, next := e.f.CtorIndex(&n.Value), e.f.NameAt(e.w, &n.Value), 0
	for _, c := range m.Named {
		if c.At < own {
			next++
		}
	}
	if _, ok := m.Named[uint16(next)]; ok {
		return fmt.Errorf("the index %d is another constructor's", next)
	}
	if !block.IsUnlikelyIndex(is, next) {
		return errNoRepair
	}
	index := binary.LittleEndian.AppendUint16(nil, uint16(next))
	e.PutBytes(e.block(), own-2, 2, index...) // also if the struct cannot be read
	for _, c := range m.Ctors {
		if c.Index == is && c.At != own {
			e.PutBytes(e.block(), c.At-2, 2, index...)
		}
	}
	return nil
}

// repeated deletes the members of the same name before this one: the library keeps the
// last.
func (e *repairer) repeated() error {
	key := e.n
	if !key.Slot.Key || key.Damage != nil {
		return errStale
	}
	parent := key.Parent
	name := blockedit.NameOf(e.w, &key.Value)
	var earlier []*tree.Node
	err := e.EachChild(parent, func(n *tree.Node) error {
		if n.KeyAt >= key.Start || n.KeyAt == tree.Unknown {
			return nil
		}
		if k := e.r.Key(n); k.Damage == nil && k.End-k.Start == key.End-key.Start && bytes.Equal(blockedit.NameOf(e.w, &k.Value), name) {
			earlier = append(earlier, n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(earlier) == 0 {
		return errStale
	}
	for _, n := range earlier {
		if err := e.NeedFor(&n.Value); err != nil {
			return err
		}
		e.Remove(&parent.Value, blockedit.Entry(n))
	}
	e.drops = fmt.Sprintf("the first of two members %s", literal.Shown(string(name)))
	if len(earlier) > 1 {
		e.drops = fmt.Sprintf("the %d members %s before this", len(earlier), literal.Shown(string(name)))
	}
	return e.SetCount(&parent.Value, e.Counted(&parent.Value)-int64(len(earlier)))
}
