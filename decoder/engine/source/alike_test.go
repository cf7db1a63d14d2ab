package source

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAlike checks that common runs are equal and in order, and that after changes of bytes, with and
// without another length, most of the rest is found again.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a := make([]byte, 2<<20)
	for i := range a {
		a[i] = byte(r.Uint32())
	}
	for name, change := range map[string]func([]byte) []byte{
		"none":        func(b []byte) []byte { return b },
		"in place":    func(b []byte) []byte { copy(b[1<<20:], "other bytes"); return b },
		"first bytes": func(b []byte) []byte { return b[100:] },
		"added":       func(b []byte) []byte { return slices.Insert(b, 1<<20, bytes.Repeat([]byte("added"), 1000)...) },
		"removed":     func(b []byte) []byte { return slices.Delete(b, 5000, 500_000) },
		"several": func(b []byte) []byte {
			b = slices.Insert(b, 3000, 'x')
			b = slices.Delete(b, 900_000, 900_003)
			b[1<<20]++
			return b
		},
		"much of it":   func(b []byte) []byte { return slices.Insert(b, 700_000, a[:600_000]...) },
		"near the end": func(b []byte) []byte { b[len(b)-sameBlock/2]++; return b },
		"another file": func(b []byte) []byte { return bytes.Repeat([]byte("another"), 1000) },
	} {
		b := change(slices.Clone(a))
		same, err := Alike(context.Background(), Bytes(a), Bytes(b))
		if err != nil {
			t.Fatal(err)
		}
		all, endA, endB := int64(0), int64(0), int64(0)
		for _, s := range same {
			if s.A < endA || s.B < endB || !bytes.Equal(a[s.A:s.A+s.Length], b[s.B:s.B+s.Length]) {
				t.Fatalf("%s: %v after %#x and %#x is not the same", name, s, endA, endB)
			}
			all, endA, endB = all+s.Length, s.A+s.Length, s.B+s.Length
		}
		want := int64(min(len(a), len(b))) - 1000
		if name == "another file" {
			want = 0
		}
		if all < want {
			t.Errorf("%s: only %d of %d bytes are found in %v", name, all, want, same)
		}
		if name != "another file" && (endA != int64(len(a)) || endB != int64(len(b))) {
			t.Errorf("%s: the common end is not found: %v of %#x and %#x bytes", name, same, len(a), len(b))
		}
	}
}

// TestAlikeWork checks that for many changes close together about as many bytes are read as they are apart,
// not as many as the largest reach.
func TestAlikeWork(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := make([]byte, 1<<20)
	for i := range a {
		a[i] = byte(r.Uint32())
	}
	for name, change := range map[string]func(b []byte, at int) []byte{
		"in place": func(b []byte, at int) []byte { b[at]++; return b },
		"added":    func(b []byte, at int) []byte { return slices.Insert(b, at, 'x') },
	} {
		b, changes := slices.Clone(a), 0
		for at := len(b) - 700; at > 0; at -= 700 {
			b, changes = change(b, at), changes+1
		}
		read := &countedReads{Source: Bytes(a)}
		same, err := Alike(context.Background(), read, Bytes(b))
		if err != nil || len(same) < changes*9/10 {
			t.Fatalf("%s: %d runs of %d, %v", name, len(same), changes, err)
		}
		if most := int64(changes) * (32 << 10); read.bytes > most {
			t.Errorf("%s: %d bytes are read for %d changes, more than %d", name, read.bytes, changes, most)
		}
	}
}

// countedReads counts the bytes that are read.
type countedReads struct {
	Source
	bytes int64
}

func (c *countedReads) ReadAt(b []byte, off int64) (int, error) {
	c.bytes += int64(len(b))
	return c.Source.ReadAt(b, off)
}
