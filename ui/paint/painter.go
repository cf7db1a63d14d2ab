package paint

import "strings"

// A Painter writes text, and changes the paint only when necessary.
type Painter struct {
	Into *strings.Builder

	in Paint
}

// Put writes text in a paint.
func (p *Painter) Put(style Paint, text string) {
	if style != p.in {
		if p.in != "" {
			p.Into.WriteString(Reset)
		}
		p.Into.WriteString(string(style))
		p.in = style
	}
	p.Into.WriteString(text)
}

// End ends the last paint.
func (p *Painter) End() { p.Put("", "") }
