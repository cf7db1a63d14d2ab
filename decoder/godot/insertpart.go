package godot

import (
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// insertFrame puts in a value of a stream, with its length before it.
func (e *editing) insertFrame(base *tree.Node, index int64, c edit.Content) error {
	at, err := e.place(base, index)
	if err != nil {
		return err
	}
	bytes, err := e.content(&base.Value, tree.Slot{Index: index}, c)
	if err != nil {
		return err
	}
	length, err := e.f.appendFrameLength(nil, bytes.Size())
	if err != nil {
		return err
	}
	e.insert(base, at, joined(source.Memory(length), bytes))
	return nil
}

// insertEntry puts a string into a packed array, with a NUL as engines write it.
func (e *editing) insertEntry(parent *tree.Node, index int64, c edit.Content) error {
	at, text, err := e.placeText(parent, index, c)
	if err != nil {
		return err
	}
	e.out = nil
	e.entry(text, true)
	e.insert(parent, at, source.Memory(e.out))
	return e.recount(&parent.Value, 1)
}

// placeText is where a text goes, and what it is.
func (e *editing) placeText(parent *tree.Node, index int64, c edit.Content) (int64, []byte, error) {
	at, err := e.place(parent, index)
	if err != nil {
		return 0, nil, err
	}
	l, err := e.contentLiteral(c)
	if err == nil && l.kind != tString {
		err = fail(int(l.at), "a text in quotes is expected")
	}
	if err != nil {
		return 0, nil, err
	}
	return at, l.text, nil
}

// insertPart puts a name or subname into a NodePath.
func (e *editing) insertPart(parent *tree.Node, index int64, c edit.Content) error {
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
		case c.Key == "" && c.Copy != nil && c.Copy.Type == tPart:
			sub = c.Copy.Slot.Index >= int64(c.Copy.Parent.Sub)
		case c.Key == "":
			sub = names == 0 && parent.Count > 0
		default:
			return errors.New(`a part of a NodePath stands among its "names" or its "subnames"`)
		}
	}
	e.out = nil
	e.putString(text)
	e.insert(parent, at, source.Memory(e.out))
	_, flags := e.f.pathFlags(e.w, &parent.Value)
	if sub {
		return e.recountPath(&parent.Value, 0, 1, flags)
	}
	return e.recountPath(&parent.Value, 1, 0, flags)
}

// insertElement puts a number or vector into a packed array.
func (e *editing) insertElement(parent *tree.Node, index int64, c edit.Content) error {
	v := &parent.Value
	if index < 0 || index > v.Count {
		return fmt.Errorf("there is no place %d; the last is %d", index, v.Count)
	}
	l, err := e.contentLiteral(c)
	if err != nil {
		return err
	}
	b, err := e.element(v, &l)
	if err != nil {
		return err
	}
	e.put(v.Body+index*int64(v.Stride), 0, b)
	if typeOf(v.Type).shape == shapeBytes {
		e.repad(v, v.Count+1)
	}
	return e.recount(v, 1)
}

// element gives the bytes of a literal as an element of the packed array v.
func (e *editing) element(v *tree.Value, l *literal) ([]byte, error) {
	t, comp := typeOf(v.Type), typeID(v.Sub)
	if len(t.parts) == 0 {
		if l.kind != tInt && l.kind != tFloat {
			return nil, fail(int(l.at), "a number is expected here")
		}
		bits, err := e.bits(l, comp)
		return appendComponent(nil, comp, bits), err
	}
	if typeOf(l.kind).name != t.element() {
		return nil, fail(int(l.at), "%s is expected here", t.element())
	}
	e.out = nil
	err := e.components(l, comp)
	return e.out, err
}
