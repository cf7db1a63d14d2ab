package expr

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// An Env is where an expression is evaluated.
type Env interface {
	// Name returns an attribute of the type, or what _root, _parent, _io, _index, _ and _on are.
	Name(name *Ref) (Value, error)
	// Spend notes work, counted in bytes that are looked at. It fails if that is too much.
	Spend(n int) error
}

// What making a value, or a byte of one, counts as work.
const (
	ValueCost = 32
	byteCost  = 16
)

// made returns a value that an expression made.
func made(e Env, v Value, err error) (Value, error) {
	if n := len(v.Text()) + len(v.Data()); err == nil && n > 0 {
		err = e.Spend(byteCost * n)
	}
	return v, err
}

// Names are what an expression can name where it is written. What they return may be completed after the
// expression is parsed.
type Names interface {
	// Ref returns an attribute of the type, or a special name, which is then used.
	Ref(name string) *Ref
	// RefOf notes that an attribute of the value of an expression is used, or a method of it with that name.
	RefOf(of Node, name string)
	// Label finds a value of an enum by the names of types, the enum and its own.
	Label(path []string) *Constant
	// SizeOfType finds the size of a type.
	SizeOfType(typ string, inBits bool) *Constant
	// SizeOfAttr finds the size of an attribute in bytes.
	SizeOfAttr(name string) *Constant
}

// A Ref is a name in an expression, and the place of an attribute in its type.
type Ref struct {
	Name  string
	Of    any // the type, nil for none
	In    Group
	Index int
	Used  bool // in an expression
	IsOwn bool // in one that is written in the type, as it is
}

// A Group is one of the lists of attributes.
type Group uint8

// The groups.
const (
	InParams Group = iota
	InSeq
	InInstances
)

// A Constant is a literal, or a value that is known once the description is loaded.
type Constant struct {
	Value
	Err error
}

// A Node is a part of an expression.
type Node interface {
	Eval(e Env) (Value, error)
}

type (
	variable struct{ *Ref }
	ternary  struct{ cond, yes, no Node }
	unary    struct {
		op string
		x  Node
	}
	binary struct {
		op      string
		x, y    Node
		order   order
		isOrder bool
	}
	index struct{ x, i Node }
	attr  struct {
		x    Node
		name string
		args []Node // nil without parentheses
	}
	cast struct {
		x   Node
		typ string
	}
	sizeOf struct {
		*variable
		fixed *Constant // where all values have one size
	}
	list   struct{ all []Node }
	format struct{ parts []Node }
)

// EvalInt evaluates a whole number of 64 bits.
func EvalInt(n Node, e Env) (int64, error) {
	v, err := n.Eval(e)
	if err != nil {
		return 0, err
	}
	return v.Int64()
}

// EvalAll evaluates expressions.
func EvalAll(all []Node, e Env) ([]Value, error) {
	values := make([]Value, len(all))
	for i, n := range all {
		var err error
		if values[i], err = n.Eval(e); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// IsConstant returns the value of an expression that is only a literal, an enum's value, or a size that never
// changes.
func IsConstant(n Node) (v Value, ok bool) {
	if s, is := n.(*sizeOf); is {
		n = s.fixed
	}
	if c, is := n.(*Constant); is {
		return c.Value, c.Err == nil
	}
	return v, false
}

// Eval implements Node.
func (n *Constant) Eval(Env) (Value, error) { return n.Value, n.Err }

func (n *variable) Eval(e Env) (Value, error) { return e.Name(n.Ref) }

func (n *sizeOf) Eval(e Env) (Value, error) {
	if o, ok := e.(object); ok && n.fixed.Err != nil {
		return o.SizeOf(n.Name)
	}
	return n.fixed.Eval(e)
}

// Condition evaluates a condition.
func Condition(n Node, e Env) (bool, error) {
	v, err := n.Eval(e)
	if err == nil && v.Kind != Bool {
		err = fmt.Errorf("%v is neither true nor false", v.Kind)
	}
	return err == nil && v.N != 0, err
}

func (n *ternary) Eval(e Env) (Value, error) {
	isTrue, err := Condition(n.cond, e)
	switch {
	case err != nil:
		return Value{}, err
	case isTrue:
		return n.yes.Eval(e)
	}
	return n.no.Eval(e)
}

func (n *unary) Eval(e Env) (Value, error) {
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	switch {
	case n.op == "not" && x.Kind == Bool:
		return Of(x.N == 0), nil
	case n.op == "-":
		return negate(x)
	case n.op == "+" && x.isNumber():
		return x, nil
	case n.op == "~" && x.Kind == Int:
		if x.Wide {
			return ofBig(x.big().Not(x.big()))
		}
		return Of(^int64(x.N)), nil
	}
	return x, fmt.Errorf("%s cannot be applied to %v", n.op, x.Kind)
}

func (n *binary) Eval(e Env) (Value, error) {
	if n.op == "and" || n.op == "or" {
		isTrue, err := Condition(n.x, e)
		if err == nil && isTrue != (n.op == "or") {
			isTrue, err = Condition(n.y, e)
		}
		return Of(isTrue), err
	}
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	y, err := n.y.Eval(e)
	if err != nil {
		return y, err
	}
	if n.isOrder {
		return compareBy(n.order, x, y)
	}
	v, err := arithmetic(n.op, x, y)
	if v.Kind != Str {
		return v, err
	}
	return made(e, v, err)
}

func (n *index) Eval(e Env) (Value, error) {
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	i, err := EvalInt(n.i, e)
	if err != nil {
		return x, err
	}
	return x.At(i)
}

// At returns an element of an array, or of bytes.
func (v Value) At(i int64) (Value, error) {
	switch x := v.Ref.(type) {
	case Array:
		return x.At(i)
	case []byte:
		if i < 0 || i >= int64(len(x)) {
			return Value{}, fmt.Errorf("index %d is outside %d bytes", i, len(x))
		}
		b := Of(int(x[i]))
		b.Byte = true
		return b, nil
	}
	return Value{}, fmt.Errorf("%v cannot be indexed", v.Kind)
}

func (n *cast) Eval(e Env) (Value, error) {
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	switch {
	case x.Kind == Int:
		x.Byte = n.typ == "u1" || n.typ == "s1"
	case x.Kind == List && n.typ == "bytes":
		return toBytes(x)
	case x.Kind == Bytes && strings.HasSuffix(n.typ, "[]"):
		return OfArray(elementsOf(x)), nil
	}
	return x, nil
}

// elementsOf returns bytes as an array.
func elementsOf(x Value) elements {
	all := make(elements, len(x.Data()))
	for i := range all {
		all[i], _ = x.At(int64(i))
	}
	return all
}

func toBytes(v Value) (Value, error) {
	a := v.Ref.(Array)
	b := []byte{}
	for i := range a.Len() {
		x, err := a.At(i)
		if err != nil {
			return v, err
		}
		n, err := x.Int64()
		if err != nil || n < -128 || n > 255 {
			return v, errors.New("an element is not a byte")
		}
		b = append(b, byte(n))
	}
	return Of(b), nil
}

func (n *list) Eval(e Env) (Value, error) {
	if err := e.Spend(ValueCost * len(n.all)); err != nil {
		return Value{}, err
	}
	all, err := EvalAll(n.all, e)
	isNoByte := func(v Value) bool { return v.Kind != Int || !v.Byte || v.Ref != nil }
	list := OfArray(elements(all))
	if err != nil || len(all) == 0 || slices.ContainsFunc(all, isNoByte) {
		return list, err
	}
	return toBytes(list)
}

func (n *format) Eval(e Env) (Value, error) {
	var b strings.Builder
	for _, p := range n.parts {
		v, err := p.Eval(e)
		if err != nil {
			return v, err
		}
		switch v.Kind {
		case Str:
			b.WriteString(v.Text())
		case Int, Float:
			b.WriteString(v.Digits())
		default:
			return v, fmt.Errorf("%v cannot be put into a string", v.Kind)
		}
		if b.Len() > maxText {
			return v, errTooLong
		}
	}
	return made(e, Of(b.String()), nil)
}

func (n *attr) Eval(e Env) (Value, error) {
	if x, ok := n.x.(*attr); ok && n.name == "_sizeof" && x.name != "_parent" && x.name != "_root" {
		of, err := x.x.Eval(e)
		if err != nil {
			return of, err
		}
		if o, ok := of.Ref.(object); ok {
			return o.SizeOf(x.name)
		}
	}
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	if o, ok := x.Ref.(object); ok && n.args == nil {
		return o.Attr(n.name)
	}
	args, err := EvalAll(n.args, e)
	if err == nil {
		err = e.Spend(byteCost * (len(x.Text()) + len(x.Data())))
	}
	if err != nil {
		return x, err
	}
	v, err := apply(x, n.name, args)
	return made(e, v, err)
}

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
			if n, ok := small[op](int64(x.N), int64(y.N)); ok {
				return Of(n), nil
			}
		}
		return large(op, x, y)
	case op == "+" && x.Kind == Str && y.Kind == Str:
		if len(x.Text())+len(y.Text()) > maxText {
			return x, errTooLong
		}
		return Of(x.Text() + y.Text()), nil
	case x.isNumber() && y.isNumber():
		return inFloats(op, x.Float(), y.Float())
	}
	return x, fmt.Errorf("%s cannot be applied to %v and %v", op, x.Kind, y.Kind)
}

// small are the operators with int64; ok is false where the result may not fit, or is an error.
var small = map[string]func(x, y int64) (n int64, ok bool){
	"+": func(x, y int64) (int64, bool) { return x + y, (x+y > x) == (y > 0) },
	"-": func(x, y int64) (int64, bool) { return x - y, (x-y < x) == (y > 0) },
	"*": func(x, y int64) (int64, bool) {
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		return x * y, hi == 0 && lo <= math.MaxInt64 && x != math.MinInt64 && y != math.MinInt64
	},
	"/":  func(x, y int64) (int64, bool) { q, _, ok := divided(x, y); return q, ok },
	"%":  func(x, y int64) (int64, bool) { _, r, ok := divided(x, y); return r, ok },
	"&":  func(x, y int64) (int64, bool) { return x & y, true },
	"|":  func(x, y int64) (int64, bool) { return x | y, true },
	"^":  func(x, y int64) (int64, bool) { return x ^ y, true },
	"<<": func(x, y int64) (int64, bool) { return x << (y & 63), y >= 0 && y <= 62 && x<<y>>y == x },
	">>": func(x, y int64) (int64, bool) { return x >> min(max(y, 0), 63), y >= 0 },
}

// divided returns the quotient, rounded down, and the rest.
func divided(x, y int64) (q, r int64, ok bool) {
	if y == 0 || x == math.MinInt64 {
		return 0, 0, false
	}
	if q, r = x/y, x%y; r != 0 && (r < 0) != (y < 0) {
		q, r = q-1, r+y
	}
	return q, r, true
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

// floats are the operators with floats.
var floats = map[string]func(x, y float64) float64{
	"+": func(x, y float64) float64 { return x + y },
	"-": func(x, y float64) float64 { return x - y },
	"*": func(x, y float64) float64 { return x * y },
	"/": func(x, y float64) float64 { return x / y },
	"%": func(x, y float64) float64 { return x - y*math.Floor(x/y) },
}

func inFloats(op string, x, y float64) (v Value, err error) {
	do := floats[op]
	switch {
	case do == nil:
		return v, fmt.Errorf("%s cannot be applied to floats", op)
	case y == 0 && strings.Contains("/%", op):
		return v, errZero
	}
	return Of(do(x, y)), nil
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

func (v Value) isNumber() bool { return v.Kind == Int || v.Kind == Float }

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
	case x.isNumber() && y.isNumber():
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
