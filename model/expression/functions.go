package expression

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// functions are the functions by name, with the number of their arguments.
var functions = map[string]struct {
	args int
	of   func(x []number) number
}{
	"min":   {2, func(x []number) number { return smaller(x[0], x[1]) }},
	"max":   {2, func(x []number) number { return larger(x[0], x[1]) }},
	"clamp": {3, func(x []number) number { return smaller(larger(x[0], x[1]), x[2]) }},
	"abs":   {1, func(x []number) number { return larger(x[0], negative(x[0])) }},
	"floor": {1, func(x []number) number { return whole(x[0], math.Floor) }},
	"ceil":  {1, func(x []number) number { return whole(x[0], math.Ceil) }},
	"round": {1, func(x []number) number { return whole(x[0], math.Round) }},
}

// function reads a function call.
func (c *calculator) function() (number, error) {
	name := c.word()
	f, ok := functions[name]
	if !ok || c.peek() != '(' {
		c.at -= len(name)
		return number{}, c.fail()
	}
	var args []number
	from := c.at + 1
	for c.peek() == '(' || c.peek() == ',' {
		c.at++
		x, err := c.sum()
		if err != nil {
			return x, err
		}
		args = append(args, x)
	}
	if c.peek() != ')' {
		return number{}, c.fail()
	}
	c.at++
	if len(args) != f.args {
		return number{}, fmt.Errorf("%s takes %d numbers, not %d", name, f.args, len(args))
	}
	if name == "clamp" && isLess(args[2], args[1]) {
		return number{}, fmt.Errorf("clamp(%s): the smallest number comes before the largest", strings.TrimSpace(c.text[from:c.at-1]))
	}
	return f.of(args), nil
}

// word reads a word; "" if there is none.
func (c *calculator) word() string {
	c.peek()
	from := c.at
	for c.at < len(c.text) && isWordByte(c.text[c.at]) {
		c.at++
	}
	return c.text[from:c.at]
}

// applied reads a bar and the name of a function of one argument, and applies the function to what is
// before the bar.
func (c *calculator) applied(before number) (number, error) {
	name := c.word()
	f, ok := functions[name]
	if !ok || f.args != 1 {
		c.at -= len(name)
		return before, c.fail()
	}
	return f.of([]number{before}), nil
}

// errZero is the error of a division by zero.
var errZero = errors.New("the divisor is 0")

// operate calculates with two numbers.
func (c *calculator) operate(op byte, a, b number) number {
	if a.isShort && b.isShort && op != '/' && op != '%' {
		return wholeOf(operateShort(op, a.short, b.short))
	}
	p, q := a.exact(), b.exact()
	if p == nil || q == nil {
		return ratOf(operateFloat(op, a.float(), b.float()))
	}
	if (op == '/' || op == '%') && q.Sign() == 0 {
		c.err = errZero
		return a
	}
	r := new(big.Rat)
	switch op {
	case '+':
		r.Add(p, q)
	case '-':
		r.Sub(p, q)
	case '*':
		r.Mul(p, q)
	case '/':
		r.Quo(p, q)
	case '%': // the sign is that of a, as in GDScript
		r.Quo(p, q)
		times := new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
		r = new(big.Rat).Sub(p, times.Mul(times, q))
	}
	return number{rat: r}
}

func operateShort(op byte, a, b int64) int64 {
	switch op {
	case '+':
		return a + b
	case '-':
		return a - b
	}
	return a * b
}

// operateFloat calculates if one of two numbers is not finite.
func operateFloat(op byte, a, b float64) float64 {
	switch op {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	case '/':
		return a / b
	}
	return math.Mod(a, b)
}

func (n number) float() float64 {
	if n.isShort {
		return float64(n.short)
	}
	if n.rat == nil {
		return n.inf
	}
	f, _ := n.rat.Float64()
	return f
}

func negative(x number) number {
	if r := x.exact(); r != nil {
		return number{rat: new(big.Rat).Neg(r)}
	}
	return number{inf: -x.inf}
}

// isLess compares two numbers; NaN is never less.
func isLess(a, b number) bool {
	if p, q := a.exact(), b.exact(); p != nil && q != nil {
		return p.Cmp(q) < 0
	}
	return a.float() < b.float()
}

func smaller(a, b number) number {
	if isLess(b, a) {
		return b
	}
	return a
}

func larger(a, b number) number {
	if isLess(a, b) {
		return b
	}
	return a
}

// whole returns the whole number to which round rounds x; math.Round rounds half away from zero.
func whole(x number, round func(float64) float64) number {
	if x.rat == nil || x.rat.IsInt() {
		return x
	}
	floor := new(big.Int).Div(x.rat.Num(), x.rat.Denom()) // the denominator is positive
	rest := new(big.Rat).Sub(x.rat, new(big.Rat).SetInt(floor))
	f, _ := rest.Float64()
	if x.rat.Sign() < 0 { // so that half is rounded away from zero
		floor.Add(floor, big.NewInt(1))
		f--
	}
	return number{rat: new(big.Rat).SetInt(floor.Add(floor, big.NewInt(int64(round(f)))))}
}
