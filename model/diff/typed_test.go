package diff

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/compare"
	"varview/model/patch"
	"varview/model/savetest"
)

// TestTyped: a plain array or dictionary, a typed one and a packed one with the same elements differ, and a patch
// and a merge make the one of the other.
func TestTyped(t *testing.T) {
	write := func(name, before, value string) string {
		path := filepath.Join(t.TempDir(), name)
		savetest.Must(t, os.WriteFile(path, []byte(before+value+"\n"), 0o600))
		return path
	}
	for _, file := range [][2]string{{"a.cfg", "[s]\n\nx="}, {"a.tres", "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nx = "}} {
		for _, pair := range [][2]string{
			{`[1, 2]`, `Array[int]([1, 2])`}, {`[1, 2]`, `PackedInt32Array(1, 2)`}, {`PackedInt64Array(1, 2)`, `Array[int]([1, 2])`},
			{`PackedInt64Array(1, 2)`, `PackedInt32Array(1, 2)`}, {`{"a": 1}`, `Dictionary[String, int]({"a": 1})`}, {`Array[int]([])`, `[]`}, {`[[1]]`, `[Array[int]([1])]`},
		} {
			for _, way := range [][2]string{pair, {pair[1], pair[0]}} {
				t.Run(file[0]+" "+way[0]+" "+way[1], func(t *testing.T) {
					a, b := openAs(t, write(file[0], file[1], way[0]), "", ""), openAs(t, write(file[0], file[1], way[1]), "", "")
					changes, err := compare.All(t.Context(), a.Tree, b.Tree, compare.Options{SameDialect: true})
					savetest.Must(t, err)
					if len(changes) != 1 || changes[0].Note {
						t.Errorf("%d changes", len(changes))
					}
					want := []byte(file[1] + way[1] + "\n")
					x := begin(t, a)
					savetest.Must(t, become(t.Context(), x, b.Tree, compare.Options{SameDialect: true}))
					wantBytes(t, x, want)
					x = begin(t, a)
					conflicts, err := MergeTrees(t.Context(), x, a.Tree, b.Tree, compare.Options{SameDialect: true}, nil)
					savetest.Must(t, err)
					wantBytes(t, x, want)
					if len(conflicts) > 0 {
						t.Errorf("conflicts %+v", conflicts)
					}
				})
			}
		}
	}
}

// TestStoredInText: an int64 that GameMaker stores in a text of JSON goes into patches and merges as that text, and
// a patch in which it is a number is made too.
func TestStoredInText(t *testing.T) {
	write := func(text string) *model.Document {
		path := filepath.Join(t.TempDir(), "a.json")
		savetest.Must(t, os.WriteFile(path, []byte(text), 0o600))
		return openAs(t, path, "", "")
	}
	const from, to = `{"l": [1, 5]}`, `{"l": [1, "@i64@1f4$i64$", 5]}`
	for _, way := range [][2]string{{from, to}, {to, from}} {
		a, b := write(way[0]), write(way[1])
		x := begin(t, a)
		savetest.Must(t, become(t.Context(), x, b.Tree, compare.Options{SameDialect: true}))
		wantBytes(t, x, []byte(way[1]))
		x = begin(t, a)
		_, err := MergeTrees(t.Context(), x, a.Tree, b.Tree, compare.Options{SameDialect: true}, nil)
		savetest.Must(t, err)
		wantBytes(t, x, []byte(way[1]))
	}
	x := begin(t, write(to))
	savetest.Must(t, x.Apply(t.Context(), patch.Patch{{Kind: patch.Set, Path: "$.l[1]", Old: "500", New: "7"}}, edit.Options{}))
	wantBytes(t, x, []byte(`{"l": [1, "@i64@7$i64$", 5]}`))
}

// TestMergeIni: what comes from one file stays as it is spelled there, with its comments.
func TestMergeIni(t *testing.T) {
	write := func(text string) *model.Document { return openAs(t, savetest.Write(t, []byte(text)), "ini", "raw") }
	const base, ours, theirs = "[s]\na=1\nb='x'\n", "[s]\na=1\nb='x'\n[u]\nz=1", "[s]\na=\"2 x\"\nb=y ; now\nc = 7\n; v begins\n[v]\nz= 1"
	for _, c := range [][3]string{
		{ours, theirs, "[s]\na=\"2 x\"\nb=y ; now\nc = 7\n[u]\nz=1\n; v begins\n[v]\nz= 1\n"},
		{theirs, ours, theirs + "\n[u]\nz=1\n"},
	} {
		x := begin(t, write(c[0]))
		conflicts, err := MergeTrees(t.Context(), x, write(base).Tree, write(c[1]).Tree, compare.Options{Alike: true}, nil)
		savetest.Must(t, err)
		wantBytes(t, x, []byte(c[2]))
		if len(conflicts) > 0 {
			t.Errorf("conflicts %+v", conflicts)
		}
	}
}

// TestMergeSwapped: what one side has changed in a record goes where the other side has put that record.
func TestMergeSwapped(t *testing.T) {
	write := func(text string) *model.Document { return openAs(t, savetest.Write(t, []byte(text)), "json", "") }
	const base, swapped, set, merged = `[{"id":1,"hp":5,"m":[]},{"id":2,"hp":5,"m":[3]},{"id":9,"hp":4}]`, `[{"id":2,"hp":5,"m":[3]},{"id":1,"hp":5,"m":[]},{"id":9,"hp":4}]`,
		`[{"id":1,"hp":6,"m":[]},{"id":2,"hp":5,"m":[3]},{"id":9,"hp":4}]`, `[{"id":2,"hp":5,"m":[3]},{"id":1,"hp":6,"m":[]},{"id":9,"hp":4}]`
	for _, c := range [][2]string{{swapped, set}, {set, swapped}} {
		x := begin(t, write(c[0]))
		conflicts, err := MergeTrees(t.Context(), x, write(base).Tree, write(c[1]).Tree, compare.Options{Alike: true}, nil)
		savetest.Must(t, err)
		wantBytes(t, x, []byte(merged))
		if len(conflicts) > 0 {
			t.Errorf("conflicts %+v", conflicts)
		}
	}
}

// TestMergeWrapped: the values of files are merged, whichever of the files are packed.
func TestMergeWrapped(t *testing.T) {
	write := func(text string, isPacked bool) *model.Document {
		var b bytes.Buffer
		if w := gzip.NewWriter(&b); isPacked {
			w.Write([]byte(text))
			savetest.Must(t, w.Close())
		} else {
			b.WriteString(text)
		}
		return openAs(t, savetest.Write(t, b.Bytes()), "json", "")
	}
	for packed := range 8 {
		is := func(bit int) bool { return packed&bit != 0 }
		x := begin(t, write(`{"a":1,"b":3}`, is(1)))
		conflicts, err := MergeFiles(t.Context(), x, write(`{"a":1,"b":2}`, is(2)), write(`{"a":5,"b":2}`, is(4)), compare.Options{}, nil)
		savetest.Must(t, err)
		wantBytes(t, x, []byte(`{"a":5,"b":3}`))
		if len(conflicts) > 0 {
			t.Errorf("%03b packed: conflicts %+v", packed, conflicts)
		}
	}
}
