// Package kaitai is the family of formats that users describe in the language of Kaitai Struct.
package kaitai

import (
	"cmp"
	"encoding/binary"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// Family has no dialects of its own: each description is one.
var Family format.Family = family{}

type family struct{}

var (
	_ format.DescriptionReader = family{}
	_ format.CodeLister        = family{}
)

// Name implements format.Family.
func (family) Name() string { return "kaitai" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return nil }

// Sniff implements format.Family.
func (family) Sniff(source.Source, span.Span) format.Claim { return format.None }

// Formats implements format.Family.
func (family) Formats(r *format.Request, _ source.Source, _ span.Span) []format.Format {
	if d, ok := r.Described.(*description); ok {
		return []format.Format{d}
	}
	return nil
}

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{Title: "Kaitai Struct", Literal: `42, "text", true`, Empty: "0"}
}

// Codes implements format.CodeLister.
func (family) Codes() []span.Code {
	return []span.Code{
		{Code: read.NotValid, Severity: span.Error, About: "a value that the description does not allow", Repair: ""},
		{Code: read.WrongContent, Severity: span.Error, About: "other bytes than the description asks for", Repair: ""},
		{Code: read.NotKept, Severity: span.Error, About: "a checksum, a size or another value that is not what the description keeps it equal to", Repair: "set it to what it is kept equal to"},
		{Code: read.Unevaluated, Severity: span.Error, About: "an expression of the description has no value here", Repair: ""},
		{Code: read.Unprocessed, Severity: span.Error, About: "bytes that the process of the description cannot decode", Repair: ""},
		{Code: read.InvalidText, Severity: span.Error, About: "text that is not valid in its encoding", Repair: ""},
		{Code: read.EndlessRepeat, Severity: span.Error, About: "values without bytes, repeated without end", Repair: ""},
		{Code: read.TooDeep, Severity: span.Error, About: "values nested deeper than varview follows", Repair: ""},
	}
}

// ReadDescription implements format.DescriptionReader.
func (family) ReadDescription(file string, dirs []string, embed format.Embedder) (format.Format, error) {
	t, err := spec.Load(file, dirs)
	if err != nil {
		return nil, err
	}
	return describe(t, dirs, embed), nil
}

// CheckDescription implements format.DescriptionReader.
func (family) CheckDescription(file string, dirs []string) ([]*format.DescriptionProblem, error) {
	return spec.Check(file, dirs)
}

// Reread implements format.Custom.
func (d *description) Reread() (format.Format, error) {
	t, err := spec.Load(d.t.Files()[0], d.dirs)
	if err != nil {
		return nil, err
	}
	again := describe(t, d.dirs, d.embed)
	again.in = d.in
	return again, nil
}

// Files implements format.Custom.
func (d *description) Files() []string { return d.t.Files() }

// Check implements format.Custom.
func (d *description) Check() ([]*format.DescriptionProblem, error) {
	return spec.Check(d.t.Files()[0], d.dirs)
}

func describe(t *spec.Type, dirs []string, embed format.Embedder) *description {
	return &description{t: t, dirs: dirs, embed: embed, streams: streamsOf(t, map[*spec.Type]bool{}), vocabulary: vocabularyOf(t), plans: plansOf(t), deciding: t.Deciding(), follows: t.Keeps(), overlaps: t.Overlaps(), dialect: format.Dialect{Name: t.Name, Format: "kaitai", Title: cmp.Or(t.Title, t.Name), About: "described by " + t.File}}
}

// A description is one format.
type description struct {
	t          *spec.Type
	in         *inside          // nil for a file
	isKnown    bool             // it comes with the program
	texts      binary.ByteOrder // as known has it
	dirs       []string         // in which imports are looked for
	embed      format.Embedder
	streams    streams
	vocabulary *vocabulary
	plans      map[*spec.Attr]plan   // of the elements of lists
	deciding   func(*spec.Attr) bool // whether an attribute alone says the size, the number or the position of another one
	follows    bool                  // some value is kept equal to something
	overlaps   bool                  // some value begins with the terminator of another one
	dialect    format.Dialect
}

// Info implements format.Format.
func (d *description) Info() format.Info {
	return format.Info{Dialect: &d.dialect, Framing: "raw", Declared: true}
}

// Open implements format.Format.
func (d *description) Open(src source.Source, region span.Span) tree.Reading {
	return newReading(d, src, region)
}
