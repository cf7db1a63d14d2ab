package resource

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Follows implements format.Follower: the strings follow from the names that use them, the entries of the
// table and their offsets from the resources.
func (r *reading) Follows(_ *tree.Reader, n *tree.Node) bool {
	switch {
	case n.Parent == nil:
		return false
	case n.Type == r.strings && n.Parent.Type == types.Record, n.Parent.Type == r.strings && n.Parent.Parent.Type == types.Record:
		return true
	case n.Type == types.Int64 && n.Parent.Type == types.Record:
		return leaves[n.Sub].kind == span.Offset
	}
	return n.Type == types.Record && n.Sub == recordEntry
}

// insertRecord inserts an external or internal resource.
func (e *editing) insertRecord(list *tree.Node, index int64, c edit.Content) {
	if list.Sub == recordEntry {
		e.Keep(errors.New("an entry of the table is inserted with its resource: insert into $.resources"))
	}
	x := &encode.Encoder{Format: e.values, Text: e.Literal(&c)}
	at := e.Offset(list, index, e.IsDamaged)
	l, err := literal.Parse(e.dialect, x.Text)
	switch {
	case !e.Keep(err):
		return
	case list.Sub == recordExternal:
		err = e.insertExternal(x, &l, at)
	default:
		err = e.insertInternal(x, &l, at, index, c.Key, c.Copy != nil)
	}
	if e.Keep(err) {
		e.renumber(list.Sub, uint32(index), 1)
	}
}

// member returns a member of a literal of a Dictionary; nil if there is none.
func member(l *literal.Literal, name string) *literal.Literal {
	if l.Kind == types.Dictionary {
		for i := 0; i+1 < len(l.Children); i += 2 {
			if key := &l.Children[i]; key.Kind == types.String && string(key.Text) == name {
				return &l.Children[i+1]
			}
		}
	}
	return nil
}

// textMember returns a member that is text.
func textMember(l *literal.Literal, name string) ([]byte, error) {
	if m := member(l, name); m != nil && m.Kind == types.String {
		return m.Text, nil
	}
	return nil, l.Errorf("a text %q is expected here", name)
}

func (e *editing) insertExternal(x *encode.Encoder, l *literal.Literal, at int64) error {
	class, err := textMember(l, "type")
	if err != nil {
		return err
	}
	path, err := textMember(l, "path")
	if err != nil {
		return err
	}
	b := e.text(e.text(nil, class), path)
	if e.head.flags&flagUIDs != 0 {
		uid := int64(-1)
		if m := member(l, "uid"); m != nil {
			if uid, err = x.Int(m); err != nil {
				return err
			}
		}
		b = append(b, e.number(types.Int64, uid)...)
	}
	e.Put(at, 0, b)
	e.add(e.head.filesAt, 1)
	return nil
}

// putProperties writes names and values; the names of an object need no quotes.
func putProperties(x *encode.Encoder, properties []literal.Literal, isObject bool) error {
	x.U32(uint32(len(properties) / 2))
	for i := range properties {
		switch p := &properties[i]; {
		case i%2 == 1:
			if err := x.Value(p); err != nil {
				return err
			}
		case p.Kind != types.String && !isObject:
			return p.Errorf("the name of a property is a text in quotes")
		default:
			x.PutPart(p.Text)
		}
	}
	return nil
}

// insertInternal inserts a resource and its entry in the table, which is given as an Object or as
// { "type": …, "id": …, "properties": … }. A copy gets a new id.
func (e *editing) insertInternal(x *encode.Encoder, l *literal.Literal, at, index int64, key string, isCopy bool) error {
	var class []byte
	var properties []literal.Literal
	switch {
	case index >= int64(len(e.head.table)):
		return errors.New("the last resource is the main one: insert before it")
	case l.Kind == types.Object && l.Whole:
		class, properties = l.Text, l.Children
	default:
		var err error
		if class, err = textMember(l, "type"); err != nil {
			return err
		}
		if m := member(l, "properties"); m != nil && m.Kind == types.Dictionary {
			properties = m.Children
		}
		if m := member(l, "id"); m != nil && key == "" && !isCopy {
			key = x.Text[m.At:m.End]
		}
	}
	id, err := e.newID(string(class), key)
	if err != nil {
		return err
	}
	e.tables.inserts, e.tables.before = true, int(index)
	x.PutString(class)
	if err := putProperties(x, properties, l.Kind == types.Object); err != nil {
		return err
	}
	entry := e.head.table[index]
	e.inserted = &insertion{entryAt: entry.start, path: []byte(local + id), at: at, data: x.Out}
	e.add(e.head.tableAt, 1)
	return nil
}

// An insertion is a resource that is inserted. Its offset is known once all else is.
type insertion struct {
	entryAt, at int64
	path, data  []byte
}

// newID returns the id of a new resource: the one that is asked for, or one that is not in use.
func (e *editing) newID(class, key string) (string, error) {
	used := map[string]bool{}
	for i := range e.head.table {
		used[e.head.table[i].id] = true
	}
	if key != "" {
		l, err := literal.Parse(e.dialect, key)
		id := key
		switch {
		case err != nil:
			return "", err
		case l.Kind == types.String:
			id = strings.TrimPrefix(string(l.Text), local)
		case l.Kind != types.Int:
			return "", l.Errorf("the id is a text in quotes")
		}
		if used[id] {
			return "", fmt.Errorf("there is already a resource with the id %q", id)
		}
		if _, err := strconv.ParseUint(id, 10, 31); err != nil && !e.head.isIndexed() {
			return "", l.Errorf("the id is a number here")
		}
		return id, nil
	}
	return convert.FreshID(class, !e.head.isIndexed(), used), nil
}

// deleteRecord deletes a resource to which nothing refers, or to which references become null.
func (e *editing) deleteRecord(at *tree.Node, o edit.Options) {
	index, list := at.Slot.Index, at.Parent.Sub
	switch {
	case list == recordEntry:
		e.Keep(errors.New("an entry of the table is deleted with its resource: delete in $.resources"))
	case list == recordResource && index+1 >= int64(len(e.head.table)):
		e.Keep(errors.New("the main resource cannot be deleted"))
	}
	done := e.Finish(at)
	if e.IsDamaged(done) {
		e.Keep(errors.New("a damaged resource cannot be deleted"))
	}
	if e.Err != nil {
		return
	}
	e.gone = span.Between(done.Start, done.Tail)
	null, err := edit.NullReferences(e.Ctx, e.Reader, done, o, func(_ *source.Window, v *tree.Value) bool {
		return v.Type == referenceTo(list) && e.indexOf(list, variant.Reference(e.Window, v)) == index
	}, e.number(types.Int32, 1))
	e.Keep(err)
	e.Splices = append(e.Splices, null...)
	e.Put(e.gone.Offset, e.gone.Length, nil)
	if list == recordExternal {
		e.add(e.head.filesAt, -1)
	} else {
		entry := e.head.table[index]
		e.Put(entry.start, entry.at+8-entry.start, nil)
		e.removed = int(index) + 1
		e.add(e.head.tableAt, -1)
	}
	e.renumber(list, uint32(index)+1, -1)
}

// indexOf returns the place in its list of the resource to which a reference stores a number.
func (e *editing) indexOf(list, number uint32) int64 {
	if list == recordExternal {
		return int64(number)
	}
	return int64(e.head.target(number))
}

// renumber adds to the references to the resources of a list from an index on.
func (e *editing) renumber(list, from uint32, by int64) {
	if e.Err != nil || list == recordResource && !e.head.isIndexed() {
		return
	}
	e.Keep(edit.EachAtom(e.Ctx, e.Reader, func(_ *tree.Scanner, v *tree.Value) {
		if v.Type != referenceTo(list) || e.gone.Contains(v.Start) {
			return
		}
		if number := variant.Reference(e.Window, v); number >= from {
			e.Put(v.Head+8, 4, e.number(types.Int32, int64(number)+by))
		}
	}))
}

// referenceTo returns the type of references to the resources of a list.
func referenceTo(list uint32) types.ID {
	if list == recordResource {
		return types.SubResource
	}
	return types.ExtResource
}
