// Package look looks into bytes that a game sends: text, JSON, MessagePack, values, and what is packed in base64, hexadecimal
// digits, zlib, gzip, Zstandard, FastLZ or GCPF, perhaps behind bytes of the game's own.
package look

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/variants"
	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/layer"
)

// A Kind is what bytes hold.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota
	Text
	JSON
	Values // one Variant or value of MessagePack, or several, one after the other
)

// A Look is what was found in bytes.
type Look struct {
	Kind   Kind
	Steps  []string         // how they are packed, from the outside: "base64", "zlib"
	Plain  []byte           // what is packed
	Values []variants.Value // also the one of JSON
	Reader *variants.Reader // of these in Plain
}

const (
	maxSteps = 4
	maxPlain = 4 << 20 // largest size of what is unpacked
	least    = 8       // size of the smallest value that is recognised
)

// Into looks into bytes. The readers are those of the dialects that values in them may have, the likeliest
// first.
func Into(b []byte, readers ...*variants.Reader) Look {
	l := Look{Plain: b}
	if l.open(readers) || l.behindHeader(readers) {
		return l
	}
	switch isPacked := len(l.Steps) > 0; {
	case IsText(b):
		return Look{Kind: Text, Plain: b}
	case isPacked && isDigits(l.Steps[len(l.Steps)-1]): // words of a text may look so
		return Look{Plain: b}
	case isPacked && IsText(l.Plain):
		l.Kind = Text
	case !isPacked:
		l.Plain = nil
	}
	return l
}

// Content looks for values or JSON, perhaps packed, which bytes consist of.
func Content(b []byte, readers ...*variants.Reader) (l Look, ok bool) {
	l.Plain = b
	return l, l.open(readers)
}

// IsContent reports whether bytes are values or JSON, perhaps packed.
func IsContent(b []byte, readers ...*variants.Reader) bool {
	_, ok := Content(b, readers...)
	return ok
}

// Name names what was found: "JSON", "values in zlib in base64".
func (l *Look) Name() string {
	name := [...]string{Unknown: "bytes", Text: "text", JSON: "JSON", Values: "values"}[l.Kind]
	if l.Kind == Values && l.Reader.Title != "" {
		name = l.Reader.Title
	}
	for _, step := range slices.Backward(l.Steps) {
		name += " in " + step
	}
	return name
}

// open undoes how bytes are packed, and reports whether values or JSON are in them.
func (l *Look) open(readers []*variants.Reader) bool {
	for range maxSteps {
		if l.recognize(readers) {
			return true
		}
		step, plain := unpack(l.Plain)
		if step == "" {
			break
		}
		l.Steps, l.Plain = append(l.Steps, step), plain
	}
	return l.recognizePacked(readers)
}

const (
	mostHeader  = 16 // largest number of bytes of the game's own before what is packed
	leastBehind = 24 // size of the smallest value that is recognised behind them; smaller ones all messages of a flow show
)

// behindHeader recognises JSON, values, and what is packed, behind bytes of the game's own.
func (l *Look) behindHeader(readers []*variants.Reader) bool {
	for n := 1; n <= mostHeader && n+least <= len(l.Plain) && len(l.Steps) == 0; n++ {
		rest := l.Plain[n:]
		in := Look{Steps: []string{span.Bytes(int64(n)) + " of the game's own"}, Plain: rest}
		isValue := !isSigned(l.Plain) && len(rest) >= leastBehind && begin(rest[:leastBehind], readers)
		isPacked := isValue || n%4 == 0 && rest[0]>>5 <= 1 || isSigned(rest)
		if (isJSON(rest) || isPacked) && in.open(readers) && (in.Kind == JSON || isValue || len(in.Steps) > 1) {
			*l = in
			return true
		}
	}
	return false
}

// begin reports whether bytes begin like a value of one of the readers.
func begin(b []byte, readers []*variants.Reader) bool {
	return slices.ContainsFunc(readers, func(r *variants.Reader) bool { return r.Begins(b) })
}

// isSigned reports whether bytes begin as what is packed.
func isSigned(b []byte) bool {
	return source.IsZlib(b) || slices.ContainsFunc(signatures, func(s string) bool { return bytes.HasPrefix(b, []byte(s)) })
}

// signatures begin what is packed.
var signatures = []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "GCPF"}

// isDigits reports whether a step reads digits, which any text may have.
func isDigits(step string) bool { return step == "base64" || step == "hex" }

// recognize recognises values and JSON.
func (l *Look) recognize(readers []*variants.Reader) bool {
	if isJSON(l.Plain) {
		l.Kind, l.Values, l.Reader = JSON, []variants.Value{{Span: span.Between(0, int64(len(bytes.TrimRight(l.Plain, "\x00"))))}}, variants.JSON
		return true
	}
	for _, r := range readers {
		if values, ok := Likely(r, l.Plain); ok && len(l.Plain) >= least {
			l.Kind, l.Values, l.Reader = Values, values, r
			return true
		}
	}
	return false
}

// recognizePacked recognises what is packed without a signature: by Godot's compress with FastLZ, or as deflate without a header.
func (l *Look) recognizePacked(readers []*variants.Reader) bool {
	if len(l.Plain) < least {
		return false
	}
	steps := append(l.Steps, "FastLZ")
	in := Look{Steps: steps, Plain: unpackFastLZ(l.Plain)}
	ok := in.recognize(readers)
	if !ok {
		steps[len(l.Steps)], in.Plain = "deflate", inflate(l.Plain)
		ok = in.recognize(readers)
	}
	if ok {
		*l = in
	}
	return ok
}

// unpackFastLZ returns nil for what is not packed so.
func unpackFastLZ(b []byte) []byte {
	if b[0]>>5 > 1 {
		return nil
	}
	plain, err := fastlz.Unpack(make([]byte, 0, min(maxPlain, 64*len(b))), b)
	if err != nil {
		return nil
	}
	return plain
}

// inflaters are readers of deflate, of which each has much memory.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate is unpackFastLZ for deflate, which has no block of the type 3.
func inflate(b []byte) []byte {
	in := bytes.NewReader(b)
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if b[0]&6 == 6 || r.(flate.Resetter).Reset(in, nil) != nil {
		return nil
	}
	if _, plain := all("deflate", r); in.Len() == 0 {
		return plain
	}
	return nil
}

// One returns the value that bytes consist of; ok is false if they do not.
func One(r *variants.Reader, b []byte) (v variants.Value, ok bool) {
	r.Use(b)
	v, ok = r.Next(0, int64(len(b)), func(span.Problem) {})
	return v, ok && v.Length > 0 && v.End() == int64(len(b))
}

// Likely returns the values that bytes consist of if they are such as games send: each begins with the number of a type and few
// flags, none but the first is null, as zeros at the end would be, and none is odd; in MessagePack all texts are UTF-8. It reads no further than the
// first that is not.
func Likely(r *variants.Reader, b []byte) (values []variants.Value, ok bool) {
	r.Use(b)
	for at := int64(0); at < int64(len(b)); {
		if !r.Begins(b[at:]) || at > 0 && b[at] == 0 {
			return nil, false
		}
		isClean := true
		v, ok := r.Next(at, int64(len(b)), func(span.Problem) { isClean = false })
		if !ok || v.Length == 0 || !isClean && r.Title != "" {
			return nil, false
		}
		values, at = append(values, v), v.End()
	}
	return values, len(values) > 0 && !slices.ContainsFunc(values, func(v variants.Value) bool { return r.IsOdd(b, v) })
}

func isJSON(b []byte) bool {
	b = bytes.TrimRight(bytes.TrimSpace(b), "\x00")
	return len(b) > 1 && (b[0] == '{' || b[0] == '[') && json.Valid(b)
}

// IsCutJSON reports whether bytes are a JSON text without its end.
func IsCutJSON(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) >= least && (b[0] == '{' || b[0] == '[') && errors.Is(json.NewDecoder(bytes.NewReader(b)).Decode(new(json.RawMessage)), io.ErrUnexpectedEOF)
}

// Texts returns the number of JSON texts that bytes consist of; 0 if they do not.
func Texts(b []byte) (n int) {
	if len(b) < least || b[0] != '{' && b[0] != '[' {
		return 0
	}
	for d := json.NewDecoder(bytes.NewReader(bytes.TrimRight(b, "\x00"))); ; n++ {
		if err := d.Decode(new(json.RawMessage)); errors.Is(err, io.EOF) {
			return n
		} else if err != nil {
			return 0
		}
	}
}

// IsText reports whether bytes are text that can be printed.
func IsText(b []byte) bool {
	b = bytes.TrimRight(b, "\x00")
	isOdd := func(r rune) bool { return !unicode.IsPrint(r) && !strings.ContainsRune("\t\r\n", r) }
	return len(bytes.TrimSpace(b)) > 0 && utf8.Valid(b) && bytes.IndexFunc(b, isOdd) < 0
}

// unpack unpacks bytes by their signature.
func unpack(b []byte) (step string, plain []byte) {
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		if r, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
			return all("gzip", r)
		}
	case len(b) > 6 && source.IsZlib(b):
		if r, err := zlib.NewReader(bytes.NewReader(b)); err == nil {
			return all("zlib", r)
		}
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		if r, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20)); err == nil {
			defer r.Close()
			return all("zstd", r)
		}
	case bytes.HasPrefix(b, []byte("GCPF")):
		return openGCPF(b)
	case len(b) >= least:
		b = bytes.TrimSpace(b)
		if plain, err := hex.DecodeString(string(b)); err == nil {
			return "hex", plain
		} else if plain, err := base64.RawStdEncoding.DecodeString(plainBase64.Replace(string(b))); err == nil {
			return "base64", plain
		}
	}
	return "", nil
}

// plainBase64 undoes the alphabet for URLs, and padding.
var plainBase64 = strings.NewReplacer("-", "+", "_", "/", "=", "")

// all returns what a reader unpacks, if that is all right.
func all(step string, r io.Reader) (string, []byte) {
	plain, err := io.ReadAll(io.LimitReader(r, maxPlain+1))
	if err != nil || len(plain) == 0 || len(plain) > maxPlain {
		return "", nil
	}
	return step, plain
}

func openGCPF(b []byte) (string, []byte) {
	src := source.Bytes(b)
	l, err := layer.Open(context.Background(), gcpf.Kind, src, span.Between(0, src.Size()), layer.Options{MaxUnpacked: maxPlain})
	if err != nil {
		return "", nil
	}
	defer l.Close()
	return all("GCPF", io.NewSectionReader(l.Payload, 0, l.Payload.Size()))
}

// AppendTitle appends what was found, in about limit bytes; ok is false if that is nothing.
func (l *Look) AppendTitle(dst []byte, limit int) (text []byte, ok bool) {
	if l.Kind == Unknown && len(l.Steps) == 0 {
		return dst, false
	}
	for _, s := range l.Steps {
		dst = append(append(dst, s...), ": "...)
	}
	switch l.Kind {
	case Text:
		dst = append(append(append(dst, '"'), l.Plain[:cut(l.Plain, limit)]...), '"')
	case JSON:
		dst = append(append(dst, "JSON "...), l.Plain[:cut(l.Plain, limit)]...)
	case Values:
		if l.Reader.Title != "" {
			dst = append(append(dst, l.Reader.Title...), ' ')
		}
		dst = l.Reader.AppendAll(dst, l.Plain, l.Values, limit-len(dst))
	}
	return dst, true
}

// cut returns the number of bytes of a text up to a limit, without half a character.
func cut(b []byte, limit int) int {
	n := min(len(b), max(limit, 0))
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}
