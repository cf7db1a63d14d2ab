package elephant_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// The edits of a series. Each returns a description of what it does, or "" if it does nothing.

func (s *series) set(root *Thing, at spot) (string, []source.Splice, error) {
	x := at.thing()
	if x.IsContainer() {
		return "", nil, nil
	}
	var text string
	y := &Thing{Kind: x.Kind}
	switch x.Kind {
	case "number":
		y.Text = fmt.Sprint(s.rnd.IntN(100))
		text = y.Text
	case "text":
		y.Text = fmt.Sprintf("t\"%d\né", s.rnd.IntN(1000))
		text = `"t\"` + y.Text[2:] + `"`
	case "bool":
		y.Text = fmt.Sprint(s.rnd.IntN(2) == 0)
		text = y.Text
	default:
		return "", nil, nil
	}
	at.parent.Kids[at.index] = y
	splices, err := s.editor().Set(context.Background(), s.tr.NewReader(), s.node(at.path), edit.Content{Literal: text}, edit.Options{})
	return fmt.Sprint("set ", at.path, " to ", text), splices, err
}

// fresh returns a random literal and the thing that it means.
func (s *series) fresh(depth int) (string, *Thing) {
	switch n := s.rnd.IntN(7); {
	case n == 0 && depth > 0:
		a, x := s.fresh(depth - 1)
		b, y := s.fresh(depth - 1)
		return "[" + a + ", " + b + "]", &Thing{Kind: "array", Kids: []*Thing{x, y}}
	case n == 1 && depth > 0:
		a, x := s.fresh(depth - 1)
		return `{ new: ` + a + `, "odd name": {} }`, &Thing{Kind: "struct", Names: []string{"new", "odd name"}, Kids: []*Thing{x, {Kind: "struct"}}}
	case n == 2:
		return "undefined", &Thing{Kind: "undefined"}
	case n == 3:
		return "true", &Thing{Kind: "bool", Text: "true"}
	case n == 4:
		return "u16(65535)", &Thing{Kind: "number", Text: "65535"}
	case n == 5:
		return `"new"`, &Thing{Kind: "text", Text: "new"}
	}
	return "7", &Thing{Kind: "number", Text: "7"}
}

// into puts a thing before a random child of the spot's parent.
func (s *series) into(at spot, x *Thing) (parent *tree.Node, index int64, key string) {
	index = int64(s.rnd.IntN(len(at.parent.Kids) + 1))
	at.parent.Kids = slices.Insert(at.parent.Kids, int(index), x)
	if at.parent.Kind == "struct" {
		key = fmt.Sprintf("k%d", s.rnd.Uint32())
		at.parent.Names = slices.Insert(at.parent.Names, int(index), key)
	}
	return s.node(at.path[:len(at.path)-1]), index, key
}

func (s *series) insert(root *Thing, at spot) (string, []source.Splice, error) {
	if at.parent.Fixed {
		return "", nil, nil
	}
	text, x := s.fresh(2)
	return s.put("insert", at, x, edit.Content{Literal: text})
}

func (s *series) put(what string, at spot, x *Thing, c edit.Content) (string, []source.Splice, error) {
	parent, index, key := s.into(at, x)
	c.Key = key
	splices, err := s.editor().Insert(context.Background(), s.tr.NewReader(), parent, index, c, edit.Options{})
	return fmt.Sprint(what, " ", c.Literal, " at ", at.path, " as ", index, key), splices, err
}

// refer inserts a reference to any container, also one that comes later.
func (s *series) refer(root *Thing, at spot) (string, []source.Splice, error) {
	all := spots(root)
	to := all[s.rnd.IntN(len(all))]
	if at.parent.Fixed || !to.thing().IsContainer() || to.again {
		return "", nil, nil
	}
	path := s.tr.NewReader().Path(s.node(to.path))
	return s.put("refer", at, to.thing(), edit.Content{Literal: "ref(" + path + ")"})
}

// paste inserts a copy of any value.
func (s *series) paste(root *Thing, at spot) (string, []source.Splice, error) {
	all := spots(root)
	from := all[s.rnd.IntN(len(all))]
	if at.parent.Fixed || from.thing().Kind == "default" || len(all) > 400 {
		return "", nil, nil
	}
	x := from.thing()
	if !from.again {
		x = duplicateOf(x, map[*Thing]*Thing{}, homes(root, from))
	}
	return s.put(fmt.Sprint("paste ", from.path), at, x, edit.Content{Copy: s.node(from.path), From: s.tr.NewReader()})
}

func (s *series) remove(root *Thing, at spot) (string, []source.Splice, error) {
	if at.parent.Fixed {
		return "", nil, nil
	}
	o := edit.Options{Orphans: []edit.Orphans{edit.Inherit, edit.Undefined}[s.rnd.IntN(2)]}
	gone := map[*Thing]bool{}
	if o.Orphans == edit.Undefined && !at.again {
		gone = homes(root, at)
	}
	s.clear(root, at, gone)
	at.parent.Kids = slices.Delete(at.parent.Kids, at.index, at.index+1)
	if at.parent.Kind == "struct" {
		at.parent.Names = slices.Delete(at.parent.Names, at.index, at.index+1)
	}
	splices, err := s.editor().Delete(context.Background(), s.tr.NewReader(), s.node(at.path), o)
	return fmt.Sprint("delete ", at.path, " ", o.Orphans), splices, err
}

// clear makes all references to removed things undefined.
func (s *series) clear(root *Thing, at spot, gone map[*Thing]bool) {
	for _, other := range spots(root) {
		inside := len(other.path) >= len(at.path) && slices.Equal(other.path[:len(at.path)], at.path)
		if gone[other.thing()] && !inside {
			other.parent.Kids[other.index] = &Thing{Kind: "undefined"}
		}
	}
}

func (s *series) move(root *Thing, at spot) (string, []source.Splice, error) {
	if at.parent.Fixed {
		return "", nil, nil
	}
	to := s.rnd.IntN(len(at.parent.Kids))
	x := at.thing()
	at.parent.Kids = slices.Insert(slices.Delete(at.parent.Kids, at.index, at.index+1), to, x)
	if at.parent.Kind == "struct" {
		name := at.parent.Names[at.index]
		at.parent.Names = slices.Insert(slices.Delete(at.parent.Names, at.index, at.index+1), to, name)
	}
	splices, err := s.editor().Move(context.Background(), s.tr.NewReader(), s.node(at.path), int64(to), edit.Options{})
	return fmt.Sprint("move ", at.path, " to ", to), splices, err
}

// skip leaves out a member of a schema.
func (s *series) skip(root *Thing, at spot) (string, []source.Splice, error) {
	if !at.parent.Fixed || !strings.Contains(s.b.Name, "v1-5") || at.thing().Kind == "default" {
		return "", nil, nil
	}
	s.clear(root, at, map[*Thing]bool{})
	at.parent.Kids[at.index] = &Thing{Kind: "default"}
	splices, err := s.editor().Set(context.Background(), s.tr.NewReader(), s.node(at.path), edit.Content{Literal: "default"}, edit.Options{Orphans: edit.Inherit})
	return fmt.Sprint("skip ", at.path), splices, err
}

// merge sets a struct with names, or an array of scalars, to a literal in which
// some members are elsewhere, one is missing and one is new.
func (s *series) merge(root *Thing, at spot) (string, []source.Splice, error) {
	x := at.thing()
	if x.Fixed || !x.IsContainer() || at.again || len(x.Kids) > 50 || x.Kind == "array" && slices.ContainsFunc(x.Kids, (*Thing).IsContainer) {
		return "", nil, nil
	}
	n := s.node(at.path)
	var kids []*Thing
	var names, items []string
	for _, i := range s.rnd.Perm(len(x.Kids)) {
		if s.rnd.IntN(8) == 0 {
			continue
		}
		child, err := s.tr.NewReader().Child(n, int64(i))
		if err != nil {
			s.t.Fatal(err)
		}
		kids, items = append(kids, x.Kids[i]), append(items, literalOf(s.t, s.tr, &child.Value))
		if x.Kind == "struct" {
			names = append(names, x.Names[i])
		}
	}
	text, y := s.fresh(1)
	kids, items = append(kids, y), append(items, text)
	if x.Kind == "struct" {
		names = append(names, fmt.Sprintf("m%d", s.rnd.Uint32()))
	}
	text = s.literalOf(n, names, items)
	x.Kids, x.Names = kids, names
	splices, err := s.editor().Set(context.Background(), s.tr.NewReader(), n, edit.Content{Literal: text}, edit.Options{Orphans: edit.Inherit})
	return fmt.Sprint("merge ", at.path, " ", text), splices, err
}

// literalOf returns the literal of an array, or of a struct of the same constructor as n.
func (s *series) literalOf(n *tree.Node, names, items []string) string {
	if names == nil {
		return "[" + strings.Join(items, ",") + "]"
	}
	head, _, _ := strings.Cut(literalOf(s.t, s.tr, &n.Value), "{")
	for i, name := range names {
		items[i] = string(tree.AppendQuoted(nil, []byte(name))) + ":" + items[i]
	}
	return head + "{" + strings.Join(items, ",") + "}"
}
