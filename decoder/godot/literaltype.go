package godot

import (
	"fmt"
	"strconv"
)

// typed parses what stands behind the name of a type.
func (p *parser) typed(l literal, name string) (literal, error) {
	switch shape := typeOf(l.kind).shape; shape {
	case shapeArray, shapeDict:
		return p.typedContainer(l, name)
	case shapeText, shapePath:
		return p.inParentheses(l, name, func() (err error) {
			l.text, err = p.quoted()
			return err
		})
	case shapeNumber, shapeBool:
		return l, fail(int(l.at), "%s is written without its name", name)
	case shapeTyped:
		return p.inParentheses(l, name, func() error { return p.typedArray(l) })
	case shapeRID:
		return p.inParentheses(l, name, func() error { return p.rid(l) })
	case shapeObject:
		return p.inParentheses(l, name, func() error { return p.object(l) })
	case shapeSignal:
		return p.inParentheses(l, name, func() error { return p.signal(l) })
	case shapeStrings:
		return l, p.elements(l, name, p.entry)
	case shapeNone:
		if l.kind == tNil {
			return l, fail(int(l.at), "the value of type Nil is written null")
		}
		return p.inParentheses(l, name, func() error { return nil })
	case shapeFixed, shapePacked, shapeBytes:
		if at := p.at; l.kind == tColor {
			if p.accept('(') && (p.peek() == '"' || p.peek() == '#') {
				return p.textColor(l)
			}
			p.at = at
		}
		return l, p.numbers(l, name)
	}
	return l, fail(int(l.at), "%s cannot be written", name)
}

// open parses the parenthesis behind a name.
func (p *parser) open(name string) error {
	if !p.accept('(') {
		return fail(p.at, "%q is expected behind %s", '(', name)
	}
	return nil
}

func (p *parser) inParentheses(l literal, name string, inside func() error) (literal, error) {
	if err := p.open(name); err != nil {
		return l, err
	}
	if err := inside(); err != nil {
		return l, err
	}
	return l, p.expect(')')
}

// elements parses the items of a packed array.
func (p *parser) elements(l literal, name string, item func(to *parts) error) error {
	if err := p.open(name); err != nil {
		return err
	}
	return p.list(')', func() error { return item(l.parts) })
}

func (p *parser) entry(to *parts) error {
	if p.peek() != '"' {
		return fail(p.at, "a text in quotes is expected")
	}
	return p.kid(to)
}

// aNumber parses a component.
func (p *parser) aNumber(to *parts) error {
	c := p.peek()
	l := literal{kind: tFloat, at: int32(p.at)}
	if isDigit(c) || c == '.' || c == '-' && !p.minusWord() {
		var err error
		if l.kind, err = p.number(); err != nil {
			return err
		}
	} else {
		p.skip("-")
		p.word()
		if !isSpecial(p.text[l.at:p.at]) {
			return fail(int(l.at), "a number is expected")
		}
	}
	l.end = int32(p.at)
	to.kids = append(to.kids, l)
	return nil
}

// numbers parses the components of a vector, or those of all elements of a packed
// array.
func (p *parser) numbers(l literal, name string) error {
	if err := p.elements(l, name, p.aNumber); err != nil {
		return err
	}
	if message := typeOf(l.kind).miscounted(name, int64(len(l.kids))); message != "" {
		return fail(p.at-1, "%s", message)
	}
	return nil
}

// miscounted says that n numbers are not what a vector, or packed array, of the
// type needs, "" if they are. The type is called name.
func (t *typeInfo) miscounted(name string, n int64) string {
	here := "are " + strconv.FormatInt(n, 10)
	if n == 1 {
		here = "is 1"
	}
	switch each := int64(max(1, len(t.parts))); {
	case t.shape == shapeFixed && n != each:
		return fmt.Sprintf("%s needs %d numbers, here %s", name, each, here)
	case n%each != 0:
		return fmt.Sprintf("%s needs %d numbers for each element, here %s", name, each, here)
	}
	return ""
}

// unsigned parses a number of 64 bits without sign.
func (p *parser) unsigned() (uint64, error) {
	c := p.peek()
	start := p.at
	if isDigit(c) {
		if _, err := p.number(); err != nil {
			return 0, err
		}
		if n, err := strconv.ParseUint(p.text[start:p.at], 0, 64); err == nil {
			return n, nil
		}
	}
	return 0, fail(start, "an id is a number from 0 to 18446744073709551615")
}

func (p *parser) rid(l literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	if !p.d.ridHasID {
		return fail(p.at, "%s stores no id of a RID; it is written RID()", p.d.Title)
	}
	l.id, err = p.unsigned()
	return err
}

func (p *parser) signal(l literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	if l.text, err = p.quoted(); err != nil {
		return err
	}
	if err = p.expect(','); err == nil {
		l.id, err = p.unsigned()
	}
	return err
}

// object parses a class and properties, or an id. EncodedObjectAsID in quotes is
// a class like any other.
func (p *parser) object(l literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	start, isWord := p.at, p.peek() != '"'
	if l.text, err = p.class("the class of the object"); err != nil {
		return err
	}
	if len(l.text) == 0 {
		return fail(start, "an object without a class is written Object()")
	}
	l.whole = true
	if p.accept(',') {
		if err = p.properties(l); err != nil {
			return err
		}
	}
	if isWord && string(l.text) == idClass && len(l.kids) == 2 && string(l.kids[0].text) == idProperty && !p.d.noFlags {
		id := &l.kids[1]
		if n, err := parseInt(p.text[id.at:id.end]); err == nil && id.kind == tInt {
			*l.parts = parts{id: uint64(n), byID: true}
		}
	}
	return nil
}

// idClass and idProperty are what Godot makes of an object that is stored as its id.
const (
	idClass    = "EncodedObjectAsID"
	idProperty = "object_id"
)

func (p *parser) properties(l literal) error {
	for p.peek() != ')' {
		if p.peek() != '"' {
			return fail(p.at, "the name of a property is expected, in quotes")
		}
		if err := p.deeper(func() error { return p.property(l.parts) }); err != nil {
			return err
		}
		if !p.accept(',') {
			break
		}
	}
	return nil
}

func (p *parser) property(to *parts) error {
	start := p.at
	name, err := p.quoted()
	if err != nil {
		return err
	}
	to.kids = append(to.kids, literal{kind: tString, at: int32(start), end: int32(p.at), parts: &parts{text: name}})
	if err = p.expect(':'); err != nil {
		return err
	}
	return p.kid(to)
}

// class parses the name of a class: a word, or anything in quotes.
func (p *parser) class(what string) ([]byte, error) {
	if p.peek() == '"' {
		return p.quoted()
	}
	start := p.at
	if word := p.word(); word != "" && !isDigit(word[0]) {
		return []byte(word), nil
	}
	return nil, fail(start, "%s is expected", what)
}
