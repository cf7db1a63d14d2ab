package mangled

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"varview/decoder/span"
)

// windows1252 are the characters of bytes 80 to 9F in Windows-1252. The five that it leaves
// undefined are the same as in Latin-1, as on Windows.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// reencoded is the mangling of a program that reads a file as Latin-1 or Windows-1252 text and saves it
// as UTF-8.
type reencoded struct {
	changed
	latin   bool // a byte 80 to 9F became its character in Latin-1, which Windows-1252 does not have
	windows bool // the reverse
}

// restore implements mangling: each character is one byte.
func (m *reencoded) restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool) {
	for n < len(b) {
		if b[n] < utf8.RuneSelf {
			dst = append(dst, b[n])
			n++
			continue
		}
		if !last && !utf8.FullRune(b[n:]) {
			break
		}
		r, size := utf8.DecodeRune(b[n:])
		c, ok := m.byteOf(r)
		if !ok || size == 1 {
			return dst, n, false
		}
		m.add(span.Span{Offset: off + int64(n), Length: int64(size)}, c)
		dst = append(dst, c)
		n += size
	}
	return dst, n, true
}

// byteOf returns the byte that became a character.
func (m *reencoded) byteOf(r rune) (c byte, ok bool) {
	switch {
	case r > 0xff:
		m.windows = true
		i := slices.Index(windows1252[:], r)
		return byte(0x80 + i), i >= 0 && !m.latin
	case r < 0xa0 && windows1252[r-0x80] != r:
		m.latin = true
		return byte(r), !m.windows
	}
	return byte(r), true
}

// redo implements mangling.
func (m *reencoded) redo(dst, b []byte, first bool) []byte {
	for _, c := range b {
		r := rune(c)
		if m.windows && c >= 0x80 && c < 0xa0 {
			r = windows1252[c-0x80]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// describe implements mangling.
func (m *reencoded) describe() (message, repair string) {
	as := "Latin-1 or Windows-1252"
	switch {
	case m.windows:
		as = "Windows-1252"
	case m.latin:
		as = "Latin-1"
	}
	return fmt.Sprintf("a program read the file as %s text and saved it as UTF-8: %s became two or three", as, span.Counted(m.all, "byte")), "write each character as one byte again"
}
