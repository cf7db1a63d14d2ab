package variantedit

import (
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// mergeChildren changes what differs in a value with children. The scanner has just
// entered it.
func (e *Editing) mergeChildren(s *tree.Scanner, v *tree.Value, l *literal.Literal) error {
	switch types.Of(v.Type).Shape {
	case types.ShapeDict:
		return e.mergePairs(s, v, l)
	case types.ShapeObject:
		class := tree.Value{Tail: v.Body - 4}
		if err := e.mergeText(&class, v.Head+4, l.Text); err != nil {
			return err
		}
		return e.mergePairs(s, v, l)
	case types.ShapePath:
		return e.mergePath(s, v, l)
	}
	n, err := e.mergeList(s, v, l.Children)
	if err != nil {
		return err
	}
	e.Out = nil
	for k := n; k < len(l.Children); k++ {
		if err := e.child(v, l, k); err != nil {
			return err
		}
	}
	if err := e.append(s.Value().Tail, e.Out); err != nil {
		return err
	}
	return e.Recount(v, int64(len(l.Children)-n))
}

// mergeList changes what differs between the children of a value without keys and the items of a list, and
// removes surplus children. It returns the old number of children.
func (e *Editing) mergeList(s *tree.Scanner, v *tree.Value, list []literal.Literal) (n int, err error) {
	for ; ; n++ {
		ev, err := e.Next(s)
		if err != nil || ev == tree.Leave || ev == tree.Done {
			return n, err
		}
		at, before := s.Value().Start, len(e.Splices)
		switch {
		case n < len(list):
			err = e.mergeChild(s, ev, v, &list[n])
			if err == nil && e.isFrames(v) {
				err = e.lengthen(at, e.Splices[before:])
			}
		default:
			var gone tree.Value
			if gone, err = e.Passed(s, ev); v.Type == types.Stream {
				gone.Tail = gone.End
			}
			e.Cut(gone.Start, gone.Tail)
		}
		if err != nil {
			return n, err
		}
	}
}

// child encodes the i-th child of a literal as v accepts it.
func (e *Editing) child(v *tree.Value, l *literal.Literal, i int) error {
	switch types.Of(v.Type).Shape {
	case types.ShapeStrings:
		e.Entry(l.Children[i].Text, true)
		return nil
	case types.ShapeObject:
		if i%2 == 0 {
			e.PutString(l.Children[i].Text)
			return nil
		}
	}
	slot := tree.Slot{Key: v.Type == types.Dictionary && i%2 == 0}
	child, fits := encode.Fit(l.Children[i], e.Format.Constraint(v, slot))
	if !fits {
		return e.mismatchAt(v, slot, &child)
	}
	return e.Value(&child)
}

// mergeChild changes what differs between the child of the event and a literal.
func (e *Editing) mergeChild(s *tree.Scanner, ev tree.Event, parent *tree.Value, l *literal.Literal) error {
	v, slot := *s.Value(), s.Slot()
	if v.Type == types.Entry {
		return e.mergeText(&v, v.Start, l.Text)
	}
	w := e.Format.Constraint(parent, slot)
	child, fits := encode.Fit(*l, w)
	if child.Kind == types.Int && v.Type == types.Float && w.Any {
		child.Kind = types.Float
	}
	before := len(e.Splices)
	if err := e.mergeOver(s, ev, &v, &child); err != nil {
		return err
	}
	if !fits && len(e.Splices) > before {
		return e.mismatchAt(parent, slot, &child)
	}
	return nil
}

// mergeOver replaces v, the value of the event, by a literal.
func (e *Editing) mergeOver(s *tree.Scanner, ev tree.Event, v *tree.Value, l *literal.Literal) error {
	switch merges := e.canMerge(v, l); {
	case merges && ev == tree.Enter:
		return e.mergeChildren(s, v, l)
	case merges:
		return e.mergeAtom(v, l)
	}
	was, err := e.Passed(s, ev)
	if err != nil {
		return err
	}
	return e.replace(&was, l)
}
