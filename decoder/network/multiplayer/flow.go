package multiplayer

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/netip"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/godot3"
	"varview/decoder/network/godot4"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// A flow is what is known about one flow.
type flow struct {
	protocol message.Protocol
	held     []*payload.Payload // payloads held until that is decided
	server   netip.AddrPort     // invalid if it is not known
	clients  map[*payload.Connection]int32

	sides [2]side // what A and B send

	mixed      bool      // its sides are of two engines
	understood bool      // something of it
	last       time.Time // when its last message came
	bytes      int
	first      place // of the first message
}

// A side is what one side of a flow sends.
type side struct {
	protocol message.Protocol
	shape    message.Shape
}

// side returns what the sender of a payload sends.
func (f *flow) side(p *payload.Payload) *side {
	if p.Src == p.Flow.A {
		return &f.sides[0]
	}
	return &f.sides[1]
}

// set sets what both sides send.
func (f *flow) set(as message.Protocol, vars bool) {
	f.protocol = as
	for i := range f.sides {
		f.sides[i] = side{as, message.Shape{Vars: vars}}
	}
}

// enough is the number of payloads after which it is decided what a flow carries.
const enough = 32

// A half is the payloads of one side of a flow that are held, and how each protocol explains them.
type half struct {
	held []*payload.Payload
	by   map[message.Protocol]judged
}

// A judged is how a protocol explains payloads.
type judged struct {
	fit          int
	vars, others int // how many are Variants, and how many do not even begin as one
}

// judge finds out how protocols explain the payloads of a flow that are held.
func (r *Reader) judge(f *flow, list []message.Protocol) (halves [2]half) {
	for _, p := range f.held {
		h := &halves[0]
		if p.Src != p.Flow.A {
			h = &halves[1]
		}
		if h.held = append(h.held, p); h.by == nil {
			h.by = map[message.Protocol]judged{}
		}
		for _, as := range list {
			is := h.by[as]
			is.fit += r.fit(p, as, f)
			switch {
			case r.trial.Kind == message.Var:
				is.vars++
			case r.trial.Kind == message.Bytes && !variants.Begins(r.trial.Data):
				is.others++
			}
			h.by[as] = is
		}
	}
	return halves
}

// best returns the protocol that explains most of some payloads, and how.
func best(list []message.Protocol, halves ...half) (best message.Protocol, how judged) {
	best = message.OnlyBytes
	for _, as := range list {
		var all judged
		for _, h := range halves {
			is := h.by[as]
			all = judged{all.fit + is.fit, all.vars + is.vars, all.others + is.others}
		}
		if all.fit > how.fit {
			best, how = as, all
		}
	}
	return best, how
}

// decide finds out what a flow carries: the protocol that explains most of its payloads.
func (r *Reader) decide(f *flow) {
	list := candidates(f.held[0].Flow.Transport)
	halves := r.judge(f, list)
	if f.held = nil; r.decideMixed(f, list, halves) {
		return
	}
	as, how := best(list, halves[:]...)
	f.set(as, how.vars > how.others)
	if as.IsPlain() && len(list) > 0 {
		r.decideSides(f, halves)
	}
}

// candidates lists the protocols that a transport can carry. If several explain as much, the first is
// taken.
func candidates(t payload.Transport) []message.Protocol {
	switch t {
	case payload.ENet:
		return []message.Protocol{message.Godot3, message.Godot4, message.Godot3Peer, message.Variants4, message.Variants3}
	case payload.WebSocket:
		return []message.Protocol{message.Godot3, message.Godot4, message.Godot3Peer, message.Variants4, message.Variants3}
	case payload.UDP, payload.TCP:
		return []message.Protocol{message.Variants4, message.Variants3}
	}
	return nil
}

// Weights of a payload for or against a protocol.
const (
	certain   = 8 // a message that no other protocol has
	explained = 2
	possible  = 1
	unlikely  = -2
)

// fit returns how well a protocol explains a payload.
func (r *Reader) fit(p *payload.Payload, as message.Protocol, f *flow) int {
	m := &r.trial
	*m = message.Message{Payload: p}
	r.parse(m, as, f)
	if !r.isClean() {
		if p.Partial || as == message.Variants3 || as == message.Variants4 || as == message.Godot3Peer {
			return 0
		}
		return unlikely
	}
	switch as {
	case message.Godot3:
		return r.fitGodot3(m)
	case message.Godot4:
		return fitGodot4(m)
	case message.Godot3Peer:
		return r.fitPeer(m)
	}
	switch {
	case m.Kind != message.Var:
		return 0
	case m.Values.IsOdd(p.Bytes, m.Args[0]):
		return possible
	}
	return explained
}

// fitPeer judges a packet of a peer of Godot 3 without the multiplayer API.
func (r *Reader) fitPeer(m *message.Message) int {
	switch {
	case m.Kind == message.YourID:
		return certain
	case m.Kind == message.AddPeer || m.Kind == message.DelPeer:
		return explained
	case !r.isNearby(m):
		return unlikely
	case m.Kind == message.Var:
		return explained
	}
	return possible
}

func (r *Reader) isClean() bool {
	for i := range r.cursor.Problems {
		if r.cursor.Problems[i].Severity > span.Note {
			return false
		}
	}
	return true
}

// isNearby reports whether the addresses in a header of Godot 3 are those of the connection.
func (r *Reader) isNearby(m *message.Message) bool {
	c := m.Payload.Connection
	client := int32(0)
	if c != nil {
		client = int32(c.ClientID)
	}
	return m.From.ID == 1 || m.To.ID == 1 || client > 1 && (m.From.ID == client || m.To.ID == client) || c != nil && client == 0 && m.From.ID > 1 && m.To.ID == 0
}

func (r *Reader) fitGodot3(m *message.Message) int {
	switch {
	case m.From.Known && m.From.ID <= 0:
		return unlikely
	case (m.Kind == message.SimplifyPath || m.Kind == message.ConfirmPath || m.Kind == message.YourID) && r.isNearby(m):
		return certain
	case m.Kind != message.Raw:
		return explained
	case r.isNearby(m):
		return possible
	}
	return 0
}

// fitGodot4 judges a packet that could be read. Engines leave some bits of its first byte zero, and count
// ids from 1.
func fitGodot4(m *message.Message) int {
	b := m.Payload.Bytes
	const unused, flags = 1 << 3, 0xf0
	isCall, isSync := m.Kind == message.Call, m.Kind == message.Sync || m.Kind == message.Delta
	switch {
	case len(b) == 0, m.Kind != message.YourID && (b[0]&unused != 0 || b[0]&flags != 0 && !isCall && !isSync),
		isCall && m.Path.ByID && m.Path.ID == 0:
		return unlikely
	case m.Kind == message.Raw:
		return possible
	case m.Kind == message.SimplifyPath && isMD5(m.Digest):
		return certain
	case isSync && len(m.Entries) == 0:
		return 0
	}
	return explained
}

// isMD5 reports whether a text is an MD5 as Godot writes it.
func isMD5(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == md5.Size
}

// A memory is what messages have said that later ones depend on.
type memory struct {
	paths   map[key]known
	nodes   map[key]*spawned
	pending map[pair][]pending // paths that wait for their confirmation, in order
	forms   map[netip.AddrPort]forms
	digests map[key]string
	bytes   int
}

// A known is what an id stands for.
type known struct {
	path   string
	digest string // digest of the methods, in Godot 4
	origin int    // see message.Path
}

// maxMemory is the number of bytes of paths and names that are remembered.
const maxMemory = 32 << 20

// entrySize is about the number of bytes that an entry takes besides its text.
const entrySize = 160

// A party is one of those who share ids: a peer, by its id if known, or else by its address.
type party struct {
	id   int32
	addr netip.AddrPort
}

// A key is the id of a path, which in Godot 3 applies to all receivers; or the number of a spawned node or of one of its
// synchronizers; or the path of a node.
type key struct {
	server   netip.AddrPort
	from, to party
	id       uint32
	path     string
}

// reserve makes room for an entry with a text of n bytes. It reports whether all others had to be
// forgotten.
func (m *memory) reserve(n int) (forgot bool) {
	forgot = m.bytes+entrySize+n > maxMemory
	if m.paths == nil || forgot {
		*m = memory{paths: map[key]known{}, nodes: map[key]*spawned{}, digests: map[key]string{}, pending: map[pair][]pending{}, forms: map[netip.AddrPort]forms{}}
	}
	m.bytes += entrySize + n
	return forgot
}

// An item is something that is held back.
type item struct {
	payload *payload.Payload
	flow    *flow     // flow of the payload
	since   time.Time // when the payload came
	problem *payload.Problem
}

// A queue holds what cannot be passed on yet, because it is not known what an earlier flow carries.
type queue struct {
	items []item
	bytes int64
}

const (
	maxItems = 4 << 10
	maxBytes = 8 << 20
)

func (q *queue) isFull() bool { return len(q.items) > maxItems || q.bytes > maxBytes }

func (q *queue) add(i item) { q.items = append(q.items, i) }

// addPayload adds a copy of a payload.
func (q *queue) addPayload(p *payload.Payload, f *flow) {
	q.add(item{payload: p.Clone(), flow: f, since: time.Now()})
	q.bytes += size(p)
}

// last returns the payload added last.
func (q *queue) last() *payload.Payload { return q.items[len(q.items)-1].payload }

// drop removes the first item.
func (q *queue) drop() {
	if p := q.items[0].payload; p != nil {
		q.bytes -= size(p)
	}
	q.items[0] = item{}
	q.items = q.items[1:]
}

// size returns about the memory of a payload.
func size(p *payload.Payload) int64 {
	return int64(payload.Bytes{Data: p.Bytes, Parts: p.Parts}.Size() + 64*len(p.Parts) + 8*len(p.Frames) + 256)
}

// A Hint is what a flow shows about a payload besides its protocol.
type Hint struct {
	IsYourID bool // the payload is the first message of a server of Godot 4 over WebSocket
	Shape    message.Shape
}

// Parse reads the payload of a message, and leaves its parts and problems in the cursor. The readers
// stay with the message.
func Parse(c *message.Cursor, m *message.Message, as message.Protocol, readers *variants.Readers, hint Hint) {
	m.Protocol, m.Shape, m.Readers, m.Values = as, hint.Shape, readers, readers.Of(as.Dialect())
	c.Begin(m.Payload.Bytes, m.Values)
	switch as {
	case message.Godot3:
		if !header(c, m) {
			godot3.Packet(c, &m.Body)
		}
	case message.Godot3Peer:
		if !header(c, m) {
			plain(c, m, hint.Shape)
		}
	case message.Godot4:
		if hint.IsYourID {
			godot4.YourID(c, &m.Body)
		} else {
			godot4.Packet(c, &m.Body)
		}
	case message.OnlyBytes:
		m.Data = c.Data("data")
	default:
		plain(c, m, hint.Shape)
	}
	c.End()
}

// parse reads the payload of a message of a flow.
func (r *Reader) parse(m *message.Message, as message.Protocol, f *flow) {
	Parse(&r.cursor, m, as, &r.values, Hint{IsYourID: isYourID(m.Payload, f), Shape: f.side(m.Payload).shape})
}

// header reads the header of a peer of Godot 3.
func header(c *message.Cursor, m *message.Message) (system bool) {
	if m.Payload.Flow.Transport == payload.WebSocket {
		return godot3.WebSocketHeader(c, m)
	}
	return godot3.ENetHeader(c, m)
}

// isYourID reports whether a payload is the first of a server of Godot 4 over WebSocket.
func isYourID(p *payload.Payload, f *flow) bool {
	c := p.Connection
	if p.Flow.Transport != payload.WebSocket || c == nil || !c.Began || p.Src != c.Server || len(p.Bytes) != 4 {
		return false
	}
	_, known := f.clients[c]
	return !known
}

// plain reads a payload that is one Variant or bytes. In a flow of Variants, a damaged Variant is
// recognised by its header.
func plain(c *message.Cursor, m *message.Message, shape message.Shape) {
	if c.Left() == 0 || c.Failed() {
		return
	}
	before := c.Place()
	if n := int64(shape.Header); n > 0 && n < c.Left() {
		c.Header(n)
	}
	begin := c.At
	values, ok := c.Value("value")
	switch isVar := shape.Vars && variants.Begins(c.Bytes[begin:]); {
	case ok && c.Left() == 0:
		m.Kind, m.Args = message.Var, values
	case ok && isVar:
		m.Kind, m.Args = message.Var, append(values, more(c)...)
	case isVar:
		m.Kind, m.Cut = message.Var, c.Cut()
		c.SayCut()
	default:
		c.Return(before)
		m.Kind, m.Data = message.Bytes, c.Data("data")
	}
}

// more reads what follows a value: other values, or bytes that are none.
func more(c *message.Cursor) (values []variants.Value) {
	first := c.Place()
	for n := 2; c.Left() > 0; n++ {
		isNull := c.Bytes[c.At] == 0 // zeros at the end are no values
		v, ok := c.Value(fmt.Sprintf("value %d", n))
		if !ok || isNull {
			c.Return(first)
			c.Rest(span.Error, span.TrailingBytes, span.Bytes(c.Left())+" left over behind the value: bytes_to_var and get_var do not read them")
			return nil
		}
		values = append(values, v...)
	}
	c.Warn(c.Last(), message.SeveralValues, fmt.Sprintf("%d values in one packet: bytes_to_var reads only the first", len(values)+1))
	return values
}
