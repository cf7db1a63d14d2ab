package condition

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A Number is compared without rounding: an integer has any number of digits, and so has a decimal.
type Number struct {
	digits  string
	float   float64 // the nearest one
	whole   int64
	isWhole bool     // whole is the number
	integer *big.Int // nil unless the number is an integer
}

// ParseNumber reads a number: 42, -1.5, 0x1f, 0b101, 1e3, inf.
func ParseNumber(s string) (n Number, ok bool) {
	if s == "" || !strings.Contains("+-.0123456789i", s[:1]) {
		return n, false
	}
	if strings.ContainsAny(s, "xXbBoO_") {
		i, ok := new(big.Int).SetString(s, 0)
		if ok {
			s = i.String()
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != f {
		return n, false
	}
	n = Number{digits: s, float: f}
	if n.whole, err = strconv.ParseInt(s, 10, 64); err == nil {
		n.isWhole = true
	} else if r := exactly(s, f); r != nil && r.IsInt() {
		n.integer = r.Num()
		n.whole, n.isWhole = n.integer.Int64(), n.integer.IsInt64()
	}
	return n, true
}

// maxExponent is the exponent of 10 from which on a number is taken as its nearest float, since its digits
// would take much memory.
const maxExponent = 400

// exactly returns a finite decimal number; nil if its exponent is too large.
func exactly(s string, f float64) *big.Rat {
	if math.IsInf(f, 0) {
		return nil
	}
	if at := strings.IndexAny(s, "eEpP"); at >= 0 {
		if e, err := strconv.Atoi(s[at+1:]); err != nil || max(e, -e) > maxExponent {
			return new(big.Rat).SetFloat64(f)
		}
	}
	if r, ok := new(big.Rat).SetString(s); ok {
		return r
	}
	return new(big.Rat).SetFloat64(f)
}

// CompareInt compares an integer with the number.
func (n *Number) CompareInt(i int64) int {
	if n.isWhole {
		return cmp.Compare(i, n.whole)
	}
	if order := cmp.Compare(float64(i), n.float); order != 0 {
		return order // rounding keeps the order
	}
	return n.compareRat(new(big.Rat).SetInt64(i))
}

// IsFinite reports whether the number is not infinite.
func (n *Number) IsFinite() bool { return !math.IsInf(n.float, 0) }

// Float returns the nearest float.
func (n *Number) Float() float64 { return n.float }

// Int64 returns the number if it is such an integer.
func (n *Number) Int64() (i int64, ok bool) { return n.whole, n.isWhole }

// CompareDigits compares a number that is written in digits, as a float is in its shortest ones; ok is false
// for anything else, and for nan.
func (n *Number) CompareDigits(s string) (order int, ok bool) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n.CompareInt(i), true
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || x != x {
		return 0, false
	}
	if order := cmp.Compare(x, n.float); order != 0 || s == n.digits || math.IsInf(x, 0) {
		return order, true
	}
	is := exactly(s, x)
	if short := exactly(strconv.FormatFloat(x, 'e', -1, 64), x); strings.ContainsAny(s, ".eE") && is.Cmp(short) == 0 { // the digits of a float
		if n.integer == nil && !n.isWhole {
			return 0, true // and others are nearest to it, too
		}
		if n.compareRat(is) != 0 {
			is.SetFloat64(x)
		}
	}
	return n.compareRat(is), true
}

// compareRat compares a number exactly with n.
func (n *Number) compareRat(x *big.Rat) int {
	is := exactly(n.digits, n.float)
	if is == nil { // it is infinite
		return -cmp.Compare(n.float, 0)
	}
	return x.Cmp(is)
}
