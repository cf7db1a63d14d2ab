// Package format says what a family of formats gives to be opened, shown, edited and
// diagnosed: a small core, and capabilities that are optional (capability.go).
package format

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Family is a format with all its dialects: one folder below decoder, and one line in
// the table of families. It holds no state.
type Family interface {
	// Name is what the output of info calls the family: "godot".
	Name() string

	// Dialects lists its dialects, the likeliest first.
	Dialects() []*Dialect

	// Sniff says what the bytes of a region look like. It reads no more than their
	// beginning and end.
	Sniff(src source.Source, region span.Span) Claim

	// Formats lists the ways to read a region that a request leaves open, the
	// likeliest first. None are left where it asks for a dialect of another family.
	Formats(r *Request, src source.Source, region span.Span) []Format

	// Hints say what people can type where the family's values are open.
	Hints() Hints
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
	Dialect   *Dialect
	Framing   string // "raw" or "stream"
	BigEndian bool   // frame lengths are big-endian
	Declared  bool   // the region itself says that it is of this dialect
}

// Title names the format for people: "Godot 4, stream", "Elephant 1.5.1".
func (i *Info) Title() string {
	if i.Dialect.Framed {
		return i.Dialect.Title + ", " + i.Framing
	}
	return i.Dialect.Title
}

// Flags are those of the command line that ask for the format: "--as godot4 --framing
// raw".
func (i *Info) Flags() string {
	if i.Dialect.Framed {
		return "--as " + i.Dialect.Name + " --framing " + i.Framing
	}
	return "--as " + i.Dialect.Name
}

// A Dialect describes a dialect for people and for scripts.
type Dialect struct {
	Name   string   `json:"dialect"` // as --as takes it: "godot4"
	Format string   `json:"format"`  // name of the family
	Title  string   `json:"title"`   // for people: "Godot 4"
	About  string   `json:"about"`   // what writes it
	Types  []string `json:"types"`   // by id; "" for an id that means nothing

	Framed    bool `json:"-"` // its values may follow one another in a stream
	Double    bool `json:"-"` // builds with 64-bit components do not mark these
	Unwritten bool `json:"-"` // a table of some document, which nothing writes
	Outdated  bool `json:"-"` // the current version of what writes it can no longer read it
}

// Hints say what people can type.
type Hints struct {
	Title    string // of the family: "Godot"
	Literal  string // examples of literals: `42, "text", [1, 2]`
	Empty    string // literal of an empty value: "null"
	Commands string // of the program's command line, as it shows them while it is empty
	Prefixed bool   // a literal can choose a datatype by a prefix: u8(7)
	Schemas  bool   // structs are laid out by schemas, and values refer to one another
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

	InFile     bool // the region is what a wrapper of files holds: a stream is likelier
	Generation int  // of the engine whose wrapper this is, 0 where that is unknown

	Schemas func() []Schemas // where struct layouts are looked up, the first goes first; nil for nowhere
}

// Libraries are the schemas of a request.
func (r *Request) Libraries() []Schemas {
	if r.Schemas == nil {
		return nil
	}
	return r.Schemas()
}

// Schemas is a library of the layouts of structs, which a game's sources declare.
type Schemas interface {
	// Find tells where the layout of a constructor's version is declared. known is
	// false where the library does not have the constructor at all.
	Find(constructor string, version int) (at Declaration, known bool)

	// Len is the number of constructors, IsUsable reports whether the layout of any of
	// their versions is known.
	Len() int
	IsUsable() bool
}

// A Declaration is where a layout is declared; without File it is not.
type Declaration struct {
	File string
	Line int
}
