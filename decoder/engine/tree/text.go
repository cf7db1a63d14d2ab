package tree

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// AppendTextStep appends the step to an entry whose key is text: .name for an
// identifier, ["any text"] with JSON's escapes otherwise.
func AppendTextStep(dst, text []byte) []byte {
	if IsIdentifier(text) {
		dst = append(dst, '.')
		return append(dst, text...)
	}
	dst = append(dst, '[')
	dst = AppendQuoted(dst, text)
	return append(dst, ']')
}

// IsIdentifier reports whether text is an ASCII letter or underscore followed by ASCII letters, underscores
// and digits.
func IsIdentifier(text []byte) bool {
	for i, c := range text {
		letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(text) > 0
}

// AppendQuoted appends text as a JSON string in which all control characters and all invisible ones are
// escaped: those that control a terminal or the writing direction, those without width, fillers. A byte
// that is not valid UTF-8 becomes \udcXX, as in Python's surrogateescape, so that no two texts look the
// same.
func AppendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, text, '"')
	return append(dst, '"')
}

// AppendEscaped appends text with the same escapes as AppendQuoted, but without
// quotes; quote is escaped as well, if it is not 0.
func AppendEscaped(dst, text []byte, quote byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if plain[c] && (c != quote || quote == 0) {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			if (r != utf8.RuneError || size > 1) && isVisible(r) {
				i += size
				continue
			}
			n = size
		}
		dst = append(dst, text[from:i]...)
		dst = appendEscape(dst, text[i:i+n])
		i += n
		from = i
	}
	return append(dst, text[from:]...)
}

// Prose returns text for use in a sentence, with the escapes of AppendEscaped, except that a byte that is
// not valid UTF-8 becomes \xXX, as in most languages. It cannot be read back.
func Prose(text []byte) string {
	var dst []byte
	from := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = AppendEscaped(dst, text[from:i], '"')
			dst = append(dst, '\\', 'x', hexDigits[text[i]>>4], hexDigits[text[i]&15])
			from = i + 1
		}
		i += size
	}
	return string(AppendEscaped(dst, text[from:], '"'))
}

// plain marks the bytes that need no escape, except a quote.
var plain = func() (plain [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		plain[c] = c != '\\'
	}
	return plain
}()

// IsPlain reports whether text is ASCII that AppendEscaped leaves as it is.
func IsPlain(text []byte) bool {
	for _, c := range text {
		if !plain[c] || c == '"' {
			return false
		}
	}
	return true
}

// brailleBlank is the braille pattern without dots. Unicode does not count it as a blank, but it looks like
// one.
const brailleBlank = 0x2800

// isVisible reports whether a terminal shows the rune and does nothing else. Characters without width and
// fillers are not visible: they would make two texts look the same.
func isVisible(r rune) bool {
	if r >= 0xa0 && r < 0x300 && r != 0xad || r >= 0x370 && r < 0x600 || r >= 0x620 && r < 0x6d0 || r >= 0x900 && r < 0x1100 ||
		r >= 0x3200 && r < 0xd800 || r >= 0x1f000 && r < 0x20000 { // most letters and emoji, without looking into the tables
		return true
	}
	return r != brailleBlank && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

const hexDigits = "0123456789abcdef"

func appendEscape(dst, char []byte) []byte {
	switch c := char[0]; {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\r':
		return append(dst, `\r`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c == '\b':
		return append(dst, `\b`...)
	case c == '\f':
		return append(dst, `\f`...)
	case len(char) == 1 && c >= utf8.RuneSelf:
		return append(dst, '\\', 'u', 'd', 'c', hexDigits[c>>4], hexDigits[c&15])
	}
	r, _ := utf8.DecodeRune(char)
	if r > 0xffff { // JSON requires a surrogate pair
		r -= 0x10000
		dst = appendUTF16(dst, 0xd800+r>>10)
		return appendUTF16(dst, 0xdc00+r&0x3ff)
	}
	return appendUTF16(dst, r)
}

func appendUTF16(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// AppendHex appends bytes as lower-case hex digits, cut after 64 bytes with "…"; size is
// the total number of bytes.
func AppendHex(dst, bytes []byte, size int64) []byte {
	for _, c := range bytes[:min(len(bytes), 64)] {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	if size > 64 {
		dst = append(dst, "…"...)
	}
	return dst
}

// maxFieldText is the number of bytes of a text field that are shown; a longer text is cut with "…".
const maxFieldText = 64 << 10

// AppendText appends the content of a text field, with the escapes of AppendEscaped, cut after 64 KiB with
// "…".
func AppendText(dst []byte, w *source.Window, field span.Span) []byte {
	dst = AppendEscaped(dst, w.View(field.Offset, min(field.Length, maxFieldText)), 0)
	if field.Length > maxFieldText {
		dst = append(dst, "…"...)
	}
	return dst
}

// AppendData appends the content of a data field, as AppendHex does.
func AppendData(dst []byte, w *source.Window, field span.Span) []byte {
	return AppendHex(dst, w.View(field.Offset, min(field.Length, 64)), field.Length)
}

// AppendIndexStep appends the step to the i-th child: [i].
func AppendIndexStep(dst []byte, i int64) []byte {
	dst = append(dst, '[')
	dst = strconv.AppendInt(dst, i, 10)
	return append(dst, ']')
}

// RuneSize returns the length of the UTF-8 character at the start of b; 0 if there is none.
func RuneSize(b []byte) int {
	if r, size := utf8.DecodeRune(b); r != utf8.RuneError || size > 1 {
		return size
	}
	return 0
}

// ScanText returns the offsets of the first byte that is not valid text and of the first NUL in the n bytes
// at off; Unknown if there is none. size returns the length of the character at the start of some bytes,
// like RuneSize.
func ScanText(w *source.Window, off, n int64, size func([]byte) int) (bad, nul int64) {
	bad, nul = Unknown, Unknown
	for at := off; at < off+n; {
		b := w.View(at, off+n-at)
		if len(b) == 0 {
			break
		}
		last := at+int64(len(b)) >= off+n
		i := 0
		for i < len(b) {
			c := b[i]
			if c < utf8.RuneSelf {
				if c == 0 && nul == Unknown {
					nul = at + int64(i)
				}
				i++
				continue
			}
			if !last && len(b)-i < 6 {
				break // continue with the next view, so that no character is split
			}
			step := size(b[i:])
			if step == 0 {
				return at + int64(i), nul
			}
			i += step
		}
		at += int64(i)
	}
	return bad, nul
}
