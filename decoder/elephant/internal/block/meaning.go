package block

import (
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

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

// AppendForm implements tree.Meaner. Text is stored in the same way in both of its
// datatypes.
func (f *Reading) AppendForm(dst []byte, w *source.Window, v *tree.Value) []byte {
	if datatype.IsText(v.Type) || v.Type == datatype.MemberName {
		return append(dst, datatype.Name(datatype.String)...)
	}
	return f.AppendType(dst, w, v)
}
