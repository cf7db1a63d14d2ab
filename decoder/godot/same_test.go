package godot

import (
	"bytes"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// TestSetSame: a value set to what it is written as does not change.
func TestSetSame(t *testing.T) {
	for _, file := range testFiles(t) {
		setSame(t, file)
	}
}

func setSame(t *testing.T, file testFile) {
	r := treeOf(file.f, file.data).NewReader()
	eachNode(t, r, r.Tree.Base, func(n *tree.Node) {
		if n.Parent == nil {
			return
		}
		text := textOf(t, r, &n.Value)
		for _, text := range []string{text, " " + text + "\n"} {
			splices, err := file.f.Set(background, r, n, edit.Content{Literal: text}, edit.Options{})
			if err != nil || len(splices) > 0 {
				t.Errorf("%s %s = %.200s: %v %v", file.name, r.Path(n), text, splices, err)
			}
		}
	})
}

// TestFresh: what a value is written as, written anew, is the same value, and the
// same bytes where an engine wrote it.
func TestFresh(t *testing.T) {
	for _, file := range testFiles(t) {
		switch file.name {
		case "damaged/typed-array-of-wrong-type raw", "damaged/typed-dictionary-of-wrong-key raw":
			continue // they hold what their types do not let in
		}
		fresh(t, file)
	}
}

func fresh(t *testing.T, file testFile) {
	f := *file.f
	f.Framing = Raw
	cleaned := clean(t, file, true)
	r := treeOf(file.f, file.data).NewReader()
	eachNode(t, r, r.Tree.Base, func(n *tree.Node) {
		if n.Parent == nil || n.Type >= types.Raw && n.Type != types.Unknown {
			return
		}
		n, _ = r.Finish(n)
		text := textOf(t, r, &n.Value)
		if strings.Contains(text, "<") || strings.Count(text, "[") > 1024 { // damaged, or too deep
			return
		}
		l, err := literal.Parse(f.Dialect, text)
		if err != nil {
			t.Errorf("%s %s = %.200s: %v", file.name, r.Path(n), text, err)
			return
		}
		b, err := encode.Bytes(f.Variant(), text, &l)
		if err != nil {
			t.Errorf("%s %s = %.200s: %v", file.name, r.Path(n), text, err)
			return
		}
		again := treeOf(&f, b).NewReader()
		if got := textOf(t, again, &again.Tree.Base.Value); got != text {
			t.Errorf("%s %s: %.200s\nbecomes %.200s", file.name, r.Path(n), text, got)
		}
		if was := cleaned[n.Head:n.Tail]; file.engine && !bytes.Equal(was, b) {
			t.Errorf("%s %s = %.200s: % x\nbecomes % x", file.name, r.Path(n), text, was, b)
		}
	})
}

// clean is a file with the padding of NodePaths zero, which engines leave as it is.
// With nan it also has only the NaN that is written as nan.
func clean(t *testing.T, file testFile, nan bool) []byte {
	data := bytes.Clone(file.data)
	s := treeOf(file.f, data).Scanner()
	s.Elements = true
	w := s.Window()
	err := s.Run(background, func(ev tree.Event) bool {
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
