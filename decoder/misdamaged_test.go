package decoder

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDamagedDialects: no damaged file is certain to be in another dialect.
func TestDamagedDialects(t *testing.T) {
	var files []string
	for _, folder := range []string{"godot3", "godot4", "pandemonium", "elephant"} {
		all, err := filepath.Glob(filepath.Join("../testdata", folder, "*.bin"))
		if err != nil || len(all) == 0 {
			t.Fatal(folder, err)
		}
		files = append(files, all...)
	}
	r := rand.New(rand.NewPCG(28, 6))
	for tried := 0; tried < 40; {
		name := files[r.IntN(len(files))]
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		right := open(t, b, Options{})
		if right.Confidence != Certain || right.Dialect == "" {
			continue // nothing says which dialect it is
		}
		tried++
		if family := strings.TrimRight(filepath.Base(filepath.Dir(name)), "0123456789"); !strings.HasPrefix(right.Dialect, family) {
			t.Errorf("%s is read as %s", name, right.Dialect)
		}
		damaged, how := damage(r, b)
		if d := open(t, damaged, Options{}); d.Confidence == Certain && d.Dialect != right.Dialect && d.Dialect != "" && !slices.Contains(d.Also, right.Dialect) {
			t.Errorf("%s, %s: for certain %s, not %s: %x", name, how, d.Dialect, right.Dialect, damaged)
		}
	}
}

// damage changes some bytes, and says how.
func damage(r *rand.Rand, b []byte) ([]byte, string) {
	b = slices.Clone(b)
	at := r.IntN(len(b))
	n := min(1+r.IntN(8), len(b)-at)
	switch r.IntN(5) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
		return b, "a bit flipped"
	case 1:
		for i := range n {
			b[at+i] = byte(r.Uint32())
		}
		return b, "bytes overwritten"
	case 2:
		return b[:at], "cut off"
	case 3:
		return slices.Delete(b, at, at+n), "bytes lost"
	}
	return slices.Insert(b, at, make([]byte, n)...), "zeros inserted"
}
