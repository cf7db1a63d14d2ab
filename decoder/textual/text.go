package textual

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"varview/decoder/notation"
)

// LooksLikeText reports whether the beginning of a file could be text, perhaps damaged: hardly any of its
// bytes are control characters, and most others are UTF-8. Zeros at the end do not count.
func LooksLikeText(b []byte) bool {
	b = bytes.TrimRight(b, "\x00")
	odd := 0
	for i := 0; i < len(b); {
		c, size := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && size == 1 || c < ' ' && !isBlank[byte(c)] {
			odd++
		}
		i += size
	}
	const most = 16 // one in this many
	return odd*most <= len(b)+most
}

// AppendUnescaped appends the meaning of the escape at the start of b, and returns its length. one are the
// letters that may follow the backslash, besides u. If the format has no such escape, the backslash stands
// for itself.
func AppendUnescaped(dst *[]byte, b []byte, one string) (size int, ok bool) {
	size = 2
	switch {
	case len(b) < 2:
		*dst = append(*dst, b...)
		return len(b), false
	case b[1] == 'u':
		size = min(6, len(b))
		if len(b) >= 12 && b[2]|0x20 == 'd' && b[3] >= '8' && b[3]|0x20 < 'c' && b[6] == '\\' && b[7] == 'u' {
			size = 12
		}
	case bytes.IndexByte([]byte(one), b[1]) < 0:
		*dst = append(*dst, b[0])
		return 1, false
	}
	for _, n := range []int{size, 6} {
		if more, err := notation.Unescape(*dst, string(b[:min(n, len(b))])); err == nil {
			*dst = more
			return n, true
		}
	}
	if u, err := parseUnit(b); err == nil { // half of a surrogate pair
		*dst = append(*dst, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0xbf, 0x80|byte(u)&0xbf)
		return 6, false
	}
	*dst = append(*dst, b[0])
	return 1, false
}

// parseUnit reads four hex digits after \u.
func parseUnit(b []byte) (u uint16, err error) {
	if len(b) < 6 {
		return 0, errCut
	}
	for _, c := range b[2:6] {
		switch {
		case notation.IsDigit(c):
			u = u<<4 | uint16(c-'0')
		case notation.IsHex(c):
			u = u<<4 | uint16(c|0x20-'a'+10)
		default:
			return 0, errCut
		}
	}
	return u, nil
}

var errCut = notation.Errorf(0, "four hex digits are expected")

// A Character is a character of a text, or an invalid byte.
type Character struct {
	Rune    rune // the byte, if it is Invalid
	Invalid bool
}

// Characters returns the characters of a text.
func Characters(b []byte) iter.Seq2[int, Character] {
	return func(yield func(int, Character) bool) {
		for i := 0; i < len(b); {
			c, size := utf8.DecodeRune(b[i:])
			x := Character{c, c == utf8.RuneError && size == 1}
			if x.Invalid {
				x.Rune = rune(b[i])
			}
			if !yield(i, x) {
				return
			}
			i += size
		}
	}
}
