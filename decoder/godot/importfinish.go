package godot

import (
	"strconv"
	"strings"
)

// finish writes what an object stands for, now that all of it is known.
func (m *importer) finish(o *jsonObject) error {
	if o.props {
		return m.finishObject(o)
	}
	name := string(o.typ)
	if name == "Damaged" {
		return m.jsonReader.fail("damaged bytes (%s) cannot be imported: the JSON does not hold them", printable(o.texts["problem"]))
	}
	t, ok := m.f.Dialect.typeNamed(name)
	if !ok {
		return m.jsonReader.fail("there is no type %s, and an object of a class has props", printable(o.typ))
	}
	if !m.f.Dialect.has(t) {
		return m.jsonReader.fail("%s has no %s", m.f.Dialect.Title, typeOf(t).name)
	}
	switch typeOf(t).shape {
	case shapeNumber:
		return m.fill(o.head, func() error { return m.number(o, t) })
	case shapeFixed, shapePacked, shapeBytes:
		return m.fill(o.head, func() error { return m.components(o, t) })
	case shapeArray, shapeDict, shapeTyped, shapeStrings:
		return m.container(o, t)
	}
	return m.fill(o.head, func() error { return m.plain(o, t) })
}

// finishObject writes the class of an object before its properties, or only its
// id.
func (m *importer) finishObject(o *jsonObject) error {
	if !m.f.Dialect.has(tObject) {
		return m.jsonReader.fail("%s has no Object", m.f.Dialect.Title)
	}
	if o.flags["as_id"] {
		id, err := strconv.ParseInt(strings.TrimPrefix(string(o.id), "i:"), 10, 64)
		if err != nil || m.f.Dialect.noFlags {
			return m.jsonReader.fail(`an object stored as its id has the property "object_id", an int`)
		}
		m.out, m.holes = m.out[:o.start], m.holes[:o.head+1]
		return m.fill(o.head, func() error {
			return m.literal("", &literal{kind: tObject, parts: &parts{id: uint64(id), byID: true}})
		})
	}
	if len(o.typ) == 0 {
		return m.jsonReader.fail("an object with properties has a class")
	}
	return m.fill(o.head, func() error {
		m.header(tObject, 0)
		m.putString(o.typ)
		m.u32(uint32(o.n / 2))
		return nil
	})
}

// plain writes a value that has neither args nor properties.
func (m *importer) plain(o *jsonObject, t typeID) error {
	l := &literal{kind: t, parts: &parts{}}
	var err error
	switch typeOf(t).shape {
	case shapeText:
		l.text, err = m.fromHex(o.texts["hex"])
	case shapePath:
		if o.lists["names"] != nil || o.lists["subnames"] != nil || o.texts["old"] != nil {
			return m.path(o)
		}
		return m.jsonReader.fail("a NodePath in this form has names and subnames")
	case shapeRID:
		if id, ok := o.texts["id"]; ok {
			l.id, err = m.unsigned(id)
		}
	case shapeSignal:
		l.text = o.texts["name"]
		if id, ok := o.texts["object_id"]; ok {
			l.id, err = m.unsigned(id)
		}
	case shapeNone, shapeObject:
	default:
		return m.jsonReader.fail("%s has another form", typeOf(t).name)
	}
	if err != nil {
		return err
	}
	return m.literal("", l)
}

func (m *importer) unsigned(digits []byte) (uint64, error) {
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, m.jsonReader.fail("an id is a number from 0 to 18446744073709551615")
	}
	return n, nil
}

// path writes a NodePath that np: cannot carry.
func (m *importer) path(o *jsonObject) error {
	m.header(tNodePath, 0)
	if old, ok := o.texts["old"]; ok {
		m.putString(old)
		return nil
	}
	flags := uint64(0)
	if o.flags["absolute"] {
		flags = 1
	}
	if text, ok := o.texts["flags"]; ok {
		var err error
		if flags, err = strconv.ParseUint(string(text), 10, 32); err != nil {
			return m.jsonReader.fail("the flags of a NodePath have 32 bits")
		}
	}
	names, subnames := o.lists["names"], o.lists["subnames"]
	count := len(subnames)
	if flags&2 != 0 { // counts one more
		if count--; count < 0 {
			return m.jsonReader.fail("the flags say that there is a subname")
		}
	}
	m.u32(uint32(len(names)) | shared)
	m.u32(uint32(count))
	m.u32(uint32(flags))
	for _, part := range append(names[:len(names):len(names)], subnames...) {
		m.putString(part)
	}
	return nil
}

// number writes an int or float in a width that an engine would not choose.
func (m *importer) number(o *jsonObject, t typeID) error {
	l, err := m.numberLiteral(string(o.texts["value"]))
	if err != nil {
		return err
	}
	m.text = string(o.texts["value"])
	wide, noFlags := string(o.texts["bits"]) == "64", m.f.Dialect.noFlags
	flags := uint32(0)
	if wide && !noFlags {
		flags = flagWide
	}
	m.header(t, flags)
	comp := typeID(tInt32)
	switch {
	case !wide && string(o.texts["bits"]) != "32" || noFlags && wide != (t == tInt):
		return m.jsonReader.fail("the bits of this number are 32 or 64")
	case t == tFloat && wide:
		comp = tFloat64
	case t == tFloat:
		comp = tFloat32
	case wide:
		comp = tInt64
	}
	if digits, ok := o.texts["hex"]; ok {
		b, err := m.fromHex(digits)
		if err == nil && int64(len(b)) != width(comp) {
			err = m.jsonReader.fail("these are not the bits of the number")
		}
		m.out = append(m.out, b...)
		return err
	}
	bits, err := m.bits(&l, comp)
	m.out = appendComponent(m.out, comp, bits)
	return m.told(err)
}
