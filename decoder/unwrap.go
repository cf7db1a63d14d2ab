package decoder

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/detect"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap"
	"varview/decoder/wrap/checksum"
)

// wrapped returns the kinds of wrapper that the bytes may have, the likeliest first.
func wrapped(ctx context.Context, src source.Source, region span.Span, o *Options) []wrap.Kind {
	if o.Described != nil {
		return nil
	}
	family, claim := families().Signed(src, region)
	signed := family != nil
	if claim < format.Enclosed && o.Growing == nil { // bytes of a signature are not a checksum, and nothing is behind what still grows
		if k := wrap.Checked(src, region, signed); k != nil {
			return []wrap.Kind{k}
		}
	}
	if signed && o.Input != "hex" && o.Input != "base64" {
		if o.Input == "" && !isNamed(family, o.Name) && holdsValue(ctx, src, region) {
			return []wrap.Kind{wrap.Hex}
		}
		return nil
	}
	return wrap.Sniff(src, region, o.Input)
}

// isNamed reports whether a file's name ends as a dialect of a family is called.
func isNamed(f format.Family, name string) bool {
	return slices.ContainsFunc(f.Dialects(), func(d *format.Dialect) bool { return strings.HasSuffix(strings.ToLower(name), "."+d.Name) })
}

// holdsValue reports whether a short text is the hexadecimal digits of a whole value: those of an empty structure
// are a decimal number too, but hardly a number is a value.
func holdsValue(ctx context.Context, src source.Source, region span.Span) bool {
	const least, most = 16, 64 // digits
	if region.Length < least || region.Length > most {
		return false
	}
	payload, err := hex.DecodeString(string(bytes.TrimSpace(source.NewWindow(src).View(region.Offset, region.Length))))
	return err == nil && families().IsValue(ctx, source.Bytes(payload))
}

const leastLine = 12 // digits of a line that is hardly a word or number of a header

// areValueLines reports whether a text of digits has a value on each line, but for checksums and what may be a header's. The lines of
// one that is only broken are as long as one another but for the last, and the first ones are parts of a value.
func areValueLines(ctx context.Context, src source.Source, region span.Span) bool {
	b := source.NewWindow(src).View(region.Offset, min(region.Length, source.MaxView))
	all, longest := 0, [][]byte{nil}
	for line := range bytes.Lines(bytes.Clone(b)) {
		line = bytes.TrimRight(line, "\r\n")
		if !areDigits(bytes.TrimRight(line, "=")) {
			return false
		}
		if len(line) > 0 && checksum.Resembles(line) == "" && (bytes.HasSuffix(line, []byte("=")) || len(line) >= leastLine) {
			all++
		}
		if len(line) > len(longest[0]) {
			longest = longest[:0]
		}
		if len(longest) == 0 || len(line) == len(longest[0]) {
			longest = append(longest, line)
		}
	}
	return all > 1 && !slices.ContainsFunc(longest, func(line []byte) bool { return !isValueInDigits(ctx, string(line)) })
}

// longestWord is the largest size in bytes of a text that may be words or numbers although it could be digits.
const longestWord = 64

// areOnlyWords reports whether a short text that could be digits holds no value in them: it is a name, a word, a number.
// Hexadecimal digits with some letters are neither, but what is left of a value.
func areOnlyWords(ctx context.Context, src source.Source, region span.Span, kinds []wrap.Kind) bool {
	if region.Length > longestWord {
		return false
	}
	if slices.Contains(kinds, wrap.Hex) && bytes.ContainsAny(source.NewWindow(src).View(region.Offset, region.Length), "abcdefABCDEF") {
		return false
	}
	return !slices.ContainsFunc(kinds, func(k wrap.Kind) bool {
		l, err := wrap.Open(ctx, k, src, region, wrap.Options{MaxUnpacked: longestWord})
		if err != nil {
			return true
		}
		defer l.Close()
		return l.Payload != nil && payloadCost(ctx, l.Payload, false) == 0
	})
}

// isValueInDigits reports whether digits hold something that is read or unpacked to its end.
func isValueInDigits(ctx context.Context, digits string) bool {
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawStdEncoding.DecodeString} {
		b, err := decode(digits)
		if err != nil || len(b) == 0 {
			continue
		}
		if families().IsSound(ctx, source.Bytes(b)) {
			return true
		}
		k, size, err := packedAt(ctx, source.Bytes(b), span.Between(0, int64(len(b))), &Options{MaxUnpacked: mostPacked})
		if err == nil && k != nil && size == int64(len(b)) {
			return true
		}
	}
	return false
}

// unwrap opens the wrapper of the likeliest kind. It returns nil if the payload is not available; the
// document then has a Missing.
func (d *Document) unwrap(ctx context.Context, kinds []wrap.Kind, src source.Source, region span.Span, o Options) (source.Source, error) {
	kind := kinds[0]
	wo := wrap.Options{MaxUnpacked: o.MaxUnpacked, Progress: o.Progress, Methods: o.Methods, Double: o.Double, Defer: o.Defer, Growing: o.Growing}
	if eager := wrap.Eager(kind, region, wo); o.Defer > 0 && eager > o.Defer {
		d.leaveClosed(kind, src, region, Deferred, fmt.Sprintf("%s of %s is not unpacked yet", span.Bytes(region.Length), kind))
		return nil, nil
	}
	l, wrong, err := o.unlock(ctx, kind, src, region, wo)
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
		d.leaveClosed(kind, src, region, span.Unreadable, fmt.Sprintf("bytes that the %s needs could not be unpacked", kind))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(kinds) > 1 { // hexadecimal digits are also valid base64
		if l, err = betterOf(ctx, l, kinds[1], src, region, wo); err != nil {
			return nil, err
		}
	}
	d.add(l, src)
	missing := l.Missing
	if missing == nil && wrong {
		missing = &wrap.Missing{Code: wrap.WrongKey, Message: "wrong key or password: the decrypted bytes cannot be read"}
	}
	if missing != nil {
		d.close(missing)
		return nil, nil
	}
	return l.Payload, nil
}

// unlock opens a wrapper. For an encrypted one it tries each key and password until one fits; wrong reports
// whether none does.
func (o *Options) unlock(ctx context.Context, kind wrap.Kind, src source.Source, region span.Span, wo wrap.Options) (best *wrap.Layer, wrong bool, err error) {
	if !kind.NeedsKey() || len(o.Keys)+len(o.Passwords) == 0 {
		if o.Recipe != nil {
			best = o.Recipe.Opened.Take(kind, src, region, wo.MaxUnpacked)
		}
		if best == nil {
			best, err = wrap.Open(ctx, kind, src, region, wo)
		}
		return best, false, err
	}
	for i := range len(o.Keys) + len(o.Passwords) {
		try := wo
		if i < len(o.Keys) {
			try.Key = o.Keys[i]
		} else {
			try.Password = &o.Passwords[i-len(o.Keys)]
		}
		l, err := wrap.Open(ctx, kind, src, region, try)
		if err == nil && best != nil && !wrong && l.Checksum() != wrap.Matches {
			l.Close()
			continue
		}
		if best != nil {
			best.Close()
		}
		if err != nil {
			return nil, false, err
		}
		if l.Checksum() == wrap.Matches {
			return l, false, nil
		}
		best, wrong = l, looksWrong(ctx, l)
	}
	return best, wrong, nil
}

// looksWrong reports whether a key yields no values and neither checksum nor plain bytes confirm it. If
// something contradicts the key, only values without a problem outweigh that.
func looksWrong(ctx context.Context, l *wrap.Layer) bool {
	if l.Payload == nil || l.Payload.Size() == 0 || l.LooksRight() {
		return false
	}
	cost := payloadCost(ctx, l.Payload, l.Checksum() == wrap.Unknown)
	if l.LooksWrong() {
		return cost > 0
	}
	const share = 32 // one byte in this many may be damaged
	return cost > min(l.Payload.Size(), detect.Prefix)/share
}

// leaveClosed adds a wrapper that is not opened, with the reason.
func (d *Document) leaveClosed(kind wrap.Kind, src source.Source, region span.Span, code, message string) {
	why := &wrap.Missing{Code: code, Message: message}
	d.add(wrap.NewClosed(kind, region, why), src)
	d.close(why)
}

// add adds a wrapper around everything that follows.
func (d *Document) add(l *wrap.Layer, src source.Source) {
	d.Layers = append(d.Layers, Layer{l, tree.New(src, l.Reading, l.Region)})
}

// close ends the unwrapping: the document shows the innermost wrapper's own bytes, and
// why there are no values.
func (d *Document) close(why *wrap.Missing) {
	last := d.Layers[len(d.Layers)-1]
	d.Tree, d.Missing = last.Tree, why
	d.Title, d.Also, d.Confidence = last.Title, []string{}, detect.Certain
}

// betterOf opens the same bytes as another kind of text and returns the layer whose payload can be read
// better.
func betterOf(ctx context.Context, first *wrap.Layer, kind wrap.Kind, src source.Source, region span.Span, o wrap.Options) (*wrap.Layer, error) {
	second, err := wrap.Open(ctx, kind, src, region, o)
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	if second.Payload != nil && (first.Payload == nil || payloadCost(ctx, second.Payload, false) < payloadCost(ctx, first.Payload, false)) {
		first, second = second, first
	}
	return first, second.Close()
}

// payloadCost returns the cost of the best reading of a wrapper's payload, by its beginning; 0 if the
// payload is another wrapper.
func payloadCost(ctx context.Context, payload source.Source, mayBeCut bool) int64 {
	if len(wrap.Sniff(payload, span.Between(0, payload.Size()), "")) > 0 {
		return 0
	}
	return families().Against(ctx, payload, mayBeCut)
}
