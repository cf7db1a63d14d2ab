package godot_test

import (
	"context"
	"encoding/hex"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/types"
)

// TestRepair: a problem of each kind, its span, and the bytes after its repair, by the specification.
func TestRepair(t *testing.T) {
	for _, c := range []struct {
		name, as, before string
		code             string
		at, length       int64
		after            string
		drops            string
	}{
		{"padding of a string", "godot4", "04000000 03000000 61626301", span.NonZeroPadding, 11, 1, "04000000 03000000 61626300", ""},
		{"padding of bytes", "godot4", "1d000000 01000000 61000100", span.NonZeroPadding, 9, 3, "1d000000 01000000 61000000", ""},
		{"no padding", "godot4", "04000000 03000000 616263", span.MissingPadding, 11, 0, "04000000 03000000 61626300", ""},
		{"no padding of bytes", "godot3", "14000000 02000000 0102", span.MissingPadding, 10, 0, "14000000 02000000 01020000", ""},
		{"half of the padding", "godot4", "04000000 01000000 6100", span.MissingPadding, 9, 1, "04000000 01000000 61000000", ""},
		{"no padding of a name", "godot4", "16000000 01000080 00000000 00000000 01000000 61", span.MissingPadding, 21, 0, "16000000 01000080 00000000 00000000 01000000 61000000", ""},
		{"no padding in a frame", "godot4 stream", "0b000000 04000000 03000000 616263", span.MissingPadding, 15, 0, "0c000000 04000000 03000000 61626300", ""},
		{"no padding, and more is cut", "godot4", "1c000000 02000000 04000000 03000000 616263", span.MissingPadding, 19, 0, "1c000000 01000000 04000000 03000000 61626300", ""},
		{"bool", "godot4", "01000000 07000000", span.BoolValue, 4, 4, "01000000 01000000", ""},
		{"type", "godot4", "02010000 05000000", span.HighTypeBits, 0, 2, "02000000 05000000", ""},
		{"flags of a string", "godot4", "04000100 01000000 61000000", span.UnknownFlags, 2, 2, "04000000 01000000 61000000", ""},
		{"flags of a colour", "godot4", "14000100 00000000 00000000 00000000 00000000", span.UnknownFlags, 2, 2, "14000000 00000000 00000000 00000000 00000000", ""},
		{"flags of a typed array", "godot4", "1c000500 02000000 01000000 02000000 07000000", span.UnknownFlags, 2, 2, "1c000100 02000000 01000000 02000000 07000000", ""},
		{"flags of a path", "godot4", "16000000 01000080 00000000 05000000 01000000 61000000", span.UnknownFlags, 12, 4, "16000000 01000080 00000000 01000000 01000000 61000000", ""},
		{"old flag of a path", "godot3", "0f000000 01000080 00000000 03000000 01000000 61000000 01000000 62000000", span.UnknownFlags, 12, 4,
			"0f000000 01000080 01000000 01000000 01000000 61000000 01000000 62000000", ""},
		{"flags of a class", "pandemonium", "1b000000 17000000 18000100 04000000 4e6f6465 00000000", span.UnknownFlags, 10, 2, "1b000000 17000000 18000000 04000000 4e6f6465 00000000", ""},
		{"behind the value", "godot4", "00000000 09000000", span.TrailingBytes, 4, 4, "00000000", ""},
		{"behind the frames", "godot4 stream", "04000000 00000000 010203", span.Truncated, 8, 3, "04000000 00000000", ""},
		{"part of the first frame's length", "godot4 stream", "1b00", span.Truncated, 0, 2, "", ""},
		{"behind the value in a frame", "godot4 stream", "0c000000 02000000 01000000 ffffffff 04000000 00000000", span.TrailingBytes, 12, 4, "08000000 02000000 01000000 04000000 00000000", ""},
		{"behind the value, big-endian", "godot4 big-endian", "0000000c 02000000 01000000 ffffffff", span.TrailingBytes, 12, 4, "00000008 02000000 01000000", ""},
		{"UTF-8", "godot4", "04000000 05000000 61ff62c3 64000000", span.InvalidUTF8, 9, 1, "04000000 09000000 61efbfbd 62efbfbd 64000000", ""},
		{"UTF-8 in a frame", "godot4 stream", "0c000000 04000000 01000000 ff000000", span.InvalidUTF8, 12, 1, "0c000000 04000000 03000000 efbfbd00", ""},
		{"UTF-8 in a frame that grows", "godot4 stream", "0c000000 04000000 02000000 ffff0000", span.InvalidUTF8, 12, 1, "10000000 04000000 06000000 efbfbdef bfbd0000", ""},
		{"surrogate", "godot4", "04000000 03000000 eda08000", span.InvalidUTF8, 8, 1, "04000000 09000000 efbfbdef bfbdefbf bd000000", ""},
		{"NUL", "godot4", "04000000 03000000 61006200", span.NulInText, 9, 1, "04000000 02000000 61620000", ""},
		{"NUL in an entry", "godot4", "22000000 01000000 04000000 61006200", span.NulInText, 13, 1, "22000000 01000000 03000000 61620000", ""},
		{"NUL in a class", "godot4", "18000000 03000000 41004200 00000000", span.NulInText, 9, 1, "18000000 02000000 41420000 00000000", ""},
		{"byte order mark", "godot4", "04000000 04000000 efbbbf61", span.ByteOrderMark, 8, 3, "04000000 01000000 61000000", ""},
		{"byte order mark of a signal", "godot4", "1a000000 04000000 efbbbf61 0700000000000000", span.ByteOrderMark, 8, 3, "1a000000 01000000 61000000 0700000000000000", ""},
		{"byte order mark of a value class", "godot4", "1b000900 04000000 04000000 efbbbf61 00000000", span.ByteOrderMark, 12, 3, "1b000900 04000000 01000000 61000000 00000000", ""},
		{"old path", "godot4", "16000000 04000000 2f613a62", span.OldNodePath, 4, 4, "16000000 01000080 01000000 01000000 01000000 61000000 01000000 62000000", ""},
		{"element", "godot4", "1c000100 02000000 01000000 04000000 01000000 61000000", span.ElementType, 12, 2, "1c000000 01000000 04000000 01000000 61000000", "the element type int of the container"},
		{"element of a class", "godot4", "1c000200 04000000 4e6f6465 01000000 02000000 07000000", span.ElementType, 16, 2, "1c000000 01000000 02000000 07000000", "the element type Node of the container"},
		{"float for an int", "godot4", "1c000100 02000000 01000000 03000000 00000040", span.ElementType, 12, 2, "1c000100 02000000 01000000 02000000 02000000", ""},
		{"half for an int", "godot4", "1c000100 02000000 01000000 03000000 0000003f", span.ElementType, 12, 2, "1c000000 01000000 03000000 0000003f", "the element type int of the container"},
		{"int for a float", "godot4", "1c000100 03000000 01000000 02000000 02000000", span.ElementType, 12, 2, "1c000100 03000000 01000000 03000000 00000040", ""},
		{"value of a dictionary", "godot4", "1b000500 04000000 02000000 01000000 04000000 01000000 61000000 00000000", span.ElementType, 28, 2,
			"1b000100 04000000 01000000 04000000 01000000 61000000 00000000", "the value type int of the container"},
		{"key of a dictionary", "godot4", "1b000500 04000000 02000000 01000000 00000000 02000000 07000000", span.ElementType, 16, 2,
			"1b000400 02000000 01000000 00000000 02000000 07000000", "the key type String of the container"},
		{"element of Pandemonium", "pandemonium", "1b000000 17000000 18000000 04000000 4e6f6465 01000000 02000000 07000000", span.ElementType, 24, 2,
			"1b000000 00000000 01000000 02000000 07000000", "the element type Node of the container"},
		{"element type", "godot4", "1c000100 63000000 00000000", span.ContainerType, 4, 4, "1c000000 00000000", ""},
		{"value type", "godot4", "1b000500 04000000 63000000 00000000", span.ContainerType, 8, 4, "1b000100 04000000 00000000", ""},
		{"element type of Pandemonium", "pandemonium", "1b000000 63000000 00000000", span.ContainerType, 4, 4, "1b000000 00000000 00000000", ""},
		{"key", "godot4", "1b000000 02000000 02000000 01000000 02000000 07000000 02000000 01000000 04000000 01000000 61000000", span.RepeatedKey, 24, 8,
			"1b000000 01000000 02000000 01000000 04000000 01000000 61000000", "the first of two values of 1: 7"},
		{"StringName as a key", "godot4", "1b000000 02000000 04000000 01000000 61000000 02000000 07000000 15000000 01000000 61000000 02000000 08000000", span.RepeatedKey, 28, 12,
			"1b000000 01000000 04000000 01000000 61000000 02000000 08000000", `the first of two values of &"a": 7`},
		{"property", "godot3", "11000000 01000000 41000000 02000000 01000000 61000000 00000000 01000000 61000000 02000000 07000000", span.RepeatedKey, 28, 8,
			"11000000 01000000 41000000 01000000 01000000 61000000 02000000 07000000", `the first of two values of "a": null`},
		{"key with a value that is cut", "godot4", "1b000000 02000000 02000000 01000000 02000000 07000000 02000000 01000000 0200", span.RepeatedKey, 24, 8,
			"1b000000 01000000 02000000 01000000 02000000 07000000", "the last entry 1, whose value is incomplete"},
		{"wide int", "godot4", "02000100 05000000 00000000", span.WideNumber, 4, 8, "02000000 05000000", ""},
		{"wide negative int in a frame", "godot3 stream", "0c000000 02000100 feffffff ffffffff", span.WideNumber, 8, 8, "08000000 02000000 feffffff", ""},
		{"wide float", "godot4", "03000100 00000000 0000f83f", span.WideNumber, 4, 8, "03000000 0000c03f", ""},
		{"wide int as an element", "godot4", "1c000000 01000000 02000100 05000000 00000000", span.WideNumber, 12, 8, "1c000000 01000000 02000000 05000000", ""},
		{"shared", "godot3", "13000000 01000080 00000000", span.SharedBit, 4, 4, "13000000 01000000 00000000", ""},
		{"shared type", "pandemonium", "1b000000 02000080 00000000", span.SharedBit, 4, 4, "1b000000 02000000 00000000", ""},
		{"null object", "godot4", "18000000 00000000", span.NullObject, 4, 4, "00000000", ""},
		{"null object as id", "godot4", "1c000000 01000000 18000100 00000000 00000000", span.NullObject, 12, 8, "1c000000 01000000 00000000", ""},
		{"entry without NUL", "godot4", "22000000 01000000 02000000 61620000", span.MissingNul, 8, 4, "22000000 01000000 03000000 61620000", ""},
		{"full entry without NUL", "godot4", "22000000 01000000 04000000 61626364", span.MissingNul, 8, 4, "22000000 01000000 05000000 61626364 00000000", ""},
		{"empty entry without NUL", "godot3", "17000000 01000000 00000000", span.MissingNul, 8, 4, "17000000 01000000 01000000 00000000", ""},
		{"negative count of strings", "godot3", "17000000 ffffffff", span.NegativeLength, 4, 4, "17000000 00000000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			as := c.as
			if !strings.Contains(as, " ") {
				as += " raw"
			}
			checkRepair(t, FormatOf(as), Bytes(t, c.before), c.code, span.Span{Offset: c.at, Length: c.length}, Bytes(t, c.after), c.drops)
		})
	}
}

// checkRepair checks that a problem is found, and the bytes after its repair.
func checkRepair(t *testing.T, f *godot.Format, before []byte, code string, at span.Span, after []byte, drops string) {
	t.Helper()
	tr := TreeOf(f, before)
	for _, p := range findAll(t, tr) {
		if p.Code != code || p.Span != at {
			t.Logf("also %s at %v", p.Code, p.Span)
			continue
		}
		r := tr.NewReader()
		n, err := r.At(p.Offset)
		if err != nil {
			t.Fatal(err)
		}
		repair, err := f.Repair(context.Background(), r, n, &p.Problem)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytesAfter(t, before, repair.Splices); string(got) != string(after) {
			t.Errorf("becomes %s, not %s", hex.EncodeToString(got), hex.EncodeToString(after))
		}
		if repair.Loss != drops {
			t.Errorf("drops %q, not %q", repair.Loss, drops)
		}
		mended := TreeOf(f, after)
		if n := countCodes(findAll(t, mended))[code]; n != 0 || !tiles(t, mended) {
			t.Errorf("%d such problems are left", n)
		}
		return
	}
	t.Errorf("no %s at %v", code, at)
}

// TestRepairCut: the repair of a cut value closes all values around it, and leaves no problem.
func TestRepairCut(t *testing.T) {
	const a, b = "04000000 01000000 61000000", "04000000 01000000 62000000"
	for _, c := range []struct {
		name, as, before string
		code             string
		at, length       int64
		after            string
		drops            string
	}{
		{"string", "godot4 raw", "04000000 0a000000 616263", span.LengthOverrun, 4, 4, "04000000 03000000 61626300", ""},
		{"string in a character", "godot4 raw", "04000000 0a000000 6162c3", span.LengthOverrun, 4, 4, "04000000 02000000 61620000", ""},
		{"string of a negative length", "godot4 raw", "04000000 ffffffff 61626364", span.NegativeLength, 4, 4, "04000000 04000000 61626364", ""},
		{"string in a frame", "godot4 stream", "0c000000 04000000 ff000000 61626364 04000000 00000000", span.LengthOverrun, 8, 4, "0c000000 04000000 04000000 61626364 04000000 00000000", ""},
		{"entry", "godot4 raw", "22000000 02000000 04000000 61626300 08000000 6465", span.LengthOverrun, 16, 4, "22000000 02000000 04000000 61626300 03000000 64650000", ""},
		{"entries", "godot4 raw", "22000000 05000000 04000000 61626300", span.LengthOverrun, 4, 4, "22000000 01000000 04000000 61626300", ""},
		{"packed ints", "godot4 raw", "1e000000 03000000 01000000 02000000 03", span.LengthOverrun, 4, 4, "1e000000 02000000 01000000 02000000", ""},
		{"packed ints of a negative count", "godot4 raw", "1e000000 ffffffff 01000000", span.NegativeLength, 4, 4, "1e000000 01000000 01000000", ""},
		{"packed bytes", "godot4 raw", "1d000000 0a000000 010203", span.LengthOverrun, 4, 4, "1d000000 03000000 01020300", ""},
		{"int in an array", "godot4 raw", "1c000000 03000000 02000000 01000000 02000000", span.Truncated, 20, 0, "1c000000 01000000 02000000 01000000", ""},
		{"vector in an array", "godot4 raw", "1c000000 01000000 05000000 0000803f 0000", span.Truncated, 12, 6, "1c000000 00000000", "the beginning of the last Vector2"},
		{"value of a key", "godot4 raw", "1b000000 01000000" + a + "02000000 01", span.Truncated, 24, 1, "1b000000 00000000", `the key "a", whose value is cut`},
		{"between key and value", "godot4 raw", "1b000000 02000000" + a + "00000000" + b, span.MissingValue, 4, 4, "1b000000 01000000" + a + "00000000", `the key "b", whose value is missing`},
		{"key", "godot4 raw", "1b000000 02000000" + a + "00000000 04000000 05000000 6162", span.LengthOverrun, 28, 4, "1b000000 01000000" + a + "00000000", ""},
		{"element of a key", "godot4 raw", "1b000000 01000000 1c000000 02000000 00000000", span.LengthOverrun, 12, 4, "1b000000 00000000", "the key [null], whose value is missing"},
		{"array in a dictionary", "godot4 raw", "1b000000 02000000" + a + "1c000000 05000000 02000000 01000000 0200", span.LengthOverrun, 24, 4, "1b000000 01000000" + a + "1c000000 01000000 02000000 01000000", ""},
		{"names", "godot4 raw", "16000000 03000080 01000000 00000000 01000000 61000000", span.LengthOverrun, 4, 4, "16000000 01000080 00000000 00000000 01000000 61000000", ""},
		{"subnames", "godot4 raw", "16000000 01000080 ffffffff 00000000 01000000 61000000", span.NegativeLength, 8, 4, "16000000 01000080 00000000 00000000 01000000 61000000", ""},
		{"properties", "godot4 raw", "18000000 01000000 41000000 02000000 01000000 61000000 00000000", span.LengthOverrun, 12, 4, "18000000 01000000 41000000 01000000 01000000 61000000 00000000", ""},
		{"name of a signal", "godot4 raw", "1c000000 02000000 00000000 1a000000 08000000 6162", span.LengthOverrun, 16, 4, "1c000000 01000000 00000000", ""},
		{"frame", "godot4 stream", "20000000 1c000000 03000000 02000000 07000000", span.LengthOverrun, 0, 4, "10000000 1c000000 01000000 02000000 07000000", ""},
		{"frame around what is whole", "godot4 stream", "20000000 02000000 07000000", span.LengthOverrun, 0, 4, "08000000 02000000 07000000", ""},
		{"frame, big-endian", "godot4 big-endian", "00000020 1c000000 02000000 02000000 07000000", span.LengthOverrun, 0, 4, "00000010 1c000000 01000000 02000000 07000000", ""},
		{"last frame as a whole", "godot4 stream", "04000000 00000000 08000000 02000000", span.LengthOverrun, 8, 4, "04000000 00000000", ""},
		{"string in the middle", "godot4 raw", "1c000000 03000000 04000000 ff000000 61626300 02000000 01000000 02000000 02000000", span.LengthOverrun, 12, 4,
			"1c000000 03000000 04000000 03000000 61626300 02000000 01000000 02000000 02000000", ""},
		{"name of a signal in the middle", "godot4 stream", "24000000 1c000000 02000000 1a000000 ff000000 61620000 63000000 00006300 02000000 01000000", span.LengthOverrun, 16, 4,
			"10000000 1c000000 01000000 02000000 01000000", "12 bytes that cannot be read"},
		{"array in a frame in the middle", "godot4 stream", "10000000 1c000000 03000000 02000000 07000000 04000000 00000000", span.LengthOverrun, 8, 4,
			"10000000 1c000000 01000000 02000000 07000000 04000000 00000000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, after := FormatOf(c.as), Bytes(t, c.after)
			checkRepair(t, f, Bytes(t, c.before), c.code, span.Span{Offset: c.at, Length: c.length}, after, c.drops)
			for _, p := range findAll(t, TreeOf(f, after)) {
				if p.IsEvidence() {
					t.Errorf("%s is left at %v", p.Code, p.Span)
				}
			}
		})
	}
}

// TestNoRepair: problems without a repair.
func TestNoRepair(t *testing.T) {
	for _, c := range []struct{ as, digits, codes string }{
		{"godot4 raw", "", span.Truncated},
		{"godot4 raw", "0200", span.Truncated},
		{"godot4 raw", "05000000 0000", span.Truncated},
		{"godot4 raw", "4d000000", span.UnknownType},
		{"godot4 stream", "00000000", span.FrameTooShort},
		{"godot4 raw", "16000000 04000000 613a3a62", span.OldNodePath}, // an empty subname
		{"godot4 raw", "18000000 01000000 41000000 00000000", span.ObjectInData},
		{"godot4 raw", "18000100 09000000 00000000", span.ObjectByID},
		{"godot4 raw", "1c000300 04000000 612e6764 00000000", span.RunsCode},
		{"godot4 raw", "1a000000 08000000 6162", span.LengthOverrun}, // the only value, of which nothing is left
		{"pandemonium raw", "1b000000 17000000 02000000 00000000 00000000", span.ContainerType},
	} {
		f := FormatOf(c.as)
		tr := TreeOf(f, Bytes(t, c.digits))
		var codes []string
		for _, p := range findAll(t, tr) {
			codes = append(codes, p.Code)
			if _, err := f.Repair(context.Background(), tr.NewReader(), p.at, &p.Problem); err == nil || p.Repair != "" {
				t.Errorf("%s: %q, %v", c.digits, p.Repair, err)
			}
		}
		if got := strings.Join(codes, " "); got != c.codes {
			t.Errorf("%s: %s, not %s", c.digits, got, c.codes)
		}
	}
}

// TestNoProblems: values that engines write have no problems.
func TestNoProblems(t *testing.T) {
	for _, c := range []struct{ as, digits string }{
		{"godot4 raw", "03000100 00000000 0000f87f"},                            // NaN is always wide
		{"godot4 raw", "03000100 9a999999 9999b93f"},                            // 0.1
		{"godot4 raw", "02000100 00000080 00000000"},                            // 1 << 31
		{"godot3-early-docs raw", "02000000 05000000 00000000"},                 // always wide
		{"godot4 raw", "05000100 00000000 0000f03f 00000000 0000f03f"},          // a build in double precision
		{"godot4 raw", "16000000 01000080 00000000 01000000 01000000 61aabbcc"}, // garbage
		{"godot4 raw", "22000000 01000000 01000000 00000000"},                   // ""
	} {
		for _, p := range findAll(t, TreeOf(FormatOf(c.as), Bytes(t, c.digits))) {
			t.Errorf("%s %s: %s", c.as, c.digits, p.Code)
		}
	}
}

// TestPassedKeys: a repeated key is reported wherever its Dictionary is and however
// large it is.
func TestPassedKeys(t *testing.T) {
	f := FormatOf("godot4 raw")
	for _, n := range []int{2, 3, 60, 70, 1000} {
		e := encode.Encoder{Format: f.Variant()}
		e.Header(types.Array, 0)
		e.U32(2)
		for twice := range 2 {
			e.Header(types.Dictionary, 0)
			e.U32(uint32(n))
			for i := range n {
				if i == n-1 {
					i *= 1 - twice
				}
				e.PutInt(int64(i))
				e.PutInt(1)
			}
		}
		var at []int64
		tr := TreeOf(f, e.Out)
		err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
			if at = append(at, p.Offset); p.Code != span.RepeatedKey {
				t.Errorf("%s", p.Code)
			}
		})
		if want := int64(len(e.Out) - 16); err != nil || len(at) != 1 || at[0] != want {
			t.Errorf("%d keys: problems at %v, not at %d", n, at, want)
		}
	}
}

// TestRepairForeign: the repair of a problem of another value returns an error, or
// valid splices.
func TestRepairForeign(t *testing.T) {
	codes := []string{span.Truncated, span.LengthOverrun, span.MissingValue, span.MissingPadding, span.NegativeLength, span.TrailingBytes,
		span.NonZeroPadding, span.BoolValue, span.HighTypeBits, span.UnknownFlags, span.SharedBit, span.InvalidUTF8, span.ByteOrderMark,
		span.NulInText, span.MissingNul, span.OldNodePath, span.ElementType, span.ContainerType, span.RepeatedKey, span.WideNumber, span.NullObject}
	for _, file := range Files(t) {
		if len(file.Data) > 400 {
			continue
		}
		r := TreeOf(file.Format, file.Data).NewReader()
		EachNode(t, r, r.Tree.Base, func(n *tree.Node) {
			for _, code := range codes {
				for _, length := range []int64{0, 1, 4} {
					p := span.Problem{Span: span.Span{Offset: n.Start, Length: length}, Code: code}
					repair, err := file.Format.Repair(context.Background(), r, n, &p)
					if err == nil {
						bytesAfter(t, file.Data, repair.Splices)
					}
				}
			}
		})
	}
}
