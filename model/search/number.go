package search

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// A number is compared with values.
type number struct {
	op      string // "=", "<", "<=", ">", ">="
	value   float64
	whole   bool // then rather compared with integer: a float64 does not hold every int
	integer int64
}

// parseNumber reads a number: 42, -1.5, 0x1f, 1e3.
func parseNumber(op, s string) (*number, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && strings.ContainsAny(s, "xXbBoO") {
		n, err = strconv.ParseInt(s, 0, 64)
	}
	if err == nil {
		return &number{op: op, value: float64(n), whole: true, integer: n}, true
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v != v || math.IsInf(v, 0) {
		return nil, false
	}
	return &number{op: op, value: v}, true
}

// matches reports whether the content of a field is a number for which the comparison
// holds.
func (n *number) matches(content string) bool {
	order, ok := n.compare(content)
	return ok && Holds(n.op, order)
}

// Holds reports whether an operator (= != < <= > >=) holds for values whose order is given
// as cmp.Compare returns it.
func Holds(op string, order int) bool {
	switch op {
	case "=":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// compare compares the content of a field with the number; ok is false if the content is
// not one.
func (n *number) compare(content string) (order int, ok bool) {
	i, err := strconv.ParseInt(content, 10, 64)
	if n.whole && err == nil {
		return cmp.Compare(i, n.integer), true
	}
	v, err := strconv.ParseFloat(content, 64)
	if err != nil || v != v {
		return 0, false
	}
	switch order = cmp.Compare(v, n.value); {
	case order != 0 || !n.whole:
		return order, true
	case v >= 1<<63: // like float64(n.integer) after rounding
		return 1, true
	}
	return cmp.Compare(int64(v), n.integer), true
}
