package savegame

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "varview/internal/lessgc"
	"varview/model"
)

var plans = []Plan{
	{Mixed, Godot4, 1200 << 10, 7}, {MixedRaw, Godot4, 1200 << 10, 7}, {Mixed, Godot3, 1200 << 10, 7}, {MixedRaw, Godot3, 1200 << 10, 7},
	{Mixed, Godot4, 1 << 10, 7}, {MixedRaw, Godot3, 1 << 10, 7}, {Mixed, Godot4, 0, 7}, {MixedRaw, Godot4, 0, 7},
	{Mixed, Godot4, 70_000, 7}, {MixedRaw, Godot3, 300_000, 7},
	{Objects, Godot4, 1 << 20, 7}, {Objects, Godot3, 70_000, 7},
}

func bytesOf(t testing.TB, p Plan) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), p.Name())
	if err := p.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFilesAreValidAndOfTheirSize(t *testing.T) {
	for _, p := range plans {
		t.Run(p.Name(), func(t *testing.T) {
			b := bytesOf(t, p)
			if off := int64(len(b)) - p.Size; off < -1024 || off > 1024 {
				t.Errorf("%d bytes, %d off the plan", len(b), off)
			}
			checkVariants(t, b, p)
		})
	}
}

// TestCheckFindsNothing: the program's own check has nothing to say of the files but that there are objects.
func TestCheckFindsNothing(t *testing.T) {
	for _, p := range plans {
		path := filepath.Join(t.TempDir(), p.Name())
		if err := p.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		doc, err := model.Open(t.Context(), path, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		allowed := []string{"object-by-id", "object-in-data", "runs-code"}
		err = doc.Check(t.Context(), &model.Progress{}, func(found model.BufferProblem) bool {
			if !slices.Contains(allowed, found.Code) {
				t.Fatalf("%s: %s: %s", p.Name(), found.Code, found.Message)
			}
			return true
		})
		if err != nil || doc.Dialect != string(p.Dialect) {
			t.Errorf("%s: %s, %v", p.Name(), doc.Dialect, err)
		}
		doc.Close()
	}
}

func TestFramesVaryInSize(t *testing.T) {
	b := bytesOf(t, Plan{Mixed, Godot4, 64 << 20, 1})
	var tiny, small, middle, large int
	for len(b) > 0 {
		n := int(uint32At(b, 0))
		switch {
		case n < 60:
			tiny++
		case n < 10_000:
			small++
		case n < 1<<20:
			middle++
		case n > 8<<20:
			large++
		}
		b = b[4+n:]
	}
	if tiny < 100 || small < 1000 || middle < 200 || large < 1 {
		t.Errorf("%d frames under 60 bytes, %d under 10 KB, %d under 1 MiB, %d above 8 MiB", tiny, small, middle, large)
	}
}

// The numbers of different days are comparable only while the bytes are the same. When they must change, so must
// Version.
func TestBytesOfVersion(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		dialect Dialect
		want    string
	}{
		{Mixed, Godot4, "bf328bf5c2ea31b9"},
		{MixedRaw, Godot4, "506298fd56f37268"},
		{MixedRaw, Godot3, "7ffec9028f541c66"},
	} {
		h := sha256.Sum256(bytesOf(t, Plan{c.kind, c.dialect, 2 << 20, 1}))
		if got := hex.EncodeToString(h[:8]); got != c.want {
			t.Errorf("%s %s: bytes of version %d are %s, not %s", c.dialect, c.kind, Version, got, c.want)
		}
	}
	one, two := bytesOf(t, Plan{Mixed, Godot4, 4096, 1}), bytesOf(t, Plan{Mixed, Godot4, 4096, 2})
	if bytes.Equal(one, two) {
		t.Error("two seeds gave the same bytes")
	}
}

func TestPlansThatMeanNothing(t *testing.T) {
	for _, p := range []Plan{
		{"blob", Godot4, 1, 1}, {MixedRaw, "godot2", 1, 1}, {MixedRaw, Godot4, -1, 1},
		{Mixed, "elephant-1.5.1", 1, 1}, {GCPF, Godot4, 4 << 30, 1},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := p.WriteFile(path); err == nil {
			t.Errorf("%+v was written", p)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%+v left a file", p)
		}
	}
}

func TestSizes(t *testing.T) {
	for s, want := range map[string]int64{"1GiB": 1 << 30, "64MB": 64e6, "1KiB": 1024, "12": 12, "12B": 12, "0": 0} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "GiB", "-1", "1.5MB", "1 MB", "9999999999GiB"} {
		if n, err := ParseSize(s); err == nil {
			t.Errorf("ParseSize(%q) = %d", s, n)
		}
	}
	for n, want := range map[int64]string{1 << 30: "1GiB", 64e6: "64MB", 1536: "1536B", 0: "0B", 1001: "1001B", 256e6: "256MB"} {
		if got := FormatSize(n); got != want {
			t.Errorf("FormatSize(%d) = %s, not %s", n, got, want)
		}
	}
}

type nowhere struct{ io.Writer }

func (nowhere) WriteAt(b []byte, _ int64) (int, error) { return len(b), nil }

func BenchmarkWrite(b *testing.B) {
	for _, kind := range []Kind{Mixed, MixedRaw} {
		b.Run(string(kind), func(b *testing.B) {
			p := Plan{kind, Godot4, 64 << 20, 1}
			b.SetBytes(p.Size)
			for b.Loop() {
				if err := p.write(nowhere{io.Discard}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
