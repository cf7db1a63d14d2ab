package recipe

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"varview/decoder/wrap/layer"
)

// An lzForm is how lz-string writes its bits: how many a character has, and the characters; without any they are
// those from U+0020 on. The end is filled up.
type lzForm struct {
	bits            int
	alphabet, after string
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var lzForms = map[string]lzForm{
	"base64": {6, letters + "+/", "==="},
	"uri":    {6, letters + "+-$", ""},
	"utf16":  {15, "", " "},
}

func lzFormOf(s *Step) lzForm { return lzForms[cmp.Or(s.Form, "base64")] }

var errLZ = errors.New("this is not what lz-string writes")

// lzWidth is how many bits a code has. That grows with the dictionary.
type lzWidth struct{ bits, room int }

func (w *lzWidth) grow() {
	if w.room--; w.room == 0 {
		w.room = 1 << w.bits
		w.bits++
	}
}

// lzWord is a word of the dictionary, by its place in what was unpacked.
type lzWord struct{ at, n int }

func unpackLZ(s *Step, packed []byte, limit int64) ([]byte, error) {
	form := lzFormOf(s)
	var units []uint16
	for _, r := range strings.TrimRight(string(packed), "=\r\n") {
		if form.alphabet != "" {
			r = ' ' + rune(strings.IndexRune(form.alphabet, r))
		}
		units = append(units, uint16(r-' '))
	}
	if slices.ContainsFunc(units, func(u uint16) bool { return u>>form.bits > 0 }) {
		return nil, errLZ
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
	words := make([]lzWord, 3) // the codes 0 and 1 are followed by a character, 2 is the end
	width := lzWidth{2, 2}
	var out []uint16
	for last := (lzWord{}); ; {
		code, word := take(width.bits), lzWord{len(out), 1}
		switch {
		case code < 2:
			out = append(out, uint16(take(8<<code)))
			words = append(words, word)
			width.grow()
		case code == 2:
		case code < len(words):
			word.n = words[code].n
			out = append(out, out[words[code].at:][:word.n]...)
		case code == len(words) && last.n > 0:
			word.n = last.n + 1
			out = append(append(out, out[last.at:][:last.n]...), out[last.at])
		default:
			return nil, errLZ
		}
		switch {
		case at > len(units)*form.bits:
			return []byte(string(utf16.Decode(out[:word.at]))), io.ErrUnexpectedEOF
		case int64(len(out)) > limit:
			return []byte(string(utf16.Decode(out)))[:limit], layer.ErrFull
		case code == 2 && !slices.Equal(utf16.Encode(utf16.Decode(out)), out):
			return nil, errors.New("there is half of a character, which UTF-8 does not have")
		case code == 2:
			return []byte(string(utf16.Decode(out))), nil
		case last.n > 0:
			words = append(words, lzWord{last.at, last.n + 1})
		}
		width.grow()
		last = word
	}
}

func packLZ(s *Step, plain, _ []byte) (out []byte, err error) {
	if !utf8.Valid(plain) {
		return nil, errors.New("lz-string packs text alone")
	}
	form, unit, have := lzFormOf(s), 0, 0
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
	width := lzWidth{2, 2}
	codes := map[int]int{}    // of a word, by the code of all but its last character, and that
	fresh := map[int]uint16{} // codes of characters that have not been written yet
	next, word := 3, 0
	add := func(key int) int {
		codes[key] = next
		next++
		return next - 1
	}
	emit := func() {
		if c, ok := fresh[word]; ok {
			wide := min(int(c>>8), 1)
			put(wide, width.bits)
			put(int(c), 8<<wide)
			width.grow()
			delete(fresh, word)
		} else if word > 0 {
			put(word, width.bits)
		}
		width.grow()
	}
	for _, c := range utf16.Encode([]rune(string(plain))) {
		single, ok := codes[int(c)]
		if !ok {
			single = add(int(c))
			fresh[single] = c
		}
		longer := word<<16 | int(c)
		if code, ok := codes[longer]; ok { // also a single character after nothing
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
	put(2, width.bits)
	put(0, form.bits-have)
	if form.after == "===" {
		return append(out, form.after[:(4-len(out)%4)%4]...), nil
	}
	return append(out, form.after...), nil
}
