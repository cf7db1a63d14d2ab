package diff

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	_ "varview/internal/lessgc"
	"varview/model"
	"varview/model/compare"
	"varview/model/patch"
	"varview/model/savetest"
)

// Values for saves.
var (
	integer    = savetest.Integer
	text       = savetest.Text
	array      = savetest.Array
	dictionary = savetest.Dictionary
)

// long is a text that no other value is equal to by chance.
const long = "a text of more than 24 characters"

// list is an Array of ints.
func list(elements ...int32) []byte {
	var values [][]byte
	for _, n := range elements {
		values = append(values, integer(n))
	}
	return array(values...)
}

// open opens a file with one value of Godot 4 for the length of the test.
func open(t *testing.T, value []byte) *model.Document {
	t.Helper()
	return openFile(t, savetest.Write(t, value))
}

func openFile(t *testing.T, path string) *model.Document {
	t.Helper()
	return openAs(t, path, "godot4", "raw")
}

func openAs(t *testing.T, path, dialect, framing string) *model.Document {
	t.Helper()
	d, err := model.Open(context.Background(), path, model.Options{Options: decoder.Options{Dialect: dialect, Framing: framing}})
	savetest.Must(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// begin begins to edit the values of a document.
func begin(t *testing.T, d *model.Document) *model.Transaction {
	t.Helper()
	x, err := d.Begin(d.Innermost())
	savetest.Must(t, err)
	return x
}

// wantBytes checks what a transaction makes of the values.
func wantBytes(t *testing.T, x *model.Transaction, want []byte) {
	t.Helper()
	s := x.Reader().Tree.Source
	got := make([]byte, s.Size())
	if _, err := s.ReadAt(got, 0); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("it is\n%x, want\n%x", got, want)
	}
}

// pairs are values, and what they are to become.
var pairs = map[string]struct{ from, to []byte }{
	"equal":       {list(1, 2), list(1, 2)},
	"value":       {dictionary(text("hp"), integer(1)), dictionary(text("hp"), integer(2))},
	"type":        {list(1, 2), array(integer(1), text("two"))},
	"added":       {list(1, 3), list(1, 2, 3, 4)},
	"removed":     {list(1, 2, 3, 4), list(2, 4)},
	"moved":       {list(1, 2, 3, 4), list(4, 1, 2, 3)},
	"all at once": {list(1, 2, 3, 4, 5), list(5, 7, 2, 3)},
	"entries":     {dictionary(text("a"), integer(1), text("b"), integer(2)), dictionary(text("b"), integer(2), text("c"), list())},
	"renamed":     {dictionary(text("a"), text(long), text("b"), integer(2)), dictionary(text("z"), text(long), text("b"), integer(2))},
	"inside":      {array(list(1), list(2, 3)), array(list(1, 0), list(3))},
}

func become(ctx context.Context, t *model.Transaction, to *tree.Tree, o compare.Options) error {
	_, err := Become(ctx, t, to, o)
	return err
}

func TestBecome(t *testing.T) {
	for name, c := range pairs {
		t.Run(name, func(t *testing.T) {
			x := begin(t, open(t, c.from))
			savetest.Must(t, become(context.Background(), x, open(t, c.to).Tree, compare.Options{}))
			wantBytes(t, x, c.to)
		})
	}
}

// A value that is stored differently but means the same stays.
func TestBecomeNote(t *testing.T) {
	x := begin(t, open(t, savetest.Long(5)))
	savetest.Must(t, become(context.Background(), x, open(t, integer(5)).Tree, compare.Options{}))
	wantBytes(t, x, savetest.Long(5))
}

func TestBecomeSeveral(t *testing.T) {
	path := savetest.Write(t, savetest.Stream(integer(1), integer(2)))
	other, err := model.Open(context.Background(), path, model.Options{Options: decoder.Options{Dialect: "godot4", Framing: "stream"}})
	savetest.Must(t, err)
	defer other.Close()
	if _, err := Become(context.Background(), begin(t, open(t, integer(1))), other.Tree, compare.Options{}); !errors.Is(err, errOneValue) {
		t.Errorf("the error is %v", err)
	}
}

// compared compares a document with a file.
func compared(t *testing.T, d *model.Document, path string) *Differences {
	t.Helper()
	x, err := Open(context.Background(), d, path, nil)
	savetest.Must(t, err)
	t.Cleanup(func() { x.Other.Close() })
	savetest.Must(t, x.Compare(context.Background(), d))
	return x
}

func TestDifferences(t *testing.T) {
	there := dictionary(text("hp"), integer(1), text("list"), list(1, 2), text("old"), integer(3))
	here := dictionary(text("hp"), integer(2), text("list"), list(1, 2, 3), text("new"), integer(4))
	path := savetest.Write(t, there)
	d := open(t, here)
	x := compared(t, d, path)
	var found []string
	for _, c := range x.Changes {
		found = append(found, c.Kind.String()+" "+c.Path)
	}
	if want := []string{"changed $.hp", "added $.list[2]", "removed $.old", "added $.new"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	if x.Name != filepath.Base(path) || !x.CanGive || x.More || !x.IsOf(d) || x.IsOf(x.Other) {
		t.Errorf("%+v", x)
	}
}

func TestTake(t *testing.T) {
	there, here := dictionary(text("hp"), integer(1), text("list"), list(1)), dictionary(text("hp"), integer(2), text("list"), list(1, 3))
	for i, want := range [][]byte{
		dictionary(text("hp"), integer(1), text("list"), list(1, 3)),
		dictionary(text("hp"), integer(2), text("list"), list(1)),
	} {
		d := open(t, here)
		x := compared(t, d, savetest.Write(t, there))
		made := begin(t, d)
		savetest.Must(t, x.Take(context.Background(), made, x.Changes[i]))
		wantBytes(t, made, want)
		if err := x.Take(context.Background(), made, x.Changes[i]); err != model.ErrOutdated {
			t.Errorf("after an edit the error is %v", err)
		}
	}
}

func TestGive(t *testing.T) {
	for _, name := range []string{"value", "type", "moved", "renamed"} {
		c := pairs[name]
		t.Run(name, func(t *testing.T) {
			path := savetest.Write(t, c.from)
			x := compared(t, open(t, c.to), path)
			if len(x.Changes) != 1 {
				t.Fatalf("%d changes", len(x.Changes))
			}
			savetest.Must(t, x.Give(context.Background(), x.Changes[0]))
			for name, want := range map[string][]byte{path: c.to, path + "~": c.from} {
				if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s is %x, %v; want %x", filepath.Base(name), got, err, want)
				}
			}
		})
	}
}

// TestGiveRefused: a file that another program has saved keeps its values, also in what it is compared with.
func TestGiveRefused(t *testing.T) {
	c := pairs["value"]
	path := savetest.Write(t, c.from)
	d := open(t, c.to)
	x := compared(t, d, path)
	savetest.Must(t, os.WriteFile(path, append([]byte{0}, c.from...), 0o600))
	if err := x.Give(t.Context(), x.Changes[0]); err == nil || x.Other.IsModified() {
		t.Errorf("the error is %v, and the other file is modified: %v", err, x.Other.IsModified())
	}
	savetest.Must(t, x.Compare(t.Context(), d))
	if len(x.Changes) != 1 {
		t.Errorf("%d values differ, want 1", len(x.Changes))
	}
}

func TestOpenWrong(t *testing.T) {
	path := savetest.Write(t, integer(1))
	for what, want := range map[string]string{
		"":            "compare with what?",
		"~":           filepath.Base(path) + "~: ",
		"git:":        "git: needs a revision",
		"git:--help":  "git: needs a revision",
		path + ".not": "no such file",
	} {
		if _, err := Open(context.Background(), openFile(t, path), what, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", what, err, want)
		}
	}
}

// at is a value at an index of the one around it.
func at(index int64) *tree.Node {
	n := &tree.Node{}
	n.Slot.Index = index
	return n
}

// Changes of one kind are in the order of the values that are there, and else of those that were.
func TestSiblings(t *testing.T) {
	added := []*compare.Change{{Kind: compare.Added, B: at(1)}, {Kind: compare.Added, B: at(4)}}
	removed := []*compare.Change{{Kind: compare.Removed, A: at(0)}, {Kind: compare.Removed, A: at(7)}}
	moved := []*compare.Change{{Kind: compare.Moved, A: at(5), B: at(2)}, {Kind: compare.Moved, A: at(3), B: at(6)}}
	g := &siblings{changes: []*compare.Change{moved[1], added[1], removed[1], moved[0], removed[0], added[0]}}
	for kind, want := range map[compare.Kind][]*compare.Change{compare.Added: added, compare.Removed: removed, compare.Moved: moved, compare.Renamed: nil} {
		if found := g.of(kind); !slices.Equal(found, want) {
			t.Errorf("%s: %v, want %v", kind, found, want)
		}
	}
}

// TestPatchFits: the patch of what was made of a file fits it, and makes the same, also where all sections of a file are others, and
// where some are put in and others moved.
func TestPatchFits(t *testing.T) {
	for _, c := range []struct{ dialect, from, to string }{
		{"configfile", "[a]\n\nx=1\n", "[b]\n\nx=2\n\n[c]\n\nx=3\n"},
		{"ini", "[a]\nx=1\n\n[b]\nx=2\n\n[c]\nx=3\n\n", "[c]\nx=3\n\n[b]\nx=4\n\n[d]\nx=5\n\n"},
	} {
		file := func(text string) *model.Document { return openAs(t, savetest.Write(t, []byte(text)), c.dialect, "") }
		from, to := file(c.from), file(c.to)
		made := begin(t, from)
		savetest.Must(t, become(t.Context(), made, to.Tree, compare.Options{Alike: true}))
		again := begin(t, from)
		savetest.Must(t, again.Apply(t.Context(), made.Patch(), edit.Options{}))
		if left, err := compare.All(t.Context(), again.Reader().Tree, to.Tree, compare.Options{}); err != nil || len(left) > 0 {
			t.Errorf("%s: %d are left, %v", c.dialect, len(left), err)
		}
	}
}

// TestPatchElsewhere: a patch that is made on a third file changes the values that it is about, or is refused.
func TestPatchElsewhere(t *testing.T) {
	for _, c := range []struct{ from, to, other, want string }{
		{`[{"id":0,"q":0,"n":1},{"id":1,"q":5,"n":1},{"id":2,"q":7,"n":1}]`, `[{"id":1,"q":9,"n":1},{"id":2,"q":7,"n":1},{"id":0,"q":0,"n":1}]`,
			`[{"id":0,"q":0,"n":1},{"id":1,"q":5,"n":1},{"id":2,"q":7,"n":50}]`, ""},
		{`[{"id":1,"hp":5},{"id":2,"hp":5}]`, `[{"id":1,"hp":5},{"id":2,"hp":6}]`, `[{"id":1,"hp":7},{"id":2,"hp":5}]`, `[{"id":1,"hp":7},{"id":2,"hp":6}]`},
		{`[{"id":1,"hp":5},{"id":2,"hp":5}]`, `[{"id":1,"hp":5},{"id":2,"hp":6}]`, `[{"id":2,"hp":5},{"id":1,"hp":5}]`, ""},
		{`[{"name":"a","hp":[5,7]},1]`, `[{"name":"a","hp":[7]},1]`, `[{"name":"b","hp":[5,7]},1]`, ""},
		{`[{"name":"a","hp":[5,7]},1]`, `[{"name":"a","hp":[5,6,7]},1]`, `[{"name":"b","hp":[5,7]},1]`, ""},
		{`[{"id":1,"l":[{"id":3,"n":1}]},1]`, `[{"id":1,"l":[{"id":3,"n":2}]},1]`, `[{"id":2,"l":[{"id":3,"n":1}]},1]`, ""},
		{`[{"id":1,"n":4}]`, `[{"id":2,"n":5}]`, `[{"id":1,"n":4},2]`, `[{"id":2,"n":5},2]`},
		{`[{"id":1,"n":4}]`, `[{"n":5}]`, `[{"id":1,"n":4},2]`, `[{"n":5},2]`},
		{`[1,2,3]`, `[3,1,2]`, `[1,5,3]`, `[3,1,5]`},
		{`[{"id":1}]`, `[{"id":1},{"id":3}]`, `[{"id":2}]`, `[{"id":2},{"id":3}]`},
		{`[{"id":1}]`, `[{"id":1},{"id":3}]`, `[{"id":1},{"id":3}]`, ""},
		{`[{"id":1},{"id":2}]`, `[{"id":1},{"id":3},{"id":4},{"id":2}]`, `[{"id":1,"hp":5},{"id":2}]`, `[{"id":1,"hp":5},{"id":3},{"id":4},{"id":2}]`},
		{`[{"id":1},{"id":2}]`, `[{"id":1},{"id":3},{"id":2}]`, `[{"id":1},{"id":3},{"id":2}]`, ""},
		{`["a","b"]`, `["a","b","c"]`, `["z","a","b"]`, ""},
		{`["a","b"]`, `["x","a","b"]`, `["z","a","b"]`, ""},
		{`[1,2,3]`, `[1,2,4,3]`, `[3,2,3]`, `[3,2,4,3]`},
		{`[1,2,3]`, `[1,2,4,3]`, `[1,3,3]`, ""},
		{`[[1],[2]]`, `[[1],[4],[2]]`, `[[1],[2],[3]]`, `[[1],[4],[2],[3]]`},
		{`[1,2,3]`, `[3,1,2]`, `[3,2,1]`, ""},
	} {
		in := func(list string) string { return savetest.Write(t, []byte(`{"l":`+list+`}`)) }
		made := begin(t, openAs(t, in(c.from), "json", ""))
		_, err := Become(t.Context(), made, openAs(t, in(c.to), "json", "").Tree, compare.Options{Alike: true})
		savetest.Must(t, err)
		var text bytes.Buffer
		savetest.Must(t, made.Patch().Write(&text))
		p, err := patch.Read(&text)
		savetest.Must(t, err)
		other := begin(t, openAs(t, in(c.other), "json", ""))
		switch err := other.Apply(t.Context(), p, edit.Options{}); {
		case c.want == "" && err == nil:
			t.Errorf("%s to %s, in %s: not refused", c.from, c.to, c.other)
		case c.want != "" && err != nil:
			t.Errorf("%s to %s, in %s: %v", c.from, c.to, c.other, err)
		case c.want != "":
			wantBytes(t, other, []byte(`{"l":`+c.want+`}`))
		}
		savetest.Must(t, made.Apply(t.Context(), p.Reversed(), edit.Options{}))
		wantBytes(t, made, []byte(`{"l":`+c.from+`}`))
		if err := begin(t, openAs(t, in(c.to), "json", "")).Apply(t.Context(), p, edit.Options{}); err == nil {
			t.Errorf("%s to %s, made twice: not refused", c.from, c.to)
		}
	}
}
