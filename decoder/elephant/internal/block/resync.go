package block

import (
	"bytes"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Fork implements tree.Resyncer.
func (f *Reading) Fork(before int64, strict bool) tree.Reading {
	return &Reading{Rules: f.Rules, Header: f.Header, names: f.names.fork(before), trial: strict}
}

// AcceptsAmbiguous implements tree.Resyncer. In 1.0.0 nearly every character could be the
// tag of a constructor, so the first possible place means little.
func (f *Reading) AcceptsAmbiguous() bool { return !f.Rules.CtorTags }

// Resynced implements tree.Resyncer.
func (f *Reading) Resynced(lost, end int64) {
	if end > lost {
		f.names.noteGap(lost)
	}
}

// IsPlausibleStart implements tree.Resyncer.
func (f *Reading) IsPlausibleStart(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	if off >= parent.Limit {
		return false
	}
	element := datatype.Any
	switch schema := f.SchemaOf(parent); {
	case slot.Key:
		return f.MayBeName(w, off, lost)
	case schema != nil:
		element = datatype.ID(schema.Members[slot.Index].Type)
	case parent.Type == datatype.Array:
		element = datatype.ID(parent.Sub)
	}
	switch {
	case element == datatype.Any:
		return datatype.IsWritten(f.Rules.TypeOf(w.Byte(off)))
	case datatype.IsText(element):
		return off == lost || w.Byte(off-1) < ' '
	case element == datatype.Struct:
		return f.mayBeStruct(w, off, lost)
	case element == datatype.Array:
		return f.Rules.TypeOf(w.Byte(off+2)) != datatype.Unknown
	}
	return true
}

// mayBeStruct reports whether a struct without a tag could begin at off. Neither an empty
// struct counts, which could begin nearly everywhere, nor one with a tag before it, which
// is in the bytes that cannot be read.
func (f *Reading) mayBeStruct(w *source.Window, off, lost int64) bool {
	if off > lost && f.Rules.TypeOf(w.Byte(off-1)) == datatype.Struct {
		return false
	}
	switch n := w.U16(off); {
	case n == 0:
		return false
	case n == MarkRef && !f.Rules.CtorTags:
		return true
	case n == MarkCtor && !f.Rules.CtorTags:
		index := w.U16(off + 2)
		_, known := f.names.lookUp(index, off)
		return known || tree.IsIdentifier([]byte{w.Byte(off + 4)})
	}
	return f.MayBeName(w, off+2, off+2)
}

// MayBeName reports whether a member's name could begin at off: a whole
// identifier, not the end of one, with a tag after it.
func (f *Reading) MayBeName(w *source.Window, off, lost int64) bool {
	const longest = 128
	if off > lost && tree.IsIdentifier([]byte{'_', w.Byte(off - 1)}) {
		return false
	}
	name := w.View(off, longest)
	end := bytes.IndexByte(name, 0)
	return end > 0 && tree.IsIdentifier(name[:end]) && datatype.IsWritten(f.Rules.TypeOf(w.Byte(off+int64(end)+1)))
}
