package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"varview/model"
)

// A byteCount is a flag that counts bytes, decimal or with 0x before it.
type byteCount struct {
	n   *int64
	min int64
}

// String implements pflag.Value.
func (b byteCount) String() string {
	if b.n == nil || *b.n == 0 {
		return ""
	}
	return strconv.FormatInt(*b.n, 10)
}

// Type implements pflag.Value; it stands in the help.
func (b byteCount) Type() string { return "N" }

// Set implements pflag.Value.
func (b byteCount) Set(s string) error {
	digits, base := s, 10
	if hex, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	switch {
	case strings.HasPrefix(s, "-"):
		return errors.New("it cannot be negative")
	case errors.Is(err, strconv.ErrRange), n > math.MaxInt64:
		return errors.New("no file is that long")
	case err != nil:
		return errors.New("not a number of bytes like 500 or 0x1f4")
	case int64(n) < b.min:
		return errors.New("at least " + strconv.FormatInt(b.min, 10) + " byte must be left to read")
	}
	*b.n = int64(n)
	return nil
}

// sizeText gives a size for people: 12.4 KiB (12,684 bytes).
func sizeText(n int64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	exact := model.ByteCount(n)
	if n < 1024 {
		return exact
	}
	x, unit := float64(n)/1024, 0
	for x >= 1024 && unit < len(units)-1 {
		x, unit = x/1024, unit+1
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " " + units[unit] + " (" + exact + ")"
}
