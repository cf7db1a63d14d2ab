package decoder

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"varview/decoder/detect"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
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

	// Schemas, if set, gives the schemas of constructors. It is called at most once,
	// and only for a file that can need them. The first library that declares a
	// constructor is asked.
	Schemas func() []format.Schemas

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

// Thoroughness says how much of a file may be read to find out what it is.
type Thoroughness = detect.Thoroughness

// Confidence says how sure it is what a file is.
type Confidence = detect.Confidence

// DefaultMaxUnpacked is the limit against what unpacks to more than anybody has
// room for: 1 GiB.
const DefaultMaxUnpacked = 1 << 30

// How much of a file may be read to find out what it is, and how sure that is.
const (
	Quick   = detect.Quick
	Settle  = detect.Settle
	Through = detect.Through

	Given   = detect.Given
	Certain = detect.Certain
	Likely  = detect.Likely
	Weak    = detect.Weak
)

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
	switch _, d := families().ByDialect(o.Dialect); {
	case d == nil:
		return fmt.Errorf("unknown dialect %q: it is one of %s", o.Dialect, strings.Join(dialectNames(), ", "))
	case !d.Framed && (o.Framing == "stream" || o.Double):
		return fmt.Errorf("%s knows neither --framing stream nor --double", o.Dialect)
	case o.Double && !d.Double:
		return fmt.Errorf("--double means nothing to %s, which marks 64-bit components in the file", o.Dialect)
	}
	return nil
}

// isFramed reports whether a stream may be asked for.
func (o *Options) isFramed() bool {
	_, d := families().ByDialect(o.Dialect)
	return d == nil || d.Framed
}

func dialectNames() []string {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.Name)
	}
	return names
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

// request is what the options ask of a region; the wrapper around it may say more.
func (o *Options) request() *format.Request {
	return &format.Request{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double, Schemas: o.Schemas}
}

// loadOnce lets the schemas be asked for more than once.
func (o *Options) loadOnce() {
	if o.Schemas != nil {
		o.Schemas = sync.OnceValue(o.Schemas)
	}
}
