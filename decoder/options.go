package decoder

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"varview/decoder/detect"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/methods"
	"varview/decoder/value/spelling"
	"varview/decoder/wrap"
)

// Options control how a file is read. What they leave open is detected.
type Options struct {
	Name     string   // name of the file, which makes a format likelier; "" if it has none
	Dialect  string   // name as in Dialects; "" to detect it
	Framing  string   // "raw", "stream", "sequence"; "" to detect it
	Prefer   []string // dialects that win if several read the bytes equally well, the best first
	Double   bool     // numbers of a double-precision build, which are not marked
	Offset   int64    // offset of the values in the file
	Length   int64    // length of the values in bytes; 0 for all up to the end
	Thorough Thoroughness

	Input       string           // form of the file itself: "binary", "hex", "base64"; "" to detect it
	Passwords   []string         // passwords of encrypted files; an empty one is a password
	Keys        [][]byte         // keys of 32 bytes, which are tried before the passwords
	Methods     *methods.Library // names of methods that the messages of a capture call by number; nil if there is none
	MaxUnpacked int64            // largest payload of a wrapper in bytes; 0 for DefaultMaxUnpacked

	Recipe    *Recipe // recipe for unpacking the file; nil to find it or, with NoRecipe, only to detect wrappers
	NoRecipe  bool
	Sound     bool          // what is damaged is of no interest: no cause of damage is looked for
	Bare      bool          // no header or trailer of the game's own is looked for
	Outer     []wrap.Kind   // outermost wrappers, if they are known; nil to detect them
	Described format.Format // reading by the user's description; nil if there is none

	// Schemas, if set, returns the schemas of constructors. It is called at most once, and only for a file
	// that can need them. The first library that declares a constructor is used.
	Schemas func() []format.Schemas

	// Names, if set, returns the names of values that have none in the file. It is called only for a file that can have
	// some.
	Names func() format.Names

	// Instead, if set, returns the bytes that replace a buffer, by its number; nil to keep its own.
	Instead func(buffer int) source.Source

	// Defer, if not 0, is the number of bytes that may be read to unwrap before Open returns. A wrapper
	// that takes more stays closed: the Document has a Missing with the code Deferred.
	Defer int64
	// Growing, if set, is for a capture that grows: the next opening with it goes on where this one has ended.
	Growing *wrap.Growing

	// Progress, if set, is called with the number of bytes read of a wrapper.
	Progress func(done, all int64)
}

// Growing keeps what has been read of a file that grows.
type Growing = wrap.Growing

// Thoroughness is how much of a file may be read to detect what it is.
type Thoroughness = detect.Thoroughness

// Confidence is how certain the detection of a file is.
type Confidence = detect.Confidence

// DefaultMaxUnpacked limits decompression bombs: 1 GiB.
const DefaultMaxUnpacked = 1 << 30

// Values of Thoroughness and Confidence.
const (
	Quick   = detect.Quick
	Settle  = detect.Settle
	Through = detect.Through

	Given   = detect.Given
	Certain = detect.Certain
	Likely  = detect.Likely
	Weak    = detect.Weak
)

// Check returns an error for options that no file could satisfy.
func (o *Options) Check() error {
	switch o.Framing {
	case "", "raw", "stream", format.Sequence:
	default:
		return fmt.Errorf("unknown framing %q: it is raw, stream or sequence", o.Framing)
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
	switch _, d := families().ByDialect(o.Dialect); {
	case d == nil:
		if near := spelling.Nearest(o.Dialect, dialectNames()); near != "" {
			return fmt.Errorf("unknown dialect %q; did you mean %s?", o.Dialect, near)
		}
		return fmt.Errorf("unknown dialect %q: it is one of %s", o.Dialect, strings.Join(dialectNames(), ", "))
	case !d.Framed && (o.Framing == "stream" || o.Double):
		return fmt.Errorf("%s knows neither --framing stream nor --double", o.Dialect)
	case o.Framing == format.Sequence && !d.Bare:
		return fmt.Errorf("%s does not know --framing sequence", o.Dialect)
	case o.Double && !d.Double:
		return fmt.Errorf("--double does not apply to %s, which marks 64-bit components in the file", o.Dialect)
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

// region returns the part of a file that the options select.
func (o *Options) region(size int64) (span.Span, error) {
	if o.Offset > size {
		return span.Span{}, fmt.Errorf("offset %#x is after the end of the file, which has %d bytes", o.Offset, size)
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

// Selected returns the bytes of a file that the options select; all of them if there are not as many.
func (o *Options) Selected(src source.Source) source.Source {
	region, err := o.region(src.Size())
	if err != nil || region.Length == src.Size() {
		return src
	}
	return source.Join(source.Piece{Src: src, Span: region})
}

// request returns the request for a region; the wrapper around it may add to it.
func (o *Options) request() *format.Request {
	return &format.Request{Name: o.Name, Dialect: o.Dialect, Framing: o.Framing, Prefer: o.Prefer, Double: o.Double, Described: o.Described, Schemas: o.Schemas, Names: o.Names}
}

// loadSchemasOnce makes Schemas callable more than once.
func (o *Options) loadSchemasOnce() {
	if o.Schemas != nil {
		o.Schemas = sync.OnceValue(o.Schemas)
	}
}
