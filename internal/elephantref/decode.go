package elephantref

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// A File is a decoded block.
type File struct {
	Header  string // the first four bytes: ATMC or PELE
	Version Version
	Footer  bool // the block ends in TNAH
	Tags    int  // Tags14 or Tags204; a 1.4.0 file without a telling tag counts as Tags204
	Root    *Value
	Size    int // bytes of the block; input after it does not belong to it

	fields []field
}

// Decode reads the block that data begins with. Schemas must name every
// constructor in it (in 1.0.0, those with a schema body); if nil, names are not
// looked up and only verbose bodies can be read. All errors are of type *Error.
func Decode(data []byte, schemas Schemas) (file *File, err error) {
	d := &decoder{data: data, schemas: schemas, file: &File{}, names: map[int]string{}}
	defer func() {
		if failure := recover(); failure != nil {
			e, ok := failure.(*Error)
			if !ok {
				panic(failure)
			}
			file, err = nil, e
		}
	}()
	d.block()
	return d.file, nil
}

// A decoder gives up by panicking with an *Error, which Decode catches.
type decoder struct {
	data    []byte
	at      int
	schemas Schemas
	file    *File
	names   map[int]string // constructors by index
	started []*Value       // arrays and structs by reference number
	depth   int
	values  int
}

func (d *decoder) fail(offset int, format string, args ...any) {
	panic(&Error{offset, fmt.Sprintf(format, args...)})
}

func (d *decoder) block() {
	f := d.file
	root := d.newValue(Value{})
	f.Root = root
	f.Header = string(d.take(root, 4, "magic"))
	f.Version = Version(binary.LittleEndian.Uint32(d.take(root, 4, "version")))
	d.frame()
	d.any(root)
	if f.Footer {
		at := d.at
		if string(d.take(root, 4, "magic")) != "TNAH" {
			d.fail(at, "footer mismatch")
		}
	}
	if f.Tags == 0 {
		f.Tags = tags204
	}
	f.Size = d.at
	if rest := len(d.data) - d.at; rest > 0 {
		d.take(root, rest, "gap")
	}
}

// frame checks the header, and derives the rest of the frame from it (sections 1
// and 8).
func (d *decoder) frame() {
	f := d.file
	switch f.Version {
	case V100, V110, V120, V121, V130:
		f.Tags = tags14
	case V140: // known from the first tag that is in one set only
	case V150, V151:
		f.Tags = tags204
	default:
		d.fail(4, "unsupported version %v", f.Version)
	}
	switch {
	case f.Header == "ATMC" && f.Version <= V110:
	case f.Header == "PELE" && f.Version >= V110: // 1.1.0 in development builds
		f.Footer = true
	default:
		d.fail(0, "header mismatch")
	}
}

// newValue counts the values, which can be more than the bytes.
func (d *decoder) newValue(v Value) *Value {
	d.count(1)
	return &v
}

func (d *decoder) count(n int) {
	if d.values += n; d.values > maxValues {
		d.fail(d.at, "more than %d values", maxValues)
	}
}

// take returns the next n bytes, one field of v.
func (d *decoder) take(v *Value, n int, kind string) []byte {
	if n > len(d.data)-d.at {
		d.fail(d.at, "%d bytes needed, %d are left", n, len(d.data)-d.at)
	}
	d.at += n
	d.file.fields = append(d.file.fields, field{offset: d.at - n, length: n, kind: kind, owner: v})
	return d.data[d.at-n : d.at]
}

func (d *decoder) u8(v *Value, kind string) int { return int(d.take(v, 1, kind)[0]) }

func (d *decoder) u16(v *Value, kind string) int {
	return int(binary.LittleEndian.Uint16(d.take(v, 2, kind)))
}

// text takes a string and its NUL.
func (d *decoder) text(v *Value) string {
	n := bytes.IndexByte(d.data[d.at:], 0)
	if n < 0 {
		d.fail(d.at, "string runs past the end")
	}
	text := ""
	if n > 0 {
		text = string(d.take(v, n, "text"))
	}
	d.take(v, 1, "terminator")
	return text
}

// tag takes a datatype and gives it its number of 1.5.1; in 1.0.0 it may
// instead be that of a constructor.
func (d *decoder) tag(v *Value) (t Datatype, constructor int) {
	offset := d.at
	tag := d.u8(v, "type")
	set := 0
	switch {
	case tag >= int(U8) && tag <= int(Text):
		return Datatype(tag), 0
	case d.file.Version == V100 && tag >= 32:
		return Struct, tag
	case tag >= tags14 && tag < tags14+4:
		set = tags14
	case tag >= tags204 && tag < tags204+4:
		set = tags204
	}
	if set == 0 || d.file.Tags != 0 && d.file.Tags != set {
		d.fail(offset, "illegal datatype %d", tag)
	}
	d.file.Tags = set
	return Any + Datatype(tag-set), 0
}

// any reads tag and content. The tag "any" may be followed by another one.
func (d *decoder) any(v *Value) {
	t, constructor := d.tag(v)
	for t == Any {
		t, constructor = d.tag(v)
	}
	d.content(v, t, constructor)
}

// content reads the content after a tag, or without one where the datatype is
// known.
func (d *decoder) content(v *Value, t Datatype, constructor int) {
	v.Type = t
	switch t {
	case Any:
		d.any(v)
	case Array, Struct:
		d.container(v, constructor)
	case String, Text:
		v.Text = d.text(v)
	case Undefined:
	default:
		d.number(v)
	}
}

func (d *decoder) container(v *Value, constructor int) {
	if d.depth++; d.depth > maxDepth {
		d.fail(d.at, "more than %d levels", maxDepth)
	}
	switch {
	case constructor != 0:
		d.constructed(v, constructor)
	case v.Type == Array:
		d.array(v)
	default:
		d.structure(v)
	}
	d.depth--
}

// array reads length, element tag and elements (section 3).
func (d *decoder) array(v *Value) {
	n := d.u16(v, "length")
	if n == 0xFFFF && d.file.Version.hasReferences() {
		d.reference(v)
		return
	}
	a := &ArrayValue{ID: d.begin(v)}
	v.Array = a
	if n == 0 {
		return
	}
	elem, constructor := d.tag(v)
	a.Elem = elem.String()
	if constructor != 0 {
		a.Elem = fmt.Sprint("constructor", constructor)
	}
	if elem == Undefined { // one node for all
		d.count(n - 1)
		e := d.newValue(Value{Type: Undefined, parent: v})
		a.Elems = slices.Repeat([]*Value{e}, n)
		return
	}
	for i := range n {
		e := d.newValue(Value{parent: v, index: i})
		a.Elems = append(a.Elems, e)
		d.content(e, elem, constructor)
	}
}

// begin gives an array or struct its reference number (section 4).
func (d *decoder) begin(v *Value) int {
	if !d.file.Version.hasReferences() {
		return -1
	}
	d.started = append(d.started, v)
	return len(d.started) - 1
}

func (d *decoder) reference(v *Value) {
	r := &RefValue{Kind: v.Type, Index: d.u16(v, "ref")}
	v.Type, v.Ref = Ref, r
	r.Dangling = r.Index >= len(d.started)
	if !r.Dangling {
		r.Target = d.started[r.Index]
	}
}
