// Package secure opens what GameMaker's ds_map_secure_save writes: what identifies the device, then JSON in base64. That is
// 40 hexadecimal digits in a browser, and otherwise 60 bytes, in base64 as well. The game reads the file only on that
// device, so they are kept.
package secure

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper.
var Kind layer.Wrapper = kind{layer.Info{Name: "secure", About: "JSON that GameMaker's ds_map_secure_save wrote", Engine: "GameMaker"}}

type kind struct{ layer.Info }

const (
	inBrowser = 40      // digits of the device
	digest    = 32      // digits that are an MD5 before base64, hardly a device
	native    = 80      // characters of base64 of the device
	most      = 4 << 20 // largest size of a file
)

// Sniff implements layer.Wrapper.
func (kind) Sniff(s *layer.Sample) bool {
	if _, _, _, ok := decode(s.Head, s.Whole); !ok || s.Region.Length > most {
		return false
	}
	b := bytes.Clone(s.Head)
	for rest := s.Head; len(rest) > 0; b = append(b, rest...) {
		rest = s.Window.View(s.Region.Offset+int64(len(b)), s.Region.Length-int64(len(b)))
	}
	plain, prefix, end, ok := decode(b, true)
	return !ok || !hasSum(b[:prefix], plain, b[prefix:end])
}

// hasSum reports whether what should identify a device has a checksum of the JSON or of its text in base64.
func hasSum(device, plain, text []byte) (found bool) {
	if len(device) == native {
		device, _ = base64.StdEncoding.AppendDecode(nil, device)
		text = bytes.TrimRight(plain, "\r\n\x00")
	}
	for _, held := range [][]byte{plain, bytes.Trim(text, "\r\n")} {
		found = found || checksum.Of(func() []byte { return held }).AreIn(device)
	}
	return found
}

// decode returns the JSON, the length of what identifies the device, and the end of the base64. whole says that b is the
// whole file, which may end in blanks and zeros.
func decode(b []byte, whole bool) (plain []byte, prefix, end int, ok bool) {
	prefix = native
	switch n := len(b) - len(bytes.TrimLeft(b, "0123456789abcdef")); {
	case n >= inBrowser:
		prefix = inBrowser
	case n >= digest:
		return nil, 0, 0, false
	}
	if len(b) < prefix+4 {
		return nil, 0, 0, false
	}
	if prefix == native {
		device, err := base64.StdEncoding.AppendDecode(nil, b[:native])
		if err != nil || len(device) != native/4*3 || device[0] == '{' || device[0] == '[' { // with line ends, or JSON in base64
			return nil, 0, 0, false
		}
	}
	text := bytes.TrimRight(b[prefix:], "\r\n\x00")
	if !whole {
		text = text[:len(text)&^3]
	}
	plain, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	return plain, prefix, prefix + len(text), err == nil && bytes.HasPrefix(plain, []byte("{")) && isText(plain)
}

// isText reports whether all of b but a character that is cut off is text: hexadecimal digits are base64, too,
// but not of text.
func isText(b []byte) bool {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) && !utf8.FullRune(last) {
			b = b[:len(b)-n]
		}
	}
	return utf8.Valid(b) && !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != 0 })
}

// Open implements layer.Wrapper.
func (kind) Open(_ context.Context, l *layer.Layer, src source.Source, _ layer.Options) error {
	b := make([]byte, min(l.Region.Length, most))
	if err := layer.ReadAt(src, b, l.Region.Offset); err != nil {
		return err
	}
	plain, prefix, end, ok := decode(b, l.Region.Length <= most)
	if l.Title = "secure save"; !ok || l.Region.Length > most {
		l.Reject(l.Title, "these bytes are not a save of ds_map_secure_save")
		return nil
	}
	l.Payload = source.Bytes(plain)
	l.Packer = packer{b[:prefix], b[end:]}
	device := part.At("device", l.Region.Offset)
	device.Put(int64(prefix), l.Region.End(), span.Hash, "device")
	device.Text = string(b[:prefix])
	body := part.At("base64", device.End())
	body.Put(int64(end-prefix), l.Region.End(), span.Data, "base64")
	body.Text = fmt.Sprintf("%s → %s", span.Bytes(body.Length), span.Grouped(int64(len(plain))))
	parts := []part.Part{device, body}
	if rest := l.Region.End() - body.End(); rest > 0 {
		tail := part.At(span.Unused, body.End())
		tail.Put(rest, l.Region.End(), span.Padding, span.Unused)
		parts = append(parts, tail)
	}
	d := l.Describe(l.About(), parts...)
	l.Reading = &d
	return nil
}

// A packer keeps the digits of the device, and what follows the base64.
type packer struct{ device, tail []byte }

// CanRewrap implements layer.Packer.
func (packer) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (p packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	plain, err := io.ReadAll(w.Reader())
	if err != nil {
		return 0, err
	}
	out := w.Output(0)
	out.Write(p.device)
	packed := base64.StdEncoding.AppendEncode(nil, plain)
	out.Write(packed)
	out.Write(layer.Refilled(p.tail, int64(len(p.device)+len(packed)+len(p.tail))-w.Region.Length))
	return out.Finish()
}
