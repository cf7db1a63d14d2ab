package endtoend

import (
	"fmt"
	"strings"
)

// damaged are files that an engine refuses or misreads, or that are unusual in one respect, which the
// name gives.
var damaged = []handmade{
	{
		name: "damaged/empty",
		text: "", dialect: "godot4", framing: "stream",
		found: []string{"warning empty-file 0x0 $"},
	},
	{
		name:   "damaged/truncated-header",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `1b 00`,
		text:   "<truncated>",
		found:  []string{"error truncated 0x0 $"},
	},
	{
		name:   "damaged/truncated-string",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:28 u:2  u:2 u:7  u:4 u:99 "shor"`,
		text:   `[7, <length-overrun>]`,
		found:  []string{"error length-overrun 0x14 $[1]"},
	},
	{
		name:   "damaged/truncated-dictionary",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:27 u:2  u:4 u:2 "hp" 0000 u:2 u:9`,
		text:   `{ "hp": 9 }`,
		found:  []string{"error truncated 0x4 $"},
	},
	{
		name:   "damaged/truncated-after-key",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:27 u:2  u:4 u:2 "hp" 0000 u:2 u:9  u:4 u:2 "mp" 0000`,
		text:   `{ "hp": 9, "mp": <missing-value-of-key> }`,
		found:  []string{"error missing-value-of-key 0x4 $"},
	},
	{
		name:    "damaged/truncated-first-key", // also a PoolByteArray of Pandemonium 4
		dialect: "pandemonium4", framing: "raw",
		source: `u:27 u:1  u:4`,
		text:   `PoolByteArray(4)`,
		found:  []string{"note uncertain-dialect 0x0 $"},
	},
	{
		name:   "damaged/truncated-vector",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:9 f:1 f:2`,
		text:   `<truncated>`,
		found:  []string{"error truncated 0x4 $"},
	},
	{
		name:   "damaged/truncated-packed-array",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:30 u:4  u:1 u:2 0300`,
		text:   `PackedInt32Array(1, 2)`,
		found:  []string{"error length-overrun 0x4 $"},
	},
	{
		name:   "damaged/unknown-type",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:28 u:3  u:2 u:7  u:77 u:1  u:2 u:8`,
		text:   `[7, <unknown-type>, 8]`,
		found:  []string{"error unknown-type 0x10 $[1]"},
	},
	{
		name:    "damaged/unknown-type-in-second-frame",
		dialect: "godot4", framing: "stream",
		source: `u:12 u:6 u:1 u:2  u:8 u:77 u:5  u:12 u:6 u:3 u:4  u:8 u:2 u:1`,
		text:   "Vector2i(1, 2)\n<unknown-type>\nVector2i(3, 4)\n1",
		found:  []string{"error unknown-type 0x14 $[1]"},
	},
	{
		name:   "damaged/high-type-bits",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `0201 0000 u:5`,
		text:   `5`,
		found:  []string{"warning high-type-bits 0x0 $"},
	},
	{
		name:   "damaged/unknown-flags",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `0200 0200 u:5`,
		text:   `5`,
		found:  []string{"warning unknown-flags 0x2 $"},
	},
	{
		name:   "damaged/bytes-count-2-to-the-31",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:29 u:0x80000000 u:0`,
		text:   `<negative-length>`,
		found:  []string{"error negative-length 0x4 $"},
	},
	{
		name:   "damaged/string-length-2-to-the-31",
		args:   []string{"--as", "godot3", "--framing", "raw"},
		source: `u:4 u:0x80000000 u:0`,
		text:   `<negative-length>`,
		found:  []string{"error negative-length 0x4 $"},
	},
	{
		name:   "damaged/array-count-2-to-the-31-less-1",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:28 u:0x7fffffff u:0`,
		text:   `[null]`,
		found:  []string{"error length-overrun 0x4 $"},
	},
	{
		name:    "damaged/frame-too-long",
		dialect: "godot4", framing: "stream",
		source: `u:20 u:6 u:1 u:2 deadbeef deadbeef  u:12 u:6 u:3 u:4`,
		text:   "Vector2i(1, 2)\nVector2i(3, 4)",
		found:  []string{"warning trailing-bytes 0x10 $[0]"},
	},
	{
		name:    "damaged/frame-too-short",
		dialect: "godot4", framing: "stream",
		source: `u:8 u:6 u:1  u:12 u:6 u:3 u:4  u:8 u:2 u:1`,
		text:   "<frame-too-short>\nVector2i(3, 4)\n1",
		found:  []string{"error wrong-type 0x4 $[0]"},
	},
	{
		name:   "damaged/frame-of-zero",
		args:   []string{"--as", "godot4", "--framing", "stream"},
		source: `u:12 u:6 u:1 u:2  u:0  u:12 u:6 u:3 u:4`,
		text:   "Vector2i(1, 2)\n<frame-too-short>\nVector2i(3, 4)",
		found:  []string{"error extra-bytes 0x10 $[1]"},
	},
	{
		name:   "damaged/frame-past-end",
		args:   []string{"--as", "godot4", "--framing", "stream"},
		source: `u:12 u:6 u:1 u:2  u:40 u:6 u:3 u:4`,
		text:   "Vector2i(1, 2)\nVector2i(3, 4)",
		found:  []string{"error length-overrun 0x10 $[1]"},
	},
	{
		name:   "damaged/trailing-bytes",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:6 u:1 u:2 "rest"`,
		text:   `Vector2i(1, 2)`,
		found:  []string{"warning trailing-bytes 0xc $"},
	},
	{
		name:   "damaged/invalid-utf8",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:4 u:4 "ab" fe "c"`,
		text:   `"ab\udcfec"`,
		found:  []string{"error invalid-utf8 0xa $"},
	},
	{
		name:   "damaged/overlong-utf8",
		args:   []string{"--as", "godot3", "--framing", "raw"},
		source: `u:4 u:3 "a" c0af 00`,
		text:   `"a\udcc0\udcaf"`,
		found:  []string{"error invalid-utf8 0x9 $"},
	},
	{
		name:   "damaged/surrogate-in-godot4",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:4 u:3 eda080 00`,
		text:   `"\udced\udca0\udc80"`,
		found:  []string{"error invalid-utf8 0x8 $"},
	},
	{
		name:   "damaged/nul-in-text",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:4 u:4 "a" 00 "bc"`,
		text:   `"a\u0000bc"`,
		found:  []string{"warning nul-in-text 0x9 $"},
	},
	{
		name:   "damaged/byte-order-mark",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:4 u:4 efbbbf "a"`,
		text:   `"\ufeffa"`,
		found:  []string{"warning byte-order-mark 0x8 $"},
	},
	{
		name:   "damaged/padding-not-zero",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:28 u:2  u:4 u:1 "a" 00ff00  u:29 u:3 010203 aa`,
		text:   `["a", PackedByteArray(1, 2, 3)]`,
		found:  []string{"warning non-zero-padding 0x11 $[0]", "warning non-zero-padding 0x1f $[1]"},
	},
	{
		name:   "damaged/padding-missing-behind-bytes",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:29 u:3 010203`,
		text:   `PackedByteArray(1, 2, 3)`,
		found:  []string{"warning missing-padding 0xb $"},
	},
	{
		name:   "damaged/padding-missing-behind-string",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:4 u:3 "abc"`,
		text:   `"abc"`,
		found:  []string{"error missing-padding 0xb $"},
	},
	{
		name:   "damaged/bool-of-7",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:1 u:7`,
		text:   `true`,
		found:  []string{"warning bool-value 0x4 $"},
	},
	{
		name:   "damaged/bools-of-2",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:28 u:40  0100000002000000*40  # Array of 40`,
		text:   "[" + strings.Repeat("true, ", 39) + "true]",
		found:  foundEach(40, "warning bool-value %#x $[%d]", 0xc, 8),
	},
	{
		name:   "damaged/old-node-path",
		args:   []string{"--as", "godot3", "--framing", "raw"},
		source: `u:15 u:7 "../Node" 00`,
		text:   `^"../Node"`,
		found:  []string{"error old-node-path 0x4 $"},
	},
	{
		name:   "damaged/typed-array-of-wrong-type",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:0x1001c u:2 u:3  u:2 u:1  u:4 u:1 "x" 000000  u:3 f:0.5  # Array[int] of int, String, float`,
		text:   `Array[int]([1, "x", 0.5])`,
		found:  []string{"error element-type 0x14 $[1]", "warning element-type 0x20 $[2]"},
	},
	{
		name:   "damaged/typed-array-of-no-type",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:0x1001c u:77 u:0`,
		text:   `Array[type 77]([])`,
		found:  []string{"error container-type 0x4 $"},
	},
	{
		name:   "damaged/typed-dictionary-of-wrong-key",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `u:0x5001b u:4 u:2 u:2  u:2 u:1 u:2 u:5  u:4 u:1 "k" 000000 u:1 u:1  # Dictionary[String, int]`,
		text:   `Dictionary[String, int]({ 1: 5, "k": true })`,
		found:  []string{"error element-type 0x10 $[1]@key", "warning element-type 0x2c $.k"},
	},
	{
		name:   "damaged/nested-too-deep",
		args:   []string{"--as", "godot4", "--framing", "raw"},
		source: `1c00000001000000*1026 u:0  # 1026 Arrays, one in the other; Godot 4 follows 1024`,
		text:   strings.Repeat("[", 1026) + "null" + strings.Repeat("]", 1026),
		found:  []string{"error nested-too-deep 0x2000 $" + strings.Repeat("[0]", 1024)},
	},
	{
		name:    "damaged/pandemonium-lone-projection",
		args:    []string{"--as", "pandemonium", "--framing", "raw"},
		dialect: "pandemonium", framing: "raw",
		source: `u:19 f:1 f:0 f:0 f:0 f:0 f:1 f:0 f:0 f:0 f:0 f:1 f:0 f:0 f:0 f:0 f:1`,
		text:   `Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)`,
		found:  []string{"warning engine-cannot-read 0x0 $"},
	},
	{
		name:   "damaged/no-save-at-all",
		source: `"#" "\x20" "Settings" 0a "volume=3" 0a`,
		text:   noValues,
		found:  []string{"error not-a-save 0x0 $"},
	},
}

// foundEach lists n findings in the children of one Array, at offsets from first on
// in steps of step.
func foundEach(n int, format string, first, step int) (found []string) {
	for i := range n {
		found = append(found, fmt.Sprintf(format, first+i*step, i))
	}
	return found
}
