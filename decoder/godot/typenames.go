package godot

// has reports whether the dialect has a type.
func (d *Dialect) has(t typeID) bool {
	_, ok := d.idOf(t)
	return ok
}

// idOf is the number of a type in files of the dialect.
func (d *Dialect) idOf(t typeID) (uint32, bool) {
	for id, other := range d.table {
		if t == other {
			return uint32(id), true
		}
	}
	return 0, false
}

// typeNamed finds a type by its name, or one of the dialect that another dialect
// calls so.
func (d *Dialect) typeNamed(name string) (typeID, bool) {
	t, ok := typeByName(name)
	if ok && !d.has(t) {
		for _, same := range synonyms {
			for i, s := range same {
				if s == t && d.has(same[1-i]) {
					return same[1-i], true
				}
			}
		}
	}
	return t, ok
}

// synonyms are types that only their name tells apart in Godot 3 and 4.
var synonyms = [][2]typeID{
	{tQuat, tQuaternion}, {tTransform, tTransform3D}, {tPoolByteArray, tPackedByteArray}, {tPoolIntArray, tPackedInt32Array},
	{tPoolRealArray, tPackedFloat32Array}, {tPoolStringArray, tPackedStringArray}, {tPoolVector2Array, tPackedVector2Array},
	{tPoolVector3Array, tPackedVector3Array}, {tPoolVector4Array, tPackedVector4Array}, {tPoolColorArray, tPackedColorArray},
}
