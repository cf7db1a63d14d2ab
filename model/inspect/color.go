package inspect

import (
	"fmt"
	"strconv"
	"strings"
)

// RGB returns a colour with components from 0 to 1 as bytes. Components outside that range are clamped,
// as on a screen.
func RGB(c [4]float64) (rgb [3]byte) {
	for i := range rgb {
		rgb[i] = byte(max(0, min(c[i], 1))*255 + 0.5)
	}
	return rgb
}

// Unhex returns the colour that Hex has written as s.
func Unhex(s string) (c [4]float64) {
	digits, _ := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if len(s) == len("#rrggbb") {
		digits = digits<<8 | 0xff
	}
	for i := range c {
		c[i] = float64(digits>>(24-8*i)&0xff) / 0xff
	}
	return c
}

// Hex returns a colour as #rrggbb, or as #rrggbbaa where it is not opaque.
func Hex(c [4]float64) string {
	rgb := RGB(c)
	if alpha := byte(max(0, min(c[3], 1))*255 + 0.5); alpha != 255 {
		return fmt.Sprintf("#%x%02x", rgb, alpha)
	}
	return fmt.Sprintf("#%x", rgb)
}

// HexLike is Hex in the case of another one, with the level of alpha if that has one.
func HexLike(c [4]float64, other string) string {
	s := Hex(c)
	if len(other) > len(s) {
		s += "ff"
	}
	if strings.ToUpper(other) == other {
		s = strings.ToUpper(s)
	}
	return s
}
