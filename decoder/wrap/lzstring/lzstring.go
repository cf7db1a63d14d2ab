// Package lzstring packs text as the JavaScript library lz-string does, which browser games use for saves.
// It holds the whole text in memory.
package lzstring

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Form says how the bits are written: the number of bits in a character, the alphabet (from U+0020 on if
// empty), and what fills up the end.
type Form struct {
	bits            int
	alphabet, after string
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Forms are the forms that compressToBase64, compressToEncodedURIComponent and
// compressToUTF16 write.
var Forms = map[string]*Form{"base64": {6, letters + "+/", "==="}, "uri": {6, letters + "+-$", ""}, "utf16": {15, "", " "}}

var errForeign = errors.New("this is not what lz-string writes")

// A width is the number of bits of a code. It grows with the dictionary.
type width struct{ bits, room int }

func (w *width) grow() {
	if w.room--; w.room == 0 {
		w.room = 1 << w.bits
		w.bits++
	}
}

// Unpack unpacks a text. It stops after more than limit bytes. If the text is cut off it returns the
// beginning and io.ErrUnexpectedEOF.
func (form *Form) Unpack(packed []byte, limit int64) ([]byte, error) {
	var units, out, last []uint16
	for _, r := range strings.TrimRight(string(packed), "=\r\n") {
		if form.alphabet != "" {
			r = ' ' + rune(strings.IndexRune(form.alphabet, r))
		}
		if units = append(units, uint16(r-' ')); uint16(r-' ')>>form.bits > 0 {
			return nil, errForeign
		}
	}
	at := 0
	take := func(n int) (v int) {
		for i := range n {
			if at < len(units)*form.bits {
				v |= int(units[at/form.bits]>>(form.bits-1-at%form.bits)&1) << i
			}
			at++
		}
		return v
	}
	text := func() []byte { return []byte(string(utf16.Decode(out))) }
	words := make([][]uint16, 3) // the codes 0 and 1 precede a new character, 2 is the end
	for w := (width{2, 2}); ; w.grow() {
		var word []uint16
		switch code := take(w.bits); {
		case code < 2:
			word = []uint16{uint16(take(8 << code))}
			words = append(words, word)
			w.grow()
		case code < len(words):
			word = words[code]
		case code == len(words) && last != nil:
			word = append(slices.Clip(last), last[0])
		default:
			return nil, errForeign
		}
		switch {
		case at > len(units)*form.bits:
			return text(), io.ErrUnexpectedEOF
		case word == nil && !slices.Equal(utf16.Encode([]rune(string(text()))), out):
			return nil, errors.New("the text has half of a surrogate pair, which UTF-8 cannot hold")
		case word == nil:
			return text(), nil
		case int64(len(out)+len(word)) > limit:
			out = append(out, word...)
			return text(), nil
		case last != nil:
			words = append(words, append(slices.Clip(last), word[0]))
		}
		out, last = append(out, word...), word
	}
}

// Pack packs UTF-8 text.
func (form *Form) Pack(plain []byte) (out []byte, err error) {
	if !utf8.Valid(plain) {
		return nil, errors.New("lz-string packs only text")
	}
	unit, have := 0, 0
	put := func(v, n int) {
		for ; n > 0; n-- {
			unit = unit<<1 | v&1
			v >>= 1
			if have++; have < form.bits {
				continue
			}
			if form.alphabet == "" {
				out = utf8.AppendRune(out, rune(unit)+' ')
			} else {
				out = append(out, form.alphabet[unit])
			}
			unit, have = 0, 0
		}
	}
	w := width{2, 2}
	codes := map[int]int{}    // code of a word, by the code of all but its last character and that character
	fresh := map[int]uint16{} // codes of characters that are not written yet
	next, word := 3, 0
	add := func(key int) int {
		codes[key] = next
		next++
		return next - 1
	}
	emit := func() {
		if c, ok := fresh[word]; ok {
			wide := min(int(c>>8), 1)
			put(wide, w.bits)
			put(int(c), 8<<wide)
			w.grow()
			delete(fresh, word)
		} else if word > 0 {
			put(word, w.bits)
		}
		w.grow()
	}
	for _, c := range utf16.Encode([]rune(string(plain))) {
		single, ok := codes[int(c)]
		if !ok {
			single = add(int(c))
			fresh[single] = c
		}
		longer := word<<16 | int(c)
		if code, ok := codes[longer]; ok { // a single character too, after the empty word
			word = code
			continue
		}
		emit()
		add(longer)
		word = single
	}
	if word != 0 {
		emit()
	}
	put(2, w.bits)
	put(0, form.bits-have)
	if form.after == "===" {
		return append(out, form.after[:(4-len(out)%4)%4]...), nil
	}
	return append(out, form.after...), nil
}
