package units

import (
	"context"
	"fmt"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/network/message"
)

var (
	_ format.Linker  = (*Messages)(nil)
	_ format.Carrier = (*Messages)(nil)
)

// An origin is the message that assigned an id.
type origin struct {
	message int // number from 1
	says    string
}

// origin returns the origin of the id in a field; ok is false for other fields.
func (r *Messages) origin(t *tree.Reader, n *tree.Node) (is origin, ok bool) {
	if isVariant(&n.Value) || kindOf(&n.Value) != fieldType || n.Damage != nil {
		return is, false
	}
	u := r.unit(t.Window(), &n.Value)
	defer r.put(u)
	eachName(u.message.Innermost(), func(p *message.Path, name *string) {
		if p != nil && p.Origin > 0 && p.At.Length > 0 && u.at+p.At.Offset == n.Start {
			is, ok = origin{p.Origin, "the message that spawns " + *name}, true
			if p.ByID {
				is.says = fmt.Sprintf("the message that says %d is %s", p.ID, p.Text)
			}
		}
	})
	return is, ok
}

// Link implements format.Linker: an id leads to the message that assigned it.
func (r *Messages) Link(t *tree.Reader, n *tree.Node) string {
	is, _ := r.origin(t, n)
	return is.says
}

// Follow implements format.Linker.
func (r *Messages) Follow(ctx context.Context, t *tree.Reader, n *tree.Node) (found *tree.Node, err error) {
	if is, ok := r.origin(t, n); ok {
		return r.Find(ctx, t, format.Piece{Record: int64(is.message)})
	}
	return nil, nil
}

// Piece implements format.Carrier.
func (r *Messages) Piece(t *tree.Reader, n *tree.Node) (format.Piece, bool) {
	if m := messageOf(n); m != nil && m.Damage == nil {
		return format.Piece{Record: m.Slot.Index + 1, Steps: format.StepsTo(n, m)}, true
	}
	return format.Piece{}, false
}

// Find implements format.Carrier.
func (r *Messages) Find(_ context.Context, t *tree.Reader, piece format.Piece) (*tree.Node, error) {
	list, err := t.Child(t.Tree.Base, 1)
	if err != nil {
		return nil, err
	}
	found, err := t.Child(list, piece.Record-1)
	if err != nil {
		return nil, err
	}
	return piece.Descend(t, found)
}
