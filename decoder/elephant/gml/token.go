package gml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type kind uint8

const (
	tEnd      kind = iota
	tWord          // identifier or keyword
	tNumber        // 12 $FF 0xFF 0b1 1_000 .5
	tText          // "…" @"…" @'…' '…'
	tTemplate      // $"…{…}…"
	tMark          // one character, or ==
)

// A token is a piece of source text.
type token struct {
	kind  kind
	off   int32
	line  int32  // from 1
	start int32  // where its line begins
	text  string // as it is in the file, except { and } for begin and end
	use   *use   // of the macro that it comes from, nil if it is in the text itself
}

// A use of a macro in the text of a file.
type use struct {
	name      string // of the macro in the text
	ambiguous *macro // a macro with two definitions from which the token comes
}

// ambiguous returns a macro with two definitions from which t comes, or nil.
func (t *token) ambiguous() *macro {
	if t.use == nil {
		return nil
	}
	return t.use.ambiguous
}

func (t *token) is(mark string) bool { return t.kind == tMark && t.text == mark }

func (t *token) isWord(word string) bool { return t.kind == tWord && t.text == word }

// column returns the column of the token in src, its text.
func (t *token) column(src string) int { return utf8.RuneCountInString(src[t.start:t.off]) + 1 }

// string returns the value of a text literal.
func (t *token) string() string {
	switch s := t.text; {
	case s[0] == '@':
		return s[2 : len(s)-1]
	case s[0] == '\'' || !strings.Contains(s, `\`):
		return s[1 : len(s)-1]
	default:
		return unescape(s[1 : len(s)-1])
	}
}

// unescape resolves the escapes of GML's strings: \n and similar ones, \u and \x with
// hexadecimal digits, \ with octal digits; any other character stands for itself.
func unescape(s string) string {
	b := strings.Builder{}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if k := strings.IndexByte("nrbftva", s[i]); k >= 0 {
			b.WriteByte("\n\r\b\f\t\v\a"[k])
			continue
		}
		from, most, base := i+1, 4, 16
		switch {
		case s[i] == 'x':
			most = 2
		case s[i] >= '0' && s[i] <= '7':
			from, most, base = i, 3, 8
		case s[i] != 'u':
			b.WriteByte(s[i])
			continue
		}
		end := from
		for end < len(s) && end < from+most && digit(s[end]) < base {
			end++
		}
		if n, err := strconv.ParseUint(s[from:end], base, 32); err == nil {
			b.WriteRune(rune(n))
		}
		i = end - 1
	}
	return b.String()
}

// digit returns the value of a digit, 99 if the byte is not one.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// integer returns the value of a number literal, if it is a whole number.
func (t *token) integer() (int64, bool) {
	s, base := strings.ReplaceAll(t.text, "_", ""), 10
	switch {
	case strings.HasPrefix(s, "$"):
		s, base = s[1:], 16
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		s, base = s[2:], 16
	case strings.HasPrefix(s, "0b"), strings.HasPrefix(s, "0B"):
		s, base = s[2:], 2
	default:
		if whole, part, ok := strings.Cut(s, "."); ok && strings.Trim(part, "0") == "" {
			s = whole
		}
	}
	n, err := strconv.ParseUint(s, base, 63)
	return int64(n), err == nil
}

func isWordByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
