package elephant

import (
	"bytes"
	"fmt"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// noReference makes a reference undefined. What a schema gives another type is left
// out.
func (e *repairer) noReference() error {
	n, at := e.n, map[int64]bool{e.p.Offset: true}
	switch {
	case !n.Refers:
		return errStale
	case e.f.noRefRepair(&n.Parent.Value, &n.Value) == "":
		return fmt.Errorf("%s cannot become undefined: the schema says %s", e.r.Path(n), typeName(n.Type))
	case n.Flags&isTagged != 0:
		from := e.f.tagsEnd(e.w, &n.Value) - 1
		return e.write(span.Between(from, n.End), e.tag(tUndefined))
	case n.Parent.Type == tArray:
		return e.widenAround(n.Parent, at)
	}
	return e.skip(n)
}

// refTag gives a reference the tag of what it leads to. The elements of an array
// get tags of their own.
func (e *repairer) refTag() error {
	n := e.n
	if !n.Refers || !leads(&n.Value) {
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
	case e.f.refTagRepair(&n.Parent.Value, &n.Value) == "":
		return fmt.Errorf("%s cannot get another tag: the schema says %s", e.r.Path(n), typeName(n.Type))
	case n.Flags&isTagged != 0:
		return e.write(span.Span{Offset: e.f.tagsEnd(e.w, &n.Value) - 1, Length: 1}, e.tag(is))
	}
	return e.widen(n.Parent, func(other *tree.Node) (bool, error) {
		if other.Start != n.Start {
			return false, nil
		}
		e.putBytes(&n.Parent.Value, n.Start, 0, e.tag(is))
		return true, nil
	})
}

// repeated deletes the members of the same name that stand before one: the library
// keeps the last.
func (e *repairer) repeated() error {
	key := e.n
	if !key.Slot.Key || key.Damage != nil {
		return errStale
	}
	parent := key.Parent
	name := nameOf(e.w, &key.Value)
	var earlier []*tree.Node
	err := e.eachChild(parent, func(n *tree.Node) error {
		if n.KeyAt >= key.Start || n.KeyAt == tree.Unknown {
			return nil
		}
		if k := e.r.Key(n); k.Damage == nil && k.End-k.Start == key.End-key.Start && bytes.Equal(nameOf(e.w, &k.Value), name) {
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
		if err := e.needFor(&n.Value); err != nil {
			return err
		}
		e.remove(&parent.Value, entry(n))
	}
	e.drops = fmt.Sprintf("the first of two members %s", shown(string(name)))
	if len(earlier) > 1 {
		e.drops = fmt.Sprintf("the %d members %s before this", len(earlier), shown(string(name)))
	}
	return e.setCount(&parent.Value, e.counted(&parent.Value)-int64(len(earlier)))
}
