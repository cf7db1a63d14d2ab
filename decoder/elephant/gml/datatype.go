package gml

import "fmt"

// A Datatype is the type of a member: GameMaker's buffer constants and
// Elephant's own, with the numbers of the 1.4.0 release and later.
type Datatype uint8

// The datatypes that a schema may name.
const (
	U8 Datatype = iota + 1
	S8
	U16
	S16
	U32
	S32
	F16
	F32
	F64
	Bool
	String
	U64
	Text

	Any       Datatype = 204
	Array     Datatype = 205
	Struct    Datatype = 206
	Undefined Datatype = 207
)

// oldAny is Any up to Elephant 1.3.0; Array, Struct and Undefined follow it.
const oldAny = 14

var datatypeNames = map[Datatype]string{
	U8: "u8", S8: "s8", U16: "u16", S16: "s16", U32: "u32", S32: "s32", F16: "f16", F32: "f32", F64: "f64",
	Bool: "bool", String: "string", U64: "u64", Text: "text", Any: "any", Array: "array", Struct: "struct",
	Undefined: "undefined",
}

// datatypes holds the constants by the names they have in GML.
var datatypes = func() map[string]Datatype {
	all := map[string]Datatype{}
	for d, name := range datatypeNames {
		all["buffer_"+name] = d
	}
	return all
}()

// String gives the name of the constant without "buffer_".
func (d Datatype) String() string {
	if name, ok := datatypeNames[d]; ok {
		return name
	}
	return fmt.Sprintf("datatype %d", uint8(d))
}

// datatypeOf returns the datatype with the given number in any of Elephant's versions.
func datatypeOf(n int64) (Datatype, bool) {
	if n >= oldAny && n < oldAny+4 {
		n += int64(Any) - oldAny
	}
	if n < 0 || n > 255 {
		return 0, false
	}
	_, ok := datatypeNames[Datatype(n)]
	return Datatype(n), ok
}
