package godot_test

import (
	"context"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// again finds a node in another tree by its place.
func again(t testing.TB, r *tree.Reader, n *tree.Node) *tree.Node {
	if n.Parent == nil {
		return r.Tree.Base
	}
	c, err := r.Child(again(t, r, n.Parent), n.Slot.Index)
	if err != nil {
		t.Fatal(r.Path(n), err)
	}
	if n.Slot.Key {
		return r.Key(c)
	}
	return c
}

// childTexts returns the texts of the children of n, with their keys.
func childTexts(t testing.TB, r *tree.Reader, n *tree.Node) []string {
	texts := []string{}
	for i := int64(0); n.Layout != tree.Leaf; i++ {
		c, err := r.Child(n, i)
		if err != nil {
			break
		}
		text := TextOf(t, r, &c.Value)
		if key := r.Key(c); key != nil {
			text = TextOf(t, r, &key.Value) + ": " + text
		}
		texts = append(texts, text)
	}
	return texts
}

// canMultiply are the problems that an edit may add: a copy has those of its original, and an unusual
// encoding stays.
var canMultiply = map[string]bool{span.ObjectByID: true, span.ObjectInData: true, span.EngineReadBack: true, span.RunsCode: true,
	span.WideNumber: true, span.SharedBit: true, span.NullObject: true}

// applied returns a file after an edit, which must not add problems, and whose fields must cover it.
func applied(t testing.TB, file File, what string, splices []source.Splice) *tree.Reader {
	t.Helper()
	whole := source.Whole(source.Bytes(file.Data)).Splice(splices)
	edited := make([]byte, whole.Size())
	if _, err := whole.ReadAt(edited, 0); err != nil && whole.Size() > 0 {
		t.Fatal(err)
	}
	tr := TreeOf(file.Format, edited)
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Errorf("%s %s: a field at %d, not %d", file.Name, what, f.Offset, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != int64(len(edited)) {
		t.Errorf("%s %s: fields end at %d of %d: %v", file.Name, what, at, len(edited), err)
	}
	for code, n := range Problems(t, tr) {
		if n > file.Problems[code] && !canMultiply[code] {
			t.Errorf("%s %s: new problem %s", file.Name, what, code)
		}
	}
	return tr.NewReader()
}
