package text_test

import (
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	godottext "varview/decoder/formats/godot/text"
)

// found lists the codes, paths and messages of a text's problems; a note counts too.
func found(t *testing.T, text string) (all []string) {
	t.Helper()
	tr := open(text)
	err := tr.Check(background, tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		all = append(all, p.Code+" "+tr.NewReader().Path(n)+": "+p.Message+"; "+p.Engine)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestLongText reads constructors with texts of any length as one value, and what follows them.
func TestLongText(t *testing.T) {
	for _, n := range []int{0, 900, 1000, 1020, 1024, 65_000, 65_500, 65_520, 65_536, 200_000, 1 << 20} {
		for _, name := range []string{"PackedByteArray", "NodePath"} {
			for _, head := range []string{"[gd_resource type=\"A\" format=4]\n\n[resource]\n", "[s]\n\n"} {
				text := strings.Repeat("AAAA", n/4)
				tr := open(head + "long = " + name + "(\"" + text + "\")\nhp = 7\n")
				if p := problems(t, tr); len(p) > 0 {
					t.Errorf("%s of %d: %.200q", name, n, p)
				}
				path := "$.sections[0].properties"
				if head != "[s]\n\n" {
					path = "$.properties"
				}
				r := tr.NewReader()
				hp, err := r.Resolve(path + ".hp")
				long, err2 := r.Resolve(path + ".long")
				if err != nil || err2 != nil {
					t.Fatalf("%s of %d: %v %v", name, n, err, err2)
				}
				literal := func(at *tree.Node) string {
					return string(tr.Reading.(tree.LiteralWriter).AppendLiteral(nil, r, &at.Value, 8<<20))
				}
				got := literal(long)
				if is := literal(hp); is != "7" {
					t.Errorf("after %s of %d is %s", name, n, is)
				}
				want := `^"` + text + `"`
				if name == "PackedByteArray" {
					want = name + "(" + strings.TrimSuffix(strings.Repeat("0, ", len(text)/4*3), ", ") + ")"
				}
				if got != want {
					t.Errorf("%s of %d is %.80s…, want %.80s…", name, n, got, want)
				}
			}
		}
	}
}

// TestConfigKeys names the key that the engine sees where another one is written.
func TestConfigKeys(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"k0 = \"x\",\nk1 = 5", `",k1"`},
		{"k0 = 5 7\nk1 = 5", `"7k1"`},
		{"k0 = 5x\nk1 = 5", `"xk1"`},
		{"k0 = [1] words\nk1 = 5", `"wordsk1"`},
		{"k0 = -inf.0\nk1 = 5", `".0k1"`},
		{"k0 = 1\n# words\nk1 = 5", `"#wordsk1"`},
		{"k0 = 8 [t]\nk1 = 5", "begins another section: t"},
		{"k0 = \"a\x00b\"\nk1 = 5", "a NUL ends this text"},
		{"k0 = [\"a\\\"\x00b\"]\nk1 = 5", "a NUL ends this text"},
		{"\"k\x00\" = 1\nk1 = 5", "a NUL ends this text"},
		{" k 2\"=\"\"\nk1=5", "a quote in a key begins a text"},
		{"k0 = [8][t]\nk1 = 5", "begins another section: t"},
		{"k0 = 8 []\nk1 = 5", ""},
		{"k0 =\n8\nk1 =\r\n; words\n[1, 2]\nk2=\n\n\"a\"\nk3=Vector2(1, 2)\nk4=1\nk5=2\nk6=3", ""},
		{"k0=\n\"k 1\"=5", "a value is missing"},
		{"k1=Vector2(1, 2)\nk0=\n[t]", "a value is missing"},
		{"k0=Array[Foo]([])", "unless the engine itself has a class Foo"},
		{"k0=Array[Texture2D]([])\nk1=Array[Nil]([])", "there is no type Nil"},
		{"k0=ExtResource(\"1\")", "a ConfigFile has no resources"},
		{"k0=Resource(1)", "a text in quotes is expected"},
		{"k0=#12345", "it becomes black"},
		{"k0=4E-6\nk1=PoolIntArray(  )", `"E-6k1"`},
		{"k0=4E6\nk1=PoolIntArray(  )", `"E6k1"`},
		{"k0=Rect3(1, 2, 3, 4, 5, 6)\nk1=-0", ""},
		{"k0=1\n[", "the bracket after the name of this section is missing"},
		{"k one = 1", `"kone"`},
		{"k;0 = 1", "what is behind ; is a comment"},
		{"k=1\n\n[s]]\n\nk0 = 1", "the name of this section ends at its first bracket"},
		{"k=1\n\n[s\\]]\n\nk0 = 1", ""},
		{"k;0 = 1\nk1 = 5", `"kk1"`},
		{"k0 = 1\n; a comment\nk1 = 5 ; another, with \"\n\nk2 = 1", ""},
		{"k0=1\nk1.a/b-c=2\n\"k 2\"=3", ""},
		{"k0=\"a\nb=c\"\nk1={\n\"a\": 1\n}", ""},
		{"schlüssel=1", `as Latin-1, as "schlÃ¼ssel"`},
		{"=1", "without a key"},
		{"\"\"=1", "without a key"},
		{"k=null", "left out"},
		{"k=[ 1 ]\n\n[ü]\n\nk=1", `this name is read as Latin-1, as "Ã¼"`},
		{"k=[1]\n\n[ü]\n\nk=1", ""},
	} {
		all := found(t, "[s]\n\n"+c.lines+"\n")
		if is := strings.Join(all, "\n"); c.want == "" && is != "" || !strings.Contains(is, c.want) {
			t.Errorf("%q: %q, want %q", c.lines, all, c.want)
		}
	}
	if all := found(t, "[s]\n\nk=1\n["); len(all) != 1 {
		t.Errorf("a bracket at the end: %q", all)
	}
}

// TestNoSection reads a ConfigFile without a section, in which nothing is wrong.
func TestNoSection(t *testing.T) {
	for _, text := range []string{"x=5\n", "\"k\"=&\"a\"\nx=-inf\n", "; words\nx=[1]\n\n[s]\n\ny=5\n"} {
		src, region := source.Bytes(text), span.Between(0, int64(len(text)))
		tr := tree.New(src, godottext.Config.Formats(&format.Request{}, src, region)[0].Open(src, region), region)
		if p := problems(t, tr); len(p) > 0 {
			t.Errorf("%q: %q", text, p)
		}
	}
}

// TestTypedContainers reports what cannot be put into a typed container, and what becomes another value there.
func TestTypedContainers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`Array[int]([1, "x"])`, span.ElementType + " $[1]"},
		{`Array[int]([1, 2.5])`, span.EngineChanges + " $[1]"},
		{`Array[int]([1, 2])`, ""},
		{`Array[float]([1, 2.5, inf])`, ""},
		{`Array[String]([&"a"])`, span.EngineChanges + " $[0]"},
		{`Array[Vector2]([Vector2(1, 2), null])`, span.ElementType + " $[1]"},
		{`Array[Array]([[1], Array[int]([1])])`, ""},
		{`Array[Dictionary]([{}, 1])`, span.ElementType + " $[1]"},
		{`Array[Node]([null])`, ""},
		{`Array[Resource]([5])`, span.ElementType + " $[0]"},
		{`Array[loat]([1])`, span.EngineChanges + " $"},
		{`Dictionary[String, int]({"a": 1, 2: 3})`, span.ElementType + " $[2]@key"},
		{`Dictionary[String, int]({"a": []})`, span.ElementType + " $.a"},
		{`Dictionary[String, Variant]({"a": []})`, ""},
		{`[Array[Array]([Array[int]([1, "a"])])]`, span.ElementType + " $[0][0][1]"},
		{`{"a": 1, &"a": 2}`, span.RepeatedKey + " $.a#2@key"},
		{`[{&"a": 1, "\u0061": 2}]`, span.RepeatedKey + " $[0].a#2@key"},
		{`{"a": 1, &"b": 2, NodePath("a"): 3, "5": 4, 5: 6}`, ""},
		{`PackedInt32Array(2.5)`, span.EngineChanges + " $[0]"},
		{`PackedByteArray(300)`, span.EngineChanges + " $[0]: Godot 4 at line 1, column 17: it becomes 44"},
		{`Vector2i(1.5, 2)`, span.EngineChanges + " $: Godot 4 at line 1, column 10: it becomes 1"},
		{`92233720368547758070`, span.EngineChanges + " $: Godot 4 at line 1, column 1: this exceeds 64 bits: it becomes 9223372036854775807"},
		{`PackedStringArray("a", 5)`, span.EngineRefuses + " $[1]"},
	} {
		if all := found(t, c.text); c.want == "" && len(all) > 0 || c.want != "" && (len(all) != 1 || !strings.HasPrefix(all[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.text, all, c.want)
		}
	}
}

// TestRefusedEdits tries edits that the engine would refuse, or read as another value.
func TestRefusedEdits(t *testing.T) {
	const tres, cfg = "[gd_resource type=\"A\" format=3]\n\n[resource]\n", "[s]\n\n"
	for _, c := range []struct{ text, path, literal, want string }{ // want is the new text of the value; "" if the edit is refused
		{tres + "a = PackedInt32Array(1, 2)\n", "a[1]", `"a"`, ""},
		{tres + "a = PackedInt32Array(1, 2)\n", "a[1]", `2147483648`, ""},
		{tres + "a = PackedInt32Array(1, 2)\n", "a[1]", `7`, "PackedInt32Array(1, 7)"},
		{tres + "a = PackedByteArray(1, 2)\n", "a", `PackedByteArray(300, -5)`, ""},
		{tres + "a = PackedFloat32Array(1, 2)\n", "a[0]", `.5`, "PackedFloat32Array(0.5, 2)"},
		{tres + "a = Vector2i(1, 2)\n", "a", `Vector2i(1.5, 2)`, ""},
		{tres + "a = Vector2i(1, 2)\n", "a.x", `1.5`, ""},
		{tres + "a = Vector2(1, 2)\n", "a.x", `+1.5`, ""},
		{tres + "a = Array[int]([1, 2])\n", "a[0]", `"x"`, ""},
		{tres + "a = Array[int]([1, 2])\n", "a", `[1, "x"]`, ""},
		{tres + "a = Array[int]([1, 2])\n", "a", `[1, 3]`, "Array[int]([1, 3])"},
		{tres + "a = {\n\"k\": Array[Array]([Array[int]([1])])\n}\n", "a.k[0][0]", `2.5`, ""},
		{tres + "a = Dictionary[String, float]({\n\"a\": 1.5\n})\n", "a.a", `"x"`, ""},
		{tres + "a = Dictionary[String, int]({\n\"a\": 1\n})\n", "a.a", "2.0", ""},
		{tres + "a = {\n\"a\": 1,\n&\"b\": 2\n}\n", "a.b@key", `"a"`, ""},
		{tres + "a = {\n\"a\": 1,\n&\"b\": 2\n}\n", "a.b@key", `&"a"`, ""},
		{tres + "a = 1.5\n", "a", ".5", "0.5"},
		{tres + "a = 1.5\n", "a", "-.5", "-0.5"},
		{tres + "a = 1.5\n", "a", "-nan", ""},
		{tres + "a = 5\n", "a", "", ""},
		{tres + "a = 5\n", "a", "null", "null"},
		{tres + "a = 5\n", "a", `^"a/b"`, `NodePath("a/b")`},
		{cfg + "a=5\n", "a", "null", ""},
		{cfg + "a=5\n", "a", "[null]", "[null]"},
		{cfg + "a=5\n", "a", `"a;b"`, `"a;b"`},
	} {
		tr := open(c.text)
		r := tr.NewReader()
		path := "$.properties."
		if strings.HasPrefix(c.text, cfg) {
			path = "$.sections[0].properties."
		}
		n, err := r.Resolve(path + c.path)
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		splices, err := tr.Reading.(edit.Editor).Set(background, r, n, edit.Content{Literal: c.literal}, edit.Options{Retype: !strings.Contains(c.text, "Array[")})
		_, value, _ := strings.Cut(spliced(t, c.text, splices), "a"+map[bool]string{true: "=", false: " = "}[strings.HasPrefix(c.text, cfg)])
		if value = strings.TrimSuffix(value, "\n"); (err != nil) != (c.want == "") || err == nil && value != c.want {
			t.Errorf("%s=%s: %q, %v; want %q", c.path, c.literal, value, err, c.want)
		}
	}
}

// TestRefusedParts tries values that the engine would not read as they are meant in each place where a literal can have them.
func TestRefusedParts(t *testing.T) {
	const (
		head4 = "[gd_resource type=\"A\" format=3]\n\n[ext_resource path=\"res://a.png\" type=\"Texture\" id=\"1_e\"]\n\n[sub_resource type=\"B\" id=\"B_s\"]\n\n[resource]\na = 5\n"
		head3 = "[gd_resource type=\"A\" format=2]\n\n[ext_resource path=\"res://a.png\" type=\"Texture\" id=1]\n\n[sub_resource type=\"B\" id=2]\n\n[resource]\na = 5\n"
		cfg4  = "[s]\n\na=5\nb=&\"\"\n"
		cfg3  = "[s]\n\na=5\nb=PoolIntArray( )\n"
		value = "{\n\"a\": 5,\n\"b\": &\"\"\n}"
	)
	for _, c := range []struct{ text, literal, want string }{ // want is the error; "" if the value is written
		{head4, `SubResource("nope")`, `there is no SubResource with the id "nope"`},
		{head4, `ExtResource("nope")`, `there is no ExtResource with the id "nope"`},
		{head4, `ExtResource("B_s")`, `there is no ExtResource with the id "B_s"`},
		{head4, `SubResource("B_s")`, ""},
		{head4, `ExtResource("1_e")`, ""},
		{head4, `Array[Resource]([SubResource("B_s"), null])`, ""},
		{head4, `Array[ExtResource("1_e")]([SubResource("B_s")])`, ""},
		{head4, `Resource("res://b.tres")`, ""},
		{head4, `Object(Node, "a": SubResource("nope"))`, `there is no SubResource with the id "nope"`},
		{head3, `SubResource(3)`, `there is no SubResource with the id "3"`},
		{head3, `SubResource(2)`, ""},
		{head3, `ExtResource(1)`, ""},
		{cfg4, `SubResource("B_s")`, "a ConfigFile has no resources to which SubResource could refer"},
		{cfg3, `ExtResource(1)`, "a ConfigFile has no resources to which ExtResource could refer"},
		{value, `SubResource("B_s")`, ""},
		{cfg4, `1e400`, "float holds up to 1.8e308"},
		{cfg3, `-1e400`, "float holds up to 1.8e308"},
		{cfg4, `1e-400`, "1e-400 is read as 0"},
		{cfg4, `Vector2(1e-400, 1)`, "1e-400 is read as 0"},
		{cfg4, `Vector2(1, 1e400)`, "float32 holds up to 3.4e38"},
		{cfg4, `PackedFloat64Array(1, 1e400)`, "float holds up to 1.8e308"},
		{cfg4, `99999999999999999999`, "an int must fit 64 bits: -9223372036854775808 to 9223372036854775807"},
		{cfg4, `Dictionary[String, int]({"a": 1.0})`, "Dictionary[String, int] holds int, this is float"},
		{cfg4, `Dictionary[String, float]({"a": 1})`, ""},
		{cfg4, `Array[int]([1.0])`, "Array[int] holds int, this is float"},
		{cfg4, `Array[StringName](["a"])`, ""},
		{cfg4, `5e-324`, ""},
		{cfg4, `0e5`, ""},
		{cfg4, `Vector2(inf, nan)`, ""},
		{cfg4, `{"a": 1, "a": 2}`, `the key "a" is repeated`},
		{cfg4, `{"a": 1, &"a": 2}`, `the key &"a" is repeated`},
		{cfg4, `{&"a": 1, "a": 2}`, `the key "a" is repeated`},
		{cfg4, `{Vector2(1, 2): 1, Vector2(1.0, 2): 2}`, `the key Vector2(1.0, 2) is repeated`},
		{cfg4, `{1: 1, 1.0: 2, "1": 3, ^"1": 4}`, ""},
		{cfg3, `{"a": 1, "a": 2}`, `the key "a" is repeated`},
	} {
		for _, place := range []string{"%s", "[%s]", "[[7], %s]", `{"k": %s}`, `{"k": {"l": [%s]}}`, "Array[Variant]([%s])", "{%s: 1}"} {
			if c.text == cfg3 || c.text == head3 {
				place = strings.Replace(place, "Array[Variant]([%s])", "[%s]", 1)
			}
			literal := strings.Replace(place, "%s", c.literal, 1)
			tr := open(c.text)
			r := tr.NewReader()
			path := map[string]string{cfg4: "$.s", cfg3: "$.s", value: "$"}[c.text]
			if path == "" {
				path = "$.properties"
			}
			n, err := r.Resolve(path + ".a")
			if err != nil {
				t.Fatal(err)
			}
			_, set := tr.Reading.(edit.Editor).Set(background, r, n, edit.Content{Literal: literal}, edit.Options{Retype: true})
			_, inserted := tr.Reading.(edit.Editor).Insert(background, r, n.Parent, 0, edit.Content{Key: `"new"`, Literal: literal}, edit.Options{})
			for _, err := range []error{set, inserted} {
				if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", literal, err, c.want)
				}
			}
		}
	}
}
