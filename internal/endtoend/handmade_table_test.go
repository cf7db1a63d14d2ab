package endtoend

import "strings"

// wellMade are files that are read without an error: dialects that no available
// engine writes, and forms that engines read but do not write.
var wellMade = []handmade{
	{
		name:    "handmade/godot4-docs-every-type",
		dialect: "godot4-docs", framing: "raw",
		source: `
			u:19 u:29                                          # Array of 29
			u:0                                                # Nil
			u:1 u:1                                            # bool
			u:2 u:-5                                           # int
			u:3 f:1.5                                          # float
			u:4 u:5 "hello" 000000                             # String
			u:5 f:1 f:2                                        # Vector2
			u:6 f:1 f:2 f:3 f:4                                # Rect2
			u:7 f:1 f:2 f:3                                    # Vector3
			u:8 f:1 f:2 f:3 f:4 f:5 f:6                        # Transform2D, columns
			u:9 f:0 f:1 f:0 f:7                                # Plane
			u:10 f:0 f:0 f:0 f:1                               # Quaternion
			u:11 f:1 f:2 f:3 f:4 f:5 f:6                       # AABB
			u:12 f:1 f:4 f:7 f:2 f:5 f:8 f:3 f:6 f:9           # Basis, rows
			u:13 f:1 f:4 f:7 f:2 f:5 f:8 f:3 f:6 f:9 f:10 f:11 f:12  # Transform3D
			u:14 f:1 f:0.5 f:0 f:1                             # Color
			u:15 u:0x80000002 u:1 u:1                          # NodePath, absolute
			u:4 "root" u:1 "A" 000000 u:1 "x" 000000
			u:16                                               # RID, without an id
			u:17 u:0                                           # Object, null
			u:18 u:1 u:4 u:2 "hp" 0000 u:2 u:9                 # Dictionary
			u:19 u:1 u:0                                       # Array
			u:20 u:3 010203 00                                 # PackedByteArray
			u:21 u:2 u:1 u:-1                                  # PackedInt32Array
			u:22 u:1 q:-3                                      # PackedInt64Array
			u:23 u:1 f:0.25                                    # PackedFloat32Array
			u:24 u:1 d:0.1                                     # PackedFloat64Array
			u:25 u:2 u:2 "a" 00 0000 u:1 00 000000             # PackedStringArray
			u:26 u:1 f:1 f:2                                   # PackedVector2Array
			u:27 u:1 f:1 f:2 f:3                               # PackedVector3Array
			u:28 u:1 f:1 f:1 f:1 f:0                           # PackedColorArray`,
		text: `[null, true, -5, 1.5, "hello", Vector2(1, 2), Rect2(1, 2, 3, 4), Vector3(1, 2, 3), ` +
			`Transform2D(1, 2, 3, 4, 5, 6), Plane(0, 1, 0, 7), Quaternion(0, 0, 0, 1), AABB(1, 2, 3, 4, 5, 6), ` +
			`Basis(1, 4, 7, 2, 5, 8, 3, 6, 9), Transform3D(1, 4, 7, 2, 5, 8, 3, 6, 9, 10, 11, 12), Color(1, 0.5, 0, 1), ` +
			`^"/root/A:x", RID(), Object(), { "hp": 9 }, [null], PackedByteArray(1, 2, 3), PackedInt32Array(1, -1), ` +
			`PackedInt64Array(-3), PackedFloat32Array(0.25), PackedFloat64Array(0.1), PackedStringArray("a", ""), ` +
			`PackedVector2Array(1, 2), PackedVector3Array(1, 2, 3), PackedColorArray(1, 1, 1, 0)]`,
		found: []string{"note null-object 0x164 $[17]"},
	},
	{
		name:   "handmade/godot4-docs-double",
		args:   []string{"--as", "godot4-docs", "--framing", "raw", "--double"},
		source: `u:19 u:2  u:5 d:0.1 d:-2  u:27 u:1 d:1 d:2 d:3  # Array of Vector2, PackedVector3Array`,
		text:   `[Vector2(0.1, -2), PackedVector3Array(1, 2, 3)]`,
	},
	{
		name:    "handmade/godot3-early-docs-numbers",
		dialect: "godot3-early-docs", framing: "raw",
		source: `
			u:19 u:5                    # Array of 5
			u:2 q:5                     # int, always 64 bits
			u:2 q:-9000000000
			u:3 f:0.5                   # float, always 32 bits
			u:18 u:1 u:2 q:1 u:3 f:2    # Dictionary
			u:1 u:1                     # bool`,
		text: `[5, -9000000000, 0.5, { 1: 2.0 }, true]`,
	},
	{
		name:    "handmade/godot3-early-docs-stream",
		dialect: "godot3-early-docs", framing: "stream",
		source: `u:12 u:2 q:1  u:12 u:2 q:2  u:8 u:3 f:3`,
		text:   "1\n2\n3.0",
	},
	{
		name:    "handmade/pandemonium3-every-type",
		dialect: "pandemonium3", framing: "raw",
		source: `
			u:23 u:33                                          # Array of 33
			u:0                                                # Nil
			u:1 u:0                                            # bool
			u:2 u:7                                            # int
			u:0x10003 d:0.1                                    # float, 64 bits
			u:4 u:3 "abc" 00                                   # String
			u:5 f:1 f:2                                        # Vector2
			u:6 u:1 u:-2                                       # Vector2i
			u:7 f:1 f:2 f:3 f:4                                # Rect2
			u:8 u:1 u:2 u:3 u:4                                # Rect2i
			u:9 f:1 f:2 f:3                                    # Vector3
			u:10 u:1 u:2 u:-3                                  # Vector3i
			u:11 f:1 f:0 f:0 f:1 f:5 f:6                       # Transform2D
			u:12 f:0 f:1 f:0 f:7                               # Plane
			u:13 f:0 f:0 f:0 f:1                               # Quat
			u:14 f:1 f:2 f:3 f:4 f:5 f:6                       # AABB
			u:15 f:1 f:4 f:7 f:2 f:5 f:8 f:3 f:6 f:9           # Basis, rows
			u:16 f:1 f:0 f:0 f:0 f:1 f:0 f:0 f:0 f:1 f:7 f:8 f:9  # Transform
			u:17 f:1 f:0 f:0 f:0.5                             # Color
			u:18 u:0x80000001 u:0 u:0 u:4 "Node"               # NodePath
			u:19                                               # RID
			u:0x10014 q:42                                     # Object, as its id
			u:21 u:4 "name"                                    # StringName
			u:22 u:1 u:21 u:1 "k" 000000 u:2 u:1               # Dictionary
			u:23 u:0                                           # Array
			u:24 u:4 01020304                                  # PoolByteArray
			u:25 u:1 u:-1                                      # PoolIntArray
			u:26 u:1 f:0.5                                     # PoolRealArray
			u:27 u:1 u:4 "abc" 00                              # PoolStringArray
			u:28 u:1 f:1 f:2                                   # PoolVector2Array
			u:29 u:1 u:1 u:2                                   # PoolVector2iArray
			u:30 u:1 f:1 f:2 f:3                               # PoolVector3Array
			u:31 u:1 u:1 u:2 u:3                               # PoolVector3iArray
			u:32 u:1 f:1 f:1 f:1 f:1                           # PoolColorArray`,
		text: `[null, false, 7, 0.1, "abc", Vector2(1, 2), Vector2i(1, -2), Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4), ` +
			`Vector3(1, 2, 3), Vector3i(1, 2, -3), Transform2D(1, 0, 0, 1, 5, 6), Plane(0, 1, 0, 7), Quat(0, 0, 0, 1), ` +
			`AABB(1, 2, 3, 4, 5, 6), Basis(1, 4, 7, 2, 5, 8, 3, 6, 9), Transform(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9), ` +
			`Color(1, 0, 0, 0.5), ^"Node", RID(), Object(EncodedObjectAsID, "object_id": 42), &"name", { &"k": 1 }, [], ` +
			`PoolByteArray(1, 2, 3, 4), PoolIntArray(-1), PoolRealArray(0.5), PoolStringArray("abc"), PoolVector2Array(1, 2), ` +
			`PoolVector2iArray(1, 2), PoolVector3Array(1, 2, 3), PoolVector3iArray(1, 2, 3), PoolColorArray(1, 1, 1, 1)]`,
		found: []string{"note object-by-id 0x184 $[20]"},
	},
	{
		name:    "handmade/pandemonium3-stream",
		dialect: "pandemonium3", framing: "stream",
		source: `u:24 u:22 u:1 u:21 u:1 "x" 000000 u:0  u:12 u:6 u:-1 u:2`,
		text:   "{ &\"x\": null }\nVector2i(-1, 2)",
	},
	{
		name:   "handmade/godot3-double",
		args:   []string{"--as", "godot3", "--framing", "raw", "--double"},
		source: `u:19 u:3  u:7 d:1 d:2 d:0.1  u:3 f:0.5  u:25 u:1 d:1 d:2 d:3  # Array of Vector3, float, PoolVector3Array`,
		text:   `[Vector3(1, 2, 0.1), 0.5, PoolVector3Array(1, 2, 3)]`,
	},
	{
		name:    "handmade/godot4-64-bit-components",
		dialect: "godot4", framing: "raw",
		source: `
			u:28 u:4                                # Array of 4
			u:0x10009 d:0.1 d:0.2 d:-3              # Vector3
			u:0x1000b d:1 d:0 d:0 d:1 d:0.5 d:6     # Transform2D
			u:0x10023 u:2 d:0.1 d:1 d:2 d:3         # PackedVector2Array
			u:5 f:1 f:2                             # Vector2 in 32 bits`,
		text: `[Vector3(0.1, 0.2, -3), Transform2D(1, 0, 0, 1, 0.5, 6), PackedVector2Array(0.1, 1, 2, 3), Vector2(1, 2)]`,
	},
	{
		name:    "handmade/godot4-wide-numbers",
		dialect: "godot4", framing: "raw",
		source: `
			u:28 u:3
			u:0x10002 q:5       # an int that 32 bits would hold
			u:0x10003 d:0.5     # a float that 32 bits would hold
			u:20 f:1 f:1 f:1 f:1  # Color`,
		text:  `[5, 0.5, Color(1, 1, 1, 1)]`,
		found: []string{"note wide-number 0xc $[0]", "note wide-number 0x18 $[1]"},
	},
	{
		name:    "handmade/godot4-big-endian-lengths",
		dialect: "godot4", framing: "stream",
		source: `00000008 u:2 u:5  0000000c u:4 u:3 "abc" 00  0000000c u:6 u:1 u:2`,
		text:   "5\n\"abc\"\nVector2i(1, 2)",
	},
	{
		name:    "handmade/godot3-node-path-property",
		args:    []string{"--as", "godot3"},
		dialect: "godot3", framing: "raw",
		// Flags bit 1 is obsolete: one more subname, the property. The padding of
		// names is memory that the engine did not clear.
		source: `u:15 u:0x80000001 u:0 u:2  u:3 "Arm" f7  u:8 "rotation"`,
		text:   `^"Arm:rotation"`,
		found:  []string{"warning unknown-flags 0xc $"},
	},
	{
		name:    "handmade/godot3-shared-bit",
		dialect: "godot3", framing: "raw",
		source: `u:18 u:0x80000001  u:4 u:1 "a" 000000  u:19 u:0x80000002 u:2 u:1 u:2 u:2  # Dictionary of an Array, both shared`,
		text:   `{ "a": [1, 2] }`,
		found:  []string{"warning shared-bit 0x4 $", "warning shared-bit 0x18 $.a"},
	},
	{
		name:    "handmade/godot4-string-array-without-nul",
		dialect: "godot4", framing: "raw",
		source: `u:34 u:3  u:3 "abc" 00  u:4 "abc" 00  u:0  # lengths count a NUL or not`,
		text:   `PackedStringArray("abc", "abc", "")`,
		found:  []string{"warning missing-nul 0x8 $[0]", "warning missing-nul 0x18 $[2]"},
	},
	{
		name:    "handmade/godot4-repeated-keys",
		dialect: "godot4", framing: "raw",
		source: `
			u:27 u:4                                    # Dictionary of 4
			u:4 u:1 "a" 000000 u:2 u:1
			u:4 u:1 "a" 000000 u:2 u:2                  # the same key again
			u:4 u:3 "a\x20b" 00   u:6 u:3 u:4              # a key that is no identifier
			u:6 u:3 u:4        u:27 u:1 u:0 u:1 u:1     # Vector2i as key of { null: true }`,
		text:  `{ "a": 1, "a": 2, "a b": Vector2i(3, 4), Vector2i(3, 4): { null: true } }`,
		found: []string{"warning repeated-key 0x1c $.a#2@key"},
	},
	{
		name:    "handmade/godot4-hostile-text",
		dialect: "godot4", framing: "raw",
		source: `
			u:28 u:9                                                # Array of 9
			u:4 u:7 1b "[31mX" 07 00                                # control sequence, bell
			u:4 u:5 c29b "[2J" 000000                               # its one-character form
			u:4 u:8 "a" e280ae "bcd" 0a                             # right-to-left override
			u:4 u:10 d7a9d79cd795d79d "!!" 0000                     # Hebrew
			u:4 u:12 e697a5e69cace8aa9eefbc81                       # wide characters
			u:4 u:11 f09f91a9e2808df09f9a80 00                      # emoji joined with ZWJ
			u:4 u:5 "e" cc81cca3 000000                             # combining marks
			u:4 u:144 "0123456789_ABCDEF\x20"*8                     # long
			u:27 u:1 u:4 u:5 1b "[2J\"" 000000 u:2 u:1              # hostile key`,
		text: `["\u001b[31mX\u0007", "\u009b[2J", "a\u202ebcd\n", "` + "\u05e9\u05dc\u05d5\u05dd!!" + `", "` + "\u65e5\u672c\u8a9e\uff01" +
			`", "` + "\U0001f469" + `\u200d` + "\U0001f680" + `", "` + "e\u0301\u0323" + `", "` + strings.Repeat("0123456789_ABCDEF ", 8) + `", { "\u001b[2J\"": 1 }]`,
	},
}
