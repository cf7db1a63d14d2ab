package edit

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/tree"
)

// An encoder writes literals as new bytes of a block.
type encoder struct {
	e *Editor
	fragment
	err error
}

func (c *encoder) fail(l *literal.Literal, format string, args ...any) {
	if c.err == nil {
		c.err = c.e.refuse(l, fmt.Sprintf(format, args...))
	}
}

func (c *encoder) u8(n byte)     { c.b = append(c.b, n) }
func (c *encoder) u16(n int)     { c.b = binary.LittleEndian.AppendUint16(c.b, uint16(n)) }
func (c *encoder) text(t []byte) { c.b = append(append(c.b, t...), 0) }

// encode writes a literal for a place: with its tag, if of is Any.
func (e *Editor) encode(l *literal.Literal, of datatype.ID) (*fragment, error) {
	if err := e.needToWrite(l); err != nil {
		return nil, err
	}
	c := encoder{e: e}
	c.value(l, of)
	return &c.fragment, c.err
}

// value writes a literal as a value of a type.
func (c *encoder) value(l *literal.Literal, of datatype.ID) {
	if c.err != nil {
		return
	}
	if message := c.e.fits(l, of); message != "" {
		c.fail(l, "%s", message)
		return
	}
	if of == datatype.Any {
		of = c.e.natural(l)
		c.u8(c.e.Tag(of))
	}
	switch l.Shape {
	case literal.Number, literal.Bool:
		bits, _ := l.Num.As(of)
		c.b = append(c.b, binary.LittleEndian.AppendUint64(nil, bits)[:datatype.Width(of)]...)
	case literal.Text:
		c.text(l.Text)
	case literal.Array:
		c.array(l)
	case literal.Struct:
		c.structure(l)
	case literal.Ref:
		c.marks = append(c.marks, fragmentMark{at: len(c.b), ref: &l.Ref})
	case literal.Default:
		c.fail(l, "only a member that a schema names can have its default")
	}
}

// number records that a value with a number begins here.
func (c *encoder) number(l *literal.Literal) {
	if !c.e.f.Rules.CtorTags {
		c.marks = append(c.marks, fragmentMark{at: len(c.b), numbered: l})
	}
}

func (c *encoder) array(l *literal.Literal) {
	if limit := c.e.f.Rules.Room(datatype.Array); len(l.Items) > limit {
		c.fail(l, "an array has room for %d elements at most", limit)
		return
	}
	c.number(l)
	c.u16(len(l.Items))
	if len(l.Items) == 0 {
		return
	}
	of := c.e.common(l.Items)
	c.u8(c.e.Tag(of))
	for _, item := range l.Items {
		c.value(item, of)
	}
}

// common returns the type that all literals have, or Any.
func (e *Editor) common(items []*literal.Literal) datatype.ID {
	of := e.natural(items[0])
	for _, item := range items[1:] {
		if e.natural(item) != of {
			return datatype.Any
		}
	}
	return of
}

func (c *encoder) structure(l *literal.Literal) {
	if repeated := repeatedName(l.Names); repeated != nil {
		c.fail(l, "the name %s occurs twice in a struct", literal.Shown(string(repeated)))
		return
	}
	if l.Ctor != nil {
		c.constructed(l)
		return
	}
	c.number(l)
	c.members(l)
}

// members writes names and values.
func (c *encoder) members(l *literal.Literal) {
	if limit := c.e.f.Rules.Room(datatype.Struct); len(l.Items) > limit {
		c.fail(l, "a struct has room for %d members at most", limit)
		return
	}
	c.u16(len(l.Items))
	for i, item := range l.Items {
		c.text(l.Names[i])
		c.value(item, datatype.Any)
	}
}

// repeatedName returns the first name that repeats an earlier one, nil if none does.
func repeatedName(names [][]byte) []byte {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[string(name)] {
			return name
		}
		seen[string(name)] = true
	}
	return nil
}

// constructed writes a struct with its constructor (section 5).
func (c *encoder) constructed(l *literal.Literal) {
	e, r := c.e, c.e.f.Rules
	index := e.ctorIndex(l.Ctor.Name)
	form, err := e.formOf(l.Ctor)
	switch {
	case err != nil:
		c.fail(l, "%s", err)
		return
	case bytes.IndexByte([]byte(l.Ctor.Name), 0) >= 0:
		c.fail(l, "the name of a constructor cannot hold a NUL")
		return
	}
	if !r.CtorTags {
		c.number(l)
		c.u16(block.MarkCtor)
		c.u16(int(index))
	}
	c.marks = append(c.marks, fragmentMark{at: len(c.b), ctor: l.Ctor.Name, index: index})
	c.u8(r.VersionByte(form.version, form.verbose))
	if form.verbose {
		c.members(l)
		return
	}
	c.schemaBody(l, form)
}

// schemaBody writes the members that a schema lays out. Those that the literal leaves out
// are skipped if the version can do that, or undefined if the schema allows it.
func (c *encoder) schemaBody(l *literal.Literal, form ctorForm) {
	byName := make(map[string]*literal.Literal, len(l.Items))
	for i, item := range l.Items {
		if item.Shape != literal.Default {
			byName[string(l.Names[i])] = item
		}
	}
	known := 0
	var missing []byte
	var skipped []int
	for i, m := range form.schema.Members {
		switch item := byName[m.Name]; {
		case item != nil:
			known++
		case datatype.ID(m.Type) == datatype.Any && !l.Ctor.Known:
			byName[m.Name] = &literal.Literal{At: l.At, Shape: literal.Undefined}
		case c.e.f.Rules.Skips:
			skipped = append(skipped, i+1)
		default:
			missing = append(tree.AppendEscaped(append(missing, ' '), []byte(m.Name), 0), ',')
		}
	}
	switch {
	case len(missing) > 0:
		c.fail(l, "%s v%d needs a value for%s", literal.Shown(l.Ctor.Name), form.version, missing[:len(missing)-1])
	case known < len(l.Items):
		c.unknownMembers(l, form)
	}
	if c.e.f.Rules.Skips {
		for _, n := range append(skipped, 0) {
			c.u16(n)
		}
	}
	for _, m := range form.schema.Members {
		if item := byName[m.Name]; item != nil {
			c.value(item, datatype.ID(m.Type))
		}
	}
}

// unknownMembers refuses the first name that the schema does not have.
func (c *encoder) unknownMembers(l *literal.Literal, form ctorForm) {
	names := map[string]bool{}
	for _, m := range form.schema.Members {
		names[m.Name] = true
	}
	for i, name := range l.Names {
		if !names[string(name)] {
			c.fail(l.Items[i], "%s v%d has no member %s", literal.Shown(l.Ctor.Name), form.version, literal.Shown(string(name)))
		}
	}
}
