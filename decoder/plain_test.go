package decoder

import (
	"encoding/hex"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/internal/variantref"
)

var plainFiles = flag.Int("plain", 100, "how many small files of each dialect and framing are opened")

// TestPlainFiles: small files of 8 to 200 bytes, as games write them, are read in their own dialect, or in
// a more common one that names theirs as an alternative. With -v it prints those read in another one;
// -plain opens more.
func TestPlainFiles(t *testing.T) {
	for _, c := range []struct {
		dialect string
		wrong   int // number of 1,000 files; in few bytes a rare dialect is not certain
	}{{"godot4", 0}, {"godot3", 0}, {"pandemonium", 10}, {"pandemonium4", 30}, {"pandemonium3", 40}} {
		for _, stream := range []bool{false, true} {
			r := rand.New(rand.NewPCG(28, 6))
			o := variantref.Options{Dialect: c.dialect, Stream: stream}
			sizes, wrong, lost := map[int]int{}, 0, 0
			for range *plainFiles {
				data := variantref.PlainFile(r, o, 200)
				d := open(t, data, Options{})
				if d.Dialect == c.dialect && (d.Framing == "stream") == stream || readsAlike(t, d, data, o) {
					continue
				}
				wrong++
				sizes[len(data)]++
				if !strings.Contains(strings.Join(d.Also, " "), c.dialect) && d.Confidence == Certain {
					lost++
				}
				t.Logf("%s, stream %t: %s %s %s, also %s: %x", c.dialect, stream, d.Dialect, d.Framing, d.Confidence, d.Also, data)
			}
			if wrong*1000 > c.wrong**plainFiles || lost > 0 {
				t.Errorf("%s, stream %t: %d of %d in another dialect, %d of them for certain; by size %v", c.dialect, stream, wrong, *plainFiles, lost, sizes)
			}
		}
	}
}

// readsAlike reports whether a file has the same values in the detected dialect as in its own.
func readsAlike(t *testing.T, d *Document, data []byte, o variantref.Options) bool {
	want, err := variantref.Read(data, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := variantref.Read(data, variantref.Options{Dialect: d.Dialect, Stream: d.Framing == "stream", BigEndian: d.BigEndian})
	return err == nil && got.Same(want)
}

// TestImplausible: bytes that read cleanly in several dialects are read in the one in which the values are
// not absurd.
func TestImplausible(t *testing.T) {
	for _, c := range []struct {
		name, dialect, bytes string
	}{
		{"an Array of Godot 3 as large as a Projection", "godot3", "13000000 06000000 04000000 04000000 4d697261 02000000 d9050000 00000000 01000000 01000000" +
			"03000100 7b14ae47e1e15540 04000000 08000000 6f665f6c69676874"},
		{"a Dictionary of Godot 3 as large as a Transform3D", "godot3", "12000000 02000000 04000000 02000000 68700000 02000000 57000000 04000000 04000000 676f6c64 02000000 d9050000"},
		{"a Vector4i of Pandemonium as large as a Vector4", "pandemonium", "0c000000 01000000 feffffff 03000000 fcffffff"},
		{"an Array of Pandemonium as large as a Signal", "pandemonium", "1a000000 01000000 04000000 02000000 68700000"},
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(c.bytes, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if d := open(t, data, Options{}); d.Dialect != c.dialect {
			t.Errorf("%s: %s, %s", c.name, d.Dialect, d.Confidence)
		}
	}
}
