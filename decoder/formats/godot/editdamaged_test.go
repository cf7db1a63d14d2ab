package godot_test

import (
	"context"
	"errors"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// editAll makes every kind of edit on every value of a buffer. Whether an edit succeeds or not, the fields
// of the result must cover it.
func editAll(t testing.TB, f *godot.Format, data []byte) {
	tr := TreeOf(f, data)
	r := tr.NewReader()
	whole := source.Whole(source.Bytes(data))
	check := func(what string, n *tree.Node, splices []source.Splice, err error) {
		if err != nil {
			if splices != nil {
				t.Errorf("%s %s: an error and splices", what, r.Path(n))
			}
			return
		}
		at := int64(0)
		for _, s := range splices {
			if s.Offset < at || s.Length < 0 || s.End() > whole.Size() {
				t.Fatalf("%s %s of % x: splices overlap or leave the buffer: %v", what, r.Path(n), data, splices)
			}
			at = s.End()
		}
		edited := whole.Splice(splices)
		b := make([]byte, edited.Size())
		if _, err := edited.ReadAt(b, 0); err != nil && len(b) > 0 {
			t.Fatal(err)
		}
		at = 0
		err = TreeOf(f, b).EachField(context.Background(), func(f tree.OwnedField) error {
			if f.Offset != at {
				t.Fatalf("%s %s of % x: a field at %d, not %d", what, r.Path(n), data, f.Offset, at)
			}
			at = f.End()
			return nil
		})
		if err != nil || at != int64(len(b)) {
			t.Fatalf("%s %s of % x: fields end at %d of %d: %v", what, r.Path(n), data, at, len(b), err)
		}
	}
	left := 200
	EachNode(t, r, tr.Base, func(n *tree.Node) {
		if left--; left < 0 {
			return
		}
		all := edit.Options{Retype: true}
		for _, text := range []string{"7", `"a"`, "[1, 2]", `{ "a": 1 }`, "null", `Object(A, "p": 1)`, `^"a:b"`, "Vector2(1, 2)"} {
			splices, err := f.Set(context.Background(), r, n, edit.Content{Literal: text}, all)
			check("set "+text, n, splices, err)
			for _, at := range []int64{0, n.Count, 1 << 40} {
				splices, err = f.Insert(context.Background(), r, n, at, edit.Content{Literal: text, Key: `"k"`}, all)
				check("insert "+text, n, splices, err)
			}
		}
		splices, err := f.Delete(context.Background(), r, n, all)
		check("delete", n, splices, err)
		for _, to := range []int64{0, 1, -1, 1 << 40} {
			splices, err = f.Move(context.Background(), r, n, to, all)
			check("move", n, splices, err)
		}
		splices, err = f.Set(context.Background(), r, n, edit.Content{Copy: tr.Base, From: r}, all)
		check("copy", n, splices, err)
		for _, name := range f.Types(r, n) {
			if _, err := f.Retyped(context.Background(), r, n, name); err != nil {
				t.Errorf("retype %s to %s: %v", r.Path(n), name, err)
			}
		}
	})
}

func TestEditDamaged(t *testing.T) {
	for i, file := range Files(t) {
		if i%3 == 0 && len(file.Data) < 1000 {
			editAll(t, file.Format, file.Data)
		}
	}
}

// FuzzEdit: on any bytes an edit succeeds or returns an error.
func FuzzEdit(f *testing.F) { fuzzFiles(f, editAll) }

// TestCancelled: an edit stops when its context is cancelled.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := FormatOf("godot4")
	r := TreeOf(f, Bytes(t, "1c000000 01000000 00000000")).NewReader()
	n, _ := r.Resolve("$")
	if _, err := f.Set(ctx, r, n, edit.Content{Literal: "[1]"}, edit.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
