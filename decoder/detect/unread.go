package detect

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Unread returns the tree of a region that has no values: all of its bytes are a gap.
func Unread(src source.Source, region span.Span) *tree.Tree {
	return tree.New(src, unread{}, region)
}

// unread is the reading of bytes that are not known to be values.
type unread struct{}

var _ tree.Footer = unread{}

// Root implements tree.Reading.
func (unread) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Fenced: true, Footed: true}
	v.Contain(tree.Sequence, 0, 0)
	v.End = size
	return v
}

// Read implements tree.Reading. There is no value to read.
func (unread) Read(_ *source.Window, parent *tree.Value, _ tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	v.Close(off)
}

// Fields implements tree.Reading: what is before the region is a gap too.
func (unread) Fields(_ *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if parent == nil && v.Body > v.Start {
		fields = append(fields, span.Field{Span: span.Between(v.Start, v.Body), Kind: span.Gap, Label: "gap"})
	}
	return fields
}

// AppendField implements tree.Reading.
func (unread) AppendField(dst []byte, w *source.Window, _ *tree.Value, f span.Field) []byte {
	return tree.AppendData(dst, w, f.Span)
}

// TypeName implements tree.Reading.
func (unread) TypeName(*tree.Value) string { return "bytes" }

// ReadFoot implements tree.Footer: that nothing reads the bytes is no problem of a value.
func (unread) ReadFoot(_ *source.Window, v *tree.Value, _ int64, _ bool, _ func(span.Problem)) int64 {
	return v.End
}

// FootFields implements tree.Footer.
func (unread) FootFields(_ *source.Window, v *tree.Value, fields []span.Field) []span.Field {
	return append(fields, span.Field{Span: span.Between(v.Foot, v.Tail), Kind: span.Gap, Label: "gap"})
}
