package variant

import (
	"encoding/binary"
	"math"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// maxPathText is the length in bytes of the longest NodePath that is compared by its parts. A longer one is
// compared by all its bytes, including padding.
const maxPathText = 64 << 10

// AppendMeaning implements tree.Meaner. Types that have different names in Godot 3 and 4
// mean the same, as do a text in a String and in a StringName, numbers as int and as float,
// alone and in vectors, and an empty object and null.
func (f *Format) AppendMeaning(dst []byte, w *source.Window, v *tree.Value) ([]byte, tree.Meaning) {
	switch types.Of(v.Type).Shape {
	case types.ShapeBool:
		return tree.AppendBoolMeaning(dst, w.U32(v.Head+4) != 0), tree.Meaning{}
	case types.ShapeNumber:
		return f.appendNumberMeaning(dst, w, v), tree.Meaning{Numbers: 1}
	case types.ShapeText:
		return tree.AppendTextMeaning(dst), tree.Meaning{Content: f.TextOf(w, v)}
	case types.ShapeFixed:
		return appendParts(dst, w, v.Type, types.ID(v.Sub), v.Body)
	case types.ShapePath:
		return f.appendPathMeaning(dst, w, v)
	case types.ShapeRID:
		return binary.BigEndian.AppendUint64(append(dst, 'R'), f.RID(w, v)), tree.Meaning{}
	case types.ShapeObject:
		return appendObjectMeaning(dst, w, v)
	case types.ShapeReference:
		return f.appendReferenceMeaning(dst, w, v), tree.Meaning{}
	case types.ShapeSignal:
		if f.Dialect.Resource {
			return append(dst, 'S'), tree.Meaning{}
		}
		dst = binary.BigEndian.AppendUint64(append(dst, 'S'), w.U64(v.Tail-8))
		return dst, tree.Meaning{Content: span.Span{Offset: v.Head + 8, Length: int64(w.U32(v.Head + 4))}}
	case types.ShapeDict, types.ShapeArray, types.ShapeTyped, types.ShapeStrings, types.ShapeBytes, types.ShapePacked:
		return appendContainerMeaning(dst, v)
	}
	switch v.Type {
	case types.Element:
		return appendParts(dst, w, types.ID(v.Sub), ElementComp(v), v.Body)
	case types.Raw, types.Stream:
		return dst, tree.Meaning{Compared: tree.List}
	case types.Callable:
		return append(dst, 'C'), tree.Meaning{}
	}
	return tree.AppendNullMeaning(dst), tree.Meaning{}
}

// TextOf returns the place of a text's bytes.
func (f *Format) TextOf(w *source.Window, v *tree.Value) span.Span {
	at := v.Start
	switch v.Type {
	case types.String, types.StringName:
		at = v.Head + 4
	case types.Property:
		text, _, _ := f.NameAt(w, at)
		return text
	}
	return span.Span{Offset: at + 4, Length: f.TextLength(w, v, at)}
}

// appendContainerMeaning is AppendMeaning of a container or packed array.
func appendContainerMeaning(dst []byte, v *tree.Value) ([]byte, tree.Meaning) {
	m := tree.Meaning{Compared: tree.List}
	switch t := types.Of(v.Type); t.Shape {
	case types.ShapeDict:
		m.Compared = tree.Map
	case types.ShapeStrings:
		dst = append(dst, "PString"...)
	case types.ShapeBytes, types.ShapePacked:
		dst = append(dst, 'P')
		if len(t.Parts) > 0 { // numbers are the same in any width
			dst = append(dst, strings.TrimSuffix(t.Element(), "i")...)
		}
		m.Content = span.Span{Offset: v.Body, Length: v.Count * int64(v.Stride)}
	}
	return dst, m
}

// appendNumberMeaning appends the meaning of an int or float, or of a part or element of one.
func (f *Format) appendNumberMeaning(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch v.Type {
	case types.Int:
		return tree.AppendIntMeaning(dst, Int(w, v))
	case types.Float:
		return tree.AppendFloatMeaning(dst, Float(w, v))
	}
	return appendComponent(dst, w, v.Type, v.Start)
}

func appendComponent(dst []byte, w *source.Window, comp types.ID, off int64) []byte {
	switch bits := numeric.BitsAt(w, comp, off); comp {
	case types.Float32:
		return tree.AppendFloatMeaning(dst, float64(math.Float32frombits(uint32(bits))))
	case types.Float64:
		return tree.AppendFloatMeaning(dst, math.Float64frombits(bits))
	case types.Int32:
		return tree.AppendIntMeaning(dst, int64(int32(bits)))
	default:
		return tree.AppendIntMeaning(dst, int64(bits))
	}
}

// appendParts appends the meaning of the components at off: of a vector of type t, or of an element of a
// packed array of type t.
func appendParts(dst []byte, w *source.Window, t, comp types.ID, off int64) ([]byte, tree.Meaning) {
	name := types.Of(types.Newest(t)).Name
	if types.Of(t).Shape == types.ShapePacked {
		name = types.Of(t).Element()
	}
	dst = append(append(append(dst, 'V'), strings.TrimSuffix(name, "i")...), 0) // Vector2i(1, 2) is the same as Vector2(1, 2)
	n := len(types.Of(t).Parts)
	for i := range n {
		dst = appendComponent(dst, w, comp, off+int64(i)*types.Width(comp))
	}
	return dst, tree.Meaning{Numbers: n}
}

func (f *Format) appendPathMeaning(dst []byte, w *source.Window, v *tree.Value) ([]byte, tree.Meaning) {
	if v.Layout == tree.Leaf { // the old form
		return append(dst, 'p'), tree.Meaning{Content: span.Span{Offset: v.Head + 8, Length: int64(w.U32(v.Head + 4))}}
	}
	dst = append(dst, 'P', byte(f.PathFlags(w, v)&1))
	start := len(dst)
	long := false
	f.EachPart(w, v, func(p PathPart) bool {
		if long = p.N+int64(len(dst)-start) > maxPathText; long {
			return false
		}
		kind := byte('n')
		if p.Sub {
			kind = 's'
		}
		dst = binary.BigEndian.AppendUint32(append(dst, kind), uint32(p.N))
		dst = append(dst, w.View(p.Off, p.N)...)
		return true
	})
	if long {
		return append(dst[:start], 'l'), tree.Meaning{Content: span.Between(v.Body, max(v.Body, v.Tail))}
	}
	return dst, tree.Meaning{}
}

func appendObjectMeaning(dst []byte, w *source.Window, v *tree.Value) ([]byte, tree.Meaning) {
	switch {
	case v.Layout == tree.Pairs:
		n := int64(w.U32(v.Head + 4))
		dst = append(dst, 'O')
		return append(dst, w.View(v.Head+8, min(n, source.MaxView))...), tree.Meaning{Compared: tree.Map}
	case v.Tail-v.Head == 12: // stored as its id
		return binary.BigEndian.AppendUint64(append(dst, 'o'), w.U64(v.Head+4)), tree.Meaning{}
	}
	return tree.AppendNullMeaning(dst), tree.Meaning{}
}

// AppendForm implements tree.Meaner: the type under its newest name, the types of a
// container's elements, and the width of numbers.
func (f *Format) AppendForm(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch t := types.Of(v.Type); t.Shape {
	case types.ShapeNumber:
		dst = append(dst, t.Name...)
		if v.Type == types.Int || v.Type == types.Float {
			return append(dst, byte('0'+(v.Tail-v.Head-4)))
		}
		return append(dst, byte('0'+types.Width(v.Type)))
	case types.ShapeText: // names, parts and entries are not values by themselves
		if v.Type != types.StringName {
			return append(dst, types.Of(types.String).Name...)
		}
	case types.ShapeFixed, types.ShapeBytes, types.ShapePacked, types.ShapeStrings:
		dst = append(dst, types.Of(types.Newest(v.Type)).Name...)
		return append(dst, byte('0'+types.Width(types.ID(v.Sub))))
	case types.ShapeArray, types.ShapeTyped, types.ShapeDict:
		return f.AppendType(dst, w, v)
	}
	switch v.Type {
	case types.Raw, types.Stream: // a framing is not a type
		return dst
	case types.Element:
		return append(append(dst, types.Of(types.ID(v.Sub)).Element()...), byte('0'+types.Width(ElementComp(v))))
	}
	return append(dst, types.Of(v.Type).Name...)
}
