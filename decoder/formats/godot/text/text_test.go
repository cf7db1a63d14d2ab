package text_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/text"
)

var background = context.Background()

// open reads a text as ConfigFile if that has a signature, otherwise as Godot's text.
func open(s string) *tree.Tree {
	src, region := source.Bytes(s), span.Between(0, int64(len(s)))
	family := text.Family
	if text.Config.Sniff(src, region) == format.Signature {
		family = text.Config
	}
	return tree.New(src, family.Formats(&format.Request{}, src, region)[0].Open(src, region), region)
}

func literal(t testing.TB, tr *tree.Tree) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.NewReader().WriteText(background, &out, &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func export(t testing.TB, tr *tree.Tree) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.NewReader().WriteJSON(background, &out, &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// fields lists all fields, which must tile the text.
func fields(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(background, func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("field %+v at %d", f, at)
		}
		at = f.End()
		all = append(all, fmt.Sprintf("%s %s %s=%s", f.Path, f.Kind, f.Label, f.Value))
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
	return all
}

// problems lists all problems but notes.
func problems(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	err := tr.Check(background, tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		if p.Severity > span.Note {
			all = append(all, p.Code+" "+tr.NewReader().Path(n)+": "+p.Message)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestValues checks the meaning of values of either engine, by the specification.
func TestValues(t *testing.T) {
	for _, c := range []struct{ text, literal, json string }{ // those with a ! are read here, but refused by the engine
		{"null", "null", "null"},
		{"-5", "-5", `"i:-5"`},
		{"1e+20", "1e+20", `"f:1e+20"`},
		{"inf_neg", "-inf", `"f:-inf"`},
		{"!-inf.0", "-inf", `"f:-inf"`},
		{"\"a\\\"b\\\\\nc\\v\\u00e9\"", `"a\"b\\\ncvé"`, `"s:a\"b\\\ncvé"`},
		{`&"name"`, `&"name"`, `"sn:name"`},
		{`!@"name"`, `&"name"`, `"sn:name"`},
		{`NodePath("a/b:c")`, `^"a/b:c"`, `"np:a/b:c"`},
		{`!^"a"`, `^"a"`, `"np:a"`},
		{"Vector2( 1, -2.5 )", "Vector2(1, -2.5)", `{"type":"Vector2","args":[1.0,-2.5]}`},
		{"Vector2i(1, 2)", "Vector2i(1, 2)", `{"type":"Vector2i","args":[1,2]}`},
		{"Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)", "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)", `{"type":"Basis","args":[1.0,4.0,7.0,2.0,5.0,8.0,3.0,6.0,9.0]}`},
		{"#ff8000", "Color(1, 0.5019608, 0, 1)", `{"type":"Color","args":[1.0,0.5019608,0.0,1.0]}`},
		{"[ 1, 2 ]", "[1, 2]", `["i:1","i:2"]`},
		{"[1, [], ]", "[1, []]", `["i:1",[]]`},
		{"Array[int]([1])", "Array[int]([1])", `{"type":"Array","elem_type":"int","args":["i:1"]}`},
		{`Array[ExtResource("1")]([])`, `Array[ExtResource("1")]([])`, `{"type":"Array","elem_type":"ExtResource(\"1\")","args":[]}`},
		{"{\n\"a\": 1,\n2: null\n}", `{ "a": 1, 2: null }`, `{"type":"Dictionary","args":["s:a","i:1","i:2",null]}`},
		{`Dictionary[String, int]({"a": 1})`, `Dictionary[String, int]({ "a": 1 })`, `{"type":"Dictionary","key_type":"String","value_type":"int","args":["s:a","i:1"]}`},
		{"PackedByteArray(1, 255)", "PackedByteArray(1, 255)", `{"type":"PackedByteArray","args":[1,255]}`},
		{`PackedByteArray("AQID")`, "PackedByteArray(1, 2, 3)", `{"type":"PackedByteArray","args":[1,2,3]}`},
		{"!PoolVector2Array( 1, 2, inf, nan )", "PoolVector2Array(1, 2, inf, nan)", `{"type":"PoolVector2Array","args":[1.0,2.0,"inf","nan"]}`},
		{`PackedStringArray("a", "b")`, `PackedStringArray("a", "b")`, `{"type":"PackedStringArray","args":["a","b"]}`},
		{`Object(Node,"name":"x","list":[1])`, `Object(Node, "name": "x", "list": [1])`, `{"type":"Node","props":["name","s:x","list",["i:1"]]}`},
		{`Resource( "res://x.res")`, `Resource("res://x.res")`, `{"type":"Resource","path":"res://x.res"}`},
		{"SubResource( 3 )", `SubResource("3")`, `{"type":"SubResource","id":"3"}`},
		{"RID()", "RID()", `{"type":"RID","id":"0"}`},
		{"[1, ; a comment\n2]", "[1, 2]", `["i:1","i:2"]`},
	} {
		text, isRefused := strings.CutPrefix(c.text, "!")
		tr := open(text)
		fields(t, tr)
		if got := literal(t, tr); got != c.literal {
			t.Errorf("%q: literal %s, want %s", c.text, got, c.literal)
		}
		if got := export(t, tr); got != c.json {
			t.Errorf("%q: JSON %s, want %s", c.text, got, c.json)
		}
		if p := problems(t, tr); isRefused != (len(p) > 0) || isRefused && !strings.HasPrefix(p[0], span.EngineRefuses) {
			t.Errorf("%q: %q", c.text, p)
		}
	}
}

const resourceText = `[gd_resource type="Resource" load_steps=3 format=2]

[ext_resource path="res://item.gd" type="Script" id=1]

[sub_resource type="Gradient" id=1]
colors = PoolColorArray( 0, 0, 0, 1 )

[resource]
script = ExtResource( 1 )
title = "x = 1
[resource]
"
sub = SubResource( 1 ) ; behind
metadata/m = {
"k": 3
}
`

const sceneText = `[gd_scene load_steps=2 format=3 uid="uid://bq6b26pctmol4"]

[ext_resource type="Texture2D" path="res://a.png" id="1_x"]

[node name="Root" type="Node2D" groups=[
"saved",
]]

[node name="Child" parent="." instance=ExtResource("1_x")]
position = Vector2(1, 2)
0:0/0/points = PackedVector2Array(1, 2, 3, 4)

[connection signal="timeout" from="Child" to="." method="f" binds= [ 0 ]]

[editable path="Child"]
`

const configText = "; made by hand\nconfig_version=5\n\n[first]\n\na = 1 ; behind\n; above\n\"b c\"=[1, 2]\n\n[s\\]x]\n\ntext=\"two\nlines\"\n\x00"

// TestFiles holds files with all their parts.
func TestFiles(t *testing.T) {
	for _, c := range []struct{ text, json string }{
		{resourceText, `{"type":"Resource","format":2,"external":[{"path":"res://item.gd","type":"Script","id":"1"}],` +
			`"resources":[{"type":"Gradient","id":"1","properties":{"colors":{"type":"PoolColorArray","args":[0.0,0.0,0.0,1.0]}}},` +
			`{"id":"","type":"Resource","properties":{"script":{"type":"ExtResource","id":"1"},"title":"s:x = 1\n[resource]\n","sub":{"type":"SubResource","id":"1"},` +
			`"metadata/m":{"type":"Dictionary","args":["s:k","i:3"]}}}]}`},
		{sceneText, `{"type":"PackedScene","format":3,"uid":"uid://bq6b26pctmol4","external":[{"type":"Texture2D","path":"res://a.png","id":"1_x"}],"resources":[],` +
			`"nodes":[{"name":"s:Root","type":"s:Node2D","groups":["s:saved"],"properties":{}},{"name":"s:Child","parent":"s:.","instance":{"type":"ExtResource","id":"1_x"},` +
			`"properties":{"position":{"type":"Vector2","args":[1.0,2.0]},"0:0/0/points":{"type":"PackedVector2Array","args":[1.0,2.0,3.0,4.0]}}}],` +
			`"connections":[{"signal":"s:timeout","from":"s:Child","to":"s:.","method":"s:f","binds":["i:0"]}],"editable":[{"path":"s:Child"}]}`},
		{configText, `{"type":"ConfigFile","sections":[{"name":"","properties":{"config_version":"i:5"}},{"name":"first","properties":{"a":"i:1","b c":["i:1","i:2"]}},` +
			`{"name":"s]x","properties":{"text":"s:two\nlines"}}]}`},
		{"[input]\n\nup=[key(Up), jbutton(0, 3)]\n", `{"type":"ConfigFile","sections":[{"name":"input","properties":{"up":[{"type":"key","text":"Up"},{"type":"jbutton","text":"0, 3"}]}}]}`},
		{"[gd_resource type=\"ImageTexture\" format=1]\n\n[resource]\n\nimage = Image( 1, 1, 0, RGBA, 255 )\n\n",
			`{"type":"ImageTexture","format":1,"external":[],"resources":[{"id":"","type":"ImageTexture","properties":{"image":{"type":"Image","text":"1, 1, 0, RGBA, 255"}}}]}`},
		{"[gd_scene]", `{"type":"PackedScene","external":[],"resources":[],"nodes":[],"connections":[]}`},
		{"[gd_scene format=3]\n\n", `{"type":"PackedScene","format":3,"external":[],"resources":[],"nodes":[],"connections":[]}`},
	} {
		tr := open(c.text)
		fields(t, tr)
		if got := export(t, tr); got != c.json {
			t.Errorf("%s\nwant %s", got, c.json)
		}
		if p := problems(t, tr); len(p) > 0 {
			t.Errorf("%q", p)
		}
	}
}

// TestPaths holds paths, what they lead to, and references.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ text, path, want string }{
		{resourceText, "$.properties.sub", `SubResource("1")`},
		{resourceText, "$.resources[1].properties.title", `"x = 1\n[resource]\n"`},
		{resourceText, `$.properties["metadata/m"].k`, "3"},
		{resourceText, "$.external[0].path", `"res://item.gd"`},
		{resourceText, "$.load_steps", "3"},
		{sceneText, "$.nodes[1].name", `"Child"`},
		{sceneText, `$.nodes[1].properties["0:0/0/points"][1]`, "Vector2(3, 4)"},
		{sceneText, "$.connections[0].binds[0]", "0"},
		{configText, "$.sections[0].properties.config_version", "5"},
		{"[a]\n\nx=#12345678\ny=PoolIntArray(  )\n", "$.a.x", "Color(0.20392157, 0.3372549, 0.47058824, 0.07058824)"}, // Godot 3 has the alpha first
		{"[a]\n\nx=#12345678\n", "$.a.x", "Color(0.07058824, 0.20392157, 0.3372549, 0.47058824)"},
		{"[a]\n\nx=\"\\U01f600\"\ny=PoolIntArray(  )\n", "$.a.x", `"U01f600"`},
		{"[a]\n\nx=-0\ny=-00\n", "$.a", `{ "x": 0, "y": 0 }`},
		{configText, "$.sections[2].name", `"s]x"`},
	} {
		r := open(c.text).NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if got := string(r.AppendLiteral(nil, &n.Value, 100)); got != c.want {
			t.Errorf("%s is %s, want %s", c.path, got, c.want)
		}
	}
	tr := open(resourceText)
	r := tr.NewReader()
	n, err := r.Resolve("$.properties.sub")
	if err != nil {
		t.Fatal(err)
	}
	to, err := tr.Reading.(format.Linker).Follow(background, r, n)
	if err != nil || to == nil || r.Path(to) != "$.resources[0]" {
		t.Errorf("it leads to %v, %v", to, err)
	}
}

// TestDamage checks what is reported of damaged texts, and what they are after the repairs.
func TestDamage(t *testing.T) {
	for _, c := range []struct{ text, problem, repaired string }{
		{"[gd_scene]]", "extra-mark $: a bracket too many at line 1, column 11", "[gd_scene]"},
		{"[gd_resource type=\"A\" format=2]]\n\n[resource]\n", "extra-mark $: a bracket too many at line 1, column 32", "[gd_resource type=\"A\" format=2]\n\n[resource]\n"},
		{"[gd_resource type=\"A\" format=2]\n\n; note\nx = 1\n[resource]\n", "engine-refuses $: a property that belongs to no tag, or to one below it at line 4, column 1", ""},
		{"[gd_resource type=\"A\" format=2]\n[ext_resource path=\"a\" type=\"B\" id=1]\n\"x\" = 1\n[resource]\n", "engine-refuses $.external[0]: a property that belongs to no tag, or to one below it at line 3, column 1", ""},
		{"[gd_resource type=\"A\" format=2] ; note\n[resource]\nx = 1\n", "", ""},
		{"[gd_resource type=\"A\" format=2]\n# note\n\n[resource]\n", "trailing-bytes $: 19 bytes left over after the value, from line 2, column 1", ""},
		{"[gd_resource type=\"A\" format=2]\n\n[resource]\n = 1\nx = 2\n", `engine-refuses $.resources[0].properties[""]@key: Godot 3 at line 4, column 2: a property without a name`, ""},
		{"[gd_resource type=\"A\" format=5]\n\n[resource]\n", "engine-refuses $: format=5: Godot 4 reads up to 4", ""},
		{"[gd_resource type=\"A\" format=22]\n\n[resource]\n", "engine-refuses $: format=22: Godot 4 reads up to 4", ""},
		{"[gd_resource type=\"A\" format=4]\n\n[resource]\n", "", ""},
		{"[ 1, 2", "truncated $: the text ends at line 1, column 7, perhaps within a number, in the Array that begins at line 1, column 1", "[ 1, 2]"},
		{"[1, Vector2(1, 2, 3]", "no-value $[1]: the closing parenthesis of this Vector2 is missing at line 1, column 5", ""},
		{"[\nColor(1, 2, 3, x)]", "no-value $[0]: the Color at line 2, column 1 cannot be read: at character 16: a number is expected", ""},
		{"{\n\"a\" 1\n}", "missing-mark $.a: a colon is missing at line 2, column 5", "{\n\"a\": 1\n}"},
		{"[Vector2(1, 2) 3]", "missing-mark $[1]: a comma is missing at line 1, column 16", "[Vector2(1, 2), 3]"},
		{"[gd_resource type=\"A\" format=2]\n\n[resource]\na = [ 1, 2\nb = 3\n",
			"open-bracket $.resources[0].properties.a: ] is missing at line 5, column 1: the Array begins at line 4, column 5",
			"[gd_resource type=\"A\" format=2]\n\n[resource]\na = [ 1, 2]\nb = 3\n"},
		{"[gd_resource type=\"A\" format=2]\n\n[sub_resource type=\"Curve\" id=1]\n\n[sub_resource type=\"Curve\" id=1]\n\n[resource]\n",
			`engine-refuses $.resources[1]: an earlier resource has the id "1" too`, ""},
		{"[gd_resource type=\"A\" format=2]\n\n[sub_resource type=\"Curve\" id=1]\na = 5\n",
			"truncated $: the main resource is missing: the file ends before [resource]",
			"[gd_resource type=\"A\" format=2]\n\n[sub_resource type=\"Curve\" id=1]\na = 5\n\n[resource]\n"},
		{"[gd_resource type=\"A\" format=2]\n\n[resource]\na = \"x\nb = 3\nc = \"y\"\n",
			"open-text $.resources[0].properties.a: the closing quote of this text is missing at line 4, column 7",
			"[gd_resource type=\"A\" format=2]\n\n[resource]\na = \"x\"\nb = 3\nc = \"y\"\n"},
		{"[gd_resource type=\"A\" format=2]\n\n[resource]\na 5\nb = 3\n", "no-value $.resources[0].properties{0}@key: a line without an equals sign at line 4, column 1",
			"[gd_resource type=\"A\" format=2]\n\n[resource]\na = 5\nb = 3\n"},
		{"[a]\n\nx=1\ny\"z\"\n", "no-value $.a{1}@key: a line without an equals sign at line 4, column 1", "[a]\n\nx=1\ny=\"z\"\n"},
		{"[a]\n\nx=\"1\",\ny=\"2\",\n", "no-value $.a{1}@key: a line without an equals sign at line 3, column 6", "[a]\n\nx=\"1\"\ny=\"2\",\n"},
		{"[a]\n\nx: 5\ny : \"z\"\n", "no-value $.a{0}@key: a line without an equals sign at line 3, column 1", "[a]\n\nx=5\ny : \"z\"\n"},
		{"[a]\n\nx=\"say \"hi\" now\"\ny=2\n", "bad-escape $.a.x: a quote within this text has no backslash before it at line 3, column 8", "[a]\n\nx=\"say \\\"hi\\\" now\"\ny=2\n"},
		{"[a]\n\nx y=5\n", `engine-refuses $.a["x y"]@key: Godot 4 at line 3, column 1: this key is read as "xy"`, "[a]\n\n\"x y\"=5\n"},
		{"[a]\n\n# old\nx=5\n", "no-value $.a{0}@key: a line without an equals sign at line 3, column 1", "[a]\n\n; old\nx=5\n"},
		{"[a]\n\n-- old\nx=5\n", "no-value $.a{0}@key: a line without an equals sign at line 3, column 1", "[a]\n\n; old\nx=5\n"},
		{"[a]\n\nx=\"C:\\saves\\\"\ny=2\n", "open-text $.a.x: the backslash before the closing quote of this text makes it a part of it at line 3, column 12", "[a]\n\nx=\"C:\\\\saves\\\\\"\ny=2\n"},
		{"[a]\n\nx=\"\\u00e9a \\u0041\\\\u00e9\"\n", "engine-changes $.a.x: Godot 4 at line 3, column 3: an escape of a character beyond ASCII, of which Godot takes one byte in a file: the text may become another", "[a]\n\nx=\"éa \\u0041\\\\u00e9\"\n"},
		{"[\"\\u00e9a\"]", "", ""},
		{"[a]\n\nx=\"a\" \"b\"", "truncated $.a.b: the text ends at line 3, column 10, where a value is expected", ""},
		{"[a]\n\nx=Vector2(1, 2\ny=2\n", "no-value $.a.x: the closing parenthesis of this Vector2 is missing at line 3, column 3", "[a]\n\nx=Vector2(1, 2)\ny=2\n"},
		{"[a]\n\nx=Color(1, 2, 3)\ny=2\n", "no-value $.a.x: the Color at line 3, column 3 cannot be read: at character 14: Color needs 4 numbers, here are 3", ""},
		{"[a]\n\nx=\"C:\\Users\\bob\"\n", "engine-refuses $.a.x: Godot 4 at line 3, column 6: an escape of 6 hexadecimal digits is expected", "[a]\n\nx=\"C:\\\\Users\\\\bob\"\n"},
		{"[a]\n\nx=1\nna", "no-value $.a{1}@key: a line without an equals sign at line 4, column 1", "[a]\n\nx=1\nna=null"},
		{"[gd_scene format=3]\n\n[node name=\"A\" type]\n", "no-value $.nodes[0]{1}@key: an attribute without an equals sign at line 3, column 16", "[gd_scene format=3]\n\n[node name=\"A\"]\n"},
		{"[gd_scene format=3]\n\n[node name=\"A\"]\n\n[connection from=\".\" to=\".\" signal=\"x\"]\n", "engine-refuses $.connections[0]: a tag connection without method at line 5, column 1", ""},
		{"[gd_scene format=2]\n\n[node name=\"A\"]\n\n[sub_resource type=\"Curve\" id=1]\n", "engine-refuses $.resources[0]: the tag sub_resource is not expected at line 5, column 1", ""},
		{"[gd_resource type=\"A\" format=2]\n\n[sub_resource id=1]\n\n[resource]\n", "engine-refuses $.resources[0]: a tag sub_resource without type at line 3, column 1", ""},
		{"[gd_resource format=2]\n\n[resource]\n", "engine-refuses $: a tag gd_resource without type at line 1, column 1", ""},
		{"[gd_resource type=\"A\" format=2]\n\n[foo]\n\n[resource]\n", "engine-refuses $.tags[0]: the tag foo is not expected at line 3, column 1", ""},
		{"[gd_resource type=\"A\" format=2]\n\n[resource]\na = SubResource( 1 )\n\n[sub_resource type=\"Curve\" id=1]\n", "bad-index $.resources[0].properties.a: the resource that this refers to comes later at line 4, column 5", ""},
		{"[gd_resource type=\"A\" format=2]\n\n[sub_resource type=\"Curve\" id=1]\n\n[ext_resource path=\"res://a\" type=\"Curve\" id=1]\n\n[resource]\n", "", ""},
		{"[gd_resource type=\"A\" format=3]\n\n[sub_resource type=\"Curve\" id=\"1\"]\n\n[ext_resource path=\"res://a\" type=\"Curve\" id=\"1\"]\n\n[resource]\n", "engine-refuses $.external[0]: the tag ext_resource is not expected at line 5, column 1", ""},
		{"[gd_scene format=3", "open-bracket $: ] is missing at line 1, column 19: the tag begins at line 1, column 1", "[gd_scene format=3]"},
		{"[gd_scene format=3]\n\n[node name=\"A \\\"]\"\n\n[node name=\"B\"]\n", "open-bracket $.nodes[0]: ] is missing at line 3, column 19: the tag begins at line 3, column 1",
			"[gd_scene format=3]\n\n[node name=\"A \\\"]\"]\n\n[node name=\"B\"]\n"},
		{"[gd_scene format=3]\n\n[node name=\"A\" groups=[\n\"a\",\n]]\n", "", ""},
		{"[a]\n\nx=[ 1, 2\n\n[b]\n\ny={\n\"k\": 1\n}\n", "open-bracket $.a.x: ] is missing at line 5, column 1: the Array begins at line 3, column 3",
			"[a]\n\nx=[ 1, 2]\n\n[b]\n\ny={\n\"k\": 1\n}\n"},
		{"[a]\n\nx=\"abc\x00\x00\x00\x00", "open-text $.a.x: the text stops at line 3, column 7: the rest of the file is zeros", "[a]\n\nx=\"abc\"\x00\x00\x00\x00"},
		{resourceText[:len(resourceText)-4], "truncated", ""},
		{strings.Replace(resourceText, "SubResource( 1 )", "SubResource( 9 )", 1), `bad-index $.resources[1].properties.sub: there is no SubResource with the id "9"`, ""},
	} {
		tr := open(c.text)
		fields(t, tr)
		if got := append(problems(t, tr), "")[0]; got != c.problem && !(strings.HasPrefix(got, c.problem+" ") && c.problem != "") {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, got, c.problem)
			continue
		}
		if c.repaired == "" {
			continue
		}
		var splices []source.Splice
		err := tr.Check(background, tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
			if splices == nil && p.Severity > span.Note {
				repair, err := tr.Reading.(edit.Repairer).Repair(background, tr.NewReader(), n, &p)
				if err != nil {
					t.Fatal(err)
				}
				splices = repair.Splices
			}
		})
		if got := spliced(t, c.text, splices); err != nil || got != c.repaired {
			t.Errorf("%q: repaired %q, want %q", c.text, got, c.repaired)
		}
	}
}

// TestCut checks that a text that is cut anywhere is covered by its fields.
func TestCut(t *testing.T) {
	for _, s := range []string{resourceText, sceneText, configText} {
		for i := range len(s) {
			fields(t, open(s[:i]))
			fields(t, open(s[:i]+s[min(len(s), i+1+i%7):]))
		}
	}
}

func spliced(t testing.TB, s string, splices []source.Splice) string {
	t.Helper()
	before := source.Whole(source.Bytes(s))
	after := before.Splice(splices)
	if back := content(t, after.Splice(before.Inverse(splices))); back != s {
		t.Fatalf("%q: undone %q", s, back)
	}
	return content(t, after)
}

func content(t testing.TB, p *source.Pieces) string {
	t.Helper()
	b := make([]byte, p.Size())
	if _, err := p.ReadAt(b, 0); err != nil && len(b) > 0 {
		t.Fatal(err)
	}
	return string(b)
}

// TestIdentity checks that any value set to its own literal keeps its spelling.
func TestIdentity(t *testing.T) {
	for _, s := range []string{resourceText, sceneText, configText, "[ Vector2( 1.0, 2 ), -inf.0, \"a\\nb\", #ff8000 ]"} {
		tr := open(s)
		r := tr.NewReader()
		count := 0
		for it := r.Scan(tr.Base); ; {
			ev := it.Next()
			if ev == tree.Done {
				break
			}
			if ev != tree.Atom {
				continue
			}
			n := it.Current(ev)
			is := string(r.AppendLiteral(nil, &n.Value, 1000))
			splices, err := tr.Reading.(edit.Editor).Set(background, r, n, edit.Content{Literal: is}, edit.Options{})
			if err == nil && len(splices) > 0 {
				t.Errorf("%s = %s: %q", r.Path(n), is, spliced(t, s, splices))
			}
			count++
		}
		if count < 4 {
			t.Errorf("%d values in %q", count, s)
		}
	}
}

type action func(*tree.Reader, edit.Editor, *tree.Node) ([]source.Splice, error)

func set(literal string) action {
	return func(r *tree.Reader, e edit.Editor, n *tree.Node) ([]source.Splice, error) {
		return e.Set(background, r, n, edit.Content{Literal: literal}, edit.Options{})
	}
}

// inferred sets a list as a person types it, without its type.
func inferred(literal string) action {
	return func(r *tree.Reader, e edit.Editor, n *tree.Node) ([]source.Splice, error) {
		return e.Set(background, r, n, edit.Content{Literal: literal}, edit.Options{Infer: true})
	}
}

func insert(at int64, key, literal string) action {
	return func(r *tree.Reader, e edit.Editor, n *tree.Node) ([]source.Splice, error) {
		return e.Insert(background, r, n, at, edit.Content{Key: key, Literal: literal}, edit.Options{})
	}
}

// double inserts a copy of the value at a path.
func double(path string, at int64) action {
	return func(r *tree.Reader, e edit.Editor, n *tree.Node) ([]source.Splice, error) {
		from := r.Tree.NewReader()
		copied, err := from.Resolve(path)
		if err != nil {
			return nil, err
		}
		return e.Insert(background, r, n, at, edit.Content{Copy: copied, From: from}, edit.Options{})
	}
}

func remove(o edit.Orphans) action {
	return func(r *tree.Reader, e edit.Editor, n *tree.Node) ([]source.Splice, error) {
		return e.Delete(background, r, n, edit.Options{Orphans: o})
	}
}

func move(to int64) action {
	return func(r *tree.Reader, e edit.Editor, n *tree.Node) ([]source.Splice, error) {
		return e.Move(background, r, n, to, edit.Options{})
	}
}

// TestEdits checks that an edit changes only what was asked for, in the layout around it.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		text, path string
		do         action
		was, is    string // a part of the text before and after, or the error alone
	}{
		{resourceText, "$.properties.title", set(`"a\"b\n"`), "\"x = 1\n[resource]\n\"", "\"a\\\"b\n\""},
		{"[ Vector2( 1, -2.5 ) ]", "$[0].x", set("3"), "( 1,", "( 3,"},
		{"[1.5, 2]", "$[0]", set("600"), "1.5", "600.0"},
		{"[1.5, 2]", "$[1]", set("2.5"), "the new value is float, the old one int", ""},
		{"[key(Left), key(A)]", "$[0]", set("key(Up, S)"), "key(Left)", "key(Up, S)"},
		{"[key(Left), key(A)]", "$", insert(1, "", "mbutton(0, 1)"), "key(Left),", "key(Left), mbutton(0, 1),"},
		{"[key(Left), key(A)]", "$[0]", set("[key(Up)]"), "at character 2: key is neither a type, true, false nor null; quote text: \"key\"", ""},
		{"[ Vector2( 1, -2.5 ) ]", "$[0].y", set("2.0"), "-2.5", "2"},
		{"[ Vector2( 1, -2.5 ) ]", "$[0].y", set("-inf"), "-2.5", "-1e999"},
		{"[Vector2i(1, 2)]", "$[0].y", set("5"), ", 2", ", 5"},
		{"[Vector2i(1, 2)]", "$[0].y", set("5.5"), "at character 1: Godot 4 text has no value for this", ""},
		{"[Vector2i(1, 2)]", "$[0].y", set(`"a"`), "at character 1: Godot 4 text has no value for this", ""},
		{"[Vector2i(1, 2)]", "$[0].y", remove(edit.Ask), "Vector2i has 2 numbers: they cannot be deleted or moved", ""},
		{"Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7)", "$.origin.y", set("8"), "5, 6", "5, 8"},
		{"PackedVector2Array(1, 2, 3,\n4)", "$[1].y", set("5"), "\n4", "\n5"},
		{resourceText, "$.properties.sub", set("null"), "the new value is Nil, the old one SubResource", ""},
		{resourceText, "$.properties.sub", set(`SubResource("7")`), "at character 1: there is no SubResource with the id \"7\"", ""},
		{resourceText, "$.resources[0].properties.colors[0]", set("Color(1, 0.5, 0, 1)"), "( 0, 0, 0, 1 )", "( 1, 0.5, 0, 1 )"},
		{resourceText, "$.resources[0].properties.colors", insert(1, "", "Color(1, 1, 1, 1)"), "( 0, 0, 0, 1 )", "( 0, 0, 0, 1, 1, 1, 1, 1 )"},
		{resourceText, "$.properties", insert(4, `"hp"`, "[1, {\"k\": Vector2(1, 2)}]"), "\"k\": 3\n}\n", "\"k\": 3\n}\nhp = [ 1, {\n\"k\": Vector2( 1, 2 )\n} ]\n"},
		{resourceText, "$.properties", insert(3, `"hp"`, "5"), " ; behind\n", " ; behind\nhp = 5\n"},
		{resourceText, "$.properties.sub", remove(edit.Ask), "sub = SubResource( 1 ) ; behind\n", ""},
		{resourceText, "$.properties.script", remove(edit.Ask), "script = ExtResource( 1 )\n", ""},
		{resourceText, `$.properties["metadata/m"]`, insert(1, `"z"`, "true"), "\"k\": 3\n", "\"k\": 3,\n\"z\": true\n"},
		{resourceText, `$.properties["metadata/m"]`, set(`{"z": "x", "k": 3}`), "\"k\": 3\n", "\"z\": \"x\",\n\"k\": 3\n"},
		{`[Array[StringName]([&"a"])]`, "$[0]", inferred(`["b", &"c"]`), `&"a"`, `&"b", &"c"`},
		{`Dictionary[StringName, String]({})`, "$", inferred(`{"b": "c"}`), `({})`, "({\n&\"b\": \"c\"\n})"},
		{resourceText, "$.properties.title", move(0), "script = ExtResource( 1 )\ntitle = \"x = 1\n[resource]\n\"\n", "title = \"x = 1\n[resource]\n\"\nscript = ExtResource( 1 )\n"},
		{resourceText, "$.resources[0]", remove(edit.Ask), "a reference leads to $.resources[0], the first at $.resources[1].properties.sub", ""},
		{strings.NewReplacer("[resource]\ns", "[sub_resource type=\"Gradient\" id=1]\n\n[resource]\ns", " load_steps=3", "").Replace(resourceText),
			"$.resources[1]", remove(edit.Ask), " )\n\n[sub_resource type=\"Gradient\" id=1]\n", " )\n"},
		{resourceText, "$.resources[1]", remove(edit.Ask), "the main resource cannot be deleted", ""},
		{resourceText, "$.type", remove(edit.Ask), "the engine does not load a tag gd_resource without type", ""},
		{resourceText, "$.resources[0].id", remove(edit.Ask), "the engine does not load a tag sub_resource without id", ""},
		{resourceText, "$.resources", insert(1, "", `{"type": "Curve", "id": 2, "properties": {"a": [1], "b": Vector2(1, 2)}}`),
			"\n\n[resource]\nscript", "\n\n[sub_resource type=\"Curve\" id=2]\na = [ 1 ]\nb = Vector2( 1, 2 )\n\n[resource]\nscript"},
		{resourceText, "$.resources", insert(1, "", `{"type": "Curve", "id": 1}`), "at character 1: another resource has the id \"1\"", ""},
		{sceneText, "$.external", insert(1, "", `{}`), "at character 1: the engine does not load a tag ext_resource without path", ""},
		{sceneText, "$.external", insert(1, "", `{"type": "A", "path": "res://a"}`), "id=\"1_x\"]\n", "id=\"1_x\"]\n[ext_resource type=\"A\" path=\"res://a\" id=\"A_00000\"]\n"},
		{resourceText, "$.resources", insert(1, "", `{"type": "Curve"}`), "\n\n[resource]\nscript", "\n\n[sub_resource type=\"Curve\" id=2]\n\n[resource]\nscript"},
		{resourceText, "$.resources", double("$.resources[0]", 1), "\n\n[resource]\nscript", "\n\n[sub_resource type=\"Gradient\" id=2]\ncolors = PoolColorArray( 0, 0, 0, 1 )\n\n[resource]\nscript"},
		{resourceText, "$.resources", insert(1, "", `{"type": "Curve", "hp": 1}`), `at character 19: a resource has no attribute hp; its values are in "properties": { … }`, ""},
		{strings.ReplaceAll(resourceText, "metadata/m = {\n\"k\": 3\n}\n", ""), "$.resources[0].id", set("7"), "id=1]\ncolors = PoolColorArray( 0, 0, 0, 1 )\n\n[resource]\nscript = ExtResource( 1 )\ntitle = \"x = 1\n[resource]\n\"\nsub = SubResource( 1 )",
			"id=7]\ncolors = PoolColorArray( 0, 0, 0, 1 )\n\n[resource]\nscript = ExtResource( 1 )\ntitle = \"x = 1\n[resource]\n\"\nsub = SubResource( 7 )"},
		{strings.Replace(resourceText, "x = 1", "SubResource( 1 )", 1), "$.resources[0].id", set("7"), "the id \"1\" is named in a type or a text too, which would not follow", ""},
		{strings.Replace(sceneText, "position = ", "a = Array[ExtResource(\"1_x\")]([])\nposition = ", 1), "$.external[0]", remove(edit.Undefined), "the id \"1_x\" is named in a type or a text too, which would not follow", ""},
		{sceneText, "$.external[0].id", set(`"2_y"`), "\"1_x\"]\n\n[node name=\"Root\" type=\"Node2D\" groups=[\n\"saved\",\n]]\n\n[node name=\"Child\" parent=\".\" instance=ExtResource(\"1_x\")",
			"\"2_y\"]\n\n[node name=\"Root\" type=\"Node2D\" groups=[\n\"saved\",\n]]\n\n[node name=\"Child\" parent=\".\" instance=ExtResource(\"2_y\")"},
		{sceneText, "$.external", double("$.external[0]", 1), "id=\"1_x\"]\n", "id=\"1_x\"]\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1_bn8c0\"]\n"},
		{resourceText, "$.resources", insert(2, "", `{"type": "Curve", "id": 2}`), "the last resource is the main one: insert before it", ""},
		{resourceText, "$.properties", set("{}"), "this part of a file cannot be changed as a whole; change its values", ""},
		{resourceText, "$.properties", insert(0, `"a b"`, "1"), "script = ExtResource( 1 )", "\"a b\" = 1\nscript = ExtResource( 1 )"},
		{resourceText, "$.properties", insert(0, `"é"`, "1"), "script = ExtResource( 1 )", "\"é\" = 1\nscript = ExtResource( 1 )"},
		{resourceText, "$.properties", insert(0, `""`, "1"), "at character 1: Godot 3 text has no key like this", ""},
		{sceneText, "$.nodes[0]", insert(3, `"index"`, `"0"`), "\"saved\",\n]]", "\"saved\",\n] index=\"0\"]"},
		{sceneText, "$.nodes[0]", insert(0, `"unique_id"`, "5"), `[node name="Root"`, `[node unique_id=5 name="Root"`},
		{sceneText, "$.nodes[0].groups", insert(1, "", `"b"`), "\"saved\",\n]]", "\"saved\",\n\"b\",\n]]"},
		{sceneText, "$.nodes[0].type", remove(edit.Ask), ` type="Node2D"`, ""},
		{sceneText, "$.nodes[1]", remove(edit.Ask), "\n\n[node name=\"Child\" parent=\".\" instance=ExtResource(\"1_x\")]\nposition = Vector2(1, 2)\n0:0/0/points = PackedVector2Array(1, 2, 3, 4)", ""},
		{sceneText, `$.nodes[1].properties["0:0/0/points"]`, insert(0, "", "Vector2(9, 8)"), "Array(1, ", "Array(9, 8, 1, "},
		{sceneText, `$.nodes[1].properties["0:0/0/points"][0]`, set("Vector3(9, 8, 7)"), "at character 1: Godot 4 text has no value for this", ""},
		{sceneText, "$.nodes[1].properties", insert(2, `"a b"`, "-inf"), "3, 4)\n", "3, 4)\n\"a b\" = inf_neg\n"},
		{sceneText, "$.nodes[1].properties.position", set("Vector2(1.0, inf)"), "Vector2(1, 2)", "Vector2(1, inf)"},
		{configText, "$.sections[1].properties", insert(1, `"n"`, "[3]"), " ; behind\n", " ; behind\nn = [3]\n"},
		{configText, "$.sections[1].properties.a", remove(edit.Ask), "a = 1 ; behind\n", ""},
		{configText, `$.sections[1].properties["b c"]`, set("[1, 2, 3]"), "[1, 2]", "[1, 2, 3]"},
		{configText, "$", insert(3, `"n]"`, `{"a": {"k": 1}, "b": 2}`), "lines\"", "lines\"\n\n[n\\]]\n\na={\n\"k\": 1\n}\nb=2"},
		{configText, "$.sections[1].name", set(`"new]"`), "[first]", "[new\\]]"},
		{configText, "$", insert(1, `"n"`, `{"a": 1}`), "=5\n\n", "=5\n\n[n]\n\na=1\n\n"},
		{configText, "$", insert(0, `"n"`, `{"a": 1}`), "entries before all sections stay there", ""},
		{configText, "$", insert(1, `"first"`, `{}`), `this file already has the key "first"; its value can be set`, ""},
		{configText, "$", insert(1, `"n"`, `5`), "at character 1: a part of a file is inserted as { key: value, … }", ""},
		{configText, "$.first@key", set(`"s]x"`), `this file already has the key "s]x"; its value can be set`, ""},
		{configText, "$.first@key", set("\"a\\nb\""), "at character 1: ConfigFile has no key like this", ""},
		{"[a]\n\nx=1\n", "$.a@key", set(`""`), "at character 1: ConfigFile has no key like this", ""},
		{configText, "$.first@key", set(`" a"`), "at character 1: ConfigFile has no key like this", ""},
		{configText, "$.first@key", set(`"é"`), "[first]", "[é]"},
		{configText, "$", insert(1, `""`, `{"a": 1}`), "the engine does not read this name of a section again", ""},
		{"[a]\n\nx=[ 1, 2 ]\n", "$.a@key", set(`"é"`), "at character 1: ConfigFile has no key like this", ""},
		{"[a]\n\nx=[ 1, 2 ]\n", "$.a", insert(1, `""`, "7"), "at character 1: ConfigFile has no key like this", ""},
		{"[a]\n\nx=[ 1, 2 ]\n", "$.a", insert(1, `"é"`, "7"), "x=[ 1, 2 ]\n", "x=[ 1, 2 ]\n\"é\"=7\n"},
		{"[a]\n\nx=[ 1, 2 ]\n", "$.a", insert(1, `"a=b"`, "7"), "x=[ 1, 2 ]\n", "x=[ 1, 2 ]\n\"a=b\"=7\n"},
		{"[a]\n\nx=[ 1, 2 ]\n", "$.a.x@key", set(`"k\"; [q"`), "x=[", "\"k\\\"; [q\"=["},
		{configText, "$.first@key", set("[]"), "the engine does not read this name of a section again", ""},
		{configText, `$[""]@key`, set(`"a"`), "entries before all sections stay there", ""},
		{configText, `$[""]`, remove(edit.Ask), "config_version=5\n\n", ""},
		{"[a]\n\nx=1\n\n[b]\n\ny=2\n", "$.a", move(1), "[a]\n\nx=1\n\n[b]\n\ny=2", "[b]\n\ny=2\n\n[a]\n\nx=1"},
		{"[a]\n\nx=1\n\n[b]\n\ny=2\n", "$.a", remove(edit.Ask), "[a]\n\nx=1\n\n", ""},
		{configText, "$.first", move(0), "entries before all sections stay there", ""},
		{configText, "$.sections[1]", remove(edit.Ask), "\n\n[first]\n\na = 1 ; behind\n; above\n\"b c\"=[1, 2]", ""},
		{"x=1\r\ny=2 ; c\r\n\"z z\"=3\r\n", "$.sections[0].properties", insert(2, `"n"`, "4"), "; c\r\n", "; c\r\nn=4\r\n"},
		{"Array[int]([1, 2])", "$", set("[5]"), "([1, 2])", "([5])"},
		{"[1, 2]", "$[0]", set("0x1f"), "1", "31"},
		{"PackedInt32Array(1, 2)", "$", inferred("[3, 4, 5]"), "1, 2", "3, 4, 5"},
		{"PackedInt32Array(1, 2)", "$", inferred("[]"), "1, 2", ""},
		{"PackedInt32Array(1, 2)", "$", inferred("["), "at character 2: a value is expected here", ""},
		{"[Vector2(1, -2.5)]", "$[0]", inferred("(3, 4.5)"), "1, -2.5", "3, 4.5"},
		{"[Vector2(1, -2.5)]", "$[0]", inferred("3 4.5"), "1, -2.5", "3, 4.5"},
		{"[Vector2(1, -2.5)]", "$[0]", inferred("3"), "the new value is int, the old one Vector2", ""},
		{"[Vector2(1, -2.5)]", "$[0]", inferred("(1, 2, 3)"), "at character 1: a value is expected here", ""},
		{"PackedInt32Array(1, 2)", "$", set("[3]"), "the new value is Array, the old one PackedInt32Array", ""},
		{"PackedInt32Array(1, 2)", "$", inferred(`["a"]`), "the new value is Array, the old one PackedInt32Array", ""},
		{"PoolStringArray( \"a\" )", "$", inferred(`["b", "c"]`), `"a"`, `"b", "c"`},
		{"PoolByteArray( 1, 2 )", "$[0]", set("[]"), "at character 1: Godot 3 text has no value for this", ""},
		{"[ 1.5, Quat( 0, 0, 0, 1 ) ]", "$", insert(1, "", "{}"), "1.5,", "1.5, {\n\n},"},
		{"[ 1.5, Quat( 0, 0, 0, 1 ) ]", "$", insert(1, "", "[]"), "1.5,", "1.5, [  ],"},
		{"[ 1.5 ]", "$[0]", set("-inf"), "1.5", "-1e999"},
		{"[ Vector2( 1, 2 ) ]", "$[0]", set("Vector2(inf, 2)"), "1, 2", "1e999, 2"},
		{"[ Vector2( 1, 2 ) ]", "$[0]", set("Vector2(nan, 2)"), "at character 1: Godot 3 text has no value for this", ""},
	} {
		tr := open(c.text)
		r := tr.NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		want := strings.Replace(c.text, c.was, c.is, 1)
		splices, err := c.do(r, tr.Reading.(edit.Editor), n)
		switch {
		case err != nil:
			if err.Error() != c.was {
				t.Errorf("%s: %v, want %q", c.path, err, c.was)
			}
			continue
		case !strings.Contains(c.text, c.was):
			t.Errorf("%s: no error, want %s", c.path, c.was)
			continue
		case strings.Contains(c.is, "[sub_resource"):
			want = strings.Replace(want, "load_steps=3", "load_steps=4", 1)
		case strings.Contains(c.is, "[ext_resource"):
			want = strings.Replace(want, "load_steps=2", "load_steps=3", 1)
		}
		got := spliced(t, c.text, splices)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.path, got, want)
		}
		after, _ := tr.Edited(source.Bytes(got), splices, func(span.Problem) {})
		if a, b := fmt.Sprint(fields(t, after)), fmt.Sprint(fields(t, open(got))); a != b {
			t.Errorf("%s\nafter the edit, but\n%s\nafter opening", a, b)
		}
	}
}

// TestRandomEdits checks that random edits of entries give the text that is written from the entries, that
// the values are read back, and that nothing else changes.
func TestRandomEdits(t *testing.T) {
	const rounds, steps = 60, 15
	r := rand.New(rand.NewPCG(3, 9))
	values := []string{"1", "-2.5", `"a = b"`, "true", "[]", "[null]", "[1, 2]", "Vector2(1, 2)", `NodePath("a:b")`, `&"n"`, "PackedInt32Array(1, 2)", "{\n\"a\": [1]\n}"}
	for range rounds {
		head, path, colon := "[gd_resource type=\"R\" format=3]\n\n[resource]", "$.properties", " = "
		if r.IntN(2) == 0 {
			head, path, colon = "[gd_x]\n\n[sec]\n", "$.sections[0].properties", "="
			head = head[8:]
		}
		end := []string{"\n", "", "\n\n; the end\n", "\n\x00"}[r.IntN(4)]
		type entry struct{ before, name, value, after string }
		var all []entry
		for i := range 1 + r.IntN(4) {
			e := entry{"\n", fmt.Sprint("n", i), values[r.IntN(len(values))], ""}
			if r.IntN(4) == 0 && i > 0 {
				e.before = "\n; above\n"
			}
			if r.IntN(4) == 0 {
				e.after = " ; behind"
			}
			all = append(all, e)
		}
		write := func() string {
			s := head
			for _, e := range all {
				s += e.before + e.name + colon + e.value + e.after
			}
			return s + end
		}
		s := write()
		for step := range steps {
			tr := open(s)
			rd := tr.NewReader()
			list, err := rd.Resolve(path)
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			i := r.IntN(len(all))
			n, err := rd.Child(list, int64(i))
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			value := values[r.IntN(len(values))]
			ed := tr.Reading.(edit.Editor)
			var splices []source.Splice
			switch op := r.IntN(4); {
			case op == 0:
				splices, err = ed.Set(background, rd, n, edit.Content{Literal: value}, edit.Options{Retype: true})
				all[i].value = value
			case op == 1:
				at := 1 + r.IntN(len(all))
				name := fmt.Sprint("new", step)
				splices, err = ed.Insert(background, rd, list, int64(at), edit.Content{Key: `"` + name + `"`, Literal: value}, edit.Options{})
				all = slices.Insert(all, at, entry{"\n", name, value, ""})
			case op == 2 && len(all) > 1 && i > 0:
				splices, err = ed.Delete(background, rd, n, edit.Options{})
				all = slices.Delete(all, i, i+1)
			case op == 3:
				all[i].name = fmt.Sprint("renamed", step)
				splices, err = ed.Set(background, rd, rd.Key(n), edit.Content{Literal: `"` + all[i].name + `"`}, edit.Options{})
			}
			was := s
			if err != nil {
				t.Fatalf("%q: %v", was, err)
			}
			s = spliced(t, s, splices)
			if want := write(); s != want {
				t.Fatalf("%q\nbecame %q\nwant   %q", was, s, want)
			}
			after, _ := tr.Edited(source.Bytes(s), splices, func(span.Problem) {})
			if a, b := export(t, after), export(t, open(s)); a != b {
				t.Fatalf("%s\nafter the edit, but\n%s\nafter opening", a, b)
			}
		}
	}
}

// FuzzTile: the fields of any text are in order, not empty, and cover it; it can be checked, exported as JSON and
// written as literals; and indexed it has the same fields.
func FuzzTile(f *testing.F) {
	for _, s := range []string{resourceText, sceneText, configText, "Vector2(1, inf)", "{\"a\": [1, &\"b\", ^\"c\"], 2: #ff8000}",
		"[gd_scene]\n[node name=\"A\" type=\"B\" groups=[\"x\"]]\nscript = ExtResource(\"1\")\n", "a=Object(Node,\"x\":1)\n", "Array[int]([1,])", "\"\\u00e", "PackedByteArray(\"AQ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4<<10 {
			return
		}
		tr := open(s)
		n := len(fields(t, tr))
		problems(t, tr)
		literal(t, tr)
		if out := export(t, tr); !json.Valid([]byte(out)) {
			t.Fatalf("%q is exported as %q", s, out)
		}
		indexed := open(s)
		if err := indexed.BuildIndex(background); err != nil {
			t.Fatal(err)
		}
		if got := len(fields(t, indexed)); got != n {
			t.Fatalf("%d fields once it is indexed, %d before", got, n)
		}
	})
}

// TestSigns checks which texts only Godot writes. What INI files of other programs may have too, damaged or
// not, is left to INI.
func TestSigns(t *testing.T) {
	for content, want := range map[string]format.Claim{
		"[s]\na=\"two\nlines\"\nb=1\n":            format.Signature,
		"[s]\na=\"two \\\"\nlines\\\"\"\r\nb=1\n": format.Signature,
		"[s]\na=Vector2(1, 2)\n":                  format.Signature,
		"[s]\r\na=\"x\r\nb=\"y\"\r\n":             format.LastResort,
		"[s]\r\na=\"x\r\n":                        format.LastResort,
		"[s]\nhp=20\n":                            format.LastResort,
		"[s]\n\n; none yet\n":                     format.Signature,
		"[ Read this ]\n\nA guide,\nto read.\n":   format.None,
	} {
		if got := text.Config.Sniff(source.Bytes(content), span.Between(0, int64(len(content)))); got != want {
			t.Errorf("%q: %v, want %v", content, got, want)
		}
	}
}

// TestSetDamaged checks that no value replaces a whole file that has lost its beginning.
func TestSetDamaged(t *testing.T) {
	tr := open(resourceText)
	splices := []source.Splice{source.Put(0, 4, []byte("xxxx"))}
	damaged, _ := tr.Edited(source.Bytes(spliced(t, resourceText, splices)), splices, func(span.Problem) {})
	r := damaged.NewReader()
	n, err := r.Child(damaged.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set("Vector2(1, 2)")(r, damaged.Reading.(edit.Editor), n); err == nil || !strings.Contains(err.Error(), "cannot be changed as a whole") {
		t.Errorf("%v", err)
	}
}

// TestSectionPaths: the values of a ConfigFile are reached by the names of their sections.
func TestSectionPaths(t *testing.T) {
	r := open("k=1\n[s]\n\nx=[1, 2]\n\n[a b]\n\nz=3\n\n[sections]\n\nq=5\n\n[s]\n\nw=7\n").NewReader()
	for path, want := range map[string]string{
		"$.s.x": "[1, 2]", "$.s.x[1]": "2", `$["a b"].z`: "3", "$.sections.q": "5", "$.sections[1].name": `"s"`, "$.sections[4].properties.w": "7", "$.sections[9].name": "", "$.s#2.w": "7", `$[""].k`: "1", "$.s.w": "", "$.t": "",
	} {
		n, err := r.Resolve(path)
		is := ""
		if err == nil {
			is = string(r.AppendLiteral(nil, &n.Value, 100))
		}
		if is != want {
			t.Errorf("%s is %q, %v; want %q", path, is, err, want)
		}
	}
}

// TestTextGoesOn: a text that goes on behind what is looked at makes no value of Godot of JSON.
func TestTextGoesOn(t *testing.T) {
	for _, end := range []string{"", `\`} {
		content := `{"calls": "f(a), Vector2(1, 2) [Object(3) ` + strings.Repeat("x", 4<<10) + end + `"}`
		content = content[:4<<10-len(end)] + end + content[4<<10:]
		if got := text.Family.Sniff(source.Bytes(content), span.Between(0, int64(len(content)))); got == format.Signature {
			t.Errorf("with %q at the end it has a signature", end)
		}
	}
}
