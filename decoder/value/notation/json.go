package notation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
)

// A JSONReader splits JSON into tokens while it is read, in constant memory except for single texts. It
// knows its position in the text and in the values. After the first error everything that it reads is
// empty. Unless Strict is set, a text may have unescaped control characters, and \udcXX stands for the byte
// XX of a text that is not valid UTF-8.
type JSONReader struct {
	Strict bool
	Err    error // the first error

	in    io.Reader
	ctx   context.Context
	ahead Lexer // lexer of what was read ahead
	off   int64 // of its text
	line  int   // where that begins
	ended bool  // nothing follows it
	steps int
	path  []jsonStep
	held  int64           // place from which on the text stays; -1 for none
	ends  map[int64]int64 // ends of the lists and objects that were passed since, by their starts
}

// jsonStep is a member or an index.
type jsonStep struct {
	member string
	index  int64
}

// NewJSONReader returns a reader that stops when ctx is done.
func NewJSONReader(ctx context.Context, in io.Reader) *JSONReader {
	return &JSONReader{in: in, ctx: ctx, line: 1, held: -1}
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
	line := j.line + strings.Count(j.ahead.Text[:j.ahead.At], "\n")
	j.Err = fmt.Errorf("line %d, byte %d, %s: %s", line, j.at(), path, fmt.Sprintf(format, args...))
}

// at returns the offset of the next byte.
func (j *JSONReader) at() int64 { return j.off + int64(j.ahead.At) }

// has reports whether there are more than n bytes, and reads ahead so many.
func (j *JSONReader) has(n int) bool {
	for j.ahead.At+n >= len(j.ahead.Text) {
		if j.ended || j.Err != nil {
			return false
		}
		from := j.ahead.At
		if j.held >= 0 {
			from = int(j.held - j.off)
		}
		passed, rest := j.ahead.Text[:from], j.ahead.Text[from:]
		b := make([]byte, max(64<<10, len(rest)))
		size, err := io.ReadFull(j.in, b)
		if j.ended = err != nil; j.ended && err != io.EOF && err != io.ErrUnexpectedEOF {
			j.Keep(err)
		}
		j.line += strings.Count(passed, "\n")
		j.off += int64(from)
		j.ahead.Text, j.ahead.At = rest+string(b[:size]), j.ahead.At-from
	}
	return true
}

// Next skips blank space and returns the next byte without consuming it; 0 at the end.
func (j *JSONReader) Next() byte {
	if j.steps++; j.steps%4096 == 0 {
		j.Keep(j.ctx.Err())
	}
	for j.Err == nil && j.has(0) {
		switch c := j.ahead.Text[j.ahead.At]; c {
		case ' ', '\t', '\n', '\r':
			j.ahead.At++
		case 0:
			j.Fail("NUL is not valid JSON")
		default:
			return c
		}
	}
	return 0
}

// Accept consumes the byte c if it is next.
func (j *JSONReader) Accept(c byte) bool {
	if j.Next() != c || c == 0 {
		return false
	}
	j.ahead.At++
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
			open = append(open, j.at())
			j.ahead.At++
		case '}', ']':
			j.ahead.At++
			if n := len(open) - 1; n >= 0 {
				if j.held >= 0 {
					j.ends[open[n]] = j.at()
				}
				open = open[:n]
			}
		case ',', ':':
			j.ahead.At++
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
	off  int64
	step jsonStep
}

// Raw passes the value of the member that is next. What is read from here on is held until that is reread.
func (j *JSONReader) Raw() Raw {
	j.Next()
	raw := Raw{off: j.at(), step: j.path[len(j.path)-1]}
	if j.held < 0 {
		j.held, j.ends = raw.off, map[int64]int64{}
	}
	if end, ok := j.ends[raw.off]; ok {
		j.ahead.At = int(end - j.off)
	} else {
		j.Skip()
	}
	return raw
}

// Reread calls read at the beginning of a value that was passed, in the object that contains it.
func (j *JSONReader) Reread(raw Raw, read func()) {
	after, path := j.at(), j.path
	j.ahead.At, j.path = int(raw.off-j.off), append(j.path, raw.step)
	read()
	j.ahead.At, j.path = int(after-j.off), path
	if raw.off == j.held {
		j.held = -1
	}
}

// maxNumber is the largest number of characters of a number.
const maxNumber = 4096

// BeginsNumber reports whether c begins a number.
func BeginsNumber(c byte) bool { return c == '-' || IsDigit(c) }

// Word reads a number, true, false or null, or other letters.
func (j *JSONReader) Word() string {
	isNumber := BeginsNumber(j.Next())
	n := 0
	for j.Err == nil && j.has(n) {
		c := j.ahead.Text[j.ahead.At+n]
		if isNumber && !BeginsNumber(c) && c != '+' && c != '.' && c|0x20 != 'e' || !isNumber && !IsWord(c) {
			break
		}
		n++
	}
	word := j.ahead.Text[j.ahead.At:][:n]
	j.ahead.At += n
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
	if j.Next() != '"' {
		j.Expect('"')
		return nil
	}
	if !j.hasText() {
		j.ahead.At = len(j.ahead.Text)
		j.Fail("the JSON ends here, too early")
		return nil
	}
	j.ahead.Strict = j.Strict
	text := j.ahead.Quoted()
	if bad := (*edit.SyntaxError)(nil); errors.As(j.ahead.Err, &bad) {
		j.ahead.At = bad.At
		j.Fail("%s", bad.Message)
		return nil
	}
	return append([]byte{}, text...)
}

// hasText reads ahead the text that begins here. It returns false if that does not end.
func (j *JSONReader) hasText() bool {
	for n := 1; j.has(n); n++ {
		switch j.ahead.Text[j.ahead.At+n] {
		case '"':
			return true
		case '\\':
			n++
		}
	}
	return false
}
