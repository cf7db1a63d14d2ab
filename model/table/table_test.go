package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// The test's own encoder of Godot 4 values, from the specification.

func u32(ns ...uint32) (b []byte) {
	for _, n := range ns {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func text(s string) []byte {
	b := append(u32(4, uint32(len(s))), s...)
	return append(b, make([]byte, -len(s)&3)...)
}

func integer(n int32) []byte   { return u32(2, uint32(n)) }
func real(x float32) []byte    { return u32(3, math.Float32bits(x)) }
func vector(x, y int32) []byte { return u32(6, uint32(x), uint32(y)) }
func array(all ...[]byte) []byte {
	return append(u32(28, uint32(len(all))), slices.Concat(all...)...)
}
func dict(all ...[]byte) []byte {
	return append(u32(27, uint32(len(all)/2)), slices.Concat(all...)...)
}

// open opens a value of Godot 4 as a table.
func open(t testing.TB, b []byte) (*Table, *tree.Reader) {
	t.Helper()
	return openAs(t, bytesSource(b), decoder.Options{Dialect: "godot4", Framing: "raw"})
}

func openAs(t testing.TB, src source.Source, o decoder.Options) (*Table, *tree.Reader) {
	t.Helper()
	d, err := decoder.Open(context.Background(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	r := d.Tree.NewReader()
	n, err := r.Resolve("$")
	if err != nil {
		t.Fatal(err)
	}
	table, err := New(context.Background(), d.Tree, n)
	if err != nil {
		t.Fatal(err)
	}
	return table, r
}

type memory struct{ *bytes.Reader }

func bytesSource(b []byte) memory { return memory{bytes.NewReader(b)} }

var items = array(
	dict(text("id"), text("sword"), text("qty"), integer(3), text("w"), real(2.5)),
	dict(text("qty"), integer(-1), text("id"), text("axe"), text("pos"), vector(1, 2)),
	dict(text("id"), text("=SUM(A1)"), text("qty"), real(1.5)),
	dict(),
	dict(text("id"), text(""), text("qty"), integer(3)),
)

const itemsCSV = `index,id,qty,w,pos
0,sword,3,2.5,
1,axe,-1,,"Vector2i(1, 2)"
2,"""=SUM(A1)""",1.5,,
3,,,,
4,"""""",3,,
`

func csvOf(t *testing.T, table *Table, v *View) string {
	t.Helper()
	var out bytes.Buffer
	if err := table.WriteCSV(context.Background(), v, nil, ',', &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCSV(t *testing.T) {
	table, r := open(t, items)
	if got := csvOf(t, table, All(table.Count(r))); got != itemsCSV {
		t.Errorf("%s, want %s", got, itemsCSV)
	}
	table, r = open(t, dict(text("b"), array(integer(1), integer(2)), text("a"), array(integer(3))))
	want := "key,[0],[1]\nb,1,2\na,3,\n"
	if got := csvOf(t, table, All(table.Count(r))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	table, r = open(t, array(vector(1, 2), vector(3, 4)))
	if got, want := csvOf(t, table, All(table.Count(r))), "index,x,y\n0,1,2\n1,3,4\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	packed := append(u32(35, 2), u32(math.Float32bits(1), math.Float32bits(2), math.Float32bits(3), math.Float32bits(-4))...)
	table, r = open(t, packed)
	if got, want := csvOf(t, table, All(table.Count(r))), "index,x,y\n0,1.0,2.0\n1,3.0,-4.0\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	table, r = open(t, array(integer(5), text("a")))
	if got, want := csvOf(t, table, All(table.Count(r))), "index,value\n0,5\n1,a\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	table, r := open(t, array(dict(text("id"), text("a|b"), text("qty"), integer(3)), dict(text("id"), text("c"))))
	var out bytes.Buffer
	if err := table.writeMarkdown(context.Background(), All(table.Count(r)), nil, &out); err != nil {
		t.Fatal(err)
	}
	if want := "| index | id | qty |\n| --: | --- | --: |\n| 0 | a\\|b | 3 |\n| 1 | c |  |\n"; out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
}

func TestJSON(t *testing.T) {
	table, r := open(t, items)
	var out bytes.Buffer
	for typed, want := range map[bool]string{
		true:  `{"index":1,"values":{"id":"s:axe","qty":"i:-1","pos":{"type":"Vector2i","args":[1,2]}}}`,
		false: `{"index":1,"values":{"id":"axe","qty":-1,"pos":{"x":1,"y":2}}}`,
	} {
		out.Reset()
		if err := table.WriteJSON(context.Background(), All(table.Count(r)), "", typed, &out); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(out.String(), "\n"); lines[1] != want {
			t.Errorf("%s, want %s", lines[1], want)
		}
	}
}

// A list in JSON has the rows and columns that are asked for.
func TestJSONList(t *testing.T) {
	table, _ := open(t, items)
	v, err := table.Look(context.Background(), NoColumn, false, "id=axe")
	if err != nil {
		t.Fatal(err)
	}
	none, err := table.Look(context.Background(), NoColumn, false, "id=spoon")
	if err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]*View{"[\n{\"index\":1,\"values\":{\"id\":\"s:axe\"}}\n]\n": v, "[]\n": none} {
		var out bytes.Buffer
		if err := table.writeJSONList(context.Background(), v, []int{0}, &out); err != nil || out.String() != want {
			t.Errorf("%s (%v), want %s", out.String(), err, want)
		}
	}
}

// TestNoTable: a value without rows cannot be a table.
func TestNoTable(t *testing.T) {
	for _, b := range [][]byte{integer(5), text("a"), append(u32(29, 4), 1, 2, 3, 4)} {
		d, err := decoder.Open(context.Background(), bytesSource(b), decoder.Options{Dialect: "godot4", Framing: "raw"})
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Tree.NewReader().Resolve("$")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(context.Background(), d.Tree, n); err == nil {
			t.Errorf("% x is a table", b)
		}
	}
}

// TestLook: rows are sorted and filtered as a list of their numbers says.
func TestLook(t *testing.T) {
	long := strings.Repeat("same for a while ", 3)
	table, _ := open(t, array(
		dict(text("n"), integer(5), text("s"), text(long+"b")),
		dict(text("n"), real(-2.5), text("s"), text(long+"a")),
		dict(text("n"), text("x")),
		dict(text("s"), text("Short")),
		dict(text("n"), integer(5), text("s"), text(long)),
		dict(text("n"), integer(-3), text("s"), text(long+"b")),
	))
	n, s := table.ColumnNamed("n"), table.ColumnNamed("s")
	for _, c := range []struct {
		column     int
		descending bool
		filter     string
		want       string
	}{
		{NoColumn, false, "", "[0 1 2 3 4 5]"},
		{KeyColumn, true, "", "[5 4 3 2 1 0]"},
		{n, false, "", "[5 1 0 4 2 3]"},
		{n, true, "", "[2 0 4 1 5 3]"},
		{s, false, "", "[3 4 1 0 5 2]"},
		{s, true, "", "[0 5 1 4 3 2]"},
		{NoColumn, false, "n>=-2.5", "[0 1 4]"},
		{NoColumn, false, "n=5", "[0 4]"},
		{NoColumn, false, "n<x", "[]"},
		{NoColumn, false, "n>5", "[]"},
		{NoColumn, false, "n:5", "[0 4]"}, // as in a search
		{NoColumn, false, "s:short n:<9", "[]"},
		{NoColumn, false, "s~same n>=0", "[0 4]"},
		{NoColumn, false, "n!=5", "[1 2 3 5]"},
		{NoColumn, false, "short", "[3]"},
		{NoColumn, false, "s~SHORT", "[3]"},
		{NoColumn, false, `s="Short"`, "[3]"},
		{n, true, "same", "[0 4 1 5]"},
		{NoColumn, false, "nowhere", "[]"},
		{NoColumn, false, "n==5", "[0 4]"},
		{NoColumn, false, "[n>=-2.5 && n<5]", "[1]"},
		{NoColumn, false, "[!.n || #==1]", "[2 3]"},
		{n, true, "[n==5] same", "[0 4]"},
		{NoColumn, false, `[s~"b$"] n<0`, "[5]"},
		{NoColumn, false, "[n>100]", "[]"},
		{NoColumn, false, "n==5 && !same", "[]"},
		{NoColumn, false, `(n<0 || n=x) && #=1`, "[2]"},
		{NoColumn, false, `s~"B$" || s ~ "^S" || n=0x5`, "[0 3 4]"},
		{NoColumn, false, "same && s!=x && !(n<=-2.5)", "[0 4]"},
	} {
		v, err := table.Look(context.Background(), c.column, c.descending, c.filter)
		if err != nil {
			t.Fatal(err)
		}
		rows := []int64{}
		for i := range v.Len() {
			rows = append(rows, v.At(i))
		}
		if got := fmt.Sprint(rows); got != c.want {
			t.Errorf("column %d, %v, %q: %s, want %s", c.column, c.descending, c.filter, got, c.want)
		}
		later, err := table.LookLater(context.Background(), c.column, c.descending, c.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := csvOf(t, table, later), csvOf(t, table, v); got != want {
			t.Errorf("column %d, %v, %q: sorted as it is written: %s, want %s", c.column, c.descending, c.filter, got, want)
		}
		for i, row := range rows {
			if at, shown := v.Find(row); at != int64(i) || !shown {
				t.Errorf("row %d is found at %d, not %d", row, at, i)
			}
		}
	}
	for filter, want := range map[string]string{
		"no=5":   `at character 1: there is no column "no"; did you mean n? to find this text, write it in quotes`,
		"qty=5":  `at character 1: there is no column "qty"; to find this text, write it in quotes`,
		"n!5":    "at character 1: a filter is text, or a condition on columns: hp>=10 && name~axe",
		"n===5":  "at character 4: a number, a text in quotes, true, false or null is expected here",
		"[n>]":   "in [n>]: at character 3: a number, a text in quotes, true, false or null is expected here",
		"n=$min": "at character 3: $min is not given: --arg NAME=VALUE gives it",
		"n=5 &&": "at character 7: a filter is text, or a condition on columns: hp>=10 && name~axe",
		"n>s":    `s is a column, and a column is compared with a number or a text: n>"s"`,
	} {
		if _, err := table.Look(context.Background(), n, false, filter); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", filter, err, want)
		}
	}
	for _, filter := range []string{`"n:5"`, `"no=5"`, `n=""`, `n=">5"`, "http://x", "12:30"} {
		if v, err := table.Look(context.Background(), n, false, filter); err != nil || v.Len() != 0 {
			t.Errorf("%s: %v", filter, err)
		}
	}
}

// TestSortMemory: sorting takes 12 bytes for each row, in addition to the view's 5.
func TestSortMemory(t *testing.T) {
	const count = 1_000_000
	b := u32(30, count) // PackedInt32Array
	for i := range count {
		b = append(b, u32(uint32(i*7919%count))...)
	}
	table, _ := open(t, b)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := table.Look(context.Background(), 0, false, "")
	runtime.ReadMemStats(&after)
	if err != nil || v.At(0) != 0 || v.Len() != count {
		t.Fatal(v.Len(), err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 18*count {
		t.Errorf("%d bytes a row", taken/count)
	}
}

func TestFilterKeys(t *testing.T) {
	table, _ := open(t, dict(text("apple"), integer(1), text("pear"), integer(2)))
	for filter, want := range map[string]int64{"key=pear": 1, "app": 0, "value>1": 1} {
		v, err := table.Look(context.Background(), NoColumn, false, filter)
		if err != nil || v.Len() != 1 || v.At(0) != want {
			t.Errorf("%s: %v, %v", filter, v, err)
		}
	}
	v, err := table.Look(context.Background(), KeyColumn, true, "")
	if err != nil || v.At(0) != 1 {
		t.Error(v, err)
	}
}

// TestRepeatedKeys: of several values with the same key, the last is the row's.
func TestRepeatedKeys(t *testing.T) {
	table, _ := openAs(t, bytesSource([]byte(`[{"a": 9, "b": 1, "a": 2}, {"a": 5}, {"a": 1, "a": 7}]`)), decoder.Options{Dialect: "json"})
	v, err := table.Look(context.Background(), table.ColumnNamed("a"), false, "")
	if err != nil {
		t.Fatal(err)
	}
	if order := []int64{v.At(0), v.At(1), v.At(2)}; !slices.Equal(order, []int64{0, 1, 2}) {
		t.Errorf("sorted as %d", order)
	}
	all, _, err := table.Summarize(context.Background(), nil)
	if a := all[table.ColumnNamed("a")]; err != nil || a.Count != 3 || a.Missing != 0 || a.Sum != 14 || a.Max != 7 {
		t.Errorf("%+v, %v", a, err)
	}
	values, _, err := table.Frequencies(context.Background(), nil, table.ColumnNamed("a"))
	if err != nil || len(values) != 3 {
		t.Errorf("%v, %v", values, err)
	}
}

func TestSummarize(t *testing.T) {
	table, _ := open(t, items)
	all, rows, err := table.Summarize(context.Background(), nil)
	if err != nil || rows != 5 {
		t.Fatal(rows, err)
	}
	id, qty := all[0], all[1]
	if id.Count != 4 || id.Missing != 1 || id.Distinct != 4 || id.Numbers != 0 {
		t.Errorf("%+v", id)
	}
	if qty.Count != 4 || qty.Min != -1 || qty.Max != 3 || qty.Sum != 6.5 || qty.Distinct != 3 || qty.Mean() != 1.625 {
		t.Errorf("%+v", qty)
	}
}

// TestLongValues: long values that differ only at their ends are different ones.
func TestLongValues(t *testing.T) {
	long := func(last int32) []byte {
		var all [][]byte
		for range 3000 {
			all = append(all, integer(7))
		}
		return array(append(all, integer(last))...)
	}
	row := func(last int32) []byte {
		return dict(text("list"), long(last), text("text"), text(strings.Repeat("x", 100_000)+string(rune('a'+last))))
	}
	table, _ := open(t, array(row(1), row(2), row(1)))
	all, _, err := table.Summarize(context.Background(), nil)
	if err != nil || all[0].Distinct != 2 || all[1].Distinct != 2 {
		t.Errorf("%+v %v", all, err)
	}
	for column := range table.Columns {
		found, _, err := table.Frequencies(context.Background(), nil, column)
		if err != nil || len(found) != 2 || found[0].Count != 2 || found[1].Count != 1 {
			t.Error(column, len(found), err)
		}
	}
}

// TestLate: columns that only late rows have are found by Complete.
func TestLate(t *testing.T) {
	var rows [][]byte
	for i := range 2000 {
		rows = append(rows, dict(text("a"), integer(int32(i))))
	}
	rows = append(rows, dict(text("b"), integer(1)))
	table, r := open(t, array(rows...))
	if len(table.Columns) != 1 || table.Count(r) != 2001 {
		t.Fatal(table.Columns, table.Count(r))
	}
	later, _ := open(t, array(rows...))
	if err := table.Complete(context.Background()); err != nil || len(table.Columns) != 2 {
		t.Error(table.Columns, err)
	}
	later.CompleteLater()
	var want, is bytes.Buffer
	for table, out := range map[*Table]*bytes.Buffer{table: &want, later: &is} {
		if err := table.WriteCSV(context.Background(), All(2001), nil, ',', out); err != nil {
			t.Fatal(err)
		}
	}
	if is.String() != want.String() || !strings.HasPrefix(is.String(), "index,a,b\n0,0,\n") {
		t.Errorf("columns of rows that were rendered without them: %.60s", is.String())
	}
}

// TestDamaged: a container that counts more rows than there are has those that are there.
func TestDamaged(t *testing.T) {
	b := array(integer(1), integer(2))
	b[4] = 0xff
	table, r := open(t, b)
	if n := table.Count(r); n > 4 {
		t.Errorf("%d rows", n)
	}
	if got, want := csvOf(t, table, All(table.Count(r))), "index,value\n0,1\n1,2\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPassed: each way to read the rows says how far it is.
func TestPassed(t *testing.T) {
	table, _ := open(t, items)
	ctx := context.Background()
	var all int64
	table.Passed = func(_, n int64) { all = n }
	for name, read := range map[string]func() error{
		"filter": func() error { _, err := table.Look(ctx, NoColumn, false, "sword"); return err },
		"rows":   func() error { return table.WriteCSV(ctx, All(5), nil, ',', new(bytes.Buffer)) },
	} {
		all = 0
		if err := read(); err != nil || all != 5 {
			t.Errorf("%s: of %d rows, %v", name, all, err)
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	memory
	read int
}

func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.memory.ReadAt(b, off)
	c.read += n
	return n, err
}

// TestSortedReads holds that the rows of a sorted view are read where they are, not from places before them.
func TestSortedReads(t *testing.T) {
	const rows = 5000
	texts := map[string]func(i int) string{
		"[%s]": func(i int) string { return fmt.Sprintf(`{"hp":%d,"pad":"%0200d"}`, i*7919%rows, i) },
		"{%s}": func(i int) string { return fmt.Sprintf(`"k%d" : {"hp":%d,"pad":"%0200d"}`, i, i*7919%rows, i) },
	}
	for form, row := range texts {
		all := make([]string, rows)
		for i := range all {
			all[i] = row(i)
		}
		src := &counted{memory: bytesSource(fmt.Appendf(nil, form, strings.Join(all, ",\n ")))}
		table, _ := openAs(t, src, decoder.Options{Dialect: "json"})
		view, err := table.Look(context.Background(), table.ColumnNamed("hp"), false, "")
		if err != nil {
			t.Fatal(err)
		}
		src.read = 0
		var out strings.Builder
		if err := table.WriteCSV(context.Background(), view, nil, ',', &out); err != nil {
			t.Fatal(err)
		}
		if limit := rows * 7 << 10; src.read > limit {
			t.Errorf("%s: %d bytes are read for %d rows, more than %d", form, src.read, rows, limit)
		}
		lines := strings.Split(out.String(), "\n")
		for i := range rows {
			at := 0 // of which the hp is i
			for at*7919%rows != i {
				at++
			}
			if want := fmt.Sprintf("%d,%0200d", i, at); !strings.HasSuffix(lines[1+i], want) || !strings.HasPrefix(strings.TrimPrefix(lines[1+i], "k"), fmt.Sprint(at, ",")) {
				t.Fatalf("%s: row %d is %q, not that of %s", form, i, lines[1+i], want)
			}
		}
	}
}

// TestSortedOnce: rows that are sorted and written are read once, like those that are only written.
func TestSortedOnce(t *testing.T) {
	const rows = 5000
	all := make([][]byte, rows)
	for i := range all {
		all[i] = dict(text("hp"), integer(int32(i*7919%rows)), text("pad"), text(strings.Repeat("x", 200)))
	}
	src := &counted{memory: bytesSource(array(all...))}
	d, err := decoder.Open(context.Background(), src, decoder.Options{Dialect: "godot4", Framing: "raw"})
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Tree.NewReader().Resolve("$")
	if err != nil {
		t.Fatal(err)
	}
	read := map[int]int{}
	for _, column := range []int{NoColumn, 0} {
		table, err := New(context.Background(), d.Tree, n)
		if err != nil {
			t.Fatal(err)
		}
		table.CompleteLater()
		src.read = 0
		view, err := table.LookLater(context.Background(), column, false, "")
		if err == nil {
			err = table.WriteCSV(context.Background(), view, nil, ',', io.Discard)
		}
		if read[column] = src.read; err != nil || view.Len() != rows || column == 0 && view.At(1) == 1 {
			t.Errorf("column %d: %d rows (%v)", column, view.Len(), err)
		}
	}
	if read[0] > read[NoColumn]*5/4 {
		t.Errorf("%d bytes are read to sort and write rows, %d to write them", read[0], read[NoColumn])
	}
}

// TestNear: each row of a sorted or filtered view is the same whether it is found from a place that is known or from the
// beginning, also in a tree to which the places do not belong.
func TestNear(t *testing.T) {
	const count = 5*apart + 3
	var rows, pairs [][]byte
	for i := range count {
		row := dict(text("n"), integer(int32(i*7%count)), text("s"), text(strings.Repeat("x", i)))
		rows, pairs = append(rows, row), append(pairs, text(fmt.Sprint("key", i)), row)
	}
	for name, b := range map[string][]byte{"Array": array(rows...), "Dictionary": dict(pairs...)} {
		table, r := open(t, b)
		other, _ := open(t, b)
		for _, filter := range []string{"", "n>3"} {
			v, err := table.Look(context.Background(), table.ColumnNamed("n"), true, filter)
			if err != nil {
				t.Fatal(err)
			}
			if len(v.places.all) != count/apart+1 {
				t.Errorf("%s: %d places are known of %d rows", name, len(v.places.all), count)
			}
			for i := range v.Len() {
				row := v.At(i)
				near, err := table.Row(r, v, row)
				want, err2 := table.Row(table.NewReader(), nil, row)
				elsewhere, err3 := other.Row(other.NewReader(), v, row)
				if err != nil || err2 != nil || err3 != nil {
					t.Fatal(err, err2, err3)
				}
				for _, got := range []Row{near, elsewhere} {
					if !got.Node.Same(want.Node) || r.Path(got.Node) != r.Path(want.Node) || len(got.Cells) != len(want.Cells) || !got.Cells[1].Same(want.Cells[1]) {
						t.Errorf("%s: row %d is %s at %d, not %s at %d", name, row, r.Path(got.Node), got.Node.Start, r.Path(want.Node), want.Node.Start)
					}
				}
			}
		}
	}
}

// TestSpool: rows that are too many for memory come in any order, of which many are read at once.
func TestSpool(t *testing.T) {
	const count = 1_000_000
	row := func(i int64) string { return strings.Repeat("x", int(i%97)) + fmt.Sprint(i) }
	var s spool
	defer s.close()
	for i := range int64(count) {
		if i%5 > 0 { // one is not shown
			if err := s.add(i, []byte(row(i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	v := &View{all: count}
	for i := range uint64(count) {
		if r := i * 7919 % count; r%5 > 0 {
			v.rows = append(v.rows, uint32(r))
		}
	}
	for _, v := range []*View{v, All(count)} {
		i, n := int64(0), s.reads
		err := s.inOrder(t.Context(), v, func(b []byte) error {
			if r := v.At(i); string(b) != row(r) && r%5 > 0 || r%5 == 0 && len(b) > 0 {
				return fmt.Errorf("row %d is %q", r, b)
			}
			i++
			return nil
		})
		if err != nil || i < v.Len()-1 {
			t.Fatal(i, err)
		}
		if n = s.reads - n; n == 0 || n > count/20 {
			t.Errorf("the file is read %d times", n)
		}
	}
}
