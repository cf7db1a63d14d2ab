package flags

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/model/bytesize"
)

// A Func is a flag whose values are passed to a function. They are not shown.
type Func struct {
	Kind string // what the help calls a value
	Take func(value string) error
}

// String implements pflag.Value.
func (Func) String() string { return "" }

// Type implements pflag.Value.
func (f Func) Type() string { return f.Kind }

// Set implements pflag.Value.
func (f Func) Set(value string) error { return f.Take(value) }

// A OneOf is a flag that takes one of several words.
type OneOf struct {
	Value *string
	Among []string
}

// String implements pflag.Value.
func (o OneOf) String() string {
	if o.Value == nil {
		return ""
	}
	return *o.Value
}

// Type implements pflag.Value.
func (o OneOf) Type() string { return "WORD" }

// Set implements pflag.Value.
func (o OneOf) Set(s string) error {
	if !slices.Contains(o.Among, s) {
		return fmt.Errorf("one of %s", strings.Join(o.Among, ", "))
	}
	*o.Value = s
	return nil
}

// A ByteCount is a flag that counts bytes, decimal or with 0x before it.
type ByteCount struct {
	N   *int64
	min int64
}

// String implements pflag.Value.
func (b ByteCount) String() string {
	if b.N == nil || *b.N == 0 {
		return ""
	}
	return strconv.FormatInt(*b.N, 10)
}

// Type implements pflag.Value; it is shown in the help.
func (b ByteCount) Type() string { return "N" }

// Set implements pflag.Value.
func (b ByteCount) Set(s string) error {
	n, err := parseBytes(s)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return errors.New("not a number of bytes like 500 or 0x1f4")
	case err != nil:
		return err
	case n < b.min:
		return errors.New("at least " + strconv.FormatInt(b.min, 10) + " byte must be left to read")
	}
	*b.N = n
	return nil
}

// parseBytes parses a number, decimal or hexadecimal with 0x. The error is strconv.ErrSyntax for a text
// that is not a number.
func parseBytes(s string) (int64, error) {
	digits, base := s, 10
	if hex, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	switch {
	case strings.HasPrefix(s, "-"):
		return 0, errors.New("it cannot be negative")
	case errors.Is(err, strconv.ErrRange), n > math.MaxInt64:
		return 0, errTooLong
	case err != nil:
		return 0, strconv.ErrSyntax
	}
	return int64(n), nil
}

var errTooLong = errors.New("no file is that long")

// A ByteSize is a flag for a size, which may have a unit: 64M, 2G.
type ByteSize struct{ Size *int64 }

// String implements pflag.Value.
func (b ByteSize) String() string {
	if b.Size == nil || *b.Size == 0 {
		return ""
	}
	n, unit := *b.Size, ""
	for _, u := range []string{"K", "M", "G", "T"} {
		if n%1024 != 0 {
			break
		}
		n, unit = n/1024, u
	}
	return strconv.FormatInt(n, 10) + unit
}

// Type implements pflag.Value; it is shown in the help.
func (b ByteSize) Type() string { return "SIZE" }

// Set implements pflag.Value. Units are powers of 1024: K, M, G, T, also as Ki or KiB.
func (b ByteSize) Set(s string) error {
	number, shift := bytesize.CutUnit(s)
	n, err := parseBytes(number)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return errors.New("not a size like 500000, 64M or 2G")
	case err != nil:
		return err
	case n == 0:
		return errors.New("a size is at least 1 byte")
	case n > math.MaxInt64>>shift:
		return errTooLong
	}
	*b.Size = n << shift
	return nil
}
