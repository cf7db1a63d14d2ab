package godot_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/formats/godot"
)

// convert converts bytes, which are read as FormatOf says.
func convert(t testing.TB, f *godot.Format, data []byte, q format.ConvertRequest) ([]byte, []string, error) {
	t.Helper()
	var out bytes.Buffer
	var said []string
	q.Paths = true
	q.Report = func(l format.Loss) { said = append(said, l.Path+" "+l.Outcome.String()+": "+l.Reason) }
	err := godot.Family.(format.Converter).Convert(context.Background(), TreeOf(f, data).NewReader(), &q, &out)
	return out.Bytes(), said, err
}

func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stringA is the String "a" in any dialect, typeText the beginning of a Dictionary that
// describes a value.
const stringA = "04000000 01000000 61000000"

func described(kind string) string {
	pad := strings.Repeat("00", -len(kind)&3)
	return "04000000 04000000 74797065 04000000 " + hex.EncodeToString([]byte{byte(len(kind)), 0, 0, 0}) + hex.EncodeToString([]byte(kind)) + pad
}

// conversions are values with their bytes in another dialect, by the specification. A request is given by
// its flags: drop, null, dictionary, 32, 64, names.
var conversions = []struct{ from, digits, to, want, said string }{
	{"godot3", "00000000", "godot4", "00000000", ""},
	{"godot3", "02000100 0000000001000000", "godot4", "02000100 0000000001000000", ""},
	{"godot3", "03000100 9a9999999999b93f", "pandemonium", "03000100 9a9999999999b93f", ""},
	{"godot3-early-docs", "02000000 0500000000000000", "godot3", "02000000 05000000", ""},
	{"godot3-early-docs", "03000000 cdcccc3d", "godot4", "03000000 cdcccc3d", ""},
	{"godot3", "07000000 0000803f 00000040 00004040", "godot4", "09000000 0000803f 00000040 00004040", ""},
	{"godot4", "0f000000 00000000 00000000 00000000 0000803f", "godot3", "0a000000 00000000 00000000 00000000 0000803f", ""},
	{"godot4", "0f000000 00000000 00000000 00000000 0000803f", "pandemonium", "0e000000 00000000 00000000 00000000 0000803f", ""},
	{"pandemonium3", "0d000000 00000000 00000000 00000000 0000803f", "pandemonium4", "0e000000 00000000 00000000 00000000 0000803f", ""},
	// 64-bit components.
	{"godot4", "05000100 000000000000f03f 000000000000e0bf", "godot4", "05000100 000000000000f03f 000000000000e0bf", ""},
	{"godot4", "05000100 000000000000f03f 000000000000e0bf", "godot3", "05000000 0000803f 000000bf", ""},
	{"godot4", "05000100 000000000000f03f 9a9999999999b93f", "godot3", "", "$ stops: 0.1 is not the same in 32 bits"},
	{"godot4", "05000100 000000000000f03f 9a9999999999b93f", "godot3 32", "05000000 0000803f cdcccc3d", ""},
	{"godot4", "05000100 000000000000f03f 9a9999999999b93f", "godot3 64", "05000000 000000000000f03f 9a9999999999b93f", ""},
	{"godot3 double", "05000000 000000000000f03f 000000000000e0bf", "godot4", "05000100 000000000000f03f 000000000000e0bf", ""},
	{"godot3", "05000000 0000803f 000000bf", "godot4 64", "05000100 000000000000f03f 000000000000e0bf", ""},
	{"godot3 double", "16000000 01000000 000000000000f03f", "godot4", "21000000 01000000 000000000000f03f", ""},
	{"godot4", "21000000 01000000 000000000000f03f", "godot3", "16000000 01000000 0000803f", "$ changed: a PackedFloat64Array becomes a PoolRealArray, which can hold its numbers"},
	{"godot4", "21000000 01000000 9a9999999999b93f", "godot3", "", "$ stops: 0.1 is not the same in 32 bits"},
	{"godot4", "1f000000 02000000 0100000000000000 ffffffffffffffff", "godot3", "15000000 02000000 01000000 ffffffff", "$ changed: a PackedInt64Array becomes a PoolIntArray, which can hold its numbers"},
	{"godot4", "1f000000 01000000 0000000001000000", "godot3 null", "00000000", "$ null: 4294967296 does not fit the 32 bits of numbers there"},
	// Texts.
	{"godot4", "15000000 01000000 61000000", "godot3", stringA, "$ changed: a StringName becomes a String"},
	{"godot4", "15000000 01000000 61000000", "pandemonium", "18000000 01000000 61000000", ""},
	{"godot3", "12000000 01000000 " + stringA + stringA, "godot4", "1b000000 01000000 " + stringA + stringA, ""},
	{"godot3", "12000000 01000000 " + stringA + stringA, "godot4 names", "1b000000 01000000 15000000 01000000 61000000" + stringA, ""},
	{"godot3", "04000000 03000000 eda08000", "pandemonium4", "", "$ stops: Pandemonium 4 reads no text with surrogates or code points past 10FFFF"},
	{"godot3", "04000000 03000000 eda08000", "godot4 dictionary", "1b000000 02000000" + described("String") + "04000000 05000000 62797465 73000000 1d000000 03000000 eda08000",
		"$ dictionary: Godot 4 reads no text with surrogates or code points past 10FFFF"},
	{"godot3", "04000000 01000000 ff000000", "godot4", "04000000 01000000 ff000000", ""}, // nothing reads it
	{"godot3", "0f000000 01000080 01000000 00000000 01000000 61aabbcc 01000000 62ddeeff", "godot4", "16000000 01000080 01000000 00000000 01000000 61aabbcc 01000000 62ddeeff", ""},
	{"godot3", "17000000 02000000 02000000 61000000 01000000 62000000", "godot4", "22000000 02000000 02000000 61000000 01000000 62000000", ""},
	// Without a counterpart.
	{"godot4", "06000000 01000000 ffffffff", "godot3", "", "$ stops: Godot 3 has no Vector2i"},
	{"godot4", "06000000 01000000 ffffffff", "godot3 null", "00000000", "$ null: Godot 3 has no Vector2i"},
	{"godot4", "06000000 01000000 ffffffff", "godot3 dictionary", "12000000 02000000" + described("Vector2i") + "04000000 04000000 61726773 13000000 02000000 02000000 01000000 02000000 ffffffff",
		"$ dictionary: Godot 3 has no Vector2i"},
	{"godot4", "06000000 01000000 ffffffff", "pandemonium", "08000000 01000000 ffffffff", ""},
	{"godot4", "1c000000 02000000 19000000 00000000", "godot3 drop", "13000000 01000000 00000000", "$[0] dropped: Godot 3 has no Callable"},
	{"godot4", "19000000", "godot3 dictionary", "12000000 01000000" + described("Callable"), "$ dictionary: Godot 3 has no Callable"},
	{"godot4", "1a000000 01000000 61000000 0700000000000000", "godot3 dictionary", "12000000 03000000" + described("Signal") +
		"04000000 04000000 6e616d65 " + stringA + "04000000 09000000 6f626a6563745f6964000000 02000000 07000000", "$ dictionary: Godot 3 has no Signal"},
	{"godot4", "1b000000 02000000 " + stringA + "19000000" + "02000000 01000000 00000000", "godot3 drop", "12000000 01000000 02000000 01000000 00000000", "$.a dropped: Godot 3 has no Callable"},
	{"godot4", "1b000000 01000000 06000000 01000000 02000000 00000000", "godot3 drop", "12000000 00000000", "$[Vector2i(1, 2)]@key dropped: Godot 3 has no Vector2i"},
	{"godot4", "1b000000 01000000 06000000 01000000 02000000 00000000", "godot3 null", "12000000 01000000 04000000 0e000000 566563746f72326928312c2032290000 00000000", "$[Vector2i(1, 2)]@key text: Godot 3 has no Vector2i"},
	{"godot4", "19000000", "godot3 drop", "error: there is no value that could be written", "$ dropped: Godot 3 has no Callable"},
	{"godot4", "13000000" + strings.Repeat("0000803f", 16), "pandemonium", "", "$ stops: Pandemonium 5 misreads a Projection that it has written itself"},
	{"godot4", "0c000000" + strings.Repeat("0000803f", 4), "pandemonium", "0b000000" + strings.Repeat("0000803f", 4), ""},
	{"godot4", "1c000000 01000000 0c000000" + strings.Repeat("0000803f", 4), "pandemonium", "", "$[0] stops: Pandemonium 5 misreads a Vector4 that it has written itself"},
	{"pandemonium4", "1a000000 01000000 0b000000" + strings.Repeat("0000803f", 4), "pandemonium", "1a000000 01000000 0b000000" + strings.Repeat("0000803f", 4), ""},
	{"godot4", "17000000 0700000000000000", "godot3", "10000000", "$ changed: Godot 3 does not store the id of a RID"},
	{"godot3", "10000000", "godot4", "17000000 0000000000000000", ""},
	// Typed containers.
	{"godot4", "1c000100 02000000 01000000 02000000 05000000", "godot3", "13000000 01000000 02000000 05000000", "$ changed: a typed Array becomes an untyped one"},
	{"godot4", "1c000100 02000000 01000000 02000000 05000000", "pandemonium", "1b000000 02000000 01000000 02000000 05000000", ""},
	{"pandemonium", "1b000000 02000000 01000000 02000000 05000000", "godot4", "1c000100 02000000 01000000 02000000 05000000", ""},
	{"pandemonium", "1b000000 17000000 18000000 01000000 41000000 00000000", "godot4", "1c000200 01000000 41000000 00000000", ""},
	{"pandemonium", "1b000100 17000000 00000000", "godot4", "1c000200 11000000 456e636f6465644f626a65637441734944000000 00000000", ""},
	{"godot4", "1c000200 11000000 456e636f6465644f626a65637441734944000000 00000000", "pandemonium", "1b000100 17000000 00000000", ""},
	{"godot4", "1b000500 04000000 02000000 00000080", "pandemonium", "19000000 00000080", "$ changed: a typed Dictionary becomes an untyped one"},
	{"godot4", "1c000100 1f000000 00000000", "pandemonium", "1a000000 00000000", "$ changed: a typed Array becomes an untyped one"},
	{"godot4", "1c000100 1d000000 00000000", "pandemonium", "1b000000 1d000000 00000000", ""},
	{"pandemonium", "1b000000 00000000 00000000", "pandemonium4", "1a000000 00000000", ""},
	// Objects.
	{"godot4", "18000100 0900000000000000", "godot3", "11000100 0900000000000000", ""},
	{"godot4", "18000000 00000000", "godot3", "11000000 00000000", ""},
	{"godot3", "11000000 06000000 53707269 74650000 00000000", "godot4", "18000000 08000000 53707269 74653244 00000000", "$ changed: the class Sprite is called Sprite2D"},
	{"godot4", "18000000 08000000 53707269 74653244 00000000", "pandemonium", "17000000 06000000 53707269 74650000 00000000", "$ changed: the class Sprite2D is called Sprite"},
	{"godot3", "11000000 06000000 53707269 74650000 00000000", "pandemonium", "17000000 06000000 53707269 74650000 00000000", ""},
	// The script of an object: a path in Godot 4, the source in Godot 3.
	{"godot4", "18000000 01000000 41000000 01000000 06000000 73637269 70740000 " + stringA, "godot3", "", "$.script stops: Godot 3 stores the source of an object's script, this is its path"},
	{"godot4", "18000000 01000000 41000000 01000000 06000000 73637269 70740000 " + stringA, "godot3 null", "11000000 01000000 41000000 01000000 06000000 73637269 70740000 00000000",
		"$.script null: Godot 3 stores the source of an object's script, this is its path"},
	{"godot3", "11000000 01000000 41000000 01000000 06000000 73637269 70740000 11000000 01000000 42000000 01000000 01000000 61000000 00000000", "godot4 drop", "18000000 01000000 41000000 00000000",
		"$.script dropped: Godot 4 stores the path of an object's script, this is its source"},
	{"godot3", "11000000 01000000 41000000 01000000 06000000 73637269 70740000 11000000 01000000 42000000 01000000 01000000 61000000 00000000", "godot4 dictionary",
		"18000000 01000000 41000000 01000000 06000000 73637269 70740000 1b000000 02000000 04000000 04000000 74797065 04000000 01000000 42000000 04000000 05000000 70726f70 73000000 1b000000 01000000" + stringA + "00000000",
		"$.script dictionary: Godot 4 stores the path of an object's script, this is its source"},
	// Frames.
	{"godot3 stream", "04000000 00000000 08000000 02000000 05000000", "godot4", "04000000 00000000 08000000 02000000 05000000", ""},
	{"godot4 stream", "04000000 19000000 08000000 02000000 05000000", "godot3 drop", "08000000 02000000 05000000", "$[0] dropped: Godot 3 has no Callable"},
	{"godot4", "02000000 05000000", "godot3 stream", "08000000 02000000 05000000", ""},
	{"godot4 stream", "08000000 02000000 05000000", "godot3 raw", "02000000 05000000", ""},
	{"godot4 stream", "04000000 00000000 04000000 00000000", "godot3 raw", "error: one bare value cannot take the place of a stream of several", ""},
	{"godot4 stream", "08000000 00000000 ffffffff", "godot3", "04000000 00000000", "$[0] changed: 4 bytes without a meaning are left out"},
	{"godot3 big-endian", "00000008 02000000 05000000", "godot4", "00000008 02000000 05000000", ""},
	// What cannot be converted.
	{"godot3", "13000000 02000000 00000000", "godot4", "error: $: it counts 2 values, but has 1; a damaged file is not converted, repair it first", ""},
	{"godot3", "05000000 00000000", "godot4", "error: $: Vector2 is cut; a damaged file is not converted, repair it first", ""},
	{"godot4", "02000000 05000000", "godot4-docs", "error: godot4-docs is not a dialect of any engine: the table the 4.x page first carried; no engine writes it", ""},
}

func TestConvert(t *testing.T) {
	for _, c := range conversions {
		words := strings.Fields(c.to)
		q := format.ConvertRequest{Dialect: words[0]}
		for _, w := range words[1:] {
			switch w {
			case "drop":
				q.Lost = format.Dropped
			case "null":
				q.Lost = format.Nulled
			case "dictionary":
				q.Lost = format.Described
			case "32":
				q.Bits = 32
			case "64":
				q.Bits = 64
			case "names":
				q.StringNames = true
			default:
				q.Framing = w
			}
		}
		f := c.from
		if !strings.Contains(f, " ") {
			f += " raw"
		}
		got, said, err := convert(t, FormatOf(f), unhex(t, c.digits), q)
		what := c.from + " " + c.digits + " to " + c.to
		if text := strings.Join(said, "\n"); text != c.said {
			t.Errorf("%s: it said %q, want %q", what, text, c.said)
		}
		var lost *format.LossError
		wantErr, isErr := strings.CutPrefix(c.want, "error: ")
		switch {
		case isErr:
			if err == nil || err.Error() != wantErr {
				t.Errorf("%s: %v, want the error %s", what, err, wantErr)
			}
		case c.want == "":
			if !errors.As(err, &lost) || lost.Count != 1 {
				t.Errorf("%s: %v, want a loss", what, err)
			}
		case err != nil:
			t.Errorf("%s: %v", what, err)
		case !bytes.Equal(got, unhex(t, c.want)):
			t.Errorf("%s: % x, want % x", what, got, unhex(t, c.want))
		}
	}
}

// TestDepth: Godot 4 follows 1024 levels.
func TestDepth(t *testing.T) {
	nested := func(levels int) []byte {
		return unhex(t, strings.Repeat("13000000 01000000", levels-1)+"13000000 00000000")
	}
	q := format.ConvertRequest{Dialect: "godot4"}
	if _, said, err := convert(t, FormatOf("godot3 raw"), nested(1024), q); err != nil || len(said) > 0 {
		t.Error(said, err)
	}
	_, said, err := convert(t, FormatOf("godot3 raw"), nested(1025), q)
	if err == nil || len(said) != 1 || !strings.HasSuffix(said[0], "stops: it is nested more than 1024 levels deep, which Godot 4 cannot read") {
		t.Error(said, err)
	}
}

// TestLarge: values that do not fit into memory get the right lengths and counts.
func TestLarge(t *testing.T) {
	const n = 300_000
	value := "1c000000 " + hex.EncodeToString([]byte{n & 0xff, n >> 8 & 0xff, n >> 16, 0}) + strings.Repeat("02000000 05000000", n-1) + "19000000"
	b := unhex(t, value)
	frame := append([]byte{byte(len(b)), byte(len(b) >> 8), byte(len(b) >> 16), 0}, b...)
	stream := append(frame, frame...)
	got, _, err := convert(t, FormatOf("godot4 stream"), stream, format.ConvertRequest{Dialect: "godot3", Lost: format.Dropped})
	if err != nil {
		t.Fatal(err)
	}
	want := unhex(t, "13000000 "+hex.EncodeToString([]byte{(n - 1) & 0xff, (n - 1) >> 8 & 0xff, (n - 1) >> 16, 0})+strings.Repeat("02000000 05000000", n-1))
	want = append([]byte{byte(len(want)), byte(len(want) >> 8), byte(len(want) >> 16), 0}, want...)
	if !bytes.Equal(got, append(want, want...)) {
		t.Errorf("%d bytes, want %d, or others", len(got), 2*len(want))
	}
}

// bothWrote are values that both engines wrote, each into a file of testdata.
var bothWrote = []string{"array-empty", "basis-identity", "bool-true", "dictionary-empty", "float-inf", "float-nan", "float-one-and-half",
	"int-minus-one", "node-path-empty", "object-null", "rid-empty", "string-len5", "transform2d-identity", "transform-1-to-12 transform3d-1-to-12"}

// TestEngines: a conversion to Godot 4 gives what Godot 4 itself writes, and the reverse.
func TestEngines(t *testing.T) {
	all := map[string]File{}
	for _, f := range Files(t) {
		all[f.Name] = f
	}
	for _, names := range bothWrote {
		three, four, different := strings.Cut(names, " ")
		if !different {
			four = three
		}
		files := [2]File{all[filepath.Join("godot3", three)], all[filepath.Join("godot4", four)]}
		if files[0].Data == nil || files[1].Data == nil {
			t.Fatal(names, "are not all there")
		}
		for i, to := range []string{"godot4", "godot3"} {
			got, _, err := convert(t, files[i].Format, files[i].Data, format.ConvertRequest{Dialect: to})
			if err != nil || !bytes.Equal(got, files[1-i].Data) {
				t.Errorf("%s to %s: %v, % x, and the engine writes % x", names, to, err, got, files[1-i].Data)
			}
		}
	}
}

// TestThereAndBack: files of Godot 3 are restored after a conversion to any other dialect that can express
// them, except whole objects.
func TestThereAndBack(t *testing.T) {
	tried := map[string]int{}
	for _, f := range Files(t) {
		if !f.Engine || !strings.HasPrefix(f.Name, "godot3"+string(filepath.Separator)) || strings.Contains(f.Name, "object-full") {
			continue
		}
		for _, to := range []string{"godot4", "pandemonium", "pandemonium4", "pandemonium3"} {
			there, _, err := convert(t, f.Format, f.Data, format.ConvertRequest{Dialect: to})
			if err != nil {
				t.Errorf("%s to %s: %v", f.Name, to, err)
				continue
			}
			framing := f.Format.Framing.String()
			back, _, err := convert(t, FormatOf(to+" "+framing), there, format.ConvertRequest{Dialect: "godot3"})
			if err != nil || !bytes.Equal(back, f.Data) {
				t.Errorf("%s by way of %s: %v, it differs", f.Name, to, err)
			}
			tried[to]++
		}
	}
	if tried["godot4"] < 15 {
		t.Error("few files: ", tried)
	}
}

// FuzzConvert: any bytes are converted or refused, and the result can be read.
func FuzzConvert(f *testing.F) {
	for _, file := range Files(f) {
		f.Add(file.Data, uint8(0), uint8(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, how, lost uint8) {
		from := []string{"godot3 raw", "godot4 stream", "pandemonium raw", "godot3 double", "godot4 raw"}[how%5]
		to := []string{"godot4", "godot3", "pandemonium", "pandemonium3"}[how/5%4]
		q := format.ConvertRequest{Dialect: to, Lost: []format.Outcome{format.Stops, format.Dropped, format.Nulled, format.Described}[lost%4]}
		is := FormatOf(from)
		got, _, err := convert(t, is, data, q)
		if err != nil {
			return
		}
		again := FormatOf(to + " " + is.Framing.String())
		again.Double = is.Double && to != "godot4"
		if _, _, err := convert(t, again, got, format.ConvertRequest{Dialect: to}); err != nil && strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s % x to %s: % x: %v", from, data, to, got, err)
		}
	})
}
