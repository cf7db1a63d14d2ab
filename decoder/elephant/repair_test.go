package elephant_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/elephant"
	"varview/decoder/elephant/gml"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// problemsOf lists what is wrong with a block. What the tree itself finds gets the
// sentence on its repair here.
func problemsOf(t testing.TB, tr *tree.Tree) (all []span.Problem) {
	t.Helper()
	err := tr.BuildIndex(context.Background(), func(p span.Problem, s *tree.Scanner) {
		if p.Repair == "" {
			p.Repair = tr.Reading.(*elephant.Reading).Remedy(nil, s.Value(), &p)
		}
		all = append(all, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// found writes a problem as the tables have it: code@offset+length.
func found(p *span.Problem) string { return fmt.Sprintf("%s@%d+%d", p.Code, p.Offset, p.Length) }

func foundAll(all []span.Problem) string {
	var out []string
	for i := range all {
		out = append(out, found(&all[i]))
	}
	return strings.Join(out, " ")
}

// repair puts a problem right.
func repair(tr *tree.Tree, p *span.Problem) (edit.Repair, error) {
	r := tr.NewReader()
	n, err := r.At(p.Offset)
	if err != nil {
		return edit.Repair{}, err
	}
	return tr.Reading.(edit.Repairer).Repair(context.Background(), r, n, p)
}

// again reads bytes after a repair by the same rules.
func again(tr *tree.Tree, data []byte) *tree.Tree {
	src := source.Bytes(data)
	region := span.Between(0, src.Size())
	return tree.New(src, tr.Reading.(*elephant.Reading).Edited(src, region), region)
}

// bytesOf makes bytes of hexadecimal digits, and of text in quotes without blanks.
func bytesOf(t testing.TB, text string) (data []byte) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		if quoted, ok := strings.CutPrefix(word, "'"); ok {
			data = append(append(data, quoted...), 0)
			continue
		}
		b, err := hex.DecodeString(word)
		if err != nil {
			t.Fatal(word, err)
		}
		data = append(data, b...)
	}
	return data
}

const (
	head151 = "50454c45 01050100 "
	head140 = "50454c45 00040100 "
	head130 = "50454c45 00030100 "
	head120 = "50454c45 00020100 "
	head110 = "41544d43 00010100 "
	head100 = "41544d43 00000100 "
	foot    = " 544e4148"
)

// repairSchemas are two constructors, one of which leaves types open.
const repairSchemas = `
function Critter() constructor {
	ELEPHANT_SCHEMA { v1 : { hp : buffer_u8, name : buffer_string, tags : buffer_array, zone : buffer_any } }
}
function Link() constructor {
	ELEPHANT_SCHEMA { v1 : { next : buffer_struct } }
}`

// A repairCase is bytes with problems, and what they are after the first is put
// right. The words that begin with ' are strings.
type repairCase struct {
	name     string
	data     string
	problems string
	want     string // "" where nothing can be done
	drops    string
}

// TestRepair: each problem by the specification, its span, and the bytes after its
// repair, in which it is gone.
func TestRepair(t *testing.T) {
	library := &gml.Library{}
	if err := library.Parse("critter.gml", []byte(repairSchemas)); err != nil {
		t.Fatal(err)
	}
	for _, c := range repairCases {
		t.Run(c.name, func(t *testing.T) {
			b := block{libs: []*gml.Library{library}}
			tr := b.tree(bytesOf(t, c.data))
			all := problemsOf(t, tr)
			if got := foundAll(all); got != c.problems {
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
			if got.Drops != c.drops {
				t.Errorf("drops %q, not %q", got.Drops, c.drops)
			}
			was := bytesOf(t, c.data)
			is := spliced(t, was, got.Splices)
			if want := bytesOf(t, c.want); string(is) != string(want) {
				t.Fatalf("% x\nis made\n% x\nnot\n% x", was, is, want)
			}
			for _, p := range problemsOf(t, again(tr, is)) {
				if p.Code == all[0].Code {
					t.Errorf("afterwards %s: %s", found(&p), p.Message)
				}
			}
		})
	}
}

// smallFiles are real files, good and damaged, of at most so many bytes.
func smallFiles(t testing.TB, most int) (blocks []block) {
	t.Helper()
	for _, pattern := range []string{"*.bin", "corrupt/*.bin"} {
		names, _ := filepath.Glob(files + pattern)
		for _, name := range names {
			if b := realBlock(t, name); len(b.data) <= most {
				blocks = append(blocks, b)
			}
		}
	}
	if len(blocks) < 60 {
		t.Fatal(len(blocks), "files")
	}
	return blocks
}

// checkRepairs puts each problem of a block right by itself.
func checkRepairs(t testing.TB, b *block, data []byte) {
	t.Helper()
	tr := b.tree(data)
	all := problemsOf(t, tr)
	for i := range min(len(all), 8) {
		p := &all[i]
		got, err := repair(tr, p)
		switch {
		case (p.Repair == "") != (err != nil) && !blocked(err):
			t.Fatalf("%s % x: %s, to %q: %v", b.name, data, found(p), p.Repair, err)
		case err != nil:
			continue
		case len(got.Splices) == 0:
			t.Fatalf("%s % x: nothing is done about %s", b.name, data, found(p))
		}
		is := spliced(t, data, got.Splices)
		next := again(tr, is)
		checkTiles(t, next)
		at, left := source.Map(got.Splices, p.Offset), problemsOf(t, next)
		fewer := countOf(left, p.Code) < countOf(all, p.Code)
		for _, q := range left {
			if q.Code == p.Code && q.Offset == at && !fewer || p.IsShortage() && (q.IsShortage() || q.Code == elephant.MissingFooter) {
				t.Fatalf("%s % x: after %q about %s still %s: %s\n% x", b.name, data, p.Repair, found(p), found(&q), q.Message, is)
			}
		}
	}
}

// countOf is how many problems have a code.
func countOf(all []span.Problem, code string) (n int) {
	for i := range all {
		if all[i].Code == code {
			n++
		}
	}
	return n
}

// blocked reports whether a repair that moves numbered values could not be made,
// because others lie in a part that cannot be read.
func blocked(err error) bool {
	return err != nil && strings.Contains(err.Error(), "a part of the block cannot be read that may hold some")
}

// checkTiles holds the fields of a block against its size.
func checkTiles(t testing.TB, tr *tree.Tree) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			return fmt.Errorf("%s at %d, %d bytes; expected at %d", f.Kind, f.Offset, f.Length, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("the fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
}

// TestRepairsWork: a problem says how it is put right if and only if that can be
// done, and then it is gone: in all real files, cut anywhere, and with any byte of
// the small ones changed.
func TestRepairsWork(t *testing.T) {
	for _, b := range smallFiles(t, 4096) {
		checkRepairs(t, &b, b.data)
		if len(b.data) <= 80 {
			for n := range b.data {
				checkRepairs(t, &b, b.data[:n])
			}
		}
		if len(b.data) > 40 {
			continue
		}
		for i, was := range b.data {
			for _, is := range []byte{was + 1, was ^ 0x80, 0xff} {
				data := slices.Clone(b.data)
				data[i] = is
				checkRepairs(t, &b, data)
			}
		}
	}
}

// TestStaleRepairs: a problem of other bytes is put right in none, or in good order.
func TestStaleRepairs(t *testing.T) {
	var b block
	var trees []*tree.Tree
	var all []span.Problem
	for _, c := range repairCases {
		tr := b.tree(bytesOf(t, c.data))
		trees, all = append(trees, tr), append(all, problemsOf(t, tr)...)
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
					t.Fatalf("%s in %d bytes: splice at %s", found(&all[i]), size, s.Span)
				}
				at = s.End()
			}
		}
	}
}

// TestWrapped: behind 65,536 arrays the numbers in references no longer tell.
func TestWrapped(t *testing.T) {
	arrays := bytes.Repeat([]byte{0, 0}, 33_000)
	data := bytesOf(t, head151+"cd 0300 cc cd e880 cd")
	data = append(append(data, arrays...), bytesOf(t, "cd e880 cd")...)
	data = append(append(data, arrays...), bytesOf(t, "cd ffff 0500"+foot)...)
	var b block
	want := fmt.Sprintf("%s@%d+2", elephant.WrappedRef, len(data)-6)
	if got := foundAll(problemsOf(t, b.tree(data))); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestForcedVersion: a version that does not fit its 7 bits is told.
func TestForcedVersion(t *testing.T) {
	library := &gml.Library{}
	err := library.Parse("a.gml", []byte("function Big() constructor {\n ELEPHANT_SCHEMA { ELEPHANT_FORCE_VERSION : 200, v200 : { hp : buffer_u8 } }\n}"))
	if err != nil {
		t.Fatal(err)
	}
	b := block{libs: []*gml.Library{library}}
	all := problemsOf(t, b.tree(bytesOf(t, head151+"ce feff 0000 'Big 48 0000 05"+foot)))
	if len(all) != 1 || all[0].Code != span.MissingSchema || !strings.Contains(all[0].Message, "version 200 as 72") {
		t.Errorf("%+v", all)
	}
}

// FuzzRepair: whatever the bytes are, a repair that is offered can be made.
func FuzzRepair(f *testing.F) {
	blocks := smallFiles(f, 600)
	for i, b := range blocks {
		f.Add(b.data, i)
	}
	f.Fuzz(func(t *testing.T, data []byte, game int) {
		if len(data) > 4096 {
			return
		}
		checkRepairs(t, &blocks[uint(game)%uint(len(blocks))], data)
	})
}
