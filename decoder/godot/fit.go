package godot

import (
	"errors"
	"fmt"

	"varview/decoder/tree"
)

// A want is what a container lets in.
type want struct {
	t    typeID
	name string // of the type
	any  bool
}

var anything = want{any: true}

// takes reports whether a value of type t may stand there.
func (w want) takes(t typeID) bool {
	return w.any || t == w.t || w.t == tObject && t == tNil
}

// wants is what parent lets stand at a slot.
func (f *Format) wants(parent *tree.Value, slot tree.Slot) want {
	id := uint32(0)
	switch parent.Type {
	case tArray:
		id = parent.Sub & 0xff
	case tDictionary:
		if id = parent.Sub & 0xff; !slot.Key {
			id = parent.Sub >> 8 & 0xff
		}
	case tTypedArray, tPackedTypedArray:
		id = parent.Sub + 1
	}
	switch {
	case id <= 1: // untyped, or typed as Variant
		return anything
	case id == anyObject:
		return want{t: tObject, name: "Object"}
	}
	w := want{t: f.Dialect.typeOf(id - 1), name: f.Dialect.typeName(id - 1)}
	w.any = w.t == tUnknown
	return w
}

// want is what a containerType lets in.
func (c containerType) want() want {
	switch c.kind {
	case kindClass, kindScript:
		return want{t: tObject, name: "Object"}
	case kindBuiltin:
		if t, ok := typeByName(c.name); ok && t != tNil {
			return want{t: t, name: c.name}
		}
	}
	return anything
}

// fitIn is the i-th of what a literal holds, as its container wants it.
func (f *Format) fitIn(l *literal, i int) (literal, error) {
	c := l.elem
	if l.kind == tDictionary && i%2 == 1 {
		c = l.value
	}
	if c.kind == kindNone {
		return l.kids[i], nil
	}
	kid, fits := fit(l.kids[i], c.want())
	if !fits {
		return kid, fail(int(kid.at), "%s", refusal(l.typeText(), c.want().name, kid.typeText()))
	}
	return kid, nil
}

// fit is a literal as somebody wants it: an int becomes a float.
func fit(l literal, w want) (literal, bool) {
	if l.kind == tInt && w.t == tFloat && !w.any {
		l.kind = tFloat
	}
	return l, w.takes(l.kind)
}

func refusal(container, wanted, is string) string {
	return fmt.Sprintf("%s holds %s, this is %s", container, wanted, is)
}

// refused is the error that parent does not let a type in.
func (e *editing) refused(parent *tree.Value, slot tree.Slot, is string) error {
	container := string(e.f.AppendType(nil, e.w, parent))
	return errors.New(refusal(container, e.f.wants(parent, slot).name, is))
}
