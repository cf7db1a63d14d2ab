package explore

import (
	"context"
	"fmt"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/model"
)

// Link describes the target of the selected value, if that is looked for only when the user goes there;
// "" if there is none.
func (x *Explorer) Link() string {
	l, ok := x.Buffer.Tree().Reading.(format.Linker)
	if !ok || x.inBytes || x.row == nil || x.row.Depth == 0 {
		return ""
	}
	return l.Link(x.read, x.row)
}

// fillLink fills in the target of a value that is another value's id, if the target is found at once.
func (x *Explorer) fillLink(r *Row, n *tree.Node, id string) {
	l, ok := x.Buffer.Tree().Reading.(format.Linker)
	if !ok || l.Link(x.read, n) == "" {
		return
	}
	defer x.spend(tree.LookUpBudget)()
	to, err := l.Follow(context.Background(), x.read, n)
	if err != nil || to == nil {
		return
	}
	which := x.Path(to)
	if _, named := label(x.read.Step(to)); !named && to.Depth > 1 { // an element of a list
		which = fmt.Sprintf("#%d", to.Slot.Index)
		r.Preview, _ = label(x.read.Step(to.Parent))
	}
	r.Kind, r.Value = RowReference, "→ "+which+" (id "+id+")"
}

// Linked finds the target of a value of a buffer; nil if it does not exist. It may run in the background.
func Linked(ctx context.Context, b *model.Buffer, n *tree.Node) (*tree.Node, error) {
	return b.Tree().Reading.(format.Linker).Follow(ctx, b.Tree().NewReader(), n)
}

// Piece returns the piece of another buffer's content in which the cursor is; ok is false if it is in
// none.
func (x *Explorer) Piece() (p format.Piece, ok bool) {
	c, ok := x.Buffer.Tree().Reading.(format.Carrier)
	if !ok {
		return p, false
	}
	n := x.row
	if x.inBytes {
		n = x.owner
	}
	return c.Piece(x.read, n)
}

// PieceOf returns the piece of other buffers' content in which a value of a buffer is; ok is false if it
// is in none.
func PieceOf(b *model.Buffer, n *tree.Node) (p format.Piece, ok bool) {
	if c, is := b.Tree().Reading.(format.Carrier); is {
		return c.Piece(b.Tree().NewReader(), n)
	}
	return p, false
}

// IsHeld reports whether the selected value is also in a buffer inside.
func (x *Explorer) IsHeld() bool {
	p, ok := x.Piece()
	return ok && x.Buffer.IsWrapper() && !p.IsNear
}

// IsEntrance reports whether the selected value is where the content of a wrapper begins in its tree, or
// a value there without children: this buffer has nothing more to show of it.
func (x *Explorer) IsEntrance() bool {
	n := x.Subject()
	return n != nil && n.Depth > 0 && x.IsHeld() && (!CanOpen(n) || !x.Buffer.IsPart(&n.Value) && x.Buffer.IsPart(&n.Parent.Value))
}

// Carried finds the value of buffer b that has the content of a piece of another one; nil if none has. It
// may run in the background.
func Carried(ctx context.Context, b *model.Buffer, p format.Piece) (*tree.Node, error) {
	c, ok := b.Tree().Reading.(format.Carrier)
	if !ok {
		return nil, nil
	}
	return c.Find(ctx, b.Tree().NewReader(), p)
}
