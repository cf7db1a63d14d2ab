package literal

import (
	"fmt"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/types"
)

// A lexer splits a literal into tokens. Blank space may separate them.
type lexer struct {
	text string
	at   int
}

// Errorf is an error at a byte of the text.
func Errorf(at int, format string, args ...any) error {
	return &edit.SyntaxError{At: at, Message: fmt.Sprintf(format, args...)}
}

// peek skips blank space and returns the next byte, 0 at the end.
func (x *lexer) peek() byte {
	for x.at < len(x.text) {
		switch c := x.text[x.at]; c {
		case ' ', '\t', '\n', '\r':
			x.at++
		default:
			return c
		}
	}
	return 0
}

// accept consumes the byte c if it is next.
func (x *lexer) accept(c byte) bool {
	if x.peek() != c || c == 0 {
		return false
	}
	x.at++
	return true
}

// expect consumes the byte c, which must be next.
func (x *lexer) expect(c byte) error {
	if x.accept(c) {
		return nil
	}
	return Errorf(x.at, "%q is expected here", c)
}

func (x *lexer) skip(s string) bool {
	if len(x.text)-x.at < len(s) || x.text[x.at:x.at+len(s)] != s {
		return false
	}
	x.at += len(s)
	return true
}

// word consumes letters, digits and underscores.
func (x *lexer) word() string {
	x.peek()
	start := x.at
	for x.at < len(x.text) && IsWord(x.text[x.at]) {
		x.at++
	}
	return x.text[start:x.at]
}

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsHex reports whether c is a hex digit.
func IsHex(c byte) bool { return IsDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// IsWord reports whether c is a letter, a digit or an underscore.
func IsWord(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || IsDigit(c) }

// number consumes a number that is written in digits. kind is Int or Float.
func (x *lexer) number() (kind types.ID, err error) {
	start := x.at
	x.skip("-")
	if x.skip("0x") || x.skip("0X") || x.skip("0b") || x.skip("0B") {
		digits := x.at
		base := x.text[digits-1] | 0x20
		for x.at < len(x.text) && (IsHex(x.text[x.at]) && base == 'x' || x.text[x.at]|1 == '1') {
			x.at++
		}
		return types.Int, x.endNumber(start, x.at > digits)
	}
	kind = types.Int
	digits := x.digits()
	if x.skip(".") {
		kind = types.Float
		digits += x.digits()
	}
	if digits > 0 && (x.skip("e") || x.skip("E")) {
		kind = types.Float
		_ = x.skip("+") || x.skip("-")
		digits = x.digits()
	}
	return kind, x.endNumber(start, digits > 0)
}

func (x *lexer) endNumber(start int, ok bool) error {
	if !ok || x.at < len(x.text) && (IsWord(x.text[x.at]) || x.text[x.at] == '.') {
		return Errorf(start, "a number is expected, as 42, -0.5, 1e6, 0x1f, inf or nan")
	}
	return nil
}

func (x *lexer) digits() int {
	start := x.at
	for x.at < len(x.text) && IsDigit(x.text[x.at]) {
		x.at++
	}
	return x.at - start
}

// quoted consumes a quoted text and returns its meaning. The text may have several
// lines.
func (x *lexer) quoted() ([]byte, error) {
	x.peek()
	open := x.at
	if !x.skip(`"`) {
		return nil, Errorf(open, "a text in quotes is expected")
	}
	var text []byte
	from := x.at
	for x.at < len(x.text) {
		switch x.text[x.at] {
		case '"':
			text = append(text, x.text[from:x.at]...)
			x.at++
			return text, nil
		case '\\':
			text = append(text, x.text[from:x.at]...)
			var err error
			if text, err = x.escape(text); err != nil {
				return nil, err
			}
			from = x.at
		default:
			x.at++
		}
	}
	return nil, Errorf(open, "the closing quote of this text is missing")
}

// escape consumes an escape and appends its meaning. The notation is that of
// tree.AppendQuoted and of Godot itself.
func (x *lexer) escape(text []byte) ([]byte, error) {
	start := x.at
	x.at++ // the backslash
	if x.at == len(x.text) {
		return nil, Errorf(start, "an escape is cut off")
	}
	c := x.text[x.at]
	x.at++
	switch c {
	case '"', '\\', '/', '\'':
		return append(text, c), nil
	case 'n':
		return append(text, '\n'), nil
	case 'r':
		return append(text, '\r'), nil
	case 't':
		return append(text, '\t'), nil
	case 'b':
		return append(text, '\b'), nil
	case 'f':
		return append(text, '\f'), nil
	case 'a':
		return append(text, '\a'), nil
	case 'v':
		return append(text, '\v'), nil
	case 'u':
		return x.unit(text, start)
	case 'U':
		r, ok := x.hex(6)
		if !ok || !utf8.ValidRune(r) {
			return nil, Errorf(start, `\U needs the six hex digits of a character`)
		}
		return utf8.AppendRune(text, r), nil
	}
	return nil, Errorf(start, `there is no such escape; a backslash itself is \\`)
}

// Unescape appends the meaning of an escape, which begins with its backslash.
func Unescape(dst []byte, escape string) ([]byte, error) {
	x := lexer{text: escape}
	dst, err := x.escape(dst)
	if err == nil && x.at < len(escape) {
		err = Errorf(x.at, "the escape ends before this")
	}
	return dst, err
}

// unit consumes the digits of \uXXXX: a character, half of one, or \udcXX for the
// byte XX of a text that is no valid UTF-8.
func (x *lexer) unit(text []byte, start int) ([]byte, error) {
	r, ok := x.hex(4)
	switch {
	case !ok:
		return nil, Errorf(start, `\u needs four hex digits`)
	case r < 0xd800 || r > 0xdfff:
		return utf8.AppendRune(text, r), nil
	case r >= 0xdc80 && r <= 0xdcff:
		return append(text, byte(r)), nil
	case r < 0xdc00 && x.skip(`\u`):
		if low, ok := x.hex(4); ok && low >= 0xdc00 && low <= 0xdfff {
			return utf8.AppendRune(text, 0x10000+(r-0xd800)<<10+low-0xdc00), nil
		}
	}
	return nil, Errorf(start, `this is half of a surrogate pair; the other half must be next to it, as in \ud83d\ude00`)
}

// hex consumes n hex digits.
func (x *lexer) hex(n int) (r rune, ok bool) {
	if len(x.text)-x.at < n {
		return 0, false
	}
	for range n {
		c := x.text[x.at]
		switch {
		case IsDigit(c):
			r = r<<4 | rune(c-'0')
		case IsHex(c):
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
		x.at++
	}
	return r, true
}
