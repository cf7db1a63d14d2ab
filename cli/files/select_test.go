package files

import (
	"fmt"
	"slices"
	"testing"
)

// TestShards: each file is in one shard.
func TestShards(t *testing.T) {
	found := map[string]int{}
	for i := 1; i <= 5; i++ {
		s := Selected{shard: fmt.Sprintf("%d/5", i)}
		keep, err := s.part()
		if err != nil {
			t.Fatal(err)
		}
		in := 0
		for k := range 1000 {
			if path := fmt.Sprintf("saves/%d.dat", k); keep(path) {
				found[path]++
				in++
			}
		}
		if in < 100 || in > 300 {
			t.Errorf("%d of 1000 files in shard %d", in, i)
		}
	}
	if len(found) != 1000 {
		t.Errorf("%d files", len(found))
	}
	for path, n := range found {
		if n != 1 {
			t.Errorf("%s in %d shards", path, n)
		}
	}
}

func TestListed(t *testing.T) {
	for list, want := range map[string][]string{"a\r\nb\n\n": {"a", "b"}, "a\nb\x00c": {"a\nb", "c"}, "": nil, "x": {"x"}} {
		if got := listed([]byte(list)); !slices.Equal(got, want) {
			t.Errorf("%q: %q", list, got)
		}
	}
}
