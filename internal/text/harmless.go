package text

import (
	"io"
	"unicode/utf8"
)

// A Harmless writer writes literals and JSON, in which nothing is cleaned, without what acts on a terminal:
// control characters other than line ends and tabs, and bytes that are not UTF-8, are written as escapes.
// Within a text in quotes such an escape means the character. A line end has to follow the last character, as
// it does wherever lines are written.
type Harmless struct {
	W    io.Writer
	held []byte // the beginning of a character
	out  []byte
}

// Write implements io.Writer.
func (h *Harmless) Write(p []byte) (int, error) {
	b := p
	if len(h.held) > 0 {
		b = append(h.held, p...)
		h.held = nil
	}
	at := harmful(b)
	if at == len(b) {
		_, err := h.W.Write(b)
		return len(p), err
	}
	h.out = append(h.out[:0], b[:at]...)
	for at < len(b) {
		if !utf8.FullRune(b[at:]) {
			h.held = append([]byte(nil), b[at:]...)
			break
		}
		r, n := utf8.DecodeRune(b[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			h.out = appendHex(append(h.out, `\x`...), rune(b[at]), 2)
		case isHarmful(r):
			h.out = appendHex(append(h.out, `\u`...), r, 4)
		default:
			h.out = append(h.out, b[at:at+n]...)
		}
		at += n
	}
	if _, err := h.W.Write(h.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// harmful returns the place of the first byte that may have to be escaped: all before it is ASCII or valid
// UTF-8.
func harmful(b []byte) int {
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if isHarmful(rune(c)) {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 || isHarmful(r) {
			return i
		}
		i += n
	}
	return len(b)
}

func isHarmful(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0
}
