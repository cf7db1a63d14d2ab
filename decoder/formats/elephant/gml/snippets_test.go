package gml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/formats/elephant/internal/datatype"
)

// parse reads texts together: name, text, name, text …
func parse(texts ...string) (*Library, error) {
	l, p := newLibrary(), problems{}
	for i := 0; i < len(texts); i += 2 {
		l.add(texts[i], []byte(texts[i+1]), &p)
	}
	l.read(&p)
	return l, p.join()
}

// A syntaxError is an error with its place, taken apart.
type syntaxError struct {
	File         string
	Line, Column int
	Message      string
}

// syntaxErrors lists the errors that err joins.
func syntaxErrors(t *testing.T, err error) (found []syntaxError) {
	t.Helper()
	if err == nil {
		return nil
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		part := strings.SplitN(line, ":", 4)
		if len(part) < 4 {
			t.Fatalf("no place: %v", line)
		}
		row, _ := strconv.Atoi(part[1])
		column, _ := strconv.Atoi(part[2])
		found = append(found, syntaxError{part[0], row, column, part[3]})
	}
	return found
}

// show returns versions 1 to 255 of A as text, with the reasons for those that are declared but unusable.
// "others" may be where the file breaks off.
func show(lib *Library) string {
	var all []string
	cut := ""
	c := lib.constructors["A"]
	for n := 1; n < 256; n++ {
		s, err := lib.Schema("A", n)
		var e *SchemaError
		switch {
		case errors.As(err, &e) && e.Reason <= NoVersion:
			continue
		case err != nil && c != nil && c.version(n) == nil && c.cut != nil:
			cut = fmt.Sprintf("; others!%d", e.Reason)
			continue
		case err != nil:
			all = append(all, fmt.Sprintf("v%d!%d", n, e.Reason))
			continue
		}
		text := fmt.Sprintf("v%d", n)
		if s.Verbose {
			text += "*"
		}
		for _, m := range s.Members {
			text += fmt.Sprintf(" %s:%s", m.Name, datatype.Name(m.Type))
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ") + cut
}

// in wraps the body of a schema into constructor A.
func in(schema string) string {
	return "function A() constructor { ELEPHANT_SCHEMA { " + schema + " } }"
}

var snippets = []struct{ name, text, want string }{
	{"comments", "// function A() constructor {\n/// {\n/* } \" */" + in("v1 : { /* x : */ a : buffer_u8, // b : buffer_u8\n }"), "v1 a:u8"},
	{"comment in a string", `x = "/*"; y = "//"; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"comment of stars", "/****/" + in("v1 : { a : buffer_u8 }") + "/***/", "v1 a:u8"},
	{"#region", "#region it's \"here\" { /*\n" + in("v1 : { a : buffer_u8 }") + "\n#endregion } \"", "v1 a:u8"},
	{"#region within a schema", in("\n#region one\nv1 : { a : buffer_u8 }\n#endregion\n"), "v1 a:u8"},
	{"#define", "#define old { it's\n" + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"colour", "c = #FF00aa; d = #12ab34;" + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"escapes", `x = "\"{\\"; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"verbatim", "x = @\"{ \\\"; y = @'{\n\" \\'; " + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"template", `x = $"\{ {f($"{a}}", "}\"", {b:1})} \""; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"template with verbatim", `x = $"{@"\"}"; y = $"{@'"}'}{1}"; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"template over lines", "x = $\"{f(\n1)}\"; " + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"accessor with a string", `x = y[$"{"]; z = f()[$"{"]; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"accessor with a space", `x = y[$ "{"]; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"array of templates", `x = [$"{a}{"b"}"]; return [$"{"}"}"]; ` + in("v1 : { a : buffer_u8 }"), "v1 a:u8"},
	{"begin and end", "function A() constructor begin ELEPHANT_SCHEMA begin v1 : begin a : buffer_u8 end end end", "v1 a:u8"},
	{"numbers", in("v1 : { a : 1, b : $0B, c : 0x0C, d : 0b1101, e : 20_4, f : 205.0, g : (206), h : $cf }"),
		"v1 a:u8 b:string c:u64 d:text e:any f:array g:struct h:undefined"},
	{"numbers of old versions", in("v1 : { a : 14, b : 15, c : 16, d : 17 }"), "v1 a:any b:array c:struct d:undefined"},
	{"numbers that are none", in("v1 : { a : 0 }, v2 : { a : 18 }, v3 : { a : 203 }, v4 : { a : 208 }, v5 : { a : 1.5 }, v6 : { a : -1 }, v7 : { a : $100000000000000CC }"),
		"v1!4; v2!4; v3!4; v4!4; v5!4; v6!4; v7!4"},
	{"all names", in("v1 : { a : buffer_u8, b : buffer_s8, c : buffer_u16, d : buffer_s16, e : buffer_u32, f : buffer_s32, g : buffer_f16, h : buffer_f32, i : buffer_f64, j : buffer_bool, k : buffer_string, l : buffer_u64, m : buffer_text, n : buffer_any, o : buffer_array, p : buffer_struct, q : buffer_undefined }"),
		"v1 a:u8 b:s8 c:u16 d:s16 e:u32 f:s32 g:f16 h:f32 i:f64 j:bool k:string l:u64 m:text n:any o:array p:struct q:undefined"},
	{"parentheses", in("v1 : { a : ((buffer_u8)), b : (E.X) }") + "enum E { X = 2 }", "v1 a:u8 b:s8"},
	{"unknown datatypes", in("v1 : { a : buffer_foo }, v2 : { a : f() }, v3 : { a : global.x }, v4 : { a : \"u8\" }, v5 : { a : [] }, v6 : { a }, v7 : { a : }, v8 : { a : { b : buffer_u8 } }, v9 : { a : buffer_u8 }"),
		"v1!4; v2!4; v3!4; v4!4; v5!4; v6!4; v7!4; v8!4; v9 a:u8"},
	{"missing comma", in("v1 : { a : buffer_u8 b : buffer_u8 }, v2 : { a : buffer_u8 }"), "v1!4; v2 a:u8"},
	{"quoted names", in(`v1 : { "b c" : buffer_u8, @"\" : buffer_s8, "\u0041\x42\103\"" : buffer_u16 }, "v2" : { a : buffer_u8 }`),
		`v1 ABC":u16 \:s8 b c:u8; v2 a:u8`},
	{"order", in("v1 : { _ : 1, a10 : 1, a2 : 1, Z : 1, a : 1, a1 : 1, \"é\" : 1, \"1\" : 1 }"), "v1 1:u8 Z:u8 _:u8 a:u8 a1:u8 a10:u8 a2:u8 é:u8"},
	{"repeated member", in("v1 : { a : buffer_u8, a : 1 }, v2 : { a : buffer_u8, a : buffer_s8 }"), "v1 a:u8; v2!4"},
	{"repeated version", in("v1 : { a : buffer_u8 }, v1 : { a : 1 }, v2 : { a : 1 }, v2 : { b : 1 }"), "v1 a:u8; v2!4"},
	{"trailing commas", in("v1 : { a : buffer_u8, }, v2 : { b : buffer_u8, },"), "v1 a:u8; v2 b:u8"},
	{"no comma between versions", in("v1 : { a : buffer_u8 } v2 : { b : buffer_u8 }"), "v1 a:u8; v2 b:u8"},
	{"empty", in("v1 : {}, v2 : { , }"), "v1; v2"},
	{"version numbers", in("v255 : { a : 1 }, v127 : { b : 1 }"), "v127 b:u8; v255 a:u8"},
	{"version that is no literal", in("v1 : common, v2 : f({ a : 1 }), v3 : { a : 1 }"), "v1!4; v2!4; v3 a:u8"},

	{"static spelling", "function A() constructor { static __Elephant_Schema__ = { v1 : { a : buffer_u8 } }; }", "v1 a:u8"},
	{"both spellings mixed", "function A() constructor { ELEPHANT_SCHEMA = { v1 : { a : buffer_u8 } } }", "v1 a:u8"},
	{"spoken of only", "function A() constructor { x = other.__Elephant_Schema__; y = __Elephant_Schema__ == {v9 : {}}; o.__Elephant_Schema__ = {v8 : {}}; ELEPHANT_SCHEMA { v1 : { a : 1 } } }", "v1 a:u8"},
	{"verbose", in("v1 : { ELEPHANT_VERSION_VERBOSE : true, a : buffer_u8 }, v2 : { a : 1, __Elephant_Version_Verbose__ : true }, v3 : { ELEPHANT_VERSION_VERBOSE true, a : 1 }, v4 : { ELEPHANT_VERSION_VERBOSE : false, a : 1 }, v5 : { \"__Elephant_Version_Verbose__\" : 1, a : 1 }"),
		"v1* a:u8; v2* a:u8; v3* a:u8; v4 a:u8; v5* a:u8"},
	{"verbose at the root", in("ELEPHANT_VERSION_VERBOSE : true, v1 : { a : 1 }"), "v1 a:u8"},

	{"macro for a datatype", "#macro HP buffer_u16\n" + in("v1 : { a : HP, b : (HP) }"), "v1 a:u16 b:u16"},
	{"macro for a name", "#macro KEY \"a\"\n#macro ONE v1\n" + in("ONE : { KEY : buffer_u8 }"), "v1 a:u8"},
	{"macro behind its use", in("v1 : { a : HP }") + "\n#macro HP buffer_u16 // { \n", "v1 a:u16"},
	{"macro for members", "#macro POS x : buffer_f32, \\\n  y : buffer_f32, // { \\\n z : buffer_f64\n" + in("v1 : { a : buffer_u8, POS }"), "v1 a:u8 x:f32 y:f32 z:f64"},
	{"macro for a version", "#macro V v1 : { a : buffer_u8 },\n" + in("V v2 : { b : buffer_u8 }"), "v1 a:u8; v2 b:u8"},
	{"macro for the schema", "#macro SAVED ELEPHANT_SCHEMA\nfunction A() constructor { SAVED { v1 : { a : buffer_u8 } } }", "v1 a:u8"},
	{"macro for a whole schema", "#macro SAVED ELEPHANT_SCHEMA { v1 : { a : buffer_u8 } }\nfunction A() constructor { SAVED }", "v1 a:u8"},
	{"macro for constructor", "#macro class constructor\nfunction A() class { ELEPHANT_SCHEMA { v1 : { a : buffer_u8 } } }", "v1 a:u8"},
	{"macro of macros", "#macro X Y\n#macro Y ( Z )\n#macro Z buffer_u8\n" + in("v1 : { a : X }"), "v1 a:u8"},
	{"macro of itself", "#macro X Y\n#macro Y X\n" + in("v1 : { a : X }, v2 : { a : 1 }"), "v1!4; v2 a:u8"},
	{"macro for one configuration", "#macro Debug:X buffer_u8\n#macro X buffer_u16\n#macro Release:X buffer_u32\n" + in("v1 : { a : X }"), "v1 a:u16"},
	{"macro for configurations that differ", "#macro Debug:X buffer_u8\n#macro Release:X buffer_u32\n" + in("v1 : { a : X }, v2 : { a : 1 }"), "v1!4; v2 a:u8"},
	{"macro defined twice, alike", "#macro X ( 1 ) //one\n#macro X (1)\n" + in("v1 : { a : X }"), "v1 a:u8"},
	{"macro defined twice, once empty", "#macro X\n#macro X b : 1,\n" + in("v1 : { X a : 1 }, v2 : { a : 1, X }, v3 : { a : 1 }"), "v1!4; v2!4; v3 a:u8"},
	{"macro defined twice, not used", "#macro X 1\n#macro X 2\n" + in("v1 : { a : 1 }"), "v1 a:u8"},
	{"macro with braces that do not match", "#macro OPEN {\n#macro CLOSE }\nfunction B() { OPEN } { CLOSE }" + in("v1 : { a : 1 }"), "v1 a:u8"},
	{"Elephant's own macros", "#macro ELEPHANT_SCHEMA static __Elephant_Schema__ =\n#macro buffer_any 14\n#macro buffer_any 204\n#macro ELEPHANT_VERSION_VERBOSE __Elephant_Version_Verbose__\n" + in("v1 : { a : buffer_any, ELEPHANT_VERSION_VERBOSE : true }"), "v1* a:any"},
	{"line ends", "#macro X \\\r\n buffer_u8\r\n#macro Y buffer_s8\r" + in("v1 : { a : X, b : Y }"), "v1 a:u8 b:s8"},

	{"enum", "enum T { A, B, C = buffer_u32, D, E = T.B, F = (U.X), G, }\n" + in("v1 : { b : T.B, d : T.D, e : T.E, f : T.F, g : T.G }") + "enum U { X = 0x0A }", "v1 b:u8 d:s32 e:u8 f:bool g:string"},
	{"enum of 0", "enum T { A }\n" + in("v1 : { a : T.A }"), "v1!4"},
	{"enum by a macro", "#macro N 11\nenum T { A = N }\n" + in("v1 : { a : T.A }"), "v1 a:string"},
	{"enum without end", "enum T { A = T.B, B = T.A, C = 1 + 1 }\n" + in("v1 : { a : T.A }, v2 : { a : T.C }, v3 : { a : T.Z }, v4 : { a : 1 }"), "v1!4; v2!4; v3!4; v4 a:u8"},
	{"enum declared twice", "enum T { A = 1 } enum T { A = 2 } enum U { A = 1 } enum U { A = 1 }" + in("v1 : { a : T.A }, v2 : { a : U.A }"), "v1!4; v2 a:u8"},

	{"defaults", `function A(a = 1, b = {c : ")"}, d = function(e = [1, "}"]) { return (1); }) constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } }`, "v1 a:u8"},
	{"nested functions", "function A() constructor { static f = function() { var g = function() constructor { ELEPHANT_SCHEMA { v9 : { a : 1 } } } return { v2 : {} }; } ELEPHANT_SCHEMA { v1 : { a : 1 } } }", "v1 a:u8"},
	{"schema in a block", "function A() constructor { if (true) { x = 1; { ELEPHANT_SCHEMA { v1 : { a : 1 } } } } }", "v1 a:u8"},
	{"callbacks", "function A() constructor { ELEPHANT_PRE_READ_METHOD { x = 1; } ELEPHANT_SCHEMA { v1 : { a : 1 } } ELEPHANT_POST_READ_METHOD { if (x) { y = 2; } } }", "v1 a:u8"},
	{"inside another function", "function f() { " + in("v1 : { a : 1 }") + " }", "v1 a:u8"},
	{"after other constructors", "function Z() constructor {} function A() : Z() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } } function Y() constructor { ELEPHANT_SCHEMA { v2 : { a : 1 } } }", "v1 a:u8"},
	{"without a name", "global.A = function() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } }; A = function() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } };", ""},
	{"no constructor", "function A() { ELEPHANT_SCHEMA { v1 : { a : 1 } } }", ""},
	{"byte order mark", "\ufeff" + in("v1 : { a : 1 }"), "v1 a:u8"},
	{"globalvar", "globalvar foo; enum Bar {} " + in("v1 : { a : 1 }"), "v1 a:u8"},

	{"inherited", "function A() : B() constructor {} function B(x) : C(x, {y : 1}) constructor {} function C() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } }", "v1 a:u8"},
	{"replaced", "function A() : B() constructor { ELEPHANT_SCHEMA { v2 : { b : 1 } } } function B() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } }", "v2 b:u8"},
	{"replaced by none", "function A() : B() constructor { ELEPHANT_SCHEMA {} } function B() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 } } }", ""},
	{"circle", "function A() : B() constructor {} function B() : A() constructor {}", ""},
	{"copy", in("v1 : { a : 1, b : 2 }") + in("v1 : { b : buffer_s8, a : buffer_u8 }"), "v1 a:u8 b:s8"},
	{"contradiction", in("v1 : { a : 1 }, v2 : { b : 1 }") + in("v1 : { a : 2 }, v2 : { b : 1 }, v3 : { c : 1 }"), "v1!4; v2 b:u8; v3 c:u8"},
	{"contradicting ancestors", "function A() : B() constructor {} function A() : C() constructor {} function B() constructor { ELEPHANT_SCHEMA { v1 : { a : 1 }, v2 : {} } } function C() constructor { ELEPHANT_SCHEMA { v1 : { b : 1 }, v2 : {} } }", "; others!4"},
	{"a copy that has no schema yet", "function A() constructor {}" + in("v1 : { a : 1 }"), "v1 a:u8"},
	{"two schemas", "function A() constructor { ELEPHANT_SCHEMA { v1 : {}, v2 : { a : 1 } } ELEPHANT_SCHEMA { v1 : {}, v2 : { a : 2 } } }", "v1; v2!4"},
}

func TestSnippets(t *testing.T) {
	for _, test := range snippets {
		lib, err := parse("a.gml", test.text)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := show(lib); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

// damaged texts, their errors as line:column and a word of the message, and what is still read.
var damaged = []struct {
	name, text string
	errors     []string
	want       string
}{
	{"version keys", in("\nv0 : { a : 1 },\nv01 : {},\nv256 : {}, V2 : {},\n\tv1.5 : {}, foo : 1, v-1 : {}, \"é\", v : {}, v+1 : {}, 5 : {}, v3 : { b : 1 }\n"),
		[]string{"2:1 v0", "3:1 v01", "4:1 v256", "4:12 V2", "5:2 v1", "5:13 foo", "5:22 v", "5:32 é", "5:37 v", "5:45 v", "5:55 version"}, "v3 b:u8"},
	{"semicolon", in("v1 : {}; v2 : { a : 1 }, [ v3 : {} ], v4 : {}"), []string{"1:53 expected", "1:71 expected"}, "v1; v2 a:u8; v4"},
	{"parent without a name", "function A() : constructor { ELEPHANT_SCHEMA { v1 : {} } }", nil, "v1"},
	{"column in characters", "/* äöü */ x = \"äö\"; }" + in("v1 : {}"), []string{"1:21 has no matching"}, "v1"},
	{"string", "x = \"abc\ny = 1\n" + in("v1 : {}"), []string{"1:5 string"}, "v1"},
	{"verbatim string", in("v1 : {}") + "\n x = @'abc\ny", []string{"2:6 string"}, "v1"},
	{"template", "x = $\"{abc\n" + in("v1 : {}"), []string{"1:5 string"}, "v1"},
	{"comment", in("v1 : {}") + "\r\n  /* abc", []string{"2:3 comment"}, "v1"},
	{"brace", "function B() {\n if (x) {\n}\n" + in("v1 : {}"), []string{"1:14 never closed"}, "v1"},
	{"brace too many", "}\n" + in("v1 : {}") + "\n }", []string{"1:1 has no matching", "3:2 has no matching"}, "v1"},
	{"parenthesis", "function B(\n" + in("v1 : {}") + "function C() {}", []string{"1:11 never closed"}, ""},
	{"schema without end", "function A() constructor {\n ELEPHANT_SCHEMA {\n v1 : { a : 1 },\n v2 : { b : 1\n\nstatic f = function() {} }\n function B() constructor {}", []string{"2:18 not closed", "1:26 never closed"}, "v1 a:u8; v2!4; others!4"},
	{"version without end", "function A() constructor { ELEPHANT_SCHEMA {\n v1 : { a : 1, static f = function() {} }", []string{"1:44 not closed"}, "v1!4; others!4"},
	{"members", in("v1 : { a : 1, 5 : 1 }, v2 : { [1] : 2 }, v3 : { a : 1 ) }, v4 : { { }, a : 1 }, v5 : { a : 1 }"), nil, "v1!4; v2!4; v3!4; v4!4; v5 a:u8"},
	{"no literal", "function B() constructor {\nELEPHANT_SCHEMA f(); }" + in("v1 : {}"), []string{"2:1 written out"}, "v1"},
	{"copy that is not written out", "function A() constructor { static __Elephant_Schema__ = f(); }" + in("v1 : {}"), []string{"1:35 written out"}, "v1!4; others!4"},
	{"outside", "ELEPHANT_SCHEMA { v1 : {} }", []string{"1:1 outside a constructor"}, ""},
	{"force", in("ELEPHANT_FORCE_VERSION : f(), v1 : {}"), []string{"1:71 number"}, "v1"},
	{"exclude", in("ELEPHANT_VERBOSE_EXCLUDE : x, v1 : {}, ELEPHANT_VERBOSE_EXCLUDE : [\"a\", 5, b]"), nil, "v1"},
	{"macro without name", "#macro 5 6\n#macro\n" + in("v1 : {}"), []string{"1:8 name", "2:7 name"}, "v1"},
	{"macro with a string", "#macro X \"abc\n" + in("v1 : {}"), []string{"1:10 string"}, "v1"},
	{"old spelling quoted", in(`"ELEPHANT_FORCE_VERSION" : 1, v1 : {}`), []string{"1:46 not a version"}, "v1"},
}

func TestDamaged(t *testing.T) {
	for _, test := range damaged {
		lib, err := parse("a.gml", test.text)
		all := syntaxErrors(t, err)
		ok := len(all) == len(test.errors)
		for i := 0; ok && i < len(all); i++ {
			at, word, _ := strings.Cut(test.errors[i], " ")
			ok = all[i].File == "a.gml" && fmt.Sprintf("%d:%d", all[i].Line, all[i].Column) == at && strings.Contains(all[i].Message, word)
		}
		if !ok {
			t.Errorf("%s: %v\nwant %q", test.name, all, test.errors)
		}
		if got := show(lib); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestForcedVersion(t *testing.T) {
	for schema, force := range map[string]int{ // -1 if there is none
		"v1 : {}":                                           -1,
		"ELEPHANT_FORCE_VERSION : 2,":                       2,
		"ELEPHANT_FORCE_VERSION 0":                          0,
		"__Elephant_Force_Version__ : (NOW)":                3,
		`"__Elephant_Force_Version__" : E.LATEST`:           7,
		"FORCE, v1 : {}":                                    9,
		`ELEPHANT_VERBOSE_EXCLUDE : ["a", ("b"),], v1 : {}`: -1,
		`ELEPHANT_VERBOSE_EXCLUDE ["x"] v1 : {}`:            -1,
	} {
		lib, err := parse("a.gml", "#macro NOW 3\n#macro FORCE ELEPHANT_FORCE_VERSION : 9\nenum E { LATEST = 7 }\n"+in(schema))
		c, ok := lib.Constructor("A")
		if err != nil || !ok || c.Forced != (force >= 0) || c.Forced && c.ForceVersion != force {
			t.Errorf("%s: %+v %v", schema, c, err)
		}
	}
}
