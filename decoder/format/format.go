// Package format says what a family of formats gives to be opened, shown, edited and
// diagnosed: a small core, and capabilities that are optional (capability.go).
package format

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Family is a format with all its dialects: one folder below decoder, and one line in
// the table decoder.Families. It holds no state.
type Family interface {
	// Name is what the output of info calls the family: "godot".
	Name() string

	// Dialects lists its dialects, the likeliest first.
	Dialects() []Dialect

	// Sniff says what the bytes of a region look like. It reads no more than their
	// beginning and end.
	Sniff(src source.Source, region span.Span) Claim

	// Formats lists the ways to read a region that a request leaves open, the
	// likeliest first. None are left where it asks for a dialect of another family.
	Formats(r *Request, src source.Source, region span.Span) []Format
}

// A Format is one way to read a region: a dialect with all else that reading needs to
// know. It is immutable; what a reading learns belongs to the reading.
type Format interface {
	// Info describes the format for people and for scripts.
	Info() Info

	// Open begins a reading of a region.
	Open(src source.Source, region span.Span) tree.Reading
}

// Info describes a Format.
type Info struct {
	Family    string // its name
	Dialect   string // as --as takes it: "godot4"
	Title     string // of the dialect, for people: "Godot 4"
	Framing   string // "raw" or "stream"
	BigEndian bool   // frame lengths are big-endian
	Unwritten bool   // no engine writes it: the dialect is a table of some document
	Declared  bool   // the region itself says that it is of this dialect
}

// A Dialect describes a dialect for people and for scripts.
type Dialect struct {
	Name     string   `json:"dialect"`
	Format   string   `json:"format"` // name of the family
	Title    string   `json:"title"`
	About    string   `json:"about"` // what writes it
	Types    []string `json:"types"` // by id; "" for an id that means nothing
	Framed   bool     `json:"-"`     // its values may follow one another in a stream
	Double   bool     `json:"-"`     // builds with 64-bit components do not mark these
	Outdated bool     `json:"-"`     // the current version of what writes it can no longer read it
}

// A Claim is what a family says of bytes that it has sniffed.
type Claim uint8

// The claims, from the weakest to the strongest.
const (
	None       Claim = iota // they cannot be of this family
	LastResort              // they may be, but only if all of them read without a problem and no other family reads them well
	Plausible               // they may be: how they read decides
	Signature               // they carry the family's signature
)

// A Request says how a user asks a region to be read. What it leaves open is detected.
type Request struct {
	Dialect string // "" for any
	Framing string // "raw", "stream"; "" for any
	Double  bool   // components have 64 bits and nothing marks these

	Wrapped bool             // the region is what a wrapper of files holds: a stream is likelier
	Schemas func() []Schemas // where struct layouts are looked up, the first goes first; nil for nowhere
}

// Schemas is a library of the layouts of structs, which a game's sources declare.
type Schemas interface {
	// Find tells where the layout of a constructor's version is declared. known is
	// false where the library does not have the constructor at all.
	Find(constructor string, version int) (at Declaration, known bool)
}

// A Declaration is where a layout is declared; without File it is not.
type Declaration struct {
	File string
	Line int
}
