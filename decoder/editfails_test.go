package decoder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A flaky source fails once, after so many reads.
type flaky struct {
	source.Source
	left int
}

var errFlaky = errors.New("the disk is gone")

func (f *flaky) ReadAt(p []byte, off int64) (int, error) {
	if f.left--; f.left == 0 {
		return 0, errFlaky
	}
	return f.Source.ReadAt(p, off)
}

// An attempt is one edit, made with a reader and a context that may fail.
type attempt struct {
	what string
	make func(ctx context.Context, r *tree.Reader) ([]source.Splice, error)
}

// attempts returns edits of a value, with another one of the same tree.
func attempts(e edit.Editor, from *tree.Reader, n, other *tree.Node) (all []attempt) {
	contents := []edit.Content{{Copy: other}, {Copy: n}, {Copy: other, Key: `"new"`}}
	literals := []string{"1", `"a"`, "[1, 2]", `{"a": 1}`, "Vector2(1, 2)", "int 5"}
	for _, of := range []*tree.Node{n, other} {
		if text, err := edit.LiteralOf(context.Background(), from, &of.Value, 1<<16); err == nil {
			literals = append(literals, text)
		}
	}
	for _, text := range literals {
		contents = append(contents, edit.Content{Literal: text}, edit.Content{Literal: text, Key: `"new"`})
	}
	for _, how := range []string{"retyped", "inferred", "together"} {
		options := func() edit.Options {
			o := edit.Options{Retype: how != "inferred", Infer: how == "inferred"}
			if how == "together" {
				o.Together = new(edit.Together)
			}
			return o
		}
		add := func(what string, make func(ctx context.Context, r *tree.Reader, o edit.Options) ([]source.Splice, error)) {
			all = append(all, attempt{how + " " + what, func(ctx context.Context, r *tree.Reader) ([]source.Splice, error) { return make(ctx, r, options()) }})
		}
		for i, c := range contents {
			what := fmt.Sprint(i, " ", c.Literal, c.Key)
			for _, index := range []int64{-1, 0, 1, n.Count} {
				add(fmt.Sprint("content ", what, " at ", index), func(ctx context.Context, r *tree.Reader, o edit.Options) (splices []source.Splice, err error) {
					c.From = from.Tree.NewReader()
					if index < 0 {
						splices, err = e.Set(ctx, r, n, c, o)
					} else {
						splices, err = e.Insert(ctx, r, n, index, c, o)
					}
					return splices, cmp.Or(err, c.Err())
				})
			}
		}
		add("deleted", func(ctx context.Context, r *tree.Reader, o edit.Options) ([]source.Splice, error) {
			return e.Delete(ctx, r, n, o)
		})
		for to := range int64(3) {
			add(fmt.Sprint("moved to ", to), func(ctx context.Context, r *tree.Reader, o edit.Options) ([]source.Splice, error) {
				return e.Move(ctx, r, n, to, o)
			})
		}
	}
	return all
}

// TestEditFails: whatever fails while an edit is worked out, a read, a look-up that takes too long or the context, the edit
// ends with an error or is what it would have been without; it never ends the program.
func TestEditFails(t *testing.T) {
	for _, file := range []string{
		"godot4/save-player-stats.bin", "godot4/store-objects-full.bin", "godot3/save-settings.bin", "pandemonium/p42-object-full-input-event-key.bin",
		"handmade/godot4-docs-every-type.bin", "elephant/v1-5-1-ref-graph.bin", "elephant/v1-5-1-style-all.bin",
		"resource/godot3-ramp.res", "resource/godot4-savegame-0.res", "godot-text/save.tres", "gamemaker/map-of-written.txt",
	} {
		testEditFails(t, filepath.Base(file), readFile(t, filepath.Join("../testdata", file)))
	}
	for name, text := range map[string]string{
		"json":   `{"a": [1, 2, {"b": "text"}], "c": {}, "d": 1.5, "e": [[], "x"]}`,
		"jsonl":  "{\"a\": 1}\n{\"a\": [2, 3]}\n",
		"config": "[one]\n\na=1\nb=Vector2(1, 2)\nc={\n\"k\": [1, 2]\n}\n\n[two]\n\nd=\"x\"\n",
		"ini":    "[one]\r\na=\"1.000\"\r\nb=\"x\"\r\n\r\n[two]\r\nc=\"2\"\r\n",
		"lines":  "1\n2\nname\n3.5\n", "msgpack": "\x83\xa1a\x93\x01\x02\xa1x\xa1b\x81\xa1c\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\xa1d\xc4\x02\x00\x01",
	} {
		testEditFails(t, name, []byte(text))
	}
}

// sparse says that one of so many edits is tried; with 1 all are, for 20 s.
const sparse = 29

func testEditFails(t *testing.T, name string, b []byte) {
	src := &flaky{Source: source.Bytes(b)}
	d, err := Open(t.Context(), src, Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	defer d.Close()
	e, ok := d.Tree.Reading.(edit.Editor)
	if !ok {
		t.Fatalf("%s is %s, which has no editor", name, d.Title)
	}
	r := d.Tree.NewReader()
	nodes := []*tree.Node{d.Tree.Base}
	for s := r.Scan(d.Tree.Base); len(nodes) < 40; {
		ev := s.Next()
		if ev == tree.Done {
			break
		}
		if n := s.Current(ev); ev == tree.Enter || ev == tree.Atom {
			nodes = append(nodes, n)
		}
	}
	made := 0
	for i, n := range nodes {
		for j, try := range attempts(e, r, n, nodes[(i*7+3)%len(nodes)]) {
			if (i+j)%sparse == 0 && testFails(t, name+", "+r.Path(n), d.Tree, src, try) {
				made++
			}
		}
	}
	if made < 3 {
		t.Errorf("%s: only %d edits can be made", name, made)
	}
}

// testFails makes an edit again and again, each time with another failure. It reports whether the edit can be made without.
func testFails(t *testing.T, where string, tr *tree.Tree, src *flaky, try attempt) (isMade bool) {
	want, err := try.make(t.Context(), tr.NewReader())
	fail := func(how string, ctx context.Context, r *tree.Reader) (reached bool) {
		got, failed := try.make(ctx, r)
		reached, src.left = src.left <= 0, 0
		switch {
		case failed == nil && err != nil:
			t.Errorf("%s, %s, %s: no error, without failures %v", where, how, try.what, err)
		case failed == nil && fmt.Sprint(spliced(got)) != fmt.Sprint(spliced(want)):
			t.Errorf("%s, %s, %s: other bytes, and no error:\n%q\n%q", where, how, try.what, spliced(got), spliced(want))
		}
		return reached
	}
	for left := 1; left < 200; left += 1 + left/4 {
		c := &shortContext{t.Context(), left - 1}
		fail(fmt.Sprint("cancelled at ", left), c, tr.NewReader())
		if c.left >= 0 {
			break
		}
	}
	for left := 1; left < 200; left += 1 + left/4 {
		src.left = left
		if !fail(fmt.Sprint("read ", left), t.Context(), tr.NewReader()) {
			break
		}
	}
	for _, budget := range []int{1, 2, 3, 5, 9, 20} {
		r := tr.NewReader()
		r.Budget = budget
		fail(fmt.Sprint("budget ", budget), t.Context(), r)
	}
	return err == nil
}

// TestRepairFails is TestEditFails for repairs.
func TestRepairFails(t *testing.T) {
	damaged, err := filepath.Glob("../testdata/damaged/*.bin")
	if err != nil || len(damaged) == 0 {
		t.Fatal("no damaged files", err)
	}
	made := 0
	for _, file := range damaged {
		made += testRepairFails(t, filepath.Base(file), readFile(t, file))
	}
	for _, file := range []string{"elephant/v1-5-1-style-all.bin", "elephant/v1-5-1-ref-graph.bin", "godot-text/save.tres", "gamemaker/map-of-written.txt"} {
		b := readFile(t, filepath.Join("../testdata", file))
		made += testRepairFails(t, filepath.Base(file), b[:len(b)*3/4])
		made += testRepairFails(t, filepath.Base(file), slices.Concat(b, []byte("\xff\x00 }")))
	}
	for name, text := range map[string]string{
		"json": `{"a": [1, 2,, {"b": "te`, "open": `{"a": [1, 2 {"b" "text"], c: nul, "c": 'x', "d": 01}`, "config": "[one]\n\na=1 b=Vec\nc={\n\"k\": [1, 2\n",
	} {
		made += testRepairFails(t, name, []byte(text))
	}
	if made < 30 {
		t.Errorf("only %d repairs can be made", made)
	}
}

func testRepairFails(t *testing.T, name string, b []byte) (made int) {
	src := &flaky{Source: source.Bytes(b)}
	d, err := Open(t.Context(), src, Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	defer d.Close()
	e, ok := d.Tree.Reading.(edit.Repairer)
	if !ok {
		return 0
	}
	var all []attempt
	err = d.Tree.Check(t.Context(), tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		if p.Repair != "" {
			all = append(all, attempt{p.Code, func(ctx context.Context, r *tree.Reader) ([]source.Splice, error) {
				made, err := e.Repair(ctx, r, n, &p)
				return made.Splices, err
			}})
		}
	})
	if err != nil {
		t.Fatal(name, err)
	}
	for _, try := range all {
		if testFails(t, name, d.Tree, src, try) {
			made++
		}
	}
	return made
}

// spliced returns splices with their bytes.
func spliced(all []source.Splice) (texts []string) {
	for _, s := range all {
		b := make([]byte, s.Added())
		if s.New != nil {
			s.New.ReadAt(b, 0)
		}
		texts = append(texts, fmt.Sprintf("%v %q", s.Span, b))
	}
	return texts
}
