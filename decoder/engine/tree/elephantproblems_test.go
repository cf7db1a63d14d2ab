package tree_test

import (
	"context"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
)

// block returns a block of Elephant 1.5.1 with a root struct of n members.
func block(n byte, members ...string) []byte {
	return []byte("PELE\x01\x05\x01\x00\xce" + string([]byte{n, 0}) + strings.Join(members, "") + "TNAH")
}

// TestElephantProblems: problems are reported, however deep their values are.
func TestElephantProblems(t *testing.T) {
	const (
		f64    = "\x00\x00\x00\x00\x00\x00\xf0\x3f"
		number = "\x09" + f64 // 1
		after  = "after\x00\x0btext\x00"
	)
	long := strings.Repeat("a text ", 7)
	l, err := gml.Parse("made.gml", []byte("function Made() constructor { a = 0; ELEPHANT_SCHEMA { v1 : { a : buffer_f64 } } }"))
	if err != nil {
		t.Fatal(err)
	}
	libraries := []*gml.Library{l}
	for _, c := range []struct{ name, value, codes string }{
		{"ordinary", "\xce\x02\x00a\x00" + number + "b\x00\x0b" + long + "\x00", ""},
		{"a name twice", "\xce\x03\x00a\x00" + number + "b\x00" + number + "a\x00" + number, "repeated-key"},
		{"a long name twice", "\xce\x02\x00" + long + "\x00" + number + long + "\x00" + number, "repeated-key"},
		{"an empty name", "\xce\x02\x00a\x00" + number + "\x00" + number, "empty-name"},
		{"a name that is no UTF-8", "\xce\x01\x00na\xffme\x00" + number, "invalid-utf8"},
		{"a name that begins with a byte order mark", "\xce\x01\x00\ufeffname\x00" + number, "byte-order-mark"},
		{"a short text that is no UTF-8", "\x0b\xc3(\x00", "invalid-utf8"},
		{"a long text that is no UTF-8", "\x0b" + long + "\xff\x00", "invalid-utf8"},
		{"a text of valid UTF-8", "\x0bż" + long + "城\x00", ""},
		{"a byte order mark", "\x0b\ufeffa\x00", "byte-order-mark"},
		{"a byte order mark and more", "\x0b\ufeff" + long + "\x00", "byte-order-mark"},
		{"a bool of 2", "\x0a\x02", "bool-value"},
		{"a late bool of 2", "\xcd\x0c\x00\x0a" + strings.Repeat("\x01", 11) + "\x02", "bool-value"},
		{"an early bool of 255", "\xcd\x0c\x00\x0a\x00\xff" + strings.Repeat("\x01", 10), "bool-value"},
		{"a dangling reference", "\xcd\xff\xff\x7f\x00", "dangling-reference"},
		{"a reference of another kind", "\xcd\xff\xff\x00\x00", "reference-kind"},
		{"a reference", "\xce\xff\xff\x00\x00", ""},
		{"a tag of other versions", "\x0f\x00\x00", "foreign-tag"},
		{"an element tag of other versions", "\xcd\x01\x00\x11", "foreign-tag"},
		{"constructors", "\xcd\x03\x00\xce" + "\xfe\xff\x00\x00Made\x00\x80\x01\x00a\x00" + number + "\xfe\xff\x00\x00\x80\x00\x00" + "\xfe\xff\x00\x00\x80\x01\x00a\x00" + number, ""},
		{"a name twice in a constructor's struct", "\xcd\x02\x00\xce" + "\xfe\xff\x00\x00Made\x00\x80\x00\x00" + "\xfe\xff\x00\x00\x80\x02\x00a\x00" + number + "a\x00" + number, "repeated-key"},
		{"by a schema", "\xcd\x03\x00\xce" + "\xfe\xff\x00\x00Made\x00\x01\x00\x00" + f64 + "\xfe\xff\x00\x00\x01\x01\x00\x00\x00" + "\xfe\xff\x00\x00\x01\x00\x00" + f64, ""},
		{"skipped twice", "\xcd\x02\x00\xce" + "\xfe\xff\x00\x00Made\x00\x01\x00\x00" + f64 + "\xfe\xff\x00\x00\x01\x01\x00\x01\x00\x00\x00", "wrong-skip"},
		{"with names against the schema", "\xcd\x02\x00\xce" + "\xfe\xff\x00\x00Made\x00\x81\x00\x00" + "\xfe\xff\x00\x00\x81\x00\x00", "unexpected-verbose unexpected-verbose"},
		{"of no known schema", "\xcd\x02\x00\xce" + "\xfe\xff\x00\x00Other\x00\x81\x00\x00" + "\xfe\xff\x00\x00\x81\x00\x00", ""},
	} {
		for _, depth := range []int{0, 1, 10} {
			value := c.value
			for range depth {
				value = "\xce\x02\x00in\x00" + value + "next\x00" + number
			}
			data := block(3, "before\x00"+number, "value\x00"+value, after)
			f, region := elephantFormat(data, 0xff, libraries)
			sameSizes(t, data, f, region)
			codes := ""
			s := tree.New(source.Bytes(data), f(), region).Scanner()
			s.Report = func(p span.Problem) { codes = strings.TrimSpace(codes + " " + p.Code) }
			s.Run(context.Background(), nil)
			if codes != c.codes {
				t.Errorf("%s, %d deep: %q, want %q", c.name, depth, codes, c.codes)
			}
		}
	}
}
