package godot

import (
	"strings"
)

// untyped writes a container without what it says of its elements.
func (c *converter) untyped(l *literal) string {
	text := c.text[l.at:l.end]
	if l.elem.kind|l.value.kind == kindNone {
		return text
	}
	return strings.TrimSuffix(text[strings.IndexByte(text, '(')+1:], ")")
}

// toArray writes an array of any kind as one of another kind.
func (c *converter) toArray(l *literal, t typeID) (string, bool) {
	elements, ok := c.elements(l)
	if !ok {
		return "", false
	}
	opening, closing := typeOf(t).name+"(", ")"
	switch typeOf(t).shape {
	case shapeArray:
		opening, closing = "[", "]"
	case shapeTyped:
		opening += "Variant"
		if len(elements) > 0 {
			opening += ", "
		}
	case shapePacked:
		if name := typeOf(t).element(); len(typeOf(t).parts) > 0 {
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

// elements are the literals of the elements of an array.
func (c *converter) elements(l *literal) ([]string, bool) {
	var all []string
	switch t := typeOf(l.kind); t.shape {
	case shapeArray, shapeTyped, shapeStrings, shapeBytes, shapePacked:
		each := max(1, len(t.parts))
		for i := 0; i < len(l.kids); i += each {
			part := c.text[l.kids[i].at:l.kids[i+each-1].end]
			if each > 1 {
				part = t.element() + "(" + part + ")"
			} else if comp := t.comp; (comp == tFloat32 || comp == tFloat64) && l.kids[i].kind == tInt {
				part += ".0"
			}
			all = append(all, part)
		}
		return all, true
	}
	return nil, false
}
