package enet

import (
	"fmt"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
)

// An awaited is a command that waits for its acknowledgement, or for the server's answer.
type awaited struct {
	count       int // how often it was sent
	first, last time.Time
	sent        uint16 // the sender's clock when it was sent last
	at          payload.Part
	packed      bool // it was compressed
	size        int  // of its packet on the wire
	channel     uint8
}

// An ackKey identifies a command for which an acknowledgement is awaited.
type ackKey struct {
	channel  uint8
	sequence uint16
}

const (
	// maxAwaited is the largest number of commands of a side whose acknowledgements are awaited.
	maxAwaited = 8 << 10

	// enoughSent is how often a command must be sent without an acknowledgement to say that its receiver is gone:
	// ENet doubles the time between repetitions, and gives up after 5 to 30 s.
	enoughSent = 5
)

// ask notes that a connection is asked for.
func (f *Flow) ask(c *Command) {
	if f.asked == nil {
		f.asked, f.wants = f.awaiting(c), c.value("channels")
		f.out.Event(f.commands.Slice(c.At, 1), fmt.Sprintf("%s asks %s for a connection of ENet", f.connection.Client, f.connection.Server))
	}
	f.asked.count++
	f.asked.last = f.packet.Time
}

// awaiting returns a command of the current datagram as one that waits.
func (f *Flow) awaiting(c *Command) *awaited {
	return &awaited{first: f.packet.Time, at: f.partOf(c), packed: f.datagram.Packing != NotPacked, size: f.packet.Wire, channel: c.Channel}
}

// partOf returns where a command is in the capture.
func (f *Flow) partOf(c *Command) payload.Part { return f.commands.Slice(c.At, len(c.Body)).Parts[0] }

// answer notes that the server has agreed.
func (f *Flow) answer(from *side, c *Command) {
	if f.answered {
		return
	}
	src, dst := f.flow.Ends(from.fromB)
	at := f.commands.Slice(c.At, len(c.Body))
	f.out.Event(at, fmt.Sprintf("%s accepts the connection of %s", src, dst))
	f.servers.Add(src)
	f.granted = c.value("channels")
	if n := f.granted; f.asked != nil && n < f.wants {
		f.out.Problem(at, payload.FewerChannels, fmt.Sprintf("the server grants %s, and the client asks for %d: what is sent on the others is lost%s", span.Counted(int64(n), "channel"), f.wants, engines(n, f.wants)))
	}
}

// leave notes that one side ends the connection.
func (f *Flow) leave(from *side, c *Command) {
	src, dst := f.flow.Ends(from.fromB)
	at, code := f.commands.Slice(c.At, len(c.Body)), c.value("data")
	switch {
	case f.asked != nil && !f.answered && src == f.connection.Server:
		f.refused = true
		f.out.Problem(at, payload.Refused, fmt.Sprintf("%s refuses the connection of %s, with the code %d", src, dst, code))
	case f.asked != nil && !f.carries && !f.closed && src == f.connection.Server:
		f.out.Problem(at, payload.Refused, fmt.Sprintf("%s accepts the connection of %s, and ends it before either has sent a message, with the code %d", src, dst, code))
	case !f.closed:
		f.out.Event(at, fmt.Sprintf("%s disconnects from %s, with the code %d", src, dst, code))
	}
}

// await notes that a command waits for its acknowledgement.
func (s *side) await(c *Command) {
	if s.awaited == nil || len(s.awaited) >= maxAwaited {
		s.awaited = map[ackKey]*awaited{}
	}
	k := ackKey{c.Channel, c.Sequence}
	a := s.awaited[k]
	if a == nil {
		a = s.flow.awaiting(c)
		s.awaited[k] = a
	} else if a.sent == s.flow.datagram.SentTime {
		return // the network has doubled the datagram
	}
	a.count++
	a.last, a.sent = s.flow.packet.Time, s.flow.datagram.SentTime
	s.sent.Wait(len(s.awaited), s.waiting)
}

// acknowledged notes that the other side has a command. The acknowledgement names the clock of the sender, so that it is known
// which of several repetitions it is for.
func (s *side) acknowledged(c *Command) {
	k, now := ackKey{c.Channel, uint16(c.value("acknowledged"))}, s.flow.packet.Time
	a := s.awaited[k]
	if a == nil {
		return
	}
	delete(s.awaited, k)
	s.answered, s.heard, s.largest = true, s.heard || a.packed, max(s.largest, a.size)
	if a.first.After(s.lastHeard) {
		s.lastHeard = a.first
	}
	if !now.IsZero() {
		since := a.last.Add(-time.Duration(a.sent-uint16(c.value("sent_time"))) * time.Millisecond)
		s.sent.Throttle.Follow(&s.sent.Trips, now.Sub(since), now)
	}
}

// conclude reports what a connection that is over has waited for in vain.
func (f *Flow) conclude() {
	for i := range f.sides {
		if s := &f.sides[i]; !s.begun && s.unseen >= payload.EnoughUnseen {
			f.out.Problem(payload.Bytes{Parts: []payload.Part{f.first}}, payload.OneDirection, f.flow.Lacks(s.fromB))
			return
		}
	}
	if !f.answered && (f.refused || f.unanswered()) {
		return
	}
	if f.used && !f.carries && !f.refused && (f.asked == nil || f.answered) {
		at := payload.Bytes{}
		if f.asked != nil {
			at.Parts = []payload.Part{f.asked.at}
		}
		f.out.Problem(at, payload.NotUnderstood, fmt.Sprintf("%s and %s are connected with ENet, but neither sends a message in this capture", f.flow.A, f.flow.B))
	}
	for i := range f.sides {
		f.sides[i].conclude()
	}
}

// unanswered reports that nobody has answered who asked for the connection, and whether that was more than once.
func (f *Flow) unanswered() bool {
	a, client, server := f.asked, f.connection.Client, f.connection.Server
	if a == nil {
		return false
	}
	if a.count == 1 {
		f.out.Problem(payload.Bytes{Parts: []payload.Part{a.at}}, payload.NotUnderstood, fmt.Sprintf("%s asks %s for a connection, and the capture has no answer", client, server))
	}
	if a.count > 1 {
		why := f.servers.Unanswering(server)
		if !f.servers[server] {
			why += ", or what listens there is no server of ENet"
		}
		if a.packed {
			why = "the client compresses, which a server without the same compression cannot read; or " + why
		}
		if f.flow.Checksum {
			why = "the client sends checksums, and a server without them drops what has one; or " + why
		}
		f.out.Problem(payload.Bytes{Parts: []payload.Part{a.at}}, payload.NoAnswer, fmt.Sprintf("%s asks %s for a connection %s in %s, and is not answered: %s", client, server, times(a.count), seconds(a.last.Sub(a.first)), why))
	}
	return a.count > 1
}

// conclude reports that the other side is gone, or what waits for it.
func (s *side) conclude() {
	var worst *awaited
	for _, a := range s.awaited {
		if a.count >= enoughSent && (worst == nil || a.count > worst.count || a.count == worst.count && a.first.Before(worst.first)) {
			worst = a
		}
	}
	if worst == nil || s.isUnread() || s.isIgnored() {
		s.waits()
		return
	}
	src, dst := s.flow.flow.Ends(s.fromB)
	s.flow.out.Problem(payload.Bytes{Parts: []payload.Part{worst.at}}, payload.TimedOut,
		fmt.Sprintf("%s has sent this %s in %s, and %s has never acknowledged it: %s", src, times(worst.count), seconds(worst.last.Sub(worst.first)), dst, s.why(worst)))
	s.awaited = nil
}

// why says why a command was never acknowledged.
func (s *side) why(a *awaited) string {
	_, dst := s.flow.flow.Ends(s.fromB)
	switch n := s.flow.granted; {
	case a.channel != noChannel && n > 0 && uint32(a.channel) >= n:
		return fmt.Sprintf("channel %d is not one of the %d that the server has granted, and what is sent on it is dropped", a.channel, n)
	case s.flow.asked == nil && !s.other.begun:
		return fmt.Sprintf("%s sends nothing to this address; if it had another port before, which a NAT or another network changes, ENet drops what comes from the new one", dst)
	case s.lastHeard.After(a.first) && a.size > s.largest:
		return fmt.Sprintf("packets of %s do not arrive, and up to %s do: the way takes less at once (MTU), as that of a VPN or a mobile network does; send less in a message",
			span.Bytes(int64(a.size)), span.Bytes(int64(s.largest)))
	case s.lastHeard.After(a.first):
		return fmt.Sprintf("%s acknowledges what is sent after it, so it is there, and drops this", dst)
	}
	return fmt.Sprintf("%s is gone, and the connection has timed out; %s not acknowledged, and may not have arrived", dst, span.CountedAre(int64(len(s.awaited)), "command"))
}

// isUnread reports whether the other side cannot unpack what this one sends.
func (s *side) isUnread() bool {
	other := s.other
	return s.packed > 1 && !s.heard && len(s.awaited) > 0 && other.begun && s.packing != other.packing
}

// isIgnored reports whether the server has accepted the client, and has not acknowledged anything since.
func (s *side) isIgnored() bool {
	const enough, longest = 3, time.Second
	src, _ := s.flow.flow.Ends(s.fromB)
	first := s.firstAwaited()
	if first == nil || !s.flow.answered || s.answered || src != s.flow.connection.Client || len(s.awaited) < enough {
		return false
	}
	for _, a := range s.awaited {
		if a.last.Sub(first.first) >= longest {
			return true
		}
	}
	return false
}

// waits reports what is not acknowledged when the capture ends.
func (s *side) waits() {
	first, other := s.firstAwaited(), s.other
	if first == nil {
		return
	}
	src, dst := s.flow.flow.Ends(s.fromB)
	at, waits := payload.Bytes{Parts: []payload.Part{first.at}}, span.CountedAre(int64(len(s.awaited)), "command")
	switch {
	case s.isUnread() && other.packed == 0:
		s.flow.out.Problem(at, payload.OneCompresses, fmt.Sprintf("%s compresses, %s never does, and %s not acknowledged: a peer of ENet without compression drops what is compressed; set it on both sides", src, dst, waits))
	case s.isUnread() && s.fromB && other.isUnread(): // it was said
	case s.isUnread():
		s.flow.out.Problem(at, payload.OneCompresses, fmt.Sprintf("%s compresses with %s, %s with %s, and %s not acknowledged: each drops what the other compresses; set the same compression on both sides", src, s.packing, dst, other.packing, waits))
	case s.isIgnored():
		s.flow.out.Problem(at, payload.Refused, fmt.Sprintf("%s has accepted %s, and has acknowledged nothing since: it refuses new connections (refuse_new_connections, of which Godot 3 tells nobody), or has ended; %s not acknowledged", dst, src, waits))
	case !s.flow.closed && s.answered:
		s.flow.out.Event(at, fmt.Sprintf("%s waits for the acknowledgements of %s when the capture ends: %s not acknowledged", src, dst, waits))
	}
}

// firstAwaited returns the command that waits for longest; nil if none does.
func (s *side) firstAwaited() (first *awaited) {
	for _, a := range s.awaited {
		if first == nil || a.at.At.Offset < first.at.At.Offset {
			first = a
		}
	}
	return first
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// engines returns what numbers of channels say about the engines, if they are those that Godot 3 grants and Godot 4 asks for.
func engines(granted, asked uint32) string {
	if granted == 3 && asked == 255 {
		return "; these are the numbers of a server of Godot 3 and a client of Godot 4, which do not understand each other"
	}
	return ""
}
