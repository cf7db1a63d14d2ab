package block

import (
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/datatype"
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

// footEnd returns the offset after the footer: after four bytes that are a footer, or that take its place
// at the end of the file.
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

// AppendField implements tree.Reading.
func (f *Reading) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	at := field.Offset
	switch field.Kind {
	case span.Magic:
		return tree.AppendEscaped(dst, w.View(at, field.Length), 0)
	case span.Version:
		if field.Length == 4 {
			return append(dst, VersionText(w.U32(at))...)
		}
	case span.Type:
		return append(dst, datatype.Name(f.Rules.TypeOf(w.Byte(at)))...)
	case span.Length:
		return appendLength(dst, w.U16(at), field.Label)
	case span.Ref, span.Ctor:
		return strconv.AppendUint(dst, uint64(w.U16(at)), 10)
	case span.Schema:
		return f.appendVersion(dst, w.Byte(at))
	case span.Skip:
		return f.appendSkip(dst, v, w.U16(at))
	case span.Value:
		return datatype.NumberAt(w, v.Type, at).Append(dst)
	case span.Text:
		return tree.AppendText(dst, w, field.Span)
	}
	return tree.AppendData(dst, w, field.Span)
}

func appendLength(dst []byte, n uint16, label string) []byte {
	switch label {
	case "reference mark":
		return append(dst, "reference"...)
	case "constructor mark":
		return append(dst, "constructed"...)
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}

func (f *Reading) appendVersion(dst []byte, b byte) []byte {
	version, verbose := f.Rules.SchemaVersion(b)
	if version > 0 || !verbose {
		dst = strconv.AppendInt(dst, int64(version), 10)
	}
	if verbose {
		if version > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, "verbose"...)
	}
	return dst
}

// appendSkip appends the number of a skipped member and, if the schema gives one, its name.
func (f *Reading) appendSkip(dst []byte, v *tree.Value, n uint16) []byte {
	dst = strconv.AppendUint(dst, uint64(n), 10)
	if schema := f.SchemaOf(v); schema != nil && n > 0 && int(n) <= len(schema.Members) {
		dst = append(dst, ' ')
		dst = tree.AppendEscaped(dst, []byte(schema.Members[n-1].Name), 0)
	}
	return dst
}

// AppendStep implements tree.Stepper.
func (f *Reading) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	switch {
	case key != nil:
		return tree.AppendTextStep(dst, r.Window().View(key.Start, min(key.Tail-1-key.Start, tree.MaxKey+1)))
	case parent.Type == datatype.File:
		return dst
	case parent.Flags&BySchema != 0:
		return tree.AppendTextStep(dst, f.MemberName(parent, slot.Index))
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

// MemberName returns the name that the schema of a struct gives to member i; nil for all other values.
func (f *Reading) MemberName(parent *tree.Value, i int64) []byte {
	if schema := f.SchemaOf(parent); schema != nil && i >= 0 && i < int64(len(schema.Members)) {
		return []byte(schema.Members[i].Name)
	}
	return nil
}

// AppendType implements tree.TypeWriter: the constructor of a struct, the element type of an array, the
// target type of a reference.
func (f *Reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch {
	case v.Refers:
		return append(append(dst, "reference to "...), datatype.Name(v.Type)...)
	case v.Type == datatype.Array && v.Sub != 0:
		dst = append(append(dst, "array["...), datatype.Name(datatype.ID(v.Sub))...)
		return append(dst, ']')
	case v.Flags&Constructed != 0:
		return f.AppendCtor(dst, v)
	}
	return append(dst, f.TypeName(v)...)
}

// AppendCtor appends the name of a struct's constructor.
func (f *Reading) AppendCtor(dst []byte, v *tree.Value) []byte {
	if name := f.CtorName(v); name != "" {
		return tree.AppendEscaped(dst, []byte(name), 0)
	}
	return append(dst, "struct"...)
}

// AppendMeaning implements tree.Meaner. A number means the same in every datatype, a struct
// the same with and without a schema. All references mean the same here; the caller
// compares their targets.
func (f *Reading) AppendMeaning(dst []byte, w *source.Window, v *tree.Value) ([]byte, tree.Meaning) {
	switch {
	case v.Refers:
		return append(dst, 'r'), tree.Meaning{}
	case v.Type == datatype.MemberName:
		return tree.AppendTextMeaning(dst), tree.Meaning{Content: span.Between(v.Start, v.Tail-1)}
	case datatype.IsText(v.Type):
		return tree.AppendTextMeaning(dst), tree.Meaning{Content: span.Between(v.Body, v.Tail-1)}
	case v.Type == datatype.Bool:
		return tree.AppendBoolMeaning(dst, w.Byte(v.Body) != 0), tree.Meaning{}
	case datatype.IsNumber(v.Type):
		n := datatype.NumberAt(w, v.Type, v.Body)
		if n.IsFloat() {
			return tree.AppendFloatMeaning(dst, n.Float()), tree.Meaning{Numbers: 1}
		}
		return appendIntMeaning(dst, n), tree.Meaning{Numbers: 1}
	case v.Type == datatype.Array, v.Type == datatype.File:
		return dst, tree.Meaning{Compared: tree.List}
	case v.Type == datatype.Struct:
		if v.Flags&Constructed != 0 {
			dst = append(append(dst, 'C'), f.CtorName(v)...)
		}
		return dst, tree.Meaning{Compared: tree.Map}
	case v.Type == datatype.Skipped:
		return dst, tree.Meaning{Compared: tree.Absent}
	}
	return tree.AppendNullMeaning(dst), tree.Meaning{}
}

func appendIntMeaning(dst []byte, n datatype.Number) []byte {
	switch n.Of {
	case datatype.S8:
		return tree.AppendIntMeaning(dst, int64(int8(n.Bits)))
	case datatype.S16:
		return tree.AppendIntMeaning(dst, int64(int16(n.Bits)))
	case datatype.S32:
		return tree.AppendIntMeaning(dst, int64(int32(n.Bits)))
	}
	return tree.AppendUintMeaning(dst, n.Bits)
}

// AppendForm implements tree.Meaner.
func (f *Reading) AppendForm(dst []byte, w *source.Window, v *tree.Value) []byte {
	if v.Type == datatype.MemberName { // as where the name is in a schema
		return append(dst, datatype.Name(datatype.String)...)
	}
	return f.AppendType(dst, w, v)
}
