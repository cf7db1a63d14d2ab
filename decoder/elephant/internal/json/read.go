package json

import (
	"context"
	"io"

	"varview/decoder/notation"
)

// A jsonReader reads JSON piece by piece. After the first error everything it
// returns is empty.
type jsonReader struct {
	*notation.JSONReader
	err error
}

func newJSONReader(ctx context.Context, in io.Reader) *jsonReader {
	r := notation.NewJSONReader(ctx, in)
	r.Strict = true
	return &jsonReader{JSONReader: r}
}

// keep keeps the first error.
func (j *jsonReader) keep(err error) {
	if j.err == nil {
		j.err = err
	}
}

// next skips blanks and returns the next byte without reading it; 0 at the end.
func (j *jsonReader) next() byte {
	if j.err != nil {
		return 0
	}
	c, err := j.Peek()
	j.keep(err)
	return c
}

// take reads c, which must be next.
func (j *jsonReader) take(c byte) {
	if j.err == nil {
		j.keep(j.Expect(c))
	}
}

// members calls one for the members of the object that is next.
func (j *jsonReader) members(one func(name string)) {
	if j.err == nil {
		j.keep(j.Members(func(name string) error {
			one(name)
			return j.err
		}))
	}
}

// items calls one for the elements of the list that is next.
func (j *jsonReader) items(one func()) {
	if j.err == nil {
		j.keep(j.Items(func(int64) error {
			one()
			return j.err
		}))
	}
}

// text reads a text in quotes.
func (j *jsonReader) text() []byte {
	if j.err != nil {
		return nil
	}
	text, err := j.Quoted()
	j.keep(err)
	return text
}

// word reads a number, true, false or null.
func (j *jsonReader) word() (word string) {
	c := j.next()
	switch {
	case j.err != nil:
		return ""
	case c == '-' || notation.IsDigit(c):
		digits, err := j.AppendNumber(nil)
		j.keep(err)
		return string(digits)
	}
	word, err := j.Word()
	if err == nil && word == "" {
		err = j.Fail("a value is expected here")
	}
	j.keep(err)
	return word
}

// skip passes a value of any kind.
func (j *jsonReader) skip() {
	for depth := 0; j.err == nil; {
		switch c := j.next(); c {
		case '{', '[':
			j.take(c)
			depth++
		case '}', ']':
			j.take(c)
			depth--
		case ',', ':':
			j.take(c)
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
