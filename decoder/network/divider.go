package network

import (
	"varview/decoder/network/payload"
	"varview/decoder/network/stream"
	"varview/decoder/network/websocket"
)

// A Divider divides what the two sides of a TCP connection send into messages, each with its framing, so
// that a message can be left out or sent twice. It must see the connection from its beginning.
type Divider struct {
	transport          payload.Transport
	bigEndian, decided bool
	sides              [2]divided
}

// A divided is one side of a connection. Its rest is an incomplete chunk.
type divided struct {
	rest    []byte
	message Chunk // the frames so far of a WebSocket message
	begun   bool  // the head of HTTP has passed
}

// A Chunk is a message with its framing, or bytes between messages.
type Chunk struct {
	Bytes     []byte
	IsMessage bool
	IsRequest bool // for a WebSocket connection

	runs []run // runs of the payload in Bytes
	text bool
}

// A run is a part of a payload, in which byte i is masked with mask[i%4].
type run struct {
	at, n int
	mask  [4]byte
}

// mostHeld is the size of the longest message that is kept until it is complete.
const mostHeld = 1 << 20

// NewDivider returns a divider of a connection. Unless set is given, it detects what the connection
// carries.
func NewDivider(set payload.Transport) *Divider { return &Divider{transport: set} }

// NewMessage returns a message without framing.
func NewMessage(b []byte) Chunk {
	return Chunk{Bytes: b, IsMessage: true, runs: []run{{n: len(b)}}}
}

// IsDivided reports whether the connection carries messages, as far as that is known: WebSocket, or values
// that each follow their length.
func (d *Divider) IsDivided() bool {
	return !d.decided || d.transport == payload.WebSocket || d.transport == payload.TCP
}

// Add takes bytes that the client or server has sent, and returns the complete chunks.
func (d *Divider) Add(isServer bool, b []byte) (all []Chunk) {
	s := d.side(isServer)
	s.rest = append(s.rest, b...)
	d.decide(s.rest)
	for len(s.rest) > 0 {
		c, isThere := d.next(s, isServer)
		if !isThere && len(s.rest)+len(s.message.Bytes) > mostHeld {
			c, isThere = d.lose(s), true
		}
		if !isThere {
			break
		}
		if len(c.Bytes) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// End returns the rest of one side.
func (d *Divider) End(isServer bool) Chunk { return d.side(isServer).all() }

func (d *Divider) side(isServer bool) *divided {
	if isServer {
		return &d.sides[1]
	}
	return &d.sides[0]
}

// decide finds out what the connection carries by its first bytes. Godot sends a length in one piece, so
// fewer bytes begin something else.
func (d *Divider) decide(start []byte) {
	found, bigEndian := recognize(start)
	if d.decided || found == payload.Unknown && d.transport == payload.TCP {
		return
	}
	d.decided, d.bigEndian = true, bigEndian
	if d.transport == payload.Unknown {
		d.transport = found
	}
}

// next takes the next chunk, which may be empty, from what a side has sent.
func (d *Divider) next(s *divided, isServer bool) (c Chunk, isThere bool) {
	switch {
	case d.transport != payload.TCP && d.transport != payload.WebSocket:
		return s.all(), true
	case d.transport == payload.WebSocket && !s.begun:
		return d.head(s, isServer)
	}
	return d.framed(s)
}

// head takes the head of HTTP.
func (d *Divider) head(s *divided, isServer bool) (c Chunk, isThere bool) {
	end := websocket.HeadEnd(s.rest)
	if end < 0 {
		return c, false
	}
	c = Chunk{Bytes: s.take(end), IsRequest: !isServer}
	s.begun = true
	if isServer && !websocket.Agrees(c.Bytes) {
		d.transport = payload.Stream
	}
	return c, true
}

// framed takes a value with its length, or a WebSocket frame. The last one of a message completes the chunk; a control frame
// overtakes the message that it interrupts.
func (d *Divider) framed(s *divided) (c Chunk, isThere bool) {
	x, f := websocket.Cut(s.rest, true), websocket.Frame{IsLast: true}
	if d.transport == payload.TCP {
		x = stream.Lengths(d.bigEndian).Cut(s.rest)
	}
	switch {
	case x.Wrong || x.Size > mostHeld:
		return d.lose(s), true
	case x.More:
		return c, false
	}
	b := s.take(x.End())
	if d.transport == payload.WebSocket {
		f, _ = websocket.ParseFrame(b)
	}
	if f.IsControl() {
		return Chunk{Bytes: b}, true
	}
	m := &s.message
	m.text = m.text || f.IsText()
	m.runs = append(m.runs, run{len(m.Bytes) + x.Head, x.Size, f.Mask})
	m.Bytes = append(m.Bytes, b...)
	if f.IsLast {
		c, s.message = *m, Chunk{}
		c.IsMessage = true
	}
	return c, true
}

// lose takes everything that a side has sent: what follows is not divided.
func (d *Divider) lose(s *divided) Chunk {
	d.transport = payload.Stream
	return s.all()
}

// all takes everything that is there.
func (s *divided) all() Chunk {
	b := append(s.message.Bytes, s.rest...)
	s.message, s.rest = Chunk{}, nil
	return Chunk{Bytes: b}
}

// take takes n bytes.
func (s *divided) take(n int) []byte {
	b := s.rest[:n:n]
	s.rest = s.rest[n:]
	return b
}

// Corrupt changes a byte of a message's payload by the bits of by, and keeps the framing. From the index
// from on it looks for a byte that may change: in a text only ASCII, which remains ASCII if by is below
// 0x80, since receivers refuse text that is not UTF-8 and end the connection. It returns the index; -1 if
// no byte may change.
func (c *Chunk) Corrupt(from int, by byte) (at int) {
	size := c.Size()
	for i := range size {
		at = (from + i) % size
		b, mask := c.at(at)
		if !c.text || (*b^mask) < 0x80 {
			*b ^= by
			return at
		}
	}
	return -1
}

// Size returns the size of the payload.
func (c *Chunk) Size() (n int) {
	for _, r := range c.runs {
		n += r.n
	}
	return n
}

// at returns a pointer to a byte of the payload, and its mask.
func (c *Chunk) at(i int) (b *byte, mask byte) {
	for _, r := range c.runs {
		if i < r.n {
			return &c.Bytes[r.at+i], r.mask[i&3]
		}
		i -= r.n
	}
	return nil, 0
}
