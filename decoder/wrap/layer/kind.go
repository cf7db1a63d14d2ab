// Package layer has what all kinds of wrappers share: what a kind says of itself, the
// open wrapper, and how its payload is kept and wrapped again.
package layer

import (
	"bytes"
	"context"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Kind is a kind of wrapper. It holds no state.
type Kind interface {
	// String is its name in the output of info, Meaning says in a few words what it is.
	String() string
	Meaning() string
	// IsText reports whether it is digits of a text, which the input option can ask for
	// by name. IsFile reports whether it is a file of Godot's FileAccess: the values in
	// it are a stream. NeedsKey reports whether a key or password opens it.
	IsText() bool
	IsFile() bool
	NeedsKey() bool

	// Sniff reports whether bytes are wrapped so.
	Sniff(s *Sample) bool

	// Open opens the region of src: it sets at least Title and Reading of l, and Payload
	// or Missing. Any bytes open; the error is that of ctx, of reading, or of a temporary
	// file.
	Open(ctx context.Context, l *Layer, src source.Source, o Options) error
}

// An Undoer is a kind that undoes what a program has done to a file which is no text.
// It is never sniffed.
type Undoer interface {
	Kind
	// WasDone reports whether the beginning of a region shows that the program was at
	// work.
	WasDone(src source.Source, region span.Span) bool
}

// A Deferrer is a kind that reads less, or unpacks more, than all the bytes of a region
// before Open returns.
type Deferrer interface {
	// Eager is how many bytes Open goes through, but for headers and tables.
	Eager(region span.Span, o Options) int64
}

// A SurplusFinder is a kind that finds bytes too many in a wrapper.
type SurplusFinder interface {
	// FindSurplus looks for bytes too many in an open wrapper that is damaged; nil if
	// there are none.
	FindSurplus(ctx context.Context, l *Layer, src source.Source, o Options) (*Surplus, error)
}

// An Info is what a kind says of itself. A kind embeds it.
type Info struct {
	Name, About           string
	Text, File, Encrypted bool
}

// String implements Kind.
func (i Info) String() string { return i.Name }

// Meaning implements Kind.
func (i Info) Meaning() string { return i.About }

// IsText implements Kind.
func (i Info) IsText() bool { return i.Text }

// IsFile implements Kind.
func (i Info) IsFile() bool { return i.File }

// NeedsKey implements Kind.
func (i Info) NeedsKey() bool { return i.Encrypted }

// Sniffed is how many bytes of a file are looked at to find out what it is wrapped in.
const Sniffed = source.MaxView

// A Sample is the beginning of the bytes that may be wrapped.
type Sample struct {
	Head   []byte // at most Sniffed bytes
	Whole  bool   // Head is all there is
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

// IsNear reports whether bytes begin with a signature, or with one of which one byte
// differs.
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

// ReadAt fills p from off on. The error is a *source.HoleError where bytes of a
// hole are among them, which are zero then.
func ReadAt(src source.Source, p []byte, off int64) error {
	n, err := src.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return fmt.Errorf("%#x: %w", off+int64(n), err)
}
