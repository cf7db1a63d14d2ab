package json

import (
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/ordinary"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// asJSON is how ordinary values are written.
var asJSON = ordinary.Notation{
	Int: [2]string{`"i:`, `"`}, Float: [2]string{`"f:`, `"`}, String: `"s:`, StringName: `"sn:`, NodePath: `"np:`,
	Array: [2]string{"[", "]"}, Dictionary: [2]string{dictionary, "]}"}, EmptyDictionary: dictionary + "]}",
	TypedArray:      [3]string{`{"type":"Array","elem_type":"`, `","args":[`, "]}"},
	TypedDictionary: [4]string{`{"type":"Dictionary","key_type":"`, `","value_type":"`, `","args":[`, "]}"},
	Type:            `{"type":"`, Parts: `","args":[`, WideParts: `","bits":64,"args":[`, End: "]}", Comma: ",", Colon: ",",
	Whole: numeric.StyleTagged, Part: numeric.StyleJSON, Columns: true,
}

const dictionary = `{"type":"Dictionary","args":[`

// Pass implements tree.Passer.
func (j *jsonWriter) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if j.table == nil {
		return
	}
	o := &j.nest[len(j.nest)-1]
	between := ","
	if o.kind == types.Stream {
		between = ",\n"
	}
	j.Dst = j.table.Write(j.Dst, w, parent, s, "", between)
	o.some = o.some || s.Next.Index > 0
}
