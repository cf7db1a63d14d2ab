package blockedit

import (
	"bytes"
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
func (e *Editor) content(c edit.Content) (l *literal.Literal) {
	var err error
	if c.Copy != nil {
		l, err = e.copyOf(c.From, c.Copy)
	} else {
		l, err = literal.Parse(c.Literal)
	}
	if e.Keep(err) {
		e.prepare(l)
	}
	return l
}

// An Editing implements edit.Editor for a reading.
type Editing struct{ *block.Reading }

// Set implements edit.Editor.
func (f Editing) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	switch {
	case n.Slot.Key:
		e.rename(n, c)
	case n.Parent == nil:
		return nil, errors.New("this is the block itself; its value can be edited")
	case e.readable(n):
		if l := e.content(c); e.Err == nil {
			e.set(n, l)
		}
	}
	return e.Done()
}

func (e *Editor) set(n *tree.Node, l *literal.Literal) {
	switch at := placeOf(e.Block, n.Parent, n.Slot.Index); {
	case l.Shape == literal.Default && at.schema:
		e.Skip(n)
	case l.Shape == literal.Default:
		e.Keep(e.refuse(l, "only a member in a schema can have its default"))
	case n.Type == datatype.Skipped:
		e.store(n, l)
	default:
		e.setStored(n, l, at)
	}
}

// setStored changes a value that is not left out.
func (e *Editor) setStored(n *tree.Node, l *literal.Literal, at place) {
	p := &present{Node: n, w: e.Window}
	if !l.IsAtom() && !n.Refers {
		p = e.load(n)
	} else {
		p.Node = e.whole(n)
	}
	if e.Err != nil || (p.Refers || l.IsAtom()) && e.equals(p, l) {
		return
	}
	switch e.Keep(e.check(n, at, l)); {
	case e.Err != nil:
	case at.isTagged() || at.schema || e.fits(l, at.of) == "":
		e.merge(p, l, at)
	default:
		e.setElement(n, l)
	}
}

// load reads a value with everything in it.
func (e *Editor) load(n *tree.Node) *present {
	p, err := load(e.Block, e.Reader, n)
	e.Keep(err)
	return p
}

// setElement changes an element to a literal that is not of the common type of its array.
func (e *Editor) setElement(n *tree.Node, l *literal.Literal) {
	switch p := e.load(e.whole(n.Parent)); {
	case e.Err != nil:
	case len(p.kids) == 1:
		e.mergeArray(p, &literal.Literal{Shape: literal.Array, Items: []*literal.Literal{l}})
	default:
		slots := e.tagged(p)
		slots[n.Slot.Index] = slot{is: l, of: datatype.Any}
		e.refill(p, datatype.Any, slots)
	}
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
func (e *Editor) rename(n *tree.Node, c edit.Content) {
	if c.Copy != nil {
		e.Keep(errors.New("a name must be given as a literal"))
	}
	if !e.readable(n) || n.Damage != nil {
		return
	}
	name, err := literal.ParseName(c.Literal)
	if e.Keep(err) && !bytes.Equal(name, NameOf(e.Window, &n.Value)) {
		e.takeName(n.Parent, name, n.Slot.Index)
		e.PutBytes(&n.Parent.Value, n.Start, n.Tail-1-n.Start, name...)
	}
}

// takeName ends the edit if a struct already has a member with a name that its member by is to get.
func (e *Editor) takeName(parent *tree.Node, name []byte, by int64) {
	free, err := e.Together.TakeKey(parent, string(name), by, func(use func(string, int64)) error {
		return edit.EachChild(e.Ctx, e.Reader, parent, func(c *tree.Node) error {
			use(string(NameOf(e.Window, &e.Reader.Key(c).Value)), c.Slot.Index)
			return nil
		})
	})
	if e.Keep(err) && !free {
		e.Keep(fmt.Errorf("the struct already has a member %s; %w", literal.Shown(string(name)), edit.ErrTaken))
	}
}

// named returns n with a known end or, if n is a name, the value that it names. That value must be
// readable.
func (e *Editor) named(n *tree.Node) *tree.Node {
	if n.Slot.Key {
		value, err := e.Reader.Child(n.Parent, n.Slot.Index)
		if !e.Keep(err) {
			return n
		}
		n = value
	}
	n = e.whole(n)
	e.readable(n)
	return n
}

// Delete implements edit.Editor.
func (f Editing) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	e.delete(n)
	return e.Done()
}

func (e *Editor) delete(n *tree.Node) {
	if n.Parent == nil || n.Parent.Type == datatype.File {
		e.Keep(errors.New("a block holds one value, which cannot be deleted; it can be set to another"))
		return
	}
	n = e.named(n)
	switch v := &n.Parent.Value; {
	case e.Err != nil:
	case v.Type != datatype.Struct || v.Layout != tree.Sequence:
		e.NeedFor(&n.Value)
		e.Remove(v, Entry(n))
		if e.Together == nil && e.Counted(v) == 1 && v.Type == datatype.Array { // an empty array has no type
			e.Remove(v, span.Between(v.Body-1, v.Body))
		}
		e.recount(v, -1)
	case n.Type == datatype.Skipped:
		e.Keep(errors.New("this member is already left out"))
	default:
		e.BeAlone()
		e.Skip(n)
	}
}

// Move implements edit.Editor.
func (f Editing) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	switch e.BeAlone(); {
	case e.Err != nil:
	case n.Parent == nil || n.Parent.Type == datatype.File:
		return nil, errors.New("a block holds one value, which cannot be moved")
	case n.Parent.Type == datatype.Struct && n.Parent.Layout == tree.Sequence:
		return nil, errors.New("the members of a schema are ordered by name")
	default:
		e.move(n, to)
	}
	return e.Done()
}

func (e *Editor) move(n *tree.Node, to int64) {
	if n = e.named(n); e.Err != nil {
		return
	}
	other, err := edit.ChildAt(e.Reader, n.Parent, to)
	if !e.Keep(err) || to == n.Slot.Index {
		return
	}
	other = e.whole(other)
	if n.Refers { // it may come before its target
		e.need()
	} else {
		e.NeedFor(&n.Value)
	}
	at := Entry(other).Offset
	if to > n.Slot.Index {
		at = other.End
	}
	v := &n.Parent.Value
	e.Put(v, span.Span{Offset: at}, part{old: Entry(n)})
	e.Put(v, Entry(n))
}

// Insert puts a value into parent; see edit.Editor. In a struct with a schema it stores a
// member that was left out: the one that Content.Key names or, without a key, the one at
// the index.
func (f Editing) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f.Reading, r, o)
	parent = e.whole(parent)
	switch {
	case !e.readable(parent):
	case parent.Refers:
		e.Keep(errors.New("this is a reference; edit its target instead"))
	case parent.Type == datatype.Array:
		e.insertElement(parent, index, c)
	case parent.Type == datatype.Struct && parent.Layout == tree.Pairs:
		e.insertMember(parent, index, c)
	case parent.Type == datatype.Struct:
		if e.BeAlone(); e.Err == nil {
			e.storeMember(parent, index, c)
		}
	case parent.Type == datatype.File:
		e.Keep(errors.New("a block holds one value; it can be set to another"))
	default:
		e.Keep(fmt.Errorf("%s holds no values", f.TypeName(&parent.Value)))
	}
	return e.Done()
}

// offsetOf returns the offset of a new child: at its index, or after the last child.
func (e *Editor) offsetOf(parent *tree.Node, index int64) int64 {
	if index == e.Reader.Count(parent) || index == e.Counted(&parent.Value) {
		return parent.Tail
	}
	n, err := e.Reader.Child(parent, index)
	if errors.Is(err, tree.ErrNoChild) {
		err = fmt.Errorf("%s has no index %d", e.Reader.Path(parent), index)
	}
	if !e.Keep(err) {
		return 0
	}
	return Entry(n).Offset
}

func (e *Editor) insertElement(array *tree.Node, index int64, c edit.Content) {
	if c.Key != "" && c.Copy == nil {
		e.Keep(errors.New("the elements of an array have numbers, not names"))
		return
	}
	at, l := e.offsetOf(array, index), e.content(c)
	switch of := datatype.ID(array.Sub); {
	case e.Err != nil:
	case of == 0:
		if e.BeAlone(); e.Err == nil {
			e.mergeArray(&present{Node: array}, &literal.Literal{Shape: literal.Array, Items: []*literal.Literal{l}})
		}
	case e.fits(l, of) != "" || l.Shape == literal.Number && l.Num.Loses(of):
		p := e.load(array)
		if e.BeAlone(); e.Err == nil {
			slots := e.tagged(p)
			e.refill(p, datatype.Any, slices.Insert(slots, min(int(index), len(slots)), slot{is: l, of: datatype.Any}))
		}
	default:
		e.Put(&array.Value, span.Span{Offset: at}, part{new: e.encode(l, of)})
		note(&e.filled, array.Body, true)
		e.recount(&array.Value, 1)
	}
}

func (e *Editor) insertMember(parent *tree.Node, index int64, c edit.Content) {
	at := e.offsetOf(parent, index)
	name, err := e.nameFor(c)
	if e.Keep(err) {
		e.takeName(parent, name, tree.Unknown)
	}
	if l := e.content(c); e.Err == nil {
		e.Put(&parent.Value, span.Span{Offset: at}, part{new: &fragment{b: append(bytes.Clone(name), 0)}}, part{new: e.encode(l, datatype.Any)})
		e.recount(&parent.Value, 1)
	}
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

func (e *Editor) storeMember(parent *tree.Node, index int64, c edit.Content) {
	if name, err := e.nameFor(c); err == nil {
		for i, m := range e.Block.SchemaOf(&parent.Value).Members {
			if m.Name == string(name) {
				index = int64(i)
			}
		}
		if found := e.Block.MemberName(&parent.Value, index); string(found) != string(name) {
			e.Keep(fmt.Errorf("the schema of %s has no member %s", e.Block.AppendCtor(nil, &parent.Value), literal.Shown(string(name))))
		}
	} else if c.Key != "" {
		e.Keep(err)
	}
	n, err := e.Reader.Child(parent, index)
	switch {
	case err != nil:
		e.Keep(errors.New("the schema fixes the members; no others can be added"))
	case n.Type != datatype.Skipped:
		e.Keep(fmt.Errorf("%s is already there; the schema has no other members", e.Reader.Path(n)))
	}
	if l := e.content(c); e.Err == nil {
		e.store(n, l)
	}
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
	if n = e.whole(n); e.Err != nil {
		return "", e.Err
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
