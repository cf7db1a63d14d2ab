package notation

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"varview/decoder/tree"
)

// A JSONReader splits JSON into tokens while it is read, in constant memory but for single texts. It
// knows its position in the text and in the values. A text may have control characters that are not
// escaped unless Strict is set, and \udcXX stands for the byte XX of a text that is not valid UTF-8.
type JSONReader struct {
	Strict bool

	in    *bufio.Reader
	ctx   context.Context
	off   int64
	line  int
	steps int
	path  []jsonStep
}

// jsonStep is a member or an index.
type jsonStep struct {
	member string
	index  int64
}

// NewJSONReader returns a reader that stops when ctx is done.
func NewJSONReader(ctx context.Context, in io.Reader) *JSONReader {
	return &JSONReader{in: bufio.NewReaderSize(in, 64<<10), ctx: ctx, line: 1}
}

// Fail is an error at the position of the reader.
func (j *JSONReader) Fail(format string, args ...any) error {
	path := []byte{'$'}
	for _, s := range j.path {
		if s.member != "" {
			path = tree.AppendTextStep(path, []byte(s.member))
		} else {
			path = tree.AppendIndexStep(path, s.index)
		}
	}
	return fmt.Errorf("line %d, byte %d, %s: %s", j.line, j.off, path, fmt.Sprintf(format, args...))
}

// byte reads the next byte.
func (j *JSONReader) byte() (byte, error) {
	c, err := j.in.ReadByte()
	if err == io.EOF {
		return 0, j.Fail("the JSON ends here, too early")
	}
	if err != nil {
		return 0, err
	}
	j.off++
	if c == '\n' {
		j.line++
	}
	return c, nil
}

// Peek skips blank space and returns the next byte without consuming it, 0 at the
// end.
func (j *JSONReader) Peek() (byte, error) {
	if j.steps++; j.steps%4096 == 0 && j.ctx.Err() != nil {
		return 0, j.ctx.Err()
	}
	for {
		b, err := j.in.Peek(1)
		if err == io.EOF {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\n', '\r':
			if _, err := j.byte(); err != nil {
				return 0, err
			}
		case 0:
			return 0, j.Fail("NUL is not valid JSON")
		default:
			return b[0], nil
		}
	}
}

// Accept consumes the byte c if it is next.
func (j *JSONReader) Accept(c byte) (bool, error) {
	next, err := j.Peek()
	if err != nil || next != c {
		return false, err
	}
	_, err = j.byte()
	return true, err
}

// Expect consumes the byte c, which must be next.
func (j *JSONReader) Expect(c byte) error {
	ok, err := j.Accept(c)
	if err == nil && !ok {
		err = j.Fail("%q is expected here", c)
	}
	return err
}

// list reads the items up to the byte that closes a list or object.
func (j *JSONReader) list(closing byte, item func(i int64) error) error {
	for i := int64(0); ; i++ {
		if done, err := j.Accept(closing); err != nil || done && i == 0 {
			return err
		} else if done {
			return j.Fail("a value is expected after the comma")
		}
		if err := item(i); err != nil {
			return err
		}
		if more, err := j.Accept(','); err != nil {
			return err
		} else if !more {
			return j.Expect(closing)
		}
	}
}

// Items reads the list that is next.
func (j *JSONReader) Items(item func(i int64) error) error {
	if err := j.Expect('['); err != nil {
		return err
	}
	depth := len(j.path)
	j.path = append(j.path, jsonStep{})
	err := j.list(']', func(i int64) error {
		j.path[depth].index = i
		return item(i)
	})
	if err == nil {
		j.path = j.path[:depth]
	}
	return err
}

// Members reads the object that is next.
func (j *JSONReader) Members(member func(name string) error) error {
	if err := j.Expect('{'); err != nil {
		return err
	}
	depth := len(j.path)
	return j.list('}', func(int64) error {
		name, err := j.Quoted()
		if err == nil {
			err = j.Expect(':')
		}
		if err != nil {
			return err
		}
		j.path = append(j.path[:depth], jsonStep{member: string(name)})
		if err = member(string(name)); err == nil {
			j.path = j.path[:depth]
		}
		return err
	})
}

// Word reads letters.
func (j *JSONReader) Word() (string, error) {
	word, err := j.appendRun(nil, IsWord)
	return string(word), err
}

// appendRun appends the next bytes that belong to a run.
func (j *JSONReader) appendRun(dst []byte, belongs func(c byte) bool) ([]byte, error) {
	for {
		if _, err := j.in.Peek(1); err == io.EOF {
			return dst, nil
		} else if err != nil {
			return dst, err
		}
		held, _ := j.in.Peek(j.in.Buffered())
		n := 0
		for n < len(held) && belongs(held[n]) {
			n++
		}
		dst = append(dst, held[:n]...)
		j.off += int64(n)
		j.line += bytes.Count(held[:n], []byte{'\n'})
		if _, err := j.in.Discard(n); err != nil || n < len(held) {
			return dst, err
		}
	}
}

// maxNumber is the number of characters that a number may have.
const maxNumber = 4096

// AppendNumber appends the digits of the number that is next.
func (j *JSONReader) AppendNumber(dst []byte) ([]byte, error) {
	start := len(dst)
	dst, err := j.appendRun(dst, func(c byte) bool { return IsDigit(c) || c == '-' || c == '+' || c == '.' || c|0x20 == 'e' })
	if err == nil && len(dst)-start > maxNumber {
		err = j.Fail("a number has at most %d characters", maxNumber)
	}
	return dst, err
}

// Quoted reads the next string. A lone \udcXX is the byte XX of a text that is not valid
// UTF-8, as in tree.AppendQuoted.
func (j *JSONReader) Quoted() ([]byte, error) {
	if err := j.Expect('"'); err != nil {
		return nil, err
	}
	text := []byte{}
	for {
		var err error
		if text, err = j.appendRun(text, func(c byte) bool { return c != '"' && c != '\\' && (c >= ' ' || !j.Strict) }); err != nil {
			return nil, err
		}
		switch c, err := j.byte(); {
		case err != nil:
			return nil, err
		case c == '"':
			return text, nil
		case c != '\\':
			return nil, j.Fail("a control character in a text is written as an escape")
		default:
			if text, err = j.escape(text); err != nil {
				return nil, err
			}
		}
	}
}

func (j *JSONReader) escape(text []byte) ([]byte, error) {
	c, err := j.byte()
	if err != nil {
		return nil, err
	}
	escape := `\` + string(c)
	if c == 'u' {
		r, err := j.unit()
		if err != nil {
			return nil, err
		}
		escape += r
		if r[0]|0x20 == 'd' && r[1] >= '8' && (r[1]|0x20 < 'c') { // the other half follows
			for range 2 {
				if c, err = j.byte(); err != nil {
					return nil, err
				}
				escape += string(rune(c))
			}
			if r, err = j.unit(); err != nil {
				return nil, err
			}
			escape += r
		}
	}
	if text, err = Unescape(text, escape); err != nil {
		return nil, j.Fail("there is no escape %s", strconv.Quote(escape))
	}
	return text, nil
}

// unit reads four hex digits.
func (j *JSONReader) unit() (string, error) {
	var digits []byte
	for range 4 {
		c, err := j.byte()
		if err != nil {
			return "", err
		}
		if !IsHex(c) {
			return "", j.Fail(`\u needs four hex digits`)
		}
		digits = append(digits, c)
	}
	return string(digits), nil
}
