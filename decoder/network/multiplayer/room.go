package multiplayer

import (
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

// A room is a server and its clients, as far as they show whether the server tells them of each other.
type room struct {
	current *payload.Connection // of the last message
	clients map[*payload.Connection]bool
	seconds int // messages that came after two clients had taken turns
	told    bool
	engine  string // what it prints when a client calls another
	last    place
}

const (
	// maxRooms is the largest number of servers that are followed.
	maxRooms = 64

	// enoughTurns is the number of times that the clients of a server must take turns to say that it should have told them
	// of each other.
	enoughTurns = 6
)

// met notes a message of a server's client, or for one.
func (r *Reader) met(m *message.Message, f *flow) {
	c := m.Payload.Connection
	if f.protocol != message.Godot3 && f.protocol != message.Godot4 || c == nil || !c.Began || !f.server.IsValid() || m.Payload.Flow.IsOneSided() {
		return
	}
	at := r.roomOf(f)
	at.told = at.told || isRelayed(m)
	if at.current != c {
		if at.current != nil && at.clients[c] {
			at.seconds++
		}
		at.current, at.clients[c] = c, true
		at.last = placeOf(m.Payload, 0)
	}
}

// isRelayed reports whether a message is of a client or about one, and for another client.
func isRelayed(m *message.Message) bool {
	passesOn := m.Protocol == message.Godot3 && m.From.Known && m.From.ID != serverID && m.Payload.Src == m.Payload.Connection.Server
	return m.Innermost().Kind == message.AddPeer || m.Kind == message.Relay || passesOn
}

// roomOf returns the room of a flow's server.
func (r *Reader) roomOf(f *flow) *room {
	at := r.rooms[f.server]
	if at == nil {
		if len(r.rooms) >= maxRooms {
			clear(r.rooms)
		}
		at = &room{clients: map[*payload.Connection]bool{}, engine: "Attempt to call RPC with unknown peer ID"}
		if f.protocol == message.Godot3 {
			at.engine = "Attempt to remote call unexisting ID"
		}
		r.rooms[f.server] = at
	}
	return at
}

// serverID is the id of the server.
const serverID = 1

// reportRoom says that the server does not tell its clients of each other.
func (r *Reader) reportRoom(at *room) {
	if !at.told && len(at.clients) > 1 && at.seconds >= enoughTurns {
		at.told = true
		r.report(at.last, span.Note, message.RelayOff, "the server does not tell its clients of each other (server_relay is off): they cannot call each other, nor see who joins", at.engine)
	}
}
