package elephant

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"varview/decoder/tree"
)

// An encoder writes literals as new bytes of a block.
type encoder struct {
	e *editor
	fragment
	err error
}

func (c *encoder) fail(l *literal, format string, args ...any) {
	if c.err == nil {
		c.err = c.e.refuse(l, fmt.Sprintf(format, args...))
	}
}

func (c *encoder) u8(n byte)     { c.b = append(c.b, n) }
func (c *encoder) u16(n int)     { c.b = binary.LittleEndian.AppendUint16(c.b, uint16(n)) }
func (c *encoder) text(t []byte) { c.b = append(append(c.b, t...), 0) }

// encode writes a literal for a place: with its tag, if of is tAny.
func (e *editor) encode(l *literal, of typeID) (*fragment, error) {
	if err := e.needToWrite(l); err != nil {
		return nil, err
	}
	c := encoder{e: e}
	c.value(l, of)
	return &c.fragment, c.err
}

// value writes a literal as a value of a type.
func (c *encoder) value(l *literal, of typeID) {
	if c.err != nil {
		return
	}
	if message := c.e.fits(l, of); message != "" {
		c.fail(l, "%s", message)
		return
	}
	if of == tAny {
		of = c.e.natural(l)
		c.u8(c.e.tag(of))
	}
	switch l.shape {
	case ofNumber, ofBool:
		bits, _ := l.num.as(of)
		c.b = append(c.b, binary.LittleEndian.AppendUint64(nil, bits)[:width(of)]...)
	case ofText:
		c.text(l.text)
	case ofArray:
		c.array(l)
	case ofStruct:
		c.structure(l)
	case ofRef:
		c.marks = append(c.marks, fragmentMark{at: len(c.b), ref: &l.ref})
	case ofDefault:
		c.fail(l, "only a member that a schema names can have its default")
	}
}

// number takes note that a value with a number begins here.
func (c *encoder) number(l *literal) {
	if !c.e.f.Rules.ctorTags {
		c.marks = append(c.marks, fragmentMark{at: len(c.b), numbered: l})
	}
}

func (c *encoder) array(l *literal) {
	if limit := c.e.f.Rules.room(tArray); len(l.items) > limit {
		c.fail(l, "an array has room for %d elements at most", limit)
		return
	}
	c.number(l)
	c.u16(len(l.items))
	if len(l.items) == 0 {
		return
	}
	of := c.e.common(l.items)
	c.u8(c.e.tag(of))
	for _, item := range l.items {
		c.value(item, of)
	}
}

// common is the type that all literals have, or tAny.
func (e *editor) common(items []*literal) typeID {
	of := e.natural(items[0])
	for _, item := range items[1:] {
		if e.natural(item) != of {
			return tAny
		}
	}
	return of
}

func (c *encoder) structure(l *literal) {
	if repeated := repeatedName(l.names); repeated != nil {
		c.fail(l, "the name %s stands twice in a struct", shown(string(repeated)))
		return
	}
	if l.ctor != nil {
		c.constructed(l)
		return
	}
	c.number(l)
	c.members(l)
}

// members writes names and values.
func (c *encoder) members(l *literal) {
	if limit := c.e.f.Rules.room(tStruct); len(l.items) > limit {
		c.fail(l, "a struct has room for %d members at most", limit)
		return
	}
	c.u16(len(l.items))
	for i, item := range l.items {
		c.text(l.names[i])
		c.value(item, tAny)
	}
}

// repeatedName is the first name that an earlier one equals, nil if none.
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
func (c *encoder) constructed(l *literal) {
	e, r := c.e, c.e.f.Rules
	index := e.ctorIndex(l.ctor.name)
	form, err := e.formOf(l.ctor)
	switch {
	case err != nil:
		c.fail(l, "%s", err)
		return
	case bytes.IndexByte([]byte(l.ctor.name), 0) >= 0:
		c.fail(l, "the name of a constructor cannot hold a NUL")
		return
	}
	if !r.ctorTags {
		c.number(l)
		c.u16(markCtor)
		c.u16(int(index))
	}
	c.marks = append(c.marks, fragmentMark{at: len(c.b), ctor: l.ctor.name, index: index})
	c.u8(r.versionByte(form.version, form.verbose))
	if form.verbose {
		c.members(l)
		return
	}
	c.schemaBody(l, form)
}

// schemaBody writes the members that a schema lays out. Those that the literal
// leaves out are skipped where the version allows it, or undefined where the
// schema does.
func (c *encoder) schemaBody(l *literal, form ctorForm) {
	byName := make(map[string]*literal, len(l.items))
	for i, item := range l.items {
		if item.shape != ofDefault {
			byName[string(l.names[i])] = item
		}
	}
	known := 0
	var missing []byte
	var skipped []int
	for i, m := range form.schema.Members {
		switch item := byName[m.Name]; {
		case item != nil:
			known++
		case typeID(m.Type) == tAny && !l.ctor.known:
			byName[m.Name] = &literal{at: l.at, shape: ofUndefined}
		case c.e.f.Rules.skips:
			skipped = append(skipped, i+1)
		default:
			missing = append(tree.AppendEscaped(append(missing, ' '), []byte(m.Name), 0), ',')
		}
	}
	switch {
	case len(missing) > 0:
		c.fail(l, "%s v%d needs a value for%s", shown(l.ctor.name), form.version, missing[:len(missing)-1])
	case known < len(l.items):
		c.unknownMembers(l, form)
	}
	if c.e.f.Rules.skips {
		for _, n := range append(skipped, 0) {
			c.u16(n)
		}
	}
	for _, m := range form.schema.Members {
		if item := byName[m.Name]; item != nil {
			c.value(item, typeID(m.Type))
		}
	}
}

// unknownMembers refuses the first name that the schema does not have.
func (c *encoder) unknownMembers(l *literal, form ctorForm) {
	names := map[string]bool{}
	for _, m := range form.schema.Members {
		names[m.Name] = true
	}
	for i, name := range l.names {
		if !names[string(name)] {
			c.fail(l.items[i], "%s v%d has no member %s", shown(l.ctor.name), form.version, shown(string(name)))
		}
	}
}
