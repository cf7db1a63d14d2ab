package convert

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// A reader reads what a file of resources says by the names of its parts, which text and binary files share.
type reader struct {
	*tree.Reader
	err error
}

// ReadFile returns what a file says. Its properties are read as they are asked for.
func ReadFile(r *tree.Reader, stored Target) (*File, error) {
	root, err := r.Child(r.Tree.Base, 0)
	if err != nil {
		return nil, err
	}
	n := &reader{Reader: r}
	head := n.parts(root)
	f := &File{Target: stored, Class: n.text(head["type"]), Script: n.text(head["script_class"]), UID: n.uid(head["uid"])}
	for x := range n.children(head["external"]) {
		is := n.parts(x)
		f.External = append(f.External, External{ID: n.text(is["id"]), Class: n.text(is["type"]), Path: n.text(is["path"]), UID: n.uid(is["uid"])})
	}
	for x := range n.children(head["resources"]) {
		is := n.parts(x)
		to := Resource{ID: n.text(is["id"]), Class: f.Class, Path: fmt.Sprintf("$.resources[%d].properties", x.Slot.Index)}
		if is["type"] != nil {
			to.Class = n.text(is["type"])
		}
		to.Properties = func(yield func(name, text string) bool) {
			for p := range n.children(is["properties"]) {
				if !yield(n.text(n.Key(p)), n.literal(p)) {
					return
				}
			}
		}
		f.Resources = append(f.Resources, to)
	}
	return f, errors.Join(n.err, r.Window().Err())
}

// children returns those of a value, none where there is no value.
func (n *reader) children(of *tree.Node) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		if of == nil {
			return
		}
		for c, err := n.Child(of, 0); err == nil && yield(c); c, err = n.Next(c) {
		}
	}
}

// parts returns the parts of a record by their names.
func (n *reader) parts(record *tree.Node) map[string]*tree.Node {
	parts := map[string]*tree.Node{}
	for c := range n.children(record) {
		parts[strings.TrimPrefix(n.Step(c), ".")] = c
	}
	return parts
}

func (n *reader) literal(of *tree.Node) string {
	var b strings.Builder
	n.err = errors.Join(n.err, n.WriteText(context.Background(), &b, &of.Value))
	return b.String()
}

// text returns the text of a value, of a number its digits, "" for no value.
func (n *reader) text(of *tree.Node) string {
	if of == nil {
		return ""
	}
	text := n.literal(of)
	l, err := literal.Parse(types.TextAny, text)
	n.err = errors.Join(n.err, err)
	if l.Kind == types.String {
		return string(l.Text)
	}
	return text
}

// uid returns a uid, which is a number or its text, -1 for none.
func (n *reader) uid(of *tree.Node) int64 {
	text := n.text(of)
	uid, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		uid, err = parseUID(text)
	}
	n.err = errors.Join(n.err, err)
	return uid
}
