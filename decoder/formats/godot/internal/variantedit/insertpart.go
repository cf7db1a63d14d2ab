package variantedit

import (
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// countPart adds an inserted part to the names or the subnames of a NodePath.
func (e *Editing) countPart(parent *tree.Node, index int64, c edit.Content) error {
	names := int64(parent.Sub)
	sub := index > names
	if index == names {
		switch {
		case c.Key == "subnames":
			sub = true
		case c.Key == "names":
		case c.Key == "" && c.Copy != nil && c.Copy.Type == types.Part:
			sub = c.Copy.Slot.Index >= int64(c.Copy.Parent.Sub)
		case c.Key == "":
			sub = names == 0 && parent.Count > 0
		default:
			return errors.New(`a part of a NodePath must be one of its "names" or "subnames"`)
		}
	}
	return e.recountPart(&parent.Value, sub, 1)
}

// recountPart adds to the number of names or subnames of a NodePath.
func (e *Editing) recountPart(v *tree.Value, sub bool, by int64) error {
	if err := e.BeAlone(); err != nil { // there are two counts
		return err
	}
	flags := e.Format.PathFlags(e.Window, v)
	if sub {
		return e.RecountPath(v, 0, by, flags)
	}
	return e.RecountPath(v, by, 0, flags)
}

// insertElement inserts a number or vector into a packed array.
func (e *Editing) insertElement(parent *tree.Node, index int64, c edit.Content) error {
	v := &parent.Value
	if index < 0 || index > v.Count {
		return fmt.Errorf("index %d is out of range; the last is %d", index, v.Count)
	}
	l, err := e.contentLiteral(c)
	if err != nil {
		return err
	}
	b, err := e.element(v, &l)
	if err != nil {
		return err
	}
	return e.putElements(v, index, 0, b)
}

// putElements puts bytes in the place of elements of a packed array.
func (e *Editing) putElements(v *tree.Value, index, gone int64, b []byte) error {
	stride := int64(v.Stride)
	by := int64(len(b))/stride - gone
	e.Put(v.Body+index*stride, gone*stride, b)
	if types.Of(v.Type).Shape == types.ShapeBytes && by != 0 {
		if err := e.BeAlone(); err != nil { // the padding depends on all elements
			return err
		}
		e.repad(v, v.Count+by)
	}
	return e.Recount(v, by)
}

// element returns the bytes of a literal as an element of the packed array v.
func (e *Editing) element(v *tree.Value, l *literal.Literal) ([]byte, error) {
	t, comp := types.Of(v.Type), types.ID(v.Sub)
	if len(t.Parts) == 0 {
		if l.Kind != types.Int && l.Kind != types.Float {
			return nil, l.Errorf("a number is expected here")
		}
		bits, err := e.Bits(l, comp)
		return e.Format.AppendBinary(nil, comp, bits), err
	}
	if types.Of(l.Kind).Name != t.Element() {
		return nil, l.Errorf("%s is expected here", t.Element())
	}
	e.Out = nil
	err := e.Components(l, comp)
	return e.Out, err
}
