package types

import (
	"fmt"
)

// TypeOf returns the type with an id. Engines use only the low 8 bits.
func (d *Dialect) TypeOf(id uint32) ID {
	if !d.Resource {
		id &= 0xff
	}
	if id < uint32(len(d.Table)) {
		return d.Table[id]
	}
	return Unknown
}

// TypeName returns the name of the type with an id; "type 77" if the dialect has none.
func (d *Dialect) TypeName(id uint32) string {
	if t := d.TypeOf(id); t != Unknown {
		return Of(t).Name
	}
	if !d.Resource {
		id &= 0xff
	}
	return fmt.Sprintf("type %d", id)
}

// ElementName returns the name of the element type with an id. Engines use all bits.
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

// IDOf returns the id of a type. ok is false if the dialect does not have the type.
func (d *Dialect) IDOf(t ID) (id uint32, ok bool) {
	if d.Resource && Of(t).Shape == ShapeReference {
		t = Object
	}
	for id, other := range d.Table {
		if t == other {
			return uint32(id), true
		}
	}
	return 0, false
}

// TypeNamed finds a type by its name. For a type that the dialect lacks it is the
// dialect's type of the same meaning, if there is one.
func (d *Dialect) TypeNamed(name string) (ID, bool) {
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

// synonyms are types that have different names in Godot 3 and 4 but the same
// meaning.
var synonyms = [][2]ID{
	{Quat, Quaternion}, {Transform, Transform3D}, {tPoolByteArray, tPackedByteArray}, {PoolIntArray, tPackedInt32Array},
	{PoolRealArray, PackedFloat32Array}, {tPoolStringArray, tPackedStringArray}, {tPoolVector2Array, tPackedVector2Array},
	{tPoolVector3Array, tPackedVector3Array}, {PoolVector4Array, tPackedVector4Array}, {tPoolColorArray, tPackedColorArray},
}

// Newest returns the type that means the same as t in the newest engine that has it under
// another name.
func Newest(t ID) ID {
	for _, same := range synonyms {
		if same[0] == t {
			return same[1]
		}
	}
	return t
}
