package encode

import (
	"fmt"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// fitIn returns the i-th child of a literal as its container accepts it.
func fitIn(l *literal.Literal, i int) (literal.Literal, error) {
	c := l.Elem
	if l.Kind == types.Dictionary && i%2 == 1 {
		c = l.Value
	}
	if c.Kind == types.KindNone {
		return l.Children[i], nil
	}
	child, fits := Fit(l.Children[i], c.Constraint())
	if !fits {
		return child, child.Errorf("%s", MismatchMessage(l.TypeText(), c.Constraint().Name, child.TypeText()))
	}
	return child, nil
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
