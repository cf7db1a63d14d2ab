package variantedit

import (
	"strings"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

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
