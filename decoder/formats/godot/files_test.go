package godot_test

// This file has what the tests of all parts of the family share: the files of testdata, trees of hex digits, and checks of
// edited files.

import (
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
)

// A File is a file of testdata with the format in which it is read.
type File struct {
	Name     string
	Format   *godot.Format
	Data     []byte
	Engine   bool           // an engine wrote it
	Problems map[string]int // its problems, if it is sound
}

// Files returns the files of testdata that are not in a wrapper. The damaged ones are read as one value and
// as a stream.
func Files(t testing.TB) []File {
	var all []File
	for _, dir := range []string{"godot3", "godot4", "pandemonium", "handmade", "damaged"} {
		names, err := filepath.Glob(filepath.Join(testdata(), dir, "*.bin"))
		if err != nil || len(names) == 0 {
			t.Fatal("no files in ", dir)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			short := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".bin"))
			if dir == "damaged" {
				all = append(all, File{Name: short + " raw", Format: FormatOf("godot4 raw"), Data: data},
					File{Name: short + " stream", Format: FormatOf("godot4 stream"), Data: data})
				continue
			}
			f := FormatOf(readAs(t, short))
			all = append(all, File{short, f, data, dir != "handmade", Problems(t, TreeOf(f, data))})
		}
	}
	return all
}

// fuzzFiles does something with any bytes, in any format, beginning with those of small files.
func fuzzFiles(f *testing.F, do func(testing.TB, *godot.Format, []byte)) {
	for i, file := range Files(f) {
		if len(file.Data) < 300 {
			f.Add(uint8(i), file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, as uint8, data []byte) {
		if len(data) > 400 {
			return
		}
		d := godot.Dialects()[int(as)%len(godot.Dialects())]
		do(t, godot.New(godot.Settings{Dialect: d, Framing: godot.Framing(as >> 3 & 1), BigEndian: as>>4&1 != 0, Double: as>>5&1 != 0}), data)
	})
}

// testdata returns the folder of test data at the root of the module, relative to that of the running test.
func testdata() string {
	root := "."
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil || len(root) > 40 {
			return filepath.Join(root, "testdata")
		}
		root = filepath.Join(root, "..")
	}
}

// readAs returns the format of a file of testdata, as FormatOf takes it.
func readAs(t testing.TB, name string) string {
	dir, base := filepath.Split(name)
	switch {
	case dir == "handmade/":
		for _, d := range []string{"godot4-docs", "godot3-early-docs", "godot4", "godot3", "pandemonium3"} {
			if rest, ok := strings.CutPrefix(base, d+"-"); ok {
				switch rest {
				case "double":
					return d + " double"
				case "stream":
					return d + " stream"
				case "big-endian-lengths":
					return d + " big-endian"
				}
				return d + " raw"
			}
		}
	case strings.HasPrefix(base, "p42-"):
		return "pandemonium4 " + framingOf(t, name)
	case strings.HasPrefix(base, "p53-"):
		return "pandemonium " + framingOf(t, name)
	}
	return strings.TrimSuffix(dir, "/") + " " + framingOf(t, name)
}

// framingOf returns the framing in the truth of a file.
func framingOf(t testing.TB, name string) string {
	var truth struct{ Framing string }
	data, err := os.ReadFile(filepath.Join(testdata(), name+".truth.json"))
	if err == nil {
		err = json.Unmarshal(data, &truth)
	}
	if err != nil {
		t.Fatal(err)
	}
	if truth.Framing == "raw" {
		return "raw"
	}
	return "stream"
}

// FormatOf makes a format of "dialect framing".
func FormatOf(as string) *godot.Format {
	name, framing, _ := strings.Cut(as, " ")
	d, ok := godot.ByName(name)
	if !ok {
		panic("no dialect " + name)
	}
	f := godot.New(godot.Settings{Dialect: d, Double: framing == "double", BigEndian: framing == "big-endian"})
	if framing == "stream" || f.BigEndian {
		f.Framing = godot.Stream
	}
	return f
}

// TreeOf is the tree of a buffer.
func TreeOf(f *godot.Format, data []byte) *tree.Tree {
	return tree.New(source.Bytes(data), f, span.Between(0, int64(len(data))))
}

// Read makes a tree of hex digits in a dialect, "godot4" or "godot4 stream".
func Read(t testing.TB, as, digits string) *tree.Tree {
	return TreeOf(FormatOf(as), Bytes(t, digits))
}

// Bytes returns the bytes of hex digits, which blanks may separate.
func Bytes(t testing.TB, digits string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Encoded is the bytes of a literal.
func Encoded(f *godot.Format, text string) ([]byte, error) {
	l, err := literal.Parse(f.Dialect, text)
	if err != nil {
		return nil, err
	}
	return encode.Bytes(f.Variant(), text, &l)
}

// Mutated returns data with a byte changed, bytes removed or inserted, or its end cut off.
func Mutated(r *rand.Rand, data []byte) []byte {
	at := r.IntN(len(data))
	b := append([]byte{}, data[:at]...)
	switch r.IntN(5) {
	case 0:
		return b
	case 1:
		return append(b, data[min(at+1+r.IntN(8), len(data)):]...)
	case 2:
		for range 1 + r.IntN(8) {
			b = append(b, byte(r.IntN(256)))
		}
		return append(b, data[at:]...)
	case 3:
		return append(append(b, data[at]^1<<r.IntN(8)), data[at+1:]...)
	}
	return append(append(b, byte(r.IntN(256))), data[at+1:]...)
}
