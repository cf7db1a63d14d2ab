package model

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/model/literals"
	"varview/model/table"
)

const csvText = `{ "rows": [{ "id": "sword", "qty": 3 }, { "id": &"axe", "qty": 5, "note": "a, \"b\"" }, { "id": "" }], "by": { "a": [1, 2.5], "b c": [3, 4.0] }, "pos": [Vector2i(1, 2), Vector2i(3, 4)] }`

// csvOf is the CSV of the container at a path.
func csvOf(t *testing.T, tr *Transaction, path string) string {
	t.Helper()
	n, err := tr.Reader().Resolve(path)
	must(t, err)
	view, err := table.New(context.Background(), tr.now.tree, n)
	must(t, err)
	var out bytes.Buffer
	must(t, view.WriteCSV(context.Background(), table.All(view.Count(tr.Reader())), &out))
	return out.String()
}

// TestImportCSV: what a table has written changes nothing; what was changed in it is set.
func TestImportCSV(t *testing.T) {
	d := openBulk(t, csvText)
	tr, err := d.Begin(d.Innermost())
	must(t, err)
	for path, want := range map[string]string{
		"[0].rows": "index,id,qty,note\n0,sword,3,\n1,axe,5,\"a, \"\"b\"\"\"\n2,\"\"\"\"\"\",,\n",
		"[0].by":   "key,[0],[1]\na,1,2.5\nb c,3,4.0\n",
		"[0].pos":  "index,x,y\n0,1,2\n1,3,4\n",
	} {
		was := csvOf(t, tr, path)
		if was != want {
			t.Errorf("%s: %s, want %s", path, was, want)
		}
		n, err := tr.Reader().Resolve(path)
		must(t, err)
		if changed, err := tr.ImportCSV(context.Background(), n, strings.NewReader(was), edit.Options{}); changed != 0 || err != nil || len(tr.Splices()) > 0 {
			t.Errorf("%s: %d of its own values changed, %v", path, changed, err)
		}
	}
	for _, c := range []struct {
		path, csv string
		changed   int
		want      string // what becomes of the text: old|new, or an error
	}{
		{"[0].rows", "index,qty\n0,4\n1,5\n", 1, `"qty": 3|"qty": 4`},
		{"[0].rows", "index,id\n1,blade\n0,a longer name\n", 2, `&"axe"|&"blade"|"sword"|"a longer name"`},
		{"[0].rows", "index,id,qty\n1,axe,5\n2,,7\n", 1, `{ "id": "" }|{ "id": "", "qty": 7 }`},
		{"[0].rows", "index,id,note\n0,\"\"\"=1+1\"\"\",\n", 1, `"sword"|"=1+1"`},
		{"[0].rows", "index,id,qty\n,bow,1\n", 1, `{ "id": "" }]|{ "id": "" }, { "id": "bow", "qty": 1 }]`},
		{"[0].by", "key,[1]\nb c,9.5\na,1.0\nd,2.0\n", 3, `[1, 2.5]|[1, 1.0]|[3, 4.0]|[3, 9.5]|9.5] }|9.5], "d": [2.0] }`},
		{"[0].pos", "index,x,y\n1,30,4\n,5,6\n", 2, `Vector2i(3, 4)|Vector2i(30, 4), Vector2i(5, 6)`},
		{"[0].rows", "\ufeffindex,qty\r\n0,4\r\n", 1, `"qty": 3|"qty": 4`},
		{"[0].rows", "index,qty\n0,x\n", 0, "error: line 2: $[0].rows[0].qty: "},
		{"[0].rows", "index,nope\n0,1\n", 0, `error: no row has a value "nope"`},
		{"[0].rows", "index,qty,qty\n0,1,2\n", 0, `error: no row has a value "qty", or the column is repeated`},
		{"[0].rows", "key,qty\n0,1\n", 0, `error: the first column is called "key", not "index"`},
		{"[0].rows", "index,qty\nx,1\n", 0, `error: line 2: "x" is no number of a row`},
		{"[0].rows", "index,qty\n0,1,2\n", 0, `error: record on line 2: wrong number of fields`},
		{"[0].rows", "", 0, `error: the CSV is empty`},
		{"[1]", "index,value\n", 0, `error: only a container is a table`},
	} {
		d := openBulk(t, csvText)
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		was := versionText(t, tr)
		n, err := tr.Reader().Resolve(c.path)
		must(t, err)
		changed, err := tr.ImportCSV(context.Background(), n, strings.NewReader(c.csv), edit.Options{})
		if want, isErr := strings.CutPrefix(c.want, "error: "); isErr {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s %q: %v, want %s", c.path, c.csv, err, want)
			}
			continue
		}
		if err != nil || changed != c.changed {
			t.Errorf("%s %q: %d changed (%v), want %d", c.path, c.csv, changed, err, c.changed)
			continue
		}
		want, steps := was, strings.Split(c.want, "|")
		for i := 0; i < len(steps); i += 2 {
			want = strings.Replace(want, steps[i], steps[i+1], 1)
		}
		if got := versionText(t, tr); got != want {
			t.Errorf("%s %q:\n%s, want\n%s", c.path, c.csv, got, want)
		}
	}
}

// TestSort: children are put in order by edits, of which there are as few as possible.
func TestSort(t *testing.T) {
	const list = `{ "l": [3, 1, 2, 1.0, "b", "a", null, 2], "d": [{ "q": 2, "n": "x" }, { "q": 1 }, { "n": "x" }], "m": { "z": 1, "a": 2 }, "p": PackedInt32Array(3, 1, 2) }`
	for _, c := range []struct {
		path           string
		s              Sorting
		moved, deleted int
		want           string
	}{
		{"[0].l", Sorting{}, 4, 0, `[1, 1.0, 2, 2, 3, "a", "b", null]`},
		{"[0].l", Sorting{Descending: true}, 5, 0, `[null, "b", "a", 3, 2, 2, 1, 1.0]`},
		{"[0].l", Sorting{Unique: true}, 2, 2, `[1, 2, 3, "a", "b", null]`},
		{"[0].l", Sorting{Unique: true, Keep: true}, 0, 2, `[3, 1, 2, "b", "a", null]`},
		{"[0].d", Sorting{By: "q"}, 1, 0, `[{ "q": 1 }, { "q": 2, "n": "x" }, { "n": "x" }]`},
		{"[0].d", Sorting{By: ".n", Unique: true, Keep: true}, 0, 1, `[{ "q": 2, "n": "x" }, { "q": 1 }]`},
		{"[0].m", Sorting{}, 0, 0, `{ "z": 1, "a": 2 }`},
		{"[0].m", Sorting{Descending: true}, 1, 0, `{ "a": 2, "z": 1 }`},
		{"[0].p", Sorting{}, 1, 0, `PackedInt32Array(1, 2, 3)`},
	} {
		d := openBulk(t, list)
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		n, err := tr.Reader().Resolve(c.path)
		must(t, err)
		moved, deleted, err := tr.Sort(context.Background(), n, c.s, edit.Options{})
		if err != nil || moved != c.moved || deleted != c.deleted {
			t.Errorf("%s %+v: %d moved, %d deleted (%v), want %d and %d", c.path, c.s, moved, deleted, err, c.moved, c.deleted)
			continue
		}
		n, err = tr.Reader().Resolve(c.path)
		must(t, err)
		got, err := literals.Full(context.Background(), tr.read, n)
		must(t, err)
		if got != c.want {
			t.Errorf("%s %+v: %s, want %s", c.path, c.s, got, c.want)
		}
	}
	d := openBulk(t, list)
	tr, err := d.Begin(d.Innermost())
	must(t, err)
	for path, by := range map[string]string{"[0].d": "nothing", "[1]": ""} {
		n, err := tr.Reader().Resolve(path)
		must(t, err)
		if _, _, err := tr.Sort(context.Background(), n, Sorting{By: by}, edit.Options{}); err == nil {
			t.Errorf("%s is sorted by %q", path, by)
		}
	}
}
