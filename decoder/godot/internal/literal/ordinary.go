package literal

import (
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/ordinary"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// asText is how ordinary values are written.
var asText = ordinary.Notation{
	String: `"`, StringName: `&"`, NodePath: `^"`,
	Array: [2]string{"[", "]"}, Dictionary: [2]string{"{ ", " }"}, EmptyDictionary: "{}",
	TypedArray: [3]string{"Array[", "]([", "])"}, TypedDictionary: [4]string{"Dictionary[", ", ", "]({ ", " })"},
	Parts: "(", WideParts: "(", End: ")", Comma: ", ", Colon: ": ",
	Whole: numeric.StyleFloat, Part: numeric.StyleText,
}

// Pass implements tree.Passer.
func (t *textWriter) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if t.table == nil {
		return
	}
	o := &t.nest[len(t.nest)-1]
	first, between := "", ", "
	switch {
	case o.kind == types.Stream && t.lines:
		between = "\n"
	case o.kind == types.Dictionary:
		first = " "
	}
	t.Dst = t.table.Write(t.Dst, w, parent, s, first, between)
	o.some = o.some || s.Next.Index > 0
}
