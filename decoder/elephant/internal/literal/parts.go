package literal

import (
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/span"
)

// prefixed reads what is in the parentheses after a datatype.
func (p *literalParser) prefixed(l *Literal, name string) {
	if l.Of = datatype.ByName(name); l.Of == 0 || l.Of > datatype.Text {
		p.fail(l.At, "%s is not a datatype; they are u8 s8 u16 s16 u32 s32 u64 f16 f32 f64 bool string text", Shown(name))
		return
	}
	p.Accept('(')
	p.Peek()
	at := p.At
	switch {
	case datatype.IsText(l.Of):
		if l.Shape = Text; p.Peek() != '"' {
			p.fail(p.At, `%s holds "text" in quotes`, name)
			return
		}
		l.Text = p.quoted()
	case l.Of == datatype.Bool:
		l.Shape = Bool
		switch word := p.identifier(); word {
		case "true":
			l.Num = Numeral{Whole: true, Magnitude: 1}
		case "false":
			l.Num = Numeral{Whole: true}
		default:
			p.fail(at, "bool holds true or false")
		}
	default:
		l.Num = p.number()
		if p.err == nil {
			if _, err := l.Num.As(l.Of); err != "" {
				p.fail(at, "%s", err)
			}
		}
	}
	if p.err == nil && !p.Accept(')') {
		p.fail(p.At, "a ) is expected after the value in %s(", name)
	}
}

func (p *literalParser) array(l *Literal, depth int) {
	l.Shape = Array
	p.Accept('[')
	for p.err == nil && !p.Accept(']') {
		if len(l.Items) > 0 && !p.Accept(',') {
			p.fail(p.At, "a comma or ] is expected in an array")
			return
		}
		if p.Peek() == ']' {
			continue // a comma after the last item
		}
		l.Items = append(l.Items, p.value(depth+1))
	}
}

func (p *literalParser) structure(l *Literal, depth int) {
	l.Shape, l.Text = Struct, nil
	if l.Ctor != nil && len(l.Ctor.Name) > block.MaxName {
		p.fail(l.At, "the name of a constructor has at most %s", span.Bytes(block.MaxName))
		return
	}
	p.Accept('{')
	for p.err == nil && !p.Accept('}') {
		if len(l.Items) > 0 && !p.Accept(',') {
			p.fail(p.At, "a comma or } is expected in a struct")
			return
		}
		if p.Peek() == '}' {
			continue
		}
		name := p.name()
		if p.err == nil && !p.Accept(':') {
			p.fail(p.At, "a colon is expected after the name of a member")
			return
		}
		l.Names = append(l.Names, name)
		l.Items = append(l.Items, p.value(depth+1))
	}
}
