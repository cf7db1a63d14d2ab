// Package messagetest reads single messages in tests.
package messagetest

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/network/message"
	"varview/decoder/network/variants"
)

// Bytes reads hexadecimal digits with blanks between them.
func Bytes(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Read reads a message and returns its parts (a field as label=digits, a value as its literal, a list in
// brackets) and the codes of its problems.
func Read(t testing.TB, b []byte, dialect string, read func(*message.Cursor, *message.Body)) (parts string, codes []string) {
	t.Helper()
	var c message.Cursor
	var body message.Body
	values := variants.NewReader(dialect, false)
	c.Begin(b, values)
	read(&c, &body)
	c.End()
	tiles(t, &c)
	var words []string
	for i := range c.Parts {
		words = append(words, part(&c, values, &c.Parts[i]))
	}
	for i := range c.Problems {
		codes = append(codes, c.Problems[i].Code)
	}
	return body.Kind.String() + ": " + strings.Join(words, " "), codes
}

func part(c *message.Cursor, values *variants.Reader, p *message.Part) string {
	switch p.Role {
	case message.Open:
		return p.Label + "["
	case message.Close:
		return "]"
	case message.Value:
		return string(values.AppendLiteral(nil, c.Bytes, variants.Value{Span: p.Span, Form: p.Form}, 1000))
	}
	what := p.Means
	if what == "" {
		what = hex.EncodeToString(c.Bytes[p.Offset:p.End()])
	}
	return fmt.Sprintf("%s=%s", strings.ReplaceAll(p.Label, " ", "-"), what)
}

// A Case is a packet as hexadecimal digits, its parts, and the codes of its problems.
type Case = struct{ Digits, Parts, Codes string }

// Check reads packets, which must have the parts and problems of their cases.
func Check(t *testing.T, cases []Case, dialect string, read func(*message.Cursor, *message.Body)) {
	t.Helper()
	for _, c := range cases {
		parts, codes := Read(t, Bytes(t, c.Digits), dialect, read)
		if parts != c.Parts || strings.Join(codes, " ") != c.Codes {
			t.Errorf("%s:\n%s (%v), not\n%s (%s)", c.Digits, parts, codes, c.Parts, c.Codes)
		}
	}
}

// Fuzz checks that the parts of any packet cover it.
func Fuzz(f *testing.F, cases []Case, dialect string, read func(*message.Cursor, *message.Body)) {
	for _, c := range cases {
		f.Add(Bytes(f, c.Digits))
	}
	values := variants.NewReader(dialect, false)
	f.Fuzz(func(t *testing.T, b []byte) {
		var c message.Cursor
		var body message.Body
		c.Begin(b, values)
		read(&c, &body)
		c.End()
		tiles(t, &c)
	})
}

// tiles checks that the fields and values of a message are in order and cover it, and that lists are closed
// in order.
func tiles(t testing.TB, c *message.Cursor) {
	t.Helper()
	at, open := int64(0), 0
	for i := range c.Parts {
		p := &c.Parts[i]
		if p.Offset != at {
			t.Fatalf("part %d (%s) is at %d, not %d, of %x", i, p.Label, p.Offset, at, c.Bytes)
		}
		switch p.Role {
		case message.Open:
			open++
		case message.Close:
			open--
		}
		at += p.Length
	}
	if at != int64(len(c.Bytes)) || open != 0 {
		t.Fatalf("parts up to %d, %d lists open, of %x", at, open, c.Bytes)
	}
}
