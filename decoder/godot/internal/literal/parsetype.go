package literal

import (
	"strconv"

	"varview/decoder/godot/internal/types"
	"varview/decoder/notation"
)

// typed parses the rest of a value that begins with the name of a type.
func (p *parser) typed(l Literal, name string) (Literal, error) {
	switch shape := types.Of(l.Kind).Shape; shape {
	case types.ShapeArray, types.ShapeDict:
		return p.typedContainer(l, name)
	case types.ShapeReference:
		return p.inParentheses(l, name, func() error { return p.reference(l) })
	case types.ShapeText, types.ShapePath:
		return p.inParentheses(l, name, func() (err error) {
			l.Text, err = p.Quoted()
			return err
		})
	case types.ShapeNumber, types.ShapeBool:
		return l, l.Errorf("%s is written without its name", name)
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
			return l, l.Errorf("the value of type Nil is written null")
		}
		return p.inParentheses(l, name, func() error { return nil })
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		if at := p.At; l.Kind == types.Color {
			if p.Accept('(') && (p.Peek() == '"' || p.Peek() == '#') {
				return p.textColor(l)
			}
			p.At = at
		}
		return l, p.numbers(l, name)
	}
	return l, l.Errorf("%s cannot be written", name)
}

// open consumes the parenthesis after a name.
func (p *parser) open(name string) error {
	if !p.Accept('(') {
		return notation.Errorf(p.At, "%q is expected after %s", '(', name)
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
	return l, p.Expect(')')
}

func (p *parser) entry(to *Parts) error {
	if p.Peek() != '"' {
		return notation.Errorf(p.At, "a text in quotes is expected")
	}
	return p.child(to)
}

// reference parses the id of a resource: a text, or as Godot 3 writes it a number.
func (p *parser) reference(l Literal) (err error) {
	if p.Peek() == '"' {
		l.Text, err = p.Quoted()
		return err
	}
	n, err := p.unsigned()
	l.Text = strconv.AppendUint(nil, n, 10)
	return err
}

func (p *parser) rid(l Literal) (err error) {
	if p.Peek() == ')' {
		return nil
	}
	if !p.d.RIDHasID {
		return notation.Errorf(p.At, "%s stores no id of a RID; it is written RID()", p.d.Title)
	}
	l.ID, err = p.unsigned()
	return err
}

func (p *parser) signal(l Literal) (err error) {
	if p.Peek() == ')' {
		return nil
	}
	if l.Text, err = p.Quoted(); err != nil {
		return err
	}
	if err = p.Expect(','); err == nil {
		l.ID, err = p.unsigned()
	}
	return err
}

// unsigned parses a 64-bit number without sign.
func (p *parser) unsigned() (uint64, error) {
	c := p.Peek()
	start := p.At
	if notation.IsDigit(c) {
		if _, err := p.Number(); err != nil {
			return 0, err
		}
		if n, err := strconv.ParseUint(p.Text[start:p.At], 0, 64); err == nil {
			return n, nil
		}
	}
	return 0, notation.Errorf(start, "an id is a number from 0 to 18446744073709551615")
}
