package godot_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// TestStructure: in every container of every sound file children are inserted, deleted and moved, which
// changes its list of children and nothing else.
func TestStructure(t *testing.T) {
	for i, file := range Files(t) {
		if i%4 > 0 || strings.HasPrefix(file.Name, "damaged/") { // a quarter of the files has all that there is
			continue
		}
		structure(t, file)
	}
}

func structure(t *testing.T, file File) {
	r := TreeOf(file.Format, file.Data).NewReader()
	EachNode(t, r, r.Tree.Base, func(n *tree.Node) {
		fixed := types.Of(n.Type).Shape == types.ShapeFixed || n.Type == types.Element
		if n.Type == types.Raw || fixed || n.Slot.Key || n.Layout == tree.Leaf || n.Depth > 12 {
			return
		}
		was := childTexts(t, r, n)
		count := len(was)
		for _, i := range slices.Compact([]int{0, count / 2, count - 1}) {
			if i < 0 || i >= count {
				continue
			}
			c, err := r.Child(n, int64(i))
			if err != nil {
				t.Fatal(err)
			}
			e := structureEdit{t, file, r, n, was}
			e.delete(c)
			for _, to := range slices.Compact([]int{0, count / 2, count - 1}) {
				e.move(c, to)
			}
			for _, at := range slices.Compact([]int{0, count / 2, count}) {
				e.insert(c, at)
			}
		}
	})
}

type structureEdit struct {
	t      *testing.T
	file   File
	r      *tree.Reader
	parent *tree.Node
	was    []string
}

func (e *structureEdit) check(what string, c *tree.Node, splices []source.Splice, err error, want []string) {
	e.t.Helper()
	what += " " + e.r.Path(c)
	if err != nil {
		e.t.Errorf("%s: %s: %v", e.file.Name, what, err)
		return
	}
	e.onlyLengths(what, c, splices)
	r := applied(e.t, e.file, what, splices)
	if got := childTexts(e.t, r, again(e.t, r, e.parent)); !slices.Equal(got, want) {
		e.t.Errorf("%s: %s:\n got %.500q\nwant %.500q", e.file.Name, what, got, want)
	}
}

// onlyLengths checks that only lengths, flags and padding change outside of the
// parent's children.
func (e *structureEdit) onlyLengths(what string, c *tree.Node, splices []source.Splice) {
	parent, err := e.r.Finish(e.parent)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, s := range splices {
		if s.Offset >= parent.Body && s.End() <= parent.Tail {
			continue
		}
		n, err := e.r.At(s.Offset)
		if err != nil {
			e.t.Fatal(err)
		}
		ok := false
		for _, f := range e.r.AppendFields(nil, n) {
			ok = ok || f.Contains(s.Offset) && (f.Kind == span.Length || f.Kind == span.Flags)
		}
		if !ok {
			e.t.Errorf("%s: %s: changes %v", e.file.Name, what, s.Span)
		}
	}
}

func (e *structureEdit) delete(c *tree.Node) {
	splices, err := e.file.Format.Delete(context.Background(), e.r, c, edit.Options{})
	i := int(c.Slot.Index)
	e.check("delete", c, splices, err, slices.Delete(slices.Clone(e.was), i, i+1))
}

func (e *structureEdit) move(c *tree.Node, to int) {
	i := int(c.Slot.Index)
	if names := int(e.parent.Sub); e.parent.Type == types.NodePath && i < names != (to < names) {
		return
	}
	splices, err := e.file.Format.Move(context.Background(), e.r, c, int64(to), edit.Options{})
	want := slices.Delete(slices.Clone(e.was), i, i+1)
	e.check("move", c, splices, err, slices.Insert(want, to, e.was[i]))
	if i == to && len(splices) > 0 {
		e.t.Errorf("%s: a move to where it is changes something", e.file.Name)
	}
}

// insert inserts a copy of c, as bytes and as text, under a new key if there are keys.
func (e *structureEdit) insert(c *tree.Node, at int) {
	text := TextOf(e.t, e.r, &c.Value)
	for _, content := range []edit.Content{{Copy: c, From: e.r}, {Literal: text}} {
		item := text
		if e.parent.Type == types.NodePath {
			content.Key = "names"
			if c.Slot.Index >= int64(e.parent.Sub) {
				content.Key = "subnames"
			}
		}
		splices, err := e.file.Format.Insert(context.Background(), e.r, e.parent, int64(at), content, edit.Options{})
		if e.parent.Layout == tree.Pairs {
			if err == nil {
				e.t.Errorf("%s %s: a key stands twice", e.file.Name, e.r.Path(c))
			}
			for _, key := range []string{`"new key"`, "-777", `&"new key"`, `^"new key"`, "Vector2i(77, 7)", "Object(New)"} {
				content.Key = key
				if splices, err = e.file.Format.Insert(context.Background(), e.r, e.parent, int64(at), content, edit.Options{}); err == nil {
					item = key + ": " + text
					break
				}
			}
		}
		e.check("insert", c, splices, err, slices.Insert(slices.Clone(e.was), at, item))
	}
}
