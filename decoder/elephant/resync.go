package elephant

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// Fork implements tree.Resyncer.
func (f *Format) Fork() tree.Format {
	return &Format{Rules: f.Rules, Header: f.Header, names: f.names.fork(), kinds: new(kinds)}
}

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(lost, end int64) {
	if end > lost {
		f.names.tellGap(lost)
	}
}

// MayBegin implements tree.Resyncer.
func (f *Format) MayBegin(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	if off >= parent.Limit {
		return false
	}
	element := tAny
	switch schema := f.schemaOf(parent); {
	case slot.Key:
		return f.mayBeName(w, off, lost)
	case schema != nil:
		element = typeID(schema.Members[slot.Index].Type)
	case parent.Type == tArray:
		element = typeID(parent.Sub)
	}
	switch {
	case element == tAny:
		return f.Rules.typeOf(w.Byte(off)) != tUnknown
	case isText(element):
		return off == lost || w.Byte(off-1) < ' '
	}
	return true
}

// mayBeName reports whether a member's name could begin at off: a whole
// identifier, not the end of one, with a tag behind it.
func (f *Format) mayBeName(w *source.Window, off, lost int64) bool {
	const longest = 128
	if off > lost && tree.IsIdentifier([]byte{'_', w.Byte(off - 1)}) {
		return false
	}
	name := w.View(off, longest)
	end := bytes.IndexByte(name, 0)
	return end > 0 && tree.IsIdentifier(name[:end]) && f.Rules.typeOf(w.Byte(off+int64(end)+1)) != tUnknown
}
