package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/value/charset"
	"varview/decoder/wrap/checksum"
)

// A Type is what is known of the value of an expression without any data.
type Type struct {
	Kind Kind // Null if nothing is known
	Of   any  // Int: its *Enum or nil; Struct: its type, nil if unknown
	Elem *Type
}

// A Scope knows of which types names are.
type Scope interface {
	// TypeOf returns the type of an attribute, or of a special name; a *NameError if there is none.
	TypeOf(name string) (Type, error)
	// AttrOf returns the type of an attribute of the values of a Struct's type, which is known.
	AttrOf(of any, name string) (Type, error)
	// Cast returns the type with a name.
	Cast(name string) (Type, error)
}

// A NameError is a name that nothing has.
type NameError struct {
	Name string
	Text string
}

func (e *NameError) Error() string { return e.Text }

func (t Type) isNumber() bool { return t.Kind == Int && t.Of == nil || t.Kind == Float }

// String names the type for people.
func (t Type) String() string {
	if e, ok := t.Of.(*Enum); ok {
		return "a value of the enum " + e.Name
	}
	return t.Kind.String()
}

// Is reports whether a value of the type can be of a kind.
func (t Type) Is(k Kind) bool {
	return t.Kind == Null || t.Kind == k || k == Float && t.Kind == Int
}

// Both returns the type of what is of either type.
func (t Type) Both(u Type) Type {
	switch {
	case t.Kind != u.Kind && t.isNumber() && u.isNumber():
		return Type{Kind: Float}
	case t.Kind != u.Kind:
		return Type{}
	case t.Of != u.Of || t.Elem != u.Elem:
		return Type{Kind: t.Kind}
	}
	return t
}

// Comparable reports an error if values of two types cannot be equal; isOrdered asks for an order too.
func (t Type) Comparable(u Type, isOrdered bool) error {
	isEnum := t.Kind == Int && u.Kind == Int && t.Of != u.Of
	isUnordered := isOrdered && slices.Contains([]Kind{Bool, Struct, Stream}, t.Kind)
	switch {
	case t.Kind == Null || u.Kind == Null || t.isNumber() && u.isNumber():
	case t.Kind == Bytes && u.Kind == List || t.Kind == List && u.Kind == Bytes:
	case t.Kind != u.Kind || isEnum || isUnordered:
		return fmt.Errorf("%v cannot be compared with %v", t, u)
	}
	return nil
}

// TypeOf returns the type of an expression's value. An error says what in it cannot have a value.
func TypeOf(n Node, in Scope) (Type, error) {
	switch n := n.(type) {
	case *Constant:
		of, _ := n.Ref.(*Enum)
		if of != nil {
			return Type{Kind: n.Kind, Of: of}, n.Err
		}
		return Type{Kind: n.Kind}, n.Err
	case *variable:
		return in.TypeOf(n.Name)
	case *sizeOf:
		_, err := in.TypeOf(n.Name)
		return Type{Kind: Int}, err
	case *cast:
		if _, err := TypeOf(n.x, in); err != nil {
			return Type{}, err
		}
		return in.Cast(n.typ)
	case *format:
		_, err := typesOf(n.parts, in)
		return Type{Kind: Str}, err
	case interface{ typeIn(Scope) (Type, error) }:
		return n.typeIn(in)
	}
	return Type{}, nil
}

func typesOf(all []Node, in Scope) ([]Type, error) {
	types := make([]Type, len(all))
	for i, n := range all {
		var err error
		if types[i], err = TypeOf(n, in); err != nil {
			return nil, err
		}
	}
	return types, nil
}

// Expect returns an error if the value of an expression cannot be of a kind.
func Expect(n Node, k Kind, in Scope) error {
	t, err := TypeOf(n, in)
	if err == nil && (!t.Is(k) || k == Int && t.Of != nil && t.Kind == Int) {
		err = fmt.Errorf("this is %v, and %v is expected", t, k)
	}
	return err
}

func (n *ternary) typeIn(in Scope) (Type, error) {
	if err := Expect(n.cond, Bool, in); err != nil {
		return Type{}, err
	}
	types, err := typesOf([]Node{n.yes, n.no}, in)
	if err != nil {
		return Type{}, err
	}
	if types[0].Comparable(types[1], false) != nil {
		return Type{}, fmt.Errorf("this is %v or %v, and both must be of one type", types[0], types[1])
	}
	return types[0].Both(types[1]), nil
}

func (n *unary) typeIn(in Scope) (Type, error) {
	if n.op == "not" {
		return Type{Kind: Bool}, Expect(n.x, Bool, in)
	}
	t, err := TypeOf(n.x, in)
	if err == nil && t.Kind != Null && (!t.isNumber() || n.op == "~" && t.Kind == Float) {
		err = fmt.Errorf("%s cannot be applied to %v", n.op, t)
	}
	return t, err
}

func (n *binary) typeIn(in Scope) (Type, error) {
	if n.op == "and" || n.op == "or" {
		err := Expect(n.x, Bool, in)
		if err == nil {
			err = Expect(n.y, Bool, in)
		}
		return Type{Kind: Bool}, err
	}
	types, err := typesOf([]Node{n.x, n.y}, in)
	if err != nil {
		return Type{}, err
	}
	x, y := types[0], types[1]
	if n.isOrder {
		return Type{Kind: Bool}, x.Comparable(y, n.op != "==" && n.op != "!=")
	}
	isBitwise := slices.Contains([]string{"|", "^", "&", "<<", ">>"}, n.op)
	isFloat := x.Kind == Float || y.Kind == Float
	switch {
	case x.Kind == Null || y.Kind == Null:
		return Type{}, nil
	case n.op == "+" && x.Kind == Str && y.Kind == Str, x.isNumber() && y.isNumber() && !(isBitwise && isFloat):
		return x.Both(y), nil
	}
	return Type{}, fmt.Errorf("%s cannot be applied to %v and %v", n.op, x, y)
}

func (n *index) typeIn(in Scope) (Type, error) {
	t, err := TypeOf(n.x, in)
	if err == nil {
		err = Expect(n.i, Int, in)
	}
	switch {
	case err != nil || t.Kind == Null:
		return Type{}, err
	case t.Kind == Bytes:
		return Type{Kind: Int}, nil
	case t.Kind == List && t.Elem != nil:
		return *t.Elem, nil
	case t.Kind == List:
		return Type{}, nil
	}
	return t, fmt.Errorf("%v cannot be indexed", t)
}

// A method is what values of a kind have: the kind of what it returns, Null for that of an element, and what computes it.
type method struct {
	kind Kind
	of   func(v Value, args []Value) (Value, error)
}

// plainly returns a method without arguments that cannot fail.
func plainly[T bool | int | int64 | uint64 | string | []byte](kind Kind, of func(v Value) T) method {
	return method{kind, func(v Value, _ []Value) (Value, error) { return Of(of(v)), nil }}
}

// The numbers of characters of a text, of bytes and of elements.
var nChars = plainly(Int, func(v Value) int { return utf8.RuneCountInString(v.Text()) })
var nBytes = plainly(Int, func(v Value) int { return len(v.Data()) })
var nItems = plainly(Int, func(v Value) int64 { return v.items().Len() })

// methods are those of values that are no objects.
var methods = map[Kind]map[string]method{
	Str: {"length": nChars, "size": nChars, "reverse": plainly(Str, reversed), "to_i": {Int, textToInt}, "substring": {Str, substring},
		"to_s": plainly(Str, Value.Text), "to_b": plainly(Bytes, func(v Value) []byte { return []byte(v.Text()) })},
	Bytes: {"length": nBytes, "size": nBytes, "to_s": {Str, decoded},
		"first": {Int, first}, "last": {Int, last}, "min": {Int, extreme(-1)}, "max": {Int, extreme(1)}},
	List: {"length": nItems, "size": nItems, "first": {Null, first}, "last": {Null, last}, "min": {Null, extreme(-1)}, "max": {Null, extreme(1)}},
	Stream: {"pos": plainly(Int, func(v Value) int64 { return v.Ref.(IO).Pos() }),
		"size": plainly(Int, func(v Value) int64 { return v.Ref.(IO).Size() }), "eof": plainly(Bool, func(v Value) bool { return v.Ref.(IO).IsEnd() })},
	Int:   {"to_i": {Int, func(v Value, _ []Value) (Value, error) { v.Ref = nil; return v, nil }}, "to_s": plainly(Str, Value.Digits)},
	Float: {"to_i": {Int, truncated}},
	Bool:  {"to_i": plainly(Int, func(v Value) uint64 { return v.N })},
}

func (n *attr) typeIn(in Scope) (Type, error) {
	t, err := TypeOf(n.x, in)
	if err != nil {
		return t, err
	}
	if _, err = typesOf(n.args, in); err != nil {
		return t, err
	}
	m, ok := methods[t.Kind][n.name]
	switch {
	case n.name == "_sizeof":
		return Type{Kind: Int}, nil
	case t.Kind == Struct && t.Of != nil:
		return in.AttrOf(t.Of, n.name)
	case t.Kind == Null || t.Kind == Struct:
		return Type{}, nil
	case !ok:
		return t, &NameError{n.name, fmt.Sprintf("%v has no .%s", t, n.name)}
	case m.kind == Null && t.Elem != nil:
		return *t.Elem, nil
	}
	return Type{Kind: m.kind}, nil
}

func (n *list) typeIn(in Scope) (Type, error) {
	types, err := typesOf(n.all, in)
	if err != nil || len(types) == 0 || types[0].isNumber() { // a list of numbers may be bytes
		return Type{}, err
	}
	elem := types[0]
	for _, t := range types[1:] {
		elem = elem.Both(t)
	}
	return Type{Kind: List, Elem: &elem}, nil
}

func (n *call) typeIn(in Scope) (Type, error) {
	types, err := typesOf(n.args, in)
	for _, t := range types {
		if !slices.Contains([]Kind{Null, Bytes, Str, Struct}, t.Kind) {
			err = fmt.Errorf("%s is of bytes, not of %v", n.name, t)
		}
	}
	return Type{Kind: Sum(n.name, nil).Kind}, err
}

// apply applies a method of a value that is not an object.
func apply(v Value, name string, args []Value) (Value, error) {
	if m, ok := methods[v.Kind][name]; ok {
		return m.of(v, args)
	}
	if v.Kind == Null {
		return v, fmt.Errorf("there is no value that could have .%s", name)
	}
	return v, fmt.Errorf("%v has no .%s", v.Kind, name)
}

func truncated(v Value, _ []Value) (Value, error) {
	f := math.Trunc(v.Float())
	if math.Abs(f) >= 1<<63 || f != f {
		return v, fmt.Errorf("%v is not a 64-bit integer", f)
	}
	return Of(int64(f)), nil
}

func reversed(v Value) string {
	r := []rune(v.Text())
	slices.Reverse(r)
	return string(r)
}

func textToInt(v Value, args []Value) (Value, error) {
	base := int64(10)
	if len(args) > 0 {
		var err error
		if base, err = args[0].Int64(); err != nil || base < 2 || base > 36 {
			return Value{}, fmt.Errorf("%s cannot be the base of a number", args[0].Digits())
		}
	}
	return ParseInt(strings.TrimSpace(v.Text()), int(base))
}

func substring(v Value, args []Value) (Value, error) {
	if len(args) == 2 {
		from, err := args[0].Int64()
		to, err2 := args[1].Int64()
		if r := []rune(v.Text()); err == nil && err2 == nil {
			from = min(max(from, 0), int64(len(r)))
			return Of(string(r[from:max(from, min(to, int64(len(r))))])), nil
		}
	}
	return Value{}, fmt.Errorf("substring needs two indexes")
}

func decoded(v Value, args []Value) (Value, error) {
	if len(args) != 1 || args[0].Kind != Str {
		return v, fmt.Errorf("to_s needs the name of an encoding")
	}
	s, err := charset.Decode(v.Data(), args[0].Text())
	return Of(s), err
}

// items returns the elements of a list or of bytes.
func (v Value) items() Array {
	if v.Kind == Bytes {
		return elementsOf(v)
	}
	return v.Ref.(Array)
}

func first(v Value, _ []Value) (Value, error) { return v.items().At(0) }
func last(v Value, _ []Value) (Value, error)  { a := v.items(); return a.At(a.Len() - 1) }

// extreme returns what finds the largest element or, with -1, the smallest.
func extreme(sign int) func(v Value, _ []Value) (Value, error) {
	return func(v Value, _ []Value) (Value, error) {
		a := v.items()
		best, err := a.At(0)
		for i, order := int64(1), 0; i < a.Len() && err == nil; i++ {
			var x Value
			if x, err = a.At(i); err != nil {
				break
			}
			if order, err = Compare(x, best); order*sign > 0 {
				best = x
			}
		}
		return best, err
	}
}

// Sum applies one of the functions that sum up bytes, which -varview-value may call.
func Sum(name string, b []byte) Value {
	sum := checksum.Sum(name, b)
	if len(sum) > 4 {
		return Of(sum)
	}
	n := uint64(0)
	for _, c := range sum {
		n = n<<8 | uint64(c)
	}
	return Of(n)
}

// A call is the call of a function with bytes: those of several arguments follow one another.
type call struct {
	name string
	args []Node
}

// call parses the arguments of a function.
func (p *parser) call(name string) Node {
	if !slices.Contains(checksum.Functions, name) {
		p.fail("there is no function %s; there are %s", name, strings.Join(slices.Sorted(slices.Values(checksum.Functions)), ", "))
	}
	return &call{name, p.list(")")}
}

func (n *call) Eval(e Env) (Value, error) {
	var all []byte
	for _, arg := range n.args {
		v, err := arg.Eval(e)
		if o, ok := v.Ref.(interface{ Bytes() []byte }); ok && err == nil {
			v = Of(o.Bytes())
		} else if err == nil && v.Kind == Str {
			v = Of([]byte(v.Text()))
		}
		if err == nil && v.Kind != Bytes {
			err = fmt.Errorf("%s is of bytes, not of %v", n.name, v.Kind)
		}
		if err != nil {
			return v, err
		}
		if all = append(all, v.Data()...); len(n.args) == 1 {
			all = v.Data()
		}
	}
	return Sum(n.name, all), e.Spend(len(all))
}
