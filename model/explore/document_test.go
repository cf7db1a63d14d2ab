package explore

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/search"
)

// tryAll does what a user may do, and checks only that it returns.
func tryAll(x *Explorer) {
	for range 30 {
		x.Unfold()
		x.MoveRows(1)
		x.Rows(80)
		x.Describe(80)
	}
	x.Last()
	x.MoveRows(-5)
	for _, off := range []int64{0, 100, 5000, 1 << 20, x.Buffer.Size() - 1} {
		x.GoTo(off)
		x.ToRows()
		x.Marks(nil, off, off+500)
		x.Bytes(make([]byte, 500), off)
		x.Rows(80)
		x.Describe(80)
	}
	x.FoldAll()
	x.Tick()
	x.Buffer.Resolve("$[3][4]")
	for _, s := range []string{"needle", "77", "x:01 02 03 04"} {
		q, _ := search.ParseQuery(s)
		x.Buffer.Search(context.Background(), q, search.Spot{}, false, new(model.Progress))
		x.Buffer.Search(context.Background(), q, search.Spot{Offset: x.Buffer.Size()}, true, new(model.Progress))
	}
}

func TestFileChangesWhileOpen(t *testing.T) {
	inner := array(many(3000)...)
	data := array(inner, inner, inner, inner, text("end"))
	tests := []struct {
		name   string
		change func(path string) error
		want   string
	}{
		{"as it was", func(string) error { return nil }, ""},
		{"shorter", func(path string) error { return os.Truncate(path, 100) }, "the file has become shorter"},
		{"empty", func(path string) error { return os.Truncate(path, 0) }, "the file has become shorter"},
		{"longer", func(path string) error { return os.WriteFile(path, append(bytes.Clone(data), 1), 0o600) },
			"the file was changed by another program"},
		{"other bytes", func(path string) error {
			if err := os.WriteFile(path, bytes.Repeat([]byte{7}, len(data)), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, time.Unix(1e9, 0))
		}, "the file was changed by another program"},
		{"replaced", func(path string) error {
			if err := os.WriteFile(path+".new", append(bytes.Clone(data), 1), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}, "the file was changed by another program"},
		{"removed", os.Remove, "the file is gone"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && (test.name == "replaced" || test.name == "removed") {
				t.Skip("an open file stays")
			}
			path := write(t, data)
			doc := openFile(t, path, decoder.Options{Dialect: "godot4", Framing: "raw"})
			x := New(doc.Innermost())
			x.SetHeight(10)
			must(t, test.change(path))
			tryAll(x)
			err := doc.Innermost().Index(context.Background())
			x.Indexed()
			tryAll(x)
			if got := doc.Changed(); got != test.want {
				t.Errorf("Changed() = %q, want %q", got, test.want)
			}
			if shorter := strings.Contains(test.want, "shorter"); shorter && err == nil {
				t.Error("indexing a file that has become shorter is no error")
			}
			checkReload(t, doc, path)
		})
	}
}

// checkReload opens the file as it is now.
func checkReload(t *testing.T, doc *model.Document, path string) {
	t.Helper()
	again, err := doc.Reload(context.Background(), nil)
	info, statErr := os.Stat(path)
	if statErr != nil {
		if err == nil {
			t.Error("a file that is gone was opened again")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Size() != info.Size() || again.Changed() != "" || again.Framing != "raw" || again.Dialect != "godot4" || again.Name != doc.Name {
		t.Errorf("reloaded: %d bytes of %d, changed %q, %s %s", again.Size(), info.Size(), again.Changed(), again.Dialect, again.Framing)
	}
	tryAll(New(again.Innermost()))
}

// A file that is cut off at any place while its index is built, or its rows are
// read, gives errors and no panic.
func TestFileShrinksAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		data := array(randomValue(r, 3), array(many(500)...), randomValue(r, 3), packedBytes(make([]byte, 3000)...))
		path := write(t, data)
		doc := openFile(t, path, decoder.Options{Dialect: "godot4", Framing: "raw"})
		x := New(doc.Innermost())
		x.SetHeight(10)
		x.MoveRows(3)
		must(t, os.Truncate(path, int64(r.IntN(len(data)))))
		tryAll(x)
		doc.Innermost().Index(context.Background())
		x.Indexed()
		tryAll(x)
	}
}

// Nesting of any depth opens, unfolds and moves.
func TestDeepNesting(t *testing.T) {
	const levels = 25_000
	doc := open(t, nested(levels), "raw")
	buildIndex(t, doc)
	x := New(doc.Innermost())
	x.SetHeight(4)
	must(t, x.GoTo(doc.Size()-1))
	x.Indexed()
	if owner, f := x.Owner(); owner == nil || owner.Depth != levels+1 || f.Kind != span.Value {
		t.Errorf("owner %v %v", owner, f)
	}
	x.ToRows()
	must(t, x.First())
	for range 3 {
		must(t, x.Unfold())
		must(t, x.MoveRows(1))
	}
	if x.row.Depth != 4 {
		t.Errorf("at depth %d", x.row.Depth)
	}
	must(t, x.Last())
	x.Rows(80)
	if d := x.Describe(80); len(d.Path) > 1000 {
		t.Errorf("a path of %d bytes", len(d.Path))
	}
	must(t, x.FoldAll())
	checkWindow(t, x)
	checkCursor(t, x)
}

func TestDescribe(t *testing.T) {
	doc := open(t, dictionary(text("pos"), vector2(12.5, -4), text("list"), packedInts(1, 2, 3), text("bad"), words(tBool, 7)), "raw")
	buildIndex(t, doc)
	tests := []struct {
		path string // of a row, or "" to go to a byte
		off  int64
		want Description
	}{
		{path: "$.pos", want: Description{Path: "$.pos", Type: "Vector2", Value: span.Span{Offset: 20, Length: 12},
			Meaning: "Vector2(12.5, -4)", Each: "2 × 4 bytes"}},
		{path: "$.pos.y", want: Description{Path: "$.pos.y", Type: "float", Value: span.Span{Offset: 28, Length: 4}, Meaning: "-4.0"}},
		{off: 8, want: Description{Path: "$.pos@key", Type: "String", Value: span.Span{Offset: 8, Length: 12}, Meaning: "String",
			Field: span.Field{Span: span.Span{Offset: 8, Length: 2}, Kind: span.Type, Label: "type"}}},
		{off: 17, want: Description{Path: "$.pos@key", Type: "String", Value: span.Span{Offset: 8, Length: 12}, Meaning: "pos",
			Field: span.Field{Span: span.Span{Offset: 16, Length: 3}, Kind: span.Text, Label: "text"}}},
		{off: 48, want: Description{Path: "$.list", Type: "PackedInt32Array", Value: span.Span{Offset: 44, Length: 20}, Meaning: "3",
			Field: span.Field{Span: span.Span{Offset: 48, Length: 4}, Kind: span.Length, Label: "count"}}},
		{off: 56, want: Description{Path: "$.list[1]", Type: "int", Value: span.Span{Offset: 56, Length: 4}, Meaning: "2",
			Field: span.Field{Span: span.Span{Offset: 56, Length: 4}, Kind: span.Value, Label: "value"}}},
	}
	for _, test := range tests {
		x := New(doc.Innermost())
		x.SetHeight(20)
		if test.path == "" {
			must(t, x.GoTo(test.off))
		} else {
			n, err := doc.Innermost().Resolve(test.path)
			must(t, err)
			must(t, x.GoToValue(n))
		}
		d := x.Describe(100)
		fields := d.Fields
		d.Fields = nil
		if got, want := d, test.want; got.Path != want.Path || got.Type != want.Type || got.Value != want.Value || got.Meaning != want.Meaning ||
			got.Each != want.Each || got.Field != want.Field || got.Problem != "" || got.Pending {
			t.Errorf("%s %#x:\n got %+v\nwant %+v", test.path, test.off, got, want)
		}
		if (len(fields) > 0) != (test.path != "") {
			t.Errorf("%s %#x: fields %v", test.path, test.off, fields)
		}
	}
	x := New(doc.Innermost())
	n, err := doc.Innermost().Resolve("$.bad")
	must(t, err)
	must(t, x.GoToValue(n))
	if d := x.Describe(100); !strings.Contains(d.Problem, "warning") && !strings.Contains(d.Problem, "error") {
		t.Errorf("problem %q", d.Problem)
	}
}
