// Package elephantref is a second decoder of Elephant files, written from the
// specification alone. Tests compare the program's own
// decoder with it, so it shares no code with it: it is recursive, reads a whole
// block in memory, and refuses what a strict reader would refuse.
package elephantref

import "fmt"

// Limits of what is read: they keep a hostile input from filling the memory or
// the stack. No real file comes near them.
const (
	maxDepth  = 2048    // levels of containers
	maxValues = 1 << 22 // values in a file, members and elements included
)

// A Version is the version of the library that wrote a file: major<<16 | minor<<8 |
// patch.
type Version uint32

// The released versions.
const (
	V100 Version = 0x10000
	V110 Version = 0x10100
	V120 Version = 0x10200
	V121 Version = 0x10201
	V130 Version = 0x10300
	V140 Version = 0x10400
	V150 Version = 0x10500
	V151 Version = 0x10501
)

// Versions lists the released versions, oldest first.
func Versions() []Version {
	return []Version{V100, V110, V120, V121, V130, V140, V150, V151}
}

// String returns the version as people write it: 1.5.1.
func (v Version) String() string {
	return fmt.Sprintf("%d.%d.%d", v>>16, v>>8&0xff, v&0xff)
}

func (v Version) hasReferences() bool { return v >= V110 }
func (v Version) hasVerboseBit() bool { return v >= V130 }
func (v Version) hasSkipList() bool   { return v >= V150 }

// The two numberings of the datatypes any, array, struct and undefined, named
// by the number of any.
const (
	tags14  = 14
	tags204 = 204
)

// A Datatype says how a value is stored, numbered as in Elephant 1.5.1.
type Datatype uint8

// The datatypes.
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

	Ref Datatype = 255 // a reference to an earlier array or struct; not a datatype of the library
)

var datatypeNames = map[Datatype]string{
	U8: "u8", S8: "s8", U16: "u16", S16: "s16", U32: "u32", S32: "s32", F16: "f16", F32: "f32", F64: "f64",
	Bool: "bool", String: "string", U64: "u64", Text: "text",
	Any: "any", Array: "array", Struct: "struct", Undefined: "undefined", Ref: "ref",
}

// String returns the datatype's name: u8.
func (t Datatype) String() string {
	if name, ok := datatypeNames[t]; ok {
		return name
	}
	return fmt.Sprintf("datatype %d", uint8(t))
}

// allDatatypes are those that a schema can name, in their order.
var allDatatypes = []Datatype{
	U8, S8, U16, S16, U32, S32, F16, F32, F64, Bool, String, U64, Text, Any, Array, Struct, Undefined,
}

// An Error is where in the block reading stopped, and why.
type Error struct {
	Offset  int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%#x: %s", e.Offset, e.Message) }
