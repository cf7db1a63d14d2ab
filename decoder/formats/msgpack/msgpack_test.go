package msgpack_test

import (
	"fmt"
	"strings"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/msgpack"
)

// open reads bytes as MessagePack.
func open(t testing.TB, b []byte) *tree.Tree { return simpletest.Open(t, msgpack.Family, b) }

// suite is what MessagePack is tested with.
func suite() *simpletest.Suite {
	s := simpletest.Suite{Family: msgpack.Family, Edits: edits, Random: random, Peer: peerJSON}
	for _, c := range types {
		x := simpletest.Sample{Hex: c.hex, Type: c.typeName, Literal: c.literal, JSON: c.json, Fields: c.fields}
		if x.JSON == "" {
			x.JSON = c.literal
		}
		s.Samples = append(s.Samples, x)
	}
	for _, c := range damaged {
		s.Samples = append(s.Samples, simpletest.Sample{Hex: c.hex, Literal: c.literal, JSON: c.json, Problems: c.problems})
	}
	return &s
}

func TestSuite(t *testing.T) { suite().Run(t) }

func FuzzTile(f *testing.F) { suite().Fuzz(f) }

// TestAllFirstBytes holds that the table has every first byte but the one that is never
// used; of ranges it has both ends.
func TestAllFirstBytes(t *testing.T) {
	var seen [256]bool
	for _, c := range types {
		seen[simpletest.Hex(t, c.hex)[0]] = true
	}
	for _, ends := range [][2]int{{0x00, 0x7f}, {0x80, 0x8f}, {0x90, 0x9f}, {0xa0, 0xbf}, {0xe0, 0xff}} {
		if !seen[ends[0]] || !seen[ends[1]] {
			t.Errorf("an end of %#x–%#x is missing", ends[0], ends[1])
		}
	}
	for b := 0xc0; b < 0xe0; b++ {
		if seen[b] == (b == 0xc1) {
			t.Errorf("%#x: %v", b, seen[b])
		}
	}
}

func zeros(n int) string { return strings.Repeat("00", n) }

// types are one value of every type of the specification, and the values at the ends of its ranges. Where
// the JSON is "", it is the literal.
var types = []struct{ hex, typeName, literal, json, fields string }{
	{"00", "int", "0", "", "$ value value=0"},
	{"7f", "int", "127", "", "$ value value=127"},
	{"e0", "int", "-32", "", "$ value value=-32"},
	{"ff", "int", "-1", "", "$ value value=-1"},
	{"c0", "nil", "null", "", "$ type type=nil"},
	{"c2", "bool", "false", "", "$ value value=false"},
	{"c3", "bool", "true", "", "$ value value=true"},
	{"cc ff", "int", "255", "", "$ type type=uint 8; $ value value=255"},
	{"cd ffff", "int", "65535", "", "$ type type=uint 16; $ value value=65535"},
	{"ce ffffffff", "int", "4294967295", "", "$ type type=uint 32; $ value value=4294967295"},
	{"cf ffffffffffffffff", "int", "18446744073709551615", "", "$ type type=uint 64; $ value value=18446744073709551615"},
	{"d0 80", "int", "-128", "", "$ type type=int 8; $ value value=-128"},
	{"d1 8000", "int", "-32768", "", "$ type type=int 16; $ value value=-32768"},
	{"d2 80000000", "int", "-2147483648", "", "$ type type=int 32; $ value value=-2147483648"},
	{"d3 8000000000000000", "int", "-9223372036854775808", "", "$ type type=int 64; $ value value=-9223372036854775808"},
	{"d3 0020000000000001", "int", "9007199254740993", "", "$ type type=int 64; $ value value=9007199254740993"},
	{"ca 3fc00000", "float", "1.5", "", "$ type type=float 32; $ value value=1.5"},
	{"ca 3dcccccd", "float", "0.1", "", "$ type type=float 32; $ value value=0.1"},
	{"ca 7fc00000", "float", "nan", `"nan"`, "$ type type=float 32; $ value value=nan"},
	{"ca ff800000", "float", "-inf", `"-inf"`, "$ type type=float 32; $ value value=-inf"},
	{"cb 3fb999999999999a", "float", "0.1", "", "$ type type=float 64; $ value value=0.1"},
	{"cb 4000000000000000", "float", "2.0", "", "$ type type=float 64; $ value value=2.0"},
	{"cb 8000000000000000", "float", "-0.0", "", "$ type type=float 64; $ value value=-0.0"},
	{"cb 7ff0000000000000", "float", "inf", `"inf"`, "$ type type=float 64; $ value value=inf"},
	{"cb 7fefffffffffffff", "float", "1.7976931348623157e+308", "", "$ type type=float 64; $ value value=1.7976931348623157e+308"},
	{"a0", "str", `""`, "", "$ length type and length=0"},
	{"a3 61c3a9", "str", `"aé"`, "", "$ length type and length=3; $ text text=aé"},
	{"bf" + strings.Repeat("61", 31), "str", `"` + strings.Repeat("a", 31) + `"`, "", "$ length type and length=31; $ text text=" + strings.Repeat("a", 31)},
	{"d9 01 61", "str", `"a"`, "", "$ type type=str 8; $ length length=1; $ text text=a"},
	{"da 0002 6162", "str", `"ab"`, "", "$ type type=str 16; $ length length=2; $ text text=ab"},
	{"db 00000003 1b0a22", "str", `"\u001b\n\""`, "", `$ type type=str 32; $ length length=3; $ text text=\u001b\n"`},
	{"c4 02 00ff", "bin", "bin(00ff)", `{"type":"bin","hex":"00ff"}`, "$ type type=bin 8; $ length length=2; $ data data=00ff"},
	{"c5 0001 7f", "bin", "bin(7f)", `{"type":"bin","hex":"7f"}`, "$ type type=bin 16; $ length length=1; $ data data=7f"},
	{"c6 00000000", "bin", "bin()", `{"type":"bin","hex":""}`, "$ type type=bin 32; $ length length=0"},
	{"c7 03 05 010203", "ext", "ext(5, 010203)", `{"type":"ext","code":5,"hex":"010203"}`,
		"$ type type=ext 8; $ length length=3; $ type ext type=5; $ data data=010203"},
	{"c7 00 80", "ext", "ext(-128, )", `{"type":"ext","code":-128,"hex":""}`, "$ type type=ext 8; $ length length=0; $ type ext type=-128"},
	{"c8 0001 7f ff", "ext", "ext(127, ff)", `{"type":"ext","code":127,"hex":"ff"}`,
		"$ type type=ext 16; $ length length=1; $ type ext type=127; $ data data=ff"},
	{"c9 00000001 00 ff", "ext", "ext(0, ff)", `{"type":"ext","code":0,"hex":"ff"}`,
		"$ type type=ext 32; $ length length=1; $ type ext type=0; $ data data=ff"},
	{"d4 05 00", "ext", "ext(5, 00)", `{"type":"ext","code":5,"hex":"00"}`, "$ type type=fixext 1; $ type ext type=5; $ data data=00"},
	{"d5 ff 0001", "ext", "ext(-1, 0001)", `{"type":"ext","code":-1,"hex":"0001"}`, "$ type type=fixext 2; $ type ext type=-1; $ data data=0001"},
	{"d6 05 00010203", "ext", "ext(5, 00010203)", `{"type":"ext","code":5,"hex":"00010203"}`,
		"$ type type=fixext 4; $ type ext type=5; $ data data=00010203"},
	{"d7 05 0001020304050607", "ext", "ext(5, 0001020304050607)", `{"type":"ext","code":5,"hex":"0001020304050607"}`,
		"$ type type=fixext 8; $ type ext type=5; $ data data=0001020304050607"},
	{"d8 05" + zeros(16), "ext", "ext(5, " + zeros(16) + ")", `{"type":"ext","code":5,"hex":"` + zeros(16) + `"}`,
		"$ type type=fixext 16; $ type ext type=5; $ data data=" + zeros(16)},
	{"d6 ff 5e0be100", "timestamp", "timestamp(2020-01-01T00:00:00Z)", `{"type":"ext","code":-1,"hex":"5e0be100","text":"2020-01-01T00:00:00Z"}`,
		"$ type type=fixext 4; $ type ext type=-1; $ value seconds=1577836800"},
	{"d7 ff 77359400 5e0be100", "timestamp", "timestamp(2020-01-01T00:00:00.5Z)", `{"type":"ext","code":-1,"hex":"773594005e0be100","text":"2020-01-01T00:00:00.5Z"}`,
		"$ type type=fixext 8; $ type ext type=-1; $ value nanoseconds and seconds=8589934593577836800"},
	{"c7 0c ff 00000001 ffffffffffffffff", "timestamp", "timestamp(1969-12-31T23:59:59.000000001Z)",
		`{"type":"ext","code":-1,"hex":"00000001ffffffffffffffff","text":"1969-12-31T23:59:59.000000001Z"}`,
		"$ type type=ext 8; $ length length=12; $ type ext type=-1; $ value nanoseconds=1; $ value seconds=-1"},
	{"c7 0c ff 00000000 7fffffffffffffff", "timestamp", "ext(-1, 000000007fffffffffffffff)", `{"type":"ext","code":-1,"hex":"000000007fffffffffffffff"}`,
		"$ type type=ext 8; $ length length=12; $ type ext type=-1; $ value nanoseconds=0; $ value seconds=9223372036854775807"},
	{"d7 ff ee6b2800 00000000", "timestamp", "ext(-1, ee6b280000000000)", `{"type":"ext","code":-1,"hex":"ee6b280000000000"}`, // 10⁹ nanoseconds
		"$ type type=fixext 8; $ type ext type=-1; $ value nanoseconds and seconds=17179869184000000000"},
	{"90", "array", "[]", "", "$ length type and count=0"},
	{"92 01 a161", "array", `[1, "a"]`, `[1,"a"]`, "$ length type and count=2; $[0] value value=1; $[1] length type and length=1; $[1] text text=a"},
	{"9f" + zeros(15), "array", "[0" + strings.Repeat(", 0", 14) + "]", "[0" + strings.Repeat(",0", 14) + "]",
		"$ length type and count=15" + numbered(15, "; $[%d] value value=0")},
	{"dc 0001 90", "array", "[[]]", "", "$ type type=array 16; $ length count=1; $[0] length type and count=0"},
	{"dd 00000001 c0", "array", "[null]", "", "$ type type=array 32; $ length count=1; $[0] type type=nil"},
	{"80", "map", "{}", "", "$ length type and count=0"},
	{"81 a16b 01", "map", `{"k": 1}`, `{"k":1}`, "$ length type and count=1; $.k@key length type and length=1; $.k@key text text=k; $.k value value=1"},
	{"8f" + pairs(15), "map", "{0: 0" + numbered(14, ", %[2]d: 0") + "}", `{"type":"map","args":[0,0` + numbered(14, ",%[2]d,0") + "]}",
		"$ length type and count=15" + numbered(15, "; $[%[1]d]@key value value=%[1]d; $[%[1]d] value value=0")},
	{"de 0001 01 02", "map", "{1: 2}", `{"type":"map","args":[1,2]}`, "$ type type=map 16; $ length count=1; $[1]@key value value=1; $[1] value value=2"},
	{"df 00000001 a0 c2", "map", `{"": false}`, `{"":false}`,
		`$ type type=map 32; $ length count=1; $[""]@key length type and length=0; $[""] value value=false`},
}

// numbered repeats a text with %[1]d as the number, from 0, and %[2]d as the next one.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(text, "%[") {
			b.WriteString(strings.NewReplacer("%[1]d", fmt.Sprint(i), "%[2]d", fmt.Sprint(i+1)).Replace(text))
		} else {
			fmt.Fprintf(&b, text, i)
		}
	}
	return b.String()
}

// pairs returns n pairs of a number, from 0, and 0.
func pairs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%02x00", i)
	}
	return b.String()
}
