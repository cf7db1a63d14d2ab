package godot

import (
	"varview/decoder/source"
	"varview/decoder/tree"
)

var _ tree.Resyncer = (*Format)(nil)

// Fork implements tree.Resyncer. A Format learns nothing.
func (f *Format) Fork(int64, bool) tree.Reading { return f }

// AcceptsAmbiguous implements tree.Resyncer. A count tells where a container ends, so
// that there is hardly ever more than one place.
func (f *Format) AcceptsAmbiguous() bool { return false }

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(int64, int64) {}

// longestName is how long the name of a property, a NodePath's part or an entry of a
// string array is at most where reading goes on with one.
const longestName = 4096

// MayBegin implements tree.Resyncer. All values have a multiple of four bytes, and
// the keys of a Dictionary mostly one type.
func (f *Format) MayBegin(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	if (off-lost)&3 != 0 || off+4 > parent.Limit {
		return false
	}
	head := w.U32(off)
	switch shape := typeOf(parent.Type).shape; {
	case shape == shapeObject && slot.Key, shape == shapePath, shape == shapeStrings:
		return head > 0 && head <= longestName && off+4+int64(head) <= parent.Limit
	}
	t := f.Dialect.typeOf(head)
	if parent.Type == tDictionary && slot.Key && slot.Index > 0 && t != f.Dialect.typeOf(w.U32(parent.Body)) {
		return false
	}
	return t != tUnknown && head&0xff00 == 0 && uint16(head>>16)&^f.knownFlags(t) == 0
}
