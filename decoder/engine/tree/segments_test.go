package tree_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// A lazy reading passes nothing now and then, as a Passer may.
type lazy struct {
	*godot.Format
	random *rand.Rand
}

func (l lazy) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if l.random.IntN(3) == 0 {
		l.Format.Pass(w, parent, s)
	}
}

// TestSegmentsOfLazy: whatever is passed at once while segments are planned, each value is counted once.
// Many values end where the segments do.
func TestSegmentsOfLazy(t *testing.T) {
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		nest := nests[random.IntN(len(nests))]
		depth := 1 + random.IntN(80)
		data := append(bytes.Repeat(nest.before, depth), words(0)...)
		data = append(data, bytes.Repeat(nest.after, depth)...)
		count := func(every int64) (values int64) {
			tr := open(t, nest.dialect, godot.Raw, data)
			tr = tree.New(tr.Source, lazy{tr.Reading.(*godot.Format), rand.New(rand.NewPCG(1, uint64(n)))}, tr.Region)
			tr.SetSpacing(every, 1)
			err := tree.InSegments(ctx, tr, 1, func(ctx context.Context, s *tree.Scanner) (n int64) {
				s.PassOrdinary, s.Tally, s.Report = true, new(tree.Tally), func(span.Problem) {}
				s.Run(ctx, func(ev tree.Event) bool {
					if (ev == tree.Atom || ev == tree.Leave && s.Depth() > 0) && !s.Slot().Key {
						n++
					}
					return true
				})
				for _, of := range s.Tally.Types {
					n += of
				}
				return n
			}, func(n int64) error {
				values += n
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
		want := count(int64(len(data)))
		for _, every := range []int64{3, 12, 50} {
			if got := count(every); got != want {
				t.Fatalf("%d %s in segments of %d bytes: %d values, not %d", depth, nest.name, 4*every, got, want)
			}
		}
	}
}
