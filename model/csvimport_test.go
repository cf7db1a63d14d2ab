package model

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/model/table"
)

const csvText = `{ "rows": [{ "id": "sword", "qty": 3 }, { "id": &"axe", "qty": 5, "note": "a, \"b\"" }, { "id": "" }], "by": { "a": [1, 2.5], "b c": [3, 4.0] }, "pos": [Vector2i(1, 2), Vector2i(3, 4)], "f": [{ "on": true, "big": 9007199254740993, "w": 0.5 }] }`

// csvOf is the CSV of the container at a path.
func csvOf(t *testing.T, tr *Transaction, path string) string {
	t.Helper()
	n, err := tr.Reader().Resolve(path)
	must(t, err)
	view, err := table.New(context.Background(), tr.now.tree, n)
	must(t, err)
	var out bytes.Buffer
	must(t, view.WriteCSV(context.Background(), table.All(view.Count(tr.Reader())), nil, ',', &out))
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
		{"[0].by", "key,[1]\nd,2\n", 1, `[3, 4.0]|[3, 4.0], "d": [2.0]`},
		{"[0].by", "key,[1]\nb c,9.5\na,1.0\nd,2.0\n", 3, `[1, 2.5]|[1, 1.0]|[3, 4.0]|[3, 9.5]|9.5] }|9.5], "d": [2.0] }`},
		{"[0].pos", "index,x,y\n1,30,4\n,5,6\n", 2, `Vector2i(3, 4)|Vector2i(30, 4), Vector2i(5, 6)`},
		{"[0].rows", "\ufeffindex,qty\r\n0,4\r\n", 1, `"qty": 3|"qty": 4`},
		{"[0].f", "index;on;big;w\n0;FALSE;9007199254740993.0;0,25\n", 2, `"on": true|"on": false|"w": 0.5|"w": 0.25`},
		{"[0].f", "index;w\n0;1,234\n", 1, `"w": 0.5|"w": 1.234`},
		{"[0].f", "index;w\n0;1.2345\n", 1, `"w": 0.5|"w": 1.2345`},
		{"[0].f", "index;w\n0;1.234\n", 0, `error: line 2: 1.234 is 1,234, or 1234 if the point divides thousands`},
		{"[0].f", "index;w\n;12.500\n", 0, `error: line 2: 12.500 is 12,500, or 12500 if the point divides thousands`},
		{"[0].f", "index,w\n0,1.234\n", 1, `"w": 0.5|"w": 1.234`},
		{"[0].f", "\ufeffsep=;\nindex;w\n0;1,5E+10\n", 1, `"w": 0.5|"w": 15000000000.0`},
		{"[0].f", "index\ton\tbig\n0\tTRUE\t5.0\n;\n", 0, `error: record on line 3: wrong number of fields`},
		{"[0].f", "\"index\"\tbig\n0\t5.0\n1\t7\n", 2, `9007199254740993|5|0.5 }]|0.5 }, { "big": 7 }]`},
		{"[0].f", "sep=,\nindex,big\n0,9.00719925474099E+15\n", 0, `error: line 3: 9.00719925474099E+15 may have lost digits`},
		{"[0].rows", "index,qty\n0,7\n0,8\n", 0, `error: line 3: index 0 is in line 2 too`},
		{"[0].by", "key,[1]\nd,2\nd,3\n", 0, `error: line 3: key d is in line 2 too`},
		{"[0].rows", "index,qty\n9,1\n", 0, `error: line 2: there is no row 9: the table has 3 rows; a new one has the next number, or none`},
		{"[0].rows", "index,qty\n0,x\n", 0, "error: line 2: $[0].rows[0].qty: "},
		{"[0].rows", "index,nope\n0,1\n", 0, `error: no row has a value "nope"`},
		{"[0].rows", "index,qty,qty\n0,1,2\n", 0, `error: no row has a value "qty", or the column is repeated`},
		{"[0].rows", "key,qty\n0,1\n", 0, `error: the first column is called "key", not "index"`},
		{"[0].rows", "index,qty\nx,1\n", 0, `error: line 2: "x" is not the number of a row`},
		{"[0].rows", "index,qty\n0,4\n,\n,\n", 1, `"qty": 3|"qty": 4`},
		{"[0].by", "key,[1]\n,\na,3.5\n,\n", 1, `[1, 2.5]|[1, 3.5]`},
		{"[0].rows", "\xff\xfei\x00n\x00d\x00e\x00x\x00\t\x00q\x00t\x00y\x00\n\x000\x00\t\x004\x00\n\x00", 1, `"qty": 3|"qty": 4`},
		{"[0].rows", "index,id\n0,\xe9t\xe9\n", 0, `error: line 2: "\xe9t\xe9" is not UTF-8`},
		{"[0].rows", "index,id\n,\xe9t\xe9\n", 0, `error: line 2: "\xe9t\xe9" is not UTF-8`},
		{"[0].by", "key,[1]\n\xe9,1\n", 0, `error: line 2: "\xe9" is not UTF-8`},
		{"[0].rows", "index,qt\xe9\n0,1\n", 0, `error: line 1: "qt\xe9" is not UTF-8`},
		{"[0].rows", "index,qty\r0,4\r", 0, `error: its lines end with lone carriage returns`},
		{"[0].rows", "index,qty\n0,1,2\n", 0, `error: record on line 2: wrong number of fields`},
		{"[0].rows", "", 0, `error: the CSV is empty`},
		{"[1]", "index,value\n", 0, `error: only a container can be a table`},
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

// TestImportCSVMany: new rows, and values that rows lack, are inserted together: in as many edits for many as for few.
func TestImportCSVMany(t *testing.T) {
	edits := func(n int) int {
		d := openBulk(t, csvText)
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		rows, err := tr.Reader().Resolve("[0].rows")
		must(t, err)
		in := strings.Builder{}
		in.WriteString("index,id,qty,note\n2,,7,x\n")
		for i := range n {
			fmt.Fprintf(&in, ",new %d,%d,\n", i, i)
		}
		changed, err := tr.ImportCSV(context.Background(), rows, strings.NewReader(in.String()), edit.Options{})
		if err != nil || changed != n+2 {
			t.Fatalf("%d changes: %v", changed, err)
		}
		is := versionText(t, tr)
		if end := `{ "id": "", "qty": 7, "note": "x" }, { "id": "new 0", "qty": 0 }`; !strings.Contains(is, end) || !strings.Contains(is, fmt.Sprintf(`{ "id": "new %d", "qty": %d }]`, n-1, n-1)) {
			t.Errorf("%.2000s", is)
		}
		return len(tr.Splices())
	}
	if few, many := edits(10), edits(400); many != few {
		t.Errorf("%d edits for 10 rows, %d for 400", few, many)
	}
}
