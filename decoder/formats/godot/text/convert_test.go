package text_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/resource"
	"varview/decoder/formats/godot/text"
)

// openFile reads a binary or a text file of resources.
func openFile(data []byte) *tree.Tree {
	if !bytes.HasPrefix(data, []byte("RSRC")) {
		return open(string(data))
	}
	src, region := source.Bytes(data), span.Between(0, int64(len(data)))
	return tree.New(src, resource.Family.Formats(&format.Request{}, src, region)[0].Open(src, region), region)
}

// converted returns a file in another dialect, and what is reported.
func converted(t *testing.T, data []byte, to string, lost format.Outcome) (out []byte, report string, err error) {
	t.Helper()
	family := text.Family
	if strings.HasSuffix(to, "resource") {
		family = resource.Family
	}
	var b bytes.Buffer
	q := &format.ConvertRequest{Dialect: to, Lost: lost, Report: func(l format.Loss) { report += fmt.Sprintf("%s %s %s: %s\n", l.Outcome, l.Path, l.Type, l.Reason) }}
	err = family.(format.Converter).Convert(background, openFile(data).NewReader(), q, &b)
	if err == nil {
		if p := problems(t, openFile(b.Bytes())); len(p) > 0 {
			t.Errorf("the result has %v\n%q", p, b.Bytes())
		}
	}
	return b.Bytes(), report, err
}

func mustConvert(t *testing.T, data []byte, to string) []byte {
	t.Helper()
	out, report, err := converted(t, data, to, format.Stops)
	if err != nil || report != "" {
		t.Fatalf("to %s: %v %s", to, err, report)
	}
	return out
}

// said returns the content of a file, without its version and the id of its main resource, which text does
// not have.
func said(t *testing.T, data []byte) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(export(t, openFile(data))), &all); err != nil {
		t.Fatal(err)
	}
	delete(all, "engine")
	delete(all, "format")
	resources := all["resources"].([]any)
	delete(resources[len(resources)-1].(map[string]any), "id")
	b, _ := json.Marshal(all)
	return string(b)
}

// TestConvertBack converts binary files to text and back.
func TestConvertBack(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/resource/*.res")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(data, []byte("RSCC")) {
			continue
		}
		engine := filepath.Base(name)[:len("godot3")]
		back := mustConvert(t, mustConvert(t, data, engine+"-text"), engine+"-resource")
		if want, got := said(t, data), said(t, back); want != got {
			t.Errorf("%s is\n%s\nand back\n%s", name, want, got)
		}
	}
}

const convertible3 = `[gd_resource type="Resource" load_steps=4 format=2]

[ext_resource type="Script" path="res://save.gd" id=1]
[ext_resource type="Texture" path="res://é.png" id=2]

[sub_resource type="Gradient" id=7]
offsets = PoolRealArray( 0, 0.25, 1 )

[resource]
script = ExtResource( 1 )
__meta__ = {
"seen": [ 1, "x" ]
}
a = [ null, true, -5, 9007199254740993, 0.1, 1e+300, inf, nan, -1e999 ]
b = "quote \" backslash \\
newline; é"
c = {
"sub": SubResource( 7 ),
2: ExtResource( 2 ),
Vector2( 1, 1e999 ): {

},
[ 1, Vector2( 1, 2 ) ]: [  ]
}
d = [ Vector2( 1, -0.1 ), Quat( 0, 0, 0, 1 ), Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7 ), Color( 1, 0.5, 0, 1 ) ]
e = [ PoolByteArray( 1, 255 ), PoolIntArray( -1, 2 ), PoolVector2Array( 1, 2, 3, 4 ), PoolStringArray( "a", "b" ), PoolRealArray(  ) ]
f = NodePath("/a/b:c:d")
sub/name = 1
`

const convertible4 = `[gd_resource type="Resource" script_class="SaveGame" load_steps=4 format=3 uid="uid://bq6b26pctmol4"]

[ext_resource type="Script" path="res://save.gd" id="1"]
[ext_resource type="Texture2D" uid="uid://b3ciqydkjnkkx" path="res://é.png" id="2"]

[sub_resource type="Gradient" id="Gradient_tqxri"]
offsets = PackedFloat32Array(0, 0.25, 1)

[resource]
script = ExtResource("1")
a = [&"name", inf_neg, Vector4i(1, 2, 3, 4), Callable(), RID(), PackedInt64Array(9007199254740993), PackedVector4Array(1, 2, 3, inf)]
b = SubResource("Gradient_tqxri")
"odd name" = {
&"k": NodePath("a")
}
metadata/seen = true
`

// TestConvertText converts texts to bytes and back, which gives the same text.
func TestConvertText(t *testing.T) {
	for _, c := range []struct{ text, engine string }{{convertible3, "godot3"}, {convertible4, "godot4"}} {
		if back := mustConvert(t, mustConvert(t, []byte(c.text), c.engine+"-resource"), c.engine+"-text"); string(back) != c.text {
			t.Errorf("%s\nis back\n%s", c.text, back)
		}
	}
}

// heap keeps what is written to it, and notes the most memory that is in use then.
type heap struct {
	bytes.Buffer
	most uint64
}

func (h *heap) Write(b []byte) (int, error) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.most = max(h.most, m.HeapAlloc-uint64(h.Cap()))
	return h.Buffer.Write(b)
}

// TestConvertLarge converts a list of many values, and an array of many texts, to bytes and back: they are written as they are read.
func TestConvertLarge(t *testing.T) {
	items, texts := []byte("["), []byte("PackedStringArray(")
	for k := range 20_000 {
		items = fmt.Appendf(items, "{\n\"id\": %d,\n\"pos\": Vector2(%d, 0.5),\n\"tags\": [&\"a\", \"%d\"]\n}, ", k, k, k)
		texts = fmt.Appendf(texts, "\"text %d\\\"\nof a list that is \\\\ long\", ", k)
	}
	for _, value := range []string{string(bytes.TrimSuffix(items, []byte(", "))) + "]", string(bytes.TrimSuffix(texts, []byte(", "))) + ")"} {
		data := []byte("[gd_resource type=\"Resource\" format=3]\n\n[resource]\nitems = " + value + "\n")
		stored := mustConvert(t, data, "godot4-resource")
		for to, want := range map[string][]byte{"godot4-text": data, "godot4-resource": stored} {
			var out heap
			out.Grow(2 * len(data))
			out.Write(nil)
			before, most, from, family := out.most, uint64(len(data)), stored, text.Family
			if to == "godot4-resource" { // of which as much is held as goes to a temporary file at once
				from, family, most = data, resource.Family, most+1<<20
			}
			q := &format.ConvertRequest{Dialect: to}
			if err := family.(format.Converter).Convert(background, openFile(from).NewReader(), q, &out); err != nil || !bytes.Equal(out.Bytes(), want) {
				t.Fatal(err, out.Len(), len(want))
			}
			if more := out.most - before; out.most > before && more > most {
				t.Errorf("%s of %.20s: %d more bytes of memory in use, not %d", to, value, more, most)
			}
		}
	}
}

// TestConvertEngine converts from Godot 3 to 4.
func TestConvertEngine(t *testing.T) {
	const want = `[gd_resource type="Resource" load_steps=4 format=3]

[ext_resource type="Script" path="res://save.gd" id="1"]
[ext_resource type="Texture2D" path="res://é.png" id="2"]

[sub_resource type="Gradient" id="7"]
offsets = PackedFloat32Array(0, 0.25, 1)

[resource]
script = ExtResource("1")
metadata/seen = [1, "x"]
a = [null, true, -5, 9007199254740993, 0.1, 1e+300, inf, nan, inf_neg]
b = "quote \" backslash \\
newline; é"
c = {
"sub": SubResource("7"),
2: ExtResource("2"),
Vector2(1, inf): {},
[1, Vector2(1, 2)]: []
}
d = [Vector2(1, -0.1), Quaternion(0, 0, 0, 1), Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7), Color(1, 0.5, 0, 1)]
e = [PackedByteArray(1, 255), PackedInt32Array(-1, 2), PackedVector2Array(1, 2, 3, 4), PackedStringArray("a", "b"), PackedFloat32Array()]
f = NodePath("/a/b:c:d")
sub/name = 1
`
	const notes = `changed $.external[1] Texture: the class Texture is called Texture2D
changed $.resources[0] Gradient: Godot 4 leaves out the properties of a Gradient that it has under other names or not at all
`
	for _, from := range []string{"", "godot3-resource"} {
		for _, to := range []string{"godot4-text", "godot4-resource"} {
			data := []byte(convertible3)
			if from != "" {
				data = mustConvert(t, data, from)
			}
			got, report, err := converted(t, data, to, format.Stops)
			if to == "godot4-resource" && err == nil {
				got = mustConvert(t, got, "godot4-text")
			}
			if err != nil || report != notes || string(got) != want {
				t.Errorf("from %q to %s: %v %s\n%s", from, to, err, report, got)
			}
		}
	}
}

// TestConvertLosses converts values that have no counterpart.
func TestConvertLosses(t *testing.T) {
	file := func(head, lines string) []byte {
		return []byte("[gd_resource type=\"Resource\" format=" + head + "]\n\n[resource]\n" + lines + "\n")
	}
	for _, c := range []struct {
		data   []byte
		to     string
		lost   format.Outcome
		report string
		want   string // the properties as text, or the error
	}{
		{file("3", `a = [1, Object(Node,), 2]`), "godot4-resource", format.Stops, "stops $.resources[0].properties.a[1] Object: an object in a file of resources must be a resource\n",
			"$.resources[0].properties.a[1]: an object in a file of resources must be a resource"},
		{file("3", `a = [1, Object(Node,), 2]`), "godot4-resource", format.Dropped, "dropped $.resources[0].properties.a[1] Object: an object in a file of resources must be a resource\n", "a = [1, 2]\n"},
		{file("3", `a = {"k": Resource("res://x"), "l": 1}`), "godot4-resource", format.Nulled,
			"null $.resources[0].properties.a.k Resource: a file refers to others by its table, not by a path in a value\n", "a = {\n\"k\": null,\n\"l\": 1\n}\n"},
		{file("3", "a = Array[int]([1])"), "godot4-resource", format.Stops, "changed $.resources[0].properties.a Array[int]: its type is not stored in the file; the engine knows it if the property has it\n", "a = [1]\n"},
		{mustConvert(t, file("2", `a = PoolRealArray( 1, nan )`), "godot3-resource"), "godot3-text", format.Dropped,
			"dropped $.resources[0].properties.a PoolRealArray: Godot 3 text reads no nan in a PoolRealArray\n", ""},
		{mustConvert(t, file("2", `a = RID()`), "godot3-resource"), "godot3-text", format.Nulled, "null $.resources[0].properties.a RID: Godot 3 text has no RID\n", "a = null\n"},
		{file("2", "__meta__ = {\n\"a b\": 1,\n\"c\": 2\n}"), "godot4-text", format.Dropped,
			"dropped $.resources[0].properties.__meta__[\"a b\"] int: Godot 4 has metadata only under names of letters and digits\n", "metadata/c = 2\n"},
		{file("3", "a = 1"), "godot3-text", format.Stops, "", "resources of Godot 4 cannot be converted to Godot 3"},
		{file("3", "a = 1"), "godot4-text", format.Stops, "", "the file already has this dialect"},
		{file("3", "a = 1"), "godot4-resource", format.Described, "", "a file of resources cannot have dictionaries in place of values: use --drop or --as-null"},
		{[]byte("Vector2(1, 2)"), "godot4-resource", format.Stops, "", "only files of resources are converted, and this is a value"},
		{[]byte("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n"), "godot4-resource", format.Stops, "", "a scene as text is not converted: Godot itself saves it as .scn"},
		{file("3", "a = [1,, 2"), "godot4-resource", format.Stops, "", "a damaged file is not converted, repair it first"},
	} {
		out, report, err := converted(t, c.data, c.to, c.lost)
		if err == nil && strings.HasSuffix(c.to, "resource") {
			out = mustConvert(t, out, strings.Replace(c.to, "resource", "text", 1))
		}
		_, got, _ := strings.Cut(string(out), "[resource]\n")
		if err != nil {
			got = err.Error()
		}
		var lost *format.LossError
		if report != c.report || (got != c.want && (err == nil || !strings.HasSuffix(got, c.want))) || errors.As(err, &lost) != (c.report != "" && c.lost == format.Stops && err != nil) {
			t.Errorf("%q to %s:\n%s%s\nwant\n%s%s", c.data, c.to, report, got, c.report, c.want)
		}
	}
}

// TestConvertPacked: no memory is made for each number of a packed array but that in which it is kept.
func TestConvertPacked(t *testing.T) {
	const n = 100_000
	data := []byte("[gd_resource type=\"Resource\" format=3]\n\n[resource]\nitems = PackedInt32Array(0" + strings.Repeat(", 123", n-1) + ")\n")
	for _, to := range []string{"godot4-resource", "godot4-text"} {
		var was, is runtime.MemStats
		runtime.ReadMemStats(&was)
		out := mustConvert(t, data, to)
		runtime.ReadMemStats(&is)
		if objects, size := is.Mallocs-was.Mallocs, (is.TotalAlloc-was.TotalAlloc)/n; objects > 3*n || size > 150 {
			t.Errorf("to %s: %d objects, and %d bytes for each number", to, objects, size)
		}
		data = out
	}
}
