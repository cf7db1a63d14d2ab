package random

import (
	"context"
	"flag"
	"testing"

	"varview/model/savetest"
)

var (
	edits = flag.Int("edits", 80, "number of random edits")
	seed  = flag.Uint64("seed", 1, "of the random numbers, or of the first session")
	only  = flag.Int("case", -1, "the only edit that is made")
)

// TestProperties holds the properties of random edits in all formats. What is refused is not broken, but has to
// stay rare.
func TestProperties(t *testing.T) {
	t.Parallel()
	var folders []string
	for _, name := range []string{"godot3", "godot4", "pandemonium", "elephant", "gamemaker", "json", "msgpack", "kaitai", "resource", "godot-text"} {
		folders = append(folders, savetest.RepoFile(name))
	}
	x, err := NewRunner(context.Background(), folders...)
	if err != nil {
		t.Fatal(err)
	}
	if *only >= 0 {
		tally, err := x.One(context.Background(), *seed, *only)
		t.Fatal(err, tally.Broken, tally.Why)
	}
	tally, err := x.Run(context.Background(), *seed, *edits)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(tally.Table())
	for _, wrong := range tally.Broken {
		t.Error(wrong)
	}
	if tally.Cases < *edits/5 {
		t.Errorf("only %d of %d edits were made", tally.Cases, *edits)
	}
	for _, property := range Properties {
		if n := tally.Sum(property); n.Refused > 5+n.Held/5 {
			t.Errorf("%s: held %d times, refused %d times", property, n.Held, n.Refused)
		}
	}
}

// TestLists holds them of random lists in JSON and in Godot's text.
func TestLists(t *testing.T) {
	t.Parallel()
	lists := *edits / 2
	tally, err := Lists(context.Background(), t.TempDir(), *seed, lists)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range tally.Broken {
		t.Error(wrong)
	}
	if n := tally.Sum(Becomes); n.Refused > 0 || n.Held < lists {
		t.Errorf("%d lists: %+v", lists, n)
	}
}
