package literal

import (
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/types"
)

// typed reads a container with types.
func (p *parser) typed(l *Literal, t Token) bool {
	if p.own && !p.d.Typed {
		p.refuse(t.At, t.End, fmt.Sprintf("%s has no typed %s", p.d.Title, t.Text))
		return false
	}
	of, ok := p.typedHead(l, t)
	if !ok {
		return false
	}
	open := Kind('[')
	if l.Kind == types.Dictionary {
		open = '{'
	}
	bracket, ok := p.expect(open, string(rune(open)))
	if !ok || !p.container(l, bracket) || !p.close() {
		return false
	}
	for i := range l.Children {
		if !p.own {
			p.put(&l.Children[i], of[i%len(of)])
		}
	}
	return true
}

// put judges a value that is put into a typed container.
func (p *parser) put(l *Literal, of types.Constraint) {
	if message, fits := p.Convert(l.Kind, p.b[l.At:l.End], of); message != "" {
		p.report(Finding{At: int(l.At), End: int(l.End), Element: !fits, Message: message})
	}
}

// typedHead reads the types of a container, and the parenthesis after them.
func (p *parser) typedHead(l *Literal, t Token) (of []types.Constraint, ok bool) {
	said := []*types.ContainerType{&l.Elem, &l.Value}
	if l.Kind == types.Array {
		said = said[:1]
	}
	if _, ok = p.expect('[', "["); !ok {
		return nil, false
	}
	for i, c := range said {
		if i > 0 {
			if _, ok = p.expect(',', ", after the type of keys"); !ok {
				return nil, false
			}
		}
		var fits types.Constraint
		if p.own {
			*c, ok = p.containerType()
		} else {
			fits, ok = p.elementType(string(t.Text))
		}
		if !ok {
			return nil, false
		}
		of = append(of, fits)
	}
	if _, ok = p.expect(']', "]"); ok {
		_, ok = p.expect('(', "(")
	}
	return of, ok
}

// containerType reads the type of elements in a literal: a type, a class, Resource("path") for a
// script, Variant for anything. A class with the name of a type is quoted.
func (p *parser) containerType() (c types.ContainerType, ok bool) {
	t := p.Next()
	name, from := string(t.Text), p.At
	switch {
	case t.Kind == Text:
		return types.ContainerType{Kind: types.KindClass, Name: name}, true
	case !p.is(t, Word, "a type or class"):
		return c, false
	case name == "Variant":
		return c, true
	case name == "Resource" || name == "ExtResource" && p.d.Has(types.ExtResource):
		if p.Next().Kind == '(' {
			path, ok := p.text()
			c = types.ContainerType{Kind: types.KindScript, Name: string(path)}
			if name == "ExtResource" {
				c = types.ContainerType{Kind: types.KindBuiltin, Name: "ExtResource(" + Quote(path) + ")"}
			}
			return c, ok && p.close()
		}
	case name == "type": // an id without a type
		if n := p.Next(); n.Kind == Number {
			id, err := strconv.ParseUint(string(n.Text), 10, 32)
			if err != nil {
				p.refuse(n.At, n.End, "the number of a type must fit 32 bits")
			}
			return p.d.ContainerNumbered(uint32(id)), err == nil
		}
	}
	p.At = from
	id, ok := p.d.TypeNamed(name)
	switch {
	case !ok:
		return types.ContainerType{Kind: types.KindClass, Name: name}, true
	case !p.d.Has(id):
		p.refuse(t.At, t.End, p.d.Title+" has no "+types.Of(id).Name)
		return c, false
	}
	return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(id).Name}, true
}

// typedArray reads the type and the elements of TypedArray(T, …).
func (p *parser) typedArray(l *Literal) (ok bool) {
	if l.Elem, ok = p.containerType(); ok && l.Elem.Kind == types.KindScript {
		p.refuse(p.At-1, p.At, fmt.Sprintf("a %s must hold a type or a class", types.Of(l.Kind).Name))
	}
	t := p.Next()
	if !ok || t.Kind == ')' {
		return ok
	}
	return p.is(t, ',', ", or )") && p.list(l.Parts, ')', p.value)
}

// elementType reads the type of what is in a container as an engine does.
func (p *parser) elementType(container string) (of types.Constraint, ok bool) {
	t, ok := p.expect(Word, "the name of a type")
	if !ok {
		return of, false
	}
	if isIn(string(t.Text), "Resource SubResource ExtResource") {
		from := p.At
		if open := p.Next(); open.Kind == '(' {
			return types.Constraint{T: types.Object, Name: string(t.Text)}, p.resource(&Literal{Kind: types.Resource})
		}
		p.At = from
	}
	if of = p.TypeOf(string(t.Text)); of.Any && of.Name != "Variant" {
		p.changes(t.At, t.End, "there is no type "+of.Name+": the "+strings.ToLower(container)+" becomes one of any values")
	} else if of.T == types.Object && !of.Any && of.Name != "Object" && !isIn(of.Name, knownClasses) {
		p.report(Finding{At: t.At, End: t.End, Perhaps: true, Message: "unless the engine itself has a class " + of.Name + ", the " + strings.ToLower(container) + " becomes one of any values"})
	}
	return of, true
}
