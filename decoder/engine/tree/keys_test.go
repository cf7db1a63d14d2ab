package tree_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// TestManyRepeatedKeys: the paths of entries with the same key are found in one pass, not in one each: the
// budget of a call is far smaller than the dictionary.
func TestManyRepeatedKeys(t *testing.T) {
	const entries = 5000
	data := append(words(27, entries), bytes.Repeat(words(2, 7, 2, 1), entries)...)
	tr := open(t, "godot4", godot.Raw, data)
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := tr.NewReader()
	r.Budget = 100
	s := tr.Scanner()
	for i := 0; ; {
		ev := s.Next()
		if ev == tree.Done {
			break
		}
		if ev != tree.Atom || s.Slot().Key {
			continue
		}
		want := "$[7]"
		if i++; i > 1 {
			want = fmt.Sprintf("$[7]#%d", i)
		}
		if got := r.Path(s.Current(ev)); got != want {
			t.Fatalf("entry %d has the path %s, not %s", i, got, want)
		}
	}
}

// countedReads counts the bytes that are read of a source.
type countedReads struct {
	source.Source
	n int64
}

func (c *countedReads) ReadAt(p []byte, off int64) (int, error) {
	c.n += int64(len(p))
	return c.Source.ReadAt(p, off)
}

// TestFindRepeatedKeys: entries with the same key are found in one pass, too.
func TestFindRepeatedKeys(t *testing.T) {
	const entries = 5000
	tr := open(t, "godot4", godot.Raw, append(words(27, entries), bytes.Repeat(words(2, 7, 2, 1), entries)...))
	counted := &countedReads{Source: tr.Source}
	tr.Source = counted
	r := tr.NewReader()
	for i := range int64(entries) {
		n, err := r.Resolve(fmt.Sprintf("$[7]#%d", i+1))
		if err != nil || n.Slot.Index != i {
			t.Fatalf("$[7]#%d is %v, %v", i+1, n, err)
		}
	}
	if most := int64(entries) * 40 << 10; counted.n > most {
		t.Errorf("%d bytes were read, more than %d", counted.n, most)
	}
}

// TestPathsInManyValues: the path of an entry in each of many values takes no more than the bytes of these.
func TestPathsInManyValues(t *testing.T) {
	const values = 5000
	data := append(words(28, values), bytes.Repeat(words(27, 2, 2, 7, 2, 1, 2, 8, 2, 1), values)...)
	tr := open(t, "godot4", godot.Raw, data)
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := tr.Scanner()
	counted := &countedReads{Source: tr.Source}
	tr.Source = counted
	r := tr.NewReader()
	eachLater(s, func(i int, n *tree.Node) {
		if got, want := r.Path(n), fmt.Sprintf("$[%d][8]", i); got != want {
			t.Fatalf("the path is %s, not %s", got, want)
		}
	})
	if most := 4 * int64(len(data)); counted.n > most {
		t.Errorf("%d bytes were read, more than %d", counted.n, most)
	}
}

// TestKeySet: a set counts any number of keys, and is empty for the next value.
func TestKeySet(t *testing.T) {
	var set tree.KeySet
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{3, 31, 32, 33, 34, 500, 10_000, 7} {
		set.Clear()
		want := map[uint64]int32{}
		for range n {
			h := uint64(random.IntN(n)) << random.IntN(40)
			if got := set.Add(h); got != want[h] {
				t.Fatalf("%d keys: key %d was there %d times, not %d", n, h, got, want[h])
			}
			want[h]++
		}
		for h := range uint64(2 * n) {
			if got := set.Count(h); got != want[h] {
				t.Fatalf("%d keys: key %d is there %d times, not %d", n, h, got, want[h])
			}
		}
	}
}

// TestPathsInTurn: finding the paths of entries of two values in turn takes one pass over each.
func TestPathsInTurn(t *testing.T) {
	const entries = 3000
	data := words(27, entries)
	for range entries {
		data = append(data, words(2, 7, 27, 2, 2, 1, 2, 1, 2, 1, 2, 1)...)
	}
	tr := open(t, "godot4", godot.Raw, data)
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := tr.NewReader()
	r.Budget = 1500 // of 18,000 values
	eachLater(tr.Scanner(), func(i int, n *tree.Node) {
		want := fmt.Sprintf("$[7]#%d[1]#2", i+1)
		if i == 0 {
			want = "$[7][1]#2"
		}
		if got := r.Path(n); got != want {
			t.Fatalf("entry %d has the path %s, not %s", i, got, want)
		}
	})
}

// eachLater passes values and calls do for each that is no container, no key, and not the first in its container; i counts them.
func eachLater(s *tree.Scanner, do func(i int, n *tree.Node)) {
	i := 0
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		if ev == tree.Atom && !s.Slot().Key && s.Slot().Index > 0 {
			do(i, s.Current(ev))
			i++
		}
	}
}
