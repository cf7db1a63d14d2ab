package variant

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// text inspects the string at off: u32 length, bytes, padding. A NUL at its end
// belongs to it if nul is set. anyPadding accepts padding that is not zero.
func (in *inspector) text(off int64, nul, anyPadding bool) {
	n := int64(in.w.U32(off))
	start := off + 4
	end := start + n
	if end > in.v.Limit || in.v.Damage != nil && end > in.v.Tail {
		return // the damage of the value is reported already
	}
	body := n
	if nul && n > 0 && in.w.Byte(end-1) == 0 {
		body--
	}
	in.utf8(start, body)
	in.padding(end, min(end+types.Pad(n), in.v.Limit), types.Pad(n), false, anyPadding)
}

// terminator checks that the length of a packed string counts a NUL at its end.
func (in *inspector) terminator() {
	v := in.v
	if v.Damage != nil {
		return
	}
	if n := int64(in.w.U32(v.Start)); n == 0 || in.w.Byte(v.Start+3+n) != 0 {
		in.warn(v.Start, 4, problem{span.MissingNul, "a packed string without the NUL that its length should count", "accepted", "add the NUL"})
	}
}

// isASCII reports whether each of eight bytes is a character of ASCII other than NUL.
func isASCII(x uint64) bool { return (x|(x-0x0101010101010101))&0x8080808080808080 == 0 }

// isPlain reports whether b, a text of n bytes with its padding, is valid UTF-8
// without a NUL or byte order mark and padded with zeros.
func isPlain(b []byte, n int64) bool {
	rest := b
	for len(rest) > 8 && isASCII(binary.LittleEndian.Uint64(rest)) {
		rest = rest[8:]
	}
	if len(rest) <= 8 {
		var x uint64 // the last bytes, the very last uppermost
		switch len(rest) {
		case 0:
			return true
		case 4:
			x = uint64(binary.LittleEndian.Uint32(rest))<<32 | 0x01010101
		default:
			x = binary.LittleEndian.Uint64(rest)
		}
		text := 64 - 8*uint(types.Pad(n))
		if x>>text != 0 {
			return false
		}
		if isASCII(x | 0x0101010101010101<<text) { // the padding taken for text
			return true
		}
	}
	text, padding := b[:n], b[n:]
	ascii := len(b) - len(rest)
	return isUTF8(text[ascii:]) && !bytes.HasPrefix(text, byteOrderMark) && string(padding) == "\x00\x00\x00"[:len(padding)]
}

// isCleanText reports whether a text is valid UTF-8 without a NUL or byte order mark.
func isCleanText(text []byte) bool {
	return isUTF8(text) && !bytes.HasPrefix(text, byteOrderMark)
}

var byteOrderMark = []byte("\ufeff")

// padding inspects the padding [at, end), whose length should be want. Engines need padding only after
// strings.
func (in *inspector) padding(at, end, want int64, optional, anyPadding bool) {
	if missing := want - (end - at); missing > 0 {
		p := problem{span.MissingPadding, span.Bytes(missing) + " of padding missing", failsEnd, "add the padding and correct the enclosing counts"}
		if optional {
			p.engine = "accepted"
			in.warn(at, end-at, p)
		} else {
			in.fail(at, end-at, p)
		}
		return
	}
	for i := at; i < at+want && !anyPadding; i++ {
		if in.w.Byte(i) != 0 {
			in.warn(at, want, problem{span.NonZeroPadding, "padding that is not zero", "ignored", "set the padding to zero"})
			return
		}
	}
}

// MaxRewritten is the length in bytes of the longest text that a repair may rewrite.
const MaxRewritten = 64 << 20

// utf8 reports the first byte that is not valid UTF-8, a byte order mark, and a NUL
// inside.
func (in *inspector) utf8(off, n int64) {
	repair := func(text string) string {
		if n > MaxRewritten {
			return ""
		}
		return text
	}
	if n >= 3 {
		if b := in.w.View(off, 3); string(b) == "\ufeff" {
			in.warn(off, 3, problem{span.ByteOrderMark, "the string begins with a byte order mark", "dropped on reading", repair("delete the mark")})
		}
	}
	looked := n
	if limit := in.f.MaxText; limit > 0 && n > limit {
		looked = limit
	}
	bad, nul := tree.ScanText(in.w, off, looked, in.f.RuneSize)
	if bad != tree.Unknown && (looked == n || bad < off+looked-6) { // a character may be cut by the limit
		in.fail(bad, 1, problem{span.InvalidUTF8, fmt.Sprintf("byte %#02x is not valid UTF-8", in.w.Byte(bad)), failsData, repair("replace each invalid byte with U+FFFD")})
	}
	if nul != tree.Unknown {
		in.warn(nul, 1, problem{span.NulInText, "a NUL inside the string", "the string is cut here", repair("delete all NULs so that the rest is read")})
	}
}

// InspectText reports what is unusual about n bytes of text at an offset of a value.
func (f *Format) InspectText(w *source.Window, v *tree.Value, off, n int64, report func(span.Problem)) {
	in := inspector{f: f, w: w, v: v, report: func(p span.Problem) {
		p.Repair = "" // of Variants
		if p.Code == span.InvalidUTF8 && f.Dialect.Resource {
			p.Engine = "the text is empty, or cut there"
		}
		report(p)
	}}
	in.utf8(off, n)
}

// RuneSize returns the length of the character at the start of b; 0 if there is none. A dialect that is not
// strict accepts surrogates and code points past 10FFFF.
func (f *Format) RuneSize(b []byte) int {
	if size := tree.RuneSize(b); size > 0 || f.Dialect.StrictText || len(b) < 3 {
		return size
	}
	switch { // Godot 3 accepts these beyond the standard, but no overlong forms
	case b[0] == 0xed && b[1] >= 0xa0:
		return follow(b, 3)
	case b[0] == 0xf4 && b[1] >= 0x90, b[0] > 0xf4 && b[0] < 0xf8:
		return follow(b, 4)
	case b[0] == 0xf8 && b[1] >= 0x88, b[0] > 0xf8 && b[0] < 0xfc:
		return follow(b, 5)
	case b[0] == 0xfc && b[1] >= 0x84, b[0] == 0xfd:
		return follow(b, 6)
	}
	return 0
}

// follow returns n if the first byte is followed by all other bytes of a character of n.
func follow(b []byte, n int) int {
	if len(b) < n || slices.ContainsFunc(b[1:n], func(c byte) bool { return c&0xc0 != 0x80 }) {
		return 0
	}
	return n
}

// Printable returns text escaped for a message and cut to 80 bytes.
func Printable(text []byte) string {
	cut := ""
	if len(text) > 80 {
		text, cut = text[:80], "…"
	}
	return string(tree.AppendEscaped(nil, text, 0)) + cut
}

// TextLength returns the length of the string at off, without the NUL at its end that packed strings count,
// and all strings of resource files.
func (f *Format) TextLength(w *source.Window, v *tree.Value, off int64) int64 {
	n := int64(w.U32(off))
	if (v.Type == types.Entry || f.Dialect.Resource) && n > 0 && w.Byte(off+4+n-1) == 0 {
		n--
	}
	return n
}
