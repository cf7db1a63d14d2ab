package edit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/tree"
)

// Types names the datatypes to which n can be changed: none if a schema determines one.
func Types(f *block.Reading, r *tree.Reader, n *tree.Node) []string {
	if !retypable(f, n) {
		return nil
	}
	var types []string
	for t := datatype.U8; t <= datatype.Undefined; t++ {
		if name := datatype.Name(t); t != datatype.Any && (t <= datatype.Text || t > datatype.Any) && (t != n.Type || n.Refers) {
			types = append(types, name)
		}
	}
	return types
}

// retypable reports whether n can get another datatype.
func retypable(f *block.Reading, n *tree.Node) bool {
	if n.Slot.Key || n.Parent == nil || n.Type == datatype.Skipped || n.Damage != nil && n.Layout == tree.Leaf {
		return false
	}
	at := placeOf(f, n.Parent, n.Slot.Index)
	return at.isTagged() || !at.schema
}

// Retyped returns the literal of a datatype that is nearest to n; see edit.Editor.
func Retyped(ctx context.Context, f *block.Reading, r *tree.Reader, n *tree.Node, name string) (string, error) {
	to := datatype.ByName(name)
	switch {
	case to == 0 || to == datatype.Any || to&datatype.CtorElement != 0:
		return "", fmt.Errorf("%s is not a datatype", literal.Shown(name))
	case !retypable(f, n):
		return "", errors.New("the datatype of this value cannot change")
	}
	e := New(ctx, f, r, edit.Options{})
	n, err := e.whole(n)
	if err != nil {
		return "", err
	}
	switch to {
	case datatype.Array:
		return "[]", nil
	case datatype.Struct:
		return "{}", nil
	case datatype.Undefined:
		return "undefined", nil
	}
	var text []byte
	if datatype.IsText(n.Type) {
		text = textAt(e.w, n.Body, n.Tail-1)
	} else if datatype.Width(n.Type) > 0 {
		text = datatype.NumberAt(e.w, n.Type, n.Body).Append(nil)
	}
	return scalarLiteral(to, string(text)), e.w.Err()
}

// scalarLiteral returns the literal of type to that means text, or is nearest to it.
func scalarLiteral(to datatype.ID, text string) string {
	if datatype.IsText(to) {
		return datatype.Name(to) + "(" + string(tree.AppendQuoted(nil, []byte(text))) + ")"
	}
	x, ok := literal.ParseNumeral(strings.TrimSpace(text))
	switch {
	case text == "true":
		x = literal.Numeral{Whole: true, Magnitude: 1}
	case !ok:
		x = literal.Numeral{Whole: true}
	}
	if to == datatype.Bool {
		if x.Value() != 0 {
			return "true"
		}
		return "false"
	}
	return datatype.Name(to) + "(" + string(nearest(x, to).Append(nil)) + ")"
}

// nearest returns the number of a type that is nearest to another.
func nearest(x literal.Numeral, to datatype.ID) datatype.Number {
	bits, message := x.As(to)
	if message == "" {
		return datatype.Number{Of: to, Bits: bits}
	}
	f := x.Value()
	low, high := bounds(to)
	switch {
	case math.IsNaN(f):
		x = literal.Numeral{Whole: true}
	case f <= low.Value():
		x = low
	case f >= high.Value():
		x = high
	default:
		f = math.RoundToEven(f)
		x = literal.Numeral{Whole: true, Negative: f < 0, Magnitude: uint64(math.Abs(f))}
	}
	bits, _ = x.As(to)
	return datatype.Number{Of: to, Bits: bits}
}

// bounds returns the least and the greatest number of a type.
func bounds(t datatype.ID) (low, high literal.Numeral) {
	switch n := uint(8 * datatype.Width(t)); t {
	case datatype.F16:
		return literal.Numeral{Float: -65504}, literal.Numeral{Float: 65504}
	case datatype.F32:
		return literal.Numeral{Float: -math.MaxFloat32}, literal.Numeral{Float: math.MaxFloat32}
	case datatype.S8, datatype.S16, datatype.S32:
		return literal.Numeral{Whole: true, Negative: true, Magnitude: 1 << (n - 1)}, literal.Numeral{Whole: true, Magnitude: 1<<(n-1) - 1}
	default:
		return literal.Numeral{Whole: true}, literal.Numeral{Whole: true, Magnitude: math.MaxUint64 >> (64 - n)}
	}
}
