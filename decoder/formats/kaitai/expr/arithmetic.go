package expr

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// maxText bounds the texts and bytes that an expression makes.
const maxText = 16 << 20

var (
	errTooLong = errors.New("the result is too long")
	errZero    = errors.New("division by zero")
)

func negate(x Value) (Value, error) {
	switch {
	case x.Kind == Float:
		return Of(-x.Float()), nil
	case x.Kind != Int:
		return x, fmt.Errorf("%v cannot be negated", x.Kind)
	case x.Wide || x.N == 1<<63:
		return ofBig(x.big().Neg(x.big()))
	}
	return Of(-int64(x.N)), nil
}

// arithmetic applies an operator other than a comparison. Integers are exact, and division rounds
// down.
func arithmetic(op string, x, y Value) (Value, error) {
	switch {
	case x.Kind == Int && y.Kind == Int:
		if !x.Wide && !y.Wide {
			if v, ok := small(op, int64(x.N), int64(y.N)); ok {
				return v, nil
			}
		}
		return large(op, x, y)
	case op == "+" && x.Kind == Str && y.Kind == Str:
		if len(x.Text())+len(y.Text()) > maxText {
			return x, errTooLong
		}
		return Of(x.Text() + y.Text()), nil
	case (x.Kind == Int || x.Kind == Float) && (y.Kind == Int || y.Kind == Float):
		return floats(op, x.Float(), y.Float())
	}
	return x, fmt.Errorf("%s cannot be applied to %v and %v", op, x.Kind, y.Kind)
}

// small computes with int64; ok is false where the result may not fit, or is an error.
func small(op string, x, y int64) (v Value, ok bool) {
	switch op {
	case "+":
		s := x + y
		return Of(s), (s > x) == (y > 0)
	case "-":
		d := x - y
		return Of(d), (d < x) == (y > 0)
	case "*":
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		return Of(x * y), hi == 0 && lo <= math.MaxInt64 && x != math.MinInt64 && y != math.MinInt64
	case "/", "%":
		if y == 0 || x == math.MinInt64 {
			return v, false
		}
		q, r := x/y, x%y
		if r != 0 && (r < 0) != (y < 0) {
			q, r = q-1, r+y
		}
		if op == "/" {
			return Of(q), true
		}
		return Of(r), true
	case "&":
		return Of(x & y), true
	case "|":
		return Of(x | y), true
	case "^":
		return Of(x ^ y), true
	case "<<":
		if y < 0 || y > 62 {
			return v, false
		}
		s := x << y
		return Of(s), s>>y == x
	case ">>":
		return Of(x >> min(max(y, 0), 63)), y >= 0
	}
	return v, false
}

var exact = map[string]func(z, a, b *big.Int) *big.Int{
	"+": (*big.Int).Add, "-": (*big.Int).Sub, "*": (*big.Int).Mul, "&": (*big.Int).And, "|": (*big.Int).Or, "^": (*big.Int).Xor,
}

func large(op string, x, y Value) (Value, error) {
	a, b := x.big(), y.big()
	z := new(big.Int)
	switch op {
	case "/", "%":
		if b.Sign() == 0 {
			return x, errZero
		}
		q, r := new(big.Int).QuoRem(a, b, z)
		if r.Sign() != 0 && r.Sign() != b.Sign() {
			q, r = q.Sub(q, big.NewInt(1)), r.Add(r, b)
		}
		if z = r; op == "/" {
			z = q
		}
	case "<<", ">>":
		if y.Wide || int64(y.N) < 0 || int64(y.N) > 128 {
			return x, fmt.Errorf("a number cannot be shifted by %s", y.Digits())
		}
		if z.Lsh(a, uint(y.N)); op == ">>" {
			z.Rsh(a, uint(y.N))
		}
	default:
		exact[op](z, a, b)
	}
	return ofBig(z)
}

func floats(op string, x, y float64) (Value, error) {
	switch {
	case op == "+":
		return Of(x + y), nil
	case op == "-":
		return Of(x - y), nil
	case op == "*":
		return Of(x * y), nil
	case y == 0 && (op == "/" || op == "%"):
		return Value{}, errZero
	case op == "/":
		return Of(x / y), nil
	case op == "%":
		return Of(x - y*math.Floor(x/y)), nil
	}
	return Value{}, fmt.Errorf("%s cannot be applied to floats", op)
}

// An order is a comparison: what it gives for less, equal and more.
type order [3]bool

var orders = map[string]order{"==": {false, true, false}, "!=": {true, false, true}, "<": {true, false, false}, "<=": {true, true, false}, ">": {false, false, true}, ">=": {false, true, true}}

// compareBy applies a comparison.
func compareBy(op order, x, y Value) (Value, error) {
	c, err := Compare(x, y)
	if err != nil && op[0] != op[2] || x.isNaN() || y.isNaN() {
		return Of(op == orders["!="]), err
	}
	if err != nil {
		if x.Kind == Null || y.Kind == Null || x.Kind == Struct && y.Kind == Struct {
			same := x.Kind == y.Kind && x.Ref == y.Ref
			return Of(same == op[1]), nil
		}
		return x, err
	}
	return Of(op[c+1]), nil
}

func (v Value) isNaN() bool { return v.Kind == Float && math.IsNaN(v.Float()) }

// Compare orders two numbers, strings, booleans or bytes.
func Compare(x, y Value) (int, error) {
	switch {
	case x.Kind == Int && y.Kind == Int:
		if x.Wide != y.Wide {
			if x.Wide {
				return 1, nil
			}
			return -1, nil
		}
		return cmp.Compare(int64(x.N), int64(y.N)), nil // also in order if both are wide
	case (x.Kind == Int || x.Kind == Float) && (y.Kind == Int || y.Kind == Float):
		return cmp.Compare(x.Float(), y.Float()), nil
	case x.Kind == Str && y.Kind == Str:
		return strings.Compare(x.Text(), y.Text()), nil
	case x.Kind == Bytes && y.Kind == Bytes:
		return bytes.Compare(x.Data(), y.Data()), nil
	case x.Kind == Bool && y.Kind == Bool:
		return cmp.Compare(x.N, y.N), nil
	case x.Kind == Bytes && y.Kind == List:
		b, err := toBytes(y)
		if err != nil {
			return 0, err
		}
		return Compare(x, b)
	case x.Kind == List && y.Kind == Bytes:
		c, err := Compare(y, x)
		return -c, err
	}
	return 0, fmt.Errorf("%v and %v cannot be compared", x.Kind, y.Kind)
}
