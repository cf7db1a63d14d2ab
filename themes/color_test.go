package themes

import (
	"math"

	"github.com/lucasb-eyer/go-colorful"
)

// difference is the distance in CIELAB; about 2 is just noticeable side by
// side.
func difference(a, b Color) float64 {
	p, q := lab(a), lab(b)
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// chroma is a colour's distance from grey in CIELAB: how loud it is.
func chroma(c Color) float64 {
	p := lab(c)
	return math.Hypot(p[1], p[2])
}

const byMost = "as most see it"

// sights are how colours are seen: by most people, and in full by those who lack one kind of cones, as
// matrices over linear RGB (Machado, Oliveira, Fernandes 2009).
var sights = map[string][3][3]float64{
	byMost:         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a colour as it is seen.
func seen(sight [3][3]float64, c Color) Color {
	r, g, b := parsed(c).LinearRgb()
	var to [3]float64
	for i, row := range sight {
		to[i] = min(1, max(0, row[0]*r+row[1]*g+row[2]*b))
	}
	return Color(colorful.LinearRgb(to[0], to[1], to[2]).Hex())
}
