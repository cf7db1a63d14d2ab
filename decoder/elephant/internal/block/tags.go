package block

import (
	"varview/decoder/elephant/internal/datatype"
)

// lowTags is how far the tags of 1.0.0 to 1.3.0 lie below the later ones.
const TagShift = datatype.Any - 14

// typeOf is the datatype that a tag stands for, tUnknown if for none. Both sets
// of tags are taken in every version, as they do not overlap; Inspect tells of
// those that the version's own reader refuses. In 1.0.0 tags from 32 on are
// constructors.
func (r *Rules) TypeOf(tag byte) datatype.ID {
	switch t := datatype.ID(tag); {
	case t >= 1 && t <= datatype.Text:
		return t
	case t >= 14 && t <= 17:
		return t + TagShift
	case r.CtorTags && t >= 32:
		return datatype.CtorElement | t
	case t >= datatype.Any && t <= datatype.Undefined:
		return t
	}
	return datatype.Unknown
}

// isForeign reports whether a tag belongs to versions other than this.
func (r *Rules) IsForeign(tag byte) bool {
	return tag >= 14 && tag <= 17 && !r.LowTags || datatype.ID(tag) >= datatype.Any && datatype.ID(tag) <= datatype.Undefined && !r.HighTags && !r.CtorTags
}

// nativeTag is the tag of these versions for what a foreign tag stands for.
func (r *Rules) NativeTag(tag byte) byte {
	if r.HighTags && !r.LowTags {
		return tag + byte(TagShift)
	}
	return tag - byte(TagShift)
}
