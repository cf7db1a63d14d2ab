package tree_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// written is { "a": [{ "n": 1 }, { "n": 2, "m": { "n": 3 } }, 4], "n": 5, "a b": Vector2i(6, 7) } in
// Godot 4's bytes.
const written = "1b000000 03000000" +
	"04000000 01000000 61000000 1c000000 03000000" +
	"1b000000 01000000 04000000 01000000 6e000000 02000000 01000000" +
	"1b000000 02000000 04000000 01000000 6e000000 02000000 02000000 04000000 01000000 6d000000" +
	"1b000000 01000000 04000000 01000000 6e000000 02000000 03000000" +
	"02000000 04000000" +
	"04000000 01000000 6e000000 02000000 05000000" +
	"04000000 03000000 61206200 06000000 06000000 07000000"

func TestPattern(t *testing.T) {
	var data []byte
	if _, err := fmt.Sscanf(strings.ReplaceAll(written, " ", ""), "%x", &data); err != nil {
		t.Fatal(err)
	}
	d, _ := godot.ByName("godot4")
	tr := tree.New(source.Bytes(data), godot.New(godot.Settings{Dialect: d}), span.Between(0, int64(len(data))))
	for pattern, want := range map[string]string{
		"..n":           "$.a[0].n $.a[1].n $.a[1].m.n $.n",
		"$..n":          "$.a[0].n $.a[1].n $.a[1].m.n $.n",
		"a[*].n":        "$.a[0].n $.a[1].n",
		"$.a[*]..n":     "$.a[0].n $.a[1].n $.a[1].m.n",
		"$.a..n":        "$.a[0].n $.a[1].n $.a[1].m.n",
		"$.*":           `$.a $.n $["a b"]`,
		"$[*][*]":       `$.a[0] $.a[1] $.a[2] $["a b"].x $["a b"].y`,
		"..m.n":         "$.a[1].m.n",
		"..x":           `$["a b"].x`,
		`$..["a b"].y`:  `$["a b"].y`,
		`..[ "a b" ].*`: `$["a b"].x $["a b"].y`,
		"..[1]":         "$.a[1]",
		"..nowhere":     "",
		"a[-1]":         "$.a[2]",
		"a[-3].n":       "$.a[0].n",
		"a[-2:]":        "$.a[1] $.a[2]",
		"a[:-1].n":      "$.a[0].n $.a[1].n",
		"a[1:2]":        "$.a[1]",
		"a[-9:9]":       "$.a[0] $.a[1] $.a[2]",
		"a[2:1]":        "",
		"..a[-2].m":     "$.a[1].m",
		"..[-1]":        "$.a[2]",
		"$[0:1]":        "",
		"$.a":           "$.a",

		"a[n==1]":                      "$.a[0]",
		"a[n>=1].n":                    "$.a[0].n $.a[1].n",
		"a[n = 0x2].m.n":               "$.a[1].m.n",
		"a[.m.n>2.5 && n<3]":           "$.a[1]",
		"a[.m || _==4]":                "$.a[1] $.a[2]",
		"a[!(n!=1)]":                   "$.a[0] $.a[2]",
		"a[n!=1]":                      "$.a[1]",
		"a[#==1]":                      "$.a[0]",
		"..[m#>0]":                     "$.a[1]",
		`$[@key~"^[an]$"]`:             "$.a $.n",
		`$[x==6 && y<=7]`:              `$["a b"]`,
		"..[n==3]":                     "$.a[1].m",
		`a[n=="1"]`:                    "",
		"a[n==null || n==true]":        "",
		`$["a b"][_>6]`:                `$["a b"].y`,
		"a[n<9223372036854775808].n":   "$.a[0].n $.a[1].n",
		"a[n>-1 && n<1.0000000001][*]": "$.a[0].n",
	} {
		p, err := tree.ParsePattern(pattern)
		if err != nil {
			t.Error(pattern, err)
			continue
		}
		var paths []string
		r := tr.NewReader()
		err = p.Each(context.Background(), tr.NewReader(), func(n *tree.Node) error {
			paths = append(paths, r.Path(n))
			return nil
		})
		if got := strings.Join(paths, " "); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", pattern, got, err, want)
		}
		if is := tree.IsPattern(pattern); is != (pattern != "$.a" && !strings.HasPrefix(pattern, "a[-1]") && pattern != "a[-3].n") {
			t.Errorf("%s is a pattern: %v", pattern, is)
		}
	}
	for _, pattern := range []string{"..", "a[*]..", "a[*]@key", "a[*]n", "...n", "..n@key", "..n#2", "a[*", "a[n>]", "a[n>x]", `a[n~"("]`, "a[>5]", "a[n==1", "a[(n==1]", "a[n==1 n==2]", "a[n==1 &&]", `a[n=="x]`, "a[" + strings.Repeat("!", 200) + "n==1]", strings.Repeat("[*]", 33)} {
		if _, err := tree.ParsePattern(pattern); err == nil {
			t.Errorf("%s is a pattern", pattern)
		}
	}
	for _, path := range []string{`["a=b"]`, `[&"a<b"]`, "[Vector2i(1, 2)]", "[[1, 2]]", `[^"x~y"]`, "[.5]", "[-1]", "[<truncated>]", "[[{ null: <truncated> }]]", "[{ false: <truncated> }]", "[Object(<truncated>)]", `[Array[int]([<truncated>])]`} {
		if tree.IsPattern("$.a" + path) {
			t.Errorf("%s is a pattern", path)
		}
	}
	p, _ := tree.ParsePattern("$.b[*]")
	if err := p.Each(context.Background(), tr.NewReader(), func(*tree.Node) error { return nil }); err == nil {
		t.Error("a value that is not there has values in it")
	}
}
