package tree_test

import (
	"slices"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/gamemaker"
	godottext "varview/decoder/formats/godot/text"
	"varview/decoder/formats/json"
	"varview/decoder/formats/msgpack"
)

// familiesWithKeys are those whose values are found by their keys, without the package of all families: with it, all of them would be
// compiled once more for these tests.
var familiesWithKeys = map[string]format.Family{
	"json": json.Family, "jsonl": json.Family, "godot4-text": godottext.Family, "configfile": godottext.Config, "ini": gamemaker.Ini, "msgpack": msgpack.Family,
}

// TestKeysWanted: of many values a search for a pattern passes those behind other keys at once, and finds what one finds that reads
// every value.
func TestKeysWanted(t *testing.T) {
	for dialect, text := range map[string]string{
		"json": `{"version":1,"x":[{"x":1},{"y":{"x":2,"z":3},"\u0078":4,"a b":5}],"xx":{"d":"{\"x\":1}","x y":[1,2,{"x":null}]},` +
			`"parts":"(1, 2)","list":[[{"x":6,"x":7}],"[1,2]"],"\"":{"x":8},"more":{"a":{"b":{"c":{"d":{"e":{"x":9}}}}}}}`,
		"jsonl": `{"a":1,"x":2}` + "\n" + `{"x":{"x":3}}` + "\n" + `{"b":[{"x":4}],"text":"{}"}` + "\n",
		"godot4-text": "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nx = 1\nitems = [{\n\"x\": 2,\n\"pos\": Vector2(3, 4),\n&\"x\": 5,\n6: 7\n}, " +
			"PackedVector2Array(1, 2, 3, 4), Color(1, 0, 0, 1)]\nd = \"[1]\"\n",
		"configfile": "x=1\n\n[x]\n\nx=2\ny=Rect2(0, 0, 1, 2)\nz={\n\"x\": 3\n}\n\n[other]\n\nx=\"{}\"\na/x=4\n",
		"ini":        "[x]\nx=1\nname=\"a\"\n\n[a b]\n; comment\nx = 2\ny=3\n\n[last]\ny=4\nx=\"[1,2]\"\n",
		"msgpack":    "\x83\xa1x\x92\x01\x83\xa1y\x02\xa1x\x03\xa1z\x81\xc4\x01x\x04\xa2\xc3\xa4\x82\x07\x05\xa1x\xa6[1, 2]\xa3end\x80",
	} {
		src, region := source.Bytes(text), span.Between(0, int64(len(text)))
		formats := familiesWithKeys[dialect].Formats(&format.Request{Dialect: dialect}, src, region)
		if len(formats) == 0 {
			t.Fatal(dialect)
		}
		read := tree.New(src, formats[0].Open(src, region), region)
		if read.Base.Layout == tree.Leaf {
			t.Fatal(dialect)
		}
		found := func(pattern string) (all []string) {
			r := read.NewReader()
			p, err := tree.ParsePattern(pattern)
			if err != nil {
				t.Fatal(err)
			}
			note := func(n *tree.Node, rest string) error {
				all = append(all, r.Path(n)+rest)
				return nil
			}
			if err := p.EachInto(t.Context(), r, func(n *tree.Node) error { return note(n, "") }, note); err != nil {
				t.Error(dialect, pattern, err)
			}
			return all
		}
		patterns := []string{"..x", "..y", `..["a b"]`, `..["a/x"]`, "..x..x", "..x.y", "*.x", "..z.x", "..none", "..[1]", "..[*].x", "..x[*].x"}
		var passed [][]string
		for _, pattern := range patterns {
			passed = append(passed, found(pattern))
		}
		read.ReadOneByOne()
		for i, pattern := range patterns {
			if one := found(pattern); !slices.Equal(passed[i], one) {
				t.Errorf("%s %s: %q, one by one %q", dialect, pattern, passed[i], one)
			} else if pattern == "..x" && len(one) < 3 {
				t.Errorf("%s %s: %q", dialect, pattern, one)
			}
		}
	}
}
