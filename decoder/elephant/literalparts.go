package elephant

import "varview/decoder/span"

// prefixed reads what stands in the parentheses behind a datatype.
func (p *literalParser) prefixed(l *literal, name string) {
	if l.of = typeByName(name); l.of == 0 || l.of > tText {
		p.fail(l.at, "%s is no datatype; they are u8 s8 u16 s16 u32 s32 u64 f16 f32 f64 bool string text", shown(name))
		return
	}
	p.take('(')
	p.blanks()
	at := p.at
	switch {
	case isText(l.of):
		if l.shape = ofText; p.next() != '"' {
			p.fail(p.at, `%s holds "text" in quotes`, name)
			return
		}
		l.text = p.quoted()
	case l.of == tBool:
		l.shape = ofBool
		switch word := p.identifier(); word {
		case "true":
			l.num = numeral{whole: true, magnitude: 1}
		case "false":
			l.num = numeral{whole: true}
		default:
			p.fail(at, "bool holds true or false")
		}
	default:
		l.num = p.number()
		if p.err == nil {
			if _, err := l.num.as(l.of); err != "" {
				p.fail(at, "%s", err)
			}
		}
	}
	if p.err == nil && !p.take(')') {
		p.fail(p.at, "a ) is expected behind the value in %s(", name)
	}
}

func (p *literalParser) array(l *literal, depth int) {
	l.shape = ofArray
	p.take('[')
	for p.err == nil && !p.take(']') {
		if len(l.items) > 0 && !p.take(',') {
			p.fail(p.at, "a comma or ] is expected in an array")
			return
		}
		if p.next() == ']' {
			continue // a comma behind the last one
		}
		l.items = append(l.items, p.value(depth+1))
	}
}

func (p *literalParser) structure(l *literal, depth int) {
	l.shape, l.text = ofStruct, nil
	if l.ctor != nil && len(l.ctor.name) > maxName {
		p.fail(l.at, "the name of a constructor has at most %s", span.Bytes(maxName))
		return
	}
	p.take('{')
	for p.err == nil && !p.take('}') {
		if len(l.items) > 0 && !p.take(',') {
			p.fail(p.at, "a comma or } is expected in a struct")
			return
		}
		if p.next() == '}' {
			continue
		}
		name := p.name()
		if p.err == nil && !p.take(':') {
			p.fail(p.at, "a colon is expected behind the name of a member")
			return
		}
		l.names = append(l.names, name)
		l.items = append(l.items, p.value(depth+1))
	}
}
