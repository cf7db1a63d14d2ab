package elephant

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/tree"
)

// Types implements edit.Editor: the datatypes of the format, where no schema says
// which one it is.
func Types(f *Reading, r *tree.Reader, n *tree.Node) []string {
	if !retypable(f, n) {
		return nil
	}
	var types []string
	for t := tU8; t <= tUndefined; t++ {
		if name := typeName(t); t != tAny && (t <= tText || t > tAny) && (t != n.Type || n.Refers) {
			types = append(types, name)
		}
	}
	return types
}

// retypable reports whether n can get another datatype.
func retypable(f *Reading, n *tree.Node) bool {
	if n.Slot.Key || n.Parent == nil || n.Type == tSkipped || n.Damage != nil && n.Layout == tree.Leaf {
		return false
	}
	at := placeOf(f, n.Parent, n.Slot.Index)
	return at.isTagged() || !at.schema
}

// Retyped implements edit.Editor.
func Retyped(ctx context.Context, f *Reading, r *tree.Reader, n *tree.Node, name string) (string, error) {
	to := typeByName(name)
	switch {
	case to == 0 || to == tAny || to&ctorElement != 0:
		return "", fmt.Errorf("%s is no datatype", shown(name))
	case !retypable(f, n):
		return "", errors.New("the datatype of this value cannot change")
	}
	e := newEditor(ctx, f, r, edit.Options{})
	n, err := e.whole(n)
	if err != nil {
		return "", err
	}
	switch to {
	case tArray:
		return "[]", nil
	case tStruct:
		return "{}", nil
	case tUndefined:
		return "undefined", nil
	}
	var text []byte
	if isText(n.Type) {
		text = textAt(e.w, n.Body, n.Tail-1)
	} else if width(n.Type) > 0 {
		text = numberAt(e.w, n.Type, n.Body).append(nil)
	}
	return scalarLiteral(to, string(text)), e.w.Err()
}

// scalarLiteral is the literal of type to that says text, or comes nearest to it.
func scalarLiteral(to typeID, text string) string {
	if isText(to) {
		return typeName(to) + "(" + string(tree.AppendQuoted(nil, []byte(text))) + ")"
	}
	x, ok := parseNumeral(strings.TrimSpace(text))
	switch {
	case text == "true":
		x = numeral{whole: true, magnitude: 1}
	case !ok:
		x = numeral{whole: true}
	}
	if to == tBool {
		if x.value() != 0 {
			return "true"
		}
		return "false"
	}
	return typeName(to) + "(" + string(nearest(x, to).append(nil)) + ")"
}

// nearest is the number of a type that comes nearest to another.
func nearest(x numeral, to typeID) number {
	bits, message := x.as(to)
	if message == "" {
		return number{to, bits}
	}
	f := x.value()
	low, high := bounds(to)
	switch {
	case math.IsNaN(f):
		x = numeral{whole: true}
	case f <= low.value():
		x = low
	case f >= high.value():
		x = high
	default:
		f = math.RoundToEven(f)
		x = numeral{whole: true, negative: f < 0, magnitude: uint64(math.Abs(f))}
	}
	bits, _ = x.as(to)
	return number{to, bits}
}

// bounds are the least and the highest number of a type.
func bounds(t typeID) (low, high numeral) {
	switch n := uint(8 * width(t)); t {
	case tF16:
		return numeral{float: -65504}, numeral{float: 65504}
	case tF32:
		return numeral{float: -math.MaxFloat32}, numeral{float: math.MaxFloat32}
	case tS8, tS16, tS32:
		return numeral{whole: true, negative: true, magnitude: 1 << (n - 1)}, numeral{whole: true, magnitude: 1<<(n-1) - 1}
	default:
		return numeral{whole: true}, numeral{whole: true, magnitude: math.MaxUint64 >> (64 - n)}
	}
}
