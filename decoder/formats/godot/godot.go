// Package godot reads and edits the Variant serialization of Godot 3 and 4 and of
// Pandemonium Engine. A dialect is a table of type ids and a few switches.
//
// The work is done in the folders below internal:
//
//	types    the types, and the dialects that give them ids
//	variant  values in a buffer: reading, fields, paths, what is unusual about them
//	numeric  numbers as bytes and as digits
//	write    values as text: literals and JSON
//	literal  what is typed in, and what engines read of a text
//	encode   literals as bytes
//	json     values from JSON
//	convert  values in another dialect, files of resources in another form
//	edit     changes of values
//	damage   fields that may be the cause of damage, and repairs
package godot

import (
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/damage"
	"varview/decoder/formats/godot/internal/json"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/formats/godot/internal/variantedit"
	"varview/decoder/formats/godot/internal/write"
)

// Settings are what reading depends on: dialect, framing, and what the bytes themselves do not show.
type Settings = variant.Format

// A Format reads buffers in one dialect and framing. It is a tree.Reading, and has all
// optional capabilities except those that only formats with state or footers need.
type Format struct {
	*Settings // reads, lists fields, inspects, passes
	write.Forms
	json.Importer
	variantedit.Editor
	damage.Judge
}

// New returns a format with some settings.
func New(s Settings) *Format {
	return &Format{&s, write.Forms{Format: &s}, json.Importer{Format: &s}, variantedit.Editor{Format: &s}, damage.Judge{Format: &s}}
}

// Variant returns the format as the other packages of this family use it.
func (f *Format) Variant() *variant.Format { return f.Settings }

// A Dialect says what the ids and flags of a file mean.
type Dialect = types.Dialect

// Framing is how values follow one another in a buffer.
type Framing = variant.Framing

// The framings.
const (
	Raw      = variant.Raw      // one bare value
	Stream   = variant.Stream   // u32 length and value, repeated
	Sequence = variant.Sequence // bare values one after another
)

// Dialects lists all dialects, the likeliest first.
func Dialects() []*Dialect { return types.Dialects() }

// ByName returns the dialect with a name.
func ByName(name string) (*Dialect, bool) { return types.ByName(name) }

// Values returns a list of count bare values from at on, without a header or lengths, like the elements of
// an untyped Array. count may be tree.Unknown.
func Values(at, limit, count int64) tree.Value {
	v := tree.Value{Start: at, Head: at, Body: at, Limit: limit, Type: types.Array}
	v.Contain(tree.Sequence, count, 4)
	return v
}
