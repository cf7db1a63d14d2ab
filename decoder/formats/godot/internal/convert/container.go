package convert

import (
	"fmt"
	"slices"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// container begins an Array, Dictionary or TypedArray.
func (c *converter) container(v *tree.Value, to types.ID) {
	elem, value := c.from.ContainerTypes(c.w, v)
	typed := c.to.Dialect.Typed
	if to == types.Array && elem.Kind != types.KindNone && c.to.Dialect.Has(types.TypedArray) {
		to = types.TypedArray
	}
	typed = typed || to == types.TypedArray
	l := literal.Literal{Kind: to, Parts: &literal.Parts{Elem: c.elements(elem, typed), Value: c.elements(value, typed)}}
	if l.Elem.Kind == types.KindNone && elem.Kind != types.KindNone || l.Value.Kind == types.KindNone && value.Kind != types.KindNone {
		name := types.Of(v.Type).Name
		c.note(v, fmt.Sprintf("a typed %s becomes an untyped one", name))
		if to == types.TypedArray && c.to.Dialect.Has(types.Array) {
			l.Kind = types.Array
		}
	}
	c.ContainerHeader(&l)
	in := level{accepts: l.Elem.Constraint()}
	if v.Type == types.Dictionary {
		in.accepts, in.keys = l.Value.Constraint(), l.Elem.Constraint()
	}
	c.open(v, in)
}

// elements returns the type that a container declares for its elements, in the other dialect; typed says
// whether that dialect has typed containers.
func (c *converter) elements(is types.ContainerType, typed bool) (none types.ContainerType) {
	if !typed || is.Kind == types.KindNone {
		return none
	}
	named := c.to.Dialect.Typed // classes and scripts, as in Godot 4
	switch {
	case is.Kind == types.KindScript && named:
		return is
	case is.Kind == types.KindClass && is.Name == types.EncodedObject && !named:
		return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(types.Object).Name}
	case is.Kind == types.KindClass:
		is.Name = string(c.className([]byte(is.Name)))
		return is
	case is.Kind != types.KindBuiltin:
		return none
	}
	t, known := types.TypeByName(is.Name)
	if t == types.Object && named {
		return types.ContainerType{Kind: types.KindClass, Name: types.EncodedObject}
	}
	to, ok := c.counterpart(t)
	same, _ := c.to.Dialect.TypeNamed(is.Name)
	if !known || !ok || to != same { // the new type depends on its numbers
		return none
	}
	return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(to).Name}
}

// object writes an object that is stored as its id or is null, or what precedes the properties of one.
func (c *converter) object(v *tree.Value) error {
	if c.event == tree.Atom {
		c.Header(types.Object, uint32(v.Flags&c.from.Dialect.KnownFlags(types.Object)))
		return c.payload(v) // of 4 or 8 bytes
	}
	c.Header(types.Object, 0)
	n := int64(c.w.U32(v.Head + 4))
	is := slices.Clone(c.w.View(v.Head+8, min(n, maxClass)))
	if class := c.className(is); string(class) != string(is) {
		c.note(v, fmt.Sprintf("the class %s is called %s", tree.Prose(is), tree.Prose(class)))
		c.PutString(class)
	} else if err := c.copy(c.w, v.Head+4, 4+n+types.Pad(n)); err != nil {
		return err
	}
	c.open(v, level{accepts: types.Constraint{Any: true}})
	return nil
}

// maxClass is greater than the length of every engine's class names.
const maxClass = 256

// className returns the name of a class in the other engine.
func (c *converter) className(class []byte) []byte {
	names := original
	switch {
	case four(c.from) == four(c.to):
		return class
	case four(c.to):
		names = renamed
	}
	if name, ok := names()[string(class)]; ok {
		return []byte(name)
	}
	return class
}

// nodePath writes a NodePath, with the counts of its names, which follow.
func (c *converter) nodePath(v *tree.Value) error {
	c.Header(types.NodePath, 0)
	if c.event == tree.Atom { // the old form, one string
		return c.payload(v)
	}
	err := c.copy(c.w, v.Head+4, v.Body-v.Head-4)
	c.levels = append(c.levels, level{typ: v.Type, count: v.Count, key: c.scan.Slot().Key, accepts: types.Constraint{T: types.String}})
	return err
}
