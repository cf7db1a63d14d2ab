package gml

import (
	"errors"
	"reflect"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/formats/elephant/internal/datatype"
)

func TestSchemaErrors(t *testing.T) {
	for _, test := range []struct {
		name, one, two string // texts of one.gml and two.gml
		version        int
		want           Reason
		message        string
	}{
		{"no constructor", "", "", 1,
			NoConstructor, `no GML file declares the constructor "A"`},
		{"no ancestor", "function A() : B() constructor {}", "", 1,
			NoConstructor, `constructor "A" inherits from "B", which no GML file declares`},
		{"no schema", "function A() : B() constructor {}", "function B() constructor {}", 1,
			NoSchema, `constructor "A" has no ELEPHANT_SCHEMA, and inherits none`},
		{"no version", "\n" + in("v12 : {}, v3 : {}"), "", 2,
			NoVersion,
			`the schema of "A" has no v2 (it has v3, v12)`},
		{"no version at all", in(""), "", 2,
			NoVersion,
			`the schema of "A" has no v2 (it has no versions)`},
		{"no version inherited", "function B() : A() constructor {}", "function A() : C() constructor {} function C() constructor { ELEPHANT_SCHEMA { v1 : {} } }", 2,
			NoVersion,
			`the schema of "C", which "A" inherits, has no v2 (it has v1)`},
		{"no version in copies", in("v1 : {}"), in("v1 : {}, v2 : {}"), 3,
			NoVersion,
			`the schema of "A" has no v3 (it has v1, v2)`},
		{"contradiction", in("\nv1 : { a : 1 }"), in("\n\nv1 : { a : 2 }"), 1,
			Unreadable,
			`one.gml:2:1: it is declared differently in two.gml:3:1; v1 of the schema of "A" cannot be read`},
		{"contradicting members", in("\nv1 : { a : 1,\nb : 1,\n  a : 2 }"), "", 1,
			Unreadable,
			`one.gml:4:3: the member "a" is declared twice; v1 of the schema of "A" cannot be read`},
		{"contradicting macros of other files", in("\nv1 : { a : 1, b : X }") + "\n#macro X 1\n", "function f() {\n#macro X 2\n}", 1,
			Unreadable,
			`one.gml:2:19: "X (a macro with two definitions)" is not a datatype for "b"; v1 of the schema of "A" cannot be read`},
		{"unknown datatype", in("\n v1 : { é : 1, b : buffer_foo }"), "", 1,
			Unreadable,
			`one.gml:2:20: "buffer_foo" is not a datatype for "b"; v1 of the schema of "A" cannot be read`},
		{"unknown macro", in("\n v1 : { b : HP }"), "#macro HP f(1, global.x)", 1,
			Unreadable,
			`one.gml:2:13: "HP (macro: f(1,global.x))" is not a datatype for "b"; v1 of the schema of "A" cannot be read`},
		{"name alone", in("\n v1 : { hp, a : 1 }"), "", 1,
			Unreadable,
			`one.gml:2:9: "hp" is not a datatype for "hp"; v1 of the schema of "A" cannot be read`},
		{"long value", in("\n v1 : { a : a + b + c + d + e + f + g }"), "", 1,
			Unreadable,
			`one.gml:2:13: "a+b+c+d+e…" is not a datatype for "a"; v1 of the schema of "A" cannot be read`},
		{"unreadable version", in("\n v1 : other"), "", 1,
			Unreadable,
			`one.gml:2:7: it is not written out as { … }; v1 of the schema of "A" cannot be read`},
		{"unreadable schema", "function A() constructor {\n static __Elephant_Schema__ = f(); }", "", 5,
			Unreadable,
			`one.gml:2:9: the schema is not written out where it is declared; v5 of the schema of "A" cannot be read`},
		{"colon missing", in("\n v1 : { é : 1, a buffer_u8, b : 1 }"), "", 1,
			Unreadable,
			`one.gml:2:18: a colon is missing after "a"; v1 of the schema of "A" cannot be read`},
		{"colon missing before the next line", in("\n v1 : { a\n  buffer_u8 }"), "", 1,
			Unreadable,
			`one.gml:3:3: a colon is missing after "a"; v1 of the schema of "A" cannot be read`},
		{"comment without end", "function A() constructor {\n /* ELEPHANT_SCHEMA { v1 : {} }\n}", "", 1,
			Unreadable,
			`one.gml:2:2: the file could not be read to its end, this comment has no end: */ is missing; v1 of the schema of "A" cannot be read`},
		{"string without end", "function A() constructor {\n x = @'\n ELEPHANT_SCHEMA { v1 : {} } }", "", 1,
			Unreadable,
			`one.gml:2:6: the file could not be read to its end, this string has no end: ' is missing; v1 of the schema of "A" cannot be read`},
		{"brace without end", "function A() constructor {\n if (x) {\n x = function() { ELEPHANT_SCHEMA { v1 : {} } }", "", 1,
			Unreadable,
			`one.gml:1:26: the file could not be read to its end, this { is never closed; v1 of the schema of "A" cannot be read`},
		{"parenthesis without end", "function A() constructor {\n function f(\n ELEPHANT_SCHEMA { v1 : {} }", "", 1,
			Unreadable,
			`one.gml:1:26: the file could not be read to its end, this { is never closed; v1 of the schema of "A" cannot be read`},
		{"comment without end in an ancestor", "function A() : B() constructor {}", "function B() constructor { /*", 1,
			Unreadable,
			`two.gml:1:28: the file could not be read to its end, this comment has no end: */ is missing; v1 of the schema of "B", which "A" inherits, cannot be read`},
		{"comment without end, with an ancestor", "function A() : B() constructor { /* ELEPHANT_SCHEMA", "function B() constructor { ELEPHANT_SCHEMA { v1 : {} } }", 1,
			Unreadable,
			`one.gml:1:34: the file could not be read to its end, this comment has no end: */ is missing; v1 of the schema of "A" cannot be read`},
		{"comment without end in a copy", "function A() constructor { /*", in("v1 : {}"), 1,
			0, ""},
		{"comment without end behind the constructor", "function A() constructor {}\n/*", "", 1,
			NoSchema, `constructor "A" has no ELEPHANT_SCHEMA, and inherits none`},
		{"comment without end in a schema", "function A() constructor { ELEPHANT_SCHEMA {\n v1 : { a : 1 },\n /* v2 : {} } }", "", 2,
			Unreadable,
			`one.gml:3:2: the file could not be read to its end, this comment has no end: */ is missing; v2 of the schema of "A" cannot be read`},
		{"comment without end behind the version", "function A() constructor { ELEPHANT_SCHEMA {\n v1 : { a : 1 },\n /* v2 : {} } }", "", 1,
			0, ""},
		{"comment without end in a version", "function A() constructor { ELEPHANT_SCHEMA {\n v1 : { a : 1,\n /* b : 1 } } }", "", 1,
			Unreadable,
			`one.gml:3:2: the file could not be read to its end, this comment has no end: */ is missing; v1 of the schema of "A" cannot be read`},
		{"schema without end", "function A() constructor { ELEPHANT_SCHEMA {\n v1 : { a : 1 }\n static f = 1\n}", "", 2,
			Unreadable,
			`one.gml:1:44: this { of the schema is not closed; v2 of the schema of "A" cannot be read`},
	} {
		lib, _ := parse("one.gml", test.one, "two.gml", test.two)
		_, err := lib.Schema("A", test.version)
		if test.message == "" {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		var got *SchemaError
		if !errors.As(err, &got) || got.Reason != test.want || got.Error() != test.message {
			t.Errorf("%s: %v\nwant %s", test.name, err, test.message)
		}
	}
}

// TestParseOrder checks that the order of the files does not matter.
func TestParseOrder(t *testing.T) {
	files := map[string]string{
		"child":  "function A() : B() constructor {}",
		"parent": "function B() constructor { ELEPHANT_SCHEMA { v1 : { a : HP, b : T.X, MORE } } }",
		"macros": "#macro HP buffer_u8\n#macro MORE c : buffer_any",
		"enums":  "enum T { X = buffer_s8 }",
	}
	for _, order := range [][]string{
		{"child", "parent", "macros", "enums"}, {"enums", "macros", "parent", "child"}, {"parent", "macros", "child", "enums"},
	} {
		var texts []string
		for _, name := range order {
			texts = append(texts, name, files[name])
		}
		lib, err := parse(texts...)
		if err != nil {
			t.Error(order, err)
		}
		if got := show(lib); got != "v1 a:u8 b:s8 c:any" {
			t.Errorf("%v: %s", order, got)
		}
	}
}

func TestSchemaPlace(t *testing.T) {
	lib, err := parse("x.gml", "function A() : B() constructor {}\nfunction B()\nconstructor {\n ELEPHANT_SCHEMA {\n\n v7 : { a : 1 } } }")
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Schema("A", 7)
	want := &Schema{Members: []Member{{"a", datatype.U8}}, File: "x.gml", Line: 6}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v %v", s, err)
	}
	c, ok := lib.Constructor("A")
	if !ok || c.Parent != "B" || c.HasSchema {
		t.Errorf("%+v", c)
	}
	if c, _ := lib.Constructor("B"); !c.HasSchema {
		t.Errorf("%+v", c)
	}
	if _, ok := lib.Constructor("C"); ok {
		t.Error("C is declared")
	}
	if all := lib.Constructors(); !reflect.DeepEqual(all, []string{"A", "B"}) || lib.Len() != 2 {
		t.Error(all)
	}
}

func TestFindDeclaration(t *testing.T) {
	lib, err := parse("x.gml", "function A() constructor {\n ELEPHANT_SCHEMA {\n v7 : { a : 1 } } }\nfunction B() : Lost() constructor {}\nfunction C() constructor {}")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		constructor string
		version     int
		at          format.Declaration
		known       bool
	}{
		{"A", 7, format.Declaration{File: "x.gml", Line: 3}, true},
		{"A", 6, format.Declaration{}, true},
		{"B", 1, format.Declaration{}, false},
		{"C", 1, format.Declaration{}, true},
		{"D", 1, format.Declaration{}, false},
	} {
		if at, known := lib.Find(c.constructor, c.version); at != c.at || known != c.known {
			t.Errorf("%s v%d: %+v, %v", c.constructor, c.version, at, known)
		}
	}
}
