package godot_test

import (
	"bytes"
	"context"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
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

// Cleaned returns a file with zeros as padding of NodePaths, where engines leave garbage. With nan every
// NaN becomes the one that is written for nan.
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
