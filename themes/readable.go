package themes

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/lucasb-eyer/go-colorful"
)

// readable is the least contrast of text in a selected row, of WCAG 2.
const readable = 4.5

// Readable returns how a role is drawn with the 256 colours of a terminal, where colours are seen as others: text so that
// it can be read in a selected row.
func (t Theme) Readable(role Role, seen func(Color) Color) Style {
	s := t.Style(role)
	if s.Background != "" {
		s.Background = groundOf256(s.Background, seen)
	} else if s.Foreground != "" && role != Border {
		var under []Color
		for _, ground := range []Role{Selection, Unfocused} {
			if c := t.Style(ground).Background; c != "" {
				under = append(under, groundOf256(c, seen))
			}
		}
		s.Foreground = nearest256(s.Foreground, under)
	}
	return s
}

// groundOf256 returns the colour of a background. Terminals have greys, which are nearer than what is seen.
func groundOf256(c Color, seen func(Color) Color) Color {
	const almostGrey = 5
	if v := lab(c); math.Hypot(v[1], v[2]) < almostGrey {
		return nearest256(c, nil)
	}
	return seen(c)
}

// nearest256 returns the colour of a terminal that looks most like another, of those that can be read on backgrounds.
func nearest256(like Color, under []Color) Color {
	own, nearest, least := lab(like), like, math.Inf(1)
	for _, c := range palette() {
		d := math.Hypot(2*(own[0]-c.lab[0]), math.Hypot(own[1]-c.lab[1], own[2]-c.lab[2])) // as light, before as colourful
		if d < least && !slices.ContainsFunc(under, func(ground Color) bool { return contrast(c.Color, ground) < readable }) {
			nearest, least = c.Color, d
		}
	}
	return nearest
}

// A shown is a colour of a terminal.
type shown struct {
	Color
	lab [3]float64
}

// palette are the colours of a terminal of 256 that users do not choose: a cube of 6 × 6 × 6, and 24 greys.
var palette = sync.OnceValue(func() (all []shown) {
	add := func(r, g, b int) {
		c := Color(fmt.Sprintf("#%02x%02x%02x", r, g, b))
		all = append(all, shown{c, lab(c)})
	}
	levels := [...]int{0, 0x5f, 0x87, 0xaf, 0xd7, 0xff}
	for i := range 6 * 6 * 6 {
		add(levels[i/36], levels[i/6%6], levels[i%6])
	}
	for grey := 8; grey <= 238; grey += 10 {
		add(grey, grey, grey)
	}
	return all
})

// In16 returns how a role is drawn with the 16 colours of a terminal, which users choose themselves: red is for what
// is wrong, and nothing vanishes in a selected row but padding, which is as dark as its background in a dark theme.
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
	case role == Selection:
		s, foreground, background = Style{Reverse: true}, none, none
	case role == Unfocused:
		background = ground
	case role == Padding || role == Terminator:
		foreground = darkGrey
	case role == Dim || foreground == ground && role != Border:
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
	v := parsed(s.Foreground)
	return max(v.R, v.G, v.B)-min(v.R, v.G, v.B) < 0.2
}

// parsed returns a colour's components.
func parsed(c Color) colorful.Color {
	is, err := colorful.Hex(string(c))
	if err != nil {
		panic(err)
	}
	return is
}

// lab returns a colour's CIELAB coordinates (white D65), the lightness from 0 to 100.
func lab(c Color) [3]float64 {
	l, a, b := parsed(c).Lab()
	return [3]float64{100 * l, 100 * a, 100 * b}
}

// contrast is WCAG 2's contrast ratio, 1 to 21.
func contrast(a, b Color) float64 {
	_, ya, _ := parsed(a).Xyz()
	_, yb, _ := parsed(b).Xyz()
	return (max(ya, yb) + 0.05) / (min(ya, yb) + 0.05)
}
