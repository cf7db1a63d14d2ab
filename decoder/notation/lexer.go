// Package notation reads values that are written as text, whatever the family: it splits text
// into tokens, and parses literals. What a family adds are the names of its types.
package notation

import (
	"fmt"
	"unicode/utf8"

	"varview/decoder/edit"
)

// A Lexer splits a literal into tokens. Blank space may separate them. Errors are of type
// *edit.SyntaxError.
type Lexer struct {
	Text   string
	At     int  // bytes that are consumed
	Strict bool // control characters in quoted text must be escaped
	depth  int
}

const (
	MaxText  = 1 << 30 // bytes of a literal
	maxDepth = 1024    // levels of nesting in it
)

// Errorf is an error at a byte of the text.
func Errorf(at int, format string, args ...any) error {
	return &edit.SyntaxError{At: at, Message: fmt.Sprintf(format, args...)}
}

// Peek skips blank space and returns the next byte, 0 at the end.
func (x *Lexer) Peek() byte {
	for x.At < len(x.Text) {
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
func (x *Lexer) Expect(c byte) error {
	if x.Accept(c) {
		return nil
	}
	return Errorf(x.At, "%q is expected here", c)
}

// End reports text after the value with which the text should end.
func (x *Lexer) End() error {
	switch {
	case x.Peek() != 0:
		return Errorf(x.At, "the value ends before this")
	case x.At < len(x.Text):
		return Errorf(x.At, "a NUL is written \\u0000, within quotes")
	}
	return nil
}

// List consumes items, separated by commas, up to the closing byte. A comma may follow the
// last.
func (x *Lexer) List(closing byte, item func() error) error {
	return x.Nested(func() error {
		for !x.Accept(closing) {
			if err := item(); err != nil {
				return err
			}
			if !x.Accept(',') && x.Peek() != closing {
				return Errorf(x.At, "a comma or %q is expected here", closing)
			}
		}
		return nil
	})
}

// Nested consumes what is one level deeper.
func (x *Lexer) Nested(inside func() error) error {
	if x.depth++; x.depth > maxDepth {
		return Errorf(x.At, "a literal nests at most %d levels deep", maxDepth)
	}
	defer func() { x.depth-- }()
	return inside()
}

// BeginsNumber reports whether a number that is written in digits is next.
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

// IsHex reports whether c is a hex digit.
func IsHex(c byte) bool { return IsDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// IsWord reports whether c is a letter, a digit or an underscore.
func IsWord(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || IsDigit(c) }

// Number consumes a number that is written in digits. float reports whether it has a point or
// an exponent.
func (x *Lexer) Number() (float bool, err error) {
	start := x.At
	x.Skip("-")
	if x.Skip("0x") || x.Skip("0X") || x.Skip("0b") || x.Skip("0B") {
		digits := x.At
		base := x.Text[digits-1] | 0x20
		for x.At < len(x.Text) && (IsHex(x.Text[x.At]) && base == 'x' || x.Text[x.At]|1 == '1') {
			x.At++
		}
		return false, x.endNumber(start, x.At > digits)
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
	return float, x.endNumber(start, digits > 0)
}

func (x *Lexer) endNumber(start int, ok bool) error {
	switch {
	case !ok:
		return Errorf(start, "a number is expected, as 42, -0.5, 1e6, 0x1f, inf or nan")
	case x.At < len(x.Text) && (IsWord(x.Text[x.At]) || x.Text[x.At] == '.'):
		return Errorf(x.At, "this does not belong to a number")
	}
	return nil
}

// Digits consumes decimal digits and returns their number.
func (x *Lexer) Digits() int {
	start := x.At
	for x.At < len(x.Text) && IsDigit(x.Text[x.At]) {
		x.At++
	}
	return x.At - start
}

// Quoted consumes a quoted text and returns its meaning. The text may have several
// lines.
func (x *Lexer) Quoted() ([]byte, error) {
	x.Peek()
	open := x.At
	if !x.Skip(`"`) {
		return nil, Errorf(open, "a text in quotes is expected")
	}
	var text []byte
	from := x.At
	for x.At < len(x.Text) {
		switch x.Text[x.At] {
		case '"':
			text = append(text, x.Text[from:x.At]...)
			x.At++
			return text, nil
		case '\\':
			text = append(text, x.Text[from:x.At]...)
			var err error
			if text, err = x.escape(text); err != nil {
				return nil, err
			}
			from = x.At
		default:
			if c := x.Text[x.At]; c < ' ' && x.Strict {
				return nil, Errorf(x.At, "a control character in a text is written as an escape")
			}
			x.At++
		}
	}
	return nil, Errorf(open, "the closing quote of this text is missing")
}

// escape consumes an escape and appends its meaning. The notation is that of
// tree.AppendQuoted and of Godot itself.
func (x *Lexer) escape(text []byte) ([]byte, error) {
	start := x.At
	x.At++ // the backslash
	if x.At == len(x.Text) {
		return nil, Errorf(start, "an escape is cut off")
	}
	c := x.Text[x.At]
	x.At++
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
	x := Lexer{Text: escape}
	dst, err := x.escape(dst)
	if err == nil && x.At < len(escape) {
		err = Errorf(x.At, "the escape ends before this")
	}
	return dst, err
}

// unit consumes the digits of \uXXXX: a character, half of one, or \udcXX for the
// byte XX of a text that is no valid UTF-8.
func (x *Lexer) unit(text []byte, start int) ([]byte, error) {
	r, ok := x.hex(4)
	switch {
	case !ok:
		return nil, Errorf(start, `\u needs four hex digits`)
	case r < 0xd800 || r > 0xdfff:
		return utf8.AppendRune(text, r), nil
	case r >= 0xdc80 && r <= 0xdcff:
		return append(text, byte(r)), nil
	case r < 0xdc00 && x.Skip(`\u`):
		if low, ok := x.hex(4); ok && low >= 0xdc00 && low <= 0xdfff {
			return utf8.AppendRune(text, 0x10000+(r-0xd800)<<10+low-0xdc00), nil
		}
	}
	return nil, Errorf(start, `this is half of a surrogate pair; the other half must be next to it, as in \ud83d\ude00`)
}

// hex consumes n hex digits.
func (x *Lexer) hex(n int) (r rune, ok bool) {
	if len(x.Text)-x.At < n {
		return 0, false
	}
	for range n {
		c := x.Text[x.At]
		switch {
		case IsDigit(c):
			r = r<<4 | rune(c-'0')
		case IsHex(c):
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
		x.At++
	}
	return r, true
}
