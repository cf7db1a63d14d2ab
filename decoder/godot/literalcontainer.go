package godot

import (
	"strconv"
)

// typedContainer parses Array[T]([…]) and Dictionary[K, V]({…}).
func (p *parser) typedContainer(l literal, name string) (literal, error) {
	if !p.d.typed {
		return l, fail(int(l.at), "%s has no typed %s", p.d.Title, name)
	}
	if err := p.expect('['); err != nil {
		return l, err
	}
	var err error
	if l.elem, err = p.containerType(); err != nil {
		return l, err
	}
	if l.kind == tDictionary {
		if err = p.expect(','); err != nil {
			return l, err
		}
		if l.value, err = p.containerType(); err != nil {
			return l, err
		}
	}
	if err = p.expect(']'); err != nil {
		return l, err
	}
	opening := byte('[')
	if l.kind == tDictionary {
		opening = '{'
	}
	return p.inParentheses(l, name+"[…]", func() error {
		if p.peek() != opening {
			return fail(p.at, "%q is expected here", opening)
		}
		_, err := p.container(l)
		return err
	})
}

// containerType parses what a container holds: a type, a class, Resource("path")
// for a script, Variant for anything. A class that is called like a type stands
// in quotes.
func (p *parser) containerType() (c containerType, err error) {
	quoted := p.peek() == '"'
	start := p.at
	name, err := p.class("a type or class")
	if err != nil {
		return c, err
	}
	switch {
	case quoted:
		return containerType{kindClass, string(name)}, nil
	case string(name) == "Resource" && p.accept('('):
		path, err := p.quoted()
		if err != nil {
			return c, err
		}
		return containerType{kindScript, string(path)}, p.expect(')')
	case string(name) == "Variant":
		return c, nil
	case string(name) == "type" && isDigit(p.peek()): // one that the dialect has not
		digits := p.at
		p.digits()
		id, err := strconv.ParseUint(p.text[digits:p.at], 10, 32)
		if err != nil {
			return c, fail(digits, "the number of a type fits 32 bits")
		}
		return p.d.containerNumbered(uint32(id)), nil
	}
	t, ok := p.d.typeNamed(string(name))
	if !ok {
		return containerType{kindClass, string(name)}, nil
	}
	if !p.d.has(t) {
		return c, fail(start, "%s has no %s", p.d.Title, typeOf(t).name)
	}
	return containerType{kindBuiltin, typeOf(t).name}, nil
}

// typedArray parses the type and the elements of TypedArray(T, …).
func (p *parser) typedArray(l literal) (err error) {
	if l.elem, err = p.containerType(); err != nil {
		return err
	}
	if l.elem.kind == kindScript {
		return fail(p.at-1, "a %s holds a type or a class", typeOf(l.kind).name)
	}
	return p.deeper(func() error {
		for p.accept(',') && p.peek() != ')' {
			if err := p.kid(l.parts); err != nil {
				return err
			}
		}
		return nil
	})
}

// containerNumbered is the builtin container type that an id stands for, by its name
// where it has one.
func (d *Dialect) containerNumbered(id uint32) containerType {
	return containerType{kindBuiltin, d.elementName(id)}
}

// builtinID is the id that stands for a builtin container type.
func (d *Dialect) builtinID(c containerType) uint32 {
	if t, ok := typeByName(c.name); ok {
		id, _ := d.idOf(t)
		return id
	}
	id, _ := strconv.ParseUint(c.name[len("type "):], 10, 32)
	return uint32(id)
}
