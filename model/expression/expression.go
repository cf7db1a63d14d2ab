// Package expression calculates numbers from old ones: *2, clamp(_, 0, 100).
package expression

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
)

// Is reports whether the text of a value to be set is an expression on the old value rather than a
// literal: it begins with an operator with which no literal begins, or contains _ as a word.
func Is(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" {
		return false
	}
	if strings.ContainsRune("*/%+", rune(s[0])) {
		return true
	}
	if strings.ContainsAny(s, `"{[`) {
		return false
	}
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || !isWordByte(s[i-1])) && (i == len(s)-1 || !isWordByte(s[i+1])) {
			return true
		}
	}
	return false
}

// IsSum reports whether a text is numbers with operators between them, as 100-50 or (2+3)*4, and not a number itself. Where
// a number is expected, that is no literal.
func IsSum(s string) bool {
	if s = strings.TrimSpace(s); s == "" || strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789.+-*/%() ", r) }) {
		return false
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return false
	}
	_, err := Parse(s)
	return err == nil
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// An Expression calculates a number from the old one.
type Expression struct{ text string }

// A number is exact: ints lose no digits, and floats are rounded once, at the end. Only floats can be
// infinite or NaN.
type number struct {
	rat     *big.Rat // nil if it is short, or not finite
	inf     float64
	short   int64 // a whole number whose sum or product with another one fits 64 bits, if isShort is set
	isShort bool
}

// wholeOf returns a whole number.
func wholeOf(n int64) number {
	if n >= math.MinInt32 && n <= math.MaxInt32 {
		return number{short: n, isShort: true}
	}
	return number{rat: new(big.Rat).SetInt64(n)}
}

// exact returns a number that is finite; nil for others.
func (n number) exact() *big.Rat {
	if n.isShort {
		return new(big.Rat).SetInt64(n.short)
	}
	return n.rat
}

func ratOf(x float64) number {
	if r := new(big.Rat).SetFloat64(x); r != nil {
		return number{rat: r}
	}
	return number{inf: x}
}

// A Type says which numbers a value can be.
type Type uint8

// The types.
const (
	Whole Type = iota
	Float
	Any // a text, which can spell both
)

// Of returns the literal of the expression's result for a number of a type with the literal old.
func (x *Expression) Of(old func() string, s tree.Scalar, is Type) (string, error) {
	if !s.IsNumber() {
		return "", fmt.Errorf("%s is not a number to calculate with", old())
	}
	n := wholeOf(int64(s.Bits))
	if s.Kind != tree.Int {
		if n = (number{rat: s.Rat()}); n.rat == nil {
			n.inf = s.Float()
		}
	}
	c := &calculator{text: x.text, old: n}
	made, err := c.all()
	if err = cmp.Or(err, c.err); err != nil {
		return "", err
	}
	switch {
	case is == Float:
		return floatLiteral(made.float()), nil
	case made.isShort:
		return strconv.FormatInt(made.short, 10), nil
	case made.rat != nil && made.rat.IsInt():
		return made.rat.Num().String(), nil
	case is == Any:
		return floatLiteral(made.float()), nil
	}
	return "", fmt.Errorf("%s is not a whole number, but the value is one: %s|round, |floor or |ceil make it one", floatLiteral(made.float()), x.text)
}

// floatLiteral returns the literal of a float.
func floatLiteral(x float64) string {
	s := tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(x)}
	return string(s.AppendNumber(nil))
}

// A calculator parses an expression and calculates it at the same time: sums of products of numbers, _
// for the old value, parentheses and functions.
type calculator struct {
	text  string
	at    int
	depth int
	old   number
	err   error // why a valid expression has no result
}

// Parse parses an expression. If it begins with an operator, it applies that to the old value.
func Parse(text string) (*Expression, error) {
	s := strings.TrimSpace(text)
	if strings.ContainsRune("*/%+", rune(s[0])) {
		s = "_" + s
	}
	c := &calculator{text: s, old: ratOf(1)}
	_, err := c.all()
	return &Expression{s}, err
}

// all calculates the whole text. It fails if the text is not an expression.
func (c *calculator) all() (number, error) {
	x, err := c.sum()
	for err == nil && c.peek() == '|' {
		c.at++
		x, err = c.applied(x)
	}
	if err == nil && c.peek() != 0 {
		err = c.fail()
	}
	return x, err
}

func (c *calculator) peek() byte {
	for c.at < len(c.text) && c.text[c.at] == ' ' {
		c.at++
	}
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

func (c *calculator) fail() error {
	return fmt.Errorf("the expression %s is wrong at character %d: it may have numbers, _ for the old value, + - * / %%, parentheses, min max clamp round floor ceil abs, and |round at the end", c.text, c.at+1)
}

func (c *calculator) sum() (number, error) { return c.chain("+-", c.product) }

func (c *calculator) product() (number, error) { return c.chain("*/%", c.factor) }

// chain reads operands with operators of the same precedence between them.
func (c *calculator) chain(operators string, operand func() (number, error)) (number, error) {
	left, err := operand()
	for err == nil && c.peek() != 0 && strings.IndexByte(operators, c.peek()) >= 0 {
		op := c.peek()
		c.at++
		var right number
		if right, err = operand(); err == nil {
			left = c.operate(op, left, right)
		}
	}
	return left, err
}

// maxCalculatorDepth limits the nesting of an expression.
const maxCalculatorDepth = 100

// factor reads a number, _, a function call or a parenthesized expression.
func (c *calculator) factor() (number, error) {
	if c.depth++; c.depth > maxCalculatorDepth {
		return number{}, c.fail()
	}
	defer func() { c.depth-- }()
	switch b := c.peek(); {
	case b == '-':
		c.at++
		x, err := c.factor()
		if err != nil {
			return x, err
		}
		return c.operate('-', ratOf(0), x), nil
	case b == '(':
		c.at++
		x, err := c.sum()
		if err == nil && c.peek() != ')' {
			err = c.fail()
		}
		c.at++
		return x, err
	case b == '_' && (c.at+1 == len(c.text) || !isWordByte(c.text[c.at+1])):
		c.at++
		return c.old, nil
	case b >= '0' && b <= '9' || b == '.':
		return c.digits()
	}
	return c.function()
}

// digits reads a number.
func (c *calculator) digits() (number, error) {
	from := c.at
	for c.at < len(c.text) && (isWordByte(c.text[c.at]) || c.text[c.at] == '.' ||
		(c.text[c.at] == '-' || c.text[c.at] == '+') && c.text[c.at-1]|0x20 == 'e' && !strings.HasPrefix(c.text[from:], "0x")) {
		c.at++
	}
	text := c.text[from:c.at]
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return wholeOf(n), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		c.at = from
		return number{}, c.fail()
	}
	n := ratOf(x)
	if len(text) < 40 && !strings.ContainsAny(text, "eEpP") { // an exponent can stand for any number of digits
		if r, ok := new(big.Rat).SetString(text); ok {
			n.rat = r
		}
	}
	return n, nil
}
