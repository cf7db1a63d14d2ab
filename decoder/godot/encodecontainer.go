package godot

import (
	"fmt"
)

// container writes an Array, Dictionary or TypedArray.
func (e *encoder) container(l *literal) error {
	n := len(l.kids)
	if l.kind == tDictionary {
		n /= 2
	}
	e.containerHeader(l)
	e.u32(uint32(n))
	for i := range l.kids {
		kid, err := e.f.fitIn(l, i)
		if err == nil {
			err = e.value(&kid)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// containerHeader writes what stands before the count of a container.
func (e *encoder) containerHeader(l *literal) {
	switch typeOf(l.kind).shape {
	case shapeTyped:
		e.typedHeader(l)
	case shapeStrings:
		e.header(l.kind, 0)
	default:
		e.header(l.kind, uint32(l.elem.kind|l.value.kind<<2))
		e.containerType(l.elem)
		e.containerType(l.value)
	}
}

func (e *encoder) containerType(c containerType) {
	switch c.kind {
	case kindBuiltin:
		e.u32(e.f.Dialect.builtinID(c))
	case kindClass, kindScript:
		e.putString([]byte(c.name))
	}
}

// typedHeader writes what stands before the count of a TypedArray. Object alone
// is the type of objects stored as ids, which have no class.
func (e *encoder) typedHeader(l *literal) {
	object, _ := e.f.Dialect.idOf(tObject)
	switch {
	case l.elem.kind == kindClass:
		e.header(l.kind, 0)
		e.u32(object)
		e.header(tStringName, 0)
		e.putString([]byte(l.elem.name))
	case l.elem.kind == kindNone:
		e.header(l.kind, 0)
		e.u32(0)
	case e.f.Dialect.builtinID(l.elem) == object:
		e.header(l.kind, flagWide)
		e.u32(object)
	default:
		e.header(l.kind, 0)
		e.containerType(l.elem)
	}
}

// packed writes a packed array of numbers or vectors.
func (e *encoder) packed(l *literal) error {
	t := typeOf(l.kind)
	e.header(l.kind, 0)
	e.u32(uint32(len(l.kids) / max(1, len(t.parts))))
	err := e.components(l, e.f.component(t, false))
	if t.shape == shapeBytes {
		e.pad(len(l.kids))
	}
	return err
}

// typeText is the type of a literal as AppendType writes it.
func (l *literal) typeText() string {
	name := typeOf(l.kind).name
	switch {
	case l.kind == tDictionary && l.elem.kind|l.value.kind != kindNone:
		return fmt.Sprintf("%s[%s, %s]", name, l.elem.short(), l.value.short())
	case typeOf(l.kind).shape == shapeArray && l.elem.kind != kindNone, typeOf(l.kind).shape == shapeTyped && l.elem.kind != kindNone:
		return fmt.Sprintf("%s[%s]", name, l.elem.short())
	case l.kind == tDamage:
		return "damage"
	}
	return name
}
