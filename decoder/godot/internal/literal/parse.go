package literal

import (
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
)

const (
	MaxLiteral      = 1 << 30 // bytes of a literal
	maxLiteralDepth = 1024    // levels of nesting in it
)

// A parser reads literals of a dialect.
type parser struct {
	lexer
	d     *types.Dialect
	depth int
}

// Parse parses text, which holds one value and nothing else. Errors are of type
// *edit.SyntaxError.
func Parse(d *types.Dialect, text string) (Literal, error) {
	if len(text) > MaxLiteral {
		return Literal{}, Errorf(0, "a literal has at most 1 GiB")
	}
	p := parser{lexer: lexer{text: text}, d: d}
	l, err := p.value()
	if err == nil && p.peek() != 0 {
		err = Errorf(p.at, "the value ends before this")
	} else if err == nil && p.at < len(text) {
		err = Errorf(p.at, "a NUL is written \\u0000, within quotes")
	}
	return l, err
}

// Values returns a function that parses the next of the values that follow one another in
// text; more is false after the last.
func Values(d *types.Dialect, text string) (next func() (l Literal, more bool, err error)) {
	p := parser{lexer: lexer{text: text}, d: d}
	return func() (l Literal, more bool, err error) {
		switch {
		case len(text) > MaxLiteral:
			return l, true, Errorf(0, "a text has at most 1 GiB")
		case p.peek() == 0 && p.at == len(text):
			return l, false, nil
		}
		l, err = p.value()
		return l, true, err
	}
}

// ParseNumber parses text, which holds one number and nothing else.
func ParseNumber(text string) (Literal, error) {
	x := lexer{text: text}
	l := Literal{Kind: types.Float, End: int32(len(text))}
	if IsSpecial(text) {
		return l, nil
	}
	var err error
	if l.Kind, err = x.number(); err == nil && x.at < len(text) {
		err = Errorf(x.at, "the number ends before this")
	}
	return l, err
}

// value parses the next value.
func (p *parser) value() (Literal, error) {
	c := p.peek()
	start := p.at
	l := Literal{At: int32(start)}
	var err error
	switch {
	case c == '"':
		l.Kind, l.Parts = types.String, &Parts{}
		l.Text, err = p.quoted()
	case c == '&' || c == '^':
		p.at++
		l.Kind, l.Parts = types.StringName, &Parts{}
		if c == '^' {
			l.Kind = types.NodePath
		}
		l.Text, err = p.quoted()
	case c == '[' || c == '{':
		l, err = p.container(l)
	case c == '#':
		l, err = p.hexColor(l)
	case c == '<':
		l, err = p.damage(l)
	case IsDigit(c) || c == '.' || c == '-' && !p.isMinusInf():
		l.Kind, err = p.number()
	case IsWord(c) || c == '-':
		l, err = p.named(l)
	case p.at == len(p.text):
		err = Errorf(p.at, "a value is expected here")
	default:
		err = Errorf(p.at, "this does not begin a value")
	}
	if err == nil && l.Kind < types.Raw && !p.d.Has(l.Kind) {
		err = Errorf(start, "%s has no %s", p.d.Title, types.Of(l.Kind).Name)
	}
	l.End = int32(p.at)
	return l, err
}

// isMinusInf reports whether -inf is next, given that a minus is.
func (p *parser) isMinusInf() bool { return p.at+1 < len(p.text) && p.text[p.at+1] == 'i' }

// damage parses <code>, which Write writes for bytes that cannot be read.
func (p *parser) damage(l Literal) (Literal, error) {
	p.at++
	start := p.at
	for p.at < len(p.text) && (IsWord(p.text[p.at]) || p.text[p.at] == '-') {
		p.at++
	}
	l.Kind, l.Parts = Damage, &Parts{Text: []byte(p.text[start:p.at])}
	return l, p.expect('>')
}

// named parses a value that begins with a word.
func (p *parser) named(l Literal) (Literal, error) {
	start := p.at
	p.skip("-")
	p.word()
	word := p.text[start:p.at]
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
		return l, Errorf(start, "there is no type %s; quote text: %s", variant.Printable([]byte(word)), Quote([]byte(word[:min(len(word), 80)])))
	}
	l.Kind, l.Parts = t, &Parts{}
	if !p.d.Has(t) {
		return l, nil // value reports it
	}
	return p.typed(l, word)
}

// list parses items, separated by commas, up to the closing byte. A comma may follow
// the last.
func (p *parser) list(closing byte, item func() error) error {
	return p.nested(func() error {
		for !p.accept(closing) {
			if err := item(); err != nil {
				return err
			}
			if !p.accept(',') && p.peek() != closing {
				return Errorf(p.at, "a comma or %q is expected here", closing)
			}
		}
		return nil
	})
}

// nested parses one level of nesting.
func (p *parser) nested(inside func() error) error {
	if p.depth++; p.depth > maxLiteralDepth {
		return Errorf(p.at, "a literal nests at most %d levels deep", maxLiteralDepth)
	}
	defer func() { p.depth-- }()
	return inside()
}

// container parses […] and {…}.
func (p *parser) container(l Literal) (Literal, error) {
	if l.Parts == nil {
		l.Parts = &Parts{}
	}
	if p.accept('[') {
		l.Kind = types.Array
		return l, p.list(']', func() error { return p.child(l.Parts) })
	}
	l.Kind = types.Dictionary
	if err := p.expect('{'); err != nil {
		return l, err
	}
	return l, p.list('}', func() error { return p.pair(l.Parts) })
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
	if err := p.expect(':'); err != nil {
		return err
	}
	return p.child(to)
}
