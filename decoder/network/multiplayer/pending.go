package multiplayer

import (
	"fmt"
	"slices"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

// A spawned is a node that was spawned.
type spawned struct {
	name   string
	gone   bool // it was despawned
	origin int  // see message.Path
}

// A pair is who sends paths to whom, in a flow: a server passes them on in another one.
type pair struct {
	flow     *payload.Flow
	from, to party
}

func (x *exchange) pair() pair { return pair{x.message.Payload.Flow, x.from, x.to} }

// back is the pair of those who answer.
func (x *exchange) back() pair { return pair{x.message.Payload.Flow, x.to, x.from} }

// A pending is a path that waits for its confirmation.
type pending struct {
	protocol message.Protocol
	id       uint32
	path     string
	channel  uint8
	when     time.Time
	calls    int              // number of calls that repeat the path, as it is not confirmed
	place                     // where it was announced
	sent     *payload.Traffic // what its sender sends
}

const (
	// mostPending is the largest number of paths of a pair that wait.
	mostPending = 256

	// patience is after how long a path is taken for one that will not be confirmed, if its receiver sends
	// something else.
	patience = 3 * time.Second

	// enoughCalls is the number of calls that must have repeated a path, and longTrips how many round trips must have passed,
	// to say when the capture ends that it was not confirmed.
	enoughCalls, longTrips = 3, 4
)

// await notes that a path waits for its confirmation.
func (x *exchange) await(b *message.Body) {
	p, list := x.message.Payload, x.memory.pending[x.pair()]
	if !b.Path.Known || p.Partial || x.flow.mixed || p.Flow.IsOneSided() || len(list) >= mostPending {
		return
	}
	list = slices.DeleteFunc(list, func(p pending) bool { return p.id == b.ID })
	if x.memory.reserve(0) { // the text is that of the announcement
		x.forgotten()
		list = nil
	}
	x.memory.pending[x.pair()] = append(list, pending{x.message.Protocol, b.ID, b.Path.Text, p.Channel, p.Time, 0, placeOf(p, len(p.Bytes)), p.Flow.From(p.Src)})
}

// confirmed notes a confirmation. Those of one channel come in the order of their paths, so earlier ones will
// not come any more.
func (x *exchange) confirmed(b *message.Body) {
	x.form(b)
	list := x.memory.pending[x.back()]
	i := slices.IndexFunc(list, func(p pending) bool {
		if b.Path.ByID {
			return p.id == b.ID
		}
		return p.path == b.Path.Text
	})
	if i < 0 {
		return
	}
	is := list[i]
	left := list[:0]
	for j, p := range list {
		switch {
		case j < i && p.channel == is.channel:
			x.unconfirmed(p)
		case j != i:
			left = append(left, p)
		}
	}
	x.memory.pending[x.back()] = left
}

// overdue reports a path that the sender of a message should have confirmed long before.
func (x *exchange) overdue() {
	list := x.memory.pending[x.back()]
	for len(list) > 0 && !list[0].when.IsZero() && x.message.Payload.Time.Sub(list[0].when) > patience {
		if x.isConfirming(list[0]) {
			return
		}
		x.unconfirmed(list[0])
		list = list[1:]
		x.memory.pending[x.back()] = list
	}
}

// isConfirming reports whether the message is the confirmation of a path, though a late one.
func (x *exchange) isConfirming(p pending) bool {
	b := x.message.Innermost()
	return b.Kind == message.ConfirmPath && (b.Path.ByID && b.ID == p.id || !b.Path.ByID && b.Path.Text == p.path)
}

// repeats notes a call with its path, and reports that this should have been confirmed long before.
func (x *exchange) repeats(b *message.Body) {
	list := x.memory.pending[x.pair()]
	i := slices.IndexFunc(list, func(p pending) bool { return !b.Path.ByID && p.path == b.Path.Text })
	if i < 0 {
		return
	}
	list[i].calls++
	if p := list[i]; !p.when.IsZero() && x.message.Payload.Time.Sub(p.when) > patience {
		x.memory.pending[x.pair()] = slices.Delete(list, i, i+1)
		x.unconfirmed(p)
	}
}

// reportPending reports the paths that are not confirmed when the capture ends.
func (r *Reader) reportPending() {
	var late []pending
	for pair, list := range r.memory.pending {
		f := r.flows[pair.flow]
		for _, p := range list {
			if trip := pair.flow.Sent[0].Trips.Last + pair.flow.Sent[1].Trips.Last; f != nil && p.calls >= enoughCalls && f.last.Sub(p.when) > max(longTrips*trip, 1) {
				late = append(late, p)
			}
		}
		delete(r.memory.pending, pair)
	}
	slices.SortFunc(late, func(a, b pending) int { return a.frame - b.frame })
	for _, p := range late {
		r.unconfirmed(p)
	}
}

// unconfirmed reports a path that is not confirmed, unless a part of the session was not captured, or nothing that its sender
// repeats is acknowledged, which says more.
func (r *Reader) unconfirmed(p pending) {
	if r.lossy || p.sent.Resent > 0 && p.sent.Trips.Count == 0 {
		return
	}
	why, engine := "the node is not there on the other side, and calls of it do nothing there", fmt.Sprintf("Node not found: %q (relative to \"/root\"); Failed to get path from RPC: %s.", p.path, p.path)
	if p.protocol == message.Godot3 { // which confirms paths of nodes that are not there too
		why, engine = "the other side has not read it, and the sender repeats the path in each call", ""
	}
	r.report(p.place, span.Error, message.UnconfirmedPath, fmt.Sprintf("the path %q was never confirmed: %s", p.path, why), engine)
}

// forms are the forms of confirmations that a server and its clients have sent.
type forms struct{ old, new bool }

// form reports confirmations of Godot 4.0 to 4.2 in a session of a later one.
func (x *exchange) form(b *message.Body) {
	if x.message.Protocol != message.Godot4 {
		return
	}
	f := x.memory.forms[x.server]
	was := f
	f.old, f.new = f.old || !b.Path.ByID, f.new || b.Path.ByID
	if x.memory.forms == nil {
		x.memory.reserve(0)
	}
	if x.memory.forms[x.server] = f; f.old && f.new && was != f {
		x.refuse(message.OldConfirmation, "same methods", "one side confirms paths as Godot 4.0 to 4.2 do, the other as Godot 4.3 and later: they do not understand each other", "Invalid packet received. Size too small.")
	}
}

// beginsLate reports once that ids are unknown because the capture begins after they were assigned.
func (x *exchange) beginsLate() {
	c := x.message.Payload.Connection
	if x.late || c == nil || c.Began || x.message.Payload.Flow.IsOneSided() {
		return
	}
	x.late = true
	at := x.message.Located(span.Problem{Severity: span.Error, Code: payload.BeginsLate,
		Message: "the capture begins after the players have joined, when ids were given to nodes: names of nodes stay unknown; begin the capture before the players join"})
	x.Reader.pass(&at)
}

// system sets who sends the messages about other peers in which Godot 3 does not say it: the server.
func (f *flow) system(m *message.Message) {
	c := m.Payload.Connection
	if m.From.Known || m.Kind != message.AddPeer && m.Kind != message.DelPeer || c == nil || m.Payload.Src != c.Server {
		return
	}
	m.From = message.KnownPeer(1)
	if c.ClientID > 1 {
		m.To = message.KnownPeer(int32(c.ClientID))
	}
}
