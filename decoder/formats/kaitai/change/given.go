package change

import (
	"fmt"
	"maps"
	"slices"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/notation"
)

// given returns an error if a value that was written at a place, in the file before the edit, does not read as the literal
// says: what lies elsewhere or is computed is not written with it, and sizes follow what they are sizes of.
func (f *File) given(at read.Place, l *literal) error {
	p, ok := f.placeAt(at.Steps())
	if !ok {
		return fmt.Errorf("%s could not be read any more", at)
	}
	return readsAs(Value{p, p.Cell()}, l)
}

func readsAs(n Value, l *literal) error {
	if l == nil || l.text == "null" {
		return nil
	}
	is, err := n.Cell.Value(n.Attr)
	switch {
	case n.State == read.Absent:
		return fmt.Errorf("%s (%v) is absent here: its condition does not hold", n.Place, n.Attr.Place)
	case err != nil:
		return unwritten(n, err.Error())
	}
	switch x := is.Ref.(type) {
	case *read.Struct:
		if l.kind == notation.Pairs {
			return membersReadAs(x, l)
		}
		if inner, ok := shown(&n); ok {
			return readsAs(inner, l)
		}
		if v, ok := grouped(&n, l); ok && x.ReadsAs(n.Buf.Append(nil, n.Start, n.End), int64(v.N)) {
			return nil
		}
	case *read.Array:
		if l.kind == notation.List {
			return itemsReadAs(n, x, l)
		}
	}
	want, err := parseAs(n, is, l.text)
	if err != nil {
		return fmt.Errorf("%s (%v): %w", n.Place, n.Attr.Place, err)
	}
	if isEqual(is, want) || is.Kind == expr.Float && (n.isShort() && float32(is.Float()) == float32(want.Float()) || want.Float() != want.Float()) {
		return nil
	}
	return unwritten(n, fmt.Sprintf("it would be %s, not %s", read.Show(is), l.text))
}

func (n *Value) isShort() bool { return n.Type != nil && n.Type.Size == 4 }

func membersReadAs(s *read.Struct, l *literal) error {
	for _, name := range slices.Sorted(maps.Keys(l.members)) {
		r := s.Type.Find(name)
		if r == nil || r.In == expr.InParams {
			return fmt.Errorf("%s has no %s that can be set", s.Type.Name, name)
		}
		p := read.Place{Of: s, Attr: s.Type.Attr(r), Index: -1}
		if slices.ContainsFunc(append(p.Attr.Located(), p.Attr.Packed()...), func(id string) bool { return l.member(id) != nil }) {
			continue // it follows from what it leads to, or from how that is packed
		}
		if err := readsAs(Value{p, p.Cell()}, l.members[name]); err != nil {
			return err
		}
	}
	return nil
}

func itemsReadAs(n Value, a *read.Array, l *literal) error {
	if a.Len() != int64(len(l.items)) {
		return unwritten(n, fmt.Sprintf("it would have %d elements, not %d", a.Len(), len(l.items)))
	}
	for i := range l.items {
		p := read.Place{Of: a.Owner, Attr: a.Attr, Index: int64(i)}
		if err := readsAs(Value{p, a.Cell(int64(i))}, &l.items[i]); err != nil {
			return err
		}
	}
	return nil
}

// parseAs parses a literal as a value of the kind that a value is: what is computed has no type.
func parseAs(n Value, is expr.Value, text string) (expr.Value, error) {
	if n.Attr.Value != nil {
		kinds := map[expr.Kind]spec.Kind{expr.Bool: spec.Unsigned, expr.Int: spec.Signed, expr.Str: spec.Str, expr.Float: spec.Float}
		n.Type = &spec.TypeRef{Kind: kinds[is.Kind]}
	}
	n.Val = is
	return parse(&n, text)
}

// unwritten says why a value that was given does not read so, and what to do.
func unwritten(n Value, why string) error {
	switch {
	case n.Attr.Value != nil:
		return fmt.Errorf("%s (%v) is computed from others: %s; leave it out", n.Attr.ID, n.Attr.Place, why)
	case n.Attr.Pos != nil:
		return fmt.Errorf("%s (%v) lies elsewhere, and is not written with a new value: %s; leave it out, and set it afterwards", n.Attr.ID, n.Attr.Place, why)
	}
	return fmt.Errorf("%s (%v) follows other values: %s; leave it out", n.Place, n.Attr.Place, why)
}
