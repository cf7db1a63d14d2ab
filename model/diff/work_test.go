package diff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/model/compare"
	"varview/model/savetest"
)

// manyItems is a list of dictionaries, of which some have another number, and before some of which
// there is another one.
func manyItems(n int, isOther, isAdded func(k int) bool) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	var all [][]byte
	item := func(id, qty int) {
		all = append(all, dictionary(text("id"), integer(int32(id)), text("qty"), integer(int32(qty)), text("name"), text(fmt.Sprintf("item %d%s", id, strings.Repeat(" x", 100)))))
	}
	for k := range n {
		if isAdded(k) {
			item(k+1_000_000, 1)
		}
		qty := r.IntN(1000)
		if isOther(k) {
			qty += 5000
		}
		item(k, qty)
	}
	return array(all...)
}

// TestManyChanges holds that twice as many changes take about twice the work: bytes and objects
// that are allocated. A look at all bytes, or all changes, for each change would take four times as much.
func TestManyChanges(t *testing.T) {
	never := func(int) bool { return false }
	every := func(of, is int) func(int) bool { return func(k int) bool { return k%of == is } }
	for name, do := range map[string]func(t *testing.T, n int) (work func(), check func()){
		"merge": func(t *testing.T, n int) (func(), func()) {
			base, theirs := open(t, manyItems(n, never, never)), open(t, manyItems(n, every(2, 1), never))
			x := begin(t, open(t, manyItems(n, every(2, 0), never)))
			return func() {
					conflicts, err := MergeTrees(context.Background(), x, base.Tree, theirs.Tree, compare.Options{Alike: true}, nil)
					if err != nil || len(conflicts) > 0 {
						t.Fatal(err, len(conflicts))
					}
				}, func() {
					wantBytes(t, x, manyItems(n, func(int) bool { return true }, never))
				}
		},
		"merge of added": func(t *testing.T, n int) (func(), func()) {
			base, theirs := open(t, manyItems(n, never, never)), open(t, manyItems(n, every(8, 4), never))
			x := begin(t, open(t, manyItems(n, never, every(8, 0))))
			return func() {
					conflicts, err := MergeTrees(context.Background(), x, base.Tree, theirs.Tree, compare.Options{Alike: true}, nil)
					if err != nil || len(conflicts) > 0 {
						t.Fatal(err, len(conflicts))
					}
				}, func() {
					wantBytes(t, x, manyItems(n, every(8, 4), every(8, 0)))
				}
		},
		"patch and apply": func(t *testing.T, n int) (func(), func()) {
			a, want := manyItems(n, never, never), manyItems(n, every(2, 0), every(4, 1))
			from, to := begin(t, open(t, a)), open(t, want)
			x := begin(t, open(t, a))
			return func() {
				if _, err := Become(context.Background(), from, to.Tree, compare.Options{Alike: true}); err != nil {
					t.Fatal(err)
				}
				if err := x.Apply(context.Background(), from.Ops(), edit.Options{}); err != nil {
					t.Fatal(err)
				}
			}, func() { wantBytes(t, x, want) }
		},
		"patch of moves in a text": func(t *testing.T, n int) (func(), func()) {
			return movedInText(t, n, func(k int) int { return n - 1 - k })
		},
		"patch of a text whose beginning is its end": func(t *testing.T, n int) (func(), func()) {
			return movedInText(t, n, func(k int) int { return (k + n/3) % n })
		},
		"set": func(t *testing.T, n int) (func(), func()) {
			x := begin(t, open(t, manyItems(n, never, never)))
			return func() {
					if _, err := x.SetAll(context.Background(), "..qty", "+5000", edit.Options{}); err != nil {
						t.Fatal(err)
					}
				}, func() {
					wantBytes(t, x, manyItems(n, func(int) bool { return true }, never))
				}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var last [2]uint64
			for n := 500; n <= 2000; n *= 2 {
				work, check := do(t, n)
				var was, is runtime.MemStats
				runtime.ReadMemStats(&was)
				work()
				runtime.ReadMemStats(&is)
				check()
				now := [2]uint64{is.TotalAlloc - was.TotalAlloc, is.Mallocs - was.Mallocs}
				for i, of := range []string{"bytes", "objects"} {
					if last[i] > 0 && float64(now[i]) > 2.5*float64(last[i]) {
						t.Errorf("%d elements: %d %s, %.1f times as many as for half of them", n, now[i], of, float64(now[i])/float64(last[i]))
					}
				}
				last = now
			}
		})
	}
}

// movedInText makes a patch between texts of n elements, which one of them has in another order.
func movedInText(t *testing.T, n int, nth func(k int) int) (work, check func()) {
	list := func(nth func(k int) int) []byte {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, ", {\"id\": %d, \"name\": \"item%s\"}", nth(k), strings.Repeat(" x", 100))
		}
		return []byte("[" + b.String()[2:] + "]")
	}
	want := list(nth)
	from := begin(t, openAs(t, savetest.Write(t, list(func(k int) int { return k })), "json", ""))
	to := openAs(t, savetest.Write(t, want), "json", "")
	return func() {
		if _, err := Become(context.Background(), from, to.Tree, compare.Options{Alike: true}); err != nil {
			t.Fatal(err)
		}
	}, func() { wantBytes(t, from, want) }
}
