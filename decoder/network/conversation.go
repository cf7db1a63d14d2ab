package network

import (
	"bytes"
	"net/netip"

	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/stream"
	"varview/decoder/network/tcp"
	"varview/decoder/network/websocket"
)

// A conversation is a TCP connection.
type conversation struct {
	flow       *flow
	connection *payload.Connection
	sides      [2]*half // what A sends, what B sends
	session    *websocket.Session
	first      uint32 // sequence number of the client's SYN
	sawSYN     bool
	hasData    bool
	passed     int // number of segments that begin nothing known, in a capture without the beginning
	closed     bool
}

// A half is one direction of a conversation. Its reader is nil until it is known what the flow carries.
type half struct {
	of     *conversation
	isB    bool // B sends it
	in     *tcp.Direction
	reader reader
	start  payload.Bytes // bytes received until that is known
}

// maxPassed is the number of segments after which a conversation without its beginning is taken for
// something else.
const maxPassed = 64

// A reader reads what a direction carries.
type reader interface {
	tcp.Sink
	End()
	Head() payload.Bytes // what frames the payload that is handed over
}

func (f *flow) newConversation(number int) *conversation {
	c := &conversation{flow: f, connection: &payload.Connection{Number: number}}
	for i := range c.sides {
		h := &half{of: c, isB: i == 1}
		h.in = tcp.NewDirection(f.engine.pool, h)
		c.sides[i] = h
	}
	if !f.set {
		f.Transport = payload.Unknown
	}
	return c
}

// segment reads a TCP segment.
func (f *flow) segment(h link.TCPHeader, b payload.Bytes, missing int, toB bool) {
	p := f.engine.packet
	isConnect := h.Flags&(link.SYN|link.ACK) == link.SYN
	switch {
	case f.tcp == nil:
		f.tcp = f.newConversation(1)
	case isConnect && (f.tcp.closed || f.tcp.hasData) && f.tcp.first != h.Seq:
		f.tcp.close()
		f.tcp = f.newConversation(f.tcp.connection.Number + 1)
	}
	c := f.tcp
	from := c.sides[0]
	if !toB {
		from = c.sides[1]
	}
	if h.Flags&link.SYN != 0 {
		c.sawSYN = true
		if isConnect {
			c.connection.Began, c.first = true, h.Seq
			c.connection.Client, c.connection.Server = f.ends(toB)
		} else if !c.connection.Server.IsValid() {
			c.connection.Client, c.connection.Server = f.ends(!toB)
		}
		if !from.in.Started() {
			from.in.Start(h.Seq + 1)
		}
		h.Seq++
	}
	from.in.Add(h.Seq, b, missing, p.Time)
	from.in.Tick(p.Time)
	if h.Flags&(link.FIN|link.RST) != 0 && !c.closed {
		c.closed = true
		if f.Transport == payload.TCP {
			f.engine.handler.Closed(f.Flow)
		}
	}
}

// ends returns sender and receiver.
func (f *flow) ends(toB bool) (src, dst netip.AddrPort) {
	if toB {
		return f.A, f.B
	}
	return f.B, f.A
}

// close gives up missing bytes and ends both directions.
func (c *conversation) close() {
	for _, h := range c.sides {
		h.in.Close()
		if h.reader != nil {
			h.reader.End()
		}
	}
}

// Data implements tcp.Sink.
func (h *half) Data(b payload.Bytes) {
	if h.reader != nil {
		h.reader.Data(b)
		return
	}
	c := h.of
	switch c.flow.Transport {
	case payload.TLS, payload.Stream:
		return
	}
	c.hasData = true
	h.start.Append(b, 0, len(b.Data))
	if c.decide(h, b.Data) {
		c.begin(h)
	}
}

// Gap implements tcp.Sink.
func (h *half) Gap(n int64) {
	if h.reader != nil {
		h.reader.Gap(n)
		return
	}
	h.start = payload.Bytes{} // the bytes after the gap are the start
}

// decide finds out what a TCP flow carries by the start of one direction; b is the last segment of that. It
// reports whether that is known.
func (c *conversation) decide(h *half, b []byte) bool {
	f, start := c.flow, h.start.Data
	found, bigEndian := recognize(start)
	switch {
	case f.set:
		f.BigEndian = bigEndian
		return found != payload.Unknown || f.Transport != payload.TCP
	case !c.sawSYN && len(b) == len(start) && isMidWebSocket(b, found == payload.TCP):
		f.Transport = payload.WebSocket
		return true
	case found == payload.Unknown:
		return false
	case found == payload.TCP && (c.sawSYN || stream.MayBegin(start, bigEndian)):
		f.BigEndian = bigEndian
	case found == payload.TCP:
		found = payload.Stream
	}
	if found == payload.Stream && !c.sawSYN && c.passed < maxPassed { // the capture may begin in the middle of a value or frame
		h.start = payload.Bytes{}
		c.passed++
		return false
	}
	f.Transport = found
	if f.Transport == payload.TLS {
		h.Problem(payload.Bytes{Parts: h.start.Parts}, payload.Encrypted, "the flow is encrypted with TLS, and is not read")
	}
	return true
}

// recognize returns what a TCP connection carries if one side begins with these bytes; Unknown if more
// bytes are needed. bigEndian is for values that follow their length.
func recognize(start []byte) (found payload.Transport, bigEndian bool) {
	isFraming, bigEndian, more := stream.Recognize(start)
	switch {
	case more:
		return payload.Unknown, false
	case isHead(start):
		return payload.WebSocket, bigEndian
	case start[0] >= 20 && start[0] <= 23 && start[1] == 3 && start[2] <= 4:
		return payload.TLS, bigEndian
	case isFraming:
		return payload.TCP, bigEndian
	}
	return payload.Stream, bigEndian
}

// isHead reports whether bytes begin a request or a response of HTTP.
func isHead(b []byte) bool {
	return bytes.HasPrefix(b, []byte("GET ")) || bytes.HasPrefix(b, []byte("HTTP"))
}

// isMidWebSocket reports whether the bytes of a segment look like WebSocket whose beginning is missing.
func isMidWebSocket(b []byte, isFraming bool) bool {
	return websocket.BeginsFrame(b) && b[0]&0x0f != 0 && (len(b) == 2 || !isFraming)
}

// begin begins to read both directions, by the start of one of them.
func (c *conversation) begin(h *half) {
	c.session = &websocket.Session{}
	hasHead := isHead(h.start.Data)
	serverIsB := h.isB == (bytes.HasPrefix(h.start.Data, []byte("HTTP")) || !hasHead && !isMasked(h.start.Data))
	if c.connection.Server.IsValid() {
		serverIsB = c.connection.Server == c.flow.B
	}
	for _, side := range c.sides {
		switch c.flow.Transport {
		case payload.TCP:
			side.reader = stream.NewReader(c.flow.engine.pool, c.flow.BigEndian, side)
		case payload.WebSocket:
			isServer := side.isB == serverIsB
			inHead := hasHead && (side == h || isServer || c.sawSYN)
			side.reader = websocket.NewReader(c.flow.engine.pool, c.session, isServer, inHead, side)
		}
	}
	for _, side := range c.sides {
		start := side.start
		side.start = payload.Bytes{}
		if side.reader != nil && len(start.Data) > 0 {
			side.reader.Data(start)
		}
	}
}

// isMasked reports whether a WebSocket frame has a mask, as clients send it.
func isMasked(b []byte) bool { return len(b) > 1 && b[1]&0x80 != 0 }

// Value implements stream.Out.
func (h *half) Value(b payload.Bytes, partial bool) {
	f := h.of.flow
	p := f.payload(b, !h.isB)
	p.Connection, p.Partial, p.Head = h.of.connection, partial, h.reader.Head()
	f.engine.handler.Payload(p)
}

// Message implements websocket.Out.
func (h *half) Message(b payload.Bytes, _, partial bool) { h.Value(b, partial) }

// Open implements websocket.Out.
func (h *half) Open() {
	if c := h.of.connection; !c.Server.IsValid() {
		c.Server, c.Client = h.of.flow.ends(!h.isB)
	}
}

// Close implements websocket.Out.
func (h *half) Close() { h.of.flow.engine.handler.Closed(h.of.flow.Flow) }

// Refused implements websocket.Out.
func (h *half) Refused() {
	h.of.flow.Transport = payload.Stream
	for _, side := range h.of.sides {
		side.reader = nil
	}
}

// Problem implements stream.Out and websocket.Out.
func (h *half) Problem(at payload.Bytes, code, message string) { h.of.flow.Problem(at, code, message) }
