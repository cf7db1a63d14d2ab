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

// A JSONReader splits JSON into tokens while it is read, in constant memory except for single texts. It
// knows its position in the text and in the values. After the first error everything that it reads is
// empty. Unless Strict is set, a text may have unescaped control characters, and \udcXX stands for the byte
// XX of a text that is not valid UTF-8.
type JSONReader struct {
	Strict bool
	Err    error // the first error

	in    *bufio.Reader
	ctx   context.Context
	off   int64
	line  int
	steps int
	path  []jsonStep
	held  *Raw            // in, if it reads a value from memory
	kept  []byte          // bytes read so far, unless nil
	ends  map[int64]int64 // ends of the lists and objects in what was kept, by their starts
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

// Keep records an error, unless there was one before.
func (j *JSONReader) Keep(err error) {
	if j.Err == nil {
		j.Err = err
	}
}

// Fail records an error at the position of the reader.
func (j *JSONReader) Fail(format string, args ...any) {
	if j.Err != nil {
		return
	}
	path := []byte{'$'}
	for _, s := range j.path {
		if s.member != "" {
			path = tree.AppendTextStep(path, []byte(s.member))
		} else {
			path = tree.AppendIndexStep(path, s.index)
		}
	}
	j.Err = fmt.Errorf("line %d, byte %d, %s: %s", j.line, j.off, path, fmt.Sprintf(format, args...))
}

// byte reads the next byte.
func (j *JSONReader) byte() byte {
	if j.Err != nil {
		return 0
	}
	c, err := j.in.ReadByte()
	switch {
	case err == io.EOF:
		j.Fail("the JSON ends here, too early")
		return 0
	case err != nil:
		j.Keep(err)
		return 0
	case c == '\n':
		j.line++
	}
	j.off++
	if j.kept != nil {
		j.kept = append(j.kept, c)
	}
	return c
}

// Next skips blank space and returns the next byte without consuming it; 0 at the end.
func (j *JSONReader) Next() byte {
	if j.steps++; j.steps%4096 == 0 {
		j.Keep(j.ctx.Err())
	}
	for j.Err == nil {
		b, err := j.in.Peek(1)
		switch {
		case err == io.EOF:
			return 0
		case err != nil:
			j.Keep(err)
		case b[0] == ' ' || b[0] == '\t' || b[0] == '\n' || b[0] == '\r':
			j.byte()
		case b[0] == 0:
			j.Fail("NUL is not valid JSON")
		default:
			return b[0]
		}
	}
	return 0
}

// Accept consumes the byte c if it is next.
func (j *JSONReader) Accept(c byte) bool {
	if j.Next() != c {
		return false
	}
	j.byte()
	return true
}

// Expect consumes the byte c, which must be next.
func (j *JSONReader) Expect(c byte) {
	if !j.Accept(c) {
		j.Fail("%q is expected here", c)
	}
}

// list reads the items up to the byte that closes a list or object.
func (j *JSONReader) list(closing byte, item func(i int64)) {
	for i := int64(0); j.Err == nil; i++ {
		if j.Accept(closing) {
			if i > 0 {
				j.Fail("a value is expected after the comma")
			}
			return
		}
		item(i)
		if !j.Accept(',') {
			j.Expect(closing)
			return
		}
	}
}

// Items reads the next value, a list.
func (j *JSONReader) Items(item func(i int64)) {
	j.Expect('[')
	depth := len(j.path)
	j.path = append(j.path, jsonStep{})
	j.list(']', func(i int64) {
		j.path[depth].index = i
		item(i)
	})
	j.path = j.path[:depth]
}

// Members reads the next value, an object.
func (j *JSONReader) Members(member func(name string)) {
	j.Expect('{')
	depth := len(j.path)
	j.list('}', func(int64) {
		name := string(j.Quoted())
		if j.Expect(':'); j.Err != nil {
			return
		}
		j.path = append(j.path[:depth], jsonStep{member: name})
		member(name)
		j.path = j.path[:depth]
	})
}

// Skip passes the next value.
func (j *JSONReader) Skip() {
	for open := []int64(nil); j.Err == nil; {
		switch j.Next() {
		case '{', '[':
			open = append(open, j.off)
			j.byte()
		case '}', ']':
			j.byte()
			if n := len(open) - 1; n >= 0 {
				if j.kept != nil {
					j.ends[open[n]] = j.off
				}
				open = open[:n]
			}
		case ',', ':':
			j.byte()
		case '"':
			j.Quoted()
		default:
			j.Word()
		}
		if len(open) == 0 {
			return
		}
	}
}

// A Raw is a value that was passed, to be read later.
type Raw struct {
	text []byte
	off  int64
	line int
	step jsonStep
}

// Raw passes the next value and keeps it.
func (j *JSONReader) Raw() Raw {
	j.Next()
	raw := Raw{off: j.off, line: j.line, step: j.path[len(j.path)-1]}
	if j.held == nil {
		j.kept, j.ends = []byte{}, map[int64]int64{}
		j.Skip()
		raw.text, j.kept = j.kept, nil
		return raw
	}
	rest := j.held.text[raw.off-j.held.off:]
	if end, ok := j.ends[raw.off]; ok {
		raw.text = rest[:end-raw.off]
		j.in.Reset(bytes.NewReader(rest[end-raw.off:]))
		j.off, j.line = end, j.line+bytes.Count(raw.text, []byte{'\n'})
		return raw
	}
	j.Skip()
	raw.text = rest[:j.off-raw.off]
	return raw
}

// Reread calls read at the beginning of a value that was passed, in the object that contains it.
func (j *JSONReader) Reread(raw Raw, read func()) {
	after := *j
	j.in = bufio.NewReaderSize(bytes.NewReader(raw.text), 4096)
	j.held, j.off, j.line, j.path = &raw, raw.off, raw.line, append(j.path, raw.step)
	read()
	after.Err = j.Err
	*j = after
}

// run appends the next bytes that belong to a run.
func (j *JSONReader) run(dst []byte, belongs func(c byte) bool) []byte {
	for j.Err == nil {
		if _, err := j.in.Peek(1); err == io.EOF {
			return dst
		} else if err != nil {
			j.Keep(err)
			return dst
		}
		held, _ := j.in.Peek(j.in.Buffered())
		n := 0
		for n < len(held) && belongs(held[n]) {
			n++
		}
		dst = append(dst, held[:n]...)
		if j.kept != nil {
			j.kept = append(j.kept, held[:n]...)
		}
		j.off += int64(n)
		j.line += bytes.Count(held[:n], []byte{'\n'})
		if _, err := j.in.Discard(n); err != nil || n < len(held) {
			j.Keep(err)
			return dst
		}
	}
	return dst
}

// maxNumber is the largest number of characters of a number.
const maxNumber = 4096

// BeginsNumber reports whether c begins a number.
func BeginsNumber(c byte) bool { return c == '-' || IsDigit(c) }

// Word reads a number, true, false or null, or other letters.
func (j *JSONReader) Word() string {
	belongs := IsWord
	isNumber := BeginsNumber(j.Next())
	if isNumber {
		belongs = func(c byte) bool { return BeginsNumber(c) || c == '+' || c == '.' || c|0x20 == 'e' }
	}
	word := string(j.run(nil, belongs))
	switch {
	case word == "":
		j.Fail("a value is expected here")
	case isNumber && len(word) > maxNumber:
		j.Fail("a number may have at most %d characters", maxNumber)
	}
	return word
}

// Quoted reads the next string. A lone \udcXX is the byte XX of a text that is not valid UTF-8, as in
// tree.AppendQuoted.
func (j *JSONReader) Quoted() []byte {
	j.Expect('"')
	text := []byte{}
	for j.Err == nil {
		text = j.run(text, func(c byte) bool { return c != '"' && c != '\\' && (c >= ' ' || !j.Strict) })
		switch c := j.byte(); {
		case j.Err != nil:
		case c == '"':
			return text
		case c != '\\':
			j.Fail("a control character in a text is written as an escape")
		default:
			text = j.escape(text)
		}
	}
	return nil
}

func (j *JSONReader) escape(text []byte) []byte {
	c := j.byte()
	escape := []byte{'\\', c}
	if c == 'u' {
		escape = j.unit(escape)
		if c := escape[2:]; j.Err == nil && c[0]|0x20 == 'd' && c[1] >= '8' && c[1]|0x20 < 'c' { // the other half follows
			escape = j.unit(append(escape, j.byte(), j.byte()))
		}
	}
	if j.Err != nil {
		return nil
	}
	text, err := Unescape(text, string(escape))
	if err != nil {
		j.Fail("there is no escape %s", strconv.Quote(string(escape)))
	}
	return text
}

// unit reads four hex digits.
func (j *JSONReader) unit(dst []byte) []byte {
	for range 4 {
		c := j.byte()
		if !IsHex(c) {
			j.Fail(`\u needs four hex digits`)
		}
		dst = append(dst, c)
	}
	return dst
}
