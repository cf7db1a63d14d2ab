package block

import (
	"strconv"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

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

// MemberName returns the name that the schema of a struct gives its member i, nil for all
// other values.
func (f *Reading) MemberName(parent *tree.Value, i int64) []byte {
	if schema := f.SchemaOf(parent); schema != nil && i >= 0 && i < int64(len(schema.Members)) {
		return []byte(schema.Members[i].Name)
	}
	return nil
}

// AppendType implements tree.TypeWriter: the constructor of a struct, what an array
// holds, the kind of a reference.
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
