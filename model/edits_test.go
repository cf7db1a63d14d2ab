package model

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/internal/winetest"
	"varview/model/patch"
)

// doing is an intention that leaves the cursor at the first byte.
func doing(do func(*Transaction) error) Intention {
	return Intention{Label: "test", Do: func(_ context.Context, t *Transaction) (Cursor, error) { return ByteCursor(0), do(t) }}
}

// putBytes puts b in place of n bytes at off.
func putBytes(off, n int64, b string) Intention {
	return doing(func(t *Transaction) error { return t.Bytes(off, n, []byte(b)) })
}

// doPut puts bytes in place of others and returns the document from then on.
func doPut(t testing.TB, d *Document, buffer int, off, n int64, b string) *Document {
	t.Helper()
	p, err := d.Prepare(context.Background(), d.Buffers[buffer], putBytes(off, n, b))
	must(t, err)
	turn, err := d.Make(context.Background(), p)
	must(t, err)
	return turn.Doc
}

// held are the bytes of a buffer.
func held(t testing.TB, b *Buffer) string {
	t.Helper()
	all, err := readAll(b.now.Load().content)
	must(t, err)
	return string(all)
}

// TestBytes edits bytes, undoes that, and redoes it.
func TestBytes(t *testing.T) {
	ctx := context.Background()
	data := cat(words(tArray, 2), integer(7), text("ab"))
	d := open(t, data, "raw")
	b := d.Innermost()
	buildIndex(t, d)
	d = doPut(t, d, 0, 12, 1, "\x09") // the int
	d = doPut(t, d, 0, 4, 1, "\x03")  // the count
	if !d.IsModified() || d.ProblemCount(span.Error) == 0 {
		t.Error("nothing is wrong with an array of 3 that has 2")
	}
	if n, err := b.Resolve("$[0]"); err != nil || string(b.Tree().NewReader().AppendLiteral(nil, &n.Value, 9)) != "9" {
		t.Errorf("%v", err)
	}
	if !b.ChangedIn(12, 13) || !b.ChangedIn(0, 5) || b.ChangedIn(5, 12) || b.ChangedIn(13, 99) {
		t.Errorf("changed: %v", b.now.Load().changed)
	}
	for _, want := range []bool{true, false} {
		turn, err := d.Undo(ctx)
		must(t, err)
		if turn.Buffer != 0 || d.IsModified() != want {
			t.Errorf("modified: %v", d.IsModified())
		}
	}
	if held(t, b) != string(data) || d.ProblemCount(span.Note) != 0 || d.CanUndo() {
		t.Error("not as it was")
	}
	if _, err := d.Undo(ctx); err != ErrNothingToUndo {
		t.Error(err)
	}
	for range 2 {
		_, err := d.Redo(ctx)
		must(t, err)
	}
	if _, err := d.Redo(ctx); err != ErrNothingToRedo || held(t, b)[12] != 9 || held(t, b)[4] != 3 {
		t.Error("not done again")
	}
	_, err := d.Undo(ctx)
	must(t, err)
	d = doPut(t, d, 0, 12, 1, "\x07") // what it was, without undo
	if d.IsModified() || d.CanRedo() {
		t.Error("modified though the bytes are those of the file")
	}
}

// TestJoin makes one step of several.
func TestJoin(t *testing.T) {
	ctx := context.Background()
	d := open(t, integer(7), "raw")
	d = doPut(t, d, 0, 4, 1, "a")
	since := d.Steps()
	for i := range int64(3) {
		d = doPut(t, d, 0, 4+i, 0, "x")
	}
	d.Join(since, "typed xxx")
	turn, err := d.Undo(ctx)
	if err != nil || turn.Label != "typed xxx" || held(t, d.Buffers[0]) != "\x02\x00\x00\x00a\x00\x00\x00" {
		t.Errorf("%q %v %q", turn.Label, err, held(t, d.Buffers[0]))
	}
	_, err = d.Redo(ctx)
	if err != nil || held(t, d.Buffers[0]) != "\x02\x00\x00\x00xxxa\x00\x00\x00" {
		t.Errorf("%v %q", err, held(t, d.Buffers[0]))
	}
}

// TestBadBytes asks for what cannot be done.
func TestBadBytes(t *testing.T) {
	d := open(t, integer(7), "raw")
	for _, c := range [][2]int64{{-1, 0}, {9, 0}, {7, 2}, {0, -1}} {
		if _, err := d.Prepare(context.Background(), d.Buffers[0], putBytes(c[0], c[1], "")); err == nil {
			t.Errorf("%v was done", c)
		}
	}
	d.options.ReadOnly = true
	if err := d.CanEdit(d.Buffers[0]); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if _, err := d.Undo(context.Background()); err == nil {
		t.Error("undone")
	}
}

// TestOutdated: what was prepared before another edit is not made.
func TestOutdated(t *testing.T) {
	d := open(t, integer(7), "raw")
	p, err := d.Prepare(context.Background(), d.Buffers[0], putBytes(4, 1, "a"))
	must(t, err)
	doPut(t, d, 0, 4, 1, "b")
	if _, err := d.Make(context.Background(), p); !errors.Is(err, ErrOutdated) || held(t, d.Buffers[0])[4] != 'b' {
		t.Error(err)
	}
}

// TestOuterBytes edits the digits of a file that is base64, so that what is in it
// is another value; its values cannot be edited before that is saved.
func TestOuterBytes(t *testing.T) {
	ctx := context.Background()
	// AgAAAAcAAAA= is the int 7, AgAAAAgAAAA= the int 8.
	d := openFile(t, write(t, []byte("AgAAAAcAAAA=\n")), decoder.Options{})
	if len(d.Buffers) != 2 {
		t.Fatalf("%d buffers", len(d.Buffers))
	}
	first := d
	d = doPut(t, d, 0, 6, 1, "g")
	t.Cleanup(func() { d.Close() })
	if d == first || held(t, d.Buffers[1]) != "\x02\x00\x00\x00\x08\x00\x00\x00" || !d.IsModified() {
		t.Errorf("%q", held(t, d.Buffers[1]))
	}
	must(t, first.Close()) // which the history still needs
	if err := d.CanEdit(d.Buffers[1]); err == nil || !strings.Contains(err.Error(), "buffer 0") {
		t.Error(err)
	}
	turn, err := d.Undo(ctx)
	must(t, err)
	d = turn.Doc
	if held(t, d.Buffers[1])[4] != 7 || d.IsModified() {
		t.Error("not undone")
	}
	if err := d.CanEdit(d.Buffers[1]); err != nil {
		t.Error(err)
	}
	turn, err = d.Redo(ctx)
	must(t, err)
	d = turn.Doc
	if held(t, d.Buffers[1])[4] != 8 {
		t.Error("not done again")
	}
}

// TestUndoUnwrapped makes of base64 what is nothing of the kind any more: undo gives
// the buffer in it back, and redo takes it away again.
func TestUndoUnwrapped(t *testing.T) {
	ctx := context.Background()
	d := openFile(t, write(t, []byte("AgAAAAcAAAA=\n")), decoder.Options{})
	since := d.Steps()
	d = doPut(t, d, 0, 0, 8, "\x02\x00\x00\x00")
	d = doPut(t, d, 0, 4, 1, "!")
	t.Cleanup(func() { d.Close() })
	for _, joined := range []bool{false, true} {
		if joined {
			d.Join(since, "typed")
		}
		if len(d.Buffers) != 1 {
			t.Fatalf("%d buffers", len(d.Buffers))
		}
		for d.CanUndo() {
			turn, err := d.Undo(ctx)
			must(t, err)
			d = turn.Doc
		}
		if len(d.Buffers) != 2 || d.IsModified() {
			t.Errorf("%d buffers after undo", len(d.Buffers))
		}
		for d.CanRedo() {
			turn, err := d.Redo(ctx)
			must(t, err)
			d = turn.Doc
		}
	}
}

// save saves a document and notes it.
func save(t testing.TB, d *Document, o SaveOptions) error {
	t.Helper()
	s, err := d.Save(o)
	if err != nil {
		return err
	}
	if err := s.Write(context.Background(), new(Progress)); err != nil {
		return err
	}
	d.Saved(s)
	return nil
}

func fileIs(t testing.TB, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q, %v, want %q", filepath.Base(path), got, err, want)
	}
}

// TestSave saves, goes on editing, and undoes what was saved.
func TestSave(t *testing.T) {
	ctx := context.Background()
	path := write(t, integer(7))
	d := openFile(t, path, decoder.Options{})
	d = doPut(t, d, 0, 4, 1, "a")
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "\x02\x00\x00\x00a\x00\x00\x00")
	fileIs(t, path+"~", string(integer(7)))
	if d.IsModified() || d.Changed() != "" {
		t.Errorf("after saving it is modified, or %q", d.Changed())
	}
	_, err := d.Undo(ctx)
	must(t, err)
	if !d.IsModified() || !d.Buffers[0].ChangedIn(4, 5) || held(t, d.Buffers[0]) != string(integer(7)) {
		t.Error("undone it is not modified")
	}
	_, err = d.Redo(ctx)
	must(t, err)
	if d.IsModified() {
		t.Error("done again it is modified")
	}
	d = doPut(t, d, 0, 5, 1, "b")
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "\x02\x00\x00\x00ab\x00\x00")
	fileIs(t, path+"~", string(integer(7))) // as it was when the session began
}

// TestSaveRefused: nobody else's work is lost.
func TestSaveRefused(t *testing.T) {
	path := write(t, integer(7))
	d := openFile(t, path, decoder.Options{})
	d = doPut(t, d, 0, 4, 1, "a")
	other := filepath.Join(filepath.Dir(path), "other.dat")
	must(t, os.WriteFile(other, []byte("mine"), 0o600))
	if err := save(t, d, SaveOptions{Path: other}); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Error(err)
	}
	fileIs(t, other, "mine")
	must(t, save(t, d, SaveOptions{Path: other, Force: true}))
	fileIs(t, other, "\x02\x00\x00\x00a\x00\x00\x00")
	if !d.IsModified() {
		t.Error("a copy was saved, not the file")
	}
	must(t, os.WriteFile(other, bytes.Repeat([]byte("theirs"), 3), 0o600))
	winetest.Skip(t, "no file is replaced by renaming while it is open")
	must(t, os.Rename(other, path))
	if err := save(t, d, SaveOptions{}); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Error(err)
	}
	fileIs(t, path, "theirstheirstheirs")
	if !d.IsModified() {
		t.Error("the edits are gone")
	}
	must(t, os.Remove(path))
	if err := save(t, d, SaveOptions{}); err == nil || !strings.Contains(err.Error(), "gone, with a newer save") {
		t.Error(err)
	}
	must(t, save(t, d, SaveOptions{Force: true}))
	fileIs(t, path, "\x02\x00\x00\x00a\x00\x00\x00")
}

// TestOverwritten: where the bytes that were opened are gone, a patch is left.
func TestOverwritten(t *testing.T) {
	path := write(t, integer(7))
	d := openFile(t, path, decoder.Options{})
	d = doPut(t, d, 0, 4, 1, "a")
	must(t, os.WriteFile(path, []byte("theirs"), 0o600))
	for _, o := range []SaveOptions{{}, {Force: true}, {Path: path + "2"}} {
		if err := save(t, d, o); err != ErrOverwritten {
			t.Error(err)
		}
	}
	fileIs(t, path, "theirs")
	p, err := d.Patch()
	must(t, err)
	var out strings.Builder
	must(t, p.Write(&out))
	if out.String() != "varview patch 1\nbytes 0 0x4\n- 07\n+ 61\n" {
		t.Errorf("%q", out.String())
	}
}

// TestSaveGrowing: a copy of a file that grows has what it had when it was opened.
func TestSaveGrowing(t *testing.T) {
	path := write(t, integer(7))
	d := openFile(t, path, decoder.Options{Growing: &decoder.Growing{}})
	must(t, os.WriteFile(path, append(integer(7), "more"...), 0o600))
	must(t, save(t, d, SaveOptions{Path: path + "2"}))
	fileIs(t, path+"2", string(integer(7)))
}

// TestPatch writes the edits, reads the patch, and undoes them with it.
func TestPatch(t *testing.T) {
	ctx := context.Background()
	d := open(t, integer(7), "raw")
	d = doPut(t, d, 0, 4, 1, "a")
	d = doPut(t, d, 0, 8, 0, "bc")
	done := held(t, d.Buffers[0])
	p, err := d.Patch()
	must(t, err)
	var out strings.Builder
	must(t, p.Write(&out))
	if _, err := patch.Read(strings.NewReader("# a comment\n" + out.String())); err == nil {
		t.Error("the header may stand anywhere")
	}
	read, err := patch.Read(strings.NewReader(out.String() + "\n# a comment\n"))
	must(t, err)
	apply := func(d *Document, p patch.Patch) error {
		made, err := d.Prepare(ctx, d.Buffers[0], doing(func(t *Transaction) error { return t.Apply(ctx, p, edit.Options{}) }))
		if err == nil {
			_, err = d.Make(ctx, made)
		}
		return err
	}
	other := open(t, integer(7), "raw")
	must(t, apply(other, read))
	if held(t, other.Buffers[0]) != done {
		t.Errorf("%q", held(t, other.Buffers[0]))
	}
	if err := apply(other, read); err == nil || !strings.Contains(err.Error(), "not 07") {
		t.Error(err)
	}
	must(t, apply(other, read.Reversed()))
	if held(t, other.Buffers[0]) != string(integer(7)) {
		t.Errorf("%q", held(t, other.Buffers[0]))
	}
	for text, want := range map[string]string{
		"":                                "line 1",
		"varview patch 2\n":               "line 1",
		"varview patch 1\n- 7\n":          "line 2",
		"varview patch 1\nset $\n* 7\n":   "line 3",
		"varview patch 1\nmove $\n@ x\n":  "line 3",
		"varview patch 1\nbytes zero\n":   "line 2",
		"varview patch 1\nfrobnicate $\n": "line 2",
		"varview patch 1\nsum 0\n":        "the patch is cut",
		"varview patch 1\nset $\n- 1\n+ " + strings.Repeat("1", 5<<20): "line 4: more than 4,194,304 bytes",
	} {
		if _, err := patch.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSaveWrapped saves the digits of base64 again around a value, and goes on.
func TestSaveWrapped(t *testing.T) {
	path := write(t, []byte("AgAAAAcAAAA=\n"))
	d := openFile(t, path, decoder.Options{})
	d = doPut(t, d, 1, 4, 1, "\x08")
	if err := d.CanEdit(d.Buffers[0]); err == nil {
		t.Error("the digits can be edited though others are to come")
	}
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAgAAAA=\n")
	if held(t, d.Buffers[0]) != "AgAAAAgAAAA=\n" || d.IsModified() {
		t.Errorf("the digits shown are %q", held(t, d.Buffers[0]))
	}
	d = doPut(t, d, 1, 4, 1, "\x07")
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAcAAAA=\n")
	d = doPut(t, d, 0, 6, 1, "g") // and now the digits
	t.Cleanup(func() { d.Close() })
	must(t, save(t, d, SaveOptions{}))
	fileIs(t, path, "AgAAAAgAAAA=\n")
	plain := filepath.Join(t.TempDir(), "plain")
	must(t, save(t, d, SaveOptions{Path: plain, Unwrap: true}))
	fileIs(t, plain, string(integer(8)))
}

// TestReopenEdited reads what was edited in another dialect, and undoes it there.
func TestReopenEdited(t *testing.T) {
	d := open(t, cat(words(tArray, 1), integer(7)), "raw")
	d = doPut(t, d, 0, 12, 1, "\x09")
	again := reopen(t, d, As("godot3", "raw"))
	if !again.TakeOver(d) || !again.IsModified() || held(t, again.Buffers[0])[12] != 9 || again.Dialect != "godot3" {
		t.Errorf("%s, modified %v", again.Dialect, again.IsModified())
	}
	must(t, d.Close())
	_, err := again.Undo(context.Background())
	must(t, err)
	if held(t, again.Buffers[0])[12] != 7 || again.IsModified() {
		t.Error("not undone")
	}
	late := reopen(t, again, As("godot4", "raw"))
	doPut(t, again, 0, 12, 1, "\x05")
	if late.TakeOver(again) {
		t.Error("it took over what it does not know of")
	}
}

// TestConvertRegion converts a block behind a header of the game's own, which
// stays.
func TestConvertRegion(t *testing.T) {
	block, err := os.ReadFile(repoFile("elephant/v1-5-0-ref-parent-child.bin"))
	must(t, err)
	d := openFile(t, write(t, append([]byte("MINE"), block...)), decoder.Options{Offset: 4})
	p, err := d.Prepare(context.Background(), d.Innermost(), doing(func(t *Transaction) error { return t.ConvertHere(context.Background(), "elephant-1.5.1") }))
	must(t, err)
	turn, err := d.Make(context.Background(), p)
	must(t, err)
	t.Cleanup(func() { turn.Doc.Close() })
	want := "MINE" + string(block)
	want = want[:8] + "\x01\x05\x01\x00" + want[12:] // the version is all that differs
	if got := held(t, turn.Doc.Innermost()); got != want || turn.Doc.Dialect != "elephant-1.5.1" {
		t.Errorf("%s %q, want %q", turn.Doc.Dialect, got, want)
	}
}

// TestOpenedAhead: what an edit of a wrapper's bytes, undo and redo open is opened before they
// are made, which then opens nothing. What was opened for an edit that is not made is closed.
func TestOpenedAhead(t *testing.T) {
	ctx := context.Background()
	over, stop := context.WithCancel(ctx)
	stop() // with which nothing can be opened
	d := openFile(t, write(t, []byte("AgAAAAcAAAA=\n")), decoder.Options{})
	t.Cleanup(func() { d.Close() })
	prepare := func(digit string) *Prepared {
		p, err := d.Prepare(ctx, d.Buffers[0], putBytes(6, 1, digit))
		must(t, err)
		must(t, d.OpenAhead(ctx, p))
		return p
	}
	prepare("w")
	unused := d.ahead.doc
	p := prepare("g")
	if unused == nil || !unused.closed {
		t.Error("what is not used is not closed")
	}
	turn, err := d.Make(over, p)
	must(t, err)
	if d = turn.Doc; held(t, d.Buffers[1])[4] != 8 {
		t.Errorf("%q", held(t, d.Buffers[1]))
	}
	for i, begin := range []func() (*Turning, error){d.Undoing, func() (*Turning, error) { return d.Redoing() }} {
		step, err := begin()
		must(t, err)
		must(t, d.WorkOut(ctx, step))
		turn, err := d.Turn(over, step)
		must(t, err)
		if d = turn.Doc; held(t, d.Buffers[1])[4] != byte(7+i) {
			t.Errorf("%d: %q", i, held(t, d.Buffers[1]))
		}
	}
	prepare("w")
	unused = d.ahead.doc
	if must(t, d.Close()); !unused.closed {
		t.Error("what is not used is not closed with the document")
	}
}

// TestShortened removes the last characters of values in a text: the value has changed, not what follows it.
func TestShortened(t *testing.T) {
	for _, c := range []struct {
		text    string
		off, n  int64
		changed span.Span
	}{
		{`{"b":1873,"c":2}`, 7, 2, span.Between(6, 7)},
		{`{"b":12.5,"c":2}`, 7, 2, span.Between(6, 7)},
		{`{"b":"Mira","c":2}`, 8, 2, span.Between(7, 8)},
		{`[1,22,3]`, 2, 3, span.Between(2, 2)},
	} {
		d := openFile(t, write(t, []byte(c.text)), decoder.Options{Dialect: "json"})
		d = doPut(t, d, 0, c.off, c.n, "")
		if got := d.Innermost().AppendChanges(nil, 0, 99); len(got) != 1 || got[0] != c.changed {
			t.Errorf("%s without %d bytes at %d: changed %v, want %v", c.text, c.n, c.off, got, c.changed)
		}
	}
}
