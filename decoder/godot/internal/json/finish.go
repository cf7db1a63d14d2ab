package json

import (
	"strconv"
	"strings"

	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
)

// finish writes the value of an object whose members have all been read.
func (m *importer) finish(o *jsonObject) error {
	if o.props {
		return m.finishObject(o)
	}
	name := string(o.typ)
	if name == "Damaged" {
		return m.Fail("damaged bytes (%s) cannot be imported: the JSON does not hold them", variant.Printable(o.texts["problem"]))
	}
	t, ok := m.Format.Dialect.TypeNamed(name)
	if !ok {
		return m.Fail("there is no type %s, and an object of a class has props", variant.Printable(o.typ))
	}
	if !m.Format.Dialect.Has(t) {
		return m.Fail("%s has no %s", m.Format.Dialect.Title, types.Of(t).Name)
	}
	switch types.Of(t).Shape {
	case types.ShapeNumber:
		return m.fill(o.head, func() error { return m.number(o, t) })
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		return m.fill(o.head, func() error { return m.components(o, t) })
	case types.ShapeArray, types.ShapeDict, types.ShapeTyped, types.ShapeStrings:
		return m.container(o, t)
	}
	return m.fill(o.head, func() error { return m.plain(o, t) })
}

// finishObject writes the class of an object before its properties, or only its id.
func (m *importer) finishObject(o *jsonObject) error {
	if !m.Format.Dialect.Has(types.Object) {
		return m.Fail("%s has no Object", m.Format.Dialect.Title)
	}
	if o.flags["as_id"] {
		id, err := strconv.ParseInt(strings.TrimPrefix(string(o.id), "i:"), 10, 64)
		if err != nil || m.Format.Dialect.NoFlags {
			return m.Fail(`an object stored as its id has the property "object_id", an int`)
		}
		m.Out, m.holes = m.Out[:o.start], m.holes[:o.head+1]
		return m.fill(o.head, func() error {
			return m.literal("", &literal.Literal{Kind: types.Object, Parts: &literal.Parts{ID: uint64(id), ByID: true}})
		})
	}
	if len(o.typ) == 0 {
		return m.Fail("an object with properties has a class")
	}
	return m.fill(o.head, func() error {
		m.Header(types.Object, 0)
		m.PutString(o.typ)
		m.U32(uint32(o.n / 2))
		return nil
	})
}

// plain writes a value without args or properties.
func (m *importer) plain(o *jsonObject, t types.ID) error {
	l := &literal.Literal{Kind: t, Parts: &literal.Parts{}}
	var err error
	switch types.Of(t).Shape {
	case types.ShapeText:
		l.Text, err = m.fromHex(o.texts["hex"])
	case types.ShapePath:
		if o.lists["names"] != nil || o.lists["subnames"] != nil || o.texts["old"] != nil {
			return m.path(o)
		}
		return m.Fail("a NodePath in this form has names and subnames")
	case types.ShapeRID:
		if id, ok := o.texts["id"]; ok {
			l.ID, err = m.unsigned(id)
		}
	case types.ShapeSignal:
		l.Text = o.texts["name"]
		if id, ok := o.texts["object_id"]; ok {
			l.ID, err = m.unsigned(id)
		}
	case types.ShapeNone, types.ShapeObject:
	default:
		return m.Fail("%s has another form", types.Of(t).Name)
	}
	if err != nil {
		return err
	}
	return m.literal("", l)
}

func (m *importer) unsigned(digits []byte) (uint64, error) {
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, m.Fail("an id is a number from 0 to 18446744073709551615")
	}
	return n, nil
}

// path writes a NodePath that np: cannot express.
func (m *importer) path(o *jsonObject) error {
	m.Header(types.NodePath, 0)
	if old, ok := o.texts["old"]; ok {
		m.PutString(old)
		return nil
	}
	flags := uint64(0)
	if o.flags["absolute"] {
		flags = 1
	}
	if text, ok := o.texts["flags"]; ok {
		var err error
		if flags, err = strconv.ParseUint(string(text), 10, 32); err != nil {
			return m.Fail("the flags of a NodePath have 32 bits")
		}
	}
	names, subnames := o.lists["names"], o.lists["subnames"]
	count := len(subnames)
	if flags&2 != 0 { // counts one more
		if count--; count < 0 {
			return m.Fail("the flags say that there is a subname")
		}
	}
	m.U32(uint32(len(names)) | types.SharedBit)
	m.U32(uint32(count))
	m.U32(uint32(flags))
	for _, part := range append(names[:len(names):len(names)], subnames...) {
		m.PutString(part)
	}
	return nil
}

// number writes an int or float in a width that an engine would not choose.
func (m *importer) number(o *jsonObject, t types.ID) error {
	l, err := m.numberLiteral(string(o.texts["value"]))
	if err != nil {
		return err
	}
	m.Text = string(o.texts["value"])
	wide, noFlags := string(o.texts["bits"]) == "64", m.Format.Dialect.NoFlags
	flags := uint32(0)
	if wide && !noFlags {
		flags = types.WideFlag
	}
	m.Header(t, flags)
	comp := types.ID(types.Int32)
	switch {
	case !wide && string(o.texts["bits"]) != "32" || noFlags && wide != (t == types.Int):
		return m.Fail("the bits of this number are 32 or 64")
	case t == types.Float && wide:
		comp = types.Float64
	case t == types.Float:
		comp = types.Float32
	case wide:
		comp = types.Int64
	}
	if digits, ok := o.texts["hex"]; ok {
		b, err := m.fromHex(digits)
		if err == nil && int64(len(b)) != types.Width(comp) {
			err = m.Fail("these are not the bits of the number")
		}
		m.Out = append(m.Out, b...)
		return err
	}
	bits, err := m.Bits(&l, comp)
	m.Out = numeric.AppendBinary(m.Out, comp, bits)
	return m.locate(err)
}
