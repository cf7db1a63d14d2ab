// Package decoder opens bytes as a tree of values: it finds out what they are,
// takes them out of what they are wrapped in, and reads them.
package decoder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/elephant"
	"varview/decoder/elephant/gml"
	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
)

// Options say how to read a file. What they leave open is detected.
type Options struct {
	Dialect  string // as in Dialects; "" to detect it
	Framing  string // "raw", "stream"; "" to detect it
	Double   bool   // numbers of a double-precision build that marks nothing
	Offset   int64  // where the values begin in the file
	Length   int64  // how many bytes they take; 0 for all up to the end
	Thorough Thoroughness

	Input       string   // what the file itself is: "binary", "hex", "base64"; "" to detect it
	Passwords   []string // of encrypted files; an empty one is a password
	Keys        [][]byte // the same as 32 bytes; they go before the passwords
	MaxUnpacked int64    // most bytes that a wrapper may hold; 0 for DefaultMaxUnpacked

	// Schemas, if set, gives the schemas of Elephant's constructors. It is called
	// once, and only for an Elephant file. The first library that declares a
	// constructor is asked.
	Schemas func() []*gml.Library

	// Instead, if set, gives the bytes that stand in place of those of a buffer, by
	// its number; nil for those it has.
	Instead func(buffer int) source.Source

	// Defer, if not 0, is how many bytes may be read to unwrap them before the
	// document is there. A wrapper that takes more stays closed: its document has
	// Missing with the code Deferred.
	Defer int64
	// Progress, if set, is told how much of a wrapper has been read.
	Progress func(done, all int64)
}

// DefaultMaxUnpacked is the limit against what unpacks to more than anybody has
// room for: 1 GiB.
const DefaultMaxUnpacked = 1 << 30

// maxLayers is how many wrappers around each other are opened.
const maxLayers = 16

// Codes of a Missing that are no wrapper's own.
const (
	Deferred      = "deferred"        // it only waits for being asked
	TooManyLayers = "too-many-layers" // there are more wrappers than are opened
)

// A Document is a file opened as a tree of values.
type Document struct {
	Tree       *tree.Tree // of the values; of the innermost wrapper's own bytes where Missing says why
	Layers     []Layer    // the wrappers around them, the outermost first
	Missing    *wrap.Missing
	Format     string // family: "godot", "elephant"; "" where Missing says why
	Dialect    string
	Title      string // the dialect for people: "Godot 4"
	Framing    string
	BigEndian  bool     // frame lengths are big-endian
	Also       []string // other dialects that read the bytes as cleanly
	Confidence Confidence

	asked    Options     // what was not left to be detected
	mangled  []wrap.Kind // what programs have done to the file: the kinds of the first layers
	against  int64       // what speaks against the reading, going by the beginning
	stranger *stranger   // what the file is that holds no values, where that is known
}

// A Layer is a wrapper that was opened, with the tree of its own bytes.
type Layer struct {
	*wrap.Layer
	Tree *tree.Tree
}

// Check reports options that no file could satisfy.
func (o *Options) Check() error {
	switch o.Framing {
	case "", "raw", "stream":
	default:
		return fmt.Errorf("unknown framing %q: it is raw or stream", o.Framing)
	}
	switch o.Input {
	case "", "binary", "hex", "base64":
	default:
		return fmt.Errorf("unknown input %q: it is binary, hex or base64", o.Input)
	}
	if err := o.checkDialect(); err != nil {
		return err
	}
	if o.Offset < 0 || o.Length < 0 || o.MaxUnpacked < 0 {
		return errors.New("an offset or length cannot be negative")
	}
	for _, key := range o.Keys {
		if len(key) != 32 {
			return wrap.ErrKeyLength
		}
	}
	return nil
}

func (o *Options) checkDialect() error {
	if o.Dialect == "" {
		return nil
	}
	d, ok := godot.ByName(o.Dialect)
	switch isElephant := o.rules() != nil; {
	case !ok && !isElephant:
		return fmt.Errorf("unknown dialect %q: it is one of %s", o.Dialect, strings.Join(dialectNames(), ", "))
	case isElephant && (o.Framing == "stream" || o.Double):
		return fmt.Errorf("%s knows neither --framing stream nor --double", o.Dialect)
	case o.Double && !d.HasDouble():
		return fmt.Errorf("--double means nothing to %s, which marks 64-bit components in the file", o.Dialect)
	}
	return nil
}

// rules are those of the Elephant that the options ask for, nil for another
// dialect or none.
func (o *Options) rules() *elephant.Rules {
	name, _ := strings.CutPrefix(o.Dialect, "elephant-")
	if r, ok := elephant.ByName(name); ok && name != o.Dialect {
		return r
	}
	return nil
}

func dialectNames() []string {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.Name)
	}
	return names
}

// Open finds out what src holds and opens it. Any bytes open; the errors are
// those of the options, of ctx, and of the machine. The document is to be closed.
func Open(ctx context.Context, src source.Source, o Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	region, err := o.region(src.Size())
	if err != nil {
		return nil, err
	}
	if o.MaxUnpacked == 0 {
		o.MaxUnpacked = DefaultMaxUnpacked
	}
	o.loadOnce()
	src, region = o.instead(0, src, region)
	mangled, lost, err := o.mangling(ctx, src, region)
	if err != nil {
		return nil, err
	}
	d := &Document{asked: Options{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double, Input: o.Input}, mangled: mangled}
	open := d.open
	if lost {
		open = d.readGodot // what it was wrapped in does not matter any more
	}
	if err := open(ctx, src, region, o); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// region is the part of a file that the options choose.
func (o *Options) region(size int64) (span.Span, error) {
	if o.Offset > size {
		return span.Span{}, fmt.Errorf("offset %#x is behind the end of the file, which has %d bytes", o.Offset, size)
	}
	region := span.Between(o.Offset, size)
	if o.Length > 0 {
		if o.Length > region.Length {
			return span.Span{}, fmt.Errorf("%d bytes from offset %#x on go past the end of the file, which has %d bytes", o.Length, o.Offset, size)
		}
		region.Length = o.Length
	}
	return region, nil
}

// Close gives back what the wrappers' payloads take. The trees must not be used
// any more.
func (d *Document) Close() error {
	var errs []error
	for _, l := range slices.Backward(d.Layers) {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// IsForeign reports whether the file is known to be of another kind. Title says of
// which; what it is read as means nothing.
func (d *Document) IsForeign() bool { return d.stranger != nil }

// IsOther reports whether the file is known to be something else than a save or
// packet, and no damaged one.
func (d *Document) IsOther() bool { return d.stranger != nil && d.stranger.code == NotASave }

// Buffers are the trees of all buffers: the file is 0, what a wrapper holds
// follows it.
func (d *Document) Buffers() []*tree.Tree {
	var all []*tree.Tree
	for _, l := range d.Layers {
		all = append(all, l.Tree)
	}
	if d.Missing == nil {
		all = append(all, d.Tree)
	}
	return all
}

// Wrappers names the wrappers around the values, the outermost first.
func (d *Document) Wrappers() []string {
	names := []string{}
	for _, l := range d.Layers {
		names = append(names, l.Kind.String())
	}
	return names
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
	for _, r := range elephant.Versions() {
		infos = append(infos, DialectInfo{r.Dialect(), "elephant", r.Title(), r.About(), r.Types()})
	}
	return infos
}
