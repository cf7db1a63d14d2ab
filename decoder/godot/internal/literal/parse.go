package literal

import (
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/notation"
)

// A parser reads literals of a dialect.
type parser struct {
	notation.Lexer
	d *types.Dialect
}

// Parse parses text, which holds one value and nothing else. Errors are of type
// *edit.SyntaxError.
func Parse(d *types.Dialect, text string) (Literal, error) {
	if len(text) > notation.MaxText {
		return Literal{}, notation.Errorf(0, "a literal has at most 1 GiB")
	}
	p := parser{Lexer: notation.Lexer{Text: text}, d: d}
	l, err := p.value()
	if err == nil {
		err = p.End()
	}
	return l, err
}

// Values returns a function that parses the next of the values that follow one another in
// text; more is false after the last.
func Values(d *types.Dialect, text string) (next func() (l Literal, more bool, err error)) {
	p := parser{Lexer: notation.Lexer{Text: text}, d: d}
	return func() (l Literal, more bool, err error) {
		switch {
		case len(text) > notation.MaxText:
			return l, true, notation.Errorf(0, "a text has at most 1 GiB")
		case p.Peek() == 0 && p.At == len(text):
			return l, false, nil
		}
		l, err = p.value()
		return l, true, err
	}
}

// ParseNumber parses text, which holds one number and nothing else.
func ParseNumber(text string) (Literal, error) {
	x := notation.Lexer{Text: text}
	l := Literal{Kind: types.Float, End: int32(len(text))}
	if IsSpecial(text) {
		return l, nil
	}
	var err error
	if l.Kind, err = number(&x); err == nil && x.At < len(text) {
		err = notation.Errorf(x.At, "the number ends before this")
	}
	return l, err
}

// number parses a number and returns its type: an int or a float.
func number(x *notation.Lexer) (types.ID, error) {
	float, err := x.Number()
	if float {
		return types.Float, err
	}
	return types.Int, err
}

// value parses the next value.
func (p *parser) value() (Literal, error) {
	c := p.Peek()
	start := p.At
	l := Literal{At: int32(start)}
	var err error
	switch {
	case c == '"':
		l.Kind, l.Parts = types.String, &Parts{}
		l.Text, err = p.Quoted()
	case c == '&' || c == '^':
		p.At++
		l.Kind, l.Parts = types.StringName, &Parts{}
		if c == '^' {
			l.Kind = types.NodePath
		}
		l.Text, err = p.Quoted()
	case c == '[' || c == '{':
		l, err = p.container(l)
	case c == '#':
		l, err = p.hexColor(l)
	case c == '<':
		l, err = p.damage(l)
	case p.BeginsNumber():
		l.Kind, err = number(&p.Lexer)
	case notation.IsWord(c) || c == '-':
		l, err = p.named(l)
	case p.At == len(p.Text):
		err = notation.Errorf(p.At, "a value is expected here")
	default:
		err = notation.Errorf(p.At, "this does not begin a value")
	}
	if err == nil && l.Kind < types.Raw && !p.d.Has(l.Kind) {
		err = notation.Errorf(start, "%s has no %s", p.d.Title, types.Of(l.Kind).Name)
	}
	l.End = int32(p.At)
	return l, err
}

// damage parses <code>, which Write writes for bytes that cannot be read.
func (p *parser) damage(l Literal) (Literal, error) {
	p.At++
	start := p.At
	for p.At < len(p.Text) && (notation.IsWord(p.Text[p.At]) || p.Text[p.At] == '-') {
		p.At++
	}
	l.Kind, l.Parts = Damage, &Parts{Text: []byte(p.Text[start:p.At])}
	return l, p.Expect('>')
}

// named parses a value that begins with a word.
func (p *parser) named(l Literal) (Literal, error) {
	start := p.At
	p.Skip("-")
	p.Word()
	word := p.Text[start:p.At]
	switch {
	case word == "null":
		return l, nil
	case word == "true" || word == "false":
		l.Kind, l.Parts = types.Bool, &Parts{}
		if word == "true" {
			l.ID = 1
		}
		return l, nil
	case IsSpecial(word):
		l.Kind = types.Float
		return l, nil
	}
	t, ok := p.d.TypeNamed(word)
	if !ok {
		return l, notation.Errorf(start, "there is no type %s; quote text: %s", variant.Printable([]byte(word)), Quote([]byte(word[:min(len(word), 80)])))
	}
	l.Kind, l.Parts = t, &Parts{}
	if !p.d.Has(t) {
		return l, nil // value reports it
	}
	return p.typed(l, word)
}

// container parses […] and {…}.
func (p *parser) container(l Literal) (Literal, error) {
	if l.Parts == nil {
		l.Parts = &Parts{}
	}
	if p.Accept('[') {
		l.Kind = types.Array
		return l, p.List(']', func() error { return p.child(l.Parts) })
	}
	l.Kind = types.Dictionary
	if err := p.Expect('{'); err != nil {
		return l, err
	}
	return l, p.List('}', func() error { return p.pair(l.Parts) })
}

func (p *parser) child(to *Parts) error {
	v, err := p.value()
	to.Children = append(to.Children, v)
	return err
}

// pair parses a key and its value.
func (p *parser) pair(to *Parts) error {
	if err := p.child(to); err != nil {
		return err
	}
	if err := p.Expect(':'); err != nil {
		return err
	}
	return p.child(to)
}
