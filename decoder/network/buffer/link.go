package buffer

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
	_ format.Linker  = (*reading)(nil)
	_ format.Carrier = (*reading)(nil)
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
func (r *reading) origin(t *tree.Reader, n *tree.Node) *origin {
	if n.Type != typeField {
		return nil
	}
	p, done := r.parse(t.Window(), n.Foot)
	defer done()
	number := int(n.Sub)
	if number >= len(p.nodes) || !slices.Contains(idLabels, p.nodes[number].Label) {
		return nil
	}
	nth := 0
	for i := range p.nodes[:number] {
		if x := &p.nodes[i]; x.Role == message.Field && slices.Contains(idLabels, x.Label) {
			nth++
		}
	}
	all := origins(p.message)
	if nth >= len(all) || all[nth].path != nil && !all[nth].path.Known {
		return nil
	}
	return all[nth]
}

// Link implements format.Linker: an id leads to the message that assigned it.
func (r *reading) Link(t *tree.Reader, n *tree.Node) string {
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
func (r *reading) Follow(ctx context.Context, t *tree.Reader, n *tree.Node) (found *tree.Node, err error) {
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
		switch kind := parseRecord(t.Window().View(x.Start, recordSize)).kind; {
		case x.Damage != nil:
		case kind == message.SimplifyPath || kind == message.Spawn || kind == message.Relay:
			p, done := r.parse(t.Window(), x.Start)
			if o.gives(p.message) {
				found = x
			}
			done()
		}
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return found, err
}

// Piece implements format.Carrier.
func (r *reading) Piece(t *tree.Reader, n *tree.Node) (format.Piece, bool) {
	for m := n; m != nil && m.Depth > 0; m = m.Parent {
		if m.Type == typeMessage && m.Damage == nil {
			return format.Piece{Record: m.Slot.Index + 1, Steps: format.StepsTo(n, m)}, true
		}
	}
	return format.Piece{}, false
}

// Find implements format.Carrier.
func (r *reading) Find(_ context.Context, t *tree.Reader, piece format.Piece) (*tree.Node, error) {
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
