// Package wrap opens wrappers, which hold a buffer in another form. Each kind of wrapper is a folder and a
// line in the table of this file. It describes the wrapper's own bytes as a tree and gives the bytes inside
// as a source.
package wrap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/capture"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/gdec"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/mangled"
	"varview/decoder/wrap/own"
	"varview/decoder/wrap/recipe"
	"varview/decoder/wrap/secure"
	"varview/decoder/wrap/zlib"
)

// kinds are all kinds of wrappers, in the order in which they are listed.
var kinds = slices.Concat([]Kind{
	gcpf.Kind,
	gcpf.Resource,
	gdec.Kind,
	capture.Kind,
	digits.Base64,
	zlib.Kind,
	secure.Kind,
	digits.Hex,
	own.Summed(&checksum.Place{}),
	mangled.ByteOrderMark,
	mangled.TextMode,
	mangled.Reencoded,
}, mangled.Encoded)

// Hex is the kind of hexadecimal digits.
var Hex = digits.Hex

// Types of package layer that users of wrappers need.
type (
	Kind    = layer.Wrapper
	Layer   = layer.Layer
	Missing = layer.Missing
	Options = layer.Options
	Growing = layer.Growing
	Run     = layer.Run
	Inner   = layer.Inner
)

// The states of a checksum.
const (
	Unknown = layer.Unknown
	Matches = layer.Matches
	Differs = layer.Differs
)

// Codes of problems and of a Missing that decide what can be done with a file.
const (
	NeedsKey = layer.NeedsKey
	WrongKey = layer.WrongKey
	TooLarge = layer.TooLarge
	Checksum = layer.Checksum
)

// Codes describes the codes of problems that only wrappers have.
var Codes = layer.Codes

// ErrKeyLength is the error of a key that does not have 32 bytes.
var ErrKeyLength = layer.ErrKeyLength

// Kinds returns all kinds in their order.
func Kinds() []Kind { return slices.Clone(kinds) }

// kindNamed returns the kind with a name; nil if there is none.
func kindNamed(name string) Kind {
	for _, k := range kinds {
		if k.String() == name {
			return k
		}
	}
	return nil
}

// Texts returns the kinds that are texts of digits, the likeliest first: hexadecimal digits are valid
// base64 as well.
func Texts() (all []Kind) {
	for _, k := range slices.Backward(kinds) {
		if k.IsText() {
			all = append(all, k)
		}
	}
	return all
}

// Open unwraps the region of src. Any bytes can be opened; the error is that of ctx, of
// reading, of a temporary file, or ErrKeyLength.
func Open(ctx context.Context, k Kind, src source.Source, region span.Span, o Options) (*Layer, error) {
	return layer.Open(ctx, k, src, region, o)
}

// Make returns a new wrapper for bytes, which Rewrap writes. text is its kind and, after a
// colon, how it is packed or the password with which it is encrypted. Without a password
// the key of o is used. The generation is that of the Godot version that will read it, 3 or
// 4, unless the kind names one; 0 if that is not known.
func Make(ctx context.Context, text string, generation int, o Options) (*Layer, error) {
	name, variant, given := strings.Cut(text, ":")
	if named, is := generations[name]; is {
		name, generation = gdec.Kind.String(), named
	}
	k, ok := kindNamed(name).(layer.Maker)
	switch {
	case !ok:
		return nil, fmt.Errorf("%q is not a wrapper that can be made: gcpf, gcpf:fastlz, gcpf:deflate, gcpf:zstd, gcpf:gzip, gdec:PASSWORD or gdec can", text)
	case k.NeedsKey() && generation == 0:
		return nil, errors.New("which version of Godot is to read this is not known, and each encrypts in its own way: gdec3:PASSWORD or gdec4:PASSWORD says it")
	case k.NeedsKey() && given:
		password := variant
		o.Key, o.Password, variant = nil, &password, ""
	case k.NeedsKey() && !o.HasKey():
		return nil, fmt.Errorf("%s needs a password, as %s:PASSWORD, or --key", name, name)
	}
	return layer.Make(ctx, k, variant, generation, o)
}

// generations are names of encryption for one version of Godot.
var generations = map[string]int{"gdec3": 3, "gdec4": 4}

// Again returns a new wrapper like l for another generation of Godot; nil if that generation reads l as
// well.
func Again(ctx context.Context, l *Layer, generation int) (*Layer, error) {
	k, ok := l.Kind.(layer.Maker)
	if !ok || generation == 0 || l.Generation == 0 || l.Generation == generation {
		return nil, nil
	}
	if err := l.Verify(ctx, nil); err != nil {
		return nil, err
	}
	if err := l.CanRewrap(); err != nil {
		return nil, err
	}
	return layer.Make(ctx, k, "", generation, Options{Key: l.Secret})
}

// NewClosed returns a layer that has not been opened, with the reason.
func NewClosed(k Kind, region span.Span, why *Missing) *Layer {
	return layer.NewClosed(k, region, why)
}

// Eager returns the number of bytes that Open reads or unpacks, without headers and tables: all of a text,
// the largest payload of a zlib stream, and 0 for a wrapper that is unpacked on demand, unless its checksum
// is verified at once.
func Eager(k Kind, region span.Span, o Options) int64 {
	if d, ok := k.(layer.Deferrer); ok {
		return d.Eager(region, o)
	}
	return region.Length
}

// Sniff returns the kinds of wrapper that region may be, the likeliest first. It reads at most 64 KiB.
// input is the user's request: "" to detect the kind, "binary" for all but texts, or the name of a kind of
// text, which is returned without looking at the bytes.
func Sniff(src source.Source, region span.Span, input string) (all []Kind) {
	if k := kindNamed(input); k != nil && k.IsText() {
		return []Kind{k}
	}
	s := layer.NewSample(src, region)
	for _, k := range kinds {
		if !k.IsText() && k.Sniff(s) {
			return []Kind{k}
		}
	}
	if input == "binary" {
		return nil
	}
	for _, k := range Texts() {
		if k.Sniff(s) {
			all = append(all, k)
		}
	}
	return all
}

// Checked returns the kind of a region with a checksum before or after the rest; nil if none fits. signed
// says that the region begins with the signature of a family.
func Checked(src source.Source, region span.Span, signed bool) Kind {
	if p := checksum.Find(src, region, signed); p != nil {
		return own.Summed(p)
	}
	return nil
}

// Signatures lists the bytes with which packed bytes begin that can be found behind a header.
func Signatures() []string {
	return append(recipe.Signatures(), gcpf.Magic, "RSCC", gdec.Magic, "\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda") // the last ones are of zlib
}

// IsSigned reports whether a region begins with one of Signatures.
func IsSigned(src source.Source, region span.Span) bool {
	b := source.NewWindow(src).View(region.Offset, min(region.Length, leastWrapper))
	return slices.ContainsFunc(Signatures(), func(s string) bool { return bytes.HasPrefix(b, []byte(s)) })
}

// Packed returns the kind of stream with which a region begins and that only recipes name, such as gzip, and
// the number of its bytes; nil if there is none that can be unpacked to the end.
func Packed(src source.Source, region span.Span, limit int64) (k Kind, size int64, err error) {
	if !IsSigned(src, region) {
		return nil, 0, nil
	}
	b := make([]byte, region.Length)
	if err := layer.ReadAt(src, b, region.Offset); err != nil {
		return nil, 0, err
	}
	k, size = recipe.Packed(b, limit)
	return k, size, nil
}

// IsDigit reports whether a character is a digit of base64, as those of hexadecimal are too.
func IsDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '+' || c == '/' || c == '='
}

// DigitGroup returns the number of digits that make whole bytes in a text of digits.
func DigitGroup(k Kind) int64 {
	if k == digits.Hex {
		return 2
	}
	return 4
}

// AsOpened returns the kind of a wrapper that has been opened: a checksum is then found where it was,
// whether it fits or not, and so are lengths in a header of the game's own.
func AsOpened(l *Layer) Kind {
	if k := own.AsOpened(l); k != nil {
		return k
	}
	return l.Kind
}

// IsSecure reports whether a wrapper is what ds_map_secure_save writes.
func IsSecure(k Kind) bool { return k == secure.Kind }

// leastWrapper is the size of the smallest header of a wrapper with a signature.
const leastWrapper = 16

// SignedAt returns at most most offsets at which b has the signature of a wrapper with enough bytes after
// it.
func SignedAt(b []byte, most int) (all []int) {
	for _, magic := range []string{gcpf.Magic, gdec.Magic} {
		for at := 0; len(all) < most; at++ {
			n := bytes.Index(b[at:], []byte(magic))
			if n < 0 || len(b)-at-n < leastWrapper {
				break
			}
			at += n
			all = append(all, at)
		}
	}
	return all
}

// Mangled returns the kinds of mangling that region may have, in the order of their repair; known are those
// that have been repaired. Undamaged bytes can look mangled: only reading the payload that Open returns
// decides. As the order of repairs does not change the result, only kinds after the known ones in the table
// are returned.
func Mangled(src source.Source, region span.Span, known ...Kind) (all []Kind) {
	rest := kinds
	if n := len(known); n > 0 {
		rest = kinds[slices.Index(kinds, known[n-1])+1:]
	}
	for _, k := range rest {
		if mangled.WasDone(k, src, region) {
			all = append(all, k)
		}
	}
	return all
}
