package tree_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// TestResyncAtOnce: if a damaged block is read in two goroutines at the same time, each finds the places
// where reading resumes that one alone finds. The second one to arrive must not search with what the first
// has learnt beyond them.
func TestResyncAtOnce(t *testing.T) {
	data, err := os.ReadFile(elephantFiles + "v1-5-1-ctor-nested-in-struct.bin")
	if err != nil {
		t.Fatal(err)
	}
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	for _, at := range []int{42, 75} {
		damaged := slices.Delete(slices.Clone(data), at, at+1)
		open := func() *tree.Tree {
			f, region := elephantFormat(damaged, 0xff, nil)
			return tree.New(source.Bytes(damaged), f(), region)
		}
		alone := open()
		want := valuesOf(t, alone)
		if !alone.IsResynced() {
			t.Fatalf("without the byte at %d nothing resumes", at)
		}
		for range rounds {
			tr := open()
			var got [2]string
			var both sync.WaitGroup
			for i := range got {
				both.Go(func() { got[i] = valuesOf(t, tr) })
			}
			both.Wait()
			if got[0] != want || got[1] != want {
				t.Fatalf("without the byte at %d:\n%s\n%s\ninstead of\n%s", at, got[0], got[1], want)
			}
		}
	}
}

// valuesOf reads all values in one pass.
func valuesOf(t *testing.T, tr *tree.Tree) string {
	var all strings.Builder
	r := tr.NewReader()
	if err := r.WriteText(context.Background(), &all, &tr.Base.Value); err != nil {
		t.Error(err)
	}
	return all.String()
}
