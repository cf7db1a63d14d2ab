package message

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"varview/decoder/capture/variants"
	"varview/decoder/span"
)

// A Cursor reads a payload. What its methods read becomes a part. After something that
// cannot be read they do nothing and return zero.
type Cursor struct {
	Bytes    []byte
	At       int64
	Limit    int64 // nothing is read beyond it
	Parts    []Part
	Problems []span.Problem

	values *variants.Reader
	held   []variants.Value // memory of the lists of values
	names  map[string]string
	failed bool
}

// Begin makes the cursor read a payload from its beginning.
func (c *Cursor) Begin(b []byte, values *variants.Reader) {
	c.Bytes, c.At, c.Limit, c.values = b, 0, int64(len(b)), values
	c.Parts, c.Problems, c.held, c.failed = c.Parts[:0], nil, c.held[:0], false
	values.Use(b)
}

// End makes the bytes that are left a gap. They are a problem if nothing else explains
// them.
func (c *Cursor) End() {
	c.Limit = int64(len(c.Bytes))
	rest := span.Between(c.At, c.Limit)
	if rest.Length == 0 {
		return
	}
	if !c.failed {
		c.Problems = append(c.Problems, span.Problem{Span: rest, Severity: span.Warning, Code: span.TrailingBytes,
			Message: span.BytesAre(rest.Length) + " left over after the end of the message"})
	}
	c.put(rest.Length, span.Gap, "gap", "")
}

// Failed reports whether something could not be read.
func (c *Cursor) Failed() bool { return c.failed }

// Left returns the number of bytes that are left.
func (c *Cursor) Left() int64 { return c.Limit - c.At }

// Fail says why the message cannot be read. Only the first reason is kept.
func (c *Cursor) Fail(at span.Span, code, message string) {
	if !c.failed {
		c.Problems = append(c.Problems, span.Problem{Span: at, Severity: span.Error, Code: code, Message: message})
	}
	c.failed = true
}

// Warn adds a problem after which reading goes on.
func (c *Cursor) Warn(at span.Span, code, message string) {
	if !c.failed {
		c.Problems = append(c.Problems, span.Problem{Span: at, Severity: span.Warning, Code: code, Message: message})
	}
}

// put adds a field of n bytes.
func (c *Cursor) put(n int64, kind span.Kind, label, means string) []byte {
	at := c.At
	if n > 0 {
		c.Parts = append(c.Parts, Part{Field: span.Field{Span: span.Span{Offset: at, Length: n}, Kind: kind, Label: label}, Means: means})
	}
	c.At += n
	return c.Bytes[at:c.At]
}

// take reads n bytes, nil where there are not as many.
func (c *Cursor) take(n int64, kind span.Kind, label string) []byte {
	if c.failed {
		return nil
	}
	if left := c.Left(); n > left {
		c.Fail(span.Between(c.At, c.Limit), span.Truncated, fmt.Sprintf("the %s is cut: %s of %d left", label, span.BytesAre(left), n))
		return nil
	}
	return c.put(n, kind, label, "")
}

// U8 reads a number of one byte.
func (c *Cursor) U8(kind span.Kind, label string) uint8 {
	if b := c.take(1, kind, label); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads a little-endian number.
func (c *Cursor) U16(kind span.Kind, label string) uint16 {
	if b := c.take(2, kind, label); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads a little-endian number.
func (c *Cursor) U32(kind span.Kind, label string) uint32 {
	if b := c.take(4, kind, label); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads a little-endian number.
func (c *Cursor) U64(kind span.Kind, label string) uint64 {
	if b := c.take(8, kind, label); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Means says what the field that was read last means, which is a constant text.
func (c *Cursor) Means(text string) {
	if n := len(c.Parts); n > 0 && !c.failed {
		c.Parts[n-1].Means = text
	}
}

// Points says where in the payload the length or offset that was read last says that
// something ends.
func (c *Cursor) Points(end int64) {
	if n := len(c.Parts); n > 0 && !c.failed {
		c.Parts[n-1].Points = end
	}
}

// Relabel says that the field that was read last is another one.
func (c *Cursor) Relabel(kind span.Kind, label string) {
	if n := len(c.Parts); n > 0 && !c.failed {
		c.Parts[n-1].Kind, c.Parts[n-1].Label = kind, label
	}
}

// Last returns the span of the part that was read last.
func (c *Cursor) Last() span.Span {
	if n := len(c.Parts); n > 0 {
		return c.Parts[n-1].Span
	}
	return span.Span{}
}

// Data reads all bytes up to the limit.
func (c *Cursor) Data(label string) []byte { return c.take(max(0, c.Left()), span.Data, label) }

// Fixed reads a text of n bytes.
func (c *Cursor) Fixed(n int64, label string) string {
	b := c.take(n, span.Text, label)
	c.checkText(b)
	return c.name(b)
}

// Text reads a text that ends with a NUL. With open it may also end at the limit.
func (c *Cursor) Text(label string, open bool) string {
	if c.failed {
		return ""
	}
	n := int64(bytes.IndexByte(c.Bytes[c.At:c.Limit], 0))
	if n < 0 && !open {
		c.Fail(span.Between(c.At, c.Limit), NoTerminator, "the "+label+" has no NUL at its end")
		return ""
	}
	if n < 0 {
		n = c.Left()
	}
	text := c.Fixed(n, label)
	if c.At < c.Limit {
		c.put(1, span.Terminator, "terminator", "")
	}
	return text
}

// Terminator reads the NUL after a text of known length.
func (c *Cursor) Terminator() {
	if b := c.take(1, span.Terminator, "terminator"); b != nil && b[0] != 0 {
		c.Fail(c.Last(), NoTerminator, "the text has no NUL at its end")
	}
}

func (c *Cursor) checkText(b []byte) {
	if !utf8.Valid(b) {
		c.Warn(c.Last(), span.InvalidUTF8, "the text is not valid UTF-8")
	}
}

// maxNames is the number of names that are kept, so that each is in memory once.
const maxNames = 4 << 10

// name returns bytes as a string.
func (c *Cursor) name(b []byte) string {
	if s, ok := c.names[string(b)]; ok {
		return s
	}
	if c.names == nil || len(c.names) >= maxNames {
		c.names = map[string]string{}
	}
	s := string(b)
	c.names[s] = s
	return s
}

// List begins a list, which EndList ends.
func (c *Cursor) List(name string) {
	c.Parts = append(c.Parts, Part{Field: span.Field{Span: span.Span{Offset: c.At}, Label: name}, Role: Open})
}

// EndList ends the list that was begun last.
func (c *Cursor) EndList() {
	c.Parts = append(c.Parts, Part{Field: span.Field{Span: span.Span{Offset: c.At}}, Role: Close})
}

// next reads a value of a list.
func (c *Cursor) next(short bool) {
	next := c.values.Next
	if short {
		next = c.values.NextShort
	}
	v, ok := next(c.At, c.Limit, func(p span.Problem) { c.Problems = append(c.Problems, p) })
	if c.failed = !ok; ok {
		c.add(v)
	}
}

// Values reads values up to the limit as a list with a name.
func (c *Cursor) Values(name string, short bool) []variants.Value {
	return c.list(name, short, func(int) bool { return c.Left() > 0 })
}

// Args reads n values as a list with a name. The count is in the part that was read last.
func (c *Cursor) Args(name string, n int, short bool) []variants.Value {
	counted := c.Last()
	return c.list(name, short, func(have int) bool {
		if have < n && c.Left() <= 0 {
			c.Fail(counted, BadCount, fmt.Sprintf("%s counted, but %s there", span.Counted(int64(n), "argument"), are(have)))
		}
		return have < n
	})
}

func are(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// Unmarked reads what is left as a list with a name: nothing, or a PackedByteArray of which
// only the bytes are there.
func (c *Cursor) Unmarked(name string) []variants.Value {
	from := len(c.held)
	c.List(name)
	if c.Left() > 0 && !c.failed {
		c.add(variants.Value{Span: span.Between(c.At, c.Limit), Form: variants.Unmarked})
	}
	c.EndList()
	return c.since(from)
}

// since returns the values that were read after the first from.
func (c *Cursor) since(from int) []variants.Value { return c.held[from:len(c.held):len(c.held)] }

// Value reads a value that has a name. ok is false where it cannot be read.
func (c *Cursor) Value(name string) (v []variants.Value, ok bool) {
	from := len(c.held)
	if c.next(false); c.failed {
		return nil, false
	}
	c.Parts[len(c.Parts)-1].Label = name
	return c.since(from), true
}

// A Place is where a cursor is, to return there.
type Place struct {
	At                    int64
	parts, problems, held int
}

// Place returns where the cursor is, which has not failed.
func (c *Cursor) Place() Place { return Place{c.At, len(c.Parts), len(c.Problems), len(c.held)} }

// Return takes the cursor back.
func (c *Cursor) Return(to Place) {
	c.At, c.failed = to.At, false
	c.Parts, c.Problems, c.held = c.Parts[:to.parts], c.Problems[:to.problems], c.held[:to.held]
}

// add adds a value to the list that is being read.
func (c *Cursor) add(v variants.Value) {
	c.held = append(c.held, v)
	c.Parts = append(c.Parts, Part{Field: span.Field{Span: v.Span}, Role: Value, Form: v.Form})
	c.At = v.End()
}

func (c *Cursor) list(name string, short bool, more func(have int) bool) []variants.Value {
	if c.failed {
		return nil
	}
	c.List(name)
	from := len(c.held)
	for !c.failed && more(len(c.held)-from) && !c.failed {
		c.next(short)
	}
	c.EndList()
	return c.since(from)
}

// Until lets read do its work with nothing beyond an offset. What it leaves before that is
// a gap.
func (c *Cursor) Until(end int64, read func()) {
	limit := c.Limit
	c.Limit = min(limit, end)
	read()
	if rest := c.Left(); rest > 0 && !c.failed {
		c.Warn(span.Between(c.At, c.Limit), span.TrailingBytes, span.BytesAre(rest)+" left over before what follows")
		c.put(rest, span.Gap, "gap", "")
	}
	c.Limit = limit
}
