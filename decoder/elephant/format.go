package elephant

import (
	"varview/decoder/elephant/gml"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Format reads blocks by the rules of a version. It is immutable.
type Format struct {
	Rules   *Rules
	schemas []*gml.Library
}

// New returns the format of a version. The libraries hold the schemas; the first
// that declares a constructor is asked.
func New(r *Rules, libraries []*gml.Library) *Format { return &Format{r, libraries} }

// Open begins a reading of the block in a region, whose header may be damaged or
// that of another version.
func (f *Format) Open(src source.Source, region span.Span) tree.Reading {
	return Open(f.Rules, f.schemas, src, region)
}

// As returns the format of another version with the same schemas.
func (f *Reading) As(r *Rules) *Format { return New(r, f.Schemas()) }
