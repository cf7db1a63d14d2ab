package damage

import (
	"bytes"
	"encoding/binary"
	"math"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// Recount implements diagnose.Suspecter.
func (f Judge) Recount(w *source.Window, parent, v *tree.Value, n int64) (u diagnose.Suspect, ok bool) {
	at, mark, most := v.Body-4, uint32(0), int64(math.MaxInt32)
	switch types.Of(v.Type).Shape {
	case types.ShapePath:
		at, mark = v.Head+4, types.SharedBit
		n -= v.Count - int64(v.Sub)
	case types.ShapeDict, types.ShapeArray, types.ShapeTyped:
		mark = w.U32(at) & types.SharedBit
	case types.ShapeObject:
		if v.Layout != tree.Pairs {
			return u, false
		}
	case types.ShapeStrings:
	default:
		return u, false
	}
	if n < 0 || n > most {
		return u, false
	}
	return diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, uint32(n)|mark), Code: span.WrongCount,
		Was: f.TypeName(v) + " counts " + span.Grouped(int64(w.U32(at)&^mark)), Is: span.Grouped(n)}, true
}

// Resize implements diagnose.Suspecter.
func (f Judge) Resize(w *source.Window, parent, v *tree.Value, end int64) (u diagnose.Suspect, ok bool) {
	n := end - v.Head
	length, err := f.AppendFrameLength(nil, n)
	if v.Head == v.Start || err != nil {
		return u, false
	}
	return diagnose.Suspect{Span: span.Span{Offset: v.Start, Length: 4}, New: length, Code: span.WrongFrame,
		Was: "a frame of " + span.Bytes(int64(f.FrameLength(w, v.Start))), Is: span.Bytes(n)}, true
}

// Relength implements diagnose.Texter. The padding of the text before the change
// still exists, after the text.
func (f Judge) Relength(w *source.Window, parent, v *tree.Value, by int64) (u diagnose.Suspect, padding source.Splice, ok bool) {
	at := v.Head + 4
	switch {
	case v.Type == types.Name, v.Type == types.Part:
		at = v.Start
	case types.Of(v.Type).Shape != types.ShapeText:
		return u, padding, false
	}
	was := int64(w.U32(at))
	n, start := was+by, at+4
	if n < 0 || start+n+types.Pad(was) > w.Size() || !isReadable(w.View(start, n)) || len(bytes.Trim(w.View(start+n, types.Pad(was)), "\x00")) > 0 {
		return u, padding, false
	}
	u = diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, uint32(n)), Code: span.WrongLength,
		Was: "a string of " + span.Bytes(was), Is: span.Bytes(n)}
	return u, source.Put(start+n, types.Pad(was), make([]byte, types.Pad(n))), true
}
