package literal

import (
	"strconv"

	"varview/decoder/godot/internal/types"
)

// hexColor parses #rrggbb and #rrggbbaa.
func (p *parser) hexColor(l Literal) (Literal, error) {
	start := p.at
	p.at++
	word := p.word()
	l.Kind, l.Parts = types.Color, &Parts{Text: []byte(word)}
	for _, c := range []byte(word) {
		if !IsHex(c) {
			return l, Errorf(start, "a colour is #rrggbb or #rrggbbaa in hex digits")
		}
	}
	if len(word) != 6 && len(word) != 8 {
		return l, Errorf(start, "a colour is #rrggbb or #rrggbbaa, here are %d digits", len(word))
	}
	return l, nil
}

// textColor parses the inside of Color("#rrggbb") and Color(#rrggbb).
func (p *parser) textColor(l Literal) (Literal, error) {
	quoted := p.accept('"')
	if p.peek() != '#' {
		return l, Errorf(p.at, "a colour is #rrggbb or #rrggbbaa")
	}
	l, err := p.hexColor(l)
	if err == nil && quoted {
		err = p.expect('"')
	}
	if err == nil {
		err = p.expect(')')
	}
	return l, err
}

// typed parses the rest of a value that begins with the name of a type.
func (p *parser) typed(l Literal, name string) (Literal, error) {
	switch shape := types.Of(l.Kind).Shape; shape {
	case types.ShapeArray, types.ShapeDict:
		return p.typedContainer(l, name)
	case types.ShapeText, types.ShapePath:
		return p.inParentheses(l, name, func() (err error) {
			l.Text, err = p.quoted()
			return err
		})
	case types.ShapeNumber, types.ShapeBool:
		return l, Errorf(int(l.At), "%s is written without its name", name)
	case types.ShapeTyped:
		return p.inParentheses(l, name, func() error { return p.typedArray(l) })
	case types.ShapeRID:
		return p.inParentheses(l, name, func() error { return p.rid(l) })
	case types.ShapeObject:
		return p.inParentheses(l, name, func() error { return p.object(l) })
	case types.ShapeSignal:
		return p.inParentheses(l, name, func() error { return p.signal(l) })
	case types.ShapeStrings:
		return l, p.elements(l, name, p.entry)
	case types.ShapeNone:
		if l.Kind == types.Nil {
			return l, Errorf(int(l.At), "the value of type Nil is written null")
		}
		return p.inParentheses(l, name, func() error { return nil })
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		if at := p.at; l.Kind == types.Color {
			if p.accept('(') && (p.peek() == '"' || p.peek() == '#') {
				return p.textColor(l)
			}
			p.at = at
		}
		return l, p.numbers(l, name)
	}
	return l, Errorf(int(l.At), "%s cannot be written", name)
}

// open consumes the parenthesis after a name.
func (p *parser) open(name string) error {
	if !p.accept('(') {
		return Errorf(p.at, "%q is expected behind %s", '(', name)
	}
	return nil
}

func (p *parser) inParentheses(l Literal, name string, inside func() error) (Literal, error) {
	if err := p.open(name); err != nil {
		return l, err
	}
	if err := inside(); err != nil {
		return l, err
	}
	return l, p.expect(')')
}

// elements parses the items of a packed array.
func (p *parser) elements(l Literal, name string, item func(to *Parts) error) error {
	if err := p.open(name); err != nil {
		return err
	}
	return p.list(')', func() error { return item(l.Parts) })
}

func (p *parser) entry(to *Parts) error {
	if p.peek() != '"' {
		return Errorf(p.at, "a text in quotes is expected")
	}
	return p.child(to)
}

// component parses a component of a vector, or a number in a packed array.
func (p *parser) component(to *Parts) error {
	c := p.peek()
	l := Literal{Kind: types.Float, At: int32(p.at)}
	if IsDigit(c) || c == '.' || c == '-' && !p.isMinusInf() {
		var err error
		if l.Kind, err = p.number(); err != nil {
			return err
		}
	} else {
		p.skip("-")
		p.word()
		if !IsSpecial(p.text[l.At:p.at]) {
			return Errorf(int(l.At), "a number is expected")
		}
	}
	l.End = int32(p.at)
	to.Children = append(to.Children, l)
	return nil
}

// numbers parses the components of a vector, or of all elements of a packed array.
func (p *parser) numbers(l Literal, name string) error {
	if err := p.elements(l, name, p.component); err != nil {
		return err
	}
	if message := types.Of(l.Kind).CountMismatch(name, int64(len(l.Children))); message != "" {
		return Errorf(p.at-1, "%s", message)
	}
	return nil
}

// unsigned parses a 64-bit number without sign.
func (p *parser) unsigned() (uint64, error) {
	c := p.peek()
	start := p.at
	if IsDigit(c) {
		if _, err := p.number(); err != nil {
			return 0, err
		}
		if n, err := strconv.ParseUint(p.text[start:p.at], 0, 64); err == nil {
			return n, nil
		}
	}
	return 0, Errorf(start, "an id is a number from 0 to 18446744073709551615")
}

func (p *parser) rid(l Literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	if !p.d.RIDHasID {
		return Errorf(p.at, "%s stores no id of a RID; it is written RID()", p.d.Title)
	}
	l.ID, err = p.unsigned()
	return err
}

func (p *parser) signal(l Literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	if l.Text, err = p.quoted(); err != nil {
		return err
	}
	if err = p.expect(','); err == nil {
		l.ID, err = p.unsigned()
	}
	return err
}

// object parses a class and properties, or an id. EncodedObjectAsID in quotes is an
// ordinary class.
func (p *parser) object(l Literal) (err error) {
	if p.peek() == ')' {
		return nil
	}
	start, isWord := p.at, p.peek() != '"'
	if l.Text, err = p.class("the class of the object"); err != nil {
		return err
	}
	if len(l.Text) == 0 {
		return Errorf(start, "an object without a class is written Object()")
	}
	l.Whole = true
	if p.accept(',') {
		if err = p.properties(l); err != nil {
			return err
		}
	}
	if isWord && string(l.Text) == idClass && len(l.Children) == 2 && string(l.Children[0].Text) == IDProperty && !p.d.NoFlags {
		id := &l.Children[1]
		if n, err := ParseInt(p.text[id.At:id.End]); err == nil && id.Kind == types.Int {
			*l.Parts = Parts{ID: uint64(n), ByID: true}
		}
	}
	return nil
}

// idClass and IDProperty are the class and the property that Godot gives an object that
// is stored as its id.
const (
	idClass    = "EncodedObjectAsID"
	IDProperty = "object_id"
)

func (p *parser) properties(l Literal) error {
	for p.peek() != ')' {
		if p.peek() != '"' {
			return Errorf(p.at, "the name of a property is expected, in quotes")
		}
		if err := p.nested(func() error { return p.property(l.Parts) }); err != nil {
			return err
		}
		if !p.accept(',') {
			break
		}
	}
	return nil
}

func (p *parser) property(to *Parts) error {
	start := p.at
	name, err := p.quoted()
	if err != nil {
		return err
	}
	to.Children = append(to.Children, Literal{Kind: types.String, At: int32(start), End: int32(p.at), Parts: &Parts{Text: name}})
	if err = p.expect(':'); err != nil {
		return err
	}
	return p.child(to)
}

// class parses the name of a class: a word, or any quoted text.
func (p *parser) class(what string) ([]byte, error) {
	if p.peek() == '"' {
		return p.quoted()
	}
	start := p.at
	if word := p.word(); word != "" && !IsDigit(word[0]) {
		return []byte(word), nil
	}
	return nil, Errorf(start, "%s is expected", what)
}
