package variant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// longestName is the length of the longest name of a property, part of a NodePath or entry of a string
// array that is accepted where reading resumes.
const longestName = 4096

// IsPlausibleStart implements tree.Resyncer. The length of every value is a multiple of
// four, and the keys of a Dictionary mostly have one type.
func (f *Format) IsPlausibleStart(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	if (off-lost)&3 != 0 || off+4 > parent.Limit {
		return false
	}
	head := w.U32(off)
	switch shape := types.Of(parent.Type).Shape; {
	case shape == types.ShapeObject && slot.Key, shape == types.ShapePath, shape == types.ShapeStrings:
		return head > 0 && head <= longestName && off+4+int64(head) <= parent.Limit
	}
	t := f.Dialect.TypeOf(head)
	if parent.Type == types.Dictionary && slot.Key && slot.Index > 0 && t != f.Dialect.TypeOf(w.U32(parent.Body)) {
		return false
	}
	return t != types.Unknown && head&0xff00 == 0 && uint16(head>>16)&^f.Dialect.KnownFlags(t) == 0
}
