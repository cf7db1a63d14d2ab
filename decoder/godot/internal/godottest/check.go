package godottest

import (
	"bytes"
	"context"
	"testing"

	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// EachNode calls each for all values of a tree in order, including parts and keys.
func EachNode(t testing.TB, r *tree.Reader, n *tree.Node, each func(*tree.Node)) {
	each(n)
	if n.Layout == tree.Leaf || n.Depth > 100 { // deeper values repeat
		return
	}
	for i := int64(0); n.Count == tree.Unknown || i < n.Count; i++ {
		c, err := r.Child(n, i)
		if err == tree.ErrNoChild {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if key := r.Key(c); key != nil {
			EachNode(t, r, key, each)
		}
		EachNode(t, r, c, each)
	}
}

// Again finds a node in another tree by its place.
func Again(t testing.TB, r *tree.Reader, n *tree.Node) *tree.Node {
	if n.Parent == nil {
		return r.Tree.Base
	}
	c, err := r.Child(Again(t, r, n.Parent), n.Slot.Index)
	if err != nil {
		t.Fatal(r.Path(n), err)
	}
	if n.Slot.Key {
		return r.Key(c)
	}
	return c
}

// ChildTexts are the texts of the children of n, with their keys.
func ChildTexts(t testing.TB, r *tree.Reader, n *tree.Node) []string {
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

// canMultiply are the problems that an edit may add: a copy has those of its
// original, and an unusual encoding stays.
var canMultiply = map[string]bool{span.ObjectByID: true, span.ObjectInData: true, span.EngineReadBack: true, span.RunsCode: true,
	span.WideNumber: true, span.SharedBit: true, span.NullObject: true}

// Applied is a file after an edit, which must not add problems, and whose fields
// must cover it.
func Applied(t testing.TB, file File, what string, splices []source.Splice) *tree.Reader {
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

// Problems counts the problems of a tree by their codes.
func Problems(t testing.TB, tr *tree.Tree) map[string]int {
	found := map[string]int{}
	if err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { found[p.Code]++ }); err != nil {
		t.Fatal(err)
	}
	return found
}

// TextOf is the text form of a value.
func TextOf(t testing.TB, r *tree.Reader, v *tree.Value) string {
	var b bytes.Buffer
	if err := r.WriteText(context.Background(), &b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Cleaned is a file with zeros as padding of NodePaths, where engines leave garbage.
// With nan every NaN becomes the one that is written for nan.
func Cleaned(t *testing.T, file File, nan bool) []byte {
	data := bytes.Clone(file.Data)
	s := TreeOf(file.Format, data).Scanner()
	s.Elements = true
	w := s.Window()
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		for _, field := range s.AppendFields(nil, ev) {
			at := data[field.Offset:field.End()]
			switch {
			case field.Kind == span.Padding && s.Value().Type == types.Part:
				clear(at)
			case !nan || field.Kind != span.Value:
			case s.Value().Type == types.Float32 && numeric.IsNaN(types.Float32, uint64(w.U32(field.Offset))):
				copy(at, "\x00\x00\xc0\x7f")
			case field.Length == 8 && (s.Value().Type == types.Float64 || s.Value().Type == types.Float) && numeric.IsNaN(types.Float64, w.U64(field.Offset)):
				copy(at, "\x00\x00\x00\x00\x00\x00\xf8\x7f")
			}
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
