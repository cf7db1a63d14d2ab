package units

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/network/variants"
)

// errNoValue says which parts of a message can be edited.
var errNoValue = errors.New("only the Variants of a message can be edited: its arguments and what is in them")

// A place is a Variant of a message, in a tree of that Variant alone.
type place struct {
	format *godot.Format
	reader *tree.Reader
	node   *tree.Node // in that tree
}

// place finds the Variant that a node is or belongs to.
func (r *Messages) place(t *tree.Reader, n *tree.Node) (*place, error) {
	if !isVariant(&n.Value) {
		return nil, errNoValue
	}
	whole := n
	for isVariant(&whole.Parent.Value) {
		whole = whole.Parent
	}
	steps := format.StepsTo(n, whole)
	whole, err := t.Finish(whole)
	if err != nil {
		return nil, err
	}
	f, _ := r.godotOf(&whole.Value)
	p := &place{format: f, reader: t.Of(tree.New(t.Tree.Source, f, span.Between(whole.Start, whole.End)))}
	if p.node, err = p.reader.Child(p.reader.Tree.Base, 0); err == nil {
		p.node, err = (&format.Piece{Steps: steps}).Descend(p.reader, p.node)
	}
	return p, err
}

// errLength refuses what would make a message longer or shorter.
var errLength = errors.New("this message's length is fixed by its packet: the new value needs as many bytes as the old one")

// fitting returns splices that leave the length of the message as it is.
func fitting(splices []source.Splice, err error) ([]source.Splice, error) {
	by := int64(0)
	for _, s := range splices {
		by += s.Added() - s.Length
	}
	if err == nil && by != 0 {
		err = errLength
	}
	return splices, err
}

// CanSet implements edit.Partial.
func (r *Messages) CanSet(t *tree.Reader, n *tree.Node) bool {
	if isVariant(&n.Value) {
		return true
	}
	if kindOf(&n.Value) != fieldType || n.Damage != nil {
		return false
	}
	u := r.unit(t.Window(), &n.Value)
	defer r.put(u)
	of := u.node(&n.Value)
	return of != nil && of.isShort()
}

// Set implements edit.Editor.
func (r *Messages) Set(ctx context.Context, t *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	c, err := r.plain(ctx, c)
	if err != nil {
		return nil, err
	}
	if !isVariant(&n.Value) && r.CanSet(t, n) {
		u := r.unit(t.Window(), &n.Value)
		defer r.put(u)
		return setShort(u, u.node(&n.Value), n, c.Literal)
	}
	p, err := r.place(t, n)
	if err != nil {
		return nil, err
	}
	return fitting(p.format.Set(ctx, p.reader, p.node, c, o))
}

// SetBytes implements edit.ByteEditor.
func (r *Messages) SetBytes(ctx context.Context, t *tree.Reader, n *tree.Node, b []byte) ([]source.Splice, error) {
	if r.isData(t.Window(), &n.Value) {
		if int64(len(b)) != n.End-n.Start {
			return nil, errLength
		}
		return changed(n, t.Window().View(n.Start, n.End-n.Start), b), nil
	}
	p, err := r.place(t, n)
	if err != nil {
		return nil, err
	}
	return fitting(p.format.SetBytes(ctx, p.reader, p.node, b))
}

// plain returns content as a literal: a copied value belongs to this buffer, which the format of the
// Variants does not know.
func (r *Messages) plain(ctx context.Context, c edit.Content) (edit.Content, error) {
	if c.Copy == nil {
		return c, nil
	}
	var text strings.Builder
	err := c.From.WriteText(ctx, &text, &c.Copy.Value)
	key := c.Key
	if k := c.From.Key(c.Copy); k != nil && key == "" {
		key = string(c.From.AppendLiteral(nil, &k.Value, math.MaxInt))
	}
	return edit.Content{Key: key, Literal: text.String()}, err
}

// setShort changes a value in a short form.
func setShort(u *unit, of *node, n *tree.Node, literal string) ([]source.Splice, error) {
	b := u.bytesOf(of)
	literal = strings.TrimSpace(literal)
	switch of.Form {
	case variants.Bool:
		x, err := strconv.ParseBool(literal)
		if err != nil || literal != "true" && literal != "false" {
			return nil, &edit.SyntaxError{Message: "true or false is expected"}
		}
		first := b[0] &^ 0x80
		if x {
			first |= 0x80
		}
		return changed(n, b, []byte{first}), nil
	case variants.Int:
		x, err := strconv.ParseInt(literal, 0, 64)
		if err != nil {
			return nil, &edit.SyntaxError{Message: "a whole number of 64 bits is expected"}
		}
		width := len(b) - 1
		if unused := 64 - 8*width; x<<unused>>unused != x {
			return nil, errLength
		}
		return changed(n, b, append([]byte{b[0]}, binary.LittleEndian.AppendUint64(nil, uint64(x))[:width]...)), nil
	}
	return nil, errors.New("it is sent without its type: it can be changed only as bytes")
}

// changed returns the splice that replaces a value by other bytes; nil if they are the same.
func changed(n *tree.Node, was, is []byte) []source.Splice {
	if string(was) == string(is) {
		return nil
	}
	return []source.Splice{source.Put(n.Start, n.End-n.Start, is)}
}

// Insert implements edit.Editor: it would make a message longer.
func (r *Messages) Insert(context.Context, *tree.Reader, *tree.Node, int64, edit.Content, edit.Options) ([]source.Splice, error) {
	return nil, errLength
}

// Delete implements edit.Editor: it would make a message shorter.
func (r *Messages) Delete(context.Context, *tree.Reader, *tree.Node, edit.Options) ([]source.Splice, error) {
	return nil, errLength
}

// Move implements edit.Editor.
func (r *Messages) Move(ctx context.Context, t *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	if !isVariant(&n.Parent.Value) {
		return nil, errNoValue
	}
	p, err := r.place(t, n)
	if err != nil {
		return nil, err
	}
	return fitting(p.format.Move(ctx, p.reader, p.node, to, o))
}

// Types implements edit.Editor.
func (r *Messages) Types(t *tree.Reader, n *tree.Node) []string {
	if p, err := r.place(t, n); err == nil {
		return p.format.Types(p.reader, p.node)
	}
	return nil
}

// Retyped implements edit.Editor.
func (r *Messages) Retyped(ctx context.Context, t *tree.Reader, n *tree.Node, name string) (literal string, err error) {
	p, err := r.place(t, n)
	if err != nil {
		return "", err
	}
	return p.format.Retyped(ctx, p.reader, p.node, name)
}
