package json

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/notation"
)

// components writes a vector or a packed array of numbers or vectors.
func (m *importer) components(o *jsonObject, t types.ID) error {
	info := types.Of(t)
	wide := string(o.texts["bits"]) == "64"
	if wide && (!info.Wide || !m.Format.Dialect.WideParts) {
		return m.Fail("%s of %s has no 64-bit components", info.Name, m.Format.Dialect.Title)
	}
	if o.args != argsNumbers {
		return m.Fail("%s has args that are numbers", info.Name)
	}
	flags := uint32(0)
	if wide {
		flags = types.WideFlag
	}
	m.Header(t, flags)
	each := int64(max(1, len(info.Parts)))
	switch message := info.CountMismatch(info.Name, o.n); {
	case message != "":
		return m.Fail("%s", message)
	case o.n/each > math.MaxUint32:
		return m.Fail("%s holds at most %d elements", info.Name, uint32(math.MaxUint32))
	}
	if info.Shape != types.ShapeFixed {
		m.U32(uint32(o.n / each))
	}
	comp := m.Format.Component(info, wide)
	switch t {
	case types.Basis, types.Transform, types.Transform3D:
		m.columnsToRows()
	}
	for number := range bytes.FieldsSeq(m.numbers) {
		if err := m.component(string(number), comp); err != nil {
			return err
		}
	}
	if info.Shape == types.ShapeBytes {
		m.Pad(int(o.n & 3))
	}
	return nil
}

// columnsToRows reorders the numbers of a Basis, which are in columns in JSON and in rows
// in a file.
func (m *importer) columnsToRows() {
	columns := strings.Fields(string(m.numbers))
	rows := slices.Clone(columns)
	for k := range 9 {
		rows[k] = columns[k%3*3+k/3]
	}
	m.numbers = []byte(strings.Join(rows, " "))
}

// component writes a number as a component. Whole numbers may be written as floats.
func (m *importer) component(number string, comp types.ID) error {
	l, err := m.numberLiteral(number)
	if err != nil {
		return err
	}
	if whole := strings.TrimSuffix(number, ".0"); comp != types.Float32 && comp != types.Float64 && len(whole) < len(number) {
		number = whole
		l = literal.Literal{Kind: types.Int, End: int32(len(whole))}
	}
	m.Text = number
	bits, err := m.Bits(&l, comp)
	m.Out = numeric.AppendBinary(m.Out, comp, bits)
	return m.locate(err)
}

// container writes the fields before the args of a container, and the args whose
// bytes depend on its type.
func (m *importer) container(o *jsonObject, t types.ID) error {
	l := &literal.Literal{Kind: t, Parts: &literal.Parts{}}
	var err error
	if l.Elem, err = m.containerType(o, t, "elem"); err != nil {
		return err
	}
	if t == types.Dictionary {
		if l.Elem, err = m.containerType(o, t, "key"); err == nil {
			l.Value, err = m.containerType(o, t, "value")
		}
		if err == nil && o.n%2 != 0 {
			err = m.Fail("the value of the last key is missing")
		}
		o.n /= 2
	}
	if err != nil {
		return err
	}
	if l.Elem.Kind|l.Value.Kind != types.KindNone && !m.Format.Dialect.Typed && types.Of(t).Shape != types.ShapeTyped {
		return m.Fail("%s has no typed %s", m.Format.Dialect.Title, types.Of(t).Name)
	}
	if err := m.resolveItems(o, t); err != nil {
		return err
	}
	return m.fill(o.head, func() error {
		count := uint32(o.n)
		if o.flags["shared"] && types.HasSharedBit(t) {
			count |= types.SharedBit
		}
		m.ContainerHeader(l)
		m.U32(count)
		return nil
	})
}

// containerType is the type that members declare for elements, keys or values.
func (m *importer) containerType(o *jsonObject, t types.ID, of string) (types.ContainerType, error) {
	name := string(o.texts[of+"_type"])
	c := m.Format.Dialect.ContainerNamed(t, name)
	kind, ok := o.texts[of+"_kind"]
	if !ok {
		return c, nil
	}
	for i, k := range types.ContainerKinds {
		if i > 0 && k == string(kind) {
			c = types.ContainerType{Kind: uint16(i), Name: name}
		}
	}
	if c.Kind == types.KindBuiltin && m.Format.Dialect.ContainerNamed(t, name).Kind != types.KindBuiltin || c.Kind == types.KindNone ||
		c.Kind == types.KindScript && types.Of(t).Shape == types.ShapeTyped {
		return c, m.Fail("%q is not a valid %s of elements", variant.Printable([]byte(name)), variant.Printable(kind))
	}
	return c, nil
}

// resolveItems writes the args whose bytes depend on the type.
func (m *importer) resolveItems(o *jsonObject, t types.ID) error {
	if o.args == argsNumbers {
		m.becomeItems(o)
	}
	for i := range o.items {
		item := &o.items[i]
		err := m.fill(item.hole, func() error {
			switch {
			case types.Of(t).Shape == types.ShapeStrings && !item.number:
				m.Entry(item.text, true)
				return nil
			case item.number:
				return m.untagged(string(item.text))
			}
			return m.tagged(item.text)
		})
		if err != nil {
			return err
		}
	}
	if types.Of(t).Shape == types.ShapeStrings && o.args == argsItems && int64(len(o.items)) < o.n {
		return m.Fail("%s has args that are texts", types.Of(t).Name)
	}
	return nil
}

// args reads the args of an object as far as possible without its type.
func (m *importer) args(o *jsonObject) error {
	if o.typ != nil {
		t, _ := m.Format.Dialect.TypeNamed(string(o.typ))
		switch types.Of(t).Shape {
		case types.ShapeArray, types.ShapeDict, types.ShapeTyped:
			o.args = argsValues
			n, err := m.values()
			o.n = n
			return err
		case types.ShapeStrings:
			o.args = argsTexts
			return m.Items(func(int64) error {
				text, err := m.textOrHex()
				m.Entry(text, true)
				o.n++
				return err
			})
		}
	}
	o.args = argsNumbers
	m.numbers = m.numbers[:0]
	return m.Items(func(int64) error {
		o.n++
		return m.item(o)
	})
}

// item reads a number, or one of the args of an unknown type.
func (m *importer) item(o *jsonObject) error {
	c, err := m.Peek()
	if err != nil {
		return err
	}
	isNumber := c == '-' || notation.IsDigit(c)
	var text []byte
	switch {
	case isNumber && o.args == argsNumbers:
		m.numbers, err = m.AppendNumber(append(m.numbers, ' '))
		return err
	case isNumber:
		text, err = m.AppendNumber(nil)
	case c == '"':
		text, err = m.Quoted()
	default:
		m.becomeItems(o)
		return m.value()
	}
	if err != nil {
		return err
	}
	if o.args == argsNumbers && literal.IsSpecial(string(text)) {
		m.numbers = append(append(m.numbers, ' '), text...)
		return nil
	}
	m.becomeItems(o)
	o.items = append(o.items, jsonItem{m.newHole(), text, isNumber})
	return nil
}

// becomeItems turns the numbers read so far into items, because args of another kind
// follow.
func (m *importer) becomeItems(o *jsonObject) {
	if o.args == argsItems {
		return
	}
	o.args = argsItems
	for number := range bytes.FieldsSeq(m.numbers) {
		o.items = append(o.items, jsonItem{m.newHole(), slices.Clone(number), !literal.IsSpecial(string(number))})
	}
}
