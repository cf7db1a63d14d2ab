package savegame

import "slices"

// variantType is a type by its id in Godot 4.
type variantType uint32

const (
	typeNil variantType = iota
	typeBool
	typeInt
	typeFloat
	typeString
	typeVector2
	typeVector2i
	typeRect2
	typeRect2i
	typeVector3
	typeVector3i
	typeTransform2D
	typeVector4
	typeVector4i
	typePlane
	typeQuaternion
	typeAABB
	typeBasis
	typeTransform3D
	typeProjection
	typeColor
	typeStringName
	typeNodePath
	typeRID
	typeObject
	typeCallable
	typeSignal
	typeDictionary
	typeArray
	typeBytes
	typeInt32s
	typeInt64s
	typeFloat32s
	typeFloat64s
	typeStrings
	typeVector2s
	typeVector3s
	typeColors
	typeVector4s
	typeCount
)

// godot3Types are the types of Godot 3, in the order of their ids there.
var godot3Types = []variantType{
	typeNil, typeBool, typeInt, typeFloat, typeString, typeVector2, typeRect2, typeVector3, typeTransform2D, typePlane,
	typeQuaternion, typeAABB, typeBasis, typeTransform3D, typeColor, typeNodePath, typeRID, typeObject, typeDictionary,
	typeArray, typeBytes, typeInt32s, typeFloat32s, typeStrings, typeVector2s, typeVector3s, typeColors,
}

// ids returns the id of each type in a dialect, -1 for a type that it lacks.
func ids(d Dialect) (all [typeCount]int) {
	for t := range typeCount {
		all[t] = int(t)
		if d == Godot3 {
			all[t] = slices.Index(godot3Types, t)
		}
	}
	return all
}

// A layout is that of the numbers of a type, or of an element of a packed array.
type layout struct {
	count int
	form  form
	wide  bool // has 64-bit numbers in a build with double precision
}

type form uint8

const (
	float32s form = iota
	float64s
	int32s
	int64s
)

var layouts = [typeCount]layout{
	typeVector2: {2, float32s, true}, typeVector3: {3, float32s, true}, typeVector4: {4, float32s, true},
	typeVector2i: {2, int32s, false}, typeVector3i: {3, int32s, false}, typeVector4i: {4, int32s, false},
	typeRect2: {4, float32s, true}, typeRect2i: {4, int32s, false}, typeTransform2D: {6, float32s, true},
	typePlane: {4, float32s, true}, typeQuaternion: {4, float32s, true}, typeAABB: {6, float32s, true},
	typeBasis: {9, float32s, true}, typeTransform3D: {12, float32s, true}, typeProjection: {16, float32s, true},
	typeColor: {4, float32s, false},

	typeInt32s: {1, int32s, false}, typeInt64s: {1, int64s, false}, typeFloat32s: {1, float32s, false},
	typeFloat64s: {1, float64s, false}, typeVector2s: {2, float32s, true}, typeVector3s: {3, float32s, true},
	typeVector4s: {4, float32s, true}, typeColors: {4, float32s, false},
}
