package types

import (
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
)

// A ContainerType is the declared type of the keys, values or elements of a typed
// container.
type ContainerType struct {
	Kind uint16
	Name string // type, class or script path
}

// Kinds of container types, as the bits 16–17 of a header have them for an Array's
// elements or a Dictionary's keys, and bits 18–19 for a Dictionary's values.
const (
	KindNone = iota
	KindBuiltin
	KindClass
	KindScript
)

// ContainerKinds are the names of the kinds in JSON, by KindNone, KindBuiltin and so on.
var ContainerKinds = [...]string{"", "type", "class", "script"}

// Text returns the notation of var_to_str: int, Resource, Resource("res://item.gd"), Variant.
func (c ContainerType) Text() string {
	switch c.Kind {
	case KindClass:
		return className(c.Name)
	case KindScript:
		return "Resource(" + string(tree.AppendQuoted(nil, []byte(c.Name))) + ")"
	case KindNone:
		return "Variant"
	}
	return c.Name
}

// className returns the notation of an element class: in quotes unless it is an identifier that is not a
// type. A class name in a file may be any text.
func className(name string) string {
	if _, isType := TypeByName(name); !isType && name != "Variant" && tree.IsIdentifier([]byte(name)) {
		return name
	}
	return string(tree.AppendQuoted(nil, []byte(name)))
}

// Short returns the name for a row of the tree; for a script only the file.
func (c ContainerType) Short() string {
	name := c.Name
	if c.Kind == KindScript {
		for i := len(name) - 1; i >= 0; i-- {
			if name[i] == '/' {
				name = name[i+1:]
				break
			}
		}
	}
	if name == "" {
		name = "Variant"
	}
	return string(tree.AppendEscaped(nil, []byte(name), 0))
}

// Constraint returns what a container of this type accepts.
func (c ContainerType) Constraint() Constraint {
	switch c.Kind {
	case KindClass, KindScript:
		return Constraint{T: Object, Name: "Object"}
	case KindBuiltin:
		if t, ok := TypeByName(c.Name); ok && t != Nil {
			return Constraint{T: t, Name: c.Name}
		}
	}
	return Constraint{Any: true}
}

// A Constraint is what a container accepts at a slot: values of one type, or any.
type Constraint struct {
	T    ID
	Name string // name of the type
	Any  bool
}

// Allows reports whether a value of type t is accepted. A container of objects
// accepts null.
func (w Constraint) Allows(t ID) bool {
	return w.Any || t == w.T || w.T == Object && t == Nil
}

// ContainerNamed returns the container type that a name alone means in a container of type t.
func (d *Dialect) ContainerNamed(t ID, name string) ContainerType {
	if id, ok := d.TypeNamed(name); ok && d.Has(id) {
		return ContainerType{KindBuiltin, Of(id).Name}
	}
	digits, isNumber := strings.CutPrefix(name, "type ")
	if id, err := strconv.ParseUint(digits, 10, 32); isNumber && err == nil {
		return d.ContainerNumbered(uint32(id))
	}
	switch {
	case name == "" || name == "Variant":
		return ContainerType{}
	case strings.Contains(name, "/") && Of(t).Shape != ShapeTyped:
		return ContainerType{KindScript, name}
	}
	return ContainerType{KindClass, name}
}

// ContainerNumbered returns the builtin container type with an id. An id without a type is named by its
// number.
func (d *Dialect) ContainerNumbered(id uint32) ContainerType {
	return ContainerType{KindBuiltin, d.ElementName(id)}
}

// BuiltinID returns the id of a builtin container type.
func (d *Dialect) BuiltinID(c ContainerType) uint32 {
	if t, ok := TypeByName(c.Name); ok {
		id, _ := d.IDOf(t)
		return id
	}
	id, _ := strconv.ParseUint(c.Name[len("type "):], 10, 32)
	return uint32(id)
}
