package model_test

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/model"
	"varview/model/literals"
	"varview/model/savetest"
	"varview/model/sorting"
	"varview/model/table"
)

// open opens a stream of a value that a literal says, and of an int.
func open(t *testing.T, literal string) *model.Document {
	t.Helper()
	path := savetest.Write(t, savetest.Stream(savetest.Null(), savetest.Integer(7)))
	d, err := model.Open(context.Background(), path, model.Options{Options: decoder.Options{Dialect: "godot4", Framing: "stream"}})
	savetest.Must(t, err)
	t.Cleanup(func() { d.Close() })
	tr, err := d.Begin(d.Innermost())
	savetest.Must(t, err)
	n, err := tr.Reader().Resolve("$[0]")
	savetest.Must(t, err)
	savetest.Must(t, tr.Set(context.Background(), n, edit.Content{Literal: literal}, edit.Options{Retype: true}))
	d, err = tr.Commit(context.Background(), "set", model.Cursor{}, model.Cursor{})
	savetest.Must(t, err)
	return d
}

// TestSort: children are sorted with as few edits as possible.
func TestSort(t *testing.T) {
	const list = `{ "l": [3, 1, 2, 1.0, "b", "a", null, 2], "d": [{ "q": 2, "n": "x" }, { "q": 1 }, { "n": "x" }], "m": { "z": 1, "a": 2 }, "p": PackedInt32Array(3, 1, 2) }`
	for _, c := range []struct {
		path           string
		s              sorting.Order
		moved, deleted int
		want           string
	}{
		{"[0].l", sorting.Order{}, 4, 0, `[1, 1.0, 2, 2, 3, "a", "b", null]`},
		{"[0].l", sorting.Order{Descending: true}, 5, 0, `[null, "b", "a", 3, 2, 2, 1, 1.0]`},
		{"[0].l", sorting.Order{Unique: true}, 3, 1, `[1, 1.0, 2, 3, "a", "b", null]`},
		{"[0].l", sorting.Order{Unique: true, Keep: true}, 0, 1, `[3, 1, 2, 1.0, "b", "a", null]`},
		{"[0].d", sorting.Order{By: "q"}, 1, 0, `[{ "q": 1 }, { "q": 2, "n": "x" }, { "n": "x" }]`},
		{"[0].d", sorting.Order{By: ".n", Unique: true, Keep: true}, 0, 1, `[{ "q": 2, "n": "x" }, { "q": 1 }]`},
		{"[0].m", sorting.Order{}, 0, 0, `{ "z": 1, "a": 2 }`},
		{"[0].m", sorting.Order{Descending: true}, 1, 0, `{ "a": 2, "z": 1 }`},
		{"[0].p", sorting.Order{}, 1, 0, `PackedInt32Array(1, 2, 3)`},
	} {
		d := open(t, list)
		tr, err := d.Begin(d.Innermost())
		savetest.Must(t, err)
		n, err := tr.Reader().Resolve(c.path)
		savetest.Must(t, err)
		moved, deleted, err := sorting.Sort(context.Background(), tr, n, c.s, edit.Options{})
		if err != nil || moved != c.moved || deleted != c.deleted {
			t.Errorf("%s %+v: %d moved, %d deleted (%v), want %d and %d", c.path, c.s, moved, deleted, err, c.moved, c.deleted)
			continue
		}
		n, err = tr.Reader().Resolve(c.path)
		savetest.Must(t, err)
		got, err := literals.Full(context.Background(), tr.Reader(), n)
		savetest.Must(t, err)
		if got != c.want {
			t.Errorf("%s %+v: %s, want %s", c.path, c.s, got, c.want)
		}
	}
	d := open(t, list)
	tr, err := d.Begin(d.Innermost())
	savetest.Must(t, err)
	for path, by := range map[string]string{"[0].d": "nothing", "[1]": ""} {
		n, err := tr.Reader().Resolve(path)
		savetest.Must(t, err)
		if _, _, err := sorting.Sort(context.Background(), tr, n, sorting.Order{By: by}, edit.Options{}); err == nil {
			t.Errorf("%s is sorted by %q", path, by)
		}
	}
}

// TestSortExactly: lists and tables are sorted alike, by all digits of numbers, with bools behind them.
func TestSortExactly(t *testing.T) {
	for _, want := range []string{
		"1000000000000000000000000000000 1000000000000000000000000000001 1e31",
		"-9007199254740993 -9007199254740992.0 18446744073709551614 18446744073709551615 1.8446744073709552e19 1e999",
		"0 1 9007199254740992.0 9007199254740993 false true",
	} {
		values := strings.Split(want, " ")
		mixed := slices.Concat(values[len(values)/2:], values[:len(values)/2])
		path := savetest.Write(t, []byte(`[{"k":`+strings.Join(mixed, `},{"k":`)+`}]`))
		d, err := model.Open(t.Context(), path, model.Options{Options: decoder.Options{Dialect: "json"}})
		savetest.Must(t, err)
		defer d.Close()
		x, err := d.Begin(d.Innermost())
		savetest.Must(t, err)
		root, err := x.Reader().Resolve("$")
		savetest.Must(t, err)
		of, err := table.New(t.Context(), x.Reader().Tree, root)
		savetest.Must(t, err)
		view, err := of.Look(t.Context(), of.ColumnNamed("k"), false, "")
		savetest.Must(t, err)
		_, _, err = sorting.Sort(t.Context(), x, root, sorting.Order{By: "k"}, edit.Options{})
		savetest.Must(t, err)
		for i := range values {
			n, err := x.Reader().Resolve(fmt.Sprintf("$[%d].k", i))
			savetest.Must(t, err)
			sorted := string(x.Reader().AppendLiteral(nil, &n.Value, 100))
			if shown := mixed[view.At(int64(i))]; sorted != values[i] && sorted != "inf" || shown != values[i] {
				t.Errorf("%s: value %d is %s when sorted, %s in the table", want, i, sorted, shown)
			}
		}
	}
}

// structure opens a GameMaker structure of reals after some counts.
func structure(t *testing.T, counts []uint32, values ...float64) *model.Transaction {
	t.Helper()
	var b []byte
	for _, n := range counts {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(append(b, 0, 0, 0, 0), math.Float64bits(v))
	}
	d, err := model.Open(t.Context(), savetest.Write(t, []byte(strings.ToUpper(hex.EncodeToString(b)))), model.Options{})
	savetest.Must(t, err)
	t.Cleanup(func() { d.Close() })
	x, err := d.Begin(d.Innermost())
	savetest.Must(t, err)
	return x
}

// TestSortStructures: a priority goes with its value, and the unused slots of a queue stay where they are; a queue
// that is set to other values has all of them.
func TestSortStructures(t *testing.T) {
	ofPriority, ofQueue := []uint32{503, 3}, []uint32{203, 3, 1, 5}
	for _, c := range []struct {
		x              *model.Transaction
		path, set      string
		s              sorting.Order
		want, wantHead string // of the structure: its values, and what is before them
	}{
		{structure(t, ofPriority, 1, 2, 3, 30, 10, 20), "$[1]", "", sorting.Order{}, "[[2, 3, 1], [10, 20, 30]]", "f701000003000000"},
		{structure(t, ofPriority, 1, 2, 3, 30, 10, 20), "$[0]", "", sorting.Order{Descending: true}, "[[3, 2, 1], [20, 10, 30]]", "f701000003000000"},
		{structure(t, ofQueue, 9, 7, 5, 0, 0), "$", "", sorting.Order{}, "[9, 5, 7, 0, 0]", "cb000000030000000100000005000000"},
		{structure(t, ofQueue, 9, 7, 5, 0, 0), "$", "[1, 2]", sorting.Order{}, "[1, 2]", "cb000000020000000000000002000000"},
	} {
		n, err := c.x.Reader().Resolve(c.path)
		savetest.Must(t, err)
		if c.set != "" {
			savetest.Must(t, c.x.Set(t.Context(), n, edit.Content{Literal: c.set}, edit.Options{}))
		} else {
			_, _, err = sorting.Sort(t.Context(), c.x, n, c.s, edit.Options{})
			savetest.Must(t, err)
		}
		n, err = c.x.Reader().Resolve("$")
		savetest.Must(t, err)
		is, err := literals.Full(t.Context(), c.x.Reader(), n)
		savetest.Must(t, err)
		head := hex.EncodeToString(c.x.Reader().Window().View(n.Start, n.Body-n.Start))
		if is != c.want || head != c.wantHead {
			t.Errorf("%s, %+v: %s behind %s, want %s behind %s", c.path, c.s, is, head, c.want, c.wantHead)
		}
	}
}
