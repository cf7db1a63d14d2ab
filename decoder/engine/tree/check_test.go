package tree_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/internal/elephantref"
)

// careful returns the problems reported by a scanner that passes one value after the other, and the values
// that they are about.
func careful(t testing.TB, tr *tree.Tree) (problems []span.Problem, at []string) {
	t.Helper()
	s := tr.Scanner()
	s.Report = func(p span.Problem) {
		problems = append(problems, p)
		at = append(at, identity(p, s.Subject()))
	}
	if err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return problems, at
}

func identity(p span.Problem, n *tree.Node) string {
	return fmt.Sprintf("%s %s at %v in %d at %d, %v", p.Code, p.Message, p.Span, n.Depth, n.Start, n.Slot)
}

// sameInSegments checks that checking in segments reports the same as a careful reading, with and without
// an index.
func sameInSegments(t testing.TB, data []byte, f func() tree.Reading, region span.Span) {
	t.Helper()
	_, want := careful(t, tree.New(source.Bytes(data), f(), region))
	for _, every := range []int64{2, 30, 1 << 10} {
		for way := range 4 {
			tr := tree.New(source.Bytes(data), f(), region)
			tr.SetSpacing(every, 0)
			if way&1 > 0 {
				tr.BuildIndex(context.Background())
			}
			var got []string
			err := tr.Check(context.Background(), tree.CheckOptions{Workers: 1 + way/2}, func(p span.Problem, n *tree.Node) { got = append(got, identity(p, n)) })
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				if i >= len(got) || got[i] != w {
					t.Fatalf("%d bytes, segments of %d, way %d: problem %d\n%s, want\n%s", len(data), 4*every, way, i, slices.Concat(got, []string{"none"})[min(i, len(got))], w)
				}
			}
			if len(got) > len(want) {
				t.Fatalf("%d bytes, segments of %d, way %d: too many: %s", len(data), 4*every, way, got[len(want)])
			}
		}
	}
}

// TestCheckInSegments: it does not matter where segments begin.
func TestCheckInSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for round := range randomRounds(12) {
		for _, dialect := range []string{"godot4", "godot3", "pandemonium"} {
			framing := godot.Framing(round % 2)
			data := godotBuffer(t, r, dialect, framing)
			for range round % 3 { // damage
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
			sameInSegments(t, data, func() tree.Reading { return reader(dialect, framing) }, span.Between(0, int64(len(data))))
		}
	}
}

func reader(dialect string, framing godot.Framing) tree.Reading {
	d, _ := godot.ByName(dialect)
	return godot.New(godot.Settings{Dialect: d, Framing: framing})
}

// TestKeysInSegments: a key is compared with the keys of all earlier segments.
func TestKeysInSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	for range randomRounds(12) {
		n := 1 + r.IntN(3000)
		data := words(27, uint32(n))
		for range n {
			data = append(data, words(2, uint32(r.IntN(4*n)))...)
			if r.IntN(50) == 0 {
				data = append(data, words(27, 3, 2, 1, 0, 2, uint32(r.IntN(3)), 0, 2, 7, 0)...)
			} else {
				data = append(data, words(2, 5)...)
			}
		}
		sameInSegments(t, data, func() tree.Reading { return reader("godot4", godot.Raw) }, span.Between(0, int64(len(data))))
	}
}

// TestManyProblems: only some of the problems of a segment are kept in memory.
func TestManyProblems(t *testing.T) {
	data := append(words(28, 50_000), bytes.Repeat(words(1, 2), 50_000)...)
	tr := tree.New(source.Bytes(data), reader("godot4", godot.Raw), span.Between(0, int64(len(data))))
	n := int64(0)
	err := tr.Check(context.Background(), tree.CheckOptions{Workers: 2}, func(p span.Problem, at *tree.Node) {
		if want := 12 + 8*n; p.Offset != want || at.Slot.Index != n {
			t.Fatalf("problem %d at %d, of child %d", n, p.Offset, at.Slot.Index)
		}
		n++
	})
	if n != 50_000 || err != nil {
		t.Error(n, err)
	}
}

// TestElephantInSegments: later segments know what a segment has learnt.
func TestElephantInSegments(t *testing.T) {
	for i, b := range builtBlocks(t, 3+randomRounds(3)) {
		b.damage(rand.New(rand.NewPCG(uint64(i), 7)), i/len(elephantref.Versions())%3)
		f, region := elephantFormat(b.data, b.how, b.libraries)
		sameInSegments(t, b.data, f, region)
	}
}
