package themes

import (
	"fmt"
	"math"
	"strconv"
)

const (
	readable   = 4.5  // least contrast of text in a selected row, of WCAG 2
	almostGrey = 0.09 // largest difference of the parts of a colour that is taken for a grey
)

// Readable returns how a role is drawn where colours are seen as others: darker, or lighter in a dark theme, until it
// can be read in a selected row.
func (t Theme) Readable(role Role, seen func(Color) Color) Style {
	s := t.Style(role)
	if s.Foreground == "" || s.Background != "" || role == Border {
		return s
	}
	if v := rgb(s.Foreground); max(v[0], v[1], v[2])-min(v[0], v[1], v[2]) < almostGrey { // terminals have greys, but few colours near to them
		grey := int(math.Round(255 * (v[0] + v[1] + v[2]) / 3))
		s.Foreground = Color(fmt.Sprintf("#%02x%02x%02x", grey, grey, grey))
	}
	for _, ground := range []Role{Selection, Unfocused} {
		under := t.Style(ground).Background
		for i := 0; under != "" && i < 20 && contrast(seen(s.Foreground), seen(under)) < readable; i++ {
			s.Foreground = shade(s.Foreground, t.IsDark())
		}
	}
	return s
}

// In16 returns how a role is drawn with the 16 colours of a terminal, which users choose themselves: red is for what
// is wrong, and nothing vanishes in a selected row.
func (t Theme) In16(role Role, nearest func(Color) int) (s Style, foreground, background int) {
	const none, black, red, yellow, grey, darkGrey, white = -1, 0, 1, 3, 7, 8, 15
	s, foreground, background = t.Style(role), none, none
	if s.Foreground != "" {
		foreground = nearest(s.Foreground)
	}
	if s.Background != "" {
		background = nearest(s.Background)
	}
	ground, quiet, ink := grey, darkGrey, black
	if t.IsDark() {
		ground, quiet, ink = darkGrey, grey, white
	}
	switch {
	case role == Selection || role == Unfocused:
		background = ground
	case role == Dim || role == Padding || role == Terminator || foreground == ground && role != Border:
		foreground = quiet
	case foreground%8 == red && role != Error && role != Removed:
		foreground = yellow
	case t.isInk(role): // of which the nearest may be any colour
		foreground = ink
	}
	return s, foreground, background
}

// isInk reports whether a role is drawn in what is hardly a colour, on the usual ground.
func (t Theme) isInk(role Role) bool {
	s := t.Style(role)
	if s.Foreground == "" || role == Border || s.Background != "" && role != Background {
		return false
	}
	v := rgb(s.Foreground)
	return max(v[0], v[1], v[2])-min(v[0], v[1], v[2]) < 0.2
}

// shade returns a colour that is a little darker, or lighter.
func shade(c Color, lighter bool) Color {
	v, to := rgb(c), 0.0
	if lighter {
		to = 1
	}
	for i := range v {
		v[i] += (to - v[i]) * 0.08
	}
	return Color(fmt.Sprintf("#%02x%02x%02x", int(math.Round(v[0]*255)), int(math.Round(v[1]*255)), int(math.Round(v[2]*255))))
}

// rgb returns the components of a colour, 0 to 1.
func rgb(c Color) [3]float64 {
	n, err := strconv.ParseUint(string(c[1:]), 16, 32)
	if err != nil {
		panic(err)
	}
	return [3]float64{float64(n>>16) / 255, float64(n>>8&0xff) / 255, float64(n&0xff) / 255}
}

// xyz returns a colour's CIE XYZ coordinates (sRGB, white D65); Y is WCAG's
// relative luminance.
func xyz(c Color) (x, y, z float64) {
	components := rgb(c)
	for i, v := range components {
		if v <= 0.04045 {
			components[i] = v / 12.92
		} else {
			components[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	r, g, b := components[0], components[1], components[2]
	return 0.4124*r + 0.3576*g + 0.1805*b,
		0.2126*r + 0.7152*g + 0.0722*b,
		0.0193*r + 0.1192*g + 0.9505*b
}

// contrast is WCAG 2's contrast ratio, 1 to 21.
func contrast(a, b Color) float64 {
	_, ya, _ := xyz(a)
	_, yb, _ := xyz(b)
	return (max(ya, yb) + 0.05) / (min(ya, yb) + 0.05)
}
