// Package notation reads values written as text, for all families: it splits text into tokens, and parses
// literals. A family adds the names of its types.
package notation

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit"
)

// A Lexer splits a literal into tokens. Blank space may separate them. After the first error everything
// that it reads is empty.
type Lexer struct {
	Text   string
	At     int   // number of bytes consumed
	Strict bool  // control characters in quoted text must be escaped
	Levels int   // largest depth of nesting; 0 for 1024
	Err    error // first error, of type *edit.SyntaxError
	depth  int
}

const (
	MaxText     = edit.MaxLiteral // largest size of a literal in bytes
	usualLevels = 1024            // depth of nesting

	EndsBefore = "the value ends before this" // what End reports
)

// Errorf returns an error at a byte of the text.
func Errorf(at int, format string, args ...any) error {
	return &edit.SyntaxError{At: at, Message: fmt.Sprintf(format, args...)}
}

// Fail records an error at a byte of the text, unless there was one before.
func (x *Lexer) Fail(at int, format string, args ...any) {
	if x.Err == nil {
		x.Err = Errorf(at, format, args...)
	}
}

// Peek skips blank space and returns the next byte; 0 at the end.
func (x *Lexer) Peek() byte {
	for x.Err == nil && x.At < len(x.Text) {
		switch c := x.Text[x.At]; c {
		case ' ', '\t', '\n', '\r':
			x.At++
		default:
			return c
		}
	}
	return 0
}

// Accept consumes the byte c if it is next.
func (x *Lexer) Accept(c byte) bool {
	if x.Peek() != c || c == 0 {
		return false
	}
	x.At++
	return true
}

// Expect consumes the byte c, which must be next.
func (x *Lexer) Expect(c byte) {
	if !x.Accept(c) {
		x.Fail(x.At, "%q is expected here", c)
	}
}

// End reports text after the value, at which the text should end.
func (x *Lexer) End(message string) {
	isDigit := func(at int) bool { return at >= 0 && at < len(x.Text) && x.Text[at]-'0' < 10 }
	switch {
	case x.Peek() == ',' && isDigit(x.At-1) && isDigit(x.At+1):
		x.Fail(x.At, "a decimal point is expected here, not a comma")
	case x.Peek() != 0:
		x.Fail(x.At, "%s", message)
	case x.At < len(x.Text):
		x.Fail(x.At, "a NUL is written \\u0000, within quotes")
	}
}

// List consumes items, separated by commas, up to the closing byte. A comma may follow the
// last.
func (x *Lexer) List(closing byte, item func()) {
	x.Nested(func() {
		for x.Err == nil && !x.Accept(closing) {
			item()
			if !x.Accept(',') && x.Peek() != closing {
				x.Fail(x.At, "a comma or %q is expected here", closing)
			}
		}
	})
}

// Nested calls inside one level deeper.
func (x *Lexer) Nested(inside func()) {
	if most := cmp.Or(x.Levels, usualLevels); x.depth == most {
		x.Fail(x.At, "a literal nests at most %d levels deep", most)
		return
	}
	x.depth++
	inside()
	x.depth--
}

// BeginsNumber reports whether a number written in digits is next.
func (x *Lexer) BeginsNumber() bool {
	c := x.Peek()
	return IsDigit(c) || c == '.' || c == '-' && !(x.At+1 < len(x.Text) && x.Text[x.At+1] == 'i')
}

// Skip consumes s if it is next.
func (x *Lexer) Skip(s string) bool {
	if len(x.Text)-x.At < len(s) || x.Text[x.At:x.At+len(s)] != s {
		return false
	}
	x.At += len(s)
	return true
}

// Word consumes letters, digits and underscores.
func (x *Lexer) Word() string {
	x.Peek()
	start := x.At
	for x.At < len(x.Text) && IsWord(x.Text[x.At]) {
		x.At++
	}
	return x.Text[start:x.At]
}

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsLetter reports whether c is a letter or an underscore.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// IsHex reports whether c is a hex digit.
func IsHex(c byte) bool { return IsDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// IsWord reports whether c is a letter, a digit or an underscore.
func IsWord(c byte) bool { return IsLetter(c) || IsDigit(c) }

// Number consumes a number written in digits. float reports whether it has a point or an exponent.
func (x *Lexer) Number() (float bool) {
	start := x.At
	x.Skip("-")
	if x.Skip("0x") || x.Skip("0X") || x.Skip("0b") || x.Skip("0B") {
		digits := x.At
		base := x.Text[digits-1] | 0x20
		for x.At < len(x.Text) && (IsHex(x.Text[x.At]) && base == 'x' || x.Text[x.At]|1 == '1') {
			x.At++
		}
		x.endNumber(start, x.At > digits)
		return false
	}
	digits := x.Digits()
	if x.Skip(".") {
		float = true
		digits += x.Digits()
	}
	if digits > 0 && (x.Skip("e") || x.Skip("E")) {
		float = true
		_ = x.Skip("+") || x.Skip("-")
		digits = x.Digits()
	}
	x.endNumber(start, digits > 0)
	return float
}

func (x *Lexer) endNumber(start int, ok bool) {
	switch {
	case !ok:
		x.Fail(start, "a number is expected, as 42, -0.5, 1e6, 0x1f, inf or nan")
	case x.At < len(x.Text) && (IsWord(x.Text[x.At]) || x.Text[x.At] == '.'):
		x.Fail(x.At, "this does not belong to a number")
	}
}

// Digits consumes decimal digits and returns how many there were.
func (x *Lexer) Digits() int {
	start := x.At
	for x.At < len(x.Text) && IsDigit(x.Text[x.At]) {
		x.At++
	}
	return x.At - start
}

// Quoted consumes a quoted text and returns its meaning. The text may have several lines.
func (x *Lexer) Quoted() (text []byte) {
	x.Peek()
	open := x.At
	if !x.Skip(`"`) {
		x.Fail(open, "a text in quotes is expected")
	}
	from := x.At
	for x.Err == nil && x.At < len(x.Text) {
		switch c := x.Text[x.At]; {
		case c == '"':
			text = append(text, x.Text[from:x.At]...)
			x.checkUTF8(open)
			x.At++
			return text
		case c == '\\':
			text = x.escape(append(text, x.Text[from:x.At]...))
			from = x.At
		case c < ' ' && x.Strict:
			x.Fail(x.At, "a control character in a text is written as an escape")
		default:
			x.At++
		}
	}
	x.Fail(open, "the closing quote of this text is missing")
	return nil
}

// checkUTF8 reports the first byte since a position that belongs to no character: a terminal or a file with another encoding has
// sent it.
func (x *Lexer) checkUTF8(from int) {
	for i, r := range x.Text[from:x.At] {
		if rest := x.Text[from+i:]; r == utf8.RuneError && !strings.HasPrefix(rest, "\ufffd") {
			x.Fail(from+i, "the byte 0x%02x is not UTF-8: a terminal or a file with another encoding has sent it", rest[0])
			return
		}
	}
}

// escapes are the meanings of the letters after a backslash, except those with a number.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', '\'': '\'', 'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'a': '\a', 'v': '\v'}

// escape consumes an escape and appends its meaning. The notation is that of
// tree.AppendQuoted and of Godot itself.
func (x *Lexer) escape(text []byte) []byte {
	start := x.At
	x.At++ // the backslash
	if x.At == len(x.Text) {
		x.Fail(start, "an escape is cut off")
		return text
	}
	c := x.Text[x.At]
	x.At++
	is, ok := escapes[c]
	switch {
	case ok:
		return append(text, is)
	case c == 'u':
		return x.unit(text, start)
	case c == 'U':
		r, ok := x.hex(6)
		if !ok || !utf8.ValidRune(r) {
			x.Fail(start, `\U needs the six hex digits of a character`)
		}
		return utf8.AppendRune(text, r)
	}
	x.Fail(start, `there is no such escape; a backslash itself is \\`)
	return text
}

// Unescape appends the meaning of the escape at the start of text, which begins with its backslash, and returns its length.
func Unescape(dst []byte, text string) (_ []byte, size int, err error) {
	x := Lexer{Text: text}
	dst = x.escape(dst)
	return dst, x.At, x.Err
}

// unit consumes the digits of \uXXXX: a character, half of one, or \udcXX for the byte XX of a text that is
// not valid UTF-8.
func (x *Lexer) unit(text []byte, start int) []byte {
	r, ok := x.hex(4)
	switch {
	case !ok:
		x.Fail(start, `\u needs four hex digits`)
		return text
	case r < 0xd800 || r > 0xdfff:
		return utf8.AppendRune(text, r)
	case r >= 0xdc80 && r <= 0xdcff:
		return append(text, byte(r))
	case r < 0xdc00 && x.Skip(`\u`):
		if low, ok := x.hex(4); ok && low >= 0xdc00 && low <= 0xdfff {
			return utf8.AppendRune(text, 0x10000+(r-0xd800)<<10+low-0xdc00)
		}
	}
	x.Fail(start, `this is half of a surrogate pair; the other half must be next to it, as in \ud83d\ude00`)
	return text
}

// hex consumes n hex digits.
func (x *Lexer) hex(n int) (r rune, ok bool) {
	if len(x.Text)-x.At < n {
		return 0, false
	}
	is, err := strconv.ParseUint(x.Text[x.At:x.At+n], 16, 32)
	x.At += n
	return rune(is), err == nil
}
