package literal

import (
	"strconv"

	"varview/decoder/godot/internal/types"
	"varview/decoder/notation"
)

// typedContainer parses Array[T]([…]) and Dictionary[K, V]({…}).
func (p *parser) typedContainer(l Literal, name string) (Literal, error) {
	if !p.d.Typed {
		return l, l.Errorf("%s has no typed %s", p.d.Title, name)
	}
	if err := p.Expect('['); err != nil {
		return l, err
	}
	var err error
	if l.Elem, err = p.containerType(); err != nil {
		return l, err
	}
	if l.Kind == types.Dictionary {
		if err = p.Expect(','); err != nil {
			return l, err
		}
		if l.Value, err = p.containerType(); err != nil {
			return l, err
		}
	}
	if err = p.Expect(']'); err != nil {
		return l, err
	}
	opening := byte('[')
	if l.Kind == types.Dictionary {
		opening = '{'
	}
	return p.inParentheses(l, name+"[…]", func() error {
		if p.Peek() != opening {
			return notation.Errorf(p.At, "%q is expected here", opening)
		}
		_, err := p.container(l)
		return err
	})
}

// containerType parses the type of elements: a type, a class, Resource("path") for a
// script, Variant for anything. A class with the name of a type is quoted.
func (p *parser) containerType() (c types.ContainerType, err error) {
	quoted := p.Peek() == '"'
	start := p.At
	name, err := p.class("a type or class")
	if err != nil {
		return c, err
	}
	switch {
	case quoted:
		return types.ContainerType{Kind: types.KindClass, Name: string(name)}, nil
	case string(name) == "Resource" && p.Accept('('):
		path, err := p.Quoted()
		if err != nil {
			return c, err
		}
		return types.ContainerType{Kind: types.KindScript, Name: string(path)}, p.Expect(')')
	case string(name) == "Variant":
		return c, nil
	case string(name) == "ExtResource" && p.d.Has(types.ExtResource) && p.Accept('('):
		id, err := p.Quoted()
		if err != nil {
			return c, err
		}
		return types.ContainerType{Kind: types.KindBuiltin, Name: "ExtResource(" + Quote(id) + ")"}, p.Expect(')')
	case string(name) == "type" && notation.IsDigit(p.Peek()): // an id without a type
		digits := p.At
		p.Digits()
		id, err := strconv.ParseUint(p.Text[digits:p.At], 10, 32)
		if err != nil {
			return c, notation.Errorf(digits, "the number of a type fits 32 bits")
		}
		return p.d.ContainerNumbered(uint32(id)), nil
	}
	t, ok := p.d.TypeNamed(string(name))
	if !ok {
		return types.ContainerType{Kind: types.KindClass, Name: string(name)}, nil
	}
	if !p.d.Has(t) {
		return c, notation.Errorf(start, "%s has no %s", p.d.Title, types.Of(t).Name)
	}
	return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(t).Name}, nil
}

// typedArray parses the type and the elements of TypedArray(T, …).
func (p *parser) typedArray(l Literal) (err error) {
	if l.Elem, err = p.containerType(); err != nil {
		return err
	}
	if l.Elem.Kind == types.KindScript {
		return notation.Errorf(p.At-1, "a %s holds a type or a class", types.Of(l.Kind).Name)
	}
	return p.Nested(func() error {
		for p.Accept(',') && p.Peek() != ')' {
			if err := p.child(l.Parts); err != nil {
				return err
			}
		}
		return nil
	})
}
