package random

import (
	"context"
	"flag"
	"testing"
)

var cases = flag.Int("merges", 200, "number of random merges")

// TestMerges merges random lists; more of them with -merges 20000.
func TestMerges(t *testing.T) {
	ctx := context.Background()
	x, err := NewMerger(ctx, "../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	tally, err := x.Run(ctx, *seed, *cases)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range tally.Wrong {
		t.Error(w)
	}
	if err := tally.Err(); err != nil {
		t.Error(err)
	}
	t.Log(tally.Table())
	if n := tally.Cases; tally.Sets < n/3 || tally.Chosen < n/12 || n-tally.Conflicts < n/2 || tally.Fewer+tally.ByPosition > n/50 {
		t.Error("too few merges are of use")
	}
}

// TestModel: what the plain model takes for right.
func TestModel(t *testing.T) {
	base := []element{{0, "a"}, {1, "b"}, {2, "b"}}
	ours, theirs := newSide(base), newSide(base)
	ours.list = (&edited{kind: deleted, id: 1}).make(ours.list)
	ours.touched[1] = true
	theirs.list = (&edited{kind: inserted, id: 3, at: 2, value: "x"}).make(theirs.list)
	theirs.placed[3] = true
	for _, c := range []struct {
		list string
		want bool
	}{{"axb", true}, {"abx", false}, {"ab", false}, {"abxb", false}, {"xab", false}} {
		var list []string
		for _, v := range c.list {
			list = append(list, string(v))
		}
		if join(base, ours, theirs).allows(list) != c.want {
			t.Errorf("%s is allowed: %v", c.list, !c.want)
		}
	}
}

// TestFewest: one value that is moved, and one that is set, are two edits, whether or not other values are like them.
func TestFewest(t *testing.T) {
	for _, c := range []struct{ base, is string }{{"abcdef", "acdbxf"}, {"tffftftttf", "tfftfffttf"}} {
		var lists [2][]element
		for k, s := range []string{c.base, c.is} {
			for i, v := range s {
				lists[k] = append(lists[k], element{i, string(v)})
			}
		}
		if n := fewest(lists[0], &side{list: lists[1]}); n != 2 {
			t.Errorf("%s to %s takes %d edits", c.base, c.is, n)
		}
	}
}
