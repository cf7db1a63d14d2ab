package kaitai

import (
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// An inside is where the bytes are that a description is used for, if a process has unpacked them from others.
type inside struct {
	outer  *inside // nil for a file
	src    source.Source
	region span.Span
	path   []read.Place // steps to the value that is packed
}

// open reads bytes as what is inside.
func (in *inside) open(t *spec.Type, src source.Source, region span.Span, foreign read.ForeignReader) *read.Doc {
	if in == nil {
		return read.New(t, src, region, foreign)
	}
	return read.Inside(in.outer.open(t, in.src, in.region, foreign), in.path, src, region)
}

// IsPacked implements format.Unpacker.
func (r *reading) IsPacked(v *tree.Value) bool {
	defer r.lock()()
	n := r.nodeOf(v)
	return n != nil && n.inner == nil && n.cell.Buf != nil && !n.cell.Buf.IsFile()
}

// Unpacked implements format.Unpacker.
func (r *reading) Unpacked(v *tree.Value) (u format.Unpacked, ok bool) {
	defer r.lock()()
	n := r.nodeOf(v)
	if n == nil || n.inner != nil || n.cell.Bad != nil || n.cell.Buf == nil {
		return u, false
	}
	b := n.cell.Buf
	u.At = span.Between(n.cell.Start, n.cell.End)
	if s := n.object(); s != nil && s.IO.Buf != b { // it is itself packed
		b, u.At = s.IO.Buf, span.Span{}
	}
	if b.IsFile() {
		return u, false
	}
	by := *r.description
	by.in = &inside{r.in, r.doc.Root.IO.Buf.Source(), r.region, b.Path()}
	u.Data, u.By, u.Path = slices.Clone(b.Append(nil, 0, b.Source().Size())), &by, "$"
	for _, p := range by.in.path {
		u.Path += "." + p.String()
	}
	return u, true
}

// Unknown implements format.Unpacker.
func (r *reading) Unknown() int64 {
	defer r.lock()()
	return unknownIn(r.doc.Root)
}

// unknownIn returns the number of bytes in fields of a struct that "ksy new" has named, or that are what is left of these.
func unknownIn(s *read.Struct) (n int64) {
	s.Ensure()
	for i := range s.Cells {
		c, a := &s.Cells[i], s.Type.Seq[i]
		size := c.End - c.Start
		in, isStruct := c.Val.Ref.(*read.Struct)
		switch {
		case isStruct && in.IO.Buf == c.Buf:
			n += unknownIn(in)
		case isStruct && in.IO.End > 0: // packed
			n += size * unknownIn(in) / in.IO.End
		case isUnknown(a) && strings.HasPrefix(a.ID, "unknown"):
			n += size
		}
	}
	return n
}
