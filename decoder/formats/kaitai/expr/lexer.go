package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/lazy"
	"varview/decoder/value/notation"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	numberToken
	textToken
	formatToken // the raw text of an f-string
	signToken
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// A lexer splits an expression.
type lexer struct {
	text string
	at   int
}

// A SyntaxError is what is wrong at a byte of an expression.
type SyntaxError struct {
	At   int
	Text string // what is wrong
	In   string // the expression
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at character %d of %q", e.Text, e.At+1, e.In)
}

func (l *lexer) fail(at int, format string, args ...any) error {
	return &SyntaxError{at, fmt.Sprintf(format, args...), l.text}
}

var signs = []string{"::", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~", "?", ":", "(", ")", "[", "]", ",", "."}

func (l *lexer) skipSpace() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
}

func (l *lexer) next() (token, error) {
	l.skipSpace()
	start := l.at
	if start == len(l.text) {
		return token{at: start}, nil
	}
	c := l.text[start]
	switch {
	case c == 'f' && start+1 < len(l.text) && l.text[start+1] == '"':
		l.at++
		raw, err := l.quoted(true)
		return token{formatToken, raw, start}, err
	case notation.IsLetter(c):
		for l.at < len(l.text) && notation.IsWord(l.text[l.at]) {
			l.at++
		}
		return token{nameToken, l.text[start:l.at], start}, nil
	case notation.IsDigit(c):
		text := numeral().FindString(l.text[start:])
		l.at += len(text)
		return token{numberToken, text, start}, nil
	case c == '\'':
		end := strings.IndexByte(l.text[start+1:], '\'')
		if end < 0 {
			return token{}, l.fail(start, "unclosed quote")
		}
		l.at = start + end + 2
		return token{textToken, l.text[start+1 : l.at-1], start}, nil
	case c == '"':
		raw, err := l.quoted(false)
		text, wrong := unescape(raw)
		if wrong != nil {
			err = l.fail(start, "%v", wrong)
		}
		return token{textToken, text, start}, err
	}
	for _, s := range signs {
		if strings.HasPrefix(l.text[start:], s) {
			l.at += len(s)
			return token{signToken, s, start}, nil
		}
	}
	return token{}, l.fail(start, "unexpected %q", l.text[start:start+1])
}

// numeral is a number; a point belongs to it if a digit follows.
var numeral = lazy.Regexp(`^(?:0[xX]\w*|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-][0-9_]+)?\w*)`)

// quoted returns the text between double quotes, with its escapes; an f-string has expressions in braces.
func (l *lexer) quoted(isFormat bool) (string, error) {
	start := l.at
	for l.at++; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at++
		case c == '"':
			l.at++
			return l.text[start+1 : l.at-1], nil
		case c == '{' && isFormat:
			l.at++
			if err := l.toBrace(); err != nil {
				return "", err
			}
		}
	}
	return "", l.fail(start, "unclosed quote")
}

// toBrace passes over an expression to the brace that closes it, which no token contains.
func (l *lexer) toBrace() error {
	for start := l.at; ; {
		if l.skipSpace(); strings.HasPrefix(l.text[l.at:], "}") {
			return nil
		}
		if t, err := l.next(); err != nil || t.kind == endToken {
			return l.fail(start, "unclosed {")
		}
	}
}

var escapes = map[byte]string{'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b", '"': `"`, '\'': "'", '\\': `\`, '?': "?"}

func unescape(raw string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		c := raw[i]
		if s, ok := escapes[c]; ok {
			b.WriteString(s)
			continue
		}
		end, base := i, 8
		switch {
		case c == 'u':
			i, end, base = i+1, min(i+5, len(raw)), 16
		case c == 'x':
			i, end, base = i+1, min(i+3, len(raw)), 16
		default:
			for end < len(raw) && end < i+3 && raw[end] >= '0' && raw[end] <= '7' {
				end++
			}
		}
		n, err := strconv.ParseUint(raw[i:end], base, 32)
		if err != nil || n > utf8.MaxRune {
			return "", fmt.Errorf("unknown escape \\%c", c)
		}
		b.WriteRune(rune(n))
		i = end - 1
	}
	return b.String(), nil
}
