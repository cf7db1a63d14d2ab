package themes

import (
	"math"
	"strconv"
)

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

// lab returns a colour's CIELAB coordinates.
func lab(c Color) [3]float64 {
	x, y, z := xyz(c)
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	fx, fy, fz := f(x/0.9505), f(y), f(z/1.089)
	return [3]float64{116*fy - 16, 500 * (fx - fy), 200 * (fy - fz)}
}

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
