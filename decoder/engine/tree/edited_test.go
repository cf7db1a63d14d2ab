package tree_test

import (
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

// A document is bytes under edit: its tree, its known problems, and a tree of the same bytes that is read
// from scratch after every edit.
type document struct {
	content *source.Pieces
	bytes   []byte
	tree    *tree.Tree
	known   []span.Problem
	format  func(data []byte) (tree.Reading, span.Span) // of a tree that knows nothing
	every   int64
	scan    int64 // limits of Edited
	reach   int64
	back    [][]source.Splice // undoes the edits, the last one first
	kept    int               // number of edits after which not everything was read again
	quick   bool              // readings that need a search are not compared
}

func (d *document) fresh() *tree.Tree {
	f, region := d.format(d.bytes)
	t := tree.New(source.Bytes(d.bytes), f, region)
	t.SetSpacing(d.every, 0)
	return t
}

func newDocument(data []byte, every, scan, reach int64, format func([]byte) (tree.Reading, span.Span)) *document {
	d := &document{content: source.Memory(data), bytes: data, format: format, every: every, scan: scan, reach: reach}
	d.tree = d.fresh()
	d.finish(d.tree)
	return d
}

// finish indexes the rest.
func (d *document) finish(t *tree.Tree) {
	t.BuildIndex(context.Background())
	t.CheckRest(context.Background(), tree.CheckOptions{Workers: 2}, func(p span.Problem, _ *tree.Node) { d.known = append(d.known, p) })
}

// edit makes an edit, and keeps the problems that Edited leaves valid.
func (d *document) edit(splices []source.Splice) {
	d.back = append([][]source.Splice{d.content.Inverse(splices)}, d.back...)
	d.apply(splices)
}

func (d *document) apply(splices []source.Splice) {
	d.content = d.content.Splice(splices)
	d.bytes = make([]byte, d.content.Size())
	d.content.ReadAt(d.bytes, 0)
	was := d.known
	d.known = nil
	e, read := d.tree.EditedWithin(d.content, splices, d.scan, d.reach, func(p span.Problem) { d.known = append(d.known, p) })
	upTo, done := e.Checked()
	for _, p := range was {
		p.Span = span.Between(source.Map(splices, p.Offset), source.Map(splices, p.End()))
		isRead := func(r span.Span) bool { return p.BeginsBefore(r.End()) && !p.BeginsBefore(r.Offset) }
		if p.BeginsBefore(upTo) && !slices.ContainsFunc(read, isRead) {
			d.known = append(d.known, p)
		}
	}
	if len(read) != 1 || read[0].Offset > 0 || upTo > 0 && !done {
		d.kept++
	}
	d.tree = e
}

// undo takes the last edit back.
func (d *document) undo() {
	splices := d.back[0]
	d.back = d.back[1:]
	d.apply(splices)
}

// sameProblems checks that the known problems are all there are.
func (d *document) sameProblems(t testing.TB, want []span.Problem) {
	count := map[span.Problem]int{}
	for _, p := range want {
		count[p]++
	}
	for _, p := range d.known {
		count[p]--
	}
	for p, n := range count {
		if n != 0 && (d.reach > 0 || p.Code != span.RepeatedKey) {
			t.Errorf("%+d times at %d+%d: %s, %s", -n, p.Offset, p.Length, p.Code, p.Message)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// holds checks that the edited tree equals one that was read from scratch.
func (d *document) holds(t testing.TB, r *rand.Rand, finish bool) {
	if d.quick {
		tr := d.fresh()
		if tr.BuildIndex(context.Background()); tr.Searched() {
			return
		}
	}
	if err := d.tree.CheckPoints(d.fresh()); err != nil {
		t.Fatal(err)
	}
	if _, done := d.tree.Checked(); finish && !done {
		d.finish(d.tree)
		if err := d.tree.CheckPoints(d.fresh()); err != nil {
			t.Fatal(err)
		}
	}
	fresh := d.fresh()
	fresh.BuildIndex(context.Background())
	problems, _ := careful(t, fresh)
	want, got := walkAll(t, fresh), walkAll(t, d.tree)
	want.same(t, got)
	if !slices.EqualFunc(want.fields, got.fields, func(a, b owned) bool { return a == b }) {
		t.Fatal("other fields")
	}
	read := d.tree.NewReader()
	for range min(30, len(got.values)) {
		got.findable(t, read, r.IntN(len(got.values)))
		if len(got.fields) == 0 {
			break
		}
		f := got.fields[r.IntN(len(got.fields))]
		if n, err := read.At(f.Offset); err != nil || !n.Same(got.values[f.owner].Node) {
			t.Fatalf("at %d: %v %v", f.Offset, describe(n), err)
		}
	}
	if _, done := d.tree.Checked(); !done {
		return
	}
	d.sameProblems(t, problems)
	if g, w := read.Count(d.tree.Base), fresh.NewReader().Count(fresh.Base); g != w {
		t.Fatalf("%d children, not %d", g, w)
	}
	for serial := range uint32(100) {
		g, _ := d.tree.Referrers(serial, 1000)
		w, _ := fresh.Referrers(serial, 1000)
		if !slices.Equal(g, w) || d.tree.IsReferred(serial) != fresh.IsReferred(serial) {
			t.Fatalf("%d is referred to at %v, not %v", serial, g, w)
		}
	}
}

// series makes edits, checks the tree after each, and undoes them.
func (d *document) series(t testing.TB, r *rand.Rand, edits int) {
	before := d.bytes
	defer func() {
		if t.Failed() {
			t.Logf("%d bytes, every %d, scan %d, reach %d", len(before), d.every, d.scan, d.reach)
		}
	}()
	for range edits {
		d.edit(d.splices(r))
		d.holds(t, r, r.IntN(2) == 0)
		if r.IntN(4) == 0 {
			d.undo()
			d.holds(t, r, r.IntN(2) == 0)
		}
	}
	for len(d.back) > 0 {
		d.undo()
	}
	d.holds(t, r, true)
	if !slices.Equal(before, d.bytes) {
		t.Fatal("not undone")
	}
}

// TestEdited: after any edit a tree is the same as one that is read anew.
func TestEdited(t *testing.T) {
	rounds := randomRounds(18)
	kept, edits := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		dialect := []string{"godot4", "godot3", "pandemonium"}[seed%3]
		framing := godot.Framing(seed / 3 % 2)
		data := godotBuffer(t, r, dialect, framing)
		d := newDocument(data, 4+r.Int64N(60), []int64{500, 1 << 20}[r.IntN(2)], 1<<30, godotFormat(dialect, framing))
		t.Run(fmt.Sprint(dialect, framing, seed), func(t *testing.T) { d.series(t, r, 8) })
		kept, edits = kept+d.kept, edits+8
		if t.Failed() {
			return
		}
	}
	if kept < edits/4 {
		t.Errorf("after %d of %d edits a part was kept", kept, edits)
	}
}

// TestEditedElephant: the same for blocks, where values have numbers, and their meaning depends on what
// came before.
func TestEditedElephant(t *testing.T) {
	kept, edits := 0, 0
	for i, b := range builtBlocks(t, 3+randomRounds(3)) {
		r := rand.New(rand.NewPCG(uint64(i), 22))
		d := newDocument(b.data, 4+r.Int64N(60), []int64{500, 1 << 20}[r.IntN(2)], []int64{0, 1 << 30}[i/len(elephantref.Versions())%2], func(data []byte) (tree.Reading, span.Span) {
			f, region := elephantFormat(data, b.how, b.libraries)
			return f(), region
		})
		t.Run(fmt.Sprint(b.version, " ", i), func(t *testing.T) { d.series(t, r, 5) })
		kept, edits = kept+d.kept, edits+5
		if t.Failed() {
			return
		}
	}
	if kept < edits/10 {
		t.Errorf("after %d of %d edits a part was kept", kept, edits)
	}
}

// FuzzEdited: after any two edits of any bytes, and back, a tree is the same as one that
// is read anew.
func FuzzEdited(f *testing.F) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 23))
		framing := godot.Framing(seed % 2)
		f.Add(godotBuffer(f, r, "godot4", framing), uint8(seed%2*8), seed)
	}
	for i, data := range realBlocks(f) {
		if len(data) > 300 && len(data) < 1000 {
			f.Add(data, uint8(0x80), uint64(i))
		}
	}
	schemas := realSchemas(f)
	f.Fuzz(func(t *testing.T, data []byte, how uint8, seed uint64) {
		if len(data) > 4096 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 24))
		format := func(data []byte) (tree.Reading, span.Span) {
			if how&0x80 == 0 {
				return reading(data, how, 0, 0)
			}
			f, region := elephantFormat(data, uint8(seed%8), schemas)
			return f(), region
		}
		d := newDocument(data, 1+r.Int64N(60), []int64{500, 1 << 20}[r.IntN(2)], []int64{0, 1 << 30}[r.IntN(2)], format)
		d.quick = true
		d.series(t, r, 2)
	})
}
