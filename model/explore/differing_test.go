package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/tree"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/savetest"
)

// differing returns an explorer of one save that shows what differs from another one, all unfolded.
func differing(t *testing.T, here, there []byte, height int) *Explorer {
	t.Helper()
	d := open(t, here, "raw")
	buildIndex(t, d)
	found, err := diff.Open(context.Background(), d, savetest.Write(t, there), nil)
	must(t, err)
	t.Cleanup(func() { found.Other.Close() })
	must(t, found.Compare(context.Background(), d))
	x := New(d.Innermost())
	x.Indexed()
	x.SetHeight(height)
	must(t, x.UnfoldTo(tree.MaxDepth))
	x.ShowDiffering(NewDiffering(found))
	return x
}

// shownRows are all rows from the top one on, as the cursor comes to them.
func shownRows(t *testing.T, x *Explorer) (rows []string) {
	t.Helper()
	must(t, x.First())
	for {
		all, _ := x.Rows(40)
		i := slices.IndexFunc(all, func(r Row) bool { return r.Selected })
		if i < 0 || len(all) > x.outline.height {
			t.Fatalf("the selected row is the %d-th of %d in view", i, len(all))
		}
		r := all[i]
		row := strings.Repeat("  ", r.Indent) + map[Differs]string{DiffersNoted: "·", DiffersMeans: "•", DiffersAdded: "+", DiffersGone: "-"}[r.Differs] + r.Label
		if r.Inside > 0 {
			row += fmt.Sprintf(" (%d)", r.Inside)
		}
		if r.Was != "" {
			row += " was " + r.Was
		}
		rows = append(rows, row)
		before := x.selected()
		if must(t, x.MoveRows(1)); x.selected().Same(before) {
			return rows
		}
	}
}

// Values that only the other file has get rows at their place, also in what is empty now.
func TestDifferingRows(t *testing.T) {
	i, s, list, dict := savetest.Integer, savetest.Text, savetest.Array, savetest.Dictionary
	there := dict(s("a"), i(1), s("old"), i(2), s("hp"), i(7), s("list"), list(i(1), i(9), i(2), i(8)), s("empty"), list(i(4), i(5)), s("last"), dict(s("x"), i(1)))
	here := dict(s("a"), i(1), s("hp"), i(5), s("list"), list(i(1), i(2)), s("empty"), list(), s("new"), list(i(3)))
	want := []string{"$ (8)", "  a", "  -old was 2", "  •hp was 7", "  list (2)", "    [0]", "    -[1] was 9", "    [1]", "    -[3] was 8",
		"  empty (2)", "    -[0] was 4", "    -[1] was 5", `  -last was { "x": 1 }`, "  +new", "    +[0]"}
	for _, height := range []int{1, 2, 3, 5, 40} {
		if rows := shownRows(t, differing(t, here, there, height)); !slices.Equal(rows, want) {
			t.Errorf("height %d:\n%s", height, strings.Join(rows, "\n"))
		}
	}
	x := differing(t, here, there, 40)
	x.FilterDiffering()
	want = slices.DeleteFunc(want, func(row string) bool {
		return slices.Contains([]string{"  a", "    [0]", "    [1]"}, row) // what is in a new value is unfolded as usual
	})
	if rows := shownRows(t, x); !slices.Equal(rows, want) {
		t.Errorf("only what differs:\n%s", strings.Join(rows, "\n"))
	}
	must(t, x.FoldAll())
	if rows := shownRows(t, x); !slices.Equal(rows, want[:1]) {
		t.Errorf("folded:\n%s", strings.Join(rows, "\n"))
	}
	must(t, x.FirstDifference())
	for _, row := range []string{"old", "hp", "[1]", "[3]", "[0]", "[1]", "last", "new"} {
		all, _ := x.Rows(40)
		if i := slices.IndexFunc(all, func(r Row) bool { return r.Selected }); i < 0 || all[i].Label != row {
			t.Errorf("at row %d, not %s", i, row)
		}
		if found, err := x.NextDifference(false); err != nil || found != (row != "new") {
			t.Errorf("after %s: %v, %v", row, found, err)
		}
	}
}

// randomSave is a value with others in it.
func randomSave(r *rand.Rand, depth int) []byte {
	if depth == 0 || r.IntN(4) == 0 {
		return savetest.Integer(r.Int32N(6))
	}
	var values [][]byte
	if r.IntN(2) == 0 {
		for range r.IntN(6) {
			values = append(values, randomSave(r, depth-1))
		}
		return savetest.Array(values...)
	}
	for _, key := range r.Perm(7)[:r.IntN(6)] {
		values = append(values, savetest.Text(fmt.Sprint("k", key)), randomSave(r, depth-1))
	}
	return savetest.Dictionary(values...)
}

// All rows come once whatever differs, in the order of the file, those of the other file in the value
// that they were in; upwards in the opposite order.
func TestDifferingRandom(t *testing.T) {
	for seed := range rounds(200) {
		r := rand.New(rand.NewPCG(seed, 33))
		list := func() []byte { return savetest.Array(randomSave(r, 4), randomSave(r, 4)) }
		x := differing(t, list(), list(), 1+r.IntN(12))
		var down []*tree.Node
		gone := 0
		must(t, x.First())
		for {
			n := x.selected()
			if len(down) > 0 && n.Same(down[len(down)-1]) {
				break
			}
			if isGone(n) {
				if gone++; !x.row.Within(n.Parent) {
					t.Fatalf("seed %d: a row for %s is not in what it was in", seed, x.differing.at[n.ID()].Path)
				}
			}
			down = append(down, n)
			must(t, x.MoveRows(1))
		}
		if !slices.IsSortedFunc(down, compareRows) {
			t.Fatalf("seed %d: the rows are not in order", seed)
		}
		removed := 0
		for _, c := range x.differing.Changes {
			if c.Kind == compare.Removed {
				removed++
			}
		}
		if all := rowsUnfolded(t, x.Buffer); gone != removed || len(down) != len(all)+removed {
			t.Fatalf("seed %d: %d rows and %d of the other file, not %d and %d", seed, len(down)-gone, gone, len(all), removed)
		}
		for _, n := range slices.Backward(down) {
			if !x.selected().Same(n) {
				t.Fatalf("seed %d: upwards the rows have another order", seed)
			}
			must(t, x.MoveRows(-1))
		}
	}
}
