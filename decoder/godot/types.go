package godot

import "strings"

// typeID numbers the types of all dialects together; the ids in a file are the
// dialects' own.
type typeID = uint16

const (
	tNil typeID = iota
	tBool
	tInt
	tFloat
	tString
	tVector2
	tVector2i
	tRect2
	tRect2i
	tVector3
	tVector3i
	tVector4
	tVector4i
	tTransform2D
	tPlane
	tQuat
	tQuaternion
	tAABB
	tBasis
	tTransform
	tTransform3D
	tProjection
	tColor
	tStringName
	tNodePath
	tRID
	tObject
	tCallable
	tSignal
	tDictionary
	tArray
	tTypedArray
	tPackedTypedArray
	tPackedByteArray
	tPackedInt32Array
	tPackedInt64Array
	tPackedFloat32Array
	tPackedFloat64Array
	tPackedStringArray
	tPackedVector2Array
	tPackedVector3Array
	tPackedVector4Array
	tPackedColorArray
	tPoolByteArray
	tPoolIntArray
	tPoolRealArray
	tPoolStringArray
	tPoolVector2Array
	tPoolVector2iArray
	tPoolVector3Array
	tPoolVector3iArray
	tPoolVector4Array
	tPoolVector4iArray
	tPoolColorArray

	// What follows has no id in any file: buffers, and parts of values.
	tRaw     // a buffer of one bare value
	tStream  // a buffer of frames
	tName    // name of an object's property
	tPart    // name or subname of a NodePath
	tEntry   // element of a packed string array
	tByte    // element of a packed byte array
	tInt32   // component or element
	tInt64   //
	tFloat32 //
	tFloat64 //
	tElement // vector in a packed array
	tUnknown // an id that the dialect's table lacks
	typeCount
)

// shape says how the payload of a type is laid out.
type shape uint8

const (
	shapeNone    shape = iota // nothing
	shapeBool                 // u32
	shapeNumber               // int or float of 32 or 64 bits
	shapeText                 // string
	shapeFixed                // components
	shapePath                 // NodePath
	shapeRID                  // u64 in Godot 4, else nothing
	shapeObject               // id, or class and properties
	shapeSignal               // string, u64
	shapeDict                 // pairs
	shapeArray                // values
	shapeTyped                // Pandemonium's TypedArray
	shapeBytes                // packed bytes
	shapePacked               // packed components
	shapeStrings              // packed strings
	shapeUnknown              // nobody knows
)

// A typeInfo describes a type. Section "Payloads" of the specification.
type typeInfo struct {
	name  string
	shape shape
	comp  typeID   // type of a component: tInt32, tFloat32, …; tFloat32 may become tFloat64
	parts []string // what the components of one element are called, in file order
	wide  bool     // flag bit 16 makes the components 64-bit
}

var (
	xy       = strings.Fields("x y")
	xyz      = strings.Fields("x y z")
	xyzw     = strings.Fields("x y z w")
	rgba     = strings.Fields("r g b a")
	plane    = strings.Fields("normal.x normal.y normal.z d")
	rect     = strings.Fields("position.x position.y size.x size.y")
	aabb     = strings.Fields("position.x position.y position.z size.x size.y size.z")
	columns2 = strings.Fields("x.x x.y y.x y.y origin.x origin.y")
	// Row order: measured with Godot 3.2.3 and 4.6, the documents say columns.
	rows3     = strings.Fields("x.x y.x z.x x.y y.y z.y x.z y.z z.z")
	transform = strings.Fields("basis.x.x basis.y.x basis.z.x basis.x.y basis.y.y basis.z.y basis.x.z basis.y.z basis.z.z origin.x origin.y origin.z")
	columns4  = strings.Fields("x.x x.y x.z x.w y.x y.y y.z y.w z.x z.y z.z z.w w.x w.y w.z w.w")
)

var types = [typeCount]typeInfo{
	tNil:                {name: "Nil"},
	tBool:               {name: "bool", shape: shapeBool},
	tInt:                {name: "int", shape: shapeNumber},
	tFloat:              {name: "float", shape: shapeNumber},
	tString:             {name: "String", shape: shapeText},
	tVector2:            {name: "Vector2", shape: shapeFixed, comp: tFloat32, parts: xy, wide: true},
	tVector2i:           {name: "Vector2i", shape: shapeFixed, comp: tInt32, parts: xy},
	tRect2:              {name: "Rect2", shape: shapeFixed, comp: tFloat32, parts: rect, wide: true},
	tRect2i:             {name: "Rect2i", shape: shapeFixed, comp: tInt32, parts: rect},
	tVector3:            {name: "Vector3", shape: shapeFixed, comp: tFloat32, parts: xyz, wide: true},
	tVector3i:           {name: "Vector3i", shape: shapeFixed, comp: tInt32, parts: xyz},
	tVector4:            {name: "Vector4", shape: shapeFixed, comp: tFloat32, parts: xyzw, wide: true},
	tVector4i:           {name: "Vector4i", shape: shapeFixed, comp: tInt32, parts: xyzw},
	tTransform2D:        {name: "Transform2D", shape: shapeFixed, comp: tFloat32, parts: columns2, wide: true},
	tPlane:              {name: "Plane", shape: shapeFixed, comp: tFloat32, parts: plane, wide: true},
	tQuat:               {name: "Quat", shape: shapeFixed, comp: tFloat32, parts: xyzw, wide: true},
	tQuaternion:         {name: "Quaternion", shape: shapeFixed, comp: tFloat32, parts: xyzw, wide: true},
	tAABB:               {name: "AABB", shape: shapeFixed, comp: tFloat32, parts: aabb, wide: true},
	tBasis:              {name: "Basis", shape: shapeFixed, comp: tFloat32, parts: rows3, wide: true},
	tTransform:          {name: "Transform", shape: shapeFixed, comp: tFloat32, parts: transform, wide: true},
	tTransform3D:        {name: "Transform3D", shape: shapeFixed, comp: tFloat32, parts: transform, wide: true},
	tProjection:         {name: "Projection", shape: shapeFixed, comp: tFloat32, parts: columns4, wide: true},
	tColor:              {name: "Color", shape: shapeFixed, comp: tFloat32, parts: rgba},
	tStringName:         {name: "StringName", shape: shapeText},
	tNodePath:           {name: "NodePath", shape: shapePath},
	tRID:                {name: "RID", shape: shapeRID},
	tObject:             {name: "Object", shape: shapeObject},
	tCallable:           {name: "Callable"},
	tSignal:             {name: "Signal", shape: shapeSignal},
	tDictionary:         {name: "Dictionary", shape: shapeDict},
	tArray:              {name: "Array", shape: shapeArray},
	tTypedArray:         {name: "TypedArray", shape: shapeTyped},
	tPackedTypedArray:   {name: "PackedTypedArray", shape: shapeTyped},
	tPackedByteArray:    {name: "PackedByteArray", shape: shapeBytes, comp: tByte},
	tPackedInt32Array:   {name: "PackedInt32Array", shape: shapePacked, comp: tInt32},
	tPackedInt64Array:   {name: "PackedInt64Array", shape: shapePacked, comp: tInt64},
	tPackedFloat32Array: {name: "PackedFloat32Array", shape: shapePacked, comp: tFloat32},
	tPackedFloat64Array: {name: "PackedFloat64Array", shape: shapePacked, comp: tFloat64},
	tPackedStringArray:  {name: "PackedStringArray", shape: shapeStrings},
	tPackedVector2Array: {name: "PackedVector2Array", shape: shapePacked, comp: tFloat32, parts: xy, wide: true},
	tPackedVector3Array: {name: "PackedVector3Array", shape: shapePacked, comp: tFloat32, parts: xyz, wide: true},
	tPackedVector4Array: {name: "PackedVector4Array", shape: shapePacked, comp: tFloat32, parts: xyzw, wide: true},
	tPackedColorArray:   {name: "PackedColorArray", shape: shapePacked, comp: tFloat32, parts: rgba},
	tPoolByteArray:      {name: "PoolByteArray", shape: shapeBytes, comp: tByte},
	tPoolIntArray:       {name: "PoolIntArray", shape: shapePacked, comp: tInt32},
	tPoolRealArray:      {name: "PoolRealArray", shape: shapePacked, comp: tFloat32},
	tPoolStringArray:    {name: "PoolStringArray", shape: shapeStrings},
	tPoolVector2Array:   {name: "PoolVector2Array", shape: shapePacked, comp: tFloat32, parts: xy, wide: true},
	tPoolVector2iArray:  {name: "PoolVector2iArray", shape: shapePacked, comp: tInt32, parts: xy},
	tPoolVector3Array:   {name: "PoolVector3Array", shape: shapePacked, comp: tFloat32, parts: xyz, wide: true},
	tPoolVector3iArray:  {name: "PoolVector3iArray", shape: shapePacked, comp: tInt32, parts: xyz},
	tPoolVector4Array:   {name: "PoolVector4Array", shape: shapePacked, comp: tFloat32, parts: xyzw, wide: true},
	tPoolVector4iArray:  {name: "PoolVector4iArray", shape: shapePacked, comp: tInt32, parts: xyzw},
	tPoolColorArray:     {name: "PoolColorArray", shape: shapePacked, comp: tFloat32, parts: rgba},

	tRaw:     {name: "value"},
	tStream:  {name: "stream"},
	tName:    {name: "property name", shape: shapeText},
	tPart:    {name: "name", shape: shapeText},
	tEntry:   {name: "String", shape: shapeText},
	tByte:    {name: "byte", shape: shapeNumber},
	tInt32:   {name: "int", shape: shapeNumber},
	tInt64:   {name: "int", shape: shapeNumber},
	tFloat32: {name: "float", shape: shapeNumber},
	tFloat64: {name: "float", shape: shapeNumber},
	tElement: {name: "element"},
	tUnknown: {name: "unknown", shape: shapeUnknown},
}

// width is the size of a component in bytes.
func width(comp typeID) int64 {
	switch comp {
	case tByte:
		return 1
	case tInt64, tFloat64:
		return 8
	}
	return 4
}

// typeOf describes a type.
func typeOf(t typeID) *typeInfo { return &types[t] }

func typeByName(name string) (typeID, bool) {
	for id := range types {
		if types[id].name == name && typeID(id) < tRaw {
			return typeID(id), true
		}
	}
	return 0, false
}
