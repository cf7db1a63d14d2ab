package kaitai

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// WithField implements format.Custom.
func (d *description) WithField(src source.Source, region, at span.Span, cursor int64, name, typ string) ([]byte, error) {
	if text := spec.WrongID(name); text != "" {
		return nil, errors.New(text)
	}
	if bits := d.t.BitsOf(typ); typ != "" && cursor >= 0 && bits > 0 {
		at = span.Span{Offset: cursor, Length: (bits + 7) / 8}
	} else if cursor >= 0 && at == region && at.Length > 1 {
		return nil, errors.New("no bytes are selected: v selects them, and a type says how many a number has, as in \":describe gold u4\"")
	}
	root := d.in.open(d.t, src, region, nil).Root
	s, over := innermost(root, at)
	lines, err := keysOf(s.Type, source.NewWindow(src).View(at.Offset, min(at.Length, maxLooked)), sizeOf(s, at), at, typ)
	if err != nil {
		return nil, err
	}
	text, err := d.place(s, over, at, spec.Addition{ID: name, Lines: lines})
	if err != nil {
		return nil, err
	}
	t, err := spec.LoadText(d.t.Files()[0], d.dirs, text)
	if err != nil {
		return nil, err
	}
	again, _ := innermost(d.in.open(t, src, region, nil).Root, at)
	return text, isThere(again, at, name)
}

// sizeOf returns what says the size of bytes: the field before them if that is their number, and else the number.
func sizeOf(s *read.Struct, at span.Span) string {
	for i := range s.Cells {
		n, err := s.Cells[i].Val.Int64()
		if a := s.Type.Seq[i]; s.Cells[i].End == at.Offset && err == nil && n == at.Length && a.Repeat == spec.Once && a.Enum == nil {
			return "size: " + a.ID
		}
	}
	return fmt.Sprint("size: ", at.Length)
}

// maxLooked is the number of selected bytes that are looked at to find their type.
const maxLooked = 4096

// place writes the attribute at its place: in the unknown bytes over, behind the last field, or as an instance.
func (d *description) place(s *read.Struct, over int, at span.Span, new spec.Addition) ([]byte, error) {
	n := len(s.Cells)
	end := s.Start
	if n > 0 {
		end = s.Cells[n-1].End
	}
	switch {
	case over >= 0:
		return split(s, over, at, new)
	case at.Offset == end && s.Bad == nil && n == len(s.Type.Seq):
		return s.Type.WithFields(nil, []spec.Addition{new})
	case at.Offset < end && s.IO.Base == s.Start && n > 0:
		return nil, fmt.Errorf("%s describes these bytes already", s.Type.Seq[n-1].Place)
	}
	new.Lines = append([]string{fmt.Sprint("pos: ", at.Offset-s.IO.Base)}, new.Lines...)
	return s.Type.WithInstance(new)
}

// split divides unknown bytes around the selected ones.
func split(s *read.Struct, over int, at span.Span, new spec.Addition) ([]byte, error) {
	a, c := s.Type.Seq[over], &s.Cells[over]
	var fields []spec.Addition
	if before := at.Offset - c.Body; before > 0 {
		fields = append(fields, spec.Addition{ID: a.ID, Lines: []string{fmt.Sprint("size: ", before)}})
	}
	fields = append(fields, new)
	if after := c.Tail - at.End(); after > 0 {
		rest := spec.Addition{ID: a.ID, Lines: []string{fmt.Sprint("size: ", after)}}
		if len(fields) > 1 {
			rest.ID = s.Type.Free(strings.TrimRight(a.ID, "_0123456789"))
		}
		if a.SizeEOS {
			rest.Lines = []string{"size-eos: true"}
		}
		fields = append(fields, rest)
	}
	return s.Type.WithFields(a, fields)
}

// innermost returns the innermost struct that bytes are in, and the index of its field of unknown bytes that they are in; -1
// for none.
func innermost(s *read.Struct, at span.Span) (in *read.Struct, over int) {
	s.Ensure()
	for i := range s.Cells {
		c, a := &s.Cells[i], s.Type.Seq[i]
		if c.State == read.Absent || at.Offset < c.Body || at.End() > c.Tail {
			continue
		}
		inner, isStruct := c.Val.Ref.(*read.Struct)
		switch {
		case isStruct && inner.IO.Buf == s.IO.Buf && a.Repeat == spec.Once:
			return innermost(inner, at)
		case isUnknown(a):
			return s, i
		}
	}
	return s, -1
}

// isUnknown reports whether an attribute is only bytes, in a number that does not change.
func isUnknown(a *spec.Attr) bool {
	_, isFixed := expr.IsConstant(a.Size)
	return a.Switch == nil && a.Type.Kind == spec.RawBytes && a.Repeat == spec.Once && a.If == nil && a.Process == nil && !a.IsContents && (isFixed || a.SizeEOS && a.Terminator == nil)
}

// isThere returns an error unless an attribute is read from bytes.
func isThere(s *read.Struct, at span.Span, name string) error {
	r := s.Type.Find(name)
	if r == nil {
		return fmt.Errorf("%s is not where these bytes are read", name)
	}
	a := s.Type.Attr(r)
	c := s.Of(a)
	if c.Bad != nil {
		return c.Bad
	}
	if c.Start != at.Offset || c.End != at.End() {
		return fmt.Errorf("%s would be at %#x to %#x, not at %#x to %#x", name, c.Start, c.End, at.Offset, at.End())
	}
	return nil
}

// keysOf returns the keys of an attribute for bytes: of the given type or, if it is "", of the one that they look like. size is the key
// of their size.
func keysOf(t *spec.Type, data []byte, size string, at span.Span, typ string) ([]string, error) {
	number := map[int64]string{1: "u1", 2: "u2", 4: "u4", 8: "u8"}[at.Length]
	switch {
	case typ == "" && number != "" && (at.Length < 4 || !isPrintable(data)): // letters are hardly a number
		typ = number
	case typ == "" && isPrintable(data):
		typ = "str"
	case typ == "":
		typ = "bytes"
	}
	var lines []string
	switch bits := t.BitsOf(typ); {
	case typ == "bytes":
		return []string{size}, nil
	case typ == "str" || typ == "strz":
		if lines = []string{"type: " + typ}; typ == "str" {
			lines = append(lines, size)
		}
		if t.Encoding == "" {
			lines = append(lines, "encoding: UTF-8")
		}
		return lines, nil
	case bits > 0 && bits != 8*at.Length:
		return nil, fmt.Errorf("%s has %s, and %d are selected", typ, span.Counted((bits+7)/8, "byte"), at.Length)
	case bits > 8 && t.Endian == spec.NoEndian && t.EndianOn == nil && !strings.HasSuffix(typ, "e"):
		return nil, errors.New("the byte order is not known: " + typ + "le or " + typ + "be?")
	}
	return []string{"type: " + typ}, nil
}

func isPrintable(data []byte) bool {
	return len(data) > 0 && !bytes.ContainsFunc(data, func(r rune) bool { return r < ' ' || r > '~' })
}

var _ format.Custom = (*description)(nil)

// Choices implements tree.Described: the names in the enum of the value.
func (r *reading) Choices(v *tree.Value) []string {
	defer r.lock()()
	if n := r.nodeOf(v); n != nil && n.attr != nil && n.attr.Enum != nil {
		return n.attr.Enum.Order
	}
	return nil
}

// Look implements tree.Looker: numbers and bytes are drawn if they are in the file, and so are arrays of
// them.
func (r *reading) Look(w *source.Window, v *tree.Value) tree.Look {
	if p := partOf(v); p != nil { // asked of each value that is calculated with
		return p.look(w, v)
	}
	defer r.lock()()
	n := r.nodeOf(v)
	t := n.cell.Type
	switch {
	case n.inner != nil && n.inFile && n.embedded.isHere:
		return n.embedded.read.Look(&n.inner.Value)
	case !n.inFile || t == nil || n.cell.Bad != nil:
		return tree.Look{}
	case n.array() != nil:
		return tree.Look{Form: tree.FormList}
	case t.Kind == spec.RawBytes:
		return tree.Look{Form: tree.FormData, Data: span.Between(n.cell.Body, n.cell.Tail)}
	case t.Kind == spec.Unsigned || t.Kind == spec.Signed || t.Kind == spec.Float:
		return lookOf(t, n.cell.Val, span.Between(n.cell.Start, n.cell.End), n.owner.IsBig(t))
	}
	return tree.Look{}
}

func (p *planned) look(w *source.Window, v *tree.Value) tree.Look {
	switch {
	case p.kind == listPart:
		return tree.Look{Form: tree.FormList}
	case p.kind == numberPart:
		return lookOf(p.typ, p.number(w, v), v.Span(), p.typ.Endian == spec.Big)
	case p.kind == bytesPart && !p.isText:
		return tree.Look{Form: tree.FormData, Data: p.body(v)}
	}
	return tree.Look{}
}

// lookOf returns how a number is drawn.
func lookOf(t *spec.TypeRef, x expr.Value, at span.Span, isBig bool) tree.Look {
	number := tree.Number{Kind: tree.Uint, Bits: x.N, At: at, Big: isBig}
	switch {
	case t.Kind == spec.Float && t.Size == 4:
		number.Kind, number.Bits = tree.Float32, uint64(math.Float32bits(float32(x.Float())))
	case x.Kind == expr.Float:
		number.Kind = tree.Float64
	case t.Kind == spec.Signed:
		number.Kind = tree.Int
	}
	return tree.Look{Form: tree.FormNumber, Number: number}
}
