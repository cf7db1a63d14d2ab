package json

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/notation"
)

// A jsonReader reads JSON piece by piece. After the first error everything it
// returns is empty.
type jsonReader struct {
	in  *bufio.Reader
	at  int64 // bytes read
	err error
}

func newJSONReader(in io.Reader) *jsonReader { return &jsonReader{in: bufio.NewReaderSize(in, 64<<10)} }

func (j *jsonReader) fail(format string, args ...any) {
	if j.err == nil {
		j.err = fmt.Errorf("byte %d of the JSON: %s", j.at+1, fmt.Sprintf(format, args...))
	}
}

// byte reads a byte, 0 at the end.
func (j *jsonReader) byte() byte {
	if j.err != nil {
		return 0
	}
	c, err := j.in.ReadByte()
	switch {
	case err == io.EOF:
		j.fail("it ends too early")
	case err != nil:
		j.err = err
	default:
		j.at++
	}
	return c
}

// next skips blanks and returns the next byte without reading it; 0 at the end.
func (j *jsonReader) next() byte {
	for j.err == nil {
		b, err := j.in.Peek(1)
		if err == io.EOF {
			return 0
		}
		if err != nil {
			j.err = err
			return 0
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			j.byte()
		default:
			return b[0]
		}
	}
	return 0
}

// take reads c, which must be next.
func (j *jsonReader) take(c byte) {
	if got := j.next(); j.err == nil && got != c {
		j.fail("%q is expected", c)
		return
	}
	j.byte()
}

// each calls one for the members or elements between two brackets.
func (j *jsonReader) each(open, close byte, one func()) {
	j.take(open)
	for n := 0; j.err == nil; n++ {
		if j.next() == close {
			j.byte()
			return
		}
		if n > 0 {
			j.take(',')
		}
		if j.err == nil {
			one()
		}
	}
}

// text reads a text in quotes.
func (j *jsonReader) text() []byte {
	j.take('"')
	raw := []byte{'"'}
	for j.err == nil {
		c := j.byte()
		raw = append(raw, c)
		if c == '"' {
			break
		}
		if c == '\\' {
			raw = append(raw, j.byte())
		}
	}
	if j.err != nil {
		return nil
	}
	x := notation.Lexer{Text: string(raw), Strict: true}
	text, err := x.Quoted()
	if bad := (*edit.SyntaxError)(nil); errors.As(err, &bad) {
		j.fail("%s", bad.Message)
	}
	return text
}

// maxWord is the greatest length of a number in JSON that is accepted.
const maxWord = 4096

// word reads a number, true, false or null.
func (j *jsonReader) word() string {
	j.next()
	var word []byte
	for j.err == nil {
		b, err := j.in.Peek(1)
		if err != nil || !literal.IsLetter(b[0]) && (b[0] < '0' || b[0] > '9') && b[0] != '-' && b[0] != '+' && b[0] != '.' {
			break
		}
		if word = append(word, j.byte()); len(word) > maxWord {
			j.fail("a number of more than %d digits", maxWord)
		}
	}
	if len(word) == 0 {
		j.fail("a value is expected")
	}
	return string(word)
}

// skip passes a value of any kind.
func (j *jsonReader) skip() {
	for depth := 0; j.err == nil; {
		switch c := j.next(); c {
		case '{', '[':
			j.byte()
			depth++
		case '}', ']':
			j.byte()
			depth--
		case ',', ':':
			j.byte()
		case '"':
			j.text()
		default:
			j.word()
		}
		if depth <= 0 {
			return
		}
	}
}
