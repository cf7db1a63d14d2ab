package json

import (
	"encoding/hex"
	"strconv"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/tree"
)

// A form is what the typed form says about a value before the contents of the value.
type form struct {
	of      datatype.ID
	isRef   bool
	any     int         // how many tags any precede the value's own
	tagged  bool        // a member of a schema has a tag
	tag     int         // the tag, if it is one of other versions; otherwise -1
	elem    datatype.ID // 0 for an empty array
	elemTag int
	ref     int

	ctor       []byte
	isCtor     bool
	index      int // of the constructor, -1 if it is not given
	version    int
	verbose    bool
	hasVerbose bool // verbose was given
	skipped    []int

	text   []byte // of a scalar
	word   string
	isText bool
	byte   int    // of an unusual bool, otherwise -1
	hex    []byte // of an unusual NaN
	done   bool   // its value was read
}

// value reads a value and writes it.
func (i *importer) value(at spot) {
	if len(i.path) > tree.MaxDepth {
		i.fail("more than %d levels of nesting", tree.MaxDepth)
	}
	f := form{tag: -1, elemTag: -1, index: -1, byte: -1, ref: -1}
	i.j.members(func(key string) { i.member(&f, at, key) })
	switch {
	case i.j.err != nil:
	case f.of == 0:
		i.fail(`a value has a "type"`)
	case f.isRef:
		i.reference(&f, at)
	case f.of == datatype.Array || f.of == datatype.Struct:
		if !f.done {
			i.fail(`%s has a "value"`, datatype.Name(f.of))
		}
	case !f.done && f.of != datatype.Undefined:
		i.fail(`%s has a "value"`, datatype.Name(f.of))
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
	switch key {
	case "type":
		i.typeOf(f)
	case "any":
		f.any = i.whole(block.MaxAny)
	case "tagged":
		f.tagged = i.j.word() == "true"
	case "tag":
		f.tag = i.whole(255)
	case "elem_tag":
		f.elemTag = i.whole(255)
	case "elem":
		f.elem = i.typeName()
	case "kind":
		f.of = i.typeName()
	case "ref":
		f.ref = i.whole(block.MarkRef)
	case "constructor":
		if i.j.next() == '"' {
			f.ctor, f.isCtor = i.j.text(), true
		} else {
			i.j.word()
		}
	case "constructor_index":
		f.index, f.isCtor = i.whole(block.MarkRef), true
	case "schema_version":
		if word := i.j.word(); word != "null" {
			f.version, _ = strconv.Atoi(word)
		}
	case "verbose":
		f.verbose, f.hasVerbose = i.j.word() == "true", true
	case "skipped":
		i.j.items(func() { f.skipped = append(f.skipped, i.whole(block.MarkRef)) })
	case "elephant":
		i.header()
	case "byte":
		f.byte = i.whole(255)
	case "hex":
		var err error
		if f.hex, err = hex.DecodeString(string(i.j.text())); err != nil {
			i.fail(`"hex" has an even number of hexadecimal digits`)
		}
	case "value":
		i.content(f, at)
	default:
		i.j.skip()
	}
}

// late reports whether a member says something that must be known before the values in a
// container are written.
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
	switch name := string(i.j.text()); name {
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
	if i.j.next() != '"' {
		i.j.word()
		return 0
	}
	name := string(i.j.text())
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
	case i.j.next() == '"':
		f.text, f.isText = i.j.text(), true
	default:
		f.word = i.j.word()
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
