package literal

import (
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
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
	l := p.value()
	p.End(notation.EndsBefore)
	return l, p.Err
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
		l = p.value()
		return l, true, p.Err
	}
}

// ParseNumber parses text, which holds one number and nothing else.
func ParseNumber(text string) (Literal, error) {
	x := notation.Lexer{Text: text}
	l := Literal{Kind: types.Float, End: int32(len(text))}
	if IsSpecial(text) {
		return l, nil
	}
	if l.Kind = number(&x); x.At < len(text) {
		x.Fail(x.At, "the number ends before this")
	}
	return l, x.Err
}

// number parses a number and returns its type: an int or a float.
func number(x *notation.Lexer) types.ID {
	if x.Number() {
		return types.Float
	}
	return types.Int
}

// value parses the next value.
func (p *parser) value() Literal {
	c := p.Peek()
	l := Literal{At: int32(p.At)}
	switch {
	case c == '"':
		l.Kind, l.Parts = types.String, &Parts{Text: p.Quoted()}
	case c == '&':
		p.At++
		l.Kind, l.Parts = types.StringName, &Parts{Text: p.Quoted()}
	case c == '^':
		p.At++
		l.Kind, l.Parts = types.NodePath, &Parts{Text: p.Quoted()}
	case c == '[' || c == '{':
		l.Parts = &Parts{}
		p.container(&l)
	case c == '#':
		p.hexColor(&l)
	case c == '<':
		p.damage(&l)
	case p.BeginsNumber():
		l.Kind = number(&p.Lexer)
	case notation.IsWord(c) || c == '-':
		p.named(&l)
	case p.At == len(p.Text):
		p.Fail(p.At, "a value is expected here")
	default:
		p.Fail(p.At, "this does not begin a value")
	}
	if l.Kind < types.Raw && !p.d.Has(l.Kind) {
		p.Fail(int(l.At), "%s has no %s", p.d.Title, types.Of(l.Kind).Name)
	}
	l.End = int32(p.At)
	return l
}

// damage parses <code>, which Write writes for bytes that cannot be read.
func (p *parser) damage(l *Literal) {
	p.At++
	start := p.At
	for p.At < len(p.Text) && (notation.IsWord(p.Text[p.At]) || p.Text[p.At] == '-') {
		p.At++
	}
	l.Kind, l.Parts = Damage, &Parts{Text: []byte(p.Text[start:p.At])}
	p.Expect('>')
}

// named parses a value that begins with a word.
func (p *parser) named(l *Literal) {
	p.Skip("-")
	p.Word()
	word := p.Text[l.At:p.At]
	switch {
	case word == "null":
		return
	case word == "true" || word == "false":
		l.Kind, l.Parts = types.Bool, &Parts{}
		if word == "true" {
			l.ID = 1
		}
		return
	case IsSpecial(word):
		l.Kind = types.Float
		return
	}
	t, ok := p.d.TypeNamed(word)
	if !ok {
		p.Fail(int(l.At), "%s is neither a type, true, false nor null; quote text: %s", variant.Printable([]byte(word)), Quote([]byte(word[:min(len(word), 80)])))
	}
	l.Kind, l.Parts = t, &Parts{}
	if p.d.Has(t) { // otherwise value reports it
		p.typed(l, word)
	}
}

// container parses […] and {…}.
func (p *parser) container(l *Literal) {
	if p.Accept('[') {
		l.Kind = types.Array
		p.List(']', func() { p.child(l.Parts) })
		return
	}
	l.Kind = types.Dictionary
	p.Expect('{')
	p.List('}', func() {
		p.child(l.Parts)
		p.Expect(':')
		p.child(l.Parts)
	})
}

func (p *parser) child(to *Parts) { to.Children = append(to.Children, p.value()) }
