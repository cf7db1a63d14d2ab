package model

import (
	"context"
	"os"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// undo undoes one step and returns the document from then on.
func undo(t testing.TB, d *Document) *Document {
	t.Helper()
	turn, err := d.Undo(context.Background())
	must(t, err)
	return turn.Doc
}

// TestUndoAcrossBuffers: where a step of another buffer comes next, what is not
// saved of this one is saved first, or the step would change bytes that are to be
// written again.
func TestUndoAcrossBuffers(t *testing.T) {
	ctx := context.Background()
	path := write(t, []byte("AgAAAAcAAAA=\n"))
	d := openFile(t, path, decoder.Options{})
	t.Cleanup(func() { d.Close() })
	d = doPut(t, d, 1, 4, 1, "\x08")
	must(t, save(t, d, SaveOptions{}))
	d = doPut(t, d, 0, 6, 1, "k") // the int 9
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAkAAAA=\n")
	d = undo(t, d)
	if _, err := d.Undo(ctx); err == nil || !strings.Contains(err.Error(), "buffer 0") {
		t.Errorf("%v", err)
	}
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAgAAAA=\n")
	d = undo(t, d)
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAcAAAA=\n")
	if d.IsModified() {
		t.Error("saved, but modified")
	}
}

// TestUndoOfOuterBytes: a step that was of the bytes of a wrapper is none of
// others that stand there since that was written again.
func TestUndoOfOuterBytes(t *testing.T) {
	path := write(t, []byte("AgAAAAcAAAA=\n"))
	d := openFile(t, path, decoder.Options{})
	t.Cleanup(func() { d.Close() })
	d = doPut(t, d, 0, 12, 1, "\n\n") // another line end
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAcAAAA=\n\n")
	d = doPut(t, d, 1, 8, 0, "\x02\x00\x00\x00\x08\x00\x00\x00")
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAcAAAACAAAACAAAAA==\n\n")
	d = undo(t, d)
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAcAAAA=\n\n")
	d = undo(t, d) // the digits are what they were
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAcAAAA=\n")

	splices := []source.Splice{source.Put(2, 1, nil)}
	inverse := []source.Splice{source.Put(2, 0, []byte("c"))}
	for text, want := range map[string]bool{"abc": true, "abcd": true, "abd": false, "ab": false, "": false} {
		if got := holds(source.Memory([]byte(text)), splices, inverse); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	takeOut := []source.Splice{{Span: span.Span{Offset: 2, Length: 1}}} // puts nothing in
	if !holds(source.Memory([]byte("ab")), inverse, takeOut) || !holds(source.Memory([]byte("abc")), takeOut, inverse) {
		t.Error("what is taken out is not known to be gone, or to be there")
	}
}

// TestPatchOfKey: an entry deleted by its key is put back with its value.
func TestPatchOfKey(t *testing.T) {
	ctx := context.Background()
	data := cat(words(tDictionary, 2), text("a"), integer(7), text("b"), integer(8))
	d := open(t, data, "raw")
	b := d.Innermost()
	n, err := b.Resolve("$.a@key")
	must(t, err)
	p, err := d.Prepare(ctx, b, doing(func(t *Transaction) error { return t.Delete(ctx, n, edit.Options{}) }))
	must(t, err)
	_, err = d.Make(ctx, p)
	must(t, err)
	if held(t, b) != string(cat(words(tDictionary, 1), text("b"), integer(8))) {
		t.Errorf("%x", held(t, b))
	}
	done, err := d.Patch()
	must(t, err)
	p, err = d.Prepare(ctx, b, doing(func(t *Transaction) error { return t.Apply(ctx, done.Reversed(), edit.Options{}) }))
	must(t, err)
	_, err = d.Make(ctx, p)
	must(t, err)
	if held(t, b) != string(data) {
		t.Errorf("%x", held(t, b))
	}
}

// TestLongBytes: bytes that are too long for a patch are edited and undone nevertheless.
func TestLongBytes(t *testing.T) {
	data := cat(words(tPackedByte, 1<<20), make([]byte, 1<<20))
	d := open(t, data, "raw")
	d = doPut(t, d, 0, 8, 1<<20, "x")
	p, err := d.Patch()
	must(t, err)
	if err := p.Write(new(strings.Builder)); err == nil || !strings.Contains(err.Error(), "at 0x8 is too long for a patch") {
		t.Error(err)
	}
	if d = undo(t, d); held(t, d.Buffers[0]) != string(data) || d.IsModified() {
		t.Error("not undone")
	}
}

// What was saved in a run before can be undone, as long as its backup is there and the file is what was saved.
func TestUndoOfRunsBefore(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const before, after = "AgAAAAcAAAA=\n", "AgAAAAgAAAA=\n"
	path := write(t, []byte(before))
	open := func() *Document {
		d := openFile(t, path, decoder.Options{})
		must(t, d.KeepUnsaved())
		d.FindSaved()()()
		return d
	}
	closed := func(d *Document) {
		must(t, d.CloseJournal(false))
		must(t, d.Close())
	}
	d := open()
	d = doPut(t, d, 1, 4, 1, "\x08")
	must(t, save(t, d, SaveOptions{}))
	d = doPut(t, d, 1, 4, 1, "\x09") // not saved
	closed(d)
	d = open()
	if d.IsModified() || d.Steps() != 0 || !d.CanUndo() {
		t.Fatalf("modified %v, %d steps, can undo %v", d.IsModified(), d.Steps(), d.CanUndo())
	}
	d = undo(t, d)
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, before)
	closed(d)
	d = open()
	turn, err := d.Redo(context.Background())
	must(t, err)
	d = turn.Doc
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, after)
	closed(d)
	must(t, os.Remove(path+"~"))
	if d = open(); d.CanUndo() {
		t.Error("there is no backup, but steps")
	}
	closed(d)
	// A program that is killed after it has saved leaves the steps too; what was edited since is unsaved.
	d = open()
	d = doPut(t, d, 1, 4, 1, "\x0a")
	must(t, save(t, d, SaveOptions{}))
	must(t, d.Journal().Flush())
	must(t, d.Journal().Close(true))
	d.history.journal = nil
	must(t, d.Close())
	list, err := UnsavedOf(path)
	if must(t, err); len(list) > 0 {
		t.Errorf("unsaved edits: %d", len(list))
	}
	d = open()
	d = undo(t, d)
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, after)
	closed(d)
}
