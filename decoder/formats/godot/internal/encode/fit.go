package encode

import (
	"fmt"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// Child writes the i-th child of a literal as its container accepts it.
func (e *Encoder) Child(l *literal.Literal, i int) error {
	child, of := l.Children[i], l.Elem
	switch shape := types.Of(l.Kind).Shape; {
	case shape == types.ShapeStrings:
		e.Entry(child.Text, true)
		return nil
	case shape == types.ShapeObject && i%2 == 0:
		e.PutString(child.Text)
		return nil
	case shape == types.ShapeDict && i%2 == 1:
		of = l.Value
	}
	accepts := of.Constraint()
	child, fits := Fit(child, accepts)
	if !fits {
		return child.Errorf("%s", MismatchMessage(l.TypeText(), accepts.Name, child.TypeText()))
	}
	return e.Value(&child)
}

// children writes all children of a literal.
func (e *Encoder) children(l *literal.Literal) error {
	for i := range l.Children {
		if err := e.Child(l, i); err != nil {
			return err
		}
	}
	return nil
}

// Fit returns a literal as a container accepts it: an int becomes a float, and text a name. ok is false if
// the container does not accept it.
func Fit(l literal.Literal, w types.Constraint) (fitting literal.Literal, ok bool) {
	if types.Of(w.T).Shape == types.ShapeReference { // Array[Resource] holds those of a class
		w.T = types.Object
	}
	switch {
	case w.Any:
	case l.Kind == types.Int && w.T == types.Float, l.Kind == types.String && w.T == types.StringName:
		l.Kind = w.T
	case types.Of(l.Kind).Shape == types.ShapeReference:
		return l, w.Allows(types.Object)
	}
	return l, w.Allows(l.Kind)
}

// MismatchMessage says that a container accepts one type and got another.
func MismatchMessage(container, wanted, is string) string {
	return fmt.Sprintf("%s holds %s, this is %s", container, wanted, is)
}
