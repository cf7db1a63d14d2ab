package source

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
)

// TestDifferences: the differences of two sources lead from one to the other, and are no
// larger than they have to be.
func TestDifferences(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		from := make([]byte, r.IntN(3*comparedAtOnce)>>r.IntN(16))
		for i := range from {
			from[i] = byte(r.IntN(3))
		}
		to := bytes.Clone(from)
		for range r.IntN(5) {
			if len(to) > 0 {
				to[r.IntN(len(to))] ^= byte(r.IntN(2))
			}
		}
		if r.IntN(2) == 0 {
			to = spliced(t, to, randomSplices(r, int64(len(to))))
		}
		apart := r.Int64N(9) + 1
		var splices []Splice
		err := Differences(context.Background(), Bytes(from), Bytes(to), apart, func(s Splice) bool {
			splices = append(splices, s)
			return true
		})
		if err != nil || !bytes.Equal(spliced(t, from, splices), to) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		inOrder(t, splices, int64(len(from)))
		for i, s := range splices {
			is := content(t, s.New)
			was := from[s.Offset:s.End()]
			if len(was) > 0 && len(is) > 0 && (was[0] == is[0] || was[len(was)-1] == is[len(is)-1]) {
				t.Errorf("seed %d: %v begins or ends with what is the same", seed, s)
			}
			if i > 0 && s.Offset-splices[i-1].End() < apart {
				t.Errorf("seed %d: %v and %v are less than %d apart", seed, splices[i-1], s, apart)
			}
		}
	}
}

func TestDifferencesEnd(t *testing.T) {
	a, b := make([]byte, 100), bytes.Repeat([]byte{1, 0, 0, 0}, 25)
	n := 0
	if err := Differences(context.Background(), Bytes(a), Bytes(b), 1, func(Splice) bool { n++; return n < 3 }); err != nil || n != 3 {
		t.Errorf("%d calls, %v", n, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Differences(ctx, Bytes(a), Bytes(b), 1, func(Splice) bool { return true }); err == nil {
		t.Error("it goes on")
	}
}
