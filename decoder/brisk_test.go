package decoder

import (
	"bytes"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// A brisk scanner must meet the same problems and end at the same place as one that reads every value: in
// real files, and in the same files with bytes changed.
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
		for round := range 15 {
			damaged := slices.Clone(data)
			for range min(round, 3) {
				if len(damaged) > 0 {
					damaged[random.Intn(len(damaged))] = byte(random.Intn(256))
				}
			}
			for _, d := range godot.Dialects() {
				for _, framing := range []godot.Framing{godot.Raw, godot.Stream} {
					passed += sameProblems(t, damaged, godot.New(godot.Settings{Dialect: d, Framing: framing}))
				}
			}
		}
	}
	if passed == 0 {
		t.Error("nothing was passed briskly")
	}
}

// Values nested about as deep as an engine follows are passed without losing a problem.
func TestBriskScanAtTheDeepestLevel(t *testing.T) {
	for _, d := range godot.Dialects() {
		id := byte(slices.Index(d.Types(), "Array"))
		for levels := 1020; levels <= 1030; levels++ {
			data := bytes.Repeat([]byte{id, 0, 0, 0, 1, 0, 0, 0}, levels)
			sameProblems(t, append(data, 0, 0, 0, 0), godot.New(godot.Settings{Dialect: d}))
		}
	}
}

// sameProblems compares a brisk scan with one of every value; it returns how often values were passed
// briskly.
func sameProblems(t *testing.T, data []byte, f *godot.Format) (passed int) {
	t.Helper()
	slow, _ := scan(data, f, false)
	quick, passed := scan(data, f, true)
	if !slices.Equal(slow, quick) {
		t.Fatalf("%s %s, %d bytes:\nevery value: %v\nbrisk: %v", f.Dialect.Name, f.Framing, len(data), slow, quick)
	}
	return passed
}

func FuzzBriskScan(f *testing.F) {
	files, _ := filepath.Glob("testdata/*")
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, byte(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, way byte) {
		dialects := godot.Dialects()
		sameProblems(t, data, godot.New(godot.Settings{
			Dialect: dialects[int(way>>1)%len(dialects)],
			Framing: godot.Framing(way & 1),
			Double:  way&0x40 != 0,
		}))
	})
}

// scan returns the problems of a buffer, the place where the scan ends, and how often values were passed
// briskly.
func scan(data []byte, f *godot.Format, brisk bool) (met []span.Problem, passed int) {
	s := tree.New(source.Bytes(data), f, span.Between(0, int64(len(data)))).Scanner()
	s.PassOrdinary = brisk
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
