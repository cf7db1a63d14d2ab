package types

import (
	"fmt"
)

// TypeOf gives the type that an id stands for. Engines look at its low 8 bits
// only.
func (d *Dialect) TypeOf(id uint32) ID {
	if id &= 0xff; int(id) < len(d.Table) {
		return d.Table[id]
	}
	return Unknown
}

// TypeName names an id, one that the table lacks by its number.
func (d *Dialect) TypeName(id uint32) string {
	if t := d.TypeOf(id); t != Unknown {
		return Of(t).Name
	}
	return fmt.Sprintf("type %d", id&0xff)
}

// ElementName names the element type of a container, of which engines look at
// all bits.
func (d *Dialect) ElementName(id uint32) string {
	if id > 0xff {
		return fmt.Sprintf("type %d", id)
	}
	return d.TypeName(id)
}

// Has reports whether the dialect has a type.
func (d *Dialect) Has(t ID) bool {
	_, ok := d.IDOf(t)
	return ok
}

// IDOf is the number of a type in files of the dialect.
func (d *Dialect) IDOf(t ID) (uint32, bool) {
	for id, other := range d.Table {
		if t == other {
			return uint32(id), true
		}
	}
	return 0, false
}

// Named finds a type by its name, or one of the dialect that another dialect
// calls so.
func (d *Dialect) Named(name string) (ID, bool) {
	t, ok := TypeByName(name)
	if ok && !d.Has(t) {
		for _, same := range synonyms {
			for i, s := range same {
				if s == t && d.Has(same[1-i]) {
					return same[1-i], true
				}
			}
		}
	}
	return t, ok
}

// synonyms are types that only their name tells apart in Godot 3 and 4.
var synonyms = [][2]ID{
	{Quat, Quaternion}, {Transform, Transform3D}, {tPoolByteArray, tPackedByteArray}, {tPoolIntArray, tPackedInt32Array},
	{tPoolRealArray, tPackedFloat32Array}, {tPoolStringArray, tPackedStringArray}, {tPoolVector2Array, tPackedVector2Array},
	{tPoolVector3Array, tPackedVector3Array}, {PoolVector4Array, tPackedVector4Array}, {tPoolColorArray, tPackedColorArray},
}
