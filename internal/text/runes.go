package text

import (
	"unicode"
	"unicode/utf8"
)

const (
	firstRegional = 0x1F1E6 // regional indicator A
	lastRegional  = 0x1F1FF
	circledA      = 0x24B6

	brailleBlank = 0x2800 // looks like a blank, but is not one to Unicode

	thaiAm       = 0x0E33 // compatibility decomposition: nikhahit, sara aa
	laoAm        = 0x0EB3
	amToNikhahit = 0x0E4D - thaiAm // the same in Lao: 0x0ECD - laoAm
)

// joiningScripts are those whose spelling uses ZWJ and ZWNJ.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}

// isPrintable reports whether b is ASCII and no control.
func isPrintable(b byte) bool { return b >= ' ' && b < 0x7F }

// isPlain reports whether s is printable ASCII.
func isPlain(s string) bool { return plainRun(s) == len(s) }

// plainRun returns the number of bytes of printable ASCII that s begins with.
func plainRun(s string) int {
	for i := range len(s) {
		if !isPrintable(s[i]) {
			return i
		}
	}
	return len(s)
}

// isOrdinary is a fast path of isShown: letters and signs of the commonest
// left-to-right blocks, none of which joins the character before it.
func isOrdinary(r rune) bool {
	switch {
	case r < 0xA0 || r == 0xAD:
		return false
	case r < 0x300, r >= 0x3A3 && r < 0x482: // Latin, IPA; Greek, Cyrillic
		return true
	case r >= 0x2010 && r <= 0x2027: // dashes, quotation marks, …
		return true
	case r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FE: // kana
		return true
	}
	return r >= 0x4E00 && r <= 0x9FFC // ideographs
}

// isShown reports whether r may reach the terminal as itself.
func isShown(r rune) bool {
	return unicode.IsGraphic(r) && r != brailleBlank &&
		!unicode.In(r, disputed, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isPictograph reports whether r can be part of an emoji: a symbol, or one of the
// emoji that are punctuation or a letter.
func isPictograph(r rune) bool {
	switch r {
	case 0x203C, 0x2049, 0x2139, 0x3030, 0x303D:
		return true
	}
	return r > 0x7F && unicode.IsSymbol(r)
}

// hasKeycap reports whether r begins a keycap sequence.
func hasKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isRightToLeft reports whether r is in a block whose characters are, or are
// reserved as, strong right-to-left. Arabic digits count: they too move neutrals.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

// composeHangul returns the syllable that the conjoining jamo at the beginning of
// s spell (Unicode, section 3.12) and their bytes; 0, 0 where there is none.
func composeHangul(s string) (syllable rune, taken int) {
	const leads, vowels, trails = 19, 21, 28
	l, n := utf8.DecodeRuneInString(s)
	v, m := utf8.DecodeRuneInString(s[n:])
	if l < 0x1100 || l >= 0x1100+leads || v < 0x1161 || v >= 0x1161+vowels {
		return 0, 0
	}
	syllable, taken = 0xAC00+((l-0x1100)*vowels+v-0x1161)*trails, n+m
	if t, k := utf8.DecodeRuneInString(s[taken:]); t > 0x11A7 && t < 0x11A7+trails {
		syllable, taken = syllable+t-0x11A7, taken+k
	}
	return syllable, taken
}

// appendEscape appends \n, \r, \t, \xNN for other ASCII, \uNNNN or \UNNNNNNNN.
func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < utf8.RuneSelf:
		return appendHex(append(dst, `\x`...), r, 2)
	case r <= 0xFFFF:
		return appendHex(append(dst, `\u`...), r, 4)
	}
	return appendHex(append(dst, `\U`...), r, 8)
}

func appendHex(dst []byte, r rune, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[r>>shift&0xF])
	}
	return dst
}
