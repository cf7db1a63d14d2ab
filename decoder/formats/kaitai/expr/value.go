// Package expr parses and evaluates the expressions of Kaitai Struct.
package expr

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// A Kind is the kind of a Value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Int // an enum's value if Ref is an *Enum
	Float
	Str
	Bytes
	List
	Struct
	Stream
)

var kindNames = [...]string{"null", "a boolean", "an integer", "a float", "a string", "bytes", "an array", "an object", "a stream"}

func (k Kind) String() string { return kindNames[k] }

// A Value is what an expression gives.
type Value struct {
	Kind Kind
	Wide bool   // Int: N is not negative and above the largest int64
	Byte bool   // Int: of a type of one byte; a list of such is a list of bytes
	N    uint64 // Bool; Int in two's complement; Float as its bits
	Ref  any    // string, []byte, Array, Object, IO; of Int nil or *Enum
}

// An Array is a list whose elements may be read when they are asked for.
type Array interface {
	Len() int64
	At(i int64) (Value, error)
}

// An object has attributes.
type object interface {
	Attr(name string) (Value, error)
	SizeOf(name string) (Value, error) // size of an attribute in bytes
}

// An IO is a stream of bytes.
type IO interface {
	Pos() int64
	Size() int64
	IsEnd() bool // no bytes or bits are left
}

// An Enum names integers.
type Enum struct {
	Name   string // name with the types around it: "png::color_type"
	Names  map[Key]string
	Values map[string]Value
	Docs   map[string]string
	Order  []string // as written
}

// A Key is an integer as a map's key.
type Key struct {
	N    uint64
	Wide bool
}

// Key returns an integer as a map's key.
func (v Value) Key() Key { return Key{v.N, v.Wide} }

// Label returns the name that an enum gives the value; ok is false if it has none.
func (v Value) Label() (name string, ok bool) {
	if e, is := v.Ref.(*Enum); is {
		name, ok = e.Names[v.Key()]
	}
	return name, ok
}

// elements is a List that exists as a whole.
type elements []Value

func (e elements) Len() int64 { return int64(len(e)) }

func (e elements) At(i int64) (Value, error) {
	if i < 0 || i >= int64(len(e)) {
		return Value{}, fmt.Errorf("index %d is outside an array of %d", i, len(e))
	}
	return e[i], nil
}

// Of returns the value of a Go value.
func Of[T bool | int | int64 | uint64 | float64 | string | []byte](x T) Value {
	switch x := any(x).(type) {
	case bool:
		if x {
			return Value{Kind: Bool, N: 1}
		}
		return Value{Kind: Bool}
	case int:
		return Value{Kind: Int, N: uint64(x)}
	case int64:
		return Value{Kind: Int, N: uint64(x)}
	case uint64:
		return Value{Kind: Int, N: x, Wide: x > math.MaxInt64}
	case float64:
		return Value{Kind: Float, N: math.Float64bits(x)}
	case string:
		return Value{Kind: Str, Ref: x}
	case []byte:
		return Value{Kind: Bytes, Ref: x}
	}
	return Value{}
}

// OfArray returns an array as a value.
func OfArray(a Array) Value { return Value{Kind: List, Ref: a} }

// Float returns a number as a float.
func (v Value) Float() float64 {
	switch {
	case v.Kind == Float:
		return math.Float64frombits(v.N)
	case v.Wide:
		return float64(v.N)
	}
	return float64(int64(v.N))
}

// Text returns a string.
func (v Value) Text() string { s, _ := v.Ref.(string); return s }

// Data returns bytes.
func (v Value) Data() []byte { b, _ := v.Ref.([]byte); return b }

// Int64 returns an integer that fits in int64.
func (v Value) Int64() (int64, error) {
	switch {
	case v.Kind != Int:
		return 0, fmt.Errorf("%v is not an integer", v.Kind)
	case v.Wide:
		return 0, fmt.Errorf("%d is too large", v.N)
	}
	return int64(v.N), nil
}

func (v Value) big() *big.Int {
	if v.Wide {
		return new(big.Int).SetUint64(v.N)
	}
	return big.NewInt(int64(v.N))
}

func ofBig(x *big.Int) (Value, error) {
	switch {
	case x.IsInt64():
		return Of(x.Int64()), nil
	case x.IsUint64():
		return Of(x.Uint64()), nil
	}
	return Value{}, fmt.Errorf("the number %v does not fit in 64 bits", x)
}

// Digits returns a number in decimal.
func (v Value) Digits() string {
	switch {
	case v.Kind == Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Wide:
		return strconv.FormatUint(v.N, 10)
	}
	return strconv.FormatInt(int64(v.N), 10)
}

// ParseInt reads an integer of -2⁶³ to 2⁶⁴-1.
func ParseInt(text string, base int) (Value, error) {
	x, ok := new(big.Int).SetString(text, base)
	if !ok {
		return Value{}, fmt.Errorf("%q is not a number", text)
	}
	return ofBig(x)
}
