package godot

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Insert implements edit.Editor. An entry or a property needs a key, which must be
// free. A part of a NodePath is a name before index and a subname behind it; at
// the border between both Content.Key may be "names" or "subnames", else it is a
// name unless the path has only subnames.
func (f *Format) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := f.newEditing(ctx, r)
	if parent.Type == tRaw {
		return nil, errors.New("this buffer holds a single value; nothing can be put beside it")
	}
	if parent.Damage != nil && parent.Layout == tree.Leaf {
		return nil, errors.New("nothing can be put into a damaged value")
	}
	var err error
	switch shape := typeOf(parent.Type).shape; {
	case c.Key != "" && c.Copy == nil && isNumbered(parent):
		err = errNumbered
	case parent.Type == tStream:
		err = e.insertFrame(parent, index, c)
	case shape == shapeArray || shape == shapeTyped:
		err = e.insertValue(parent, index, c)
	case shape == shapeDict, shape == shapeObject && parent.Layout == tree.Pairs:
		err = e.insertPair(parent, index, c)
	case shape == shapeStrings:
		err = e.insertEntry(parent, index, c)
	case shape == shapePath && parent.Layout != tree.Leaf:
		err = e.insertPart(parent, index, c)
	case shape == shapePacked || shape == shapeBytes:
		err = e.insertElement(parent, index, c)
	default:
		err = fmt.Errorf("nothing can be put into %s", f.AppendType(nil, e.w, &parent.Value))
	}
	if err != nil {
		return nil, err
	}
	return e.done(parent)
}

var errNumbered = errors.New("the values in this one have numbers, no keys")

// isNumbered reports whether new children of a value get no keys.
func isNumbered(parent *tree.Node) bool {
	switch typeOf(parent.Type).shape {
	case shapeArray, shapeTyped, shapeStrings, shapePacked, shapeBytes:
		return true
	}
	return parent.Type == tStream
}

// place is the offset before the child index of a value, which may be behind the
// last.
func (e *editing) place(parent *tree.Node, index int64) (int64, error) {
	n, err := e.r.Child(parent, index)
	switch {
	case err == nil && n.KeyAt != tree.Unknown:
		return n.KeyAt, nil
	case err == nil:
		return n.Start, nil
	case !errors.Is(err, tree.ErrNoChild):
		return 0, err
	}
	some := int64(0)
	last, err := e.r.LastChild(parent)
	if err == nil {
		some = last.Slot.Index + 1
	} else if !errors.Is(err, tree.ErrNoChild) {
		return 0, err
	}
	if index != some {
		return 0, fmt.Errorf("there is no place %d; the last is %d", index, some)
	}
	done, err := e.r.Finish(parent)
	if err != nil {
		return 0, err
	}
	end := parent.Body // where the last child ends
	if some > 0 {
		if bad, err := e.takesAll(last); bad || err != nil {
			return 0, orError(err, errBehindDamage.Error())
		}
		if end, err = e.r.End(last); err != nil {
			return 0, err
		}
	}
	if end != done.Tail { // a key without its value
		return 0, errBehindDamage
	}
	return done.Tail, nil
}

// takesAll reports whether what is put behind n would become a part of it, because
// it is damaged or, as a frame, says that it is longer than it is.
func (e *editing) takesAll(n *tree.Node) (bool, error) {
	if n.Fenced {
		return e.claims(n), nil
	}
	return isDamaged(e.r, n)
}

// insert puts bytes in at an offset of parent. Where the padding of the value
// before is missing they begin with it.
func (e *editing) insert(parent *tree.Node, at int64, bytes *source.Pieces) {
	if missing := pad(at - parent.Head); missing > 0 && parent.Type != tStream {
		bytes = joined(source.Memory(make([]byte, missing)), bytes)
	}
	e.splices = append(e.splices, source.Splice{Span: span.Between(at, at), New: bytes})
}

func (e *editing) insertValue(parent *tree.Node, index int64, c edit.Content) error {
	at, err := e.place(parent, index)
	if err != nil {
		return err
	}
	bytes, err := e.content(&parent.Value, tree.Slot{Index: index}, c)
	if err != nil {
		return err
	}
	e.insert(parent, at, bytes)
	return e.recount(&parent.Value, 1)
}

// insertPair puts in an entry of a Dictionary or a property.
func (e *editing) insertPair(parent *tree.Node, index int64, c edit.Content) error {
	at, err := e.place(parent, index)
	if err != nil {
		return err
	}
	key, id, err := e.keyBytes(parent, c)
	if err == nil {
		err = e.freeKey(parent, tree.Unknown, id)
	}
	if err != nil {
		return err
	}
	bytes, err := e.content(&parent.Value, tree.Slot{Index: index}, c)
	if err != nil {
		return err
	}
	e.insert(parent, at, joined(key, bytes))
	return e.recount(&parent.Value, 1)
}

// keyBytes gives the key of content for parent, and what tells it from others.
func (e *editing) keyBytes(parent *tree.Node, c edit.Content) (*source.Pieces, string, error) {
	if c = keyContent(c); c.Literal == "" && c.Copy == nil {
		return nil, "", fmt.Errorf("an entry of %s needs a key", e.f.TypeName(&parent.Value))
	}
	l, err := e.contentLiteral(c)
	if err != nil {
		return nil, "", err
	}
	if parent.Type == tObject {
		if l.kind != tString {
			return nil, "", fail(int(l.at), "the name of a property is a text in quotes")
		}
		e.out = nil
		e.putString(l.text)
		return source.Memory(e.out), textKey(tName, l.text), nil
	}
	id := e.literalKey(&l)
	if c.Copy != nil && !isWhole(c.Copy) { // the name of a property
		c = edit.Content{Literal: e.text}
	}
	bytes, err := e.content(&parent.Value, tree.Slot{Key: true}, c)
	return bytes, id, err
}

// keyContent is the key of content: its own, or that of a copied entry.
func keyContent(c edit.Content) edit.Content {
	if c.Key == "" && c.Copy != nil {
		if key := c.From.Key(c.Copy); key != nil {
			return edit.Content{Copy: key, From: c.From}
		}
	}
	return edit.Content{Literal: c.Key}
}
