package godot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/tree"
)

// Types implements edit.Editor. Parts of values, and what a typed container
// holds, have no choice.
func (f *Format) Types(r *tree.Reader, n *tree.Node) []string {
	if n.Parent == nil || !isWhole(n) {
		return nil
	}
	w := f.wants(&n.Parent.Value, n.Slot)
	var names []string
	for _, t := range f.Dialect.table {
		if w.takes(t) {
			names = append(names, typeOf(t).name)
		}
	}
	return names
}

// maxRetyped is how long the text of a value may be that is turned into another
// type; a longer one becomes an empty value.
const maxRetyped = 64 << 20

// Retyped implements edit.Editor. Numbers, bools and texts become one another,
// vectors those with as many components, arrays and packed arrays one another
// where all elements fit.
func (f *Format) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	t, ok := f.Dialect.typeNamed(name)
	if !ok || !f.Dialect.has(t) {
		return "", fmt.Errorf("%s has no type %s", f.Dialect.Title, name)
	}
	text, err := writtenText(ctx, r, &n.Value, maxRetyped)
	if errors.Is(err, errTooLong) {
		return empty(t), nil
	} else if err != nil {
		return "", err
	}
	l, err := parse(f.Dialect, text)
	if err != nil {
		return empty(t), nil
	}
	if l.parts == nil {
		l.parts = &parts{}
	}
	c := converter{encoder{f: f, text: text}}
	if converted, ok := c.convert(&l, t); ok {
		if l, err := parse(f.Dialect, converted); err == nil {
			if _, err = f.encode(converted, &l); err == nil {
				return converted, nil
			}
		}
	}
	return empty(t), nil
}

// empty is the literal that a variable of type t begins with.
func empty(t typeID) string {
	switch t {
	case tNil:
		return "null"
	case tBool:
		return "false"
	case tInt:
		return "0"
	case tFloat:
		return "0.0"
	case tString:
		return `""`
	case tStringName:
		return `&""`
	case tNodePath:
		return `^""`
	case tDictionary:
		return "{}"
	case tArray:
		return "[]"
	case tTypedArray, tPackedTypedArray:
		return typeOf(t).name + "(Variant)"
	case tQuat, tQuaternion, tColor:
		return typeOf(t).name + "(0, 0, 0, 1)"
	case tTransform2D:
		return "Transform2D(1, 0, 0, 1, 0, 0)"
	case tBasis, tTransform, tTransform3D:
		return typeOf(t).name + "(1, 0, 0, 0, 1, 0, 0, 0, 1" + strings.Repeat(", 0", len(typeOf(t).parts)-9) + ")"
	case tProjection:
		return "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)"
	}
	if typeOf(t).shape == shapeFixed {
		return typeOf(t).name + "(0" + strings.Repeat(", 0", len(typeOf(t).parts)-1) + ")"
	}
	return typeOf(t).name + "()"
}

// A converter writes literals as other types.
type converter struct{ encoder }

// convert writes l as type t; ok is false where nothing of it would be left.
func (c *converter) convert(l *literal, t typeID) (text string, ok bool) {
	if l.kind == t && l.elem.kind == kindNone && l.value.kind == kindNone {
		return c.text[l.at:l.end], true
	}
	switch shape := typeOf(t).shape; shape {
	case shapeBool, shapeNumber:
		return c.toNumber(l, t)
	case shapeText, shapePath:
		return c.toText(l, t)
	case shapeFixed:
		if typeOf(l.kind).shape != shapeFixed || c.count(l) != len(typeOf(t).parts) {
			return "", false
		}
		return typeOf(t).name + "(" + c.numbersAs(l, typeOf(t).comp) + ")", true
	case shapeArray, shapeTyped, shapePacked, shapeBytes, shapeStrings:
		return c.toArray(l, t)
	case shapeDict:
		return c.untyped(l), l.kind == tDictionary
	}
	return "", false
}

// number is a literal as a number, if there is one in it.
func (c *converter) number(l *literal) (x float64, n int64, whole, ok bool) {
	switch {
	case l.kind == tBool:
		return float64(l.id), int64(l.id), true, true
	case typeOf(l.kind).shape == shapeText:
		text := strings.TrimSpace(string(l.text))
		p := parser{lexer: lexer{text: text}, d: c.f.Dialect}
		inner, err := p.value()
		if err != nil || p.at != len(text) || typeOf(inner.kind).shape != shapeNumber {
			return 0, 0, false, false
		}
		inside := converter{encoder{f: c.f, text: text}}
		return inside.number(&inner)
	case l.kind == tInt:
		n, err := c.int(l)
		return float64(n), n, true, err == nil
	case l.kind == tFloat:
		x, err := c.float(l, 64)
		if x > -1<<63 && x < 1<<63 {
			n = int64(x)
		}
		return x, n, false, err == nil
	}
	return 0, 0, false, false
}

func (c *converter) toNumber(l *literal, t typeID) (string, bool) {
	x, n, whole, ok := c.number(l)
	switch {
	case !ok:
		return "", false
	case t == tBool:
		return strconv.FormatBool(x != 0), true
	case t == tInt:
		return strconv.FormatInt(n, 10), whole || !math.IsNaN(x)
	case whole:
		return strconv.FormatInt(n, 10) + ".0", true
	}
	return string(appendFloat(nil, x, 64, styleFloat)), true
}

func (c *converter) toText(l *literal, t typeID) (string, bool) {
	var text []byte
	switch typeOf(l.kind).shape {
	case shapeText, shapePath:
		text = l.text
	case shapeNumber, shapeBool:
		text = []byte(c.text[l.at:l.end])
	default:
		return "", false
	}
	prefix := map[typeID]string{tStringName: "&", tNodePath: "^"}[t]
	return prefix + quote(text), true
}

// numbersAs writes the components of a vector or packed array as numbers of type
// comp.
func (c *converter) numbersAs(l *literal, comp typeID) string {
	var b []byte
	for i := range c.encoder.count(l) {
		if i > 0 {
			b = append(b, ", "...)
		}
		if l.text != nil { // a colour in hex digits
			bits, _ := c.component(l, i, tFloat32)
			b = appendBits(b, tFloat32, bits, styleText)
			continue
		}
		kid := &l.kids[i]
		if _, n, whole, _ := c.number(kid); !whole && (comp == tInt32 || comp == tInt64 || comp == tByte) {
			b = strconv.AppendInt(b, n, 10)
			continue
		}
		b = append(b, c.text[kid.at:kid.end]...)
	}
	return string(b)
}
