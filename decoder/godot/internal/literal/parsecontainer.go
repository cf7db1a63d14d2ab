package literal

import (
	"strconv"

	"varview/decoder/godot/internal/types"
)

// typedContainer parses Array[T]([…]) and Dictionary[K, V]({…}).
func (p *parser) typedContainer(l Literal, name string) (Literal, error) {
	if !p.d.Typed {
		return l, l.Errorf("%s has no typed %s", p.d.Title, name)
	}
	if err := p.expect('['); err != nil {
		return l, err
	}
	var err error
	if l.Elem, err = p.containerType(); err != nil {
		return l, err
	}
	if l.Kind == types.Dictionary {
		if err = p.expect(','); err != nil {
			return l, err
		}
		if l.Value, err = p.containerType(); err != nil {
			return l, err
		}
	}
	if err = p.expect(']'); err != nil {
		return l, err
	}
	opening := byte('[')
	if l.Kind == types.Dictionary {
		opening = '{'
	}
	return p.inParentheses(l, name+"[…]", func() error {
		if p.peek() != opening {
			return Errorf(p.at, "%q is expected here", opening)
		}
		_, err := p.container(l)
		return err
	})
}

// containerType parses the type of elements: a type, a class, Resource("path") for a
// script, Variant for anything. A class with the name of a type is quoted.
func (p *parser) containerType() (c types.ContainerType, err error) {
	quoted := p.peek() == '"'
	start := p.at
	name, err := p.class("a type or class")
	if err != nil {
		return c, err
	}
	switch {
	case quoted:
		return types.ContainerType{Kind: types.KindClass, Name: string(name)}, nil
	case string(name) == "Resource" && p.accept('('):
		path, err := p.quoted()
		if err != nil {
			return c, err
		}
		return types.ContainerType{Kind: types.KindScript, Name: string(path)}, p.expect(')')
	case string(name) == "Variant":
		return c, nil
	case string(name) == "type" && IsDigit(p.peek()): // an id without a type
		digits := p.at
		p.digits()
		id, err := strconv.ParseUint(p.text[digits:p.at], 10, 32)
		if err != nil {
			return c, Errorf(digits, "the number of a type fits 32 bits")
		}
		return p.d.ContainerNumbered(uint32(id)), nil
	}
	t, ok := p.d.TypeNamed(string(name))
	if !ok {
		return types.ContainerType{Kind: types.KindClass, Name: string(name)}, nil
	}
	if !p.d.Has(t) {
		return c, Errorf(start, "%s has no %s", p.d.Title, types.Of(t).Name)
	}
	return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(t).Name}, nil
}

// typedArray parses the type and the elements of TypedArray(T, …).
func (p *parser) typedArray(l Literal) (err error) {
	if l.Elem, err = p.containerType(); err != nil {
		return err
	}
	if l.Elem.Kind == types.KindScript {
		return Errorf(p.at-1, "a %s holds a type or a class", types.Of(l.Kind).Name)
	}
	return p.nested(func() error {
		for p.accept(',') && p.peek() != ')' {
			if err := p.child(l.Parts); err != nil {
				return err
			}
		}
		return nil
	})
}
