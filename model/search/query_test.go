package search

import (
	"reflect"
	"strings"
	"testing"
)

// parseTests are queries, and what they are with single blanks and no needless signs.
var parseTests = []struct{ typed, want string }{
	{"gold", "gold"},
	{"  gold \t coin ", "gold coin"},
	{`"iron sword"`, `"iron sword"`},
	{`"a \"b\" \\ \n"`, `"a \"b\" \\ \\n"`},
	{"a|b | c", "a | b | c"},
	{"a b|c d", "a b | c d"},
	{"(a | b) c", "(a | b) c"},
	{"((a b)) c", "a b c"},
	{"-a -(b c) -(d | e)", "-a -(b c) -(d | e)"},
	{"--a", "--a"},
	{"-5 -inf -0x1f -", "-5 -inf -0x1f -"},
	{"-(5) -=5", "-(5) -=5"},
	{"x:1B  00 ?? ff gold", "x:1B 00 ?? ff gold"},
	{`x:1b "ad"`, `x:1b "ad"`},
	{"(x:1b) ad", "(x:1b) ad"},
	{"-(x:1b) 5", "(-x:1b) 5"},
	{"/root/Player", "/root/Player"},
	{"/iron (sword|axe)/ key:/^a\\/b$/", "/iron (sword|axe)/ key:/^a\\/b$/"},
	{"f(x) | (g)", "f(x) | g"},
	{">100 <=-5 >=0x1f =1.5", ">100 <=-5 >=0x1f =1.5"},
	{`key:hp value:"a b" type:Packed* path:$[0].a has:problem`, `key:hp value:"a b" type:Packed* path:$[0].a has:problem`},
	{"= 5 hp>=1&&hp < 0x20 || !(a==\"b c\")", `=5 key:hp >=1 key:hp <0x20 | -(key:a value:="b c")`},
	{`name~"^Mi" alive=true x!=null !=5 -!=5 a=+b "a=b" "!x" !x a&&b`, `key:name value:~"^Mi" key:alive value:=true key:x value:!=null !=5 -!=5 a=+b "a=b" "!x" -x a&&b`},
	{"= 0 5=3 true=1", "=0 key:5 =3 key:true =1"},
	{"res://icon.png", "res://icon.png"},
	{"http://x 12:30 Player:name a/b:c ::1 a.b:c :x", "http://x 12:30 Player:name a/b:c ::1 a.b:c :x"}, // texts
	{`"foo:1" key:foo:1 value:foo:1`, `"foo:1" key:foo:1 value:foo:1`},
	{"type:Vektor* type:Array[Vektor3] type:PlayerState type:pool*", "type:Vektor* type:Array[Vektor3] type:PlayerState type:pool*"},
}

func TestParse(t *testing.T) {
	for _, test := range parseTests {
		q, err := ParseQuery(test.typed)
		if err != nil || q.String() != test.want {
			t.Errorf("%q: %q, %v; want %q", test.typed, q, err, test.want)
		}
	}
}

// wrongQueries have what is said about them.
var wrongQueries = []struct{ typed, want string }{
	{"", "nothing to look for"},
	{" \t", "nothing to look for"},
	{"a |", `at character 4: something to look for is missing here; to look for the sign | itself, write it in quotes: "|"`},
	{"| a", `at character 1: something to look for is missing here; to look for the sign | itself, write it in quotes: "|"`},
	{"a (b", `at character 3: this "(" has no ")"; to look for it, write it in quotes: "("`},
	{"ä b)", `at character 4: a ")" has no "(" here; a text with blanks or signs is written in quotes, as in "(1, 2)"`},
	{"Vector2(1, 2)", `at character 1: a "(" has no ")" here; a text with blanks or signs is written in quotes, as in "(1, 2)"`},
	{`hp "iron`, `at character 4: this text has no " at its end; a quote in a text is written \"`},
	{`""`, "at character 1: there is no text between these quotes"},
	{`"a"b`, `at character 4: a blank is missing after the text in quotes; a quote in a text is written \"`},
	{"hp >a", "at character 4: > needs a number, as in >100; to look for it as text, write it in quotes"},
	{"hp =", "at character 4: = needs a number, a text in quotes, true, false or null, as in =100; to look for it as text, write it in quotes"},
	{"hp>$least", "at character 3: $least is not given: --arg NAME=VALUE gives it"},
	{"hp a!=say", `at character 4: a text is compared in quotes: did you mean a!="say"? to look for it as text, write it in quotes: "a!=say"`},
	{"a && ", `at character 6: something to look for is missing here; to look for the sign & itself, write it in quotes: "&"`},
	{">nan", "at character 1: > needs a number, as in >100; to look for it as text, write it in quotes"},
	{"x:1", "at character 1: x: needs pairs of hex digits, with ?? for any byte, as in x:1b 00 ?? ff"},
	{"x:1b ?0", "at character 1: x: needs pairs of hex digits, with ?? for any byte, as in x:1b 00 ?? ff"},
	{"x:????", "at character 1: x: needs a byte that is not ??, as in x:1b ?? ff"},
	{"key: gold", "at character 1: key: needs a text or number, as in key:gold"},
	{"type:", "at character 1: type: needs the name of a type, as in type:Vector3 or type:Packed*"},
	{"path:|", "at character 1: path: needs a path, as in path:*.hp"},
	{"has:gold", `at character 1: has: knows only "problem", as in has:problem`},
	{"foo:1", `at character 1: foo: is not a prefix here; there are key:, value:, type:, path:, x:, has:; to look for it as text, write it in quotes: "foo:1"`},
	{"gold:", `at character 1: gold: is not a prefix here; there are key:, value:, type:, path:, x:, has:; to look for it as text, write it in quotes: "gold:"`},
	{"hp | tpye:int", `at character 6: tpye: is not a prefix here; did you mean type:? to look for it as text, write it in quotes: "tpye:int"`},
	{"-Key:gold", `at character 2: Key: is not a prefix here; did you mean key:? to look for it as text, write it in quotes: "Key:gold"`},
	{"type:Vektor3", "at character 1: there is no type Vektor3; did you mean Vector3?"},
	{"type:strng", "at character 1: there is no type strng; did you mean String?"},
	{"/a(b/", "at character 1: missing closing ): `a(b`; a text that begins with a slash is written in quotes"},
	{strings.Repeat("(", 60), "at character 51: parentheses and signs are nested more than 50 deep"},
}

func TestParseWrong(t *testing.T) {
	for _, test := range wrongQueries {
		if q, err := ParseQuery(test.typed); err == nil || err.Error() != test.want {
			t.Errorf("%q: %q, %v; want %s", test.typed, q, err, test.want)
		}
	}
}

// FuzzParse holds that any text is a query or an error, and that a query that is written out
// is the same query.
func FuzzParse(f *testing.F) {
	for _, test := range parseTests {
		f.Add(test.typed)
	}
	for _, test := range wrongQueries {
		f.Add(test.typed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ParseQuery(s)
		if err != nil {
			return
		}
		again, err := ParseQuery(q.String())
		if err != nil || !reflect.DeepEqual(q.expr, again.expr) {
			t.Errorf("%q is %q, which is %q: %v", s, q, again, err)
		}
	})
}

func TestGlob(t *testing.T) {
	for _, test := range []struct {
		glob, text string
		want       bool
	}{
		{"*.hp", "$[0].hp", true},
		{"*.hp", "$[0].hpmax", false},
		{"*.hp", "$.HP", true},
		{"*.HP", "$.hp", false},
		{"$[0].*", "$[0].a.b", true},
		{"$[0]", "$0", false},
		{"a?c", "aäc", true},
		{"a?c", "ac", false},
		{"*a*b*", "xxaxxbxx", true},
		{"*ab", "aab", true},
		{"*ab*ab", "ab", false},
		{"*", "", true},
		{"?", "", false},
		{"**", "a", true},
		{"Ä*", "äx", false},
		{"ä*", "Äx", true},
	} {
		if newGlob(test.glob).matches([]byte(test.text)) != test.want {
			t.Errorf("%s on %s: %v", test.glob, test.text, !test.want)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		typed string
		in    []byte
		want  int
	}{
		{"1b00", []byte{0, 0x1b, 0x1b, 0, 9}, 2},
		{"1b ?? 00", []byte{0x1b, 1, 1, 0x1b, 2, 0}, 3},
		{"?? 01", []byte{1, 1}, 0},
		{"?? 01", []byte{1, 2}, -1},
		{"01 ??", []byte{0, 1}, -1},
		{"?? ?? 05 ?? 06 07", []byte{5, 5, 4, 5, 6, 7, 8}, -1},
		{"?? ?? 05 ?? 06 07", []byte{5, 5, 4, 5, 6, 7, 9, 5, 9, 6, 7, 1}, 5},
		{"?? ?? 05 ?? 06 07", []byte{9, 1, 2, 5, 9, 6, 7}, 1},
	} {
		p, err := parsePattern(test.typed)
		if err != nil || p.index(test.in) != test.want {
			t.Errorf("%s: %v, %v", test.typed, p, err)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, test := range []struct {
		query, holds, not string
	}{
		{">100", "101 100.5 1e3 inf 18446744073709551615", "100 100.0 99 nan true -5"},
		{">=9007199254740993", "9007199254740993 9007199254740994", "9007199254740992 9007199254740992.0"},
		{"<=5", "5 5.0 -inf -3", "5.000001 6 nan x"},
		{"<9223372036854775807", "9223372036854775806 0.5", "9223372036854775807 9223372036854775808.0 1e19"},
		{"=0x1f", "31 31.0", "0x1f 32"},
		{"=-0.5", "-0.5", "0.5 0"},
		{"5.0", "5 5.0", "5.5"},
	} {
		q, err := ParseQuery(test.query)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range strings.Fields(test.holds) {
			if !q.sole.matchesField([]byte(s)) {
				t.Errorf("%s does not hold for %s", test.query, s)
			}
		}
		for _, s := range strings.Fields(test.not) {
			if q.sole.matchesField([]byte(s)) {
				t.Errorf("%s holds for %s", test.query, s)
			}
		}
	}
}
