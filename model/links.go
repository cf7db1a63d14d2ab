package model

import (
	"context"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Linked finds the target of a value, of which Link says that it has one; nil if that does not exist. It may run in the
// background.
func (b *Buffer) Linked(ctx context.Context, n *tree.Node) (*tree.Node, error) {
	return b.Tree().Reading.(format.Linker).Follow(ctx, b.Tree().NewReader(), n)
}

// NextLink finds the next value after n that refers to it or, if n itself refers to a value, to the same one, and after the last of
// them the first; nil if none does. It may run in the background.
func (b *Buffer) NextLink(ctx context.Context, n *tree.Node) (next *tree.Node, err error) {
	l, r := b.Tree().Reading.(format.Linker), b.Tree().NewReader()
	to := n
	if l.Link(r, n) != "" {
		to, err = l.Follow(ctx, r, n)
	}
	if err != nil || to == nil {
		return nil, err
	}
	var visit func(in *tree.Node) (done bool)
	visit = func(in *tree.Node) bool {
		for c, err := r.Child(in, 0); err == nil && ctx.Err() == nil; c, err = r.Next(c) {
			if l.Link(r, c) != "" {
				if is, _ := l.Follow(ctx, r, c); is != nil && is.Same(to) && (next == nil || c.Start > n.Start) {
					if next = c; c.Start > n.Start {
						return true
					}
				}
			}
			if c.Layout != tree.Leaf && visit(c) {
				return true
			}
		}
		return false
	}
	visit(b.Tree().Base)
	return next, ctx.Err()
}

// Piece returns the piece of another buffer's content in which a value is; ok is false if it is in none.
func (b *Buffer) Piece(n *tree.Node) (p format.Piece, ok bool) {
	if c, is := b.Tree().Reading.(format.Carrier); is {
		return c.Piece(b.Tree().NewReader(), n)
	}
	return p, false
}

// Carried finds the value that has the content of a piece of another buffer; nil if none has. It may run in the background.
func (b *Buffer) Carried(ctx context.Context, p format.Piece) (*tree.Node, error) {
	if c, ok := b.Tree().Reading.(format.Carrier); ok {
		return c.Find(ctx, b.Tree().NewReader(), p)
	}
	return nil, nil
}
