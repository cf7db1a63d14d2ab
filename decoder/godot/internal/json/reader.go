package json

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"varview/decoder/notation"
	"varview/decoder/tree"
)

// A jsonReader splits JSON into tokens while it is read. It knows its position in
// the text and in the values.
type jsonReader struct {
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

// fail is an error at the position of the reader.
func (j *jsonReader) fail(format string, args ...any) error {
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
func (j *jsonReader) byte() (byte, error) {
	c, err := j.in.ReadByte()
	if err == io.EOF {
		return 0, j.fail("the JSON ends here, too early")
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

// peek skips blank space and returns the next byte without consuming it, 0 at the
// end.
func (j *jsonReader) peek() (byte, error) {
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
			return 0, j.fail("NUL is not valid JSON")
		default:
			return b[0], nil
		}
	}
}

// accept consumes the byte c if it is next.
func (j *jsonReader) accept(c byte) (bool, error) {
	next, err := j.peek()
	if err != nil || next != c {
		return false, err
	}
	_, err = j.byte()
	return true, err
}

// expect consumes the byte c, which must be next.
func (j *jsonReader) expect(c byte) error {
	ok, err := j.accept(c)
	if err == nil && !ok {
		err = j.fail("%q is expected here", c)
	}
	return err
}

// list reads the items up to the byte that closes a list or object.
func (j *jsonReader) list(closing byte, item func(i int64) error) error {
	for i := int64(0); ; i++ {
		if done, err := j.accept(closing); err != nil || done && i == 0 {
			return err
		} else if done {
			return j.fail("a value is expected after the comma")
		}
		if err := item(i); err != nil {
			return err
		}
		if more, err := j.accept(','); err != nil {
			return err
		} else if !more {
			return j.expect(closing)
		}
	}
}

// items reads the list that is next.
func (j *jsonReader) items(item func(i int64) error) error {
	if err := j.expect('['); err != nil {
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

// members reads the object that is next.
func (j *jsonReader) members(member func(name string) error) error {
	if err := j.expect('{'); err != nil {
		return err
	}
	depth := len(j.path)
	return j.list('}', func(int64) error {
		name, err := j.string()
		if err == nil {
			err = j.expect(':')
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

// word reads letters.
func (j *jsonReader) word() (string, error) {
	word, err := j.appendRun(nil, notation.IsWord)
	return string(word), err
}

// appendRun appends the next bytes that belong to a run.
func (j *jsonReader) appendRun(dst []byte, belongs func(c byte) bool) ([]byte, error) {
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

// appendNumber appends the digits of the number that is next.
func (j *jsonReader) appendNumber(dst []byte) ([]byte, error) {
	return j.appendRun(dst, func(c byte) bool { return notation.IsDigit(c) || c == '-' || c == '+' || c == '.' || c|0x20 == 'e' })
}
