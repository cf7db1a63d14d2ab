package variantref

import (
	"context"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	varview "varview/decoder"
	"varview/decoder/engine/source"
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
			o := Options{Dialect: c.dialect, Stream: stream}
			sizes, wrong, lost := map[int]int{}, 0, 0
			for range *plainFiles {
				data := plainFile(r, o, 200)
				d := open(t, data)
				if d.Dialect == c.dialect && (d.Framing == "stream") == stream || readsAlike(t, d, data, o) {
					continue
				}
				wrong++
				sizes[len(data)]++
				if !strings.Contains(strings.Join(d.Also, " "), c.dialect) && d.Confidence == varview.Certain {
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
func readsAlike(t *testing.T, d *varview.Document, data []byte, o Options) bool {
	want, err := Read(data, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(data, Options{Dialect: d.Dialect, Stream: d.Framing == "stream", BigEndian: d.BigEndian})
	return err == nil && got.Same(want)
}

func open(t *testing.T, data []byte) *varview.Document {
	d, err := varview.Open(context.Background(), source.Bytes(data), varview.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}
