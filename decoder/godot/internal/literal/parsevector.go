package literal

import (
	"varview/decoder/godot/internal/types"
	"varview/decoder/notation"
)

// numbers parses the components of a vector, or of all elements of a packed array.
func (p *parser) numbers(l Literal, name string) error {
	if err := p.elements(l, name, p.component); err != nil {
		return err
	}
	if message := types.Of(l.Kind).CountMismatch(name, int64(len(l.Children))); message != "" {
		return notation.Errorf(p.At-1, "%s", message)
	}
	return nil
}

// elements parses the items of a packed array.
func (p *parser) elements(l Literal, name string, item func(to *Parts) error) error {
	if err := p.open(name); err != nil {
		return err
	}
	return p.List(')', func() error { return item(l.Parts) })
}

// component parses a component of a vector, or a number in a packed array.
func (p *parser) component(to *Parts) error {
	p.Peek()
	l := Literal{Kind: types.Float, At: int32(p.At)}
	if p.BeginsNumber() {
		var err error
		if l.Kind, err = number(&p.Lexer); err != nil {
			return err
		}
	} else {
		p.Skip("-")
		p.Word()
		if !IsSpecial(p.Text[l.At:p.At]) {
			return l.Errorf("a number is expected")
		}
	}
	l.End = int32(p.At)
	to.Children = append(to.Children, l)
	return nil
}

// hexColor parses #rrggbb and #rrggbbaa.
func (p *parser) hexColor(l Literal) (Literal, error) {
	start := p.At
	p.At++
	word := p.Word()
	l.Kind, l.Parts = types.Color, &Parts{Text: []byte(word)}
	for _, c := range []byte(word) {
		if !notation.IsHex(c) {
			return l, notation.Errorf(start, "a colour is #rrggbb or #rrggbbaa in hex digits")
		}
	}
	if len(word) != 6 && len(word) != 8 {
		return l, notation.Errorf(start, "a colour is #rrggbb or #rrggbbaa, here are %d digits", len(word))
	}
	return l, nil
}

// textColor parses the inside of Color("#rrggbb") and Color(#rrggbb).
func (p *parser) textColor(l Literal) (Literal, error) {
	quoted := p.Accept('"')
	if p.Peek() != '#' {
		return l, notation.Errorf(p.At, "a colour is #rrggbb or #rrggbbaa")
	}
	l, err := p.hexColor(l)
	if err == nil && quoted {
		err = p.Expect('"')
	}
	if err == nil {
		err = p.Expect(')')
	}
	return l, err
}
