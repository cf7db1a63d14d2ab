package types

import (
	"strconv"
	"strings"

	"varview/decoder/tree"
)

// A Want is what a container lets in.
type Want struct {
	T    ID
	Name string // of the type
	Any  bool
}

// Takes reports whether a value of type t may stand there.
func (w Want) Takes(t ID) bool {
	return w.Any || t == w.T || w.T == Object && t == Nil
}

// Want is what a containerType lets in.
func (c ContainerType) Want() Want {
	switch c.Kind {
	case KindClass, KindScript:
		return Want{T: Object, Name: "Object"}
	case KindBuiltin:
		if t, ok := TypeByName(c.Name); ok && t != Nil {
			return Want{T: t, Name: c.Name}
		}
	}
	return Want{Any: true}
}

// ContainerNumbered is the builtin container type that an id stands for, by its name
// where it has one.
func (d *Dialect) ContainerNumbered(id uint32) ContainerType {
	return ContainerType{KindBuiltin, d.ElementName(id)}
}

// BuiltinID is the id that stands for a builtin container type.
func (d *Dialect) BuiltinID(c ContainerType) uint32 {
	if t, ok := TypeByName(c.Name); ok {
		id, _ := d.IDOf(t)
		return id
	}
	id, _ := strconv.ParseUint(c.Name[len("type "):], 10, 32)
	return uint32(id)
}

// ContainerKinds are the names of kindBuiltin and so on.
var ContainerKinds = [...]string{"", "type", "class", "script"}

// ContainerNamed is what the name of a container type alone says in a container
// of type t.
func (d *Dialect) ContainerNamed(t ID, name string) ContainerType {
	if id, ok := d.Named(name); ok && d.Has(id) {
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

// A ContainerType is what a typed container says of its keys, values or
// elements.
type ContainerType struct {
	Kind uint16
	Name string // type, class or script path
}

// Text is how Godot writes it: int, Resource, Resource("res://item.gd"), Variant.
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

// className is how the class of elements is written: in quotes unless it is an
// identifier, as it may hold anything, and where it could be taken for a type.
func className(name string) string {
	if _, isType := TypeByName(name); !isType && name != "Variant" && tree.IsIdentifier([]byte(name)) {
		return name
	}
	return string(tree.AppendQuoted(nil, []byte(name)))
}

// Container types, bits 16–17 for an Array's elements or a Dictionary's keys,
// 18–19 for its values.
const (
	KindNone = iota
	KindBuiltin
	KindClass
	KindScript
)

// Short is the name for a row of the tree: of a script only the file.
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
