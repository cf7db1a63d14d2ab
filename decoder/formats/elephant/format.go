// Package elephant is the family of the formats of Elephant, a serialisation library for GameMaker, in all
// versions from 1.0.0 to 1.5.1.
//
// How a block is laid out is in internal/block, with its datatypes and numbers in
// internal/datatype; how values are typed and shown in internal/literal; their JSON forms
// in internal/json; how they are changed in internal/blockedit; and what may be wrong with them,
// and how that is repaired, in internal/damage. Schemas come from a game's sources, which
// gml reads.
package elephant

import (
	"context"
	"io"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/blockedit"
	"varview/decoder/formats/elephant/internal/damage"
	"varview/decoder/formats/elephant/internal/json"
	"varview/decoder/formats/elephant/internal/literal"
)

// Rules are what one version of the library writes and reads.
type Rules = block.Rules

// A Header is how a block begins and ends.
type Header = block.Header

// Codes describes the problems that only Elephant has.
var Codes = block.Codes

// Versions lists the rules of all versions, the newest first.
func Versions() []Rules { return block.Versions() }

// Sniff reports whether the beginning and end of region are those of a block, which may be damaged. The
// header is useful even if they are not.
func Sniff(src source.Source, region span.Span) (h Header, ok bool) { return block.Sniff(src, region) }

// A Format reads blocks by the rules of one version. It is immutable.
type Format struct {
	Rules   *Rules
	schemas []*gml.Library
}

// New returns the format of a version. The libraries hold the schemas; the first one that
// declares a constructor counts.
func New(r *Rules, libraries []*gml.Library) *Format { return &Format{r, libraries} }

// Open begins a reading of the block in a region. Its header may be damaged, or be that of
// another version.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading {
	return newReading(block.Open(f.Rules, f.schemas, src, region))
}

// Import writes the block that a value in the typed form describes, as written by WriteTyped. A value that
// does not name the version of its block gets the given version, or the newest if that is nil. If a schema
// allows any type, the type comes from "tagged" or, if that is missing, from the libraries. The block is
// held in memory until it is complete.
func Import(ctx context.Context, in io.Reader, out io.Writer, r *Rules, libraries []*gml.Library) error {
	return json.Import(ctx, in, out, r, libraries)
}

// Convert writes the block that r reads in another version. An error names the value that the version
// cannot express.
func Convert(ctx context.Context, r *tree.Reader, to *Rules, out io.Writer) error {
	return json.Convert(ctx, r, to, out)
}

// A Reading reads one block. Bytes depend on the constructors named before them; a Reading learns these
// while it reads.
type Reading struct {
	*block.Reading // reads, lists fields, inspects, learns
	literals
	forms
	blockedit.Editing
	damage.Judging
}

type (
	literals = literal.Writing
	forms    = json.Writing
)

func newReading(b *block.Reading) *Reading {
	return &Reading{b, literals{Reading: b}, forms{Reading: b}, blockedit.Editing{Reading: b}, damage.Judging{Reading: b}}
}

// Fork implements tree.Resyncer.
func (f *Reading) Fork(before int64, strict bool) tree.Reading {
	fork, _ := block.Of(f.Reading.Fork(before, strict))
	return newReading(fork)
}

// Edited implements tree.Learner. The rules stay the same, whatever the header is now.
func (f *Reading) Edited(src source.Source, region span.Span) tree.Learner {
	edited, _ := block.Of(f.Reading.Edited(src, region))
	return newReading(edited)
}
