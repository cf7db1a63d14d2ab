// Package datatype holds the datatypes of Elephant and the numbers stored in them
// (section 2 of the specification).
package datatype

import (
	"fmt"
	"math"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// An ID is the type of a value: a datatype, by its number in Elephant 1.4.0 and later, or one of the other
// kinds below.
type ID = uint16

// Datatypes (section 2 of the specification).
const (
	U8        ID = 1
	S8        ID = 2
	U16       ID = 3
	S16       ID = 4
	U32       ID = 5
	S32       ID = 6
	F16       ID = 7
	F32       ID = 8
	F64       ID = 9
	Bool      ID = 10
	String    ID = 11
	U64       ID = 12
	Text      ID = 13
	Any       ID = 204
	Array     ID = 205
	Struct    ID = 206
	Undefined ID = 207
)

// The other kinds of values.
const (
	File       ID = 0x100 + iota // the whole block
	MemberName                   // a member's name
	Skipped                      // a member of a schema that the file leaves out
	Unknown                      // something that cannot be read
)

// CtorElement marks an element type in 1.0.0 that is a constructor's tag, which is the low
// byte.
const CtorElement = 0x200

// typeNames are the names of datatypes and of the other kinds of values.
var typeNames = [...]string{1: "u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32", "f64", "bool", "string", "u64", "text",
	Any: "any", Array: "array", Struct: "struct", Undefined: "undefined", File: "file", MemberName: "name", Skipped: "default"}

// widths are the sizes in bytes of the datatypes that have a fixed one.
var widths = [...]int64{U8: 1, S8: 1, U16: 2, S16: 2, U32: 4, S32: 4, F16: 2, F32: 4, F64: 8, Bool: 1, U64: 8, Text: 0}

// Width returns the size of a value of type t in bytes; 0 if it is not fixed.
func Width(t ID) int64 {
	if int(t) < len(widths) {
		return widths[t]
	}
	return 0
}

func IsText(t ID) bool { return t == String || t == Text }

// Name returns the name of a type as in the library's constants: f64, struct.
func Name(t ID) string {
	switch {
	case int(t) < len(typeNames) && typeNames[t] != "":
		return typeNames[t]
	case t&CtorElement != 0:
		return fmt.Sprintf("constructor%d", t&0xff)
	}
	return fmt.Sprintf("type %d", t)
}

// ByName returns the type for which Name returns a name; 0 if there is none.
func ByName(name string) ID {
	for t := U8; t <= CtorElement|0xff; t++ {
		if (t <= Text || t >= Any && t <= Undefined || t >= CtorElement|32) && Name(t) == name {
			return t
		}
	}
	return 0
}

// IsWritten reports whether the library chooses a datatype by itself and writes its tag (section 2); others
// occur only in schemas.
func IsWritten(t ID) bool {
	switch t {
	case S32, F64, Bool, String, U64, Array, Struct, Undefined:
		return true
	}
	return t&CtorElement != 0
}

func IsNumber(t ID) bool { return Width(t) > 0 && t != Bool }

// A Number is a scalar's value: an integer, a float or a bool.
type Number struct {
	Of   ID
	Bits uint64
}

// NumberAt reads the scalar of type t at off.
func NumberAt(w *source.Window, t ID, off int64) Number {
	switch Width(t) {
	case 1:
		return Number{t, uint64(w.Byte(off))}
	case 2:
		return Number{t, uint64(w.U16(off))}
	case 4:
		return Number{t, uint64(w.U32(off))}
	}
	return Number{t, w.U64(off)}
}

func (n Number) IsFloat() bool { return n.Of == F16 || n.Of == F32 || n.Of == F64 }

// Float returns the value of a float.
func (n Number) Float() float64 {
	switch n.Of {
	case F16:
		return half(uint16(n.Bits))
	case F32:
		return float64(math.Float32frombits(uint32(n.Bits)))
	}
	return math.Float64frombits(n.Bits)
}

// half returns the value of an IEEE 754 binary16.
func half(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&0x1f), float64(h&0x3ff)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return math.Copysign(math.Ldexp(fraction, -24), sign)
	case 0x1f:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1+fraction/1024, exponent-15)
}

// Append appends the number as dump and the typed form write it without quotes: the shortest digits that
// give the same number in GameMaker, which holds every float as a double.
func (n Number) Append(dst []byte) []byte {
	switch n.Of {
	case Bool:
		return strconv.AppendBool(dst, n.Bits != 0)
	case S8:
		return strconv.AppendInt(dst, int64(int8(n.Bits)), 10)
	case S16:
		return strconv.AppendInt(dst, int64(int16(n.Bits)), 10)
	case S32:
		return strconv.AppendInt(dst, int64(int32(n.Bits)), 10)
	case F16, F32, F64:
		return tree.AppendFloat(dst, n.Float(), 64)
	}
	return strconv.AppendUint(dst, n.Bits, 10)
}

// UsualNaN holds the usual bits of a NaN.
var UsualNaN = map[ID]uint64{F16: 0x7e00, F32: 0x7fc00000, F64: 0x7ff8000000000000}
