package json

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// A jsonObject is a value in the form of an object, as far as it has been read.
type jsonObject struct {
	typ   []byte            // nil until it is known
	texts map[string][]byte // other members: texts, numbers, true and false
	parts [2][][]byte       // names and subnames of a NodePath
	list  string            // "args" or "props", once there are any
	later *notation.Raw     // these, if the type follows them
	read  bool              // they have been written, and what precedes them
	start int               // length of the encoded bytes before the value
	id    []byte            // id of an object that is stored as its id
}

// is reports whether a member is true.
func (o *jsonObject) is(name string) bool { return string(o.texts[name]) == "true" }

// isPlain is said of an object of which no type is known.
const isPlain = `: plain JSON, as "export --json" prints it, lacks the types and cannot be imported; with --from plain it gets those of JSON`

// object reads a value in the form of an object.
func (m *importer) object() {
	o := &jsonObject{start: len(m.Out), texts: map[string][]byte{}}
	m.Members(func(name string) { m.member(o, name) })
	switch {
	case o.typ == nil:
		m.Fail(`this has no "type"` + isPlain)
	case o.later != nil:
		m.Reread(*o.later, func() { m.contents(o) })
	}
	if m.Err == nil {
		m.finish(o)
	}
}

func (m *importer) member(o *jsonObject, name string) {
	switch name {
	case "type":
		if o.typ != nil {
			m.Fail("type is repeated")
		}
		o.typ = m.textOrHex()
	case "args", "props":
		if o.list != "" {
			m.Fail("args or props are repeated")
		}
		if o.list = name; o.typ == nil {
			raw := m.Raw()
			o.later = &raw
			return
		}
		m.contents(o)
	case "names":
		o.parts[0] = m.list()
	case "subnames":
		o.parts[1] = m.list()
	case "elem_type", "key_type", "value_type", "elem_kind", "key_kind", "value_kind", "bits", "shared":
		if o.read {
			m.Fail("%q must come before %q", name, o.list)
		}
		o.texts[name] = m.attribute()
	case "value", "hex", "id", "name", "object_id", "old", "problem", "flags", "offset", "absolute", "as_id":
		o.texts[name] = m.attribute()
	default:
		why := ""
		if o.typ == nil {
			why = isPlain
		}
		m.Fail("%q does not belong here%s", variant.Printable([]byte(name)), why)
	}
}

// list reads a list of texts.
func (m *importer) list() [][]byte {
	list := [][]byte{}
	m.Items(func(int64) { list = append(list, m.textOrHex()) })
	return list
}

// attribute reads a member that is a text, number or bool.
func (m *importer) attribute() []byte {
	c := m.Next()
	if c == '"' || c == '{' {
		return m.textOrHex()
	}
	word := m.Word()
	if !notation.BeginsNumber(c) && word != "true" && word != "false" {
		m.Fail("a value is expected here")
	}
	return []byte(word)
}

// textOrHex reads a string, or {"type":"String","hex":"…"} for one that is not valid UTF-8.
func (m *importer) textOrHex() (text []byte) {
	if m.Next() != '{' {
		return m.Quoted()
	}
	m.Members(func(name string) {
		digits := m.Quoted()
		switch {
		case name == "type" && string(digits) == "String":
		case name != "hex":
			m.Fail("a text is expected here")
		default:
			text = m.fromHex(digits)
		}
	})
	if text == nil {
		m.Fail("a text is expected here")
	}
	return text
}

func (m *importer) fromHex(digits []byte) []byte {
	text := make([]byte, len(digits)/2)
	if _, err := hex.Decode(text, digits); err != nil {
		m.Fail("an even number of hex digits is expected here")
	}
	return text
}

// typeOf returns the type of an object without props.
func (m *importer) typeOf(o *jsonObject) types.ID {
	name := string(o.typ)
	if name == "Damaged" {
		m.Fail("damaged bytes (%s) cannot be imported: the JSON does not hold them", variant.Printable(o.texts["problem"]))
	}
	t, ok := m.Format.Dialect.TypeNamed(name)
	if !ok {
		m.Fail("there is no type %s, and an object of a class has props", variant.Printable(o.typ))
	}
	m.has(t)
	return t
}

// contents reads args or props, and writes them after what precedes them.
func (m *importer) contents(o *jsonObject) {
	o.read = true
	if o.list == "props" {
		m.properties(o)
		return
	}
	switch t := m.typeOf(o); types.Of(t).Shape {
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		m.components(o, t)
	case types.ShapeArray, types.ShapeDict, types.ShapeTyped, types.ShapeStrings:
		m.container(o, t)
	default:
		m.Fail("%s has no args", types.Of(t).Name)
	}
}

// properties reads the names and values of an object's properties.
func (m *importer) properties(o *jsonObject) {
	if m.has(types.Object); len(o.typ) == 0 {
		m.Fail("an object with properties must have a class")
	}
	m.Header(types.Object, 0)
	m.PutString(o.typ)
	var name []byte
	n := m.counted(2, 0, func(i int64) {
		switch {
		case i%2 == 0:
			name = m.textOrHex()
			m.PutString(name)
		case m.Next() == '"':
			text := m.Quoted()
			if string(name) == types.ObjectID {
				o.id = text
			}
			m.tagged(text)
		default:
			m.value()
		}
	})
	if n%2 != 0 {
		m.Fail("the value of the last property is missing")
	}
}

// finish writes the value of an object whose members have all been read, unless that is done.
func (m *importer) finish(o *jsonObject) {
	switch {
	case o.list == "props" && o.is("as_id"):
		id, err := strconv.ParseInt(strings.TrimPrefix(string(o.id), "i:"), 10, 64)
		if err != nil || m.Format.Dialect.NoFlags {
			m.Fail(`an object stored as its id must have the property "object_id", an int`)
		}
		m.Out = m.Out[:o.start]
		m.literal("", literal.Literal{Kind: types.Object, Parts: &literal.Parts{ID: uint64(id), ByID: true}})
	case o.read:
	default:
		m.plain(o, m.typeOf(o))
	}
}

// plain writes a value without args or properties.
func (m *importer) plain(o *jsonObject, t types.ID) {
	l := literal.Literal{Kind: t, Parts: &literal.Parts{}}
	switch types.Of(t).Shape {
	case types.ShapeNumber:
		m.number(o, t)
		return
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		m.Fail("%s has args that are numbers", types.Of(t).Name)
	case types.ShapeArray, types.ShapeDict, types.ShapeTyped, types.ShapeStrings:
		m.container(o, t)
		return
	case types.ShapeText:
		l.Text = m.fromHex(o.texts["hex"])
	case types.ShapePath:
		m.path(o)
		return
	case types.ShapeRID:
		l.ID = m.unsigned(o.texts["id"])
	case types.ShapeSignal:
		l.Text, l.ID = o.texts["name"], m.unsigned(o.texts["object_id"])
	case types.ShapeNone, types.ShapeObject:
	default:
		m.Fail("%s has another form", types.Of(t).Name)
	}
	m.literal("", l)
}

// unsigned parses an id, 0 if there is none.
func (m *importer) unsigned(digits []byte) uint64 {
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil && digits != nil {
		m.Fail("an id must be a number from 0 to 18446744073709551615")
	}
	return n
}

// path writes a NodePath that np: cannot express.
func (m *importer) path(o *jsonObject) {
	m.Header(types.NodePath, 0)
	old, isOld := o.texts["old"]
	names, subnames := o.parts[0], o.parts[1]
	switch {
	case isOld:
		m.PutString(old)
		return
	case names == nil && subnames == nil:
		m.Fail("a NodePath in this form must have names and subnames")
	}
	flags := uint64(0)
	if o.is("absolute") {
		flags = 1
	}
	if text, ok := o.texts["flags"]; ok {
		var err error
		if flags, err = strconv.ParseUint(string(text), 10, 32); err != nil {
			m.Fail("the flags of a NodePath must fit 32 bits")
		}
	}
	count := len(subnames)
	if flags&2 != 0 { // counts one more
		if count--; count < 0 {
			m.Fail("the flags say that there is a subname")
		}
	}
	m.U32(uint32(len(names)) | types.SharedBit)
	m.U32(uint32(count))
	m.U32(uint32(flags))
	for _, part := range slices.Concat(names, subnames) {
		m.PutString(part)
	}
}

// number writes an int or float in a width that an engine would not choose.
func (m *importer) number(o *jsonObject, t types.ID) {
	number, bits := string(o.texts["value"]), string(o.texts["bits"])
	l := m.numberLiteral(number)
	wide, noFlags := bits == "64", m.Format.Dialect.NoFlags
	if !wide && bits != "32" || noFlags && wide != (t == types.Int) {
		m.Fail("the bits of this number must be 32 or 64")
	}
	flags, comp := uint32(0), types.ID(types.Int32)
	if wide && !noFlags {
		flags = types.WideFlag
	}
	switch {
	case t == types.Float && wide:
		comp = types.Float64
	case t == types.Float:
		comp = types.Float32
	case wide:
		comp = types.Int64
	}
	m.Header(t, flags)
	if digits, ok := o.texts["hex"]; ok {
		b := m.fromHex(digits)
		if int64(len(b)) != types.Width(comp) {
			m.Fail("these are not the bits of the number")
		}
		m.Out = append(m.Out, b...)
		return
	}
	m.bits(number, &l, comp)
}

// bits writes a number as one of type comp.
func (m *importer) bits(number string, l *literal.Literal, comp types.ID) {
	if m.Err == nil {
		m.Text = number
		bits, err := m.Bits(l, comp)
		m.Out = numeric.AppendBinary(m.Out, comp, bits)
		m.locate(err)
	}
}

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
