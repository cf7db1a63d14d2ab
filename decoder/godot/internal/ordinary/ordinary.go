// Package ordinary writes ordinary values directly from their bytes: whole values of usual
// types without damage or anything unusual, as most of a file is. Writers of text use it
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
	End                string        // after these
	Comma              string        // between these, and between elements and entries
	Colon              string        // between key and value
	Whole, Part        numeric.Style // of a float, and of one among others
	Columns            bool          // bases are written in columns; files have them in rows, so they are not ordinary
}

// A Table is a notation for the types of a format.
type Table struct {
	Notation
	format *variant.Format
	sizes  *types.PassTable
	forms  [256]form   // by type id
	names  [256]string // of the types of elements, "" for those whose id is not enough
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
		what := types.Of(id)
		x := form{hows[what.Shape], n.Type + what.Name + n.Parts, f.Component(what, false)}
		switch id {
		case types.Nil:
			x = form{how: asNothing, open: "null"}
		case types.Float:
			x.how = asFloat
		case types.StringName:
			x.open = n.StringName
		case types.String:
			x.open = n.String
		case types.NodePath:
			x.open = n.NodePath
		case types.Basis, types.Transform, types.Transform3D:
			if n.Columns {
				x.how = notOrdinary
			}
		}
		t.forms[i] = x
		if id != types.Nil && id != types.Object {
			t.names[i] = what.Name
		}
	}
	return t
}
