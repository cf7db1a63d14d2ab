package blockedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// content returns what an edit inserts, as a literal.
func (e *Editor) content(c edit.Content) (l *literal.Literal, err error) {
	if c.Copy != nil {
		l, err = e.copyOf(c.From, c.Copy)
	} else {
		l, err = literal.Parse(c.Literal)
	}
	if err == nil {
		err = e.prepare(l)
	}
	return l, err
}

// An Editing implements edit.Editor for a reading.
type Editing struct{ *block.Reading }

// Set implements edit.Editor.
func (f Editing) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	switch {
	case n.Slot.Key:
		return e.Finish(e.rename(n, c))
	case n.Parent == nil:
		return nil, errors.New("this is the block itself; its value can be edited")
	}
	if err := e.readable(n); err != nil {
		return nil, err
	}
	l, err := e.content(c)
	if err == nil {
		err = e.set(n, l)
	}
	return e.Finish(err)
}

func (e *Editor) set(n *tree.Node, l *literal.Literal) error {
	at := placeOf(e.Block, n.Parent, n.Slot.Index)
	switch {
	case l.Shape == literal.Default && at.schema:
		return e.Skip(n)
	case l.Shape == literal.Default:
		return e.refuse(l, "only a member in a schema can have its default")
	case n.Type == datatype.Skipped:
		return e.store(n, l)
	}
	p := &present{Node: n, w: e.Window}
	var err error
	if !l.IsAtom() && !n.Refers {
		p, err = load(e.Block, e.Reader, n)
	} else {
		p.Node, err = e.whole(n)
	}
	if err != nil || (p.Refers || l.IsAtom()) && e.equals(p, l) {
		return err
	}
	if err := e.check(n, at, l); err != nil {
		return err
	}
	if at.isTagged() || at.schema || e.fits(l, at.of) == "" {
		return e.merge(p, l, at)
	}
	return e.setElement(n, l)
}

// setElement changes an element to a literal that is not of the common type of its array.
func (e *Editor) setElement(n *tree.Node, l *literal.Literal) error {
	array, err := e.whole(n.Parent)
	if err != nil {
		return err
	}
	p, err := load(e.Block, e.Reader, array)
	switch {
	case err != nil:
		return err
	case len(p.kids) == 1:
		return e.mergeArray(p, &literal.Literal{Shape: literal.Array, Items: []*literal.Literal{l}})
	}
	slots := e.tagged(p)
	slots[n.Slot.Index] = slot{is: l, of: datatype.Any}
	return e.refill(p, datatype.Any, slots)
}

// tagged returns the elements of an array with their own tags.
func (e *Editor) tagged(p *present) []slot {
	slots := make([]slot, len(p.kids))
	for i, kid := range p.kids {
		slots[i] = slot{kid: kid, lead: []byte{e.Tag(datatype.ID(p.Sub))}}
	}
	return slots
}

// rename gives a member another name.
func (e *Editor) rename(n *tree.Node, c edit.Content) error {
	if c.Copy != nil {
		return errors.New("a name must be given as a literal")
	}
	if n.Damage != nil {
		return e.readable(n)
	}
	name, err := literal.ParseName(c.Literal)
	if err != nil || bytes.Equal(name, NameOf(e.Window, &n.Value)) {
		return err
	}
	if err := e.unused(n.Parent, name, n.Slot.Index); err != nil {
		return err
	}
	e.PutBytes(&n.Parent.Value, n.Start, n.Tail-1-n.Start, name...)
	return nil
}

// unused returns an error if a struct already has a member with a name that its member by is to get.
func (e *Editor) unused(parent *tree.Node, name []byte, by int64) error {
	free, err := e.Together.TakeKey(parent, string(name), by, func(use func(string, int64)) error {
		return edit.EachChild(e.Ctx, e.Reader, parent, func(c *tree.Node) error {
			use(string(NameOf(e.Window, &e.Reader.Key(c).Value)), c.Slot.Index)
			return nil
		})
	})
	if err == nil && !free {
		err = fmt.Errorf("the struct already has a member %s", literal.Shown(string(name)))
	}
	return err
}

// named returns n with a known end or, if n is a name, the value that it names. That value must be
// readable.
func (e *Editor) named(n *tree.Node) (_ *tree.Node, err error) {
	if n.Slot.Key {
		if n, err = e.Reader.Child(n.Parent, n.Slot.Index); err != nil {
			return nil, err
		}
	}
	if n, err = e.whole(n); err != nil {
		return nil, err
	}
	return n, e.readable(n)
}

// Delete implements edit.Editor.
func (f Editing) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	return e.Finish(e.delete(n))
}

func (e *Editor) delete(n *tree.Node) (err error) {
	if n.Parent == nil || n.Parent.Type == datatype.File {
		return errors.New("a block holds one value, which cannot be deleted; it can be set to another")
	}
	if n, err = e.named(n); err != nil {
		return err
	}
	v := &n.Parent.Value
	if v.Type == datatype.Struct && v.Layout == tree.Sequence {
		if n.Type == datatype.Skipped {
			return errors.New("this member is already left out")
		}
		if err := e.alone(); err != nil {
			return err
		}
		return e.Skip(n)
	}
	if err := e.NeedFor(&n.Value); err != nil {
		return err
	}
	e.Remove(v, Entry(n))
	if e.Together == nil && e.Counted(v) == 1 && v.Type == datatype.Array { // an empty array has no type
		e.Remove(v, span.Between(v.Body-1, v.Body))
	}
	return e.recount(v, -1)
}

// Move implements edit.Editor.
func (f Editing) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	return e.Finish(e.move(n, to))
}

func (e *Editor) move(n *tree.Node, to int64) (err error) {
	if err := e.alone(); err != nil {
		return err
	}
	switch {
	case n.Parent == nil || n.Parent.Type == datatype.File:
		return errors.New("a block holds one value, which cannot be moved")
	case n.Parent.Type == datatype.Struct && n.Parent.Layout == tree.Sequence:
		return errors.New("the members of a schema are ordered by name")
	}
	if n, err = e.named(n); err != nil {
		return err
	}
	other, err := edit.ChildAt(e.Reader, n.Parent, to)
	if err == nil {
		other, err = e.whole(other)
	}
	if err != nil || to == n.Slot.Index {
		return err
	}
	if n.Refers { // it may come before its target
		err = e.need()
	} else {
		err = e.NeedFor(&n.Value)
	}
	if err != nil {
		return err
	}
	at := Entry(other).Offset
	if to > n.Slot.Index {
		at = other.End
	}
	v := &n.Parent.Value
	e.Put(v, span.Span{Offset: at}, part{old: Entry(n)})
	e.Put(v, Entry(n))
	return nil
}

// Insert puts a value into parent; see edit.Editor. In a struct with a schema it stores a
// member that was left out: the one that Content.Key names or, without a key, the one at
// the index.
func (f Editing) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	parent, err := e.whole(parent)
	if err == nil {
		err = e.readable(parent)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case parent.Refers:
		err = errors.New("this is a reference; edit its target instead")
	case parent.Type == datatype.Array:
		err = e.insertElement(parent, index, c)
	case parent.Type == datatype.Struct && parent.Layout == tree.Pairs:
		err = e.insertMember(parent, index, c)
	case parent.Type == datatype.Struct:
		if err = e.alone(); err == nil {
			err = e.storeMember(parent, index, c)
		}
	case parent.Type == datatype.File:
		err = errors.New("a block holds one value; it can be set to another")
	default:
		err = fmt.Errorf("%s holds no values", f.TypeName(&parent.Value))
	}
	return e.Finish(err)
}

// offsetOf returns the offset of a new child: at its index, or after the last child.
func (e *Editor) offsetOf(parent *tree.Node, index int64) (int64, error) {
	if index == e.Reader.Count(parent) || index == e.Counted(&parent.Value) {
		return parent.Tail, nil
	}
	n, err := e.Reader.Child(parent, index)
	switch {
	case errors.Is(err, tree.ErrNoChild):
		return 0, fmt.Errorf("%s has no index %d", e.Reader.Path(parent), index)
	case err != nil:
		return 0, err
	}
	return Entry(n).Offset, nil
}

func (e *Editor) insertElement(array *tree.Node, index int64, c edit.Content) error {
	if c.Key != "" && c.Copy == nil {
		return errors.New("the elements of an array have numbers, not names")
	}
	at, err := e.offsetOf(array, index)
	if err != nil {
		return err
	}
	l, err := e.content(c)
	if err != nil {
		return err
	}
	switch of := datatype.ID(array.Sub); {
	case of == 0:
		if err := e.alone(); err != nil {
			return err
		}
		return e.mergeArray(&present{Node: array}, &literal.Literal{Shape: literal.Array, Items: []*literal.Literal{l}})
	case e.fits(l, of) != "" || l.Shape == literal.Number && l.Num.Loses(of):
		p, err := load(e.Block, e.Reader, array)
		if err := cmp.Or(err, e.alone()); err != nil {
			return err
		}
		slots := e.tagged(p)
		return e.refill(p, datatype.Any, slices.Insert(slots, min(int(index), len(slots)), slot{is: l, of: datatype.Any}))
	default:
		b, err := e.encode(l, of)
		if err != nil {
			return err
		}
		e.Put(&array.Value, span.Span{Offset: at}, part{new: b})
		e.filled[array.Body] = true
		return e.recount(&array.Value, 1)
	}
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
	l, err := e.content(c)
	if err != nil {
		return err
	}
	b, err := e.encode(l, datatype.Any)
	if err != nil {
		return err
	}
	e.Put(&parent.Value, span.Span{Offset: at}, part{new: &fragment{b: append(bytes.Clone(name), 0)}}, part{new: b})
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
		for i, m := range e.Block.SchemaOf(&parent.Value).Members {
			if m.Name == string(name) {
				index = int64(i)
			}
		}
		if found := e.Block.MemberName(&parent.Value, index); string(found) != string(name) {
			return fmt.Errorf("the schema of %s has no member %s", e.Block.AppendCtor(nil, &parent.Value), literal.Shown(string(name)))
		}
	} else if c.Key != "" {
		return err
	}
	n, err := e.Reader.Child(parent, index)
	if err != nil {
		return errors.New("the schema fixes the members; no others can be added")
	}
	if n.Type != datatype.Skipped {
		return fmt.Errorf("%s is already there; the schema has no other members", e.Reader.Path(n))
	}
	l, err := e.content(c)
	if err != nil {
		return err
	}
	return e.store(n, l)
}

// Types implements edit.Editor: the datatypes of the format, unless a schema gives one.
func (f Editing) Types(r *tree.Reader, n *tree.Node) []string {
	if !retypable(f.Reading, n) {
		return nil
	}
	var types []string
	for t := datatype.U8; t <= datatype.Undefined; t++ {
		if name := datatype.Name(t); t != datatype.Any && (t <= datatype.Text || t > datatype.Any) && (t != n.Type || n.Refers) {
			types = append(types, name)
		}
	}
	return types
}

// retypable reports whether n can get another datatype.
func retypable(f *block.Reading, n *tree.Node) bool {
	if n.Slot.Key || n.Parent == nil || n.Type == datatype.Skipped || n.Damage != nil && n.Layout == tree.Leaf {
		return false
	}
	at := placeOf(f, n.Parent, n.Slot.Index)
	return at.isTagged() || !at.schema
}

// Retyped implements edit.Editor.
func (f Editing) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	to := datatype.ByName(name)
	switch {
	case to == 0 || to == datatype.Any || to&datatype.CtorElement != 0:
		return "", fmt.Errorf("%s is not a datatype", literal.Shown(name))
	case !retypable(f.Reading, n):
		return "", errors.New("the datatype of this value cannot change")
	}
	e := New(ctx, f.Reading, r, edit.Options{})
	n, err := e.whole(n)
	if err != nil {
		return "", err
	}
	switch to {
	case datatype.Array:
		return "[]", nil
	case datatype.Struct:
		return "{}", nil
	case datatype.Undefined:
		return "undefined", nil
	}
	var text []byte
	if datatype.IsText(n.Type) {
		text = textAt(e.Window, n.Body, n.Tail-1)
	} else if datatype.Width(n.Type) > 0 {
		text = datatype.NumberAt(e.Window, n.Type, n.Body).Append(nil)
	}
	return scalarLiteral(to, string(text)), e.Window.Err()
}

// scalarLiteral returns the literal of type to that equals text, or comes nearest to it.
func scalarLiteral(to datatype.ID, text string) string {
	if datatype.IsText(to) {
		return datatype.Name(to) + "(" + string(tree.AppendQuoted(nil, []byte(text))) + ")"
	}
	x, ok := literal.ParseNumeral(strings.TrimSpace(text))
	switch {
	case text == "true":
		x = literal.Numeral{Whole: true, Magnitude: 1}
	case !ok:
		x = literal.Numeral{Whole: true}
	}
	if to == datatype.Bool {
		if x.Value() != 0 {
			return "true"
		}
		return "false"
	}
	return datatype.Name(to) + "(" + string(nearest(x, to).Append(nil)) + ")"
}

// nearest returns the number of a type that is nearest to another number.
func nearest(x literal.Numeral, to datatype.ID) datatype.Number {
	bits, message := x.As(to)
	if message == "" {
		return datatype.Number{Of: to, Bits: bits}
	}
	f := x.Value()
	low, high := bounds(to)
	switch {
	case math.IsNaN(f):
		x = literal.Numeral{Whole: true}
	case f <= low.Value():
		x = low
	case f >= high.Value():
		x = high
	default:
		f = math.RoundToEven(f)
		x = literal.Numeral{Whole: true, Negative: f < 0, Magnitude: uint64(math.Abs(f))}
	}
	bits, _ = x.As(to)
	return datatype.Number{Of: to, Bits: bits}
}

// bounds returns the least and the greatest number of a type.
func bounds(t datatype.ID) (low, high literal.Numeral) {
	switch n := uint(8 * datatype.Width(t)); t {
	case datatype.F16:
		return literal.Numeral{Float: -65504}, literal.Numeral{Float: 65504}
	case datatype.F32:
		return literal.Numeral{Float: -math.MaxFloat32}, literal.Numeral{Float: math.MaxFloat32}
	case datatype.S8, datatype.S16, datatype.S32:
		return literal.Numeral{Whole: true, Negative: true, Magnitude: 1 << (n - 1)}, literal.Numeral{Whole: true, Magnitude: 1<<(n-1) - 1}
	default:
		return literal.Numeral{Whole: true}, literal.Numeral{Whole: true, Magnitude: math.MaxUint64 >> (64 - n)}
	}
}
