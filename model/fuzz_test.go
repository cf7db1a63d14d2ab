package model

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// maxFuzzed is how large inputs are that are repaired and edited, so that each is
// quick.
const maxFuzzed = 200

// smallReal adds some of the small files of the repository, and larger ones cut off.
func smallReal(t testing.TB, add func(i int, data []byte)) {
	patterns := []string{"godot4/*.bin", "godot3/*.bin", "pandemonium/*.bin", "damaged/*.bin", "handmade/*.bin", "elephant/*.bin", "elephant/*.txt", "elephant/corrupt/*.bin", "wrapped/*.b*"}
	for i, name := range realNames(t, patterns...) {
		if i%8 == 0 {
			data := read(t, name)
			add(i/8, data[:min(len(data), maxFuzzed)])
		}
	}
}

// openFuzzed opens any bytes as whatever they are.
func openFuzzed(t *testing.T, path string) *Document {
	t.Helper()
	o := decoder.Options{Thorough: decoder.Through, Passwords: []string{"", "hunter2"}, MaxUnpacked: 4096}
	return openWith(t, path, Options{Options: o})
}

// tiled checks that the fields of a tree cover its bytes.
func tiled(t *testing.T, tr *tree.Tree) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("field %+v at %d", f, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
}

// heldAll are the bytes of all buffers; what has holes is left out.
func heldAll(t *testing.T, d *Document) (all []string) {
	t.Helper()
	for _, b := range d.Buffers {
		data, err := readAll(b.now.Load().content)
		if hole := (*source.HoleError)(nil); err != nil && !errors.As(err, &hole) {
			t.Fatal(err)
		} else if err != nil {
			data = nil
		}
		all = append(all, string(data))
	}
	return all
}

// savesWhatIsThere saves a document elsewhere and opens that: the file has the bytes
// of the edited buffer, wrapped as they were. Where saving is refused nothing is
// written.
func savesWhatIsThere(t *testing.T, d *Document, number int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.dat")
	if err := save(t, d, SaveOptions{Path: path}); err != nil {
		if _, err := os.Lstat(path); err == nil || number == 0 {
			t.Fatal("refused, and written nevertheless: ", err)
		}
		return
	}
	want := heldAll(t, d)[number]
	if number == 0 {
		fileIs(t, path, want)
		return
	}
	again := openFuzzed(t, path)
	if n := number; n < len(again.Buffers) && slices.Equal(again.Wrappers()[:n], d.Wrappers()[:n]) {
		if got := heldAll(t, again)[n]; got != want {
			t.Fatalf("buffer %d holds %q, and when saved and opened %q", n, want, got)
		}
	}
}

// takenBack undoes everything: all buffers are as they were.
func takenBack(t *testing.T, d *Document, want []string) {
	t.Helper()
	for d.CanUndo() {
		turn, err := d.Undo(context.Background())
		must(t, err)
		d = turn.Doc
	}
	if got := heldAll(t, d); !slices.Equal(got, want) || d.IsModified() {
		t.Fatalf("after undo %q, not %q", got, want)
	}
	must(t, d.Close())
}

// repairBuffer makes each repair of a buffer by itself, to be looked at, and then
// all.
func repairBuffer(t *testing.T, d *Document, number int) *Document {
	t.Helper()
	b := d.Buffers[number]
	must(t, b.Index(context.Background()))
	if b.NeedsDiagnosis() {
		must(t, b.Diagnose(context.Background()))
	}
	list, _ := b.Problems()
	for i := range list[:min(len(list), 8)] {
		b.PathOf(&list[i])
		p, err := d.Prepare(context.Background(), b, doing(func(t *Transaction) error {
			_, err := t.Repair(context.Background(), list[i])
			return err
		}))
		if err != nil {
			continue // it has no repair, or waits for another
		}
		if !b.IsWrapper() { // which is opened again when the edit is made
			tiled(t, p.t.now.tree)
		}
		_, err = p.Preview()
		must(t, err)
	}
	p, err := d.Prepare(context.Background(), b, doing(func(t *Transaction) error {
		all := b.Together(list, func(*diagnose.Diagnosis) bool { return true })
		return t.RepairAll(context.Background(), all, func(_ *diagnose.Diagnosis, _ edit.Repair, err error) bool { return err == nil })
	}))
	must(t, err)
	p.Loss()
	turn, err := d.Make(context.Background(), p)
	if errors.Is(err, ErrNoChange) {
		return d
	}
	must(t, err)
	for _, b := range turn.Doc.Buffers {
		tiled(t, b.Tree())
	}
	return turn.Doc
}

// FuzzRepair: whatever is wrong with whatever bytes, repairs leave a document that
// tiles, what is saved is what is read, and undo gives the bytes back.
func FuzzRepair(f *testing.F) {
	smallReal(f, func(i int, data []byte) { f.Add(data, uint8(i%2)) })
	f.Fuzz(func(t *testing.T, data []byte, number uint8) {
		if len(data) > maxFuzzed {
			return
		}
		d := openFuzzed(t, write(t, data))
		before := heldAll(t, d)
		n := int(number) % len(d.Buffers)
		d = repairBuffer(t, d, n)
		savesWhatIsThere(t, d, n)
		takenBack(t, d, before)
	})
}

// fuzzedLiterals are put in the place of values of any kind.
var fuzzedLiterals = []string{"1", "-2.5", `"text"`, `""`, "null", "true", "[]", `[1, "a"]`, `{ "k": 1 }`, "Vector2(1, 2)", "PackedByteArray(1, 2)",
	`&"name"`, `^"a/b:c"`, "9223372036854775807", "undefined", "u8(7)", "{ k: 1 }", "#ff8000", "ref($)", "default"}

// fuzzedEdit makes the edit that four bytes stand for.
func fuzzedEdit(t *testing.T, tx *Transaction, op []byte) error {
	ctx, size := context.Background(), tx.Reader().Tree.Source.Size()
	literal, off := fuzzedLiterals[int(op[2])%len(fuzzedLiterals)], int64(op[1])%(size+1)
	o := edit.Options{Retype: op[3]&1 != 0, Orphans: edit.Orphans(op[3] >> 1 % 3)}
	n, err := tx.Reader().At(off)
	must(t, err)
	parent, index := n, int64(op[3]>>4)
	if n.Parent != nil && op[3]&8 != 0 {
		parent = n.Parent
	}
	switch op[0] % 6 {
	case 0:
		return tx.Set(ctx, n, edit.Content{Literal: literal}, o)
	case 1:
		return tx.Insert(ctx, parent, index, edit.Content{Key: `"k"`, Literal: literal}, o)
	case 2:
		return tx.Delete(ctx, n, o)
	case 3:
		return tx.Move(ctx, n, index, o)
	case 4:
		return tx.Insert(ctx, parent, index, edit.Content{Key: literal, Copy: n, From: tx.Reader()}, o)
	}
	return tx.Bytes(off, min(int64(op[3]&7), size-off), op[2:][:op[3]>>4&1+op[3]>>5&1])
}

// FuzzEditSave: whatever edits of whatever values and bytes, the document tiles,
// what is saved is what is read, and undo gives the bytes back.
func FuzzEditSave(f *testing.F) {
	smallReal(f, func(i int, data []byte) {
		f.Add(data, uint8(i%2), []byte{0, byte(8 * i), byte(i), 1, byte(i), byte(3 * i), byte(i / 2), byte(i), 5, byte(i), 7, 0x11})
	})
	f.Fuzz(func(t *testing.T, data []byte, number uint8, ops []byte) {
		if len(data) > maxFuzzed || len(ops) > 24 {
			return
		}
		d := openFuzzed(t, write(t, data))
		before := heldAll(t, d)
		n := int(number) % len(d.Buffers)
		for ; len(ops) >= 4; ops = ops[4:] {
			if n >= len(d.Buffers) {
				break
			}
			if op := ops[0]; op >= 0xf0 && d.CanUndo() {
				turn, err := d.Undo(context.Background())
				must(t, err)
				d = turn.Doc
				continue
			}
			tx, err := d.Begin(d.Buffers[n])
			must(t, err)
			if fuzzedEdit(t, tx, ops) != nil {
				continue
			}
			d, err = tx.Commit(context.Background(), "edit", Cursor{}, Cursor{})
			must(t, err)
			for _, b := range d.Buffers {
				tiled(t, b.Tree())
			}
		}
		savesWhatIsThere(t, d, n)
		takenBack(t, d, before)
	})
}
