package charset

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// FromCESU8 returns the UTF-8 of text in which each character beyond U+FFFF is a surrogate pair of three
// bytes each, and everything else is UTF-8. ok is false for other text, or if it has no such pair.
func FromCESU8(text []byte) (meaning []byte, ok bool) {
	if bytes.IndexByte(text, 0xed) < 0 {
		return nil, false
	}
	for i := 0; i < len(text); {
		if r := utf16.DecodeRune(surrogate(text[i:]), surrogate(text[min(i+3, len(text)):])); r != utf8.RuneError {
			meaning, ok = utf8.AppendRune(meaning, r), true
			i += 6
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return nil, false
		}
		meaning = append(meaning, text[i:i+size]...)
		i += size
	}
	if !ok {
		return nil, false
	}
	return meaning, ok
}

// surrogate returns the surrogate in the first three bytes of text; U+FFFD if there is none.
func surrogate(text []byte) rune {
	if len(text) < 3 || text[0] != 0xed || text[1]>>5 != 5 || text[2]>>6 != 2 {
		return utf8.RuneError
	}
	return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// ToCESU8 is the inverse of FromCESU8.
func ToCESU8(text []byte) (dst []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if high, low := utf16.EncodeRune(r); size == 4 {
			for _, half := range []rune{high, low} {
				dst = append(dst, 0xed, 0x80|byte(half>>6&0x3f), 0x80|byte(half&0x3f))
			}
		} else {
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}
