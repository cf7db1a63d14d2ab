package textual

import (
	"context"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// typeOf returns the name of the type of a text in a container; "" if it has none of its own.
func (e *editing) typeOf(text string, in *tree.Node) string {
	switch {
	case isList(in):
		list, _ := e.Elements([]byte("["+text+", ]"), 0)
		return e.TypeName(&tree.Value{Type: list.Items[0].Type})
	case in != nil && isPacked(&in.Value):
		return ""
	}
	if is, ok := e.typeOfToken(text); ok {
		return is
	}
	src, region := source.Bytes(text), span.Between(0, int64(len(text)))
	r := e.reading(src, region)
	root, w, v := r.Root(region.Length, region), source.NewWindow(src), tree.Value{}
	if marker, ok := r.(tree.Marker); ok && root.Marked && !marker.HasChild(w, &root, tree.Slot{}, root.Body) {
		return ""
	}
	if r.Read(w, &root, tree.Slot{}, root.Body, &v); v.Damage != nil {
		return ""
	}
	return r.TypeName(&v)
}

// typeOfToken is typeOf for a text that is one token, as most are.
func (e *editing) typeOfToken(text string) (name string, ok bool) {
	r := e.Reading
	if e.Value != nil {
		if r = e.alone.Load(); r == nil {
			one, is := e.Value(source.Bytes(nil), span.Span{}).(texter)
			if !is {
				return "", false
			}
			r = one.text()
			e.alone.Store(r)
		}
	}
	if text == "" || isUnused[text[0]] || r.Line != nil {
		return "", false
	}
	root := r.Root(0, span.Span{})
	t := r.Lex([]byte(text), tree.Slot{}, &root)
	ok = t.Len == len(text) && t.Layout == tree.Leaf && !t.Quoted && !t.Around && !t.Lacks && t.Bad == "" && t.Parts == 0
	return r.TypeName(&tree.Value{Type: t.Type, Inner: t.Role, Rows: t.Kind}), ok
}

// isPacked reports whether what is in a value has no type of its own: numbers and texts in parentheses.
func isPacked(in *tree.Value) bool {
	return in != nil && (in.Layout == tree.Fixed || in.Layout == tree.Sequence && in.Sub == ')')
}

// samples are literals of new values, one of which has the type that is asked for.
func (d Editor) samples() []string {
	if d.Samples != nil {
		return d.Samples()
	}
	return notation.Samples
}

// isOf reports whether a literal has the named type in the place of a value.
func (e *editing) isOf(text, name string, old *tree.Node) bool {
	in := old.Parent
	if !isList(in) {
		in = nil
	}
	e.Err = nil
	b := e.content(edit.Content{Literal: text}, nil, in)
	return e.Err == nil && e.typeOf(b, in) == name
}

// Types implements edit.Editor.
func (d Editor) Types(r *tree.Reader, n *tree.Node) (names []string) {
	e := d.begin(context.Background(), r, edit.Options{})
	for _, name := range d.Dialect.Types {
		if n.Parent != nil && slices.ContainsFunc(d.samples(), func(s string) bool { return e.isOf(s, name, n) }) {
			names = append(names, name)
		}
	}
	return names
}

// Retyped implements edit.Editor. It converts numbers, bools and texts to one another.
func (d Editor) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	e := d.begin(ctx, r, edit.Options{})
	text, ok, err := notation.Retype(ctx, r, &n.Value, d.samples(), func(s string) bool { return e.isOf(s, name, n) })
	if err == nil && !ok {
		err = fmt.Errorf("%s has no type %s", d.Dialect.Title, name)
	}
	return text, err
}
