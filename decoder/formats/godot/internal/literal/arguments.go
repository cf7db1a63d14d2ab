package literal

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// components reads the numbers of a vector or of a packed array, or what stands for them.
func (p *parser) components(l *Literal, t Token) bool {
	is, from := types.Of(l.Kind), p.At
	if ended, ok := p.instead(l, is); ended {
		return ok && p.close()
	}
	if p.At = from; p.own && is.Shape == types.ShapeFixed {
		l.Children = make([]Literal, 0, is.Each())
	}
	count, ended, ok := 0, false, false
	if p.own {
		ended, ok = p.digits(l.Parts)
		count = len(l.Children)
	}
	if !ended {
		ok = p.items(')', p.own, func(t Token) bool {
			n, ok := p.component(t, is.Comp)
			p.add(l, n)
			count++
			return ok
		})
	}
	return ok && p.counts(is, t, count)
}

// instead reads bytes as text, or in a literal a colour in digits. It reports whether there is one of them.
func (p *parser) instead(l *Literal, is *types.Type) (ended, ok bool) {
	switch {
	case p.encoded && is.Shape == types.ShapeBytes:
		t := p.Next()
		return t.Kind == Text, t.Kind == Text && p.base64(t)
	case p.own && l.Kind == types.Color:
		t := p.Next()
		if t.Kind == Text {
			t.At++
		}
		ended = t.Kind == Color || t.Kind == Text
		return ended, ended && p.color(l, t)
	}
	return false, false
}

// digits reads numbers of a literal that are written in digits, as most are. It reports whether the closing parenthesis or an
// error ended them.
func (p *parser) digits(to *Parts) (ended, ok bool) {
	x := p.lexer
	inside, _, _ := bytes.Cut(p.b[p.At:], []byte{')'})
	to.Children = slices.Grow(to.Children, bytes.Count(inside, []byte{','})+1)
	for x.At = p.At; x.BeginsNumber(); {
		l := Literal{Kind: types.Int, At: int32(x.At)}
		if x.Number() {
			l.Kind = types.Float
		}
		l.End = int32(x.At)
		to.Children = append(to.Children, l)
		if p.At = x.At; !p.accepts(',') {
			return true, p.is(p.Next(), ')', ", or )")
		}
		x.At = p.At
	}
	return false, true
}

// counts judges the number of numbers in a value.
func (p *parser) counts(is *types.Type, t Token, count int) bool {
	each := is.Each()
	switch isFixed := is.Shape == types.ShapeFixed; {
	case isFixed && count == each || !isFixed && count%each == 0:
		return true
	case p.own:
		p.refuse(p.At-1, p.At, is.CountMismatch(string(t.Text), int64(count)))
	case isFixed:
		p.refuse(t.At, p.At, fmt.Sprintf("%s has %s, not %d", is.Name, span.Counted(int64(each), "number"), count))
	default:
		p.changes(t.At, p.At, fmt.Sprintf("an element of %s has %s: the last %d vanish", is.Name, span.Counted(int64(each), "number"), count%each))
		return true
	}
	return false
}

// component reads a number in a constructor, which becomes one of a type.
func (p *parser) component(t Token, is types.ID) (l Literal, ok bool) {
	l = Literal{Kind: types.Float, At: int32(t.At), End: int32(t.End)}
	if t.Kind == Word && isIn(string(t.Text), p.floats) {
		if types.Of(is).Name != "float" && !p.own {
			p.changes(t.At, t.End, string(t.Text)+" is not a whole number")
		}
		return l, true
	}
	if !p.is(t, Number, "a number") {
		return l, false
	}
	if !t.Float {
		l.Kind = types.Int
	}
	if !p.own {
		if text, same, exact := numberAs(l.Kind, string(t.Text), is); !same || !exact {
			p.changes(t.At, t.End, "it becomes "+text)
		}
	}
	return l, true
}

func (p *parser) base64(t Token) bool {
	_, err := base64.StdEncoding.DecodeString(string(bytes.ReplaceAll(p.b[t.At+1:t.End-1], []byte(" "), nil)))
	if err != nil {
		p.refuse(t.At, t.End, "base64 is expected")
	}
	return err == nil
}

// color judges a colour in digits. Literals have those of 8 bits for each part.
func (p *parser) color(l *Literal, t Token) bool {
	digits, isColor := bytes.CutPrefix(t.Text, []byte("#"))
	n := len(digits)
	switch {
	case !p.own:
		if !isIn(strconv.Itoa(n), colors) {
			p.changes(t.At, t.End, "this is no colour: it becomes black")
		}
		return true
	case !isColor:
		p.refuse(t.At, t.End, "a colour is #rrggbb or #rrggbbaa")
	case bytes.IndexFunc(digits, func(c rune) bool { return c > 0x7f || !notation.IsHex(byte(c)) }) >= 0:
		p.refuse(t.At, t.End, "a colour is #rrggbb or #rrggbbaa in hex digits")
	case !isIn(strconv.Itoa(n), colors):
		p.refuse(t.At, t.End, fmt.Sprintf("a colour must be #rrggbb or #rrggbbaa, not %d digits", n))
	default:
		if n < len("rrggbb") {
			digits = twice(digits)
		}
		p.keep(l, digits)
		return true
	}
	return false
}

// twice returns digits, each of them twice.
func twice(digits []byte) (all []byte) {
	for _, c := range digits {
		all = append(all, c, c)
	}
	return all
}

// rid reads the id of a RID.
func (p *parser) rid(l *Literal, t Token) (ok bool) {
	n := p.Next()
	if n.Kind == ')' && (p.own || p.emptyRID) {
		return true
	}
	switch {
	case p.own && !p.d.RIDHasID:
		p.refuse(n.At, n.End, p.d.Title+" does not store the id of a RID; it must be written RID()")
		return false
	case p.own:
		l.ID, ok = p.unsigned(n)
		return ok && p.close()
	case !p.emptyRID:
		p.changes(t.At, n.End, "it becomes the number in it")
	}
	return p.is(n, Number, "a number") && p.close()
}

// unsigned returns a 64-bit number without sign.
func (p *parser) unsigned(t Token) (n uint64, ok bool) {
	n, err := strconv.ParseUint(string(t.Text), 0, 64)
	if t.Kind != Number || err != nil {
		p.refuse(t.At, t.End, "an id must be a number from 0 to 18446744073709551615")
		return 0, false
	}
	return n, true
}

func (p *parser) signal(l *Literal) bool {
	t := p.Next()
	if t.Kind == ')' || !p.own {
		return p.is(t, ')', ")")
	}
	ok := p.is(t, Text, "a text in quotes")
	if l.Text = t.Text; ok {
		_, ok = p.expect(',', ",")
	}
	if ok {
		l.ID, ok = p.unsigned(p.Next())
	}
	return ok && p.close()
}

// resource reads a path, an id, or a path and a UID, which literals lack.
func (p *parser) resource(l *Literal) (ok bool) {
	t := p.Next()
	switch {
	case p.own && t.Kind == Number:
		n, ok := p.unsigned(t)
		l.Text = strconv.AppendUint(nil, n, 10)
		return ok && p.close()
	case (t.Kind != Number || l.Kind == types.Resource) && !p.is(t, Text, "a text in quotes"):
		return false
	}
	p.keep(l, t.Text)
	if t = p.Next(); t.Kind == ',' && !p.own {
		if _, ok := p.text(); !ok {
			return false
		}
		t = p.Next()
	}
	return p.is(t, ')', ")")
}

// class reads the class of an object, and the comma that has to follow it in engines.
func (p *parser) class(t Token) (ends, ok bool) {
	if !(p.own && t.Kind == Text) && !p.is(t, Word, "the name of a class") {
		return false, false
	}
	if len(t.Text) == 0 {
		p.refuse(t.At, t.End, "an object without a class must be written Object()")
		return false, false
	}
	comma := p.Next()
	if comma.Kind == ')' && p.own {
		return true, true
	}
	return false, p.is(comma, ',', ", after the class")
}

// object reads a class and properties. Literals have the class in quotes too, or are an object that is stored as its id.
func (p *parser) object(l *Literal) bool {
	t := p.Next()
	if p.own && t.Kind == ')' {
		return true
	}
	ends, ok := p.class(t)
	if !ok {
		return false
	}
	l.Text, l.Whole = t.Text, true
	if !ends && !p.pairs(l.Parts, ')', p.property) {
		return false
	}
	if p.own && t.Kind == Word && string(l.Text) == types.EncodedObject && len(l.Children) == 2 && string(l.Children[0].Text) == types.ObjectID && !p.d.NoFlags {
		id := &l.Children[1]
		if n, err := notation.ParseInt(p.lexer.Text[id.At:id.End]); err == nil && id.Kind == types.Int {
			*l.Parts = Parts{ID: uint64(n), ByID: true}
		}
	}
	return true
}

// property reads the name of a property.
func (p *parser) property(t Token) (l Literal, ok bool) {
	if !p.is(t, Text, "the name of a property in quotes") {
		return l, false
	}
	return Literal{Kind: types.String, At: int32(t.At), End: int32(t.End), Parts: &Parts{Text: t.Text}}, true
}

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
