// Package bytesize writes and reads sizes with units: 64M, 12.4 KiB.
package bytesize

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Format formats a size for people: 812 B, 12.4 KiB, 1.0 GiB.
func Format(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	x, units := float64(n)/1024, "KMGTPE"
	for x >= 1000 && len(units) > 1 {
		x, units = x/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", x, units[0])
}

// Parse reads a size of at least one byte: 500000, 64M, 2G. Units are
// powers of 1024: K, M, G, T, also as Ki or KiB.
func Parse(s string) (int64, error) {
	number, shift := CutUnit(strings.TrimSpace(s))
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	switch {
	case err != nil || n < 1:
		return 0, errors.New("not a size like 500000, 64M or 2G")
	case n > math.MaxInt64>>shift:
		return 0, errors.New("the size is larger than any file can be")
	}
	return n << shift, nil
}

// CutUnit cuts the unit off a size: K, M, G, T, also as Ki or KiB, in any case. The size in bytes is
// number << shift.
func CutUnit(s string) (number string, shift int) {
	upper := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(s), "IB"), "I")
	if last := len(upper) - 1; last >= 0 {
		if unit := strings.IndexByte("KMGT", upper[last]); unit >= 0 {
			return upper[:last], 10 * (unit + 1)
		}
	}
	return s, 0
}
