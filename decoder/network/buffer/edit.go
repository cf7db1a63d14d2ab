package buffer

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/network/variants"
)

var _ edit.Editor = (*reading)(nil)

// errNoValue says which parts of a message can be edited.
var errNoValue = errors.New("only the Variants of a message can be edited: its arguments and what is in them")

// A place is a Variant of a message, in a tree of that Variant alone.
type place struct {
	format *godot.Format
	reader *tree.Reader
	node   *tree.Node // in that tree
}

// place finds the Variant that a node is or belongs to.
func (r *reading) place(t *tree.Reader, n *tree.Node) (*place, error) {
	if !isVariant(&n.Value) {
		return nil, errNoValue
	}
	whole, steps := n, []tree.Slot{}
	for isVariant(&whole.Parent.Value) {
		steps = append(steps, whole.Slot)
		whole = whole.Parent
	}
	whole, err := t.Finish(whole)
	if err != nil {
		return nil, err
	}
	f, _ := r.godotOf(&whole.Value)
	p := &place{format: f, reader: t.Of(tree.New(t.Tree.Source, f, span.Between(whole.Start, whole.End)))}
	if p.node, err = p.reader.Child(p.reader.Tree.Base, 0); err != nil {
		return nil, err
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if p.node, err = p.reader.Child(p.node, steps[i].Index); err != nil {
			return nil, err
		}
		if steps[i].Key {
			p.node = p.reader.Key(p.node)
		}
	}
	return p, nil
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

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, t *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	c, err := r.plain(ctx, c)
	if err != nil {
		return nil, err
	}
	if n.Type == typeShort {
		return fitting(r.setShort(ctx, t, n, c, o))
	}
	p, err := r.place(t, n)
	if err != nil {
		return nil, err
	}
	return fitting(p.format.Set(ctx, p.reader, p.node, c, o))
}

// plain returns content as a literal: a copied value belongs to this buffer, which the format of the
// Variants does not know.
func (r *reading) plain(ctx context.Context, c edit.Content) (edit.Content, error) {
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

// setShort changes a value in a short form. An int gets more bytes if it needs them.
func (r *reading) setShort(ctx context.Context, t *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	p, done := r.parse(t.Window(), n.Foot)
	defer done()
	v := p.node(&n.Value).variant()
	b := p.message.Payload.Bytes[v.Offset:v.End()]
	literal := strings.TrimSpace(c.Literal)
	switch v.Form {
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
		return changed(n, b, variants.AppendInt(nil, x, len(b)-1)), nil
	}
	is, err := setUnmarked(ctx, p.message.Values.Format, b, c, o)
	return changed(n, b, is), err
}

// setUnmarked returns the bytes of a PackedByteArray that is sent without its type, after setting it with
// its type.
func setUnmarked(ctx context.Context, f *godot.Format, b []byte, c edit.Content, o edit.Options) ([]byte, error) {
	const head = 8 // type and length
	was := variants.Marked(b)
	whole := source.Memory(was)
	t := tree.New(whole, f, span.Between(0, whole.Size())).NewReader()
	n, err := t.Child(t.Tree.Base, 0)
	if err != nil {
		return nil, err
	}
	o.Together = nil // the bytes around it are not in the file
	splices, err := f.Set(ctx, t, n, c, o)
	if err != nil {
		return nil, err
	}
	source.Sort(splices)
	whole = whole.Splice(splices)
	is := make([]byte, whole.Size())
	if _, err := whole.ReadAt(is, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.HasPrefix(is, was[:head-4]) {
		return nil, errors.New("it is sent without its type and must remain a PackedByteArray")
	}
	size := binary.LittleEndian.Uint32(is[head-4:])
	if size == 0 {
		return nil, errors.New("an empty PackedByteArray cannot be sent without its type: the call would have no argument")
	}
	return is[head:][:size], nil
}

// changed returns the splice that replaces a value by other bytes; nil if they are the same.
func changed(n *tree.Node, was, is []byte) []source.Splice {
	if string(was) == string(is) {
		return nil
	}
	return []source.Splice{source.Put(n.Start, n.End-n.Start, is)}
}

// Insert implements edit.Editor.
func (r *reading) Insert(ctx context.Context, t *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	p, err := r.place(t, parent)
	if err != nil {
		return nil, err
	}
	if c, err = r.plain(ctx, c); err != nil {
		return nil, err
	}
	return fitting(p.format.Insert(ctx, p.reader, p.node, index, c, o))
}

// Delete implements edit.Editor.
func (r *reading) Delete(ctx context.Context, t *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	p, err := r.inside(t, n)
	if err != nil {
		return nil, err
	}
	return fitting(p.format.Delete(ctx, p.reader, p.node, o))
}

// inside is place for a value inside another one.
func (r *reading) inside(t *tree.Reader, n *tree.Node) (*place, error) {
	if isVariant(&n.Value) && !isVariant(&n.Parent.Value) {
		return nil, errors.New("the Variants of a message cannot be added, deleted or moved; only what is in them can be edited")
	}
	return r.place(t, n)
}

// Move implements edit.Editor.
func (r *reading) Move(ctx context.Context, t *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	p, err := r.inside(t, n)
	if err != nil {
		return nil, err
	}
	return fitting(p.format.Move(ctx, p.reader, p.node, to, o))
}

// Types implements edit.Editor.
func (r *reading) Types(t *tree.Reader, n *tree.Node) []string {
	if p, err := r.place(t, n); err == nil {
		return p.format.Types(p.reader, p.node)
	}
	return nil
}

// Retyped implements edit.Editor.
func (r *reading) Retyped(ctx context.Context, t *tree.Reader, n *tree.Node, name string) (literal string, err error) {
	p, err := r.place(t, n)
	if err != nil {
		return "", err
	}
	return p.format.Retyped(ctx, p.reader, p.node, name)
}
