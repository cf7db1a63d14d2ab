package inspect

import "github.com/lucasb-eyer/go-colorful"

// Levels are what can be changed of a colour, with the largest number that is shown of each and its unit: its parts, and
// the same colour by hue, saturation and value.
var Levels = []struct {
	Name string
	Most float64
	Unit string
}{{"red", 255, ""}, {"green", 255, ""}, {"blue", 255, ""}, {"alpha", 255, ""}, {"hue", 360, "°"}, {"saturation", 100, " %"}, {"value", 100, " %"}}

// Level returns how much of one of the Levels a colour of red, green, blue and alpha has, usually from 0 to 1.
func Level(c [4]float64, i int) float64 {
	if i < len(c) {
		return c[i]
	}
	h, s, v := colorful.Color{R: c[0], G: c[1], B: c[2]}.Hsv()
	return [3]float64{h / 360, s, v}[i-len(c)]
}

// WithLevel returns a colour with another amount of one of the Levels, from 0 to 1 or, of a colour brighter than that, to what
// it has.
func WithLevel(c [4]float64, i int, to float64) [4]float64 {
	was := Level(c, i)
	to = max(min(was, 0), min(to, max(was, 1)))
	if i < len(c) {
		c[i] = to
		return c
	}
	hsv := [3]float64{Level(c, 4), Level(c, 5), Level(c, 6)}
	hsv[i-len(c)] = to
	rgb := colorful.Hsv(min(hsv[0]*360, 359.99), hsv[1], hsv[2])
	return [4]float64{rgb.R, rgb.G, rgb.B, c[3]}
}
