package variantedit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// Insert implements edit.Editor. An entry or a property needs a key that is not in use. A part of a
// NodePath becomes a name before the first subname and a subname after it; between the names and the
// subnames Content.Key may be "names" or "subnames", and without it the part becomes a name unless the path
// has only subnames.
func (f Editor) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	switch shape := types.Of(parent.Type).Shape; {
	case parent.Type == types.Raw:
		e.Keep(edit.ErrSingle)
	case parent.Damage != nil && parent.Layout == tree.Leaf:
		e.Keep(errors.New("nothing can be inserted into a damaged value"))
	case c.Key != "" && c.Copy == nil && isNumbered(parent):
		e.Keep(edit.ErrNumbered)
	case shape == types.ShapePacked || shape == types.ShapeBytes:
		e.insertElement(parent, index, c)
	default:
		e.insert(parent, index, c)
	}
	return e.Done(parent)
}

// insert inserts a child, and adds it to the count.
func (e *Editing) insert(parent *tree.Node, index int64, c edit.Content) {
	b := e.newChild(parent, index, c)
	at := e.OffsetOf(parent, index)
	if e.Err != nil {
		return
	}
	e.InsertAt(parent, at, b)
	switch {
	case parent.Type == types.Stream:
	case types.Of(parent.Type).Shape == types.ShapePath:
		e.countPart(parent, index, c)
	default:
		e.Recount(&parent.Value, 1)
	}
}

const wantsText = "a text in quotes is expected"

// newChild returns the bytes of content as a child of a value: with its key, or in a stream with its length.
func (e *Editing) newChild(parent *tree.Node, index int64, c edit.Content) *source.Pieces {
	switch shape := types.Of(parent.Type).Shape; {
	case parent.Type == types.Stream:
		b := e.content(&parent.Value, tree.Slot{Index: index}, c)
		return source.Concat(source.Memory(e.framed(b.Size())), b)
	case shape == types.ShapeArray || shape == types.ShapeTyped:
		return e.content(&parent.Value, tree.Slot{Index: index}, c)
	case shape == types.ShapeDict, shape == types.ShapeObject && parent.Layout == tree.Pairs:
		return e.newPair(parent, index, c)
	case shape == types.ShapeStrings, shape == types.ShapePath && parent.Layout != tree.Leaf:
		text := e.text(c, wantsText)
		if e.Out = nil; shape == types.ShapePath {
			e.PutPart(text)
		} else {
			e.Entry(text, true) // with a NUL, as engines write it
		}
		return source.Memory(e.Out)
	}
	e.Keep(fmt.Errorf("nothing can be inserted into %s", e.Format.AppendType(nil, e.Window, &parent.Value)))
	return source.Memory(nil)
}

// isNumbered reports whether new children of a value have no keys.
func isNumbered(parent *tree.Node) bool {
	switch types.Of(parent.Type).Shape {
	case types.ShapeArray, types.ShapeTyped, types.ShapeStrings, types.ShapePacked, types.ShapeBytes:
		return true
	}
	return parent.Type == types.Stream
}

// OffsetOf implements edit.Mover.
func (e *Editing) OffsetOf(parent *tree.Node, index int64) int64 {
	if parent.Layout == tree.Fixed && index <= parent.Count { // the padding of bytes comes after the last one
		return parent.Body + index*int64(parent.Stride)
	}
	return e.Offset(parent, index, e.Absorbs)
}

// Absorbs implements edit.Mover: n is damaged, or is a frame whose length is too large.
func (e *Editing) Absorbs(n *tree.Node) bool {
	if n.Fenced {
		return e.frameOverruns(n)
	}
	return e.IsDamaged(n)
}

// InsertAt implements edit.Mover. It adds padding that the value before the bytes lacks.
func (e *Editing) InsertAt(parent *tree.Node, at int64, bytes *source.Pieces) {
	if e.isPadded(parent) && e.Format.Dialect.Pad(bytes.Size()) > 0 { // the last value of the buffer lacks its padding
		e.BeAlone()
	}
	if missing := e.Format.Dialect.Pad(at - parent.Head); missing > 0 && !e.isFrames(&parent.Value) {
		e.BeAlone()
		bytes = source.Concat(source.Memory(make([]byte, missing)), bytes)
	}
	e.Replace(at, at, bytes)
}

// newPair returns the bytes of an entry of a Dictionary, or of a property.
func (e *Editing) newPair(parent *tree.Node, index int64, c edit.Content) *source.Pieces {
	key, id := e.keyBytes(parent, c)
	if e.Err != nil {
		return key
	}
	e.takeKey(parent, tree.Unknown, id)
	return source.Concat(key, e.content(&parent.Value, tree.Slot{Index: index}, c))
}

// keyBytes returns the key of content for parent, as bytes and as an identity (see keyOf).
func (e *Editing) keyBytes(parent *tree.Node, c edit.Content) (key *source.Pieces, id string) {
	if c = c.KeyContent(); c.Literal == "" && c.Copy == nil {
		e.Keep(fmt.Errorf("an entry of %s needs a key", e.Format.TypeName(&parent.Value)))
		return source.Memory(nil), ""
	}
	l := e.literal(c)
	isName := parent.Type == types.Object || parent.Type == types.Properties
	if isName && l.Kind != types.String {
		e.Keep(l.Errorf("the name of a property must be a text in quotes"))
	}
	if e.Err != nil {
		return source.Memory(nil), ""
	}
	id = encode.KeyName(e.Format, e.Text, &l, false)
	if isName {
		e.Out = nil
		e.PutPart(l.Text)
		return source.Memory(e.Out), id
	}
	if c.Copy != nil && !isWhole(c.Copy) { // the name of a property
		c = edit.Content{Literal: e.Text}
	}
	return e.content(&parent.Value, tree.Slot{Key: true}, c), id
}

// countPart adds an inserted part to the names or the subnames of a NodePath.
func (e *Editing) countPart(parent *tree.Node, index int64, c edit.Content) {
	names := int64(parent.Sub)
	sub := index > names
	if index == names {
		switch {
		case c.Key == "subnames":
			sub = true
		case c.Key == "names":
		case c.Key == "" && c.Copy != nil && c.Copy.Type == types.Part:
			sub = c.Copy.Slot.Index >= int64(c.Copy.Parent.Sub)
		case c.Key == "":
			sub = names == 0 && parent.Count > 0
		default:
			e.Keep(errors.New(`a part of a NodePath must be one of its "names" or "subnames"`))
		}
	}
	e.recountPart(&parent.Value, sub, 1)
}

// recountPart adds to the number of names or subnames of a NodePath.
func (e *Editing) recountPart(v *tree.Value, sub bool, by int64) {
	e.BeAlone() // there are two counts
	flags := e.Format.PathFlags(e.Window, v)
	if sub {
		e.RecountPath(v, 0, by, flags)
	} else {
		e.RecountPath(v, by, 0, flags)
	}
}

// RecountPath adds to the counts of a NodePath and sets its flags. The obsolete flag
// adds one to the count of subnames; it is cleared with the last subname.
func (e *Editing) RecountPath(v *tree.Value, names, subnames int64, flags uint32) {
	names += int64(v.Sub)
	if e.Format.Dialect.Resource {
		subnames += v.Count - int64(v.Sub)
		if e.Format.PathProp || max(names, subnames) > math.MaxInt16 {
			e.Keep(errors.New("this NodePath can be changed only as a whole"))
			return
		}
		e.Put(v.Head+4, 4, e.Format.AppendPathCounts(nil, int(names), int(subnames), flags))
		return
	}
	subnames += int64(e.Window.U32(v.Head + 8))
	if max(names, subnames) > math.MaxInt32 {
		e.Keep(errors.New("a NodePath may have at most " + span.Counted(math.MaxInt32, "name")))
	}
	if subnames < 0 {
		subnames, flags = 0, flags&^2
	}
	e.PutU32(v.Head+4, uint32(names)|types.SharedBit)
	e.PutU32(v.Head+8, uint32(subnames))
	e.PutU32(v.Head+12, flags)
}

// insertElement inserts a number or vector into a packed array.
func (e *Editing) insertElement(parent *tree.Node, index int64, c edit.Content) {
	v := &parent.Value
	if index < 0 || index > v.Count {
		e.Keep(fmt.Errorf("index %d is out of range; the last is %d", index, v.Count))
		return
	}
	l := e.literal(c)
	e.putElements(v, index, 0, e.element(v, &l))
}

// putElements puts bytes in the place of elements of a packed array.
func (e *Editing) putElements(v *tree.Value, index, gone int64, b []byte) {
	stride := int64(v.Stride)
	by := int64(len(b))/stride - gone
	e.Put(v.Body+index*stride, gone*stride, b)
	if types.Of(v.Type).Shape == types.ShapeBytes && by != 0 {
		e.BeAlone() // the padding depends on all elements
		e.repad(v, v.Count+by)
	}
	e.Recount(v, by)
}

// element returns the bytes of a literal as an element of the packed array v.
func (e *Editing) element(v *tree.Value, l *literal.Literal) []byte {
	t, comp := types.Of(v.Type), types.ID(v.Sub)
	switch {
	case len(t.Parts) > 0 && types.Of(l.Kind).Name != t.Element():
		e.Keep(l.Errorf("%s is expected here", t.Element()))
		return nil
	case len(t.Parts) > 0:
		e.Out = nil
		e.Keep(e.Components(l, comp))
		return e.Out
	case l.Kind != types.Int && l.Kind != types.Float:
		e.Keep(l.Errorf("a number is expected here"))
		return nil
	}
	bits, err := e.Bits(l, comp)
	e.Keep(err)
	return e.Format.AppendBinary(nil, comp, bits)
}

var errNoPart = errors.New("a part of a value of fixed size cannot be deleted or moved")

// Delete implements edit.Editor. From a damaged value it removes the bytes that could be read; a frame is
// removed as a whole.
func (f Editor) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	n, at := e.Extent(n)
	if e.Err != nil {
		return nil, e.Err
	}
	parent := &n.Parent.Value
	switch shape := types.Of(parent.Type).Shape; shape {
	case types.ShapeBytes, types.ShapePacked:
		e.putElements(parent, n.Slot.Index, 1, nil)
	case types.ShapePath:
		e.Cut(at.Offset, at.End())
		e.recountPart(parent, n.Slot.Index >= int64(parent.Sub), -1)
	default:
		if e.Cut(at.Offset, at.End()); parent.Type != types.Stream {
			e.Recount(parent, -1)
		}
	}
	return e.Done(n)
}

// Extent implements edit.Mover. A key without a value is returned itself.
func (e *Editing) Extent(n *tree.Node) (*tree.Node, span.Span) {
	switch {
	case n.Parent == nil || n.Parent.Type == types.Raw:
		e.Keep(edit.ErrOnly)
		return n, span.Span{}
	case n.Parent.Type == types.Element || types.Of(n.Parent.Type).Shape == types.ShapeFixed:
		e.Keep(errNoPart)
		return n, span.Span{}
	}
	n, at := e.EntryOf(n)
	if n.Parent.Type == types.Stream {
		at = span.Between(n.Start, n.End)
	}
	return n, at
}

// Move implements edit.Editor. Names of a NodePath move among its names, subnames
// among its subnames.
func (f Editor) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	if in := n.Parent; in != nil && types.Of(in.Type).Shape == types.ShapePath {
		names := int64(in.Sub)
		if e.BeAlone(); n.Slot.Index < names != (to < names) && to < in.Count {
			e.Keep(errors.New("names and subnames of a NodePath cannot change places"))
		}
	}
	if e.Err == nil {
		e.MoveChild(e, n, to)
	}
	return e.Done(n)
}

// isPadded reports whether the children of a value are padded.
func (e *Editing) isPadded(parent *tree.Node) bool {
	return parent.Layout != tree.Fixed && !e.isFrames(&parent.Value)
}

// Swap implements edit.Mover.
func (e *Editing) Swap(parent *tree.Node, a, b, c int64) {
	if e.isPadded(parent) && e.Format.Dialect.Pad(c-b) > 0 { // padding is missing at the end of the buffer
		src := e.Reader.Tree.Source
		e.Replace(a, c, source.Concat(e.Padded(src, b, c), edit.Bytes(src, a, b)))
		return
	}
	e.Editing.Swap(parent, a, b, c)
}
