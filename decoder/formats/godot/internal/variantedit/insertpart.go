package variantedit

import (
	"cmp"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// insertEntry inserts a string into a packed array, with a NUL as engines write it.
func (e *Editing) insertEntry(parent *tree.Node, index int64, c edit.Content) error {
	at, text, err := e.placeText(parent, index, c)
	if err != nil {
		return err
	}
	e.Out = nil
	e.Entry(text, true)
	if err := e.InsertAt(parent, at, source.Memory(e.Out)); err != nil {
		return err
	}
	return e.Recount(&parent.Value, 1)
}

// placeText returns the offset and the text of a string that is inserted.
func (e *Editing) placeText(parent *tree.Node, index int64, c edit.Content) (int64, []byte, error) {
	at, err := e.OffsetOf(parent, index)
	if err != nil {
		return 0, nil, err
	}
	l, err := e.contentLiteral(c)
	if err == nil && l.Kind != types.String {
		err = l.Errorf("a text in quotes is expected")
	}
	if err != nil {
		return 0, nil, err
	}
	return at, l.Text, nil
}

// insertPart inserts a name or subname into a NodePath.
func (e *Editing) insertPart(parent *tree.Node, index int64, c edit.Content) error {
	at, text, err := e.placeText(parent, index, c)
	if err != nil {
		return err
	}
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
	e.Out = nil
	e.PutPart(text)
	if err := cmp.Or(e.BeAlone(), e.InsertAt(parent, at, source.Memory(e.Out))); err != nil {
		return err
	}
	flags := e.Format.PathFlags(e.Window, &parent.Value)
	if sub {
		return e.RecountPath(&parent.Value, 0, 1, flags)
	}
	return e.RecountPath(&parent.Value, 1, 0, flags)
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
	e.Put(v.Body+index*int64(v.Stride), 0, b)
	if types.Of(v.Type).Shape == types.ShapeBytes {
		if err := e.BeAlone(); err != nil { // the padding depends on all elements
			return err
		}
		e.repad(v, v.Count+1)
	}
	return e.Recount(v, 1)
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
