package recipe

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zlib"

	"varview/decoder/engine/source"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// keyless are the steps that need no key or number, the likeliest first.
var keyless = []Step{
	{Step: "base64"}, {Step: "hex"}, {Step: "gzip"}, {Step: "zlib"}, {Step: "zstd"}, {Step: "lz4"}, {Step: "latin1"},
	{Step: "lz-string"}, {Step: "lz-string", Form: "uri"}, {Step: "lz-string", Form: "utf16"},
	{Step: "deflate"}, {Step: "brotli"}, {Step: "snappy"}, {Step: "tar"}, {Step: "zip"},
}

// signatures begin what may follow a header of the game's own, which is skipped, besides what is packed.
var signatures = []string{"GCPF", "{\"", "{ \""}

// skips lists the steps that skip what is before a signature or behind a word, and headers of usual sizes, the fewest
// bytes first. An object within another one is no content.
func skips(b []byte) (all []Step) {
	const most = 64
	isJSON := len(b) > 0 && strings.IndexByte("{[", b[0]) >= 0
	for n := 1; n <= min(most, len(b)); n++ {
		isWord := (b[n-1] == '\n' || b[n-1] == ':') && IsText(b[:n])
		isSigned := source.PackedAs(b[n:]) != "" || slices.ContainsFunc(signatures, func(magic string) bool { return bytes.HasPrefix(b[n:], []byte(magic)) })
		isWithin := isJSON && b[n-1] != '\n' && bytes.HasPrefix(b[n:], []byte("{"))
		if !isWithin && (isWord || n%4 == 0 && n <= most/4 || isSigned) {
			all = append(all, Step{Step: "skip", Bytes: n})
		}
	}
	return all
}

// Headed returns steps with a header in place of one that skips bytes and, beside a key, on the other side of that too; nil if
// none skips.
func Headed(steps []Step) (all [][]Step) {
	i := slices.IndexFunc(steps, func(s Step) bool { return s.Step == "skip" })
	if i < 0 {
		return nil
	}
	steps = slices.Clone(steps)
	steps[i].Step = "header"
	all = append(all, steps)
	for _, at := range []int{i - 1, i + 1} {
		if at < 0 || at == len(steps) || steps[at].Step != "xor" {
			continue
		}
		key, _ := bytesOf(steps[at].Key, steps[at].KeyHex)
		first := steps[i].Bytes % len(key) // of the key behind the header
		if at > i {
			first = len(key) - first
		}
		other := slices.Clone(steps)
		other[i], other[at] = xorStep(slices.Concat(key[first:], key[:first])), steps[i]
		all = append(all, other)
	}
	return all
}

// Summed returns the step of a checksum at a place.
func Summed(at *checksum.Place) Step {
	forms := [...]string{checksum.Lower: "digits", checksum.Upper: "DIGITS", checksum.Binary: "bytes", checksum.Big: "big-endian", checksum.Base64: "base64"}
	return Step{Step: "checksum", Sum: at.Sum, Start: at.Start, Form: forms[at.Form]}
}

// Fits reports whether the last of some guessed steps may be right, by the beginning of what it gives: nearly any bytes
// can be made values by a key of several bytes, so that such a key must give a text.
func Fits(steps []Step, start []byte) bool {
	last := steps[len(steps)-1]
	key, _ := bytesOf(last.Key, last.KeyHex)
	if last.Step != "add" && len(key) == 0 || len(key) == 1 && !IsText(start) {
		return true
	}
	const most = 3 // a third of a text at most is quotes: they are what zeros become
	return IsText(start) && utf8.Valid(start[:max(0, len(start)-utf8.UTFMax)]) && bytes.Count(start, []byte{'"'})*most < len(start)
}

// Guesses lists the steps that may come next in a chain. It guesses the key with which the bytes begin like
// gzip and zlib, or look most like JSON, and the constant with which the most frequent byte is a quote or a
// blank.
func Guesses(b []byte, before []Step) []Step {
	const (
		least   = 24 // fewest bytes for which a key is guessed
		mostKey = 32 // largest number of bytes of a key
		digits  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n"
	)
	all := slices.Clone(keyless)
	if !slices.ContainsFunc(before, func(s Step) bool { return s.Step == "skip" }) {
		all = append(all, skips(b)...)
	}
	if bytes.Count(b, []byte{0}) >= len(b)/3 {
		all = append(all, Step{Step: "utf16"}, Step{Step: "utf16", Form: "big-endian"})
	}
	if len(b) < least || len(bytes.TrimLeft(b, digits)) == 0 || slices.ContainsFunc(before, func(s Step) bool { return s.Step == "xor" || s.Step == "add" }) {
		return all
	}
	all = append(OneByte(b), all...) // most games that use a key use one byte
	sample := b[:min(len(b), 1<<10)]
	_, best := keyOf(sample, 1)
	for n := 2; n <= min(mostKey, len(b)/8); n++ {
		key, score := keyOf(sample, n)
		if score <= best+len(sample)/16 { // a longer key always fits a little better
			continue
		}
		best = score
		if len(bytes.Trim(key, "\x00")) > 0 {
			all = append(all, xorStep(key))
		}
	}
	for _, frequent := range []byte{' ', '"'} {
		by := int(int8(mode(b, 0, 1) - frequent))
		if utf8.Valid(b) {
			by = int(commonest(string(sample))) - int(frequent)
		}
		s := Step{Step: "add", Add: by}
		if plain, _ := s.add(b, -1, utf8.Valid(b)); by != 0 && IsText(plain) {
			all = append(all, s)
		}
	}
	return all
}

// commonest returns the character that a text has most often.
func commonest(s string) (most rune) {
	times := map[rune]int{}
	for _, c := range s {
		if times[c]++; times[c] > times[most] {
			most = c
		}
	}
	return most
}

// OneByte lists the keys of one byte with which the bytes look most like JSON, begin like gzip and zlib, or are mostly
// zeros.
func OneByte(b []byte) (all []Step) {
	add := func(key byte) {
		if s := xorStep([]byte{key}); key != 0 && !slices.ContainsFunc(all, func(t Step) bool { return t.Key == s.Key && t.KeyHex == s.KeyHex }) {
			all = append(all, s)
		}
	}
	if len(b) == 0 {
		return nil
	}
	likeliest, _ := keyOf(b[:min(len(b), 1<<10)], 1)
	add(likeliest[0])
	for _, magic := range []string{"\x1f\x8b", "\x78\x9c", "\x78\x01", "\x78\xda"} {
		if key := b[0] ^ magic[0]; len(b) > 1 && b[1]^key == magic[1] {
			add(key)
		}
	}
	add(mode(b, 0, 1))
	return all
}

// xorStep returns the step with a key, as a text if it is one.
func xorStep(key []byte) Step {
	if IsText(key) && utf8.Valid(key) {
		return Step{Step: "xor", Key: string(key)}
	}
	return Step{Step: "xor", KeyHex: fmt.Sprintf("%x", key)}
}

// keyOf returns the key of n bytes with which a sample looks most like JSON, and how much.
func keyOf(sample []byte, n int) (key []byte, score int) {
	key = make([]byte, n)
	for i := range key {
		most := math.MinInt
		for c := range 256 {
			if is := likeness(sample, i, n, byte(c)); is > most {
				key[i], most = byte(c), is
			}
		}
		score += most
	}
	return key, score
}

// likely are the characters of JSON in groups, the most frequent first; weights are those of the groups.
var (
	likely  = []string{"\"", " e,:ai", "tonrslud01_", "mchpgyb{}[]\n2345", "fvwkxqz6789.-/", "jABCDEFGHIJKLMNOPQRSTUVWXYZ\t\r"}
	weights = func() (of [256]int) {
		for c := range of {
			if of[c] = 0; c < ' ' || c == 0x7f {
				of[c] = -100
			}
		}
		for i, group := range likely {
			for _, c := range []byte(group) {
				of[c] = len(likely) - i
			}
		}
		return of
	}()
)

// likeness returns how much every n-th byte looks like JSON once it is combined with a byte of a key.
func likeness(b []byte, from, n int, key byte) (sum int) {
	for i := from; i < len(b); i += n {
		sum += weights[b[i]^key]
	}
	return sum
}

// mode returns the most frequent of every n-th byte.
func mode(b []byte, from, n int) (most byte) {
	var count [256]int
	for i := from; i < len(b); i += n {
		if count[b[i]]++; count[b[i]] > count[most] {
			most = b[i]
		}
	}
	return most
}

// IsText reports whether all bytes could be those of a text without control characters.
func IsText(b []byte) bool {
	return len(b) > 0 && !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f })
}

// Start runs a step on the beginning of packed bytes and returns at most limit bytes; whole says that b is
// complete, all that the result is. out is nil if the step does not fit.
func Start(s Step, b []byte, whole bool, limit int64) (out []byte, all bool) {
	var err error
	switch s.Step {
	case "base64":
		text := bytes.Join(bytes.Fields(b), nil)
		out, err = base64.StdEncoding.Strict().AppendDecode(nil, text[:len(text)&^3])
	case "hex":
		out, err = bytesOf("", string(bytes.Join(bytes.Fields(b), nil)))
	case "zlib":
		out, err = stream(func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }, nil).all(&s, b, limit)
	default:
		out, err = codecs[s.Step].all(&s, b, limit)
	}
	if out = out[:min(int64(len(out)), limit)]; err == nil || err == layer.ErrFull {
		return out, whole && err == nil
	} else if whole || err != io.ErrUnexpectedEOF {
		return nil, false
	}
	return out, false // it ends within the packed bytes
}
