package hostile

import (
	"bytes"
	"testing"
)

// TestKinds: each kind has a name of its own, and its files are as large as was asked for,
// with the wrappers around them, and the same each time.
func TestKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds {
		if names[k.Name] || k.About == "" || k.Size == 0 {
			t.Errorf("%+v", k)
		}
		names[k.Name] = true
		for _, size := range []int{1000, 20_000} {
			b := k.Bytes(size)
			if len(b) == 0 || len(b) > 20*size+1000 {
				t.Errorf("%s: %d bytes for %d", k.Name, len(b), size)
			}
			if !bytes.Equal(b, k.Bytes(size)) {
				t.Errorf("%s: other bytes the second time", k.Name)
			}
		}
		if again, err := Named(k.Name); err != nil || again.Name != k.Name {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	if _, err := Named("friendly"); err == nil {
		t.Error("a kind that there is not")
	}
}
