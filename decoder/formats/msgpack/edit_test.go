package msgpack_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

var background = context.Background()

func spliced(t testing.TB, tr *tree.Tree, splices []source.Splice, err error) []byte {
	t.Helper()
	b, err := simpletest.Spliced(t, tr, splices, err)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// edits hold what bytes a value takes: the form that it has if it fits that, else the shortest; and
// what cannot be set.
var edits = []simpletest.Edit{
	{"07", "set", "$", "127", "7f"},
	{"07", "set", "$", "128", "cc 80"},
	{"07", "set", "$", "-32", "e0"},
	{"07", "set", "$", "-33", "d0 df"},
	{"07", "set", "$", "256", "cd 0100"},
	{"07", "set", "$", "65536", "ce 00010000"},
	{"07", "set", "$", "4294967296", "cf 0000000100000000"},
	{"07", "set", "$", "18446744073709551615", "cf ffffffffffffffff"},
	{"07", "set", "$", "-129", "d1 ff7f"},
	{"07", "set", "$", "-32769", "d2 ffff7fff"},
	{"07", "set", "$", "-2147483649", "d3 ffffffff7fffffff"},
	{"ce 00000007", "set", "$", "8", "ce 00000008"}, // the width stays
	{"ce 00000007", "set", "$", "-1", "ff"},
	{"d2 00000007", "set", "$", "-1", "d2 ffffffff"},
	{"d0 07", "set", "$", "0x10", "d0 10"},
	{"ca 3f800000", "set", "$", "0.5", "ca 3f000000"},
	{"ca 3f800000", "set", "$", "2", "ca 40000000"},
	{"ca 3f800000", "set", "$", "0.1", "ca 3dcccccd"},
	{"ca 3f800000", "set", "$", "0.12345678901", "cb 3fbf9add3744621f"},
	{"ca 3f800000", "set", "$", "1e300", "cb 7e37e43c8800759c"},
	{"cb 3ff0000000000000", "set", "$", "-inf", "cb fff0000000000000"},
	{"c2", "set", "$", "true", "c3"},
	{"a161", "set", "$", `"bc"`, "a26263"},
	{"d901 61", "set", "$", `"bc"`, "d902 6263"}, // so does that of a length
	{"a161", "set", "$", `"` + strings.Repeat("x", 32) + `"`, "d920" + strings.Repeat("78", 32)},
	{"c401 61", "set", "$", "bin(0001)", "c402 0001"},
	{"d405 61", "set", "$", "ext(5, ff)", "d405 ff"},
	{"d405 61", "set", "$", "ext(-6, ff00)", "d5fa ff00"},
	{"d405 61", "set", "$", "ext(6, ff0000)", "c703 06 ff0000"},
	{"d6ff 00000000", "set", "$", "timestamp(2020-01-01T00:00:00Z)", "d6ff 5e0be100"},
	{"d6ff 00000000", "set", "$", "timestamp(2020-01-01T00:00:00.5Z)", "d7ff 77359400 5e0be100"},
	{"d6ff 00000000", "set", "$", "timestamp(1960-01-01T00:00:00Z)", "c70cff 00000000 ffffffffed300880"},
	{"93 01 ce00000002 a178", "set", "$", `[1, 3, "y"]`, "93 01 ce00000003 a179"},
	{"93 01 ce00000002 a178", "set", "$", "[1, 3]", "92 01 ce00000003"},
	{"dc0001 01", "set", "$", "[1, 2]", "dc0002 01 02"},
	{"82 a161 01 a162 cd0002", "set", "$", `{"b": 3, "a": 1}`, "82 a162 cd0003 a161 01"},
	{"82 d90161 01 a162 02", "set", "$", `{"a": 2}`, "81 d90161 02"},
	{"81 a161 01", "set", "$.a@key", `"bcd"`, "81 a3626364 01"},
	{"81 01 01", "set", "$[1]@key", "500", "81 cd01f4 01"},

	{"07", "set", "$", `"a"`, "the new value is str, the old one int"},
	{"07", "set", "$", "1.5", "the new value is float, the old one int"},
	{"07", "set", "$", "18446744073709551616", "at character 1: an integer is from -9223372036854775808 to 18446744073709551615"},
	{"07", "set", "$", "hello", "at character 1: hello is not a value; a text is written in quotes"},
	{"07", "set", "$", "ext(300, 00)", "at character 1: MessagePack has no value for this"},
	{"07", "set", "$", "bin(0)", "at character 1: MessagePack has no value for this"},
	{"82 a161 01 a162 02", "set", "$.a@key", `"b"`, `this map already has the key "b"; its value can be set`},
	{"82 a161 01 a162 02", "set", "$", `{"a": 1, "a": 2}`, `at character 10: the key "a" is repeated`},
	{"92 01 cd00", "set", "$[1]", "5", "a damaged value cannot be set; delete or repair it"},
}

// TestHeaders checks that headers grow where the number of children leaves the range of their form, and
// keep their form where it still fits.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		n           int
		head, after string // before and after one is inserted
	}{
		{15, "9f", "dc0010"}, {16, "dc0010", "dc0011"}, {65535, "dcffff", "dd00010000"},
		{15, "8f", "de0010"}, {65535, "deffff", "df00010000"}, {3, "dd00000003", "dd00000004"},
	} {
		head := simpletest.Hex(t, c.head)
		isMap := c.head[0] == '8' || c.head[:2] == "de"
		b, entry := slices.Clone(head), "c0"
		for i := range c.n {
			if isMap {
				b = append(b, 0xcd, byte(i>>8), byte(i))
				entry = "a161 c0"
			}
			b = append(b, 0xc0)
		}
		r := open(t, b).NewReader()
		n, err := r.Child(r.Tree.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		content := edit.Content{Literal: "null"}
		if isMap {
			content.Key = `"a"`
		}
		splices, err := r.Tree.Reading.(edit.Editor).Insert(background, r, n, int64(c.n), content, edit.Options{})
		got := spliced(t, r.Tree, splices, err)
		want := slices.Concat(simpletest.Hex(t, c.after), b[len(head):], simpletest.Hex(t, entry))
		if !bytes.Equal(got, want) {
			t.Errorf("%s and one more: %x…, want %x…", c.head, got[:8], want[:8])
		}
		r = open(t, got).NewReader()
		n, err = r.Resolve(map[bool]string{false: fmt.Sprintf("$[%d]", c.n), true: "$.a"}[isMap])
		if err != nil {
			t.Fatal(err)
		}
		splices, err = r.Tree.Reading.(edit.Editor).Delete(background, r, n, edit.Options{})
		back := spliced(t, r.Tree, splices, err)
		if n := len(back) - len(b); n != len(simpletest.Hex(t, c.after))-len(head) {
			t.Errorf("%s: without it again %d bytes more", c.head, n)
		}
	}
}

// TestRetyped converts values to other types.
func TestRetyped(t *testing.T) {
	for _, c := range []struct{ before, name, want string }{
		{"07", "float", "7.0"}, {"07", "str", `"7"`}, {"07", "nil", "null"}, {"07", "map", "{}"}, {"07", "bin", "bin()"},
		{"07", "timestamp", "timestamp()"}, {"07", "ext", "ext()"}, {"07", "bool", "false"}, {"a23132", "int", "12"},
		{"a3312e35", "float", "1.5"}, {"a178", "int", "0"}, {"ca3fc00000", "int", "1"}, {"9101", "array", "[1]"}, {"c3", "str", `"true"`},
	} {
		r := open(t, simpletest.Hex(t, c.before)).NewReader()
		n, err := r.Child(r.Tree.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		e := r.Tree.Reading.(edit.Editor)
		if got, err := e.Retyped(background, r, n, c.name); got != c.want || err != nil {
			t.Errorf("%s as %s: %s (%v), want %s", c.before, c.name, got, err, c.want)
		}
		if got := e.Types(r, n); len(got) != 10 {
			t.Errorf("types %q", got)
		}
	}
}

// TestImport imports JSON in which nothing has a meaning of its own.
func TestImport(t *testing.T) {
	var out bytes.Buffer
	err := decoder.Import(background, strings.NewReader(`{"type": "nan", "args": [1, 2]}`), &out, decoder.ImportOptions{Dialect: "msgpack", Form: format.Plain})
	if want := simpletest.Hex(t, "82 a474797065 a36e616e a461726773 92 01 02"); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("plain: %x (%v), want %x", out.Bytes(), err, want)
	}
}

// TestRepair cuts files at every byte: the repairs of what is reported leave a file without a problem,
// which begins like the whole one except for counts and lengths.
func TestRepair(t *testing.T) {
	whole := simpletest.Hex(t, "83 a161 01 da0003616263 93 cd0102 c403000102 dc000201c0 a162 d6ff00000000")
	for size := 1; size < len(whole); size++ {
		b := whole[:size]
		for tries := 0; ; tries++ {
			tr := open(t, b)
			var found []span.Problem
			if err := tr.Check(background, tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { found = append(found, p) }); err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				break
			}
			p := &found[0]
			if tries > 10 || p.Repair == "" {
				if size == 1 || len(b) > 0 {
					t.Errorf("cut at %d: %x: %s: %s", size, b, p.Message, p.Repair)
				}
				break
			}
			r := tr.NewReader()
			n, err := r.At(p.Offset)
			if err != nil {
				t.Fatal(err)
			}
			repair, err := tr.Reading.(edit.Repairer).Repair(background, r, n, p)
			if err != nil {
				t.Errorf("cut at %d: %x: %s: %v", size, b, p.Message, err)
				break
			}
			b = spliced(t, tr, repair.Splices, nil)
		}
	}
}
