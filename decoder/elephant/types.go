package elephant

import "fmt"

// A typeID is what a value is: its datatype, numbered as in Elephant 1.4.0 and
// later, or one of the kinds below that are no datatype.
type typeID = uint16

// Datatypes (section 2 of the specification).
const (
	tU8        typeID = 1
	tS8        typeID = 2
	tU16       typeID = 3
	tS16       typeID = 4
	tU32       typeID = 5
	tS32       typeID = 6
	tF16       typeID = 7
	tF32       typeID = 8
	tF64       typeID = 9
	tBool      typeID = 10
	tString    typeID = 11
	tU64       typeID = 12
	tText      typeID = 13
	tAny       typeID = 204
	tArray     typeID = 205
	tStruct    typeID = 206
	tUndefined typeID = 207
)

// What else a value can be.
const (
	tFile    typeID = 0x100 + iota // the whole block
	tName                          // a member's name
	tSkipped                       // a member of a schema that the file leaves out
	tUnknown                       // what cannot be read
)

// ctorElement marks an array's element type in 1.0.0 that is a constructor's
// tag, which is the low byte.
const ctorElement = 0x200

// typeNames are the names of the datatypes 1 to 13.
var typeNames = [...]string{1: "u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32", "f64", "bool", "string", "u64", "text"}

// widths are the sizes in bytes of the datatypes that have a fixed one.
var widths = [...]int64{tU8: 1, tS8: 1, tU16: 2, tS16: 2, tU32: 4, tS32: 4, tF16: 2, tF32: 4, tF64: 8, tBool: 1, tU64: 8, tText: 0}

// width is the size of a value of type t in bytes, 0 if it has none that is
// fixed.
func width(t typeID) int64 {
	if int(t) < len(widths) {
		return widths[t]
	}
	return 0
}

func isText(t typeID) bool { return t == tString || t == tText }

// typeName is the name of a type as in the library's constants: f64, struct.
func typeName(t typeID) string {
	switch {
	case int(t) < len(typeNames) && typeNames[t] != "":
		return typeNames[t]
	case t == tAny:
		return "any"
	case t == tArray:
		return "array"
	case t == tStruct:
		return "struct"
	case t == tUndefined:
		return "undefined"
	case t == tFile:
		return "file"
	case t == tName:
		return "name"
	case t == tSkipped:
		return "default"
	case t&ctorElement != 0:
		return fmt.Sprintf("constructor%d", t&0xff)
	}
	return fmt.Sprintf("type %d", t)
}

// typeByName is the type that typeName names, 0 if it is none.
func typeByName(name string) typeID {
	for t := tU8; t <= ctorElement|0xff; t++ {
		if (t <= tText || t >= tAny && t <= tUndefined || t >= ctorElement|32) && typeName(t) == name {
			return t
		}
	}
	return 0
}

// isWritten reports whether the library chooses a datatype for a value by itself,
// and writes its tag (section 2); others stand in schemas only.
func isWritten(t typeID) bool {
	switch t {
	case tS32, tF64, tBool, tString, tU64, tArray, tStruct, tUndefined:
		return true
	}
	return t&ctorElement != 0
}

func isNumber(t typeID) bool { return width(t) > 0 && t != tBool }
