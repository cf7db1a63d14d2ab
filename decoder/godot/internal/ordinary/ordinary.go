// Package ordinary writes ordinary values directly from their bytes: whole values of usual
// types of which there is nothing to be reported, as most of a file is. Writers of text use it
// for what it can write, and write all other values one by one.
package ordinary

import (
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
)

// A Notation says how ordinary values are written. If there are two texts, one comes before
// and the other after something.
type Notation struct {
	Int, Float         [2]string
	String, StringName string // before the text, which ends in a quote
	NodePath           string // the same
	Array, Dictionary  [2]string
	EmptyDictionary    string
	TypedArray         [3]string     // the name of the type of the elements comes after the first
	TypedDictionary    [4]string     // the names of the types of keys and values come after the first two
	Type, Parts        string        // before the name of a type, and before its numbers or strings
	WideParts          string        // before 64-bit numbers where 32 bits are usual
	End                string        // after these
	Comma              string        // between these, and between elements and entries
	Colon              string        // between key and value
	Whole, Part        numeric.Style // of a float, and of one among others
	Columns            bool          // bases are written in columns; files have them in rows
}

// A Table is a notation for the types of a format.
type Table struct {
	Notation
	format *variant.Format
	sizes  *types.PassTable
	forms  [2][256]form // by the header's flag for 64 bits, and by type id
	names  [256]string  // of the types of elements, "" for those whose id is not enough
}

// A form is how the values of a type are written.
type form struct {
	how  how
	open string
	comp types.ID // of the numbers in it
}

// how is a way to write a value.
type how uint8

const (
	notOrdinary how = iota
	asNothing       // open alone
	asBool
	asInt
	asFloat
	asText
	asParts    // numbers, as many as the type has
	asColumns  // the same; the first nine are a matrix of which a file has the rows
	asElements // numbers, counted
	asBytes
	asStrings
	asArray
	asDictionary
	asPath
)

// hows are the ways to write values of a shape.
var hows = map[types.Shape]how{
	types.ShapeBool: asBool, types.ShapeNumber: asInt, types.ShapeText: asText, types.ShapeFixed: asParts, types.ShapePacked: asElements,
	types.ShapePath: asPath, types.ShapeBytes: asBytes, types.ShapeStrings: asStrings, types.ShapeArray: asArray, types.ShapeDict: asDictionary,
}

// NewTable returns the notation for the types of a format.
func NewTable(f *variant.Format, n Notation) *Table {
	t := &Table{Notation: n, format: f, sizes: f.Dialect.PassTable(f.Double)}
	for i, id := range f.Dialect.Table {
		t.forms[0][i] = t.form(id, false)
		if f.Dialect.KnownFlags(id)&types.WideFlag != 0 {
			t.forms[1][i] = t.form(id, true)
		}
		if t.sizes.Odd[i] {
			t.forms[0][i].how, t.forms[1][i].how = notOrdinary, notOrdinary
		}
		if id != types.Nil && id != types.Object {
			t.names[i] = types.Of(id).Name
		}
	}
	return t
}

// form returns how values of a type are written; wide says that they have the flag for 64
// bits.
func (t *Table) form(id types.ID, wide bool) form {
	what := types.Of(id)
	x := form{hows[what.Shape], t.Type + what.Name + t.Parts, t.format.Component(what, wide)}
	switch id {
	case types.Nil:
		return form{how: asNothing, open: "null"}
	case types.Float:
		x.how = asFloat
	case types.StringName:
		x.open = t.StringName
	case types.String:
		x.open = t.String
	case types.NodePath:
		x.open = t.NodePath
	case types.Basis, types.Transform, types.Transform3D:
		if t.Columns {
			x.how = asColumns
		}
	}
	if x.comp != what.Comp && !t.format.Double {
		x.open = t.Type + what.Name + t.WideParts
	}
	return x
}
