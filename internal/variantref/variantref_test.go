package variantref

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// encode returns the bytes of a notation: hex digits, u:NUMBER for a u32, f:NUMBER
// for a float of 32 bits, "text" for its bytes, each followed by blanks.
func encode(t testing.TB, source string) (data []byte) {
	t.Helper()
	for _, part := range strings.Fields(source) {
		kind, digits, _ := strings.Cut(part, ":")
		switch {
		case kind == "u":
			n, err := strconv.ParseUint(digits, 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			data = binary.LittleEndian.AppendUint32(data, uint32(n))
		case kind == "f":
			x, err := strconv.ParseFloat(digits, 32)
			if err != nil {
				t.Fatal(err)
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		case part[0] == '"':
			data = append(data, strings.Trim(part, `"`)...)
		default:
			b, err := hex.DecodeString(part)
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, b...)
		}
	}
	return data
}

// TestDamage compares the results for damaged input with the table "What engines do
// with damaged input" in the description of the formats.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		about   string
		source  string
		godot3  string // value or error
		godot4  string // the same; "" for as godot3, with the type ids of Godot 3
		oddity3 string
	}{
		{"cut header", `02 00 00`, "ERR_INVALID_DATA", "", ""},
		{"cut int", `u:2 00 00`, "ERR_INVALID_DATA", "", ""},
		{"cut string", `u:4 u:4 "abc"`, "ERR_FILE_EOF", "", ""},
		{"missing padding after a string", `u:4 u:3 "abc"`, "ERR_FILE_EOF", "", ""},
		{"unknown type", `u:77`, "ERR_INVALID_DATA", "", ""},
		{"high bits of a type", `0201 0000 u:5`, "int 5", "", "high bits of a type"},
		{"unknown flags", `0200 0800 u:5`, "int 5", "", "unknown flags"},
		{"wide", `0200 0100 u:5 u:0`, "int 5", "", ""},
		{"negative", `u:2 ffffffff`, "int -1", "", ""},
		{"bool of 7", `u:1 u:7`, "true", "", "a bool of 7"},
		{"string of 2^31 bytes", `u:4 u:2147483648`, "ERR_FILE_EOF", "", ""},
		{"padding that is not zero", `u:4 u:2 "ab" ff 00`, `String "ab"`, "", "padding that is not zero"},
		{"bytes after the value", `u:0 u:0`, "null", "", "bytes after the value"},
		{"a NUL", `u:4 u:4 "ab" 00 63`, `String "ab"`, "", "a NUL in a text"},
		{"bytes after a NUL are ignored", `u:4 u:4 "a" 00 ff ff`, `String "a"`, "", "a NUL in a text"},
		{"a byte order mark", `u:4 u:4 efbbbf 61`, `String "a"`, "", "a byte order mark"},
		{"no UTF-8", `u:4 u:4 "ab" ff 63`, "ERR_INVALID_DATA", "", "a code point that is none"},
		{"an overlong form", `u:4 u:2 c080 0000`, "ERR_INVALID_DATA", "", "a code point that is none"},
		{"a surrogate", `u:4 u:3 eda080 00`, `String "\xed\xa0\x80"`, "ERR_INVALID_DATA", "a code point that is none"},
		{"past 10FFFF", `u:4 u:4 f4908080`, `String "\xf4\x90\x80\x80"`, "ERR_INVALID_DATA", "a code point that is none"},
		{"cut inside a code point", `u:4 u:2 e282 0000`, "ERR_INVALID_DATA", "", "a code point that is none"},
	} {
		for _, dialect := range []string{"godot3", "godot4"} {
			want := c.godot3
			if dialect == "godot4" && c.godot4 != "" {
				want = c.godot4
			}
			r, err := Read(encode(t, c.source), Options{Dialect: dialect})
			if err != nil || len(r.Frames) != 1 {
				t.Fatal(c.about, err)
			}
			if got := r.Frames[0].Value + r.Frames[0].Err; got != want {
				t.Errorf("%s, %s: %s, want %s", c.about, dialect, got, want)
			}
			if dialect == "godot3" && r.Oddness != c.oddity3 {
				t.Errorf("%s: odd: %q, want %q", c.about, r.Oddness, c.oddity3)
			}
		}
	}
}

// TestContainers checks how each engine reads containers.
func TestContainers(t *testing.T) {
	for _, c := range []struct {
		dialect, source, want, odd string
	}{
		{"godot3", `u:19 u:2 u:2 u:7 u:0`, "Array[int 7, null]", ""},
		{"godot3", `u:19 u:2147483649 u:2 u:7`, "Array[int 7]", "a shared bit"},
		{"godot3", `u:19 u:2 u:2 u:7`, "ERR_INVALID_DATA", ""},
		{"godot3", `u:18 u:2 u:2 u:1 u:2 u:5 u:2 u:1 u:2 u:6`, "Dictionary[int 1: int 6]", "a repeated key"},
		{"godot3", `u:20 u:4294967295`, "ERR_INVALID_DATA", ""},
		{"godot3", `u:21 u:2 u:1`, "ERR_INVALID_DATA", ""},
		{"godot3", `u:23 u:4294967295`, "PoolStringArray[]", "a negative count"},
		{"godot3", `u:23 u:2 u:4 "abc" 00 u:3 "abc" 00`, `PoolStringArray["abc", "abc"]`, "a text without its NUL"},
		{"godot3", `u:20 u:3 010203`, "PoolByteArray[1, 2, 3]", "missing padding"},
		{"godot3", `u:19 u:2 u:20 u:3 010203 u:0`, "ERR_INVALID_DATA", ""},
		{"godot3", `u:15 u:2147483649 u:0 u:1 u:1 "a" ffffff`, `NodePath true["a"][]`, ""},
		{"godot3", `u:15 u:2147483648 u:0 u:2 u:1 "a" 000000`, `NodePath false[]["a"]`, "obsolete flag of a NodePath"},
		{"godot3", `u:15 u:3 "abc" 00`, "ERR_INVALID_DATA", ""},
		{"godot3", `u:17 u:4 "Node" u:0`, "ERR_UNAUTHORIZED", ""},
		{"godot3", `1100 0100 u:5 u:0`, "Object 5", ""},
		{"godot3", `u:12 f:1 f:4 f:7 f:2 f:5 f:8 f:3 f:6 f:9`,
			"Basis[3f800000, 40000000, 40400000, 40800000, 40a00000, 40c00000, 40e00000, 41000000, 41100000]", ""},
		{"godot4", `1c00 0100 u:2 u:3 u:2 u:1 u:4 u:1 "a" 000000 u:3 f:2`, "Array<int>[int 1, int of float 4000000000000000]", "an element of another type"},
		{"godot4", `1c00 0100 u:77 u:0`, "ERR_INVALID_DATA", ""},
		{"godot4", `1b00 0500 u:4 u:2 u:1 u:2 u:1 u:2 u:1`, "Dictionary<String><int>[]", "an entry of another type"},
		{"godot4", `1b00 0500 u:4 u:2 u:1 u:4 u:0 u:4 u:0`, `Dictionary<String><int>[String "": String ""]`, "an entry of another type"},
		{"godot4", `u:27 u:2 u:4 u:1 "a" 000000 u:0 u:21 u:1 "a" 000000 u:2 u:1`, `Dictionary[String "a": int 1]`, "a repeated key"},
		{"godot4", `0500 0100 u:0 u:0 u:0 u:0`, "Vector2[0000000000000000, 0000000000000000]", ""},
		{"godot4", `u:23 u:7 u:0`, "RID 7", ""},
		{"godot4-docs", `u:16`, "RID 0", ""},
		{"godot3-early-docs", `u:2 u:5 u:0`, "int 5", ""},
		{"pandemonium", `1b000000 02000000 03000000 0200000001000000 0400000000000000 0200000003000000`, "TypedArray<int>[int 1, int 3]", "an element of another type"},
		{"pandemonium", `1b000000 17000000 u:24 u:4 "Node" u:1 u:0`, `TypedArray<Object>(StringName "Node")[null]`, ""},
		{"pandemonium4", `u:27 u:0`, "PoolByteArray[]", ""},
		{"pandemonium3", `u:22 u:0`, "Dictionary[]", ""},
	} {
		r, err := Read(encode(t, c.source), Options{Dialect: c.dialect})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Frames[0].Value + r.Frames[0].Err; got != c.want || r.Oddness != c.odd {
			t.Errorf("%s %s:\n%s (odd: %q), want\n%s (odd: %q)", c.dialect, c.source, got, r.Oddness, c.want, c.odd)
		}
	}
}

func TestNesting(t *testing.T) {
	for _, c := range []struct {
		dialect string
		array   string
		levels  int
	}{{"godot4", "u:28 u:1", 1024}, {"pandemonium", "u:26 u:1", 1025}} {
		for by, want := range []string{"", "ERR_OUT_OF_MEMORY"} {
			data := append(slices.Repeat(encode(t, c.array), c.levels+by), 0, 0, 0, 0)
			r, err := Read(data, Options{Dialect: c.dialect})
			if err != nil || r.Frames[0].Err != want {
				t.Errorf("%s, %d levels: %q %v, want %q", c.dialect, c.levels+by, r.Frames[0].Err, err, want)
			}
		}
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		source string
		big    bool
		want   []string
	}{
		{`u:8 u:2 u:5 u:4 u:0`, false, []string{"int 5", "null"}},
		{`00000008 u:2 u:5`, true, []string{"int 5"}},
		{`u:4 u:2 u:4 u:0`, false, []string{"ERR_INVALID_DATA", "null"}},
		{`u:8 u:0 u:9 u:4 u:0`, false, []string{"null", "null"}},
		{`u:0 u:4 u:0`, false, []string{"ERR_INVALID_DATA", "null"}},
		{`u:4 u:0 u:99 u:0`, false, []string{"null", "ERR_FILE_EOF"}},
		{`u:4 u:0 04 00`, false, []string{"null", "ERR_FILE_EOF"}},
	} {
		r, err := Read(encode(t, c.source), Options{Dialect: "godot4", Stream: true, BigEndian: c.big})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Frames {
			got = append(got, f.Value+f.Err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.source, got, c.want)
		}
	}
}

func TestObjects(t *testing.T) {
	data := encode(t, `u:24 u:4 "Node" u:1 u:2 "hp" 0000 u:2 u:9`)
	for _, c := range []struct {
		about string
		o     Options
		want  string
	}{
		{"not allowed", Options{}, "ERR_UNAUTHORIZED"},
		{"any", Options{Objects: true}, `Object Node["hp": int 9]`},
		{"known", Options{Objects: true, Classes: []string{"Node"}}, `Object Node["hp": int 9]`},
		{"unknown", Options{Objects: true, Classes: []string{"Resource"}}, "ERR_UNAVAILABLE"},
	} {
		c.o.Dialect = "godot4"
		r, err := Read(data, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Frames[0].Value + r.Frames[0].Err; got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
	}
	if _, err := Read(nil, Options{Dialect: "godot5"}); err == nil {
		t.Error("a dialect that does not exist")
	}
}

func FuzzRead(f *testing.F) {
	for _, source := range []string{`u:28 u:1 u:2 u:5`, `u:27 u:1 u:4 u:1 "a" 000000 u:9 f:1 f:2 f:3`, `u:8 u:2 u:5 u:4 u:0`, `u:34 u:1 u:2 "a" 00 0000`} {
		f.Add(encode(f, source), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool) {
		if len(data) > 1<<12 {
			return
		}
		for dialect := range tables {
			r, err := Read(data, Options{Dialect: dialect, Stream: stream, Objects: true})
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := Read(data, Options{Dialect: dialect, Stream: stream, Objects: true}); !r.Same(again) {
				t.Fatal("two readings differ")
			}
		}
	})
}
