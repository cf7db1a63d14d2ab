package blockedit

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// An encoder writes literals as new bytes of a block.
type encoder struct {
	e *Editor
	fragment
}

func (c *encoder) fail(l *literal.Literal, format string, args ...any) {
	c.e.Keep(c.e.refuse(l, fmt.Sprintf(format, args...)))
}

func (c *encoder) u8(n byte)     { c.b = append(c.b, n) }
func (c *encoder) u16(n int)     { c.b = binary.LittleEndian.AppendUint16(c.b, uint16(n)) }
func (c *encoder) text(t []byte) { c.b = append(append(c.b, t...), 0) }

// encode writes a literal for a place, with its tag if of is Any.
func (e *Editor) encode(l *literal.Literal, of datatype.ID) *fragment {
	e.needToWrite(l)
	c := encoder{e: e}
	c.value(l, of)
	return &c.fragment
}

// value writes a literal as a value of a type.
func (c *encoder) value(l *literal.Literal, of datatype.ID) {
	if c.e.Err != nil {
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
		c.b = binary.LittleEndian.AppendUint64(c.b, bits)[:int64(len(c.b))+datatype.Width(of)]
	case literal.Text:
		c.text(l.Text)
	case literal.Array:
		c.array(l)
	case literal.Struct:
		c.structure(l)
	case literal.Ref:
		c.marks = append(c.marks, fragmentMark{at: len(c.b), ref: &l.Ref})
	case literal.Default:
		c.fail(l, "only a member in a schema can have its default")
	}
}

// number records that a numbered value begins here.
func (c *encoder) number(l *literal.Literal) {
	if !c.e.Block.Rules.CtorTags {
		c.marks = append(c.marks, fragmentMark{at: len(c.b), numbered: l})
	}
}

func (c *encoder) array(l *literal.Literal) {
	if limit := c.e.Block.Rules.Room(datatype.Array); len(l.Items) > limit {
		c.fail(l, "an array has room for at most %d elements", limit)
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

// common returns the type of all literals, or Any if they differ.
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
	if limit := c.e.Block.Rules.Room(datatype.Struct); len(l.Items) > limit {
		c.fail(l, "a struct has room for at most %d members", limit)
		return
	}
	c.u16(len(l.Items))
	for i, item := range l.Items {
		c.text(l.Names[i])
		c.value(item, datatype.Any)
	}
}

// repeatedName returns the first name that repeats an earlier one; nil if there is none.
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
	e, r := c.e, c.e.Block.Rules
	index := e.ctorIndex(l.Ctor.Name)
	form, err := e.formOf(l.Ctor)
	switch {
	case err != nil:
		c.fail(l, "%s", err)
		return
	case bytes.IndexByte([]byte(l.Ctor.Name), 0) >= 0:
		c.fail(l, "a constructor's name cannot contain a NUL")
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

// schemaBody writes the members that a schema lays out. Members missing in the literal are skipped if the
// version can do that, or undefined if the schema allows it.
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
		case m.Type == datatype.Any && !l.Ctor.Known:
			byName[m.Name] = &literal.Literal{At: l.At, Shape: literal.Undefined}
		case c.e.Block.Rules.Skips:
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
	if c.e.Block.Rules.Skips {
		for _, n := range append(skipped, 0) {
			c.u16(n)
		}
	}
	for _, m := range form.schema.Members {
		if item := byName[m.Name]; item != nil {
			c.value(item, m.Type)
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

// ctorIndex returns the index of a constructor in the block, a new one gets the next free index. In 1.0.0
// the index is the tag. Existing indexes stay: the library reads any.
func (e *Editor) ctorIndex(name string) uint16 {
	if index, ok := e.ctors[name]; ok {
		return index
	}
	best, found := 0, false
	least, most := e.Block.Rules.CtorRange()
	used := map[int]bool{}
	for index, c := range e.marks.Named {
		used[int(index)] = true
		if e.nameAt(c) == name && (!found || int(index) < best) {
			best, found = int(index), true
		}
	}
	for _, index := range e.ctors {
		used[int(index)] = true
	}
	if !found {
		best = least
		for index := range used {
			best = max(best, index+1)
		}
		for best > most && least <= most {
			if !used[least] {
				best = least
			}
			least++
		}
		if best > most {
			e.full, best = true, most
		}
	}
	note(&e.ctors, name, uint16(best))
	return uint16(best)
}

// nameAt returns the name of a constructor at its first use.
func (e *Editor) nameAt(c block.CtorMark) string {
	return string(e.Window.View(c.At, min(c.Size-1, block.MaxName)))
}

// A ctorForm is how a constructor's structs are stored.
type ctorForm struct {
	version int
	verbose bool
	schema  *gml.Schema // if they are not verbose
}

// formOf returns how a new struct of a constructor is stored: like the struct that it is copied from, or
// else like the first one of the constructor in the block, or else in the highest known version of its
// schema, or else with names.
func (e *Editor) formOf(ctor *literal.Constructor) (form ctorForm, err error) {
	schemas := e.Block.Schemas()
	switch b, ok := e.firstVersion(ctor.Name); {
	case ctor.Known:
		form.version, form.verbose = ctor.Version, ctor.Verbose
	case ok:
		form.version, form.verbose = e.Block.Rules.SchemaVersion(b)
	default:
		form.version = schemas.Highest(ctor.Name, e.Block.Rules.MaxVersion())
		form.verbose = form.version == 0
		if schema, err := schemas.LookUp(ctor.Name, form.version); err == nil && form.version > 0 {
			form.verbose = schema.Verbose
		}
	}
	switch {
	case form.version > e.Block.Rules.MaxVersion() && !form.verbose:
		return form, fmt.Errorf("a schema version in Elephant %[2]s is at most %[1]d, not %[3]d", e.Block.Rules.MaxVersion(), e.Block.Rules.Name, form.version)
	case form.verbose:
		return form, nil
	}
	schema, problem := e.Block.FindSchema(ctor.Name, form.version)
	if problem != nil {
		return form, fmt.Errorf("%s", problem.Message)
	}
	form.schema = schema
	return form, nil
}

// firstVersion returns the version byte of the first struct of a constructor.
func (e *Editor) firstVersion(name string) (byte, bool) {
	index := e.ctorIndex(name)
	c, ok := e.marks.Named[index]
	return c.Version, ok && e.nameAt(c) == name
}

// A place is where a value is or will be.
type place struct {
	of     datatype.ID // datatype that the place determines; Any if a tag does
	schema bool        // the place is a member of a schema, whose datatype cannot change
}

// placeOf returns the place of a child of parent.
func placeOf(f *block.Reading, parent *tree.Node, index int64) place {
	p := place{of: datatype.Any}
	switch schema := f.SchemaOf(&parent.Value); {
	case schema != nil && index < int64(len(schema.Members)):
		p.of, p.schema = schema.Members[index].Type, true
	case parent.Type == datatype.Array && parent.Sub != 0:
		p.of = datatype.ID(parent.Sub)
	}
	return p
}

// isTagged reports whether the value's datatype precedes it.
func (p *place) isTagged() bool { return p.of == datatype.Any }

// natural returns the datatype that the library's writer chooses for a value if the place does not
// determine one.
func (e *Editor) natural(l *literal.Literal) datatype.ID {
	switch {
	case l.Of != 0:
		return l.Of
	case l.Was != 0:
		return l.Was
	}
	switch l.Shape {
	case literal.Number:
		return datatype.F64
	case literal.Bool:
		return datatype.Bool
	case literal.Text:
		return datatype.String
	case literal.Array:
		return datatype.Array
	case literal.Struct:
		if l.Ctor != nil && e.Block.Rules.CtorTags {
			return datatype.CtorElement | datatype.ID(e.ctorIndex(l.Ctor.Name))
		}
		return datatype.Struct
	case literal.Ref:
		return l.Ref.Kind
	}
	return datatype.Undefined
}

// fits returns why a literal cannot be a value of type t; "" if it can. A prefix must name the type; a
// plain number or text adopts it.
func (e *Editor) fits(l *literal.Literal, t datatype.ID) string {
	natural := e.natural(l)
	switch {
	case t == datatype.Any:
		return ""
	case l.Of != 0 && datatype.IsText(l.Of) && datatype.IsText(t):
		return ""
	case l.Of != 0 && l.Of != t, l.Of == 0 && !sameKind(natural, t):
		return fmt.Sprintf("%s is expected here, not %s", datatype.Name(t), e.describe(l))
	case l.Shape == literal.Number:
		_, message := l.Num.As(t)
		return message
	}
	return ""
}

// sameKind reports whether a plain literal with the natural type a can be written as a
// value of type b.
func sameKind(a, b datatype.ID) bool {
	return a == b || datatype.IsNumber(a) && datatype.IsNumber(b) || datatype.IsText(a) && datatype.IsText(b)
}

// describe names the type of a literal as AppendType names the type of a value.
func (e *Editor) describe(l *literal.Literal) string {
	switch {
	case l.Shape == literal.Ref:
		return "reference to " + datatype.Name(l.Ref.Kind)
	case l.Shape == literal.Struct && l.Ctor != nil:
		return literal.Shown(l.Ctor.Name)
	case l.Shape == literal.Default:
		return "default"
	case l.Shape == literal.Number && l.Of == 0:
		return "a number"
	}
	return datatype.Name(e.natural(l))
}

// typeOf returns the datatype of a value; for a struct in 1.0.0 this may be its
// constructor.
func (e *Editor) typeOf(v *tree.Value) datatype.ID {
	if v.Flags&block.OldTag != 0 {
		return datatype.CtorElement | datatype.ID(e.Block.CtorIndex(v))
	}
	return v.Type
}

// refuse returns the error for a literal that does not fit its place.
func (e *Editor) refuse(l *literal.Literal, message string) error {
	return &edit.SyntaxError{At: l.At, Message: message}
}

// check returns an error if a literal may not replace v. An array's common type may become
// any, and a tag may change.
func (e *Editor) check(v *tree.Node, p place, l *literal.Literal) error {
	message := e.fits(l, e.typeOf(&v.Value))
	if p.schema && !p.isTagged() {
		return e.bySchema(p, l)
	}
	if message == "" && e.sameCtor(v, l) || e.o.Retype {
		return nil
	}
	switch {
	case l.Of != 0 && sameKind(l.Of, v.Type): // the prefix chooses another type of number or text
		return nil
	case l.Shape == literal.Number && datatype.IsNumber(v.Type):
		return e.refuse(l, message)
	}
	return &edit.TypeError{Was: string(e.Block.AppendType(nil, e.Window, &v.Value)), Is: e.describe(l)}
}

// sameCtor reports whether v and l are structs with the same constructor. It is also true
// if one of them is not a struct, or v is a reference.
func (e *Editor) sameCtor(v *tree.Node, l *literal.Literal) bool {
	if v.Type != datatype.Struct || v.Refers || l.Shape != literal.Struct {
		return true
	}
	if v.Flags&block.Constructed == 0 || l.Ctor == nil {
		return v.Flags&block.Constructed == 0 && l.Ctor == nil
	}
	name := e.Block.CtorName(&v.Value)
	return l.Ctor.Name == name || name == "" && l.Ctor.Name == datatype.Name(datatype.Struct) // as WriteText writes it
}
