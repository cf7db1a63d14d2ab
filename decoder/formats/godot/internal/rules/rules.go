// Package rules judges Godot's text as the engines read it: what their VariantParser and ConfigFile refuse, and what they
// change. What an engine accepts is in one table for each, here; the steps of reading are the same for both
// (parser.go).
package rules

import (
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/types"
)

// An Engine is what one engine accepts.
type Engine struct {
	Title string

	signed     bool                    // a sign belongs to a word; otherwise it is a number even alone
	capital    bool                    // E begins an exponent too
	prefixes   string                  // what may be before a quote
	long       bool                    // \U begins an escape of six digits
	surrogates bool                    // halves of surrogate pairs in escapes have to be pairs
	colors     string                  // how many digits a colour may have
	words      map[string]types.ID     // words that are values
	floats     string                  // words that are numbers, also in constructors
	calls      map[string]*constructor // by their names
	elements   map[string]types.ID     // types that a container may say
	converts   map[types.ID][]types.ID // what else may be put into a typed container of a type
}

// A constructor is a type with arguments in parentheses.
type constructor struct {
	of     types.ID
	inside string   // what is in the parentheses: see common
	count  int      // number of numbers, for each element
	number types.ID // what they become
}

// Constructors are listed as NAME ALIAS … | ARGUMENTS. The first name is that of the type. The arguments are a number of
// numbers with their type, many of them, or one of the words that parser.call knows.
const common = `
Vector2 | 2 float32
Rect2 | 4 float32
Vector3 | 3 float32
Transform2D Matrix32 | 6 float32
Plane | 4 float32
AABB Rect3 | 6 float32
Basis Matrix3 | 9 float32
Color | 4 float32
NodePath | text
Object | object
Resource | resource
SubResource | resource
ExtResource | resource
`

const only3 = `Quat | 4 float32
Transform | 12 float32
RID | number
PoolByteArray ByteArray | many 1 byte
PoolIntArray IntArray | many 1 int32
PoolRealArray FloatArray | many 1 float32
PoolStringArray StringArray | texts
PoolVector2Array Vector2Array | many 2 float32
PoolVector3Array Vector3Array | many 3 float32
PoolColorArray ColorArray | many 4 float32
`

const only4 = `Vector2i | 2 int32
Rect2i | 4 int32
Vector3i | 3 int32
Vector4 | 4 float32
Vector4i | 4 int32
Quaternion Quat | 4 float32
Transform3D Transform | 12 float32
Projection | 16 float32
RID | number?
Signal | nothing
Callable | nothing
Array | typed
Dictionary | typed
PackedByteArray PoolByteArray ByteArray | base64 1 byte
PackedInt32Array PackedIntArray PoolIntArray IntArray | many 1 int32
PackedInt64Array | many 1 int64
PackedFloat32Array PackedRealArray PoolRealArray FloatArray | many 1 float32
PackedFloat64Array | many 1 float64
PackedStringArray PoolStringArray StringArray | texts
PackedVector2Array PoolVector2Array Vector2Array | many 2 float32
PackedVector3Array PoolVector3Array Vector3Array | many 3 float32
PackedVector4Array PoolVector4Array Vector4Array | many 4 float32
PackedColorArray PoolColorArray ColorArray | many 4 float32
`

// conversions are Variant::can_convert_strict of Godot 4: the types that may become each.
const conversions = `
bool | int float
int | bool float
float | bool int
String | NodePath StringName
Vector2 | Vector2i
Vector2i | Vector2
Rect2 | Rect2i
Rect2i | Rect2
Transform2D | Transform3D
Vector3 | Vector3i
Vector3i | Vector3
Vector4 | Vector4i
Vector4i | Vector4
Quaternion | Basis
Basis | Quaternion
Transform3D | Transform2D Quaternion Basis Projection
Projection | Transform3D
Color | String int
RID | Object
Object | Nil
StringName | String
NodePath | String
Array | PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array
PackedByteArray | Array
PackedInt32Array | Array
PackedInt64Array | Array
PackedFloat32Array | Array
PackedFloat64Array | Array
PackedStringArray | Array
PackedVector2Array | Array
PackedVector3Array | Array
PackedColorArray | Array
PackedVector4Array | Array
`

// Godot3 is Godot 3.2, Godot4 is Godot 4.6.
var (
	Godot3 = &Engine{
		Title:  "Godot 3",
		colors: "3 4 6 8",
		words:  map[string]types.ID{"null": types.Nil, "nil": types.Nil, "true": types.Bool, "false": types.Bool, "inf": types.Float, "nan": types.Float},
		calls:  constructors(common, only3),
	}
	godot4 = &Engine{
		Title:  "Godot 4",
		signed: true, capital: true, prefixes: "&@", long: true, surrogates: true,
		colors: "3 4 6 8",
		words: map[string]types.ID{"null": types.Nil, "nil": types.Nil, "true": types.Bool, "false": types.Bool, "inf": types.Float, "nan": types.Float,
			"-inf": types.Float, "inf_neg": types.Float},
		floats:   "inf -inf inf_neg nan",
		calls:    constructors(common, only4),
		elements: elementTypes(types.Text4),
		converts: conversionsOf(conversions),
	}
)

// Of returns the rules of the engine of a dialect.
func Of(d *types.Dialect) *Engine {
	if d.Name == types.Text3.Name {
		return Godot3
	}
	return godot4
}

func isIn(word, list string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// id returns the type of a name in these tables.
func id(name string) types.ID {
	t, ok := map[string]types.ID{"byte": types.Byte, "int32": types.Int32, "int64": types.Int64, "float32": types.Float32, "float64": types.Float64}[name]
	if !ok {
		t, ok = types.TypeByName(name)
	}
	if !ok {
		panic("rules: there is no type " + name)
	}
	return t
}

func constructors(tables ...string) map[string]*constructor {
	all := map[string]*constructor{}
	for line := range strings.Lines(strings.TrimSpace(strings.Join(tables, ""))) {
		names, arguments, _ := strings.Cut(line, "|")
		is, words := strings.Fields(names), strings.Fields(arguments)
		c := &constructor{of: id(is[0]), inside: words[0]}
		if n := len(words); n > 1 {
			c.count, _ = strconv.Atoi(words[n-2])
			c.number = id(words[n-1])
		}
		for _, name := range is {
			all[name] = c
		}
	}
	return all
}

// elementTypes returns the types that a container of a dialect may say.
func elementTypes(d *types.Dialect) map[string]types.ID {
	all := map[string]types.ID{}
	for _, t := range d.Table {
		if shape := types.Of(t).Shape; t != types.Nil && t != types.Unknown && shape != types.ShapeReference {
			all[types.Of(t).Name] = t
		}
	}
	return all
}

func conversionsOf(table string) map[types.ID][]types.ID {
	all := map[types.ID][]types.ID{}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		to, from, _ := strings.Cut(line, "|")
		for _, name := range strings.Fields(from) {
			all[id(strings.TrimSpace(to))] = append(all[id(strings.TrimSpace(to))], id(name))
		}
	}
	return all
}
