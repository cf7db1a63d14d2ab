package endtoend

// fieldTables list the fields of files that together have every kind, shape and
// framing: offset, length, kind | label | path | value.
var fieldTables = []struct {
	name   string
	args   []string
	fields string
}{
	{name: "godot4/packed-byte-7", fields: `
		0 2 type | type | $ | PackedByteArray
		2 2 flags | flags | $ | 0
		4 4 length | count | $ | 7
		8 7 data | bytes | $ | 0001020380feff
		15 1 padding | padding | $ | 00`},
	{name: "godot4/packed-string", fields: `
		0 2 type | type | $ | PackedStringArray
		2 2 flags | flags | $ | 0
		4 4 length | count | $ | 7
		8 4 length | length | $[0] | 1
		12 1 terminator | terminator | $[0] | 00
		13 3 padding | padding | $[0] | 000000
		16 4 length | length | $[1] | 2
		20 1 text | text | $[1] | a
		21 1 terminator | terminator | $[1] | 00
		22 2 padding | padding | $[1] | 0000
		24 4 length | length | $[2] | 3
		28 2 text | text | $[2] | ab
		30 1 terminator | terminator | $[2] | 00
		31 1 padding | padding | $[2] | 00
		32 4 length | length | $[3] | 4
		36 3 text | text | $[3] | abc
		39 1 terminator | terminator | $[3] | 00
		40 4 length | length | $[4] | 5
		44 4 text | text | $[4] | abcd
		48 1 terminator | terminator | $[4] | 00
		49 3 padding | padding | $[4] | 000000
		52 4 length | length | $[5] | 7
		56 6 text | text | $[5] | 日本
		62 1 terminator | terminator | $[5] | 00
		63 1 padding | padding | $[5] | 00
		64 4 length | length | $[6] | 5
		68 4 text | text | $[6] | 🎲
		72 1 terminator | terminator | $[6] | 00
		73 3 padding | padding | $[6] | 000000`},
	{name: "godot4/rid-value", fields: `
		0 2 type | type | $ | RID
		2 2 flags | flags | $ | 0
		4 8 id | id | $ | 4294967298`},
	{name: "godot4/object-as-id", fields: `
		0 2 type | type | $ | Object
		2 2 flags | flags | $ | 1
		4 8 id | object id | $ | 9223372066516895004`},
	{name: "godot4/signal-object", fields: `
		0 2 type | type | $ | Signal
		2 2 flags | flags | $ | 0
		4 4 length | length | $ | 13
		8 13 text | signal name | $ | custom_signal
		21 3 padding | padding | $ | 000000
		24 8 id | object id | $ | 9223372061299180826`},
	{name: "godot4/typed-dict-string-int", fields: `
		0 2 type | type | $ | Dictionary
		2 2 flags | flags | $ | 5
		4 4 type | key type | $ | String
		8 4 type | value type | $ | int
		12 4 length | count | $ | 2
		16 2 type | type | $.gold@key | String
		18 2 flags | flags | $.gold@key | 0
		20 4 length | length | $.gold@key | 4
		24 4 text | text | $.gold@key | gold
		28 2 type | type | $.gold | int
		30 2 flags | flags | $.gold | 0
		32 4 value | value | $.gold | 100
		36 2 type | type | $.gems@key | String
		38 2 flags | flags | $.gems@key | 0
		40 4 length | length | $.gems@key | 4
		44 4 text | text | $.gems@key | gems
		48 2 type | type | $.gems | int
		50 2 flags | flags | $.gems | 0
		52 4 value | value | $.gems | 7`},
	{name: "godot4/typed-array-class-resource", fields: `
		0 2 type | type | $ | Array
		2 2 flags | flags | $ | 2
		4 4 length | length | $ | 8
		8 8 text | element type class | $ | Resource
		16 4 length | count | $ | 2
		20 2 type | type | $[0] | Object
		22 2 flags | flags | $[0] | 0
		24 4 length | length | $[0] | 8
		28 8 text | class | $[0] | Resource
		36 4 length | property count | $[0] | 3
		40 4 length | length | $[0].resource_local_to_scene@key | 23
		44 23 text | property name | $[0].resource_local_to_scene@key | resource_local_to_scene
		67 1 padding | padding | $[0].resource_local_to_scene@key | 00
		68 2 type | type | $[0].resource_local_to_scene | bool
		70 2 flags | flags | $[0].resource_local_to_scene | 0
		72 4 value | value | $[0].resource_local_to_scene | false
		76 4 length | length | $[0].resource_name@key | 13
		80 13 text | property name | $[0].resource_name@key | resource_name
		93 3 padding | padding | $[0].resource_name@key | 000000
		96 2 type | type | $[0].resource_name | String
		98 2 flags | flags | $[0].resource_name | 0
		100 4 length | length | $[0].resource_name | 5
		104 5 text | text | $[0].resource_name | first
		109 3 padding | padding | $[0].resource_name | 000000
		112 4 length | length | $[0].script@key | 6
		116 6 text | property name | $[0].script@key | script
		122 2 padding | padding | $[0].script@key | 0000
		124 2 type | type | $[0].script | Nil
		126 2 flags | flags | $[0].script | 0
		128 2 type | type | $[1] | Nil
		130 2 flags | flags | $[1] | 0`},
	{name: "godot4/transform3d-1-to-12", fields: `
		0 2 type | type | $ | Transform3D
		2 2 flags | flags | $ | 0
		4 4 value | value | $.basis.x.x | 1
		8 4 value | value | $.basis.y.x | 4
		12 4 value | value | $.basis.z.x | 7
		16 4 value | value | $.basis.x.y | 2
		20 4 value | value | $.basis.y.y | 5
		24 4 value | value | $.basis.z.y | 8
		28 4 value | value | $.basis.x.z | 3
		32 4 value | value | $.basis.y.z | 6
		36 4 value | value | $.basis.z.z | 9
		40 4 value | value | $.origin.x | 10
		44 4 value | value | $.origin.y | 11
		48 4 value | value | $.origin.z | 12`},
	{name: "godot4/store-single-int", args: []string{"--framing", "stream"}, fields: `
		0 4 length | frame length | $[0] | 8
		4 2 type | type | $[0] | int
		6 2 flags | flags | $[0] | 0
		8 4 value | value | $[0] | 5`},
	{name: "godot4/store-single-int", args: []string{"--offset", "0x4"}, fields: `
		0 4 gap | gap | $ | 08000000
		4 2 type | type | $ | int
		6 2 flags | flags | $ | 0
		8 4 value | value | $ | 5`},
	{name: "godot3/node-path-property-only", fields: `
		0 2 type | type | $ | NodePath
		2 2 flags | flags | $ | 0
		4 4 length | name count | $ | 0
		8 4 length | subname count | $ | 2
		12 4 flags | path flags | $ | 0
		16 4 length | length | $.subnames[0] | 8
		20 8 text | name | $.subnames[0] | modulate
		28 4 length | length | $.subnames[1] | 1
		32 1 text | name | $.subnames[1] | a
		33 3 padding | padding | $.subnames[1] | 000000`},
	{name: "pandemonium/p53-object-full-typed-array-resource-empty", fields: `
		0 2 type | type | $ | TypedArray
		2 2 flags | flags | $ | 0
		4 4 type | element type | $ | Object
		8 2 type | class name type | $ | StringName
		10 2 flags | class name flags | $ | 0
		12 4 length | length | $ | 8
		16 8 text | class | $ | Resource
		24 4 length | count | $ | 0`},
	{name: "handmade/godot3-node-path-property", args: []string{"--as", "godot3"}, fields: `
		0 2 type | type | $ | NodePath
		2 2 flags | flags | $ | 0
		4 4 length | name count | $ | 1
		8 4 length | subname count | $ | 0
		12 4 flags | path flags | $ | 2
		16 4 length | length | $.names[0] | 3
		20 3 text | name | $.names[0] | Arm
		23 1 padding | padding | $.names[0] | f7
		24 4 length | length | $.subnames[0] | 8
		28 8 text | name | $.subnames[0] | rotation`},
	{name: "handmade/godot3-early-docs-stream", args: []string{"--as", "godot3-early-docs"}, fields: `
		0 4 length | frame length | $[0] | 12
		4 2 type | type | $[0] | int
		6 2 flags | flags | $[0] | 0
		8 8 value | value | $[0] | 1
		16 4 length | frame length | $[1] | 12
		20 2 type | type | $[1] | int
		22 2 flags | flags | $[1] | 0
		24 8 value | value | $[1] | 2
		32 4 length | frame length | $[2] | 8
		36 2 type | type | $[2] | float
		38 2 flags | flags | $[2] | 0
		40 4 value | value | $[2] | 3`},
	{name: "handmade/godot3-shared-bit", args: []string{"--as", "godot3", "--framing", "raw"}, fields: `
		0 2 type | type | $ | Dictionary
		2 2 flags | flags | $ | 0
		4 4 length | count | $ | 1 shared
		8 2 type | type | $.a@key | String
		10 2 flags | flags | $.a@key | 0
		12 4 length | length | $.a@key | 1
		16 1 text | text | $.a@key | a
		17 3 padding | padding | $.a@key | 000000
		20 2 type | type | $.a | Array
		22 2 flags | flags | $.a | 0
		24 4 length | count | $.a | 2 shared
		28 2 type | type | $.a[0] | int
		30 2 flags | flags | $.a[0] | 0
		32 4 value | value | $.a[0] | 1
		36 2 type | type | $.a[1] | int
		38 2 flags | flags | $.a[1] | 0
		40 4 value | value | $.a[1] | 2`},
	{name: "handmade/godot4-64-bit-components", fields: `
		0 2 type | type | $ | Array
		2 2 flags | flags | $ | 0
		4 4 length | count | $ | 4
		8 2 type | type | $[0] | Vector3
		10 2 flags | flags | $[0] | 1
		12 8 value | value | $[0].x | 0.1
		20 8 value | value | $[0].y | 0.2
		28 8 value | value | $[0].z | -3
		36 2 type | type | $[1] | Transform2D
		38 2 flags | flags | $[1] | 1
		40 8 value | value | $[1].x.x | 1
		48 8 value | value | $[1].x.y | 0
		56 8 value | value | $[1].y.x | 0
		64 8 value | value | $[1].y.y | 1
		72 8 value | value | $[1].origin.x | 0.5
		80 8 value | value | $[1].origin.y | 6
		88 2 type | type | $[2] | PackedVector2Array
		90 2 flags | flags | $[2] | 1
		92 4 length | count | $[2] | 2
		96 8 value | value | $[2][0].x | 0.1
		104 8 value | value | $[2][0].y | 1
		112 8 value | value | $[2][1].x | 2
		120 8 value | value | $[2][1].y | 3
		128 2 type | type | $[3] | Vector2
		130 2 flags | flags | $[3] | 0
		132 4 value | value | $[3].x | 1
		136 4 value | value | $[3].y | 2`},
	{name: "handmade/godot4-big-endian-lengths", fields: `
		0 4 length | frame length | $[0] | 8
		4 2 type | type | $[0] | int
		6 2 flags | flags | $[0] | 0
		8 4 value | value | $[0] | 5
		12 4 length | frame length | $[1] | 12
		16 2 type | type | $[1] | String
		18 2 flags | flags | $[1] | 0
		20 4 length | length | $[1] | 3
		24 3 text | text | $[1] | abc
		27 1 padding | padding | $[1] | 00
		28 4 length | frame length | $[2] | 12
		32 2 type | type | $[2] | Vector2i
		34 2 flags | flags | $[2] | 0
		36 4 value | value | $[2].x | 1
		40 4 value | value | $[2].y | 2`},
	{name: "handmade/godot4-repeated-keys", fields: `
		0 2 type | type | $ | Dictionary
		2 2 flags | flags | $ | 0
		4 4 length | count | $ | 4
		8 2 type | type | $.a@key | String
		10 2 flags | flags | $.a@key | 0
		12 4 length | length | $.a@key | 1
		16 1 text | text | $.a@key | a
		17 3 padding | padding | $.a@key | 000000
		20 2 type | type | $.a | int
		22 2 flags | flags | $.a | 0
		24 4 value | value | $.a | 1
		28 2 type | type | $.a#2@key | String
		30 2 flags | flags | $.a#2@key | 0
		32 4 length | length | $.a#2@key | 1
		36 1 text | text | $.a#2@key | a
		37 3 padding | padding | $.a#2@key | 000000
		40 2 type | type | $.a#2 | int
		42 2 flags | flags | $.a#2 | 0
		44 4 value | value | $.a#2 | 2
		48 2 type | type | $["a b"]@key | String
		50 2 flags | flags | $["a b"]@key | 0
		52 4 length | length | $["a b"]@key | 3
		56 3 text | text | $["a b"]@key | a b
		59 1 padding | padding | $["a b"]@key | 00
		60 2 type | type | $["a b"] | Vector2i
		62 2 flags | flags | $["a b"] | 0
		64 4 value | value | $["a b"].x | 3
		68 4 value | value | $["a b"].y | 4
		72 2 type | type | $[Vector2i(3, 4)]@key | Vector2i
		74 2 flags | flags | $[Vector2i(3, 4)]@key | 0
		76 4 value | value | $[Vector2i(3, 4)]@key.x | 3
		80 4 value | value | $[Vector2i(3, 4)]@key.y | 4
		84 2 type | type | $[Vector2i(3, 4)] | Dictionary
		86 2 flags | flags | $[Vector2i(3, 4)] | 0
		88 4 length | count | $[Vector2i(3, 4)] | 1
		92 2 type | type | $[Vector2i(3, 4)][null]@key | Nil
		94 2 flags | flags | $[Vector2i(3, 4)][null]@key | 0
		96 2 type | type | $[Vector2i(3, 4)][null] | bool
		98 2 flags | flags | $[Vector2i(3, 4)][null] | 0
		100 4 value | value | $[Vector2i(3, 4)][null] | true`},
	{name: "damaged/frame-too-long", fields: `
		0 4 length | frame length | $[0] | 20
		4 2 type | type | $[0] | Vector2i
		6 2 flags | flags | $[0] | 0
		8 4 value | value | $[0].x | 1
		12 4 value | value | $[0].y | 2
		16 8 gap | gap | $[0] | deadbeefdeadbeef
		24 4 length | frame length | $[1] | 12
		28 2 type | type | $[1] | Vector2i
		30 2 flags | flags | $[1] | 0
		32 4 value | value | $[1].x | 3
		36 4 value | value | $[1].y | 4`},
	{name: "damaged/unknown-type-in-second-frame", fields: `
		0 4 length | frame length | $[0] | 12
		4 2 type | type | $[0] | Vector2i
		6 2 flags | flags | $[0] | 0
		8 4 value | value | $[0].x | 1
		12 4 value | value | $[0].y | 2
		16 4 length | frame length | $[1] | 8
		20 2 type | type | $[1] | type 77
		22 2 flags | flags | $[1] | 0
		24 4 gap | gap | $[1] | 05000000
		28 4 length | frame length | $[2] | 12
		32 2 type | type | $[2] | Vector2i
		34 2 flags | flags | $[2] | 0
		36 4 value | value | $[2].x | 3
		40 4 value | value | $[2].y | 4
		44 4 length | frame length | $[3] | 8
		48 2 type | type | $[3] | int
		50 2 flags | flags | $[3] | 0
		52 4 value | value | $[3] | 1`},
}
