package message

import (
	"fmt"

	"varview/decoder/capture/variants"
	"varview/decoder/span"
)

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
