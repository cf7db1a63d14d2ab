package literal

import (
	"strconv"

	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// typedContainer parses Array[T]([…]) and Dictionary[K, V]({…}).
func (p *parser) typedContainer(l *Literal, name string) {
	if !p.d.Typed {
		p.Fail(int(l.At), "%s has no typed %s", p.d.Title, name)
	}
	p.Expect('[')
	l.Elem = p.containerType()
	opening := byte('[')
	if l.Kind == types.Dictionary {
		p.Expect(',')
		l.Value, opening = p.containerType(), '{'
	}
	p.Expect(']')
	p.inParentheses(l, name+"[…]", func(l *Literal) {
		if p.Peek() != opening {
			p.Fail(p.At, "%q is expected here", opening)
		}
		p.container(l)
	})
}

// containerType parses the type of elements: a type, a class, Resource("path") for a
// script, Variant for anything. A class with the name of a type is quoted.
func (p *parser) containerType() (c types.ContainerType) {
	quoted := p.Peek() == '"'
	start := p.At
	name := string(p.class("a type or class"))
	switch {
	case quoted:
		return types.ContainerType{Kind: types.KindClass, Name: name}
	case name == "Resource" && p.Accept('('):
		c = types.ContainerType{Kind: types.KindScript, Name: string(p.Quoted())}
		p.Expect(')')
		return c
	case name == "Variant":
		return c
	case name == "ExtResource" && p.d.Has(types.ExtResource) && p.Accept('('):
		c = types.ContainerType{Kind: types.KindBuiltin, Name: "ExtResource(" + Quote(p.Quoted()) + ")"}
		p.Expect(')')
		return c
	case name == "type" && notation.IsDigit(p.Peek()): // an id without a type
		digits := p.At
		p.Digits()
		id, err := strconv.ParseUint(p.Text[digits:p.At], 10, 32)
		if err != nil {
			p.Fail(digits, "the number of a type must fit 32 bits")
		}
		return p.d.ContainerNumbered(uint32(id))
	}
	t, ok := p.d.TypeNamed(name)
	if !ok {
		return types.ContainerType{Kind: types.KindClass, Name: name}
	}
	if !p.d.Has(t) {
		p.Fail(start, "%s has no %s", p.d.Title, types.Of(t).Name)
	}
	return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(t).Name}
}

// typedArray parses the type and the elements of TypedArray(T, …).
func (p *parser) typedArray(l *Literal) {
	if l.Elem = p.containerType(); l.Elem.Kind == types.KindScript {
		p.Fail(p.At-1, "a %s must hold a type or a class", types.Of(l.Kind).Name)
	}
	p.Nested(func() {
		for p.Accept(',') && p.Peek() != ')' {
			p.child(l.Parts)
		}
	})
}

// object parses a class and properties, or an id. EncodedObjectAsID in quotes is an
// ordinary class.
func (p *parser) object(l *Literal) {
	if p.Peek() == ')' {
		return
	}
	start, isWord := p.At, p.Peek() != '"'
	if l.Text = p.class("the class of the object"); len(l.Text) == 0 {
		p.Fail(start, "an object without a class must be written Object()")
	}
	l.Whole = true
	for p.Accept(',') && p.Peek() != ')' {
		if p.Peek() != '"' {
			p.Fail(p.At, "the name of a property is expected, in quotes")
		}
		p.Nested(func() {
			name := Literal{Kind: types.String, At: int32(p.At), Parts: &Parts{}}
			name.Text = p.Quoted()
			name.End = int32(p.At)
			l.Children = append(l.Children, name)
			p.Expect(':')
			p.child(l.Parts)
		})
	}
	if p.Err == nil && isWord && string(l.Text) == idClass && len(l.Children) == 2 && string(l.Children[0].Text) == IDProperty && !p.d.NoFlags {
		id := &l.Children[1]
		if n, err := notation.ParseInt(p.Text[id.At:id.End]); err == nil && id.Kind == types.Int {
			*l.Parts = Parts{ID: uint64(n), ByID: true}
		}
	}
}

// idClass and IDProperty are the class and the property that Godot gives an object that is
// stored as its id.
const (
	idClass    = "EncodedObjectAsID"
	IDProperty = "object_id"
)

// class parses the name of a class: a word, or any quoted text.
func (p *parser) class(what string) []byte {
	if p.Peek() == '"' {
		return p.Quoted()
	}
	start := p.At
	word := p.Word()
	if word == "" || notation.IsDigit(word[0]) {
		p.Fail(start, "%s is expected", what)
	}
	return []byte(word)
}
