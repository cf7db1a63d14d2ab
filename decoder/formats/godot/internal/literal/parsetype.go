package literal

import (
	"strconv"

	"varview/decoder/engine/lazy"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// typed parses the rest of a value that begins with the name of a type.
func (p *parser) typed(l *Literal, name string) {
	var inside func(l *Literal)
	switch types.Of(l.Kind).Shape {
	case types.ShapeArray, types.ShapeDict:
		p.typedContainer(l, name)
		return
	case types.ShapeStrings:
		p.elements(l, name, p.entry)
		return
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		p.numbers(l, name)
		return
	case types.ShapeNumber, types.ShapeBool:
		p.Fail(int(l.At), "%s must be written without its name", name)
	case types.ShapeReference:
		inside = p.reference
	case types.ShapeText, types.ShapePath:
		inside = func(l *Literal) { l.Text = p.Quoted() }
	case types.ShapeTyped:
		inside = p.typedArray
	case types.ShapeRID:
		inside = p.rid
	case types.ShapeObject:
		inside = p.object
	case types.ShapeSignal:
		inside = p.signal
	case types.ShapeNone:
		inside = func(*Literal) {}
		if l.Kind == types.Nil {
			p.Fail(int(l.At), "the value of type Nil must be written null")
		}
	default:
		p.Fail(int(l.At), "%s cannot be written", name)
	}
	p.inParentheses(l, name, inside)
}

// open consumes the parenthesis after a name.
func (p *parser) open(name string) {
	if !p.Accept('(') {
		p.Fail(p.At, "%q is expected after %s", '(', name)
	}
}

func (p *parser) inParentheses(l *Literal, name string, inside func(l *Literal)) {
	if p.open(name); p.Err == nil {
		inside(l)
		p.Expect(')')
	}
}

func (p *parser) entry(to *Parts) {
	if p.Peek() != '"' {
		p.Fail(p.At, "a text in quotes is expected")
	}
	p.child(to)
}

// reference parses the id of a resource: a text or, as Godot 3 writes it, a number.
func (p *parser) reference(l *Literal) {
	if p.Peek() == '"' {
		l.Text = p.Quoted()
	} else {
		l.Text = strconv.AppendUint(nil, p.unsigned(), 10)
	}
}

func (p *parser) rid(l *Literal) {
	switch {
	case p.Peek() == ')':
	case !p.d.RIDHasID:
		p.Fail(p.At, "%s does not store the id of a RID; it must be written RID()", p.d.Title)
	default:
		l.ID = p.unsigned()
	}
}

func (p *parser) signal(l *Literal) {
	if p.Peek() != ')' {
		l.Text = p.Quoted()
		p.Expect(',')
		l.ID = p.unsigned()
	}
}

// unsigned parses a 64-bit number without sign.
func (p *parser) unsigned() (n uint64) {
	isDigit, start, err := notation.IsDigit(p.Peek()), p.At, error(nil)
	if isDigit {
		p.Number()
		n, err = strconv.ParseUint(p.Text[start:p.At], 0, 64)
	}
	if !isDigit || err != nil {
		p.Fail(start, "an id must be a number from 0 to 18446744073709551615")
	}
	return n
}

// numbers parses the components of a vector, or of all elements of a packed array.
func (p *parser) numbers(l *Literal, name string) {
	if at := p.At; l.Kind == types.Color {
		if p.Accept('(') && (p.Peek() == '"' || p.Peek() == '#') {
			p.textColor(l)
			return
		}
		p.At = at
	}
	p.elements(l, name, p.component)
	if message := types.Of(l.Kind).CountMismatch(name, int64(len(l.Children))); message != "" {
		p.Fail(p.At-1, "%s", message)
	}
}

// elements parses the items of a packed array.
func (p *parser) elements(l *Literal, name string, item func(to *Parts)) {
	p.open(name)
	p.List(')', func() { item(l.Parts) })
}

// component parses a component of a vector, or a number in a packed array.
func (p *parser) component(to *Parts) {
	p.Peek()
	l := Literal{Kind: types.Float, At: int32(p.At)}
	if p.BeginsNumber() {
		l.Kind = number(&p.Lexer)
	} else {
		p.Skip("-")
		p.Word()
		if !IsSpecial(p.Text[l.At:p.At]) {
			p.Fail(int(l.At), "a number is expected")
		}
	}
	l.End = int32(p.At)
	to.Children = append(to.Children, l)
}

var digit = lazy.Regexp(`.`)

// hexColor parses #rrggbb and #rrggbbaa, and their short forms #rgb and #rgba.
func (p *parser) hexColor(l *Literal) {
	start := p.At
	p.At++
	word := p.Word()
	if len(word) == 3 || len(word) == 4 {
		word = digit().ReplaceAllString(word, "$0$0")
	}
	l.Kind, l.Parts = types.Color, &Parts{Text: []byte(word)}
	for _, c := range []byte(word) {
		if !notation.IsHex(c) {
			p.Fail(start, "a colour is #rrggbb or #rrggbbaa in hex digits")
		}
	}
	if len(word) != 6 && len(word) != 8 {
		p.Fail(start, "a colour must be #rrggbb or #rrggbbaa, not %d digits", len(word))
	}
}

// textColor parses the inside of Color("#rrggbb") and Color(#rrggbb).
func (p *parser) textColor(l *Literal) {
	quoted := p.Accept('"')
	if p.Peek() != '#' {
		p.Fail(p.At, "a colour is #rrggbb or #rrggbbaa")
		return
	}
	if p.hexColor(l); quoted {
		p.Expect('"')
	}
	p.Expect(')')
}
