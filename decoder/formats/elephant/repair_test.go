package elephant_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
	"varview/decoder/formats/elephant/gml"
)

// repair puts a problem right.
func repair(tr *tree.Tree, p *span.Problem) (edit.Repair, error) {
	r := tr.NewReader()
	n, err := r.At(p.Offset)
	if err != nil {
		return edit.Repair{}, err
	}
	return tr.Reading.(edit.Repairer).Repair(context.Background(), r, n, p)
}

// again reads bytes after a repair, by the same rules.
func again(tr *tree.Tree, data []byte) *tree.Tree {
	src := source.Bytes(data)
	region := span.Between(0, src.Size())
	return tree.New(src, tr.Reading.(*elephant.Reading).Edited(src, region), region)
}

// repairSchemas are two constructors, one of which leaves types open.
const repairSchemas = `
function Critter() constructor {
	ELEPHANT_SCHEMA { v1 : { hp : buffer_u8, name : buffer_string, tags : buffer_array, zone : buffer_any } }
}
function Link() constructor {
	ELEPHANT_SCHEMA { v1 : { next : buffer_struct } }
}`

// A repairCase is bytes with problems, and the bytes after the first is repaired. Words that begin with '
// are strings.
type repairCase struct {
	name     string
	data     string
	problems string
	want     string // "" where nothing can be done
	drops    string
}

// TestRepair: each problem in the specification, its span, and the bytes after its repair, which no longer
// have it.
func TestRepair(t *testing.T) {
	library, err := gml.Parse("critter.gml", []byte(repairSchemas))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range repairCases {
		t.Run(c.name, func(t *testing.T) {
			b := Block{Libraries: []*gml.Library{library}}
			tr := b.Tree(Bytes(t, c.data))
			all := Problems(t, tr)
			if got := FoundAll(all); got != c.problems {
				t.Fatalf("found %s, not %s", got, c.problems)
			}
			if len(all) == 0 {
				return
			}
			got, err := repair(tr, &all[0])
			if (all[0].Repair == "") != (c.want == "") || (err != nil) != (c.want == "") {
				t.Fatalf("repair %q: %v", all[0].Repair, err)
			}
			if err != nil {
				return
			}
			if got.Loss != c.drops {
				t.Errorf("drops %q, not %q", got.Loss, c.drops)
			}
			was := Bytes(t, c.data)
			is := Spliced(t, was, got.Splices)
			if want := Bytes(t, c.want); string(is) != string(want) {
				t.Fatalf("% x\nis made\n% x\nnot\n% x", was, is, want)
			}
			for _, p := range Problems(t, again(tr, is)) {
				if p.Code == all[0].Code {
					t.Errorf("afterwards %s: %s", Found(&p), p.Message)
				}
			}
		})
	}
}

// checkRepairs repairs each problem of a block by itself.
func checkRepairs(t testing.TB, b *Block, data []byte) {
	t.Helper()
	tr := b.Tree(data)
	all := Problems(t, tr)
	for i := range min(len(all), 8) {
		p := &all[i]
		got, err := repair(tr, p)
		switch {
		case (p.Repair == "") != (err != nil) && !blocked(err):
			t.Fatalf("%s % x: %s, to %q: %v", b.Name, data, Found(p), p.Repair, err)
		case err != nil:
			continue
		case len(got.Splices) == 0:
			t.Fatalf("%s % x: nothing is done about %s", b.Name, data, Found(p))
		}
		is := Spliced(t, data, got.Splices)
		next := again(tr, is)
		checkTiles(t, next)
		at, left := source.Map(got.Splices, p.Offset), Problems(t, next)
		fewer := countOf(left, p.Code) < countOf(all, p.Code)
		for _, q := range left {
			if q.Code == p.Code && q.Offset == at && !fewer || p.IsShortage() && (q.IsShortage() || q.Code == "missing-footer") {
				t.Fatalf("%s % x: after %q about %s still %s: %s\n% x", b.Name, data, p.Repair, Found(p), Found(&q), q.Message, is)
			}
		}
	}
}

// countOf returns the number of problems with a code.
func countOf(all []span.Problem, code string) (n int) {
	for i := range all {
		if all[i].Code == code {
			n++
		}
	}
	return n
}

// blocked reports whether a repair that moves numbered values could not be made, because others lie in an
// unreadable part.
func blocked(err error) bool {
	return err != nil && strings.Contains(err.Error(), "a part of the block cannot be read that may hold some")
}

// TestRepairsWork: a problem names its repair if and only if it can be made, and then the problem is gone:
// in all real files, cut anywhere, and with any byte of the small ones changed.
func TestRepairsWork(t *testing.T) {
	for _, b := range smallFiles(t, 4096) {
		checkRepairs(t, &b, b.Data)
		if len(b.Data) <= 80 {
			for n := range b.Data {
				checkRepairs(t, &b, b.Data[:n])
			}
		}
		if len(b.Data) > 40 {
			continue
		}
		for i, was := range b.Data {
			for _, is := range []byte{was + 1, was ^ 0x80, 0xff} {
				data := slices.Clone(b.Data)
				data[i] = is
				checkRepairs(t, &b, data)
			}
		}
	}
}

// TestStaleRepairs: a repair for other bytes is refused or leaves valid bytes.
func TestStaleRepairs(t *testing.T) {
	var b Block
	var trees []*tree.Tree
	var all []span.Problem
	for _, c := range repairCases {
		tr := b.Tree(Bytes(t, c.data))
		trees, all = append(trees, tr), append(all, Problems(t, tr)...)
	}
	for _, tr := range trees {
		size := tr.Source.Size()
		for i := range all {
			got, err := repair(tr, &all[i])
			if err != nil {
				continue
			}
			at := int64(0)
			for _, s := range got.Splices {
				if s.Offset < at || s.End() > size {
					t.Fatalf("%s in %d bytes: splice at %s", Found(&all[i]), size, s.Span)
				}
				at = s.End()
			}
		}
	}
}

// FuzzRepair: whatever the bytes are, a repair that is offered can be made.
func FuzzRepair(f *testing.F) {
	blocks := smallFiles(f, 600)
	for i, b := range blocks {
		f.Add(b.Data, i)
	}
	f.Fuzz(func(t *testing.T, data []byte, game int) {
		if len(data) > 4096 {
			return
		}
		checkRepairs(t, &blocks[uint(game)%uint(len(blocks))], data)
	})
}
