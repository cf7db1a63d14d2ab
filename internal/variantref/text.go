package variantref

import (
	"strings"
	"unicode/utf8"
)

// text reads a string: a length, UTF-8, padding. It ends at a NUL, and begins after
// a byte order mark. With counted, a NUL at the end is part of the length.
func (d *decoder) text(counted bool) string {
	n := int64(int32(d.u32()))
	pad := -n & 3
	if n < 0 || n+pad > int64(len(d.data)-d.at) {
		panic(failure(errEOF))
	}
	text := string(d.take(int(n), errEOF))
	d.pad(int(pad))
	if counted {
		var ended bool
		if text, ended = strings.CutSuffix(text, "\x00"); !ended {
			d.odd("a text without its NUL")
		}
	}
	if cut := strings.IndexByte(text, 0); cut >= 0 {
		d.odd("a NUL in a text")
		text = text[:cut]
	}
	if !d.valid(text) {
		panic(failure(errData))
	}
	if after, marked := strings.CutPrefix(text, "\ufeff"); marked {
		d.odd("a byte order mark")
		text = after
	}
	return text
}

// valid reports whether the engine takes the text for UTF-8. All refuse overlong
// forms; Godot 3 takes surrogates and code points of up to 31 bits.
func (d *decoder) valid(s string) bool {
	if d.strict || utf8.ValidString(s) {
		return utf8.ValidString(s)
	}
	d.odd("a code point that is none")
	for len(s) > 0 {
		n := lead(s[0])
		if n == 0 || n > len(s) {
			return false
		}
		r := uint32(s[0])
		if n > 1 {
			r &= 0x7f >> n
		}
		for _, c := range []byte(s[1:n]) {
			if c&0xc0 != 0x80 {
				return false
			}
			r = r<<6 | uint32(c&0x3f)
		}
		if n > 1 && r < least[n] {
			return false
		}
		s = s[n:]
	}
	return true
}

// least returns the smallest code point that needs n bytes.
var least = [7]uint32{2: 0x80, 3: 0x800, 4: 0x10000, 5: 0x200000, 6: 0x4000000}

// lead returns the length in bytes of a code point that begins with c, 0 if none
// does.
func lead(c byte) int {
	switch {
	case c < 0x80:
		return 1
	case c>>5 == 6:
		return 2
	case c>>4 == 14:
		return 3
	case c>>3 == 30:
		return 4
	case c>>2 == 62:
		return 5
	case c>>1 == 126:
		return 6
	}
	return 0
}
