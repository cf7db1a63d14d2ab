package output

import (
	"strconv"

	"varview/decoder/span"
)

// SizeText returns a size for people: 12.4 KiB (12,684 bytes).
func SizeText(n int64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	exact := span.Bytes(n)
	if n < 1024 {
		return exact
	}
	x, unit := float64(n)/1024, 0
	for x >= 1024 && unit < len(units)-1 {
		x, unit = x/1024, unit+1
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " " + units[unit] + " (" + exact + ")"
}
