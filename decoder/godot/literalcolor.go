package godot

// hexColor parses #rrggbb and #rrggbbaa.
func (p *parser) hexColor(l literal) (literal, error) {
	start := p.at
	p.at++
	word := p.word()
	l.kind, l.parts = tColor, &parts{text: []byte(word)}
	for _, c := range []byte(word) {
		if !isHex(c) {
			return l, fail(start, "a colour is #rrggbb or #rrggbbaa in hex digits")
		}
	}
	if len(word) != 6 && len(word) != 8 {
		return l, fail(start, "a colour is #rrggbb or #rrggbbaa, here are %d digits", len(word))
	}
	return l, nil
}

// textColor parses what stands in Color("#rrggbb") and Color(#rrggbb).
func (p *parser) textColor(l literal) (literal, error) {
	quoted := p.accept('"')
	if p.peek() != '#' {
		return l, fail(p.at, "a colour is #rrggbb or #rrggbbaa")
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
