package json

import (
	"encoding/hex"
	"math"
	"slices"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// number writes an int or float, with its width if an engine would have chosen another.
func (j *jsonWriter) number(v *tree.Value) {
	if v.Type != types.Int && v.Type != types.Float { // an element or component on its own
		tag := `"i:`
		if v.Type == types.Float32 || v.Type == types.Float64 {
			tag = `"f:`
		}
		j.Put(tag)
		j.Dst = numeric.AppendAt(j.Dst, j.w, v.Type, v.Start, numeric.StyleTagged)
		j.Put(`"`)
		return
	}
	name, tag := "int", `"i:`
	wide := v.Tail-v.Head > 8
	usual := true
	if v.Type == types.Int {
		n := int64(j.w.U64(v.Head + 4))
		usual = !wide || n != int64(int32(n)) || j.f.Dialect.NoFlags
	} else {
		name, tag = "float", `"f:`
		x := variant.Float(j.w, v)
		usual = wide == (math.IsNaN(x) || float64(float32(x)) != x) || j.f.Dialect.NoFlags
		if math.IsNaN(x) && (!wide || j.w.U64(v.Head+4) != 0x7ff8000000000000) {
			j.PutInt(`{"type":"float","value":"nan","bits":`, (v.Tail-v.Head-4)*8)
			j.Put(`,"hex":"`)
			b := slices.Clone(j.w.View(v.Head+4, v.Tail-v.Head-4))
			if j.w.IsBigEndian() {
				slices.Reverse(b)
			}
			j.Dst = hex.AppendEncode(j.Dst, b)
			j.Put(`"}`)
			return
		}
	}
	if usual {
		j.Put(tag)
		j.Dst = variant.AppendScalar(j.Dst, j.w, v, numeric.StyleTagged)
		j.Put(`"`)
		return
	}
	j.begin(name)
	j.Put(`,"value":"`)
	j.Dst = variant.AppendScalar(j.Dst, j.w, v, numeric.StyleTagged)
	j.PutInt(`","bits":`, (v.Tail-v.Head-4)*8)
	j.Put("}")
}
