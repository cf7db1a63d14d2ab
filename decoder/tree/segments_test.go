package tree_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/tree"
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

// TestSegmentsOfLazy: whatever is passed at once where segments are planned, each value is written and counted once. Many
// values end where the segments do.
func TestSegmentsOfLazy(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		nest := nests[random.IntN(len(nests))]
		depth := 1 + random.IntN(80)
		data := append(bytes.Repeat(nest.before, depth), words(0)...)
		data = append(data, bytes.Repeat(nest.after, depth)...)
		written := func(segment int64) string {
			tr := open(t, nest.dialect, godot.Raw, data)
			tr = tree.New(tr.Source, lazy{tr.Reading.(*godot.Format), rand.New(rand.NewPCG(1, uint64(n)))}, tr.Region)
			tr.TextSegment = segment
			var out bytes.Buffer
			for _, write := range []func(r *tree.Reader) error{
				func(r *tree.Reader) error { return r.WriteText(ctx, &out, &tr.Base.Value) },
				func(r *tree.Reader) error { return r.WriteJSON(ctx, &out, &tr.Base.Value) },
			} {
				if err := write(tr.NewReader()); err != nil {
					t.Fatal(err)
				}
			}
			return out.String()
		}
		want := written(int64(len(data)))
		for _, segment := range []int64{1, 50, 200} {
			if got := written(segment); got != want {
				t.Fatalf("%d %s in parts of %d bytes:\n%s\nwant\n%s", depth, nest.name, segment, got, want)
			}
		}
	}
}
