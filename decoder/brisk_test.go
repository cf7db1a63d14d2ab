package decoder

import (
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A brisk scanner must meet the same problems and end at the same place as one
// that looks at every value: on real files, and on the same with bytes changed.
func TestBriskScanMeetsTheSameProblems(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no real files: %v", err)
	}
	random := rand.New(rand.NewSource(1))
	passed := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 40 {
			damaged := slices.Clone(data)
			for range min(round, 3) {
				if len(damaged) > 0 {
					damaged[random.Intn(len(damaged))] = byte(random.Intn(256))
				}
			}
			for _, d := range godot.Dialects() {
				for _, framing := range []godot.Framing{godot.Raw, godot.Stream} {
					f := &godot.Format{Dialect: d, Framing: framing}
					slow, _ := scan(damaged, f, false)
					quick, n := scan(damaged, f, true)
					passed += n
					if !slices.Equal(slow, quick) {
						t.Fatalf("%s, round %d, %s %s:\nevery value: %v\nbrisk: %v", name, round, d.Name, framing, slow, quick)
					}
				}
			}
		}
	}
	if passed == 0 {
		t.Error("nothing was passed briskly")
	}
}

// scan returns the problems of a buffer, the place it ends last, and how often
// values were passed briskly.
func scan(data []byte, f *godot.Format, brisk bool) (met []span.Problem, passed int) {
	s := tree.New(source.Bytes(data), f, span.Between(0, int64(len(data)))).Scanner()
	s.Brisk = brisk
	s.Report = func(p span.Problem) { met = append(met, p) }
	for {
		switch s.Next() {
		case tree.Passed:
			passed++
		case tree.Done:
			return append(met, span.Problem{Span: span.Span{Offset: s.Pos()}}), passed
		}
	}
}
