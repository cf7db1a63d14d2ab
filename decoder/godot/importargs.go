package godot

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// components writes a vector or a packed array of numbers or vectors.
func (m *importer) components(o *jsonObject, t typeID) error {
	info := typeOf(t)
	wide := string(o.texts["bits"]) == "64"
	if wide && (!info.wide || !m.f.Dialect.wideParts) {
		return m.jsonReader.fail("%s of %s has no 64-bit components", info.name, m.f.Dialect.Title)
	}
	if o.args != argsNumbers {
		return m.jsonReader.fail("%s has args that are numbers", info.name)
	}
	flags := uint32(0)
	if wide {
		flags = flagWide
	}
	m.header(t, flags)
	each := int64(max(1, len(info.parts)))
	switch message := info.miscounted(info.name, o.n); {
	case message != "":
		return m.jsonReader.fail("%s", message)
	case o.n/each > math.MaxUint32:
		return m.jsonReader.fail("%s holds at most %d elements", info.name, uint32(math.MaxUint32))
	}
	if info.shape != shapeFixed {
		m.u32(uint32(o.n / each))
	}
	comp := m.f.component(info, wide)
	switch t {
	case tBasis, tTransform, tTransform3D:
		m.columnsToRows()
	}
	for number := range bytes.FieldsSeq(m.numbers) {
		if err := m.one(string(number), comp); err != nil {
			return err
		}
	}
	if info.shape == shapeBytes {
		m.pad(int(o.n & 3))
	}
	return nil
}

// columnsToRows brings the numbers of a Basis, which stand in columns, into the
// rows of a file.
func (m *importer) columnsToRows() {
	columns := strings.Fields(string(m.numbers))
	rows := slices.Clone(columns)
	for k := range 9 {
		rows[k] = columns[k%3*3+k/3]
	}
	m.numbers = []byte(strings.Join(rows, " "))
}

// one writes a number as a component. Whole ones may be written like floats.
func (m *importer) one(number string, comp typeID) error {
	l, err := m.numberLiteral(number)
	if err != nil {
		return err
	}
	if whole := strings.TrimSuffix(number, ".0"); comp != tFloat32 && comp != tFloat64 && len(whole) < len(number) {
		number = whole
		l = literal{kind: tInt, end: int32(len(whole))}
	}
	m.text = number
	bits, err := m.bits(&l, comp)
	m.out = appendComponent(m.out, comp, bits)
	return m.told(err)
}

// container writes what stands before the args of a container, and what of these
// was waiting for the type.
func (m *importer) container(o *jsonObject, t typeID) error {
	l := &literal{kind: t, parts: &parts{}}
	var err error
	if l.elem, err = m.containerType(o, t, "elem"); err != nil {
		return err
	}
	if t == tDictionary {
		if l.elem, err = m.containerType(o, t, "key"); err == nil {
			l.value, err = m.containerType(o, t, "value")
		}
		if err == nil && o.n%2 != 0 {
			err = m.jsonReader.fail("the value of the last key is missing")
		}
		o.n /= 2
	}
	if err != nil {
		return err
	}
	if l.elem.kind|l.value.kind != kindNone && !m.f.Dialect.typed && typeOf(t).shape != shapeTyped {
		return m.jsonReader.fail("%s has no typed %s", m.f.Dialect.Title, typeOf(t).name)
	}
	if err := m.late(o, t); err != nil {
		return err
	}
	return m.fill(o.head, func() error {
		count := uint32(o.n)
		if o.flags["shared"] && hasSharedBit(t) {
			count |= shared
		}
		m.containerHeader(l)
		m.u32(count)
		return nil
	})
}

// containerType is what the members say of what a container holds.
func (m *importer) containerType(o *jsonObject, t typeID, of string) (containerType, error) {
	name := string(o.texts[of+"_type"])
	c := m.f.Dialect.containerNamed(t, name)
	kind, ok := o.texts[of+"_kind"]
	if !ok {
		return c, nil
	}
	for i, k := range containerKinds {
		if i > 0 && k == string(kind) {
			c = containerType{uint16(i), name}
		}
	}
	if c.kind == kindBuiltin && m.f.Dialect.containerNamed(t, name).kind != kindBuiltin || c.kind == kindNone ||
		c.kind == kindScript && typeOf(t).shape == shapeTyped {
		return c, m.jsonReader.fail("%q is no %s that can be held", printable([]byte(name)), printable(kind))
	}
	return c, nil
}

// late writes the args that were waiting for the type.
func (m *importer) late(o *jsonObject, t typeID) error {
	if o.args == argsNumbers {
		m.becomeItems(o)
	}
	for i := range o.items {
		item := &o.items[i]
		err := m.fill(item.hole, func() error {
			switch {
			case typeOf(t).shape == shapeStrings && !item.number:
				m.entry(item.text, true)
				return nil
			case item.number:
				return m.bare(string(item.text))
			}
			return m.tagged(item.text)
		})
		if err != nil {
			return err
		}
	}
	if typeOf(t).shape == shapeStrings && o.args == argsItems && int64(len(o.items)) < o.n {
		return m.jsonReader.fail("%s has args that are texts", typeOf(t).name)
	}
	return nil
}

// args reads what an object holds, as far as that can be without its type.
func (m *importer) args(o *jsonObject) error {
	if o.typ != nil {
		t, _ := m.f.Dialect.typeNamed(string(o.typ))
		switch typeOf(t).shape {
		case shapeArray, shapeDict, shapeTyped:
			o.args = argsValues
			n, err := m.values()
			o.n = n
			return err
		case shapeStrings:
			o.args = argsTexts
			return m.items(func(int64) error {
				text, err := m.textOrHex()
				m.entry(text, true)
				o.n++
				return err
			})
		}
	}
	o.args = argsNumbers
	m.numbers = m.numbers[:0]
	return m.items(func(int64) error {
		o.n++
		return m.item(o)
	})
}

// item reads one of args of an unknown type, or a number.
func (m *importer) item(o *jsonObject) error {
	c, err := m.peek()
	if err != nil {
		return err
	}
	isNumber := c == '-' || isDigit(c)
	var text []byte
	switch {
	case isNumber && o.args == argsNumbers:
		m.numbers, err = m.appendNumber(append(m.numbers, ' '))
		return err
	case isNumber:
		text, err = m.appendNumber(nil)
	case c == '"':
		text, err = m.jsonReader.string()
	default:
		m.becomeItems(o)
		return m.value()
	}
	if err != nil {
		return err
	}
	if o.args == argsNumbers && isSpecial(string(text)) {
		m.numbers = append(append(m.numbers, ' '), text...)
		return nil
	}
	m.becomeItems(o)
	o.items = append(o.items, jsonItem{m.leave(), text, isNumber})
	return nil
}

// becomeItems keeps the numbers that were read as items: they are not alone.
func (m *importer) becomeItems(o *jsonObject) {
	if o.args == argsItems {
		return
	}
	o.args = argsItems
	for number := range bytes.FieldsSeq(m.numbers) {
		o.items = append(o.items, jsonItem{m.leave(), slices.Clone(number), !isSpecial(string(number))})
	}
}
