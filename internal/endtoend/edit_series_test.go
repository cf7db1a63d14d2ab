package endtoend

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
)

// go test ./internal/endtoend -run 'TestEdits|TestImport' -corpus DIR,DIR -edits 200
// tests what must be true of every edit on all files of some folders. Relative
// paths start at the module's root.
var (
	corpus = flag.String("corpus", "", "folders with save files and their truths, instead of those of testdata or a sample of them")
	seed   = flag.Uint64("seed", 7, "of the random edits")
	edits  = flag.Int("edits", 60, "how many random edits of each file are made")
)

// editFiles are the files whose edits are tested.
func editFiles(t *testing.T) []string {
	files := corpusFiles(t, "*", "testdata/godot3", "testdata/godot4", "testdata/pandemonium", "testdata/elephant",
		"testdata/wrapped", "testdata/handmade", "testdata/damaged")
	files = slices.DeleteFunc(files, func(name string) bool {
		isSave := slices.Contains([]string{".bin", ".b64", ".txt"}, filepath.Ext(name))
		if *corpus != "" {
			isSave = !strings.HasSuffix(name, ".truth.json") && !strings.HasSuffix(name, ".expect.json")
		}
		return !isSave
	})
	every := 1
	switch {
	case *corpus != "":
	case testing.Short():
		every = 17
	default:
		every = 5
	}
	var some []string
	for i, name := range files {
		if i%every == 0 {
			some = append(some, name)
		}
	}
	return some
}

// truthOf returns the path of the truth of a file.
func truthOf(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) + ".truth.json" }

// openModel opens a file to be edited, with the key in its truth.
func openModel(t *testing.T, name string, o model.Options) *model.Document {
	t.Helper()
	var tr struct{ Password, Key *string }
	if data, err := os.ReadFile(truthOf(name)); err == nil && json.Unmarshal(data, &tr) == nil {
		if tr.Password != nil {
			o.Passwords = append(o.Passwords, *tr.Password)
		}
		if tr.Key != nil {
			if key, err := hex.DecodeString(*tr.Key); err == nil {
				o.Keys = append(o.Keys, key)
			}
		}
	}
	d, err := model.Open(context.Background(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// readBuffer returns all bytes of a buffer; those that cannot be read are zero.
func readBuffer(t *testing.T, b *model.Buffer) []byte {
	t.Helper()
	w := b.Tree().NewReader().Window()
	var all []byte
	for at := int64(0); at < b.Size(); at += 64 << 10 {
		all = append(all, w.View(at, 64<<10)...)
	}
	return all
}

// checkFields checks that the fields of a buffer cover it once.
func checkFields(t *testing.T, b *model.Buffer) {
	t.Helper()
	at := int64(0)
	err := b.Tree().EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			return fmt.Errorf("field %s of %d bytes at %#x, expected at %#x", f.Label, f.Length, f.Offset, at)
		}
		at = f.End()
		return nil
	})
	if err == nil && at != b.Size() {
		err = fmt.Errorf("the fields end at %#x of %#x", at, b.Size())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// nodes returns all values, keys and elements of a buffer, without the buffer
// itself.
func nodes(b *model.Buffer) []*tree.Node {
	s := b.Tree().Scanner()
	s.Elements = true
	var all []*tree.Node
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		if n := s.Current(ev); ev != tree.Leave && n.Depth > 0 {
			all = append(all, n)
		}
	}
	return all
}

// TestEditsOwnLiteral: a value that is set to itself does not change a byte.
func TestEditsOwnLiteral(t *testing.T) {
	ctx := context.Background()
	for _, name := range editFiles(t) {
		t.Run(name, func(t *testing.T) {
			d := openModel(t, name, model.Options{})
			defer d.Close()
			b := d.Innermost()
			if b.IsWrapper() {
				t.Skip("no values in it")
			}
			for i, n := range nodes(b) {
				if n.Layout >= tree.Sequence || n.Damage != nil || *corpus == "" && i%7 > 2 {
					continue
				}
				tx, err := d.Begin(b)
				if err != nil {
					t.Fatal(err)
				}
				var literal bytes.Buffer
				if err := b.Tree().NewReader().WriteText(ctx, &literal, &n.Value); err != nil {
					t.Fatal(err)
				}
				if err := tx.Set(ctx, n, edit.Content{Literal: literal.String()}, edit.Options{}); err != nil {
					t.Errorf("%s = %s: %v", tx.Reader().Path(n), literal.String(), err)
				} else if len(tx.Splices()) > 0 {
					t.Errorf("%s = %s: changes %v", tx.Reader().Path(n), literal.String(), tx.Splices())
				}
			}
		})
	}
}

// TestEditsNone: saving without a change writes the same bytes.
func TestEditsNone(t *testing.T) {
	for _, name := range editFiles(t) {
		d := openModel(t, name, model.Options{})
		checkSaved(t, d, name)
		d.Close()
	}
}

// checkSaved checks that a document saved under another name is equal to a file.
func checkSaved(t *testing.T, d *model.Document, name string) {
	t.Helper()
	want := readFile(t, name)
	if got, err := os.ReadFile(saveAs(t, d, filepath.Base(name), model.SaveOptions{})); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: saved without a change it differs (%v)", name, err)
	}
}

// saveAs saves a document in a new folder.
func saveAs(t *testing.T, d *model.Document, name string, o model.SaveOptions) string {
	t.Helper()
	o.Path = filepath.Join(t.TempDir(), name)
	s, err := d.Save(o)
	if err == nil {
		err = s.Write(context.Background(), new(model.Progress))
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return o.Path
}

// literals are the values that random edits set.
var literals = map[string][]string{
	"godot": {`null`, `true`, `false`, `42`, `-7`, `5000000000`, `1.5`, `1e300`, `0.1`, `""`, `"a"`, `"höhe"`, `"a text of some more bytes than most"`, `&"name"`, `^"a/b:c"`,
		`Vector2(1, 2)`, `Vector3(1.5, 2.5, -3)`, `Vector2i(1, 2)`, `Color(1, 0, 0.5, 1)`, `[]`, `[1, "a", [null]]`, `{}`, `{ "k": [1, 2], 3: "v" }`,
		`PoolByteArray(1, 2, 3)`, `PackedByteArray(1, 2, 3, 4, 5)`, `PackedStringArray("a", "b")`, `PoolIntArray(1)`, `PackedInt64Array()`, `Transform2D(1, 0, 0, 1, 2, 3)`, `255`, `7`},
	"kaitai":   {`1`, `2`, `3`, `200`, `1.5`, `hard`, `easy`, `sword`, `staff`, `true`, `false`, `"fr"`, `"Grace"`, `"healers"`, `""`, `bytes(53415645)`},
	"json":     {`1`, `-2.50`, `"text"`, `"höhe"`, `null`, `true`, `[]`, `[1, {"a": 2}]`, `{}`, `{"k": [1, 2], "v": "x"}`},
	"elephant": {`1`, `-2.5`, `1e300`, `"text"`, `""`, `"höhe und breite"`, `true`, `false`, `undefined`, `[]`, `[1, 2, 3]`, `["a", 1, []]`, `{}`, `{ a: 1, b: [2, {}] }`, `u8(7)`, `s32(-4)`, `ref($)`, `7`, `default`},
}

// An editor makes random edits of a document.
type editor struct {
	t   *testing.T
	d   *model.Document
	r   *rand.Rand
	did map[string]int // by their kind
	log []string       // what was done
}

// step makes one random edit, if it is possible.
func (e *editor) step() {
	b := e.d.Innermost()
	all := nodes(b)
	x := explore.New(b)
	list := literals[e.d.Format]
	if list == nil { // an overwritten header can make it an unknown file
		list = literals["godot"]
	}
	literal := list[e.r.IntN(len(list))]
	key := []string{"", fmt.Sprintf(`"key%d"`, e.r.IntN(20)), `"m"`}[e.r.IntN(3)]
	o := edit.Options{Retype: e.r.IntN(2) == 0, Orphans: edit.Orphans(e.r.IntN(3))}
	var in model.Intention
	what := e.r.IntN(12)
	if len(all) == 0 || what == 11 {
		in = e.bytes(x)
	} else {
		n := all[e.r.IntN(len(all))]
		switch {
		case what < 4:
			in = x.Set(n, literal)
		case what < 6:
			in = x.Insert(n, e.r.Int64N(max(1, min(n.Count, 1000)+1)), key, literal)
		case what < 7:
			in = x.Duplicate(n, key)
		case what < 9:
			in = x.DeleteThese([]*tree.Node{n})
		case what < 10:
			in = x.Move(n, e.r.Int64N(max(1, min(n.Parent.Count, 1000))))
		default:
			types := x.Types(n)
			if len(types) == 0 {
				return
			}
			in = x.Retype(n, types[e.r.IntN(len(types))])
		}
	}
	in.Options = o
	kind, _, _ := strings.Cut(in.Label, " ")
	e.did["tried"]++
	p, err := e.d.Prepare(context.Background(), b, in)
	if err != nil {
		return
	}
	turn, err := e.d.Make(context.Background(), p)
	if errors.Is(err, model.ErrNoChange) {
		return
	}
	if err != nil {
		e.t.Fatalf("%s: %v", in.Label, err)
	}
	e.did[kind]++
	e.log = append(e.log, in.Label+" "+literal)
	e.d = turn.Doc
}

// bytes edits bytes, which need not mean anything afterwards.
func (e *editor) bytes(x *explore.Explorer) model.Intention {
	size := x.Buffer.Size()
	off := e.r.Int64N(size + 1)
	n := min(e.r.Int64N(4), size-off)
	put := make([]byte, e.r.IntN(4))
	for i := range put {
		put[i] = byte(e.r.IntN(256))
	}
	return x.PutBytes(off, n, put, off)
}

// TestEditsSeries makes random edits, undoes all of them and redoes them: the bytes
// are the same each time, and the fields tile the buffer after every step.
func TestEditsSeries(t *testing.T) {
	t.Parallel()
	did := map[string]int{}
	for i, name := range editFiles(t) {
		if info, err := os.Stat(name); err != nil || info.Size() > 200<<10 {
			continue // each edit reads all of it several times
		}
		t.Run(name, func(t *testing.T) {
			d := openModel(t, name, model.Options{})
			if d.Missing != nil {
				d.Close()
				t.Skip("no values in it")
			}
			e := &editor{t: t, d: d, r: rand.New(rand.NewPCG(uint64(i), uint64(*seed))), did: did}
			defer func() { e.d.Close() }()
			e.series(*edits)
			e.checkWritten(name)
		})
	}
	if did["tried"] == 0 {
		return // all of them were skipped
	}
	for _, what := range []string{"set", "insert", "duplicate", "delete", "move", "retype", "overwrite"} {
		if did[what]*200 < did["tried"] && *corpus == "" && !testing.Short() {
			t.Errorf("of %d edits only %d did %s", did["tried"], did[what], what)
		}
	}
	t.Log(did)
}

// series makes n random edits and as many undos and redos.
func (e *editor) series(n int) {
	t, ctx := e.t, context.Background()
	states := [][]byte{readBuffer(t, e.d.Innermost())}
	for range n {
		steps := e.d.Steps()
		e.step()
		if e.d.Steps() > steps {
			checkFields(t, e.d.Innermost())
			states = append(states, readBuffer(t, e.d.Innermost()))
		}
		if t.Failed() {
			t.Fatal(strings.Join(e.log, "\n"))
		}
	}
	same := func(i int, how string) {
		if !bytes.Equal(readBuffer(t, e.d.Innermost()), states[i]) {
			t.Fatalf("after %s to step %d the bytes differ:\n%s", how, i, strings.Join(e.log, "\n"))
		}
	}
	for i := len(states) - 2; i >= 0; i-- {
		turn, err := e.d.Undo(ctx)
		if err != nil {
			t.Fatal(err)
		}
		e.d = turn.Doc
		same(i, "undo")
	}
	if e.d.IsModified() {
		t.Error("modified though all was undone")
	}
	for i := 1; i < len(states); i++ {
		turn, err := e.d.Redo(ctx)
		if err != nil {
			t.Fatal(err)
		}
		e.d = turn.Doc
		same(i, "redo")
		checkFields(t, e.d.Innermost())
	}
	if want := !bytes.Equal(states[0], states[len(states)-1]); e.d.IsModified() != want {
		t.Errorf("modified: %v", e.d.IsModified())
	}
}

// checkWritten checks that a saved file has the edited values.
func (e *editor) checkWritten(name string) {
	t := e.t
	want := readBuffer(t, e.d.Innermost())
	if len(e.d.Layers) == 0 {
		got, err := os.ReadFile(saveAs(t, e.d, filepath.Base(name), model.SaveOptions{}))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("what was saved is not what was edited (%v)", err)
		}
		return
	}
	if holes(e.d.Innermost()) {
		return
	}
	saved := saveAs(t, e.d, filepath.Base(name), model.SaveOptions{})
	if data, err := os.ReadFile(truthOf(name)); err == nil {
		os.WriteFile(truthOf(saved), data, 0o600)
	}
	var o model.Options
	if kind := e.d.Layers[0].Kind; kind.IsText() { // some base64 can be read as hex as well
		o.Input = kind.String()
	}
	again := openModel(t, saved, o)
	defer again.Close()
	if len(again.Buffers) <= e.d.Innermost().Number {
		t.Fatalf("saved it has %d buffers", len(again.Buffers))
	}
	if got := readBuffer(t, again.Buffers[e.d.Innermost().Number]); !bytes.Equal(got, want) {
		t.Errorf("saved and opened again it holds %d bytes, not %d, or others", len(got), len(want))
	}
}

// holes reports whether bytes of a buffer could not be unpacked.
func holes(b *model.Buffer) bool {
	w := b.Tree().NewReader().Window()
	for at := int64(0); at < b.Size(); at += 64 << 10 {
		w.View(at, 64<<10)
	}
	return w.InHole()
}
