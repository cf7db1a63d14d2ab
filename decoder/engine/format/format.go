// Package format defines what a family of formats implements to be opened, shown, edited
// and diagnosed: a small core, and optional capabilities (capability.go).
package format

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Family is a format with all its dialects: one folder below decoder, and one line in
// the table of families. It holds no state.
type Family interface {
	// Name returns the name of the family in the output of info: "godot".
	Name() string

	// Dialects lists the family's dialects, the likeliest first.
	Dialects() []*Dialect

	// Sniff returns the family's claim on a region. It reads only the beginning and end.
	Sniff(src source.Source, region span.Span) Claim

	// Formats lists the ways to read a region that a request allows, the likeliest first; it is empty if
	// the request is for a dialect of another family.
	Formats(r *Request, src source.Source, region span.Span) []Format

	// Hints returns examples for users while the family's values are open.
	Hints() Hints
}

// A Format is one way to read a region: a dialect with everything else that reading
// depends on. It is immutable; what a reading learns belongs to the reading.
type Format interface {
	// Info describes the format for people and for scripts.
	Info() Info

	// Open begins a reading of a region.
	Open(src source.Source, region span.Span) tree.Reading
}

// Sequence is the framing of two or more bare values, one after another to the end.
const Sequence = "sequence"

// Info describes a Format.
type Info struct {
	Dialect   *Dialect
	Framing   string // "raw", "stream" or Sequence
	BigEndian bool   // frame lengths are big-endian
	Declared  bool   // the region itself declares the dialect
}

// Title returns the name of the format for people: "Godot 4, stream", "Elephant 1.5.1".
func (i *Info) Title() string {
	if i.Dialect.Framed || i.Framing == Sequence {
		return i.Dialect.Title + ", " + i.Framing
	}
	return i.Dialect.Title
}

// Flags returns the flags of the command line that request the format: "--as godot4 --framing raw".
func (i *Info) Flags() string {
	if i.Dialect.Framed || i.Framing == Sequence {
		return "--as " + i.Dialect.Name + " --framing " + i.Framing
	}
	return "--as " + i.Dialect.Name
}

// A Dialect describes a dialect for people and for scripts.
type Dialect struct {
	Name   string   `json:"dialect"` // name as --as takes it: "godot4"
	Format string   `json:"format"`  // name of the family
	Title  string   `json:"title"`   // for people: "Godot 4"
	About  string   `json:"about"`   // programs that write it
	Types  []string `json:"types"`   // names of types by id; "" for an unused id

	Ending string `json:"-"` // how the names of its files end, if few others end so: ".cfg"

	Within string `json:"-"` // name of the wrapper that its files have; "" for none

	Kin string `json:"-"` // group of dialects of several families that are converted into one another; "" for its own family's

	Generation int `json:"-"` // Godot version whose encrypted files its engine reads, 3 or 4; 0 if it reads none

	Framed    bool `json:"-"` // its values may follow one another in a stream
	Bare      bool `json:"-"` // its values may follow one another in a sequence
	Double    bool `json:"-"` // builds with 64-bit components do not mark these
	Rare      bool `json:"-"` // hardly any file uses it
	Unwritten bool `json:"-"` // only documents describe it; no program writes it
	Common    bool `json:"-"` // programs other than games write it too
	Outdated  bool `json:"-"` // the current version of the program that writes it can no longer read it
}

// Hints are examples of what users can type.
type Hints struct {
	Title    string // title of the family: "Godot"
	Literal  string // examples of literals: `42, "text", [1, 2]`
	Empty    string // literal of an empty value: "null"
	Commands string // examples for the program's command line, shown while that is empty
	Prefixed bool   // a literal can choose a datatype by a prefix: u8(7)
	Text     bool   // the bytes are lines of text
	Schemas  bool   // structs are laid out by schemas, and values refer to one another
}

// A Claim is how certain a family is, after sniffing, that bytes are its own.
type Claim uint8

// The claims, from the weakest to the strongest.
const (
	None       Claim = iota // the bytes cannot be of this family
	LastResort              // possible if the whole region can be read without a problem and no other family reads it well
	Plausible               // possible: the cost of the reading decides
	Signature               // the bytes have the family's signature
	Enclosed                // the bytes begin and end with signatures of the family
)

// A Request says how a user wants a region to be read. What it leaves open is detected.
type Request struct {
	Name    string   // of the file; "" if it is unknown
	Dialect string   // "" for any
	Framing string   // "raw", "stream", Sequence; "" for any but a sequence
	Prefer  []string // dialects that win a tie, the best first
	Double  bool     // components have 64 bits and are not marked

	Described Format // reading by the user's description; nil if there is none

	InFile     bool   // the region is from a wrapper used for files: a stream is likelier
	Within     string // name of the wrapper that the region is from; "" for none
	Generation int    // generation of the engine whose wrapper this is; 0 if unknown

	Schemas func() []Schemas // returns the schemas to search for struct layouts, in this order; nil if there are none
	Names   func() Names     // returns the names of values that have none in the file; nil if there are none
}

// Libraries returns the schemas of a request.
func (r *Request) Libraries() []Schemas {
	if r.Schemas == nil {
		return nil
	}
	return r.Schemas()
}

// Schemas is a library of struct layouts, which a game's sources declare.
type Schemas interface {
	// Find returns where the layout of a constructor's version is declared. known is false
	// if the library does not have the constructor at all.
	Find(constructor string, version int) (at Declaration, known bool)

	// Len returns the number of constructors, IsUsable reports whether the layout of any
	// of their versions is known.
	Len() int
	IsUsable() bool
}

// A Declaration is the place where a layout is declared; File is "" if it is not declared.
type Declaration struct {
	File string
	Line int
}
