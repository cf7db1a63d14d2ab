package variantedit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// merge changes n to a literal, and keeps the parts of n that do not change.
func (e *Editing) merge(n *tree.Node, l *literal.Literal) error {
	if !e.canMerge(&n.Value, l) {
		n, err := e.Reader.Finish(n)
		if err != nil {
			return err
		}
		return e.replace(&n.Value, l)
	}
	if n.Layout < tree.Sequence {
		return e.mergeAtom(&n.Value, l)
	}
	return e.mergeChildren(n, l)
}

// canMerge reports whether v can be changed to a literal part by part.
func (e *Editing) canMerge(v *tree.Value, l *literal.Literal) bool {
	if v.Damage != nil && v.Layout == tree.Leaf {
		return l.Kind == literal.Damage
	}
	if !e.sameType(v, l) {
		return false
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeObject:
		byID := v.Flags&types.WideFlag != 0 && !e.Format.Dialect.NoFlags
		return byID == l.ByID && (v.Layout == tree.Pairs) == l.Whole
	case types.ShapePath:
		return v.Layout != tree.Leaf && !e.Format.PathProp
	case types.ShapeReference:
		return false
	}
	return true
}

// replace replaces v, whose end is known, by a literal. Meaningless flags stay if the type does.
func (e *Editing) replace(v *tree.Value, l *literal.Literal) error {
	b, err := e.encode(l)
	if err != nil {
		return err
	}
	shape := types.Of(v.Type).Shape
	if v.Type == l.Kind && v.Tail >= v.Head+4 && (shape == types.ShapeObject || shape == types.ShapePath) && !e.Format.Dialect.Resource {
		header := e.Window.U32(v.Head)
		b[1], b[3] = byte(header>>8), byte(header>>24)
		b[2] = b[2]&types.WideFlag | byte(header>>16)&^types.WideFlag
		if shape == types.ShapePath && v.Layout != tree.Leaf {
			binary.LittleEndian.PutUint32(b[12:], binary.LittleEndian.Uint32(b[12:])|e.Format.PathFlags(e.Window, v)&^3)
		}
	}
	e.Put(v.Head, v.Tail-v.Head, b)
	return nil
}

// mergeReference changes what differs in a value that refers to something by a number.
func (e *Editing) mergeReference(v *tree.Value, l *literal.Literal) error {
	at, d := v.Head+4, e.Format.Dialect
	switch shape := types.Of(v.Type).Shape; {
	case shape == types.ShapeRID && d.Resource:
		return e.replace(v, l)
	case shape == types.ShapeRID && d.RIDHasID, shape == types.ShapeObject && l.ByID:
		e.mergeID(at, l.ID)
	case shape == types.ShapeSignal && !d.Resource:
		name := *v
		name.Tail -= 8
		if err := e.mergeText(&name, at, l.Text); err != nil {
			return err
		}
		e.mergeID(v.Tail-8, l.ID)
	}
	return nil
}

// mergeAtom changes what differs in a value without children.
func (e *Editing) mergeAtom(v *tree.Value, l *literal.Literal) error {
	if v.Damage != nil && v.Layout == tree.Leaf { // so is the literal, see canMerge
		if v.Damage.Code != string(l.Text) {
			return l.Errorf("the damage here is of another kind: <%s>", v.Damage.Code)
		}
		return nil
	}
	at := v.Head + 4
	switch types.Of(v.Type).Shape {
	case types.ShapeBool:
		if e.Window.U32(at) != 0 != (l.ID != 0) {
			e.PutU32(at, uint32(l.ID))
		}
	case types.ShapeNumber:
		return e.mergeScalar(v, l)
	case types.ShapeText:
		return e.mergeText(v, at, l.Text)
	case types.ShapeFixed:
		return e.mergeNumbers(v.Body, types.ID(v.Sub), v.Count, l)
	case types.ShapeRID, types.ShapeObject, types.ShapeSignal:
		return e.mergeReference(v, l)
	case types.ShapeBytes, types.ShapePacked:
		return e.mergePacked(v, l)
	}
	return nil
}

func (e *Editing) mergeID(at int64, id uint64) {
	if e.Window.U64(at) != id {
		e.Put(at, 8, e.Format.AppendBinary(nil, types.Int64, id))
	}
}

// mergeScalar changes an int or float. A number stored in 64 bits keeps that width.
func (e *Editing) mergeScalar(v *tree.Value, l *literal.Literal) error {
	b, err := e.encode(l)
	if err != nil {
		return err
	}
	at, wide := v.Head+4, v.Tail-v.Head > 8
	if v.Type == types.Int {
		n, _ := e.Int(l)
		if was := int64(int32(e.Window.U32(at))); !wide && was == n || wide && int64(e.Window.U64(at)) == n {
			return nil
		}
		if wide {
			b = append(b[:4], e.Format.AppendBinary(nil, types.Int64, uint64(n))...)
		}
	} else {
		x, _ := e.Float(l, 64)
		if e.Format.Dialect.NoFlags {
			x, _ = e.Float(l, 32)
		}
		if numeric.SameFloat(variant.Float(e.Window, v), x) {
			return nil
		}
		if wide {
			b = append(b[:4], e.Format.AppendBinary(nil, types.Float64, math.Float64bits(x))...)
		}
	}
	switch {
	case len(b) != 12 || wide:
	case e.Format.Dialect.Resource:
		e.Put(v.Head, 4, b[:4])
	default:
		e.Put(v.Head+2, 2, []byte{byte(v.Flags) | types.WideFlag, byte(v.Flags >> 8)})
	}
	e.Put(at, v.Tail-at, b[4:])
	return nil
}

// mergeText changes the string at off, which ends v.
func (e *Editing) mergeText(v *tree.Value, off int64, text []byte) error {
	if v.Damage != nil {
		e.Out = nil
		e.Entry(text, v.Type == types.Entry || e.Format.Dialect.Resource)
		e.Put(off, v.Tail-off, e.Out)
		return nil
	}
	n := e.Format.TextLength(e.Window, v, off)
	if n == int64(len(text)) && e.SameBytesAt(off+4, text) {
		return nil
	}
	if int64(len(text)) > math.MaxInt32-8 {
		return errors.New("a string may have at most 2 GiB")
	}
	// Engines also read an entry of a packed string array without its NUL.
	nul := e.Format.Dialect.Resource || v.Type == types.Entry && (n < int64(e.Window.U32(off)) || bytes.HasSuffix(text, []byte{0}))
	e.Out = nil
	e.Entry(text, nul)
	if is := e.Out[:4]; !e.SameBytesAt(off, is) {
		e.Put(off, 4, is)
	}
	e.Put(off+4, v.Tail-off-4, e.Out[4:])
	return nil
}

// mergeNumbers changes those of the n numbers at off that differ.
func (e *Editing) mergeNumbers(off int64, comp types.ID, n int64, l *literal.Literal) error {
	var run []byte // changed numbers directly before number i
	size := types.Width(comp)
	for i := range n {
		bits, err := e.Component(l, int(i), comp)
		if err != nil {
			return err
		}
		at := off + i*size
		was := numeric.BitsAt(e.Window, comp, at)
		if numeric.SameNumber(comp, was, bits) {
			e.Put(at-int64(len(run)), int64(len(run)), run)
			run = nil
			continue
		}
		run = e.Format.AppendBinary(run, comp, bits)
	}
	e.Put(off+n*size-int64(len(run)), int64(len(run)), run)
	return nil
}

// mergePacked changes a packed array of numbers or vectors, and the padding of a
// byte array whose length changes.
func (e *Editing) mergePacked(v *tree.Value, l *literal.Literal) error {
	comp, each := types.ID(v.Sub), int64(types.Of(v.Type).Each())
	is := int64(e.Count(l)) / each
	both := min(v.Count, is)
	if err := e.mergeNumbers(v.Body, comp, both*each, l); err != nil {
		return err
	}
	e.Out = nil
	rest := literal.Literal{Parts: &literal.Parts{Children: l.Children[both*each:]}}
	if err := e.Components(&rest, comp); err != nil {
		return err
	}
	return e.putElements(v, both, v.Count-both, e.Out)
}
