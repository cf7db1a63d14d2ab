package explore

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/tree"
	"varview/model"
)

// rowsUnfolded lists all values that have a row, as they follow one another.
func rowsUnfolded(t *testing.T, b *model.Buffer) (all []*tree.Node) {
	t.Helper()
	read := b.Tree().NewReader()
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		for i := int64(0); ; i++ {
			c, err := read.Child(n, i)
			if err != nil {
				return
			}
			if key := read.Key(c); hasRow(key) {
				all = append(all, key)
				walk(key)
			}
			all = append(all, c)
			walk(c)
		}
	}
	walk(b.Tree().Base)
	return all
}

// rowsLeft are those of which a filter leaves a row: with a hit, or around one. A hit in a
// simple key is in the row of its value.
func rowsLeft(t *testing.T, b *model.Buffer, query_ string) (left []*tree.Node) {
	t.Helper()
	read := b.Tree().NewReader()
	wanted := map[tree.ID]bool{}
	for _, hit := range allMatches(t, b, query(t, query_)) {
		n := hit.Node
		if n == nil {
			var err error
			n, err = read.At(hit.Offset)
			must(t, err)
		}
		shown := n
		for m := n; m.Depth > 0; m = m.Parent {
			if m.Slot.Key && !hasRow(m) {
				v, err := read.Child(m.Parent, m.Slot.Index)
				must(t, err)
				shown = v
			}
		}
		for ; shown.Depth > 0; shown = shown.Parent {
			wanted[shown.ID()] = true
		}
	}
	for _, n := range rowsUnfolded(t, b) {
		if wanted[n.ID()] {
			left = append(left, n)
		}
	}
	return left
}

// collected are all hits of a query.
func collected(t *testing.T, b *model.Buffer, s string) *Hits {
	t.Helper()
	h := NewHits(b, query(t, s))
	must(t, h.Collect(context.Background(), new(model.Progress)))
	return h
}

func pathsOf(b *model.Buffer, nodes []*tree.Node) (paths []string) {
	read := b.Tree().NewReader()
	for _, n := range nodes {
		paths = append(paths, read.Path(n))
	}
	return paths
}

// walked are the rows from the first to the last, and then from there back.
func walked(t *testing.T, o *outline) (down, up []*tree.Node) {
	t.Helper()
	for n, err := o.first(); err == nil && len(down) < 2000; n, err = o.next(n) {
		down = append(down, n)
	}
	for n, err := o.last(); err == nil && len(up) < 2000; n, err = o.prev(n) {
		up = append(up, n)
	}
	slices.Reverse(up)
	return down, up
}

// A filter leaves exactly the rows with hits and those around them, downward and upward, in
// files of all formats.
func TestFilterRows(t *testing.T) {
	found := 0
	for _, name := range realNames(t, "godot4/*.bin", "godot3/*.bin", "elephant/*.bin", "msgpack/*.msgpack") {
		doc := openFile(t, repoFile(name), decoder.Options{})
		b := doc.Innermost()
		if b.Size() > 1<<16 || doc.Missing != nil {
			continue
		}
		buildIndex(t, doc)
		for _, s := range []string{"a", "1", "type:*", "key:e", "x:00 00", "path:*", "value:s | >3", "fieldA"} {
			x := New(b)
			x.SetHeight(9)
			clear(x.outline.open)
			x.SetFilter(collected(t, b, s))
			want := pathsOf(b, rowsLeft(t, b, s))
			down, up := walked(t, x.outline)
			if got := pathsOf(b, down); !slices.Equal(got, want) {
				t.Errorf("%s, %s: down %v\nwant %v", name, s, got, want)
			}
			if got := pathsOf(b, up); !slices.Equal(got, want) {
				t.Errorf("%s, %s: up %v\nwant %v", name, s, got, want)
			}
			if rows, _ := x.Rows(80); len(rows) != min(9, len(want)) {
				t.Errorf("%s, %s: %d rows in view, want %d", name, s, len(rows), min(9, len(want)))
			}
			found += len(want)
		}
	}
	if found < 1000 {
		t.Errorf("only %d rows were looked at", found)
	}
}

// With rows folded and unfolded at random, upward is downward in reverse.
func TestFilterFolding(t *testing.T) {
	inner := dictionary(text("hp"), integer(1), text("bag"), array(text("rope"), dictionary(text("hp"), integer(5), text("x"), integer(6))))
	data := array(inner, text("none"), inner, dictionary(text("hps"), array(integer(1), array(integer(2)))), inner)
	b := open(t, data, "raw").Innermost()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := New(b)
		x.SetHeight(5)
		x.SetFilter(collected(t, b, "hp"))
		for range 20 {
			down, up := walked(t, x.outline)
			if got, want := pathsOf(b, up), pathsOf(b, down); !slices.Equal(got, want) {
				t.Fatalf("seed %d: up %v\ndown %v", seed, got, want)
			}
			for i, n := range down {
				if n.Depth > 1 && !slices.ContainsFunc(down[:i], func(m *tree.Node) bool { return m.Same(n.Parent) && x.outline.isOpen(m) }) {
					t.Fatalf("seed %d: %s is in nothing unfolded", seed, pathsOf(b, down[i:i+1]))
				}
			}
			must(t, x.do(func() error { return x.selectRow(down[r.IntN(len(down))], nil) }))
			switch r.IntN(5) {
			case 0:
				must(t, x.GoTo(r.Int64N(b.Size())))
			case 1:
				must(t, x.FoldAll())
			default:
				x.Toggle()
			}
			if x.outline.find(x.row) < 0 {
				t.Fatalf("seed %d: the row with the cursor is not in view", seed)
			}
		}
	}
}

// What an edit adds is there at once, and the other rows stay where they are.
func TestFilterEdited(t *testing.T) {
	data := array(dictionary(text("hp"), integer(1), text("x"), integer(2)), dictionary(text("hp"), integer(3)), text("no"))
	doc := open(t, bytes.Clone(data), "raw")
	b := doc.Innermost()
	x := New(b)
	x.SetHeight(10)
	x.SetFilter(collected(t, b, "hp"))
	shown := func(want ...string) {
		t.Helper()
		down, _ := walked(t, x.outline)
		if got := pathsOf(b, down); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	shown("$", "$[0]", "$[0].hp", "$[1]", "$[1].hp")
	n, err := b.Resolve("$[0]")
	must(t, err)
	p, err := doc.Prepare(context.Background(), b, x.Insert(n, 0, `"hp2"`, `"long text"`))
	must(t, err)
	turn, err := doc.Make(context.Background(), p)
	must(t, err)
	must(t, x.FollowTurn(turn))
	shown("$", "$[0]", "$[0].hp2", "$[0].hp", "$[1]", "$[1].hp")
	must(t, x.GoToValue(must1(b.Resolve("$[2]"))))
	shown("$", "$[0]", "$[0].hp", "$[1]", "$[1].hp", "$[2]") // hp2 was not found yet
	x.SetFilter(collected(t, b, "hp"))
	shown("$", "$[0]", "$[0].hp2", "$[0].hp", "$[1]", "$[1].hp", "$[2]")
	x.SetFilter(nil)
	shown("$", "$[0]", "$[1]", "$[2]")
}

func must1(n *tree.Node, err error) *tree.Node {
	if err != nil {
		panic(err)
	}
	return n
}

// What is unfolded for a hit is folded again by the next one, and a view is returned to.
func TestGoToHit(t *testing.T) {
	data := array(dictionary(text("hp"), integer(1)), dictionary(text("hp"), integer(2)), integer(3))
	b := open(t, data, "raw").Innermost()
	x := New(b)
	x.SetHeight(10)
	open := func(want ...string) {
		t.Helper()
		down, _ := walked(t, x.outline)
		if got := pathsOf(b, down); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	hits := allMatches(t, b, query(t, "hp"))
	v := x.View()
	must(t, x.GoToHit(hits[0]))
	open("$", "$[0]", "$[0].hp", "$[1]", "$[2]")
	must(t, x.GoToHit(hits[1]))
	open("$", "$[0]", "$[1]", "$[1].hp", "$[2]")
	if got := x.Path(x.row); got != "$[1].hp" || x.Offset() != hits[1].Offset {
		t.Errorf("at %s, %d", got, x.Offset())
	}
	must(t, x.ReturnTo(v))
	open("$", "$[0]", "$[1]", "$[2]")
	if x.Offset() != 0 {
		t.Errorf("at %d", x.Offset())
	}
	must(t, x.GoToHit(hits[0]))
	x.KeepSought()
	must(t, x.GoToHit(hits[1]))
	open("$", "$[0]", "$[0].hp", "$[1]", "$[1].hp", "$[2]")
}

// Hits are counted, kept up to a limit, and found again by their bytes.
func TestHits(t *testing.T) {
	values := slices.Repeat([][]byte{integer(7)}, maxHits+5)
	b := open(t, array(values...), "raw").Innermost()
	h := collected(t, b, "7")
	if n, all := h.Count(); n != maxHits+5 || !all || h.Kept() != maxHits {
		t.Errorf("%d hits, all %v, %d kept", n, all, h.Kept())
	}
	third := allMatches(t, b, query(t, "7"))[2].Span
	if n := h.Number(third); n != 3 {
		t.Errorf("the third hit has the number %d", n)
	}
	if got := h.AppendIn(nil, third.Offset, third.Offset+1); len(got) != 1 || got[0] != third {
		t.Errorf("at the third hit are %v", got)
	}
	third.Length++
	if n := h.Number(third); n != 0 {
		t.Errorf("what is no hit has the number %d", n)
	}
}

// The best hits come first, and equally good ones in the order of their bytes; each row is listed once.
func TestBestFirst(t *testing.T) {
	b := open(t, dictionary(text("golden"), text("a goldfish"), text("is"), text("gold"), text("gold"), integer(1)), "raw").Innermost()
	h := NewHits(b, query(t, "gold"))
	if got, _, _ := h.BestFirst(0); got != nil {
		t.Errorf("before all are found: %d", got)
	}
	must(t, h.Collect(t.Context(), new(model.Progress)))
	// In the bytes: a part of a key, a part of the text of the same row, a whole text, a whole key.
	for selected, row := range []int{2, 2, 1, 0} {
		if got, at, mixed := h.BestFirst(selected); !slices.Equal(got, []int{3, 2, 0}) || at != row || !mixed {
			t.Errorf("the order is %d, and hit %d in row %d, %v", got, selected, at, mixed)
		}
	}
	if got, _, mixed := collected(t, b, "1").BestFirst(0); len(got) != 1 || mixed {
		t.Errorf("of one hit: %d, %v", got, mixed)
	}
}

// A hit in bytes that are no value's is no row of the value behind it.
func TestHitsBetween(t *testing.T) {
	b := open(t, append(text("axe"), "axe axe "...), "raw").Innermost()
	h := collected(t, b, "axe")
	order, _, _ := h.BestFirst(0)
	if len(order) != 3 || h.Kept() != 3 {
		t.Errorf("%d rows of %d hits", len(order), h.Kept())
	}
}
