package elephant

// lowTags is how far the tags of 1.0.0 to 1.3.0 lie below the later ones.
const lowTags = tAny - 14

// typeOf is the datatype that a tag stands for, tUnknown if for none. Both sets
// of tags are taken in every version, as they do not overlap; Inspect tells of
// those that the version's own reader refuses. In 1.0.0 tags from 32 on are
// constructors.
func (r *Rules) typeOf(tag byte) typeID {
	switch t := typeID(tag); {
	case t >= 1 && t <= tText:
		return t
	case t >= 14 && t <= 17:
		return t + lowTags
	case r.ctorTags && t >= 32:
		return ctorElement | t
	case t >= tAny && t <= tUndefined:
		return t
	}
	return tUnknown
}

// isForeign reports whether a tag belongs to versions other than this.
func (r *Rules) isForeign(tag byte) bool {
	return tag >= 14 && tag <= 17 && !r.lowTags || typeID(tag) >= tAny && typeID(tag) <= tUndefined && !r.highTags && !r.ctorTags
}

// nativeTag is the tag of these versions for what a foreign tag stands for.
func (r *Rules) nativeTag(tag byte) byte {
	if r.highTags && !r.lowTags {
		return tag + byte(lowTags)
	}
	return tag - byte(lowTags)
}
