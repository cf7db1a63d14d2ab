package variantedit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// Types implements edit.Editor. It is empty for parts of values, and has one type
// for a child of a typed container.
func (f Editor) Types(r *tree.Reader, n *tree.Node) []string {
	if n.Parent == nil || !isWhole(n) {
		return nil
	}
	w := f.Constraint(&n.Parent.Value, n.Slot)
	var names []string
	for id, t := range f.Dialect.Table {
		if is, _ := f.Dialect.IDOf(t); t == types.Unknown || is != uint32(id) || t == types.Object && f.Dialect.Resource {
			continue
		}
		if w.Allows(t) {
			names = append(names, types.Of(t).Name)
		}
	}
	return names
}

// maxRetyped is the length of the longest text that is converted to another type; a longer one becomes an
// empty value.
const maxRetyped = 64 << 20

// Retyped implements edit.Editor. It converts numbers, bools and texts to one another,
// vectors to those with as many components, arrays and packed arrays to one another if all
// elements fit.
func (f Editor) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	t, ok := f.Dialect.TypeNamed(name)
	if !ok || !f.Dialect.Has(t) {
		return "", fmt.Errorf("%s has no type %s", f.Dialect.Title, name)
	}
	text, err := edit.LiteralOf(ctx, r, &n.Value, maxRetyped)
	if errors.Is(err, edit.ErrTooLong) {
		return Empty(t), nil
	} else if err != nil {
		return "", err
	}
	l, err := literal.Parse(f.Dialect, text)
	if err != nil {
		return Empty(t), nil
	}
	if l.Parts == nil {
		l.Parts = &literal.Parts{}
	}
	c := converter{encode.Encoder{Format: f.Format, Text: text}}
	if converted, ok := c.convert(&l, t); ok {
		if l, err := literal.Parse(f.Dialect, converted); err == nil {
			if _, err = encode.Bytes(f.Format, converted, &l); err == nil {
				return converted, nil
			}
		}
	}
	return Empty(t), nil
}

// empty are the literals of initial values that are not just zeros.
var empty = map[types.ID]string{
	types.Nil: "null", types.Bool: "false", types.Int: "0", types.Float: "0.0", types.String: `""`, types.StringName: `&""`,
	types.NodePath: `^""`, types.Dictionary: "{}", types.Array: "[]",
	types.TypedArray: "TypedArray(Variant)", types.PackedTypedArray: "PackedTypedArray(Variant)",
	types.Quat: "Quat(0, 0, 0, 1)", types.Quaternion: "Quaternion(0, 0, 0, 1)", types.Color: "Color(0, 0, 0, 1)",
	types.Transform2D: "Transform2D(1, 0, 0, 1, 0, 0)",
	types.Basis:       "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
	types.Transform:   "Transform(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)",
	types.Transform3D: "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)",
	types.Projection:  "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
}

// Empty returns the literal of the initial value of a variable of type t.
func Empty(t types.ID) string {
	if text, ok := empty[t]; ok {
		return text
	}
	zeros := ""
	if types.Of(t).Shape == types.ShapeFixed {
		zeros = "0" + strings.Repeat(", 0", len(types.Of(t).Parts)-1)
	}
	return types.Of(t).Name + "(" + zeros + ")"
}

// A converter writes literals as other types.
type converter struct{ encode.Encoder }

// convert writes l as type t. ok is false if nothing of it would remain.
func (c *converter) convert(l *literal.Literal, t types.ID) (text string, ok bool) {
	if l.Kind == t && l.Elem.Kind == types.KindNone && l.Value.Kind == types.KindNone {
		return c.Text[l.At:l.End], true
	}
	switch shape := types.Of(t).Shape; shape {
	case types.ShapeBool, types.ShapeNumber:
		return c.toNumber(l, t)
	case types.ShapeText, types.ShapePath:
		return c.toText(l, t)
	case types.ShapeFixed:
		if types.Of(l.Kind).Shape != types.ShapeFixed || c.Count(l) != len(types.Of(t).Parts) {
			return "", false
		}
		return types.Of(t).Name + "(" + c.numbersAs(l, types.Of(t).Comp) + ")", true
	case types.ShapeArray, types.ShapeTyped, types.ShapePacked, types.ShapeBytes, types.ShapeStrings:
		return c.toArray(l, t)
	case types.ShapeDict:
		return c.untyped(l), l.Kind == types.Dictionary
	}
	return "", false
}

// number returns the number that a literal is or contains as text.
func (c *converter) number(l *literal.Literal) (x float64, n int64, whole, ok bool) {
	switch {
	case l.Kind == types.Bool:
		return float64(l.ID), int64(l.ID), true, true
	case types.Of(l.Kind).Shape == types.ShapeText:
		text := strings.TrimSpace(string(l.Text))
		inner, err := literal.Parse(c.Format.Dialect, text)
		if err != nil || types.Of(inner.Kind).Shape != types.ShapeNumber {
			return 0, 0, false, false
		}
		inside := converter{encode.Encoder{Format: c.Format, Text: text}}
		return inside.number(&inner)
	case l.Kind == types.Int:
		n, err := c.Int(l)
		return float64(n), n, true, err == nil
	case l.Kind == types.Float:
		x, err := c.Float(l, 64)
		if x > -1<<63 && x < 1<<63 {
			n = int64(x)
		}
		return x, n, false, err == nil
	}
	return 0, 0, false, false
}

func (c *converter) toNumber(l *literal.Literal, t types.ID) (string, bool) {
	x, n, whole, ok := c.number(l)
	switch {
	case !ok:
		return "", false
	case t == types.Bool:
		return strconv.FormatBool(x != 0), true
	case t == types.Int:
		return strconv.FormatInt(n, 10), whole || !math.IsNaN(x)
	case whole:
		return strconv.FormatInt(n, 10) + ".0", true
	}
	return string(numeric.AppendFloat(nil, x, 64, numeric.StyleFloat)), true
}

func (c *converter) toText(l *literal.Literal, t types.ID) (string, bool) {
	var text []byte
	switch types.Of(l.Kind).Shape {
	case types.ShapeText, types.ShapePath:
		text = l.Text
	case types.ShapeNumber, types.ShapeBool:
		text = []byte(c.Text[l.At:l.End])
	default:
		return "", false
	}
	prefix := map[types.ID]string{types.StringName: "&", types.NodePath: "^"}[t]
	return prefix + literal.Quote(text), true
}

// numbersAs writes the components of a vector or packed array as numbers of type
// comp.
func (c *converter) numbersAs(l *literal.Literal, comp types.ID) string {
	var b []byte
	for i := range c.Count(l) {
		if i > 0 {
			b = append(b, ", "...)
		}
		if l.Text != nil { // a colour in hex digits
			bits, _ := c.Component(l, i, types.Float32)
			b = numeric.AppendBits(b, types.Float32, bits, numeric.StyleText)
			continue
		}
		child := &l.Children[i]
		if _, n, whole, _ := c.number(child); !whole && (comp == types.Int32 || comp == types.Int64 || comp == types.Byte) {
			b = strconv.AppendInt(b, n, 10)
			continue
		}
		b = append(b, c.Text[child.At:child.End]...)
	}
	return string(b)
}

// untyped writes a container without its declared types.
func (c *converter) untyped(l *literal.Literal) string {
	text := c.Text[l.At:l.End]
	if l.Elem.Kind|l.Value.Kind == types.KindNone {
		return text
	}
	return strings.TrimSuffix(text[strings.IndexByte(text, '(')+1:], ")")
}

// toArray writes an array of any kind as type t.
func (c *converter) toArray(l *literal.Literal, t types.ID) (string, bool) {
	elements, ok := c.elements(l)
	if !ok {
		return "", false
	}
	opening, closing := types.Of(t).Name+"(", ")"
	switch types.Of(t).Shape {
	case types.ShapeArray:
		opening, closing = "[", "]"
	case types.ShapeTyped:
		opening += "Variant"
		if len(elements) > 0 {
			opening += ", "
		}
	case types.ShapePacked:
		if name := types.Of(t).Element(); len(types.Of(t).Parts) > 0 {
			for i, e := range elements {
				inside, ok := strings.CutPrefix(e, name+"(")
				if !ok {
					return "", false
				}
				elements[i] = strings.TrimSuffix(inside, ")")
			}
		}
	}
	return opening + strings.Join(elements, ", ") + closing, true
}

// elements returns the elements of an array, as literals.
func (c *converter) elements(l *literal.Literal) ([]string, bool) {
	var all []string
	switch t := types.Of(l.Kind); t.Shape {
	case types.ShapeArray, types.ShapeTyped, types.ShapeStrings, types.ShapeBytes, types.ShapePacked:
		each := t.Each()
		for i := 0; i < len(l.Children); i += each {
			part := c.Text[l.Children[i].At:l.Children[i+each-1].End]
			if each > 1 {
				part = t.Element() + "(" + part + ")"
			} else if comp := t.Comp; (comp == types.Float32 || comp == types.Float64) && l.Children[i].Kind == types.Int {
				part += ".0"
			}
			all = append(all, part)
		}
		return all, true
	}
	return nil, false
}
