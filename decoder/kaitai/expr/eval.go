package expr

import (
	"errors"
	"fmt"
	"strings"
)

// An Env is where an expression is evaluated.
type Env interface {
	// Name returns an attribute of the type, or what _root, _parent, _io, _index, _ and _on are.
	Name(name string) (Value, error)
	// SizeOfName returns the size of an attribute in bytes.
	SizeOfName(name string) (Value, error)
	// Enum finds an enum by the names of types and its own.
	Enum(path []string) (*Enum, error)
	// SizeOfType returns the size of a type in bits.
	SizeOfType(name string) (int64, error)
}

// A Node is a part of an expression.
type Node interface {
	Eval(e Env) (Value, error)
}

type (
	literal struct{ Value }
	name    struct{ name string }
	ternary struct{ cond, yes, no Node }
	unary   struct {
		op string
		x  Node
	}
	binary struct {
		op   string
		x, y Node
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
	list      struct{ all []Node }
	format    struct{ parts []Node }
	enumLabel struct{ path []string }
	sizeOf    struct {
		typ    string
		inBits bool
	}
)

// EvalInt evaluates a whole number of 64 bits.
func EvalInt(n Node, e Env) (int64, error) {
	v, err := n.Eval(e)
	if err != nil {
		return 0, err
	}
	return v.Int64()
}

// Constant returns an expression that is always v.
func Constant(v Value) Node { return &literal{v} }

// IsConstant returns the value of an expression that is only a literal.
func IsConstant(n Node) (Value, bool) {
	l, ok := n.(*literal)
	if !ok {
		return Value{}, false
	}
	return l.Value, true
}

func (n *literal) Eval(Env) (Value, error) { return n.Value, nil }

func (n *name) Eval(e Env) (Value, error) { return e.Name(n.name) }

func (n *ternary) Eval(e Env) (Value, error) {
	c, err := n.cond.Eval(e)
	switch {
	case err != nil:
		return c, err
	case c.Kind != Bool:
		return c, fmt.Errorf("%v is neither true nor false", c.Kind)
	case c.N != 0:
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
	case n.op == "+" && (x.Kind == Int || x.Kind == Float):
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
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	if n.op == "and" || n.op == "or" {
		if x.Kind != Bool {
			return x, fmt.Errorf("%v is neither true nor false", x.Kind)
		}
		if (x.N != 0) == (n.op == "or") {
			return x, nil
		}
		y, err := n.y.Eval(e)
		if err == nil && y.Kind != Bool {
			err = fmt.Errorf("%v is neither true nor false", y.Kind)
		}
		return y, err
	}
	y, err := n.y.Eval(e)
	if err != nil {
		return y, err
	}
	switch n.op {
	case "==", "!=", "<", "<=", ">", ">=":
		return compareBy(n.op, x, y)
	}
	return arithmetic(n.op, x, y)
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
	all := make(elements, len(n.all))
	isBytes := len(all) > 0
	for i, x := range n.all {
		v, err := x.Eval(e)
		if err != nil {
			return v, err
		}
		all[i] = v
		isBytes = isBytes && v.Kind == Int && v.Byte && v.Ref == nil
	}
	if isBytes {
		return toBytes(OfArray(all))
	}
	return OfArray(all), nil
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
	return Of(b.String()), nil
}

func (n *enumLabel) Eval(e Env) (Value, error) {
	last := len(n.path) - 1
	found, err := e.Enum(n.path[:last])
	if err != nil {
		return Value{}, err
	}
	v, ok := found.Values[n.path[last]]
	if !ok {
		return v, fmt.Errorf("the enum %s has no %s", found.Name, n.path[last])
	}
	return v, nil
}

func (n *sizeOf) Eval(e Env) (Value, error) {
	bits, err := e.SizeOfType(n.typ)
	if err != nil || n.inBits {
		return Of(bits), err
	}
	return Of((bits + 7) / 8), nil
}

func (n *attr) Eval(e Env) (Value, error) {
	if n.name == "_sizeof" {
		switch x := n.x.(type) {
		case *name:
			return e.SizeOfName(x.name)
		case *attr:
			of, err := x.x.Eval(e)
			if err != nil {
				return of, err
			}
			if o, ok := of.Ref.(Object); ok {
				return o.SizeOf(x.name)
			}
		}
	}
	x, err := n.x.Eval(e)
	if err != nil {
		return x, err
	}
	if o, ok := x.Ref.(Object); ok && n.args == nil {
		return o.Attr(n.name)
	}
	args := make([]Value, len(n.args))
	for i, a := range n.args {
		if args[i], err = a.Eval(e); err != nil {
			return x, err
		}
	}
	return method(x, n.name, args)
}
