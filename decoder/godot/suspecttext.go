package godot

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ diagnose.Texter = (*Format)(nil)

// Relength implements diagnose.Texter. The padding that the text has had is still
// there, behind what it is now.
func (f *Format) Relength(w *source.Window, parent, v *tree.Value, by int64) (u diagnose.Suspect, padding source.Splice, ok bool) {
	at := v.Head + 4
	switch {
	case v.Type == tName, v.Type == tPart:
		at = v.Start
	case typeOf(v.Type).shape != shapeText:
		return u, padding, false
	}
	was := int64(w.U32(at))
	n, start := was+by, at+4
	if n < 0 || start+n+pad(was) > w.Size() || !isReadable(w.View(start, n)) || len(bytes.Trim(w.View(start+n, pad(was)), "\x00")) > 0 {
		return u, padding, false
	}
	u = diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, uint32(n)), Code: span.WrongLength,
		Was: "a string of " + span.Bytes(was), Is: span.Bytes(n)}
	return u, source.Put(start+n, pad(was), make([]byte, pad(n))), true
}
