package encode

import (
	"fmt"

	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
)

// fitIn is the i-th of what a literal holds, as its container wants it.
func fitIn(f *variant.Format, l *literal.Literal, i int) (literal.Literal, error) {
	c := l.Elem
	if l.Kind == types.Dictionary && i%2 == 1 {
		c = l.Value
	}
	if c.Kind == types.KindNone {
		return l.Kids[i], nil
	}
	kid, fits := Fit(l.Kids[i], c.Want())
	if !fits {
		return kid, literal.Errorf(int(kid.At), "%s", Refusal(l.TypeText(), c.Want().Name, kid.TypeText()))
	}
	return kid, nil
}

// Fit is a literal as somebody wants it: an int becomes a float.
func Fit(l literal.Literal, w types.Want) (literal.Literal, bool) {
	if l.Kind == types.Int && w.T == types.Float && !w.Any {
		l.Kind = types.Float
	}
	return l, w.Takes(l.Kind)
}

func Refusal(container, wanted, is string) string {
	return fmt.Sprintf("%s holds %s, this is %s", container, wanted, is)
}
