package edit

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Insert puts a value into parent; see edit.Editor. In a struct with a schema it stores a
// member that was left out: the one that Content.Key names or, without a key, the one at
// the index.
func Insert(ctx context.Context, f *block.Reading, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f, r, o)
	parent, err := e.whole(parent)
	if err == nil {
		err = e.readable(parent)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case parent.Refers:
		err = errors.New("this is a reference; what it leads to can be edited")
	case parent.Type == datatype.Array:
		err = e.insertElement(parent, index, c)
	case parent.Type == datatype.Struct && parent.Layout == tree.Pairs:
		err = e.insertMember(parent, index, c)
	case parent.Type == datatype.Struct:
		if err = e.beAlone(); err == nil {
			err = e.storeMember(parent, index, c)
		}
	case parent.Type == datatype.File:
		err = errors.New("a block holds one value; it can be set to another")
	default:
		err = fmt.Errorf("%s holds no values", f.TypeName(&parent.Value))
	}
	if err != nil {
		return nil, err
	}
	return e.Finish()
}

// offsetOf returns the place of a new child: at its index, or after the last child.
func (e *Editor) offsetOf(parent *tree.Node, index int64) (int64, error) {
	if index == e.r.Count(parent) || index == e.Counted(&parent.Value) {
		return parent.Tail, nil
	}
	n, err := e.r.Child(parent, index)
	switch {
	case errors.Is(err, tree.ErrNoChild):
		return 0, fmt.Errorf("%s has no index %d", e.r.Path(parent), index)
	case err != nil:
		return 0, err
	}
	return Entry(n).Offset, nil
}

func (e *Editor) insertElement(array *tree.Node, index int64, c edit.Content) error {
	if c.Key != "" && c.Copy == nil {
		return errors.New("the elements of an array have numbers, no names")
	}
	at, err := e.offsetOf(array, index)
	if err != nil {
		return err
	}
	v, of := &array.Value, datatype.ID(array.Sub)
	if of == 0 {
		if err := e.beAlone(); err != nil {
			return err
		}
		l, err := e.content(c)
		if err != nil {
			return err
		}
		return e.refill(array, 0, &literal.Literal{Shape: literal.Array, Items: []*literal.Literal{l}})
	}
	parts, is, err := e.newParts(c, of)
	if err != nil {
		return err
	}
	if is == of || of == datatype.Any {
		e.Put(v, span.Span{Offset: at}, parts...)
		e.filled[v.Body] = true
		return e.recount(v, 1)
	}
	if err := e.beAlone(); err != nil {
		return err
	}
	parts = append([]part{{new: &fragment{b: []byte{e.Tag(is)}}}}, parts...)
	err = e.Widen(array, func(n *tree.Node) (bool, error) {
		if n.Slot.Index == index { // elements may have no bytes: the order of the patches decides
			e.Put(v, span.Span{Offset: at}, parts...)
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	if index >= array.Count {
		e.Put(v, span.Span{Offset: at}, parts...)
	}
	return e.SetCount(v, e.Counted(v)+1)
}

// newParts makes the parts that are inserted into an array with a common type, or after a
// tag; they have that type if they can. A part with another type gets no tag here.
func (e *Editor) newParts(c edit.Content, of datatype.ID) (parts []part, is datatype.ID, err error) {
	if copied, is, err := e.copiedPart(c); copied != nil || err != nil {
		if of == datatype.Any {
			copied = append([]part{{new: &fragment{b: []byte{e.Tag(is)}}}}, copied...)
		}
		return copied, is, err
	}
	l, err := e.content(c)
	if err != nil {
		return nil, 0, err
	}
	if is = of; e.fits(l, of) != "" || l.Shape == literal.Number && l.Num.Loses(of) {
		is = e.natural(l)
	}
	b, err := e.encode(l, is)
	return []part{{new: b}}, is, err
}

// copiedPart returns a copy of an array or struct in the same block, as its bytes; nil for
// anything else.
func (e *Editor) copiedPart(c edit.Content) ([]part, datatype.ID, error) {
	if c.Copy == nil || c.From.Tree != e.r.Tree || c.Copy.Refers || c.Copy.Type != datatype.Array && c.Copy.Type != datatype.Struct {
		return nil, 0, nil
	}
	n, err := e.whole(c.Copy)
	if err == nil {
		err = e.readable(n)
	}
	if err == nil {
		err = e.need()
	}
	if err != nil {
		return nil, 0, err
	}
	at := e.f.TagsEnd(e.w, &n.Value)
	return []part{{old: span.Between(at, n.End), copy: true}}, e.typeOf(&n.Value), nil
}

func (e *Editor) insertMember(parent *tree.Node, index int64, c edit.Content) error {
	at, err := e.offsetOf(parent, index)
	if err != nil {
		return err
	}
	name, err := e.nameFor(c)
	if err == nil {
		err = e.unused(parent, name, tree.Unknown)
	}
	if err != nil {
		return err
	}
	parts, _, err := e.newParts(c, datatype.Any)
	if err != nil {
		return err
	}
	head := part{new: &fragment{b: append(append([]byte{}, name...), 0)}}
	e.Put(&parent.Value, span.Span{Offset: at}, append([]part{head}, parts...)...)
	return e.recount(&parent.Value, 1)
}

// nameFor returns the name of a new member: the one given, or that of the copied member.
func (e *Editor) nameFor(c edit.Content) ([]byte, error) {
	if c.Key != "" {
		return literal.ParseName(c.Key)
	}
	if c.Copy != nil {
		if key := c.From.Key(c.Copy); key != nil && key.Damage == nil {
			return NameOf(c.From.Window(), &key.Value), nil
		}
		f, ok := block.Of(c.From.Tree.Reading)
		if ok && c.Copy.Parent != nil {
			if name := f.MemberName(&c.Copy.Parent.Value, c.Copy.Slot.Index); name != nil {
				return name, nil
			}
		}
	}
	return nil, errors.New("a member of a struct needs a name")
}

func (e *Editor) storeMember(parent *tree.Node, index int64, c edit.Content) error {
	if name, err := e.nameFor(c); err == nil {
		for i, m := range e.f.SchemaOf(&parent.Value).Members {
			if m.Name == string(name) {
				index = int64(i)
			}
		}
		if found := e.f.MemberName(&parent.Value, index); string(found) != string(name) {
			return fmt.Errorf("the schema of %s has no member %s", e.f.AppendCtor(nil, &parent.Value), literal.Shown(string(name)))
		}
	} else if c.Key != "" {
		return err
	}
	n, err := e.r.Child(parent, index)
	if err != nil {
		return errors.New("the schema says what members there are; none can be added")
	}
	if n.Type != datatype.Skipped {
		return fmt.Errorf("%s is there already; a schema has no other members", e.r.Path(n))
	}
	l, err := e.content(c)
	if err != nil {
		return err
	}
	return e.store(n, l)
}
