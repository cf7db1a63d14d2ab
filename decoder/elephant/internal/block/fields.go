package block

import (
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A fielder lists the fields of a value as far as the value was understood.
type fielder struct{ span.Lister }

// text adds a string up to its NUL at end.
func (e *fielder) text(end int64, label string) bool {
	return e.Put(end-e.At, span.Text, label) && e.Put(1, span.Terminator, "terminator")
}

// Fields implements tree.Reading.
func (f *Reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	e := &fielder{span.Lister{Fields: fields, At: v.Start, Tail: v.Tail}}
	if v.Layout >= tree.Sequence {
		e.Tail = v.Body
	}
	switch {
	case v.Type == datatype.File:
		e.Put(v.Head-v.Start, span.Gap, "gap")
		e.Put(min(4, v.Body-e.At), span.Magic, "header")
		e.Put(v.Body-e.At, span.Version, "version")
	case v.Type == datatype.MemberName:
		e.text(v.End-1, "name")
	default:
		if v.Flags&Tagged != 0 {
			for end := min(f.TagsEnd(w, v), e.Tail); e.At < end; {
				e.Put(1, span.Type, "type")
			}
		}
		f.contentFields(e, w, v)
	}
	return e.Fields
}

// contentFields lists what follows the tag.
func (f *Reading) contentFields(e *fielder, w *source.Window, v *tree.Value) {
	switch {
	case v.Damage != nil && e.At >= e.Tail, v.Type == datatype.Unknown:
	case datatype.Width(v.Type) > 0:
		e.Put(e.Tail-e.At, span.Value, "value")
	case datatype.IsText(v.Type):
		e.text(e.Tail-1, "text")
	case v.Type == datatype.Array:
		f.arrayFields(e, v)
	case v.Type == datatype.Struct:
		f.structFields(e, w, v)
	}
}

func (f *Reading) arrayFields(e *fielder, v *tree.Value) {
	switch {
	case v.Refers:
		_ = e.Put(2, span.Length, "reference mark") && e.Put(2, span.Ref, "reference")
	case e.Put(2, span.Length, "length") && v.Sub != 0:
		e.Put(1, span.Type, "element type")
	}
}

func (f *Reading) structFields(e *fielder, w *source.Window, v *tree.Value) {
	switch {
	case v.Refers:
		_ = e.Put(2, span.Length, "reference mark") && e.Put(2, span.Ref, "reference")
	case v.Flags&OldTag != 0:
		f.ctorFields(e, w, v)
	case v.Flags&Constructed != 0:
		if e.Put(2, span.Length, "constructor mark") && e.Put(2, span.Ctor, "constructor") {
			f.ctorFields(e, w, v)
		}
	default:
		e.Put(2, span.Length, "member count")
	}
}

// ctorFields lists what follows a constructor's index.
func (f *Reading) ctorFields(e *fielder, w *source.Window, v *tree.Value) {
	if v.Flags&Named != 0 && !e.text(f.VersionAt(w, v)-1, "constructor name") {
		return
	}
	if !e.Put(1, span.Schema, "schema version") {
		return
	}
	if v.Flags&BySchema == 0 {
		e.Put(2, span.Length, "member count")
		return
	}
	if f.Rules.Skips {
		end := e.Tail
		if v.Damage == nil {
			end = v.Body
		}
		for e.At+2 < end && e.Put(2, span.Skip, "skipped member") {
		}
		e.Put(2, span.Terminator, "end of the skipped members")
	}
}

// ReadFoot implements tree.Footer.
func (f *Reading) ReadFoot(w *source.Window, v *tree.Value, off int64, lost bool, report func(span.Problem)) int64 {
	if !f.Header.Footed {
		return off
	}
	limit := v.Limit
	if f.Header.AtEnd {
		limit += int64(len(MagicFooter))
	}
	end := footEnd(w, off, limit)
	switch {
	case report == nil:
	case lost && off == limit:
		inspectLostFoot(w, span.Between(v.Body, limit), report)
	default:
		f.inspectFoot(w, off, end, limit, report)
	}
	return end
}

// footEnd returns the offset after the footer: after four bytes that are a footer, or that
// are in its place and end the file.
func footEnd(w *source.Window, off, limit int64) int64 {
	left := limit - off
	if string(w.View(off, min(left, 4))) == MagicFooter || left <= 4 {
		return off + min(left, 4)
	}
	return off
}

// FootFields implements tree.Footer.
func (f *Reading) FootFields(w *source.Window, v *tree.Value, fields []span.Field) []span.Field {
	return append(fields, span.Field{Span: span.Between(v.Foot, v.Tail), Kind: span.Magic, Label: "footer"})
}
