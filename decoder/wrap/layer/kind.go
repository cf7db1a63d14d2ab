// Package layer defines what all kinds of wrappers share: the interface Kind, the open
// wrapper Layer, and the parts that store its payload and wrap it again.
package layer

import (
	"bytes"
	"context"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A Wrapper is a kind of wrapper. It holds no state.
type Wrapper interface {
	// String returns its name in the output of info, Meaning a description in a few words.
	String() string
	Meaning() string
	// IsText reports whether it is a text of digits, which the input option can request by name. IsFile
	// reports whether it is a file of Godot's FileAccess, whose values are a stream. NeedsKey reports
	// whether it needs a key or password.
	IsText() bool
	IsFile() bool

	// IsBound reports whether the wrapper can hold only one format; conversion leaves it off.
	IsBound() bool

	// WrittenBy returns the engine whose files alone are wrapped so; "" for any.
	WrittenBy() string
	NeedsKey() bool

	// Sniff reports whether bytes look like a wrapper of this kind.
	Sniff(s *Sample) bool

	// Open opens the region of src: it sets at least Title and Reading of l, and Payload or
	// Missing. Any bytes can be opened; the error is that of ctx, of reading, or of a
	// temporary file.
	Open(ctx context.Context, l *Layer, src source.Source, o Options) error
}

// A Deferrer is a kind whose Open reads only a part of a region, or unpacks more bytes
// than the region has.
type Deferrer interface {
	// Eager returns the number of bytes that Open reads or unpacks, without headers and
	// tables.
	Eager(region span.Span, o Options) int64
}

// A Maker is a kind that can make new wrappers.
type Maker interface {
	Wrapper
	// Empty returns a wrapper that holds nothing. The variant is one of its ways to pack,
	// "" for the usual one; the generation is that of the Godot version that will read it,
	// 3 or 4.
	Empty(variant string, generation int) ([]byte, error)
}

// An Info implements the methods of Kind that describe it. A kind embeds it.
type Info struct {
	Name, About           string
	Text, File, Encrypted bool
	Engine                string // whose files alone are wrapped so; "" for any
	Bound                 bool   // bound to one format, whose conversion leaves it off
}

// String implements Kind.
func (i Info) String() string { return i.Name }

// Meaning implements Kind.
func (i Info) Meaning() string { return i.About }

// WrittenBy implements Kind.
func (i Info) WrittenBy() string { return i.Engine }

// IsBound implements Kind.
func (i Info) IsBound() bool { return i.Bound }

// IsText implements Kind.
func (i Info) IsText() bool { return i.Text }

// IsFile implements Kind.
func (i Info) IsFile() bool { return i.File }

// NeedsKey implements Kind.
func (i Info) NeedsKey() bool { return i.Encrypted }

// Sniffed is the number of bytes of a file that are read to detect its wrapper.
const Sniffed = source.MaxView

// A Sample is the beginning of the bytes that may be wrapped.
type Sample struct {
	Head   []byte // at most Sniffed bytes
	Whole  bool   // Head is all of the bytes
	Window *source.Window
	Region span.Span
}

// NewSample reads the beginning of a region.
func NewSample(src source.Source, region span.Span) *Sample {
	s := &Sample{Window: source.NewWindow(src), Region: region}
	s.Head = bytes.Clone(s.Window.View(region.Offset, min(region.Length, Sniffed)))
	s.Whole = int64(len(s.Head)) == region.Length
	return s
}

// IsCut reports whether bytes end within a signature.
func IsCut(head []byte, magic string) bool {
	return len(head) > 0 && len(head) < len(magic) && string(head) == magic[:len(head)]
}

// IsNear reports whether bytes begin with a signature in which at most one byte differs.
func IsNear(head []byte, magic string) bool {
	if len(head) < len(magic) {
		return false
	}
	wrong := 0
	for i := range len(magic) {
		if head[i] != magic[i] {
			wrong++
		}
	}
	return wrong <= 1
}

// IsZero reports whether all bytes are zero.
func IsZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// ReadAt fills p from off on. The error is a *source.HoleError if some bytes are in a hole;
// these are then zero.
func ReadAt(src source.Source, p []byte, off int64) error {
	n, err := src.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return fmt.Errorf("%#x: %w", off+int64(n), err)
}
