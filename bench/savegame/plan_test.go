package savegame

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var plans = []Plan{
	{Stream, Godot4, 3 << 20, 7}, {Raw, Godot4, 3 << 20, 7}, {Dict, Godot4, 1 << 20, 7},
	{Stream, Godot3, 3 << 20, 7}, {Raw, Godot3, 3 << 20, 7}, {Dict, Godot3, 1 << 20, 7},
	{Stream, Godot4, 1 << 10, 7}, {Raw, Godot4, 1 << 10, 7}, {Dict, Godot3, 1 << 10, 7},
	{Stream, Godot4, 0, 7}, {Raw, Godot4, 0, 7},
	{Graph, Elephant, 3 << 20, 7}, {Graph, Elephant, 1 << 10, 7}, {Graph, Elephant, 0, 7},
	{Verbose, Elephant, 3 << 20, 7}, {Verbose, Elephant, 1 << 10, 7},
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
			skip := skipFile
			if p.Kind.inElephant() {
				skip = skipBlock
			}
			values, err := skip(b, p.Dialect, p.Kind)
			if err != nil {
				t.Fatal(err)
			}
			if p.Size > 1<<20 && values < 10_000 {
				t.Errorf("only %d values: hardly a tree", values)
			}
		})
	}
}

func TestFramesVaryInSize(t *testing.T) {
	b := bytesOf(t, Plan{Stream, Godot4, 32 << 20, 1})
	var small, middle, large int
	for len(b) > 0 {
		n := int(uint32At(b, 0))
		switch {
		case n < 1000:
			small++
		case n < 100_000:
			middle++
		case n > 1<<20:
			large++
		}
		b = b[4+n:]
	}
	if small < 1000 || middle < 500 || large < 1 {
		t.Errorf("%d frames under 1 KB, %d under 100 KB, %d above 1 MiB", small, middle, large)
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
		{Stream, Godot4, "06db4dfbf9528519"},
		{Raw, Godot4, "7ad96dd6a47a6d10"},
		{Dict, Godot4, "ad1b49fc641184d9"},
		{Graph, Elephant, "cd832bc8ab982849"},
		{Verbose, Elephant, "5df5826653bbd80a"},
	} {
		h := sha256.Sum256(bytesOf(t, Plan{c.kind, c.dialect, 2 << 20, 1}))
		if got := hex.EncodeToString(h[:8]); got != c.want {
			t.Errorf("%s: bytes of version %d are %s, not %s", c.kind, Version, got, c.want)
		}
	}
	one, two := bytesOf(t, Plan{Stream, Godot4, 4096, 1}), bytesOf(t, Plan{Stream, Godot4, 4096, 2})
	if bytes.Equal(one, two) {
		t.Error("two seeds gave the same bytes")
	}
}

func TestPlansThatMeanNothing(t *testing.T) {
	for _, p := range []Plan{
		{"blob", Godot4, 1, 1}, {Raw, "godot2", 1, 1}, {Raw, Godot4, -1, 1},
		{Graph, Godot4, 1, 1}, {Stream, Elephant, 1, 1}, {GCPF, Godot4, 4 << 30, 1},
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
	for _, kind := range []Kind{Stream, Raw, Dict} {
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
