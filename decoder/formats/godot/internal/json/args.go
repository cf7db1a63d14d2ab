package json

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// components writes a vector or a packed array of numbers or vectors.
func (m *importer) components(o *jsonObject, t types.ID) {
	info := types.Of(t)
	wide, flags := string(o.texts["bits"]) == "64", uint32(0)
	if wide {
		flags = types.WideFlag
	}
	if wide && (!info.Wide || !m.Format.Dialect.WideParts) {
		m.Fail("%s of %s cannot have 64-bit components", info.Name, m.Format.Dialect.Title)
	}
	m.Header(t, flags)
	countAt := len(m.Out)
	if info.Shape != types.ShapeFixed {
		m.U32(0)
	}
	at, comp, n := len(m.Out), m.Format.Component(info, wide), int64(0)
	m.Items(func(i int64) {
		m.component(info, comp)
		n = i + 1
	})
	each, message := int64(max(1, len(info.Parts))), info.CountMismatch(info.Name, n)
	switch {
	case m.Err != nil:
	case message != "":
		m.Fail("%s", message)
	case n/each > math.MaxUint32:
		m.Fail("%s may have at most %d elements", info.Name, uint32(math.MaxUint32))
	case info.Shape != types.ShapeFixed:
		binary.LittleEndian.PutUint32(m.Out[countAt:], uint32(n/each))
	case t == types.Basis, t == types.Transform, t == types.Transform3D:
		columnsToRows(m.Out[at:], int(types.Width(comp)))
	}
	if info.Shape == types.ShapeBytes {
		m.Pad(int(n & 3))
	}
}

// columnsToRows reorders the numbers of a Basis, which are in columns in JSON and in rows
// in a file.
func columnsToRows(numbers []byte, size int) {
	columns := slices.Clone(numbers)
	for k := range 9 {
		copy(numbers[k*size:][:size], columns[(k%3*3+k/3)*size:])
	}
}

// component reads a number and writes it as a component. Whole numbers may be written as floats.
func (m *importer) component(info *types.Type, comp types.ID) {
	number := ""
	switch c := m.Next(); {
	case notation.BeginsNumber(c):
		number = m.Word()
	case c == '"':
		number = string(m.Quoted())
	}
	if number == "" || !notation.BeginsNumber(number[0]) && !literal.IsSpecial(number) {
		m.Fail("%s has args that are numbers", info.Name)
	}
	l := m.numberLiteral(number)
	if whole := strings.TrimSuffix(number, ".0"); comp != types.Float32 && comp != types.Float64 && len(whole) < len(number) {
		number = whole
		l = literal.Literal{Kind: types.Int, End: int32(len(whole))}
	}
	m.bits(number, &l, comp)
}

// container writes the type and the args of a container.
func (m *importer) container(o *jsonObject, t types.ID) {
	l := &literal.Literal{Kind: t, Parts: &literal.Parts{}}
	each, mark, isTexts := int64(1), uint32(0), types.Of(t).Shape == types.ShapeStrings
	if t == types.Dictionary {
		each, l.Elem, l.Value = 2, m.containerType(o, t, "key"), m.containerType(o, t, "value")
	} else {
		l.Elem = m.containerType(o, t, "elem")
	}
	if l.Elem.Kind|l.Value.Kind != types.KindNone && !m.Format.Dialect.Typed && types.Of(t).Shape != types.ShapeTyped {
		m.Fail("%s has no typed %s", m.Format.Dialect.Title, types.Of(t).Name)
	}
	if o.is("shared") && types.HasSharedBit(t) {
		mark = types.SharedBit
	}
	m.ContainerHeader(l)
	if o.list == "" {
		m.U32(mark)
		return
	}
	n := m.counted(each, mark, func(int64) {
		if isTexts {
			m.Entry(m.textOrHex(), true)
		} else {
			m.value()
		}
	})
	if n%each != 0 {
		m.Fail("the value of the last key is missing")
	}
}

// containerType returns the type that members declare for elements, keys or values.
func (m *importer) containerType(o *jsonObject, t types.ID, of string) types.ContainerType {
	name := string(o.texts[of+"_type"])
	c := m.Format.Dialect.ContainerNamed(t, name)
	kind, ok := o.texts[of+"_kind"]
	if !ok {
		return c
	}
	for i, k := range types.ContainerKinds {
		if i > 0 && k == string(kind) {
			c = types.ContainerType{Kind: uint16(i), Name: name}
		}
	}
	if c.Kind == types.KindBuiltin && m.Format.Dialect.ContainerNamed(t, name).Kind != types.KindBuiltin || c.Kind == types.KindNone ||
		c.Kind == types.KindScript && types.Of(t).Shape == types.ShapeTyped {
		m.Fail("%q is not a valid %s of elements", variant.Printable([]byte(name)), variant.Printable(kind))
	}
	return c
}
