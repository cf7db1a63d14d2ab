package json

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varview/decoder/engine/background"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
	"varview/decoder/value/notation"
)

// Import writes the block that a value in the typed form describes, as written by literal.Writing: byte for byte
// the original block, except for what followed its footer, constructors' names of more than 1024 bytes and
// tags "any" of other versions. A value that does not name the version of its block gets the given version,
// or the newest if that is nil. If a schema allows any type, the type comes from "tagged" or, if that is
// missing, from the libraries. The block is held in memory until it is complete.
func Import(ctx context.Context, in io.Reader, out io.Writer, r *block.Rules, libraries []*gml.Library) error {
	return importTyped(ctx, in, out, r, libraries, false)
}

// Convert writes a block in another version. An error names the value that the
// version cannot express.
func Convert(ctx context.Context, r *tree.Reader, to *block.Rules, out io.Writer) error {
	f, ok := block.Of(r.Tree.Reading)
	if !ok {
		return errors.New("only an Elephant block can be converted to another version of Elephant")
	}
	from, typed := io.Pipe()
	writing := background.Start(func() {
		defer typed.CloseWithError(io.ErrUnexpectedEOF) // after a panic
		typed.CloseWithError(literal.Writing{Reading: f}.WriteTyped(ctx, typed, r, &r.Tree.Base.Value))
	})
	err := importTyped(ctx, from, out, to, nil, true)
	from.CloseWithError(io.ErrClosedPipe)
	writing.Wait()
	return err
}

func importTyped(ctx context.Context, in io.Reader, out io.Writer, r *block.Rules, libraries []*gml.Library, converts bool) error {
	if r == nil {
		r = &block.Versions()[0]
	}
	i := importer{JSONReader: notation.NewJSONReader(ctx, in), converts: converts, schemas: libraries,
		indexes: map[ctorKey]uint16{}, named: map[uint16]bool{}}
	i.Strict = true
	i.use(r)
	i.value(spot{of: datatype.Any})
	if i.Next() != 0 {
		i.Fail("the value ends before this")
	}
	if i.Err != nil {
		return i.Err
	}
	if i.footed {
		i.b = append(i.b, block.MagicFooter...)
	}
	_, err := out.Write(i.b)
	return err
}

// An importer writes a block from the typed form.
type importer struct {
	*notation.JSONReader
	converts bool // leave out what is particular to the original version
	schemas  block.Schemas
	rules    *block.Rules
	footed   bool
	any      byte // the tag "any", which tells the set of tags in use
	b        []byte
	path     []pathPart
	indexes  map[ctorKey]uint16 // indexes of constructors in a converted block
	named    map[uint16]bool
}

// A ctorKey identifies a constructor of the block that is converted.
type ctorKey struct {
	name  string
	index int
}

// A pathPart is a member or an element.
type pathPart struct {
	name  []byte // nil for an element
	index int
}

// A spot is the place of a value in the block; of is Any after a tag.
type spot struct {
	of     datatype.ID
	schema bool // the place is a member of a schema, and the value says whether it has a tag
	tagged bool // the schema says that it has a tag
}

// isTagged reports whether a value has a tag there.
func (at spot) isTagged(f *form) bool {
	return at.of == datatype.Any && (!at.schema || at.tagged || f.tagged)
}

// use sets the rules by which the block is written, as the library would write it.
func (i *importer) use(r *block.Rules) {
	i.rules, i.footed = r, r.Version >= 0x10200
	i.any = byte(datatype.Any)
	if !r.HighTags {
		i.any = byte(datatype.Any - block.TagShift)
	}
	i.b = append([]byte(r.Magic()), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(i.b[4:], r.Version)
}

// fail records an error at the value that is being read. Fail would name its place in the JSON, which a
// conversion does not have.
func (i *importer) fail(format string, args ...any) {
	if i.Err == nil {
		i.Err = fmt.Errorf("%s: %s", i.where(), fmt.Sprintf(format, args...))
	}
}

// where returns the path of the value that is being read.
func (i *importer) where() string {
	path := []byte{'$'}
	for _, part := range i.path {
		if part.name != nil {
			path = tree.AppendTextStep(path, part.name)
		} else {
			path = tree.AppendIndexStep(path, int64(part.index))
		}
	}
	return string(path)
}

// header reads what the root says about its block.
func (i *importer) header() {
	version, magic := "", []byte(nil)
	var footed bool
	tags := 0
	i.Members(func(key string) {
		switch key {
		case "version":
			version = string(i.Quoted())
		case "header":
			magic = i.Quoted()
		case "footer":
			footed = i.Word() == "true"
		case "tags":
			tags = i.whole(255)
		default:
			i.Skip()
		}
	})
	if i.Err != nil || i.converts {
		return
	}
	number, ok := parseVersion(version)
	switch {
	case len(i.path) > 0:
		i.fail(`"elephant" belongs to the root`)
	case !ok:
		i.fail(`"version" %s is not a version such as 1.5.1`, literal.Shown(version))
	case tags != 14 && tags != 204:
		i.fail(`"tags" must be 14 or 204`)
	case len(magic) != 4:
		i.fail(`"header" must have 4 characters`)
	default:
		r, _ := block.ByVersion(number)
		i.use(r)
		copy(i.b, magic)
		binary.LittleEndian.PutUint32(i.b[4:], number)
		i.footed, i.any = footed, byte(tags)
	}
}

// parseVersion returns the number of a version such as 1.5.1.
func parseVersion(text string) (uint32, bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return 0, false
	}
	version := uint32(0)
	for i, bits := range []int{16, 8, 8} {
		n, err := strconv.ParseUint(parts[i], 10, bits)
		if err != nil {
			return 0, false
		}
		version = version<<bits | uint32(n)
	}
	return version, true
}

// whole reads a number from 0 to most.
func (i *importer) whole(most int) int {
	word := i.Word()
	n, err := strconv.Atoi(word)
	if i.Err == nil && (err != nil || n < 0 || n > most) {
		i.fail("%s is not a number from 0 to %d", literal.Shown(word), most)
	}
	return n
}

// tag returns the tag byte of a type in this block.
func (i *importer) tag(t datatype.ID) byte {
	if t >= datatype.Any && t <= datatype.Undefined {
		return i.any + byte(t-datatype.Any)
	}
	return byte(t)
}

func (i *importer) u16(n int) { i.b = binary.LittleEndian.AppendUint16(i.b, uint16(n)) }

// A form is what the typed form says about a value before the value's contents.
type form struct {
	of      datatype.ID
	isRef   bool
	any     int         // number of tags "any" before the value's own
	tagged  bool        // a member of a schema has a tag
	tag     int         // the tag, if it is one of other versions; otherwise -1
	elem    datatype.ID // 0 for an empty array
	elemTag int
	ref     int

	ctor       []byte
	isCtor     bool
	index      int // index of the constructor; -1 if not given
	version    int
	verbose    bool
	hasVerbose bool // verbose was given
	skipped    []int

	text   []byte // text of a scalar
	word   string
	isText bool
	byte   int    // byte of an unusual bool; otherwise -1
	hex    []byte // bits of an unusual NaN
	done   bool   // its value was read
}

// value reads a value and writes it.
func (i *importer) value(at spot) {
	if len(i.path) > tree.MaxDepth {
		i.fail("more than %d levels of nesting", tree.MaxDepth)
	}
	f := form{tag: -1, elemTag: -1, index: -1, byte: -1, ref: -1}
	i.Members(func(key string) { i.member(&f, at, key) })
	switch {
	case i.Err != nil:
	case f.of == 0:
		i.fail(`a value must have a "type"`)
	case f.isRef:
		i.reference(&f, at)
	case f.of == datatype.Array || f.of == datatype.Struct:
		if !f.done {
			i.fail(`%s must have a "value"`, datatype.Name(f.of))
		}
	case !f.done && f.of != datatype.Undefined:
		i.fail(`%s must have a "value"`, datatype.Name(f.of))
	default:
		i.begin(&f, at)
		i.scalar(&f)
	}
}

// member reads a member of a form.
func (i *importer) member(f *form, at spot, key string) {
	if f.done && (f.of == datatype.Array || f.of == datatype.Struct) && (f.late(key)) {
		i.fail(`"%s" must come before "value"`, key)
		return
	}
	if n, most := f.number(key); n != nil {
		*n = i.whole(most)
		f.isCtor = f.isCtor || n == &f.index
		return
	}
	switch key {
	case "type":
		i.typeOf(f)
	case "tagged":
		f.tagged = i.Word() == "true"
	case "elem":
		f.elem = i.typeName()
	case "kind":
		f.of = i.typeName()
	case "elephant":
		i.header()
	case "hex":
		var err error
		if f.hex, err = hex.DecodeString(string(i.Quoted())); err != nil {
			i.fail(`"hex" must have an even number of hexadecimal digits`)
		}
	case "value":
		i.content(f, at)
	default:
		i.ctorMember(f, key)
	}
}

// number returns the member of a form that is a number from 0 to most; nil for other members.
func (f *form) number(key string) (n *int, most int) {
	switch key {
	case "any":
		return &f.any, block.MaxAny
	case "tag":
		return &f.tag, 255
	case "elem_tag":
		return &f.elemTag, 255
	case "byte":
		return &f.byte, 255
	case "ref":
		return &f.ref, block.MarkRef
	case "constructor_index":
		return &f.index, block.MarkRef
	}
	return nil, 0
}

// ctorMember reads a member that says how a struct with a constructor is stored, and skips all others.
func (i *importer) ctorMember(f *form, key string) {
	switch key {
	case "constructor":
		if i.Next() == '"' {
			f.ctor, f.isCtor = i.Quoted(), true
		} else {
			i.Word()
		}
	case "schema_version":
		if word := i.Word(); word != "null" {
			f.version, _ = strconv.Atoi(word)
		}
	case "verbose":
		f.verbose, f.hasVerbose = i.Word() == "true", true
	case "skipped":
		i.Items(func(int64) { f.skipped = append(f.skipped, i.whole(block.MarkRef)) })
	default:
		i.Skip()
	}
}

// late reports whether a member must be known before the values in a container are written.
func (f *form) late(key string) bool {
	switch key {
	case "id", "ref", "byte", "hex":
		return false
	case "type", "any", "tagged", "tag", "elem_tag", "elem", "kind", "constructor", "constructor_index", "schema_version", "verbose", "skipped", "elephant", "value":
		return true
	}
	return false
}

// typeOf reads the type of a value.
func (i *importer) typeOf(f *form) {
	switch name := string(i.Quoted()); name {
	case "ref":
		f.isRef = true
	case "damaged":
		i.fail("a value that could not be read cannot be written")
	default:
		if f.of = datatype.ByName(name); f.of == 0 || f.of == datatype.Any || f.of&datatype.CtorElement != 0 {
			i.fail("%s is not a type", literal.Shown(name))
		}
	}
}

// typeName reads the name of a type, or null.
func (i *importer) typeName() datatype.ID {
	if i.Next() != '"' {
		i.Word()
		return 0
	}
	name := string(i.Quoted())
	t := datatype.ByName(name)
	if t == 0 {
		i.fail("%s is not a type", literal.Shown(name))
	}
	return t
}

// content reads the "value" of a form.
func (i *importer) content(f *form, at spot) {
	f.done = true
	switch {
	case f.of == datatype.Array:
		i.array(f, at)
	case f.of == datatype.Struct:
		i.structure(f, at)
	case i.Next() == '"':
		f.text, f.isText = i.Quoted(), true
	default:
		f.word = i.Word()
	}
}

// begin writes the tags of a value.
func (i *importer) begin(f *form, at spot) {
	if !at.isTagged(f) {
		if !at.schema && at.of != i.typeAt(f) {
			i.fail("%s in an array of %s", datatype.Name(i.typeAt(f)), datatype.Name(at.of))
		}
		return
	}
	if !i.converts {
		for range f.any {
			i.b = append(i.b, i.any)
		}
		if f.tag >= 0 {
			i.b = append(i.b, byte(f.tag))
			return
		}
	}
	i.b = append(i.b, i.tag(i.typeAt(f)))
}

// scalar writes the payload of a value without children.
func (i *importer) scalar(f *form) {
	n := datatype.Width(f.of)
	switch {
	case i.Err != nil || f.of == datatype.Undefined:
		return
	case datatype.IsText(f.of):
		if !f.isText || bytes.IndexByte(f.text, 0) >= 0 {
			i.fail("%s must be a text without NUL", datatype.Name(f.of))
		}
		i.b = append(append(i.b, f.text...), 0)
		return
	case f.hex != nil:
		if int64(len(f.hex)) != n {
			i.fail(`"hex" of %s must have %d bytes`, datatype.Name(f.of), n)
		}
		i.b = append(i.b, f.hex...)
		return
	}
	bits, ok := i.bits(f)
	if !ok {
		i.fail("%s is not a valid %s", literal.Shown(f.word+string(f.text)), datatype.Name(f.of))
	}
	i.b = append(i.b, binary.LittleEndian.AppendUint64(nil, bits)[:n]...)
}

// bits returns the bits of a number or bool.
func (i *importer) bits(f *form) (uint64, bool) {
	if f.of == datatype.Bool {
		switch {
		case f.byte >= 0:
			return uint64(f.byte), true
		case f.word == "true":
			return 1, true
		}
		return 0, f.word == "false"
	}
	text := f.word
	if f.isText {
		switch text = string(f.text); text {
		case "NaN":
			text = "nan"
		case "Infinity":
			text = "inf"
		case "-Infinity":
			text = "-inf"
		}
	}
	x, ok := literal.ParseNumeral(text)
	if !ok {
		return 0, false
	}
	bits, message := x.As(f.of)
	return bits, message == ""
}
