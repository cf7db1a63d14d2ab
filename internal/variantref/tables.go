package variantref

import "strings"

// A table is the meaning of the ids and flags of one dialect.
type table struct {
	types   []string // by id
	ridID   bool     // a RID has an id
	wide    bool     // flag bit 16 makes components 64-bit
	typed   bool     // containers carry element types
	noFlags bool     // ints have 64 bits, floats 32
	strict  bool     // surrogates and code points past 10FFFF fail
	levels  int      // of containers; one more fails
	loose   bool     // a String and a StringName are the same key
}

const (
	plain3 = `Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quat AABB Basis Transform Color NodePath RID
		Object Dictionary Array PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array PoolVector3Array
		PoolColorArray`
	plain4 = `Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane
		Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary Array
		PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
		PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array`
	docs4 = `Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quaternion AABB Basis Transform3D Color NodePath
		RID Object Dictionary Array PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array
		PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray`
	pandemonium33 = `Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Plane Quat AABB Basis
		Transform Color NodePath RID Object StringName Dictionary Array PoolByteArray PoolIntArray PoolRealArray
		PoolStringArray PoolVector2Array PoolVector2iArray PoolVector3Array PoolVector3iArray PoolColorArray`
	pandemoniumHead = `Nil bool int float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane
		Quaternion AABB Basis Transform Transform2D Projection Color NodePath RID Object StringName Dictionary Array `
	pandemoniumTail = ` PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array PoolVector2iArray
		PoolVector3Array PoolVector3iArray PoolVector4Array PoolVector4iArray PoolColorArray`
)

// tables are the dialects by name.
var tables = map[string]*table{
	"godot4":            {types: strings.Fields(plain4), ridID: true, wide: true, typed: true, strict: true, levels: 1024, loose: true},
	"godot3":            {types: strings.Fields(plain3), levels: noLimit},
	"godot4-docs":       {types: strings.Fields(docs4), strict: true, levels: noLimit},
	"godot3-early-docs": {types: strings.Fields(plain3), noFlags: true, levels: noLimit},
	"pandemonium3":      {types: strings.Fields(pandemonium33), strict: true, levels: 1025},
	"pandemonium4":      {types: strings.Fields(pandemoniumHead + pandemoniumTail), strict: true, levels: 1025},
	"pandemonium":       {types: strings.Fields(pandemoniumHead + "TypedArray PackedTypedArray" + pandemoniumTail), strict: true, levels: 1025},
}

// noLimit is the nesting at which engines without a limit crash.
const noLimit = 40000

// A shape is the layout of the numbers of a type.
type shape struct {
	count  int
	ints   bool
	matrix bool // begins with nine in rows; returned in columns
	narrow bool // never 64-bit
}

// shapes are the types with a fixed number of components.
var shapes = map[string]shape{
	"Vector2": {count: 2}, "Vector3": {count: 3}, "Vector4": {count: 4}, "Rect2": {count: 4}, "Transform2D": {count: 6},
	"Plane": {count: 4}, "Quat": {count: 4}, "Quaternion": {count: 4}, "AABB": {count: 6}, "Projection": {count: 16},
	"Basis": {count: 9, matrix: true}, "Transform": {count: 12, matrix: true}, "Transform3D": {count: 12, matrix: true},
	"Color":    {count: 4, narrow: true},
	"Vector2i": {count: 2, ints: true}, "Vector3i": {count: 3, ints: true}, "Vector4i": {count: 4, ints: true}, "Rect2i": {count: 4, ints: true},
}

// An element is the element of a packed array: count numbers of size bytes.
type element struct {
	count, size int
	ints        bool
	wide        bool // 64-bit where the flag is set
}

// elements are the packed arrays of numbers.
var elements = map[string]element{
	"PackedByteArray": {1, 1, true, false}, "PoolByteArray": {1, 1, true, false},
	"PackedInt32Array": {1, 4, true, false}, "PoolIntArray": {1, 4, true, false}, "PackedInt64Array": {1, 8, true, false},
	"PackedFloat32Array": {1, 4, false, false}, "PoolRealArray": {1, 4, false, false}, "PackedFloat64Array": {1, 8, false, false},
	"PackedVector2Array": {2, 4, false, true}, "PoolVector2Array": {2, 4, false, false}, "PoolVector2iArray": {2, 4, true, false},
	"PackedVector3Array": {3, 4, false, true}, "PoolVector3Array": {3, 4, false, false}, "PoolVector3iArray": {3, 4, true, false},
	"PackedVector4Array": {4, 4, false, true}, "PoolVector4Array": {4, 4, false, false}, "PoolVector4iArray": {4, 4, true, false},
	"PackedColorArray": {4, 4, false, false}, "PoolColorArray": {4, 4, false, false},
}
