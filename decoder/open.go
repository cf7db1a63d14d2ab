// Package decoder opens bytes as a tree of values: it finds out what they are
// and reads them.
package decoder

import (
	"context"
	"fmt"
	"strings"

	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Options say how to read a file. What they leave open is detected.
type Options struct {
	Dialect  string // as in Dialects; "" to detect it
	Framing  string // "raw", "stream"; "" to detect it
	Double   bool   // numbers of a double-precision build that marks nothing
	Offset   int64  // where the values begin in the file
	Length   int64  // how many bytes they take; 0 for all up to the end
	Thorough Thoroughness
}

// A Document is a file opened as a tree of values.
type Document struct {
	Tree       *tree.Tree
	Format     string // family: "godot"
	Dialect    string
	Title      string // the dialect for people: "Godot 4"
	Framing    string
	BigEndian  bool     // frame lengths are big-endian
	Also       []string // other dialects that read the bytes as cleanly
	Confidence Confidence
}

// Check reports options that no file could satisfy.
func (o *Options) Check() error {
	switch o.Framing {
	case "", "raw", "stream":
	default:
		return fmt.Errorf("unknown framing %q: it is raw or stream", o.Framing)
	}
	if o.Dialect != "" {
		d, ok := godot.ByName(o.Dialect)
		if !ok {
			return fmt.Errorf("unknown dialect %q: it is one of %s", o.Dialect, strings.Join(dialectNames(), ", "))
		}
		if o.Double && !d.HasDouble() {
			return fmt.Errorf("--double means nothing to %s, which marks 64-bit components in the file", o.Dialect)
		}
	}
	if o.Offset < 0 || o.Length < 0 {
		return fmt.Errorf("an offset or length cannot be negative")
	}
	return nil
}

func dialectNames() []string {
	var names []string
	for _, d := range godot.Dialects() {
		names = append(names, d.Name)
	}
	return names
}

// Open finds out what src holds and opens it. Any bytes open; the errors are
// those of the options, and of ctx.
func Open(ctx context.Context, src source.Source, o Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Offset > src.Size() {
		return nil, fmt.Errorf("offset %#x is behind the end of the file, which has %d bytes", o.Offset, src.Size())
	}
	region := span.Between(o.Offset, src.Size())
	if o.Length > 0 {
		if o.Length > region.Length {
			return nil, fmt.Errorf("%d bytes from offset %#x on go past the end of the file, which has %d bytes", o.Length, o.Offset, src.Size())
		}
		region.Length = o.Length
	}
	f, confidence, also, err := detect(ctx, src, region, o)
	if err != nil {
		return nil, err
	}
	return &Document{
		Tree: tree.New(src, &f, region), Format: "godot", Dialect: f.Dialect.Name, Title: f.Dialect.Title,
		Framing: f.Framing.String(), BigEndian: f.BigEndian, Also: also, Confidence: confidence,
	}, nil
}

// A DialectInfo describes a dialect for people.
type DialectInfo struct {
	Name   string   `json:"dialect"`
	Format string   `json:"format"`
	Title  string   `json:"title"`
	About  string   `json:"about"`
	Types  []string `json:"types"` // by id
}

// Dialects lists what can be opened, the likeliest first.
func Dialects() []DialectInfo {
	var infos []DialectInfo
	for _, d := range godot.Dialects() {
		infos = append(infos, DialectInfo{d.Name, "godot", d.Title, d.About, d.Types()})
	}
	return infos
}
