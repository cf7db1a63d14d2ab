package godot_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// TestSetSame: setting a value to its own literal changes nothing.
func TestSetSame(t *testing.T) {
	for _, file := range Files(t) {
		setSame(t, file)
	}
}

func setSame(t *testing.T, file File) {
	r := TreeOf(file.Format, file.Data).NewReader()
	EachNode(t, r, r.Tree.Base, func(n *tree.Node) {
		if n.Parent == nil {
			return
		}
		text := TextOf(t, r, &n.Value)
		for _, text := range []string{text, " " + text + "\n"} {
			splices, err := file.Format.Set(context.Background(), r, n, edit.Content{Literal: text}, edit.Options{})
			if err != nil || len(splices) > 0 {
				t.Errorf("%s %s = %.200s: %v %v", file.Name, r.Path(n), text, splices, err)
			}
		}
	})
}

// TestFresh: a value's literal, encoded, is the same value, with the same bytes if an engine wrote it.
func TestFresh(t *testing.T) {
	for _, file := range Files(t) {
		switch file.Name {
		case "damaged/typed-array-of-wrong-type raw", "damaged/typed-dictionary-of-wrong-key raw":
			continue // their children have types that they do not accept
		}
		fresh(t, file)
	}
}

func fresh(t *testing.T, file File) {
	settings := *file.Format.Settings
	settings.Framing = godot.Raw
	f := godot.New(settings)
	cleaned := Cleaned(t, file, true)
	r := TreeOf(file.Format, file.Data).NewReader()
	EachNode(t, r, r.Tree.Base, func(n *tree.Node) {
		if n.Parent == nil || n.Type >= types.Raw && n.Type != types.Unknown {
			return
		}
		n, _ = r.Finish(n)
		text := TextOf(t, r, &n.Value)
		if strings.Contains(text, "<") || strings.Count(text, "[") > 1024 { // damaged, or too deep
			return
		}
		l, err := literal.Parse(f.Dialect, text)
		if err != nil {
			t.Errorf("%s %s = %.200s: %v", file.Name, r.Path(n), text, err)
			return
		}
		b, err := encode.Bytes(f.Variant(), text, &l)
		if err != nil {
			t.Errorf("%s %s = %.200s: %v", file.Name, r.Path(n), text, err)
			return
		}
		again := TreeOf(f, b).NewReader()
		if got := TextOf(t, again, &again.Tree.Base.Value); got != text {
			t.Errorf("%s %s: %.200s\nbecomes %.200s", file.Name, r.Path(n), text, got)
		}
		if was := cleaned[n.Head:n.Tail]; file.Engine && !bytes.Equal(was, b) {
			t.Errorf("%s %s = %.200s: % x\nbecomes % x", file.Name, r.Path(n), text, was, b)
		}
	})
}
