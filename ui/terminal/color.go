package terminal

import (
	"math"
	"strconv"
	"strings"
)

// parseColor parses a colour as XParseColor does: rgb:r/g/b with one to four hexadecimal digits each,
// rgba: with a fourth part that is ignored, or # and three parts of equal length. The components are 0 to
// 1.
func parseColor(spec string) (rgb [3]float64, ok bool) {
	var parts []string
	if digits, found := strings.CutPrefix(spec, "#"); found {
		if n := len(digits) / 3; n*3 == len(digits) {
			parts = []string{digits[:n], digits[n : 2*n], digits[2*n:]}
		}
	} else if rest, found := strings.CutPrefix(spec, "rgba:"); found {
		if parts = strings.Split(rest, "/"); len(parts) == 4 {
			parts = parts[:3]
		}
	} else if rest, found := strings.CutPrefix(spec, "rgb:"); found {
		parts = strings.Split(rest, "/")
	}
	if len(parts) != 3 {
		return rgb, false
	}
	for i, part := range parts {
		if len(part) > 4 {
			return rgb, false
		}
		n, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return rgb, false
		}
		rgb[i] = float64(n) / float64(uint(1)<<(4*len(part))-1)
	}
	return rgb, true
}

// luminance returns the relative luminance of WCAG 2, 0 (black) to 1 (white).
func luminance(rgb [3]float64) float64 {
	for i, v := range rgb {
		if v <= 0.04045 {
			rgb[i] = v / 12.92
		} else {
			rgb[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}

// isDark reports whether white text contrasts more with a background than
// black text: (1+0.05)/(L+0.05) > (L+0.05)/(0+0.05).
func isDark(rgb [3]float64) bool {
	l := luminance(rgb) + 0.05
	return 1.05*0.05 > l*l
}
