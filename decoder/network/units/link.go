package units

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/network/message"
)

var (
	_ format.Linker  = (*Messages)(nil)
	_ format.Carrier = (*Messages)(nil)
)

// idLabels are the fields with ids of paths, or of nodes that were spawned.
var idLabels = []string{"path id", "node id", "spawner id", "id", "net id"}

// An origin identifies the message that assigned an id.
type origin struct {
	from, to message.Peer
	path     *message.Path // nil if the id is that of a spawned node
	id       uint32
	name     string // name of that node
}

// origins lists the origins of the ids in a message, in the order of their fields; nil for an id that the
// message itself assigns.
func origins(m *message.Message) (all []*origin) {
	from, to := exchanged(m)
	b := m.Innermost()
	if b.Kind == message.ConfirmPath {
		from, to = to, from
	}
	add := func(p *message.Path, id uint32, name string) { all = append(all, &origin{from, to, p, id, name}) }
	switch {
	case b.Path.ByID:
		add(&b.Path, b.Path.ID, "")
	case b.Kind == message.Despawn:
		add(nil, b.NetID, b.Name)
	}
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Path.ByID {
			add(&e.Path, e.Path.ID, "")
		} else {
			add(nil, e.ID, e.Node)
		}
	}
	return all
}

// exchanged returns the peers between which a message is exchanged, even if the server passes it on.
func exchanged(m *message.Message) (from, to message.Peer) {
	from, to = m.From, m.To
	if m.Kind == message.Relay {
		if from.ID == 1 {
			from = message.KnownPeer(m.Peer)
		} else {
			to = message.KnownPeer(m.Peer)
		}
	}
	return from, to
}

// gives reports whether a message assigns the id.
func (o *origin) gives(m *message.Message) bool {
	from, to := exchanged(m)
	b := m.Innermost()
	if from != o.from || m.Protocol == message.Godot4 && to != o.to {
		return false
	}
	if o.path == nil {
		return b.Kind == message.Spawn && (b.NetID == o.id || slices.Contains(b.SyncIDs, o.id))
	}
	return b.Kind == message.SimplifyPath && b.ID == o.id && b.Path.Text == o.path.Text
}

// origin returns the origin of the id in a field; nil for other fields.
func (r *Messages) origin(t *tree.Reader, n *tree.Node) *origin {
	if isVariant(&n.Value) || kindOf(&n.Value) != fieldType || n.Damage != nil {
		return nil
	}
	u := r.unit(t.Window(), &n.Value)
	defer r.put(u)
	isID := func(x node) bool { return x.kind == fieldType && !x.isVariant && slices.Contains(idLabels, x.name) }
	if of := u.node(&n.Value); of == nil || !isID(*of) {
		return nil
	}
	nth := 0
	for _, x := range u.nodes[:n.Sub] {
		if isID(x) {
			nth++
		}
	}
	all := origins(u.message)
	if nth >= len(all) || all[nth].path != nil && !all[nth].path.Known {
		return nil
	}
	return all[nth]
}

// Link implements format.Linker: an id leads to the message that assigned it.
func (r *Messages) Link(t *tree.Reader, n *tree.Node) string {
	switch o := r.origin(t, n); {
	case o == nil:
		return ""
	case o.path == nil:
		return fmt.Sprintf("the message that spawns %d", o.id)
	default:
		return fmt.Sprintf("the message that says %d is %s", o.id, o.path.Text)
	}
}

// Follow implements format.Linker.
func (r *Messages) Follow(ctx context.Context, t *tree.Reader, n *tree.Node) (found *tree.Node, err error) {
	o := r.origin(t, n)
	if o == nil {
		return nil, nil
	}
	list, err := t.Child(t.Tree.Base, 1)
	if err != nil {
		return nil, err
	}
	x, err := t.Child(list, 0)
	for ; err == nil && x.Start < n.Foot; x, err = t.Next(x) {
		if x.Slot.Index%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch kind := parseHead(t.Window().View(x.Start, recordSize)).Kind; {
		case x.Damage != nil:
		case kind == message.SimplifyPath || kind == message.Spawn || kind == message.Relay:
			u := r.messageAt(t.Window(), x.Start)
			if o.gives(u.message) {
				found = x
			}
			r.put(u)
		}
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return found, err
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
