package network

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"time"
	"unicode/utf8"

	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/stream"
	"varview/decoder/network/tcp"
	"varview/decoder/network/variants"
	"varview/decoder/network/websocket"
)

// A conversation is a TCP connection.
type conversation struct {
	flow              *flow
	connection        *payload.Connection
	sides             [2]*half // what A sends, what B sends
	session           *websocket.Session
	first             uint32 // sequence number of the client's SYN
	sawSYN, hasData   bool
	isLate            bool // it was said that the capture begins after the connection
	passed            int  // number of segments that begin nothing known, in a capture without the beginning
	closed            bool
	asked             bool // for WebSocket
	askedAt           time.Time
	protocols         string    // subprotocols that the client asks for
	isHTTP            bool      // without WebSocket
	http              [2]string // first lines of what is asked and answered then
	ended             bool      // no more bytes come
	complained        bool      // its end was reported as a problem
	parted            bool      // a side has closed the WebSocket
	refusal           func()    // reports a refusal: by the server, before what was asked for was captured, or by the client
	answered          bool      // the server has answered a request for a WebSocket
	spoken            bool      // the client has sent a message
	payloads, bytes   int
	accepted          bool  // the server has answered the client's SYN
	endedBy           *half // who has ended the connection first
	isBroken          bool  // with RST
	syns              int   // number of the client's SYNs
	firstSYN, lastSYN time.Time
	last, resumed     time.Time     // when the last packet came, and the one after the last long silence
	silence           time.Duration // that silence
	atSYN             payload.Part
	atFirst           payload.Part // first packet
}

// A half is one direction of a conversation. Its reader is nil until it is known what the flow carries.
type half struct {
	of     *conversation
	other  *half
	isB    bool // B sends it
	in     *tcp.Direction
	reader reader
	pace   tcp.Pace
	start  payload.Bytes // bytes received until that is known
	tried  int           // number of them when their content was looked at last

	spoken bool // it has sent something of TLS
	pings  int  // number of its pings that are not answered

	full    time.Time     // since when it has no room for what the other side sends; zero if it has
	stalled time.Duration // for how long it had none

	framing *stream.Framing // how values follow one another; nil while that is unknown
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
	c.sides[0].other, c.sides[1].other = c.sides[1], c.sides[0]
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
	if silence := p.Time.Sub(c.last); silence >= longSilence && !c.last.IsZero() {
		c.silence, c.resumed = silence, p.Time
	}
	c.last = p.Time
	from := c.sides[0]
	if !toB {
		from = c.sides[1]
	}
	c.follow(h, toB, isConnect)
	c.measure(from, h, len(b.Data)+missing)
	c.bytes += len(b.Data) + missing
	if h.Flags&link.SYN != 0 {
		c.synchronize(from, h.Seq, isConnect)
		h.Seq++
	}
	from.in.Add(h.Seq, b, missing, p.Time)
	from.in.Tick(p.Time)
	if h.Flags&(link.FIN|link.RST) != 0 && !c.closed {
		c.end(from, h.Flags&link.FIN != 0)
	}
}

// synchronize takes the number with which a direction begins, and who is the client.
func (c *conversation) synchronize(from *half, seq uint32, isConnect bool) {
	c.sawSYN = true
	if isConnect {
		c.connection.Began, c.first = true, seq
	}
	if isConnect || !c.connection.Server.IsValid() {
		c.connection.Client, c.connection.Server = c.flow.Ends(from.isB == isConnect)
	}
	if !from.in.Begun {
		from.in.Start(seq + 1)
	}
}

// end takes the end of the connection, with FIN or RST, which is a problem if it breaks off what is under way.
func (c *conversation) end(from *half, isFIN bool) {
	c.closed, c.endedBy, c.isBroken = true, from, !isFIN
	f := c.flow
	src, dst := f.Ends(from.isB)
	at := payload.Bytes{Parts: f.engine.part[:]}
	isRead := f.Transport == payload.WebSocket || f.Transport == payload.TCP
	switch {
	case c.complained, c.parted && isFIN:
	case f.Transport == payload.WebSocket && c.payloads > 0 && !c.parted:
		how := span.Error
		if isFIN { // as a game that is quit
			how = span.Warning
		}
		f.report(at, false, span.Problem{Severity: how, Code: payload.ClosedBadly, Message: fmt.Sprintf("%s %s without closing the WebSocket: the other side is told 1006, abnormal closure%s", src, c.howEnded(dst), from.unansweredPings())})
	case !isFIN && isRead && c.payloads > 0 && !c.parted:
		c.flow.Problem(at, payload.ClosedBadly, fmt.Sprintf("%s %s: its program has ended, or has closed the connection before it has read all; what is on its way is lost", src, c.howEnded(dst)))
	case !isFIN:
		c.flow.Event(at, fmt.Sprintf("%s %s", src, c.howEnded(dst)))
	}
	if f.Transport == payload.TCP {
		f.engine.handler.Closed(f.Flow)
	}
}

// longSilence is how long nothing must be sent for what is on the way to forget a connection; no proxy waits for less.
const longSilence = 50 * time.Second

// howEnded says how the connection with an address was ended.
func (c *conversation) howEnded(with netip.AddrPort) string {
	text := fmt.Sprintf("ends the TCP connection with %s", with)
	if c.isBroken {
		text = fmt.Sprintf("breaks off the connection with %s (RST)", with)
	}
	if c.silence > 0 && c.last.Sub(c.resumed) < longSilence/10 {
		text += fmt.Sprintf(" after %.0f s without a packet (proxies, routers and firewalls end what is idle: send pings)", c.silence.Seconds())
	}
	return text
}

// measure counts what a segment of n bytes repeats, and how long the acknowledgement of what the other side has sent took.
func (c *conversation) measure(from *half, h link.TCPHeader, n int) {
	now := c.flow.engine.packet.Time
	other := from.other
	sent, answered := c.flow.From(from.src()), c.flow.From(other.src())
	const ends = link.SYN | link.FIN | link.RST
	switch isZero := h.Window == 0 && h.Flags&ends == 0; {
	case isZero && from.full.IsZero():
		from.full = now
		fallthrough
	case isZero:
		sent.ZeroWindows++
	case !from.full.IsZero():
		from.full = time.Time{}
	}
	if !from.full.IsZero() {
		from.stalled = max(from.stalled, now.Sub(from.full))
	}
	isLive := h.Flags&ends == 0 && n <= 1 // perhaps a probe whether the other side is still there
	if h.Flags&(link.SYN|link.FIN) != 0 {
		n++
	}
	if h.Flags&link.RST == 0 && from.pace.Sends(h.Seq, n, isLive, from.in.HasPassed(h.Seq), now) {
		sent.Resend(c.flow.engine.part[0])
	}
	if trip, ok := other.pace.Acknowledged(h.Ack, now); ok && h.Flags&link.ACK != 0 {
		answered.Trips.Add(trip)
	}
}

// follow follows the beginning and the end of the connection.
func (c *conversation) follow(h link.TCPHeader, toB, isConnect bool) {
	e := c.flow.engine
	src, dst := c.flow.Ends(!toB)
	at := payload.Bytes{Parts: []payload.Part{whole(e.packet)}}
	if c.atFirst.Frame == 0 {
		c.atFirst = at.Parts[0]
	}
	switch {
	case isConnect:
		if c.syns++; c.syns == 1 {
			c.firstSYN, c.atSYN = e.packet.Time, at.Parts[0]
		}
		c.lastSYN = e.packet.Time
	case c.syns > 0 && !c.accepted && h.Flags&link.RST != 0 && src == c.connection.Server:
		c.accepted, c.complained = true, true
		c.flow.Problem(at, payload.Refused, fmt.Sprintf("%s refuses the connection of %s (RST): no program listens there", src, dst))
	case h.Flags&link.ACK != 0 && src == c.connection.Server && !c.accepted:
		c.accepted = true
		e.servers.Add(src)
	}
}

// conclude reports that nobody has answered, or that nothing is understood.
func (c *conversation) conclude() {
	at := payload.Bytes{Parts: []payload.Part{c.atFirst}}
	if h := c.unseen(); h != nil {
		c.flow.Problem(at, payload.OneDirection, c.flow.Lacks(h.isB))
		return
	}
	if c.refusal != nil && c.answered && !c.spoken {
		c.refusal()
		return
	}
	switch {
	case c.complained || c.payloads > 0:
	case c.flow.Transport == payload.TLS:
		c.concludeTLS(at)
	case c.asked && !c.answered:
		c.unansweredWebSocket(at)
	default:
		if message := c.emptiness(); message != "" {
			c.flow.Problem(at, payload.NotUnderstood, message)
		}
	}
	c.unanswered(at)
	for _, h := range c.sides {
		h.gone(at)
		h.reads(at)
	}
}

// longStall is for how long a side must have no room to say so.
const longStall = time.Second

// reads reports that a side does not read what the other sends.
func (h *half) reads(at payload.Bytes) {
	if h.stalled >= longStall {
		src, dst := h.of.flow.Ends(h.isB)
		h.Problem(at, payload.NotRead, fmt.Sprintf("%s has no room for what %s sends for %.1f s (its TCP window is 0): its program does not read, or hangs", src, dst, h.stalled.Seconds()))
	}
}

// unseen returns the direction of which nothing was captured, though the other side acknowledges it; nil if there is none.
func (c *conversation) unseen() *half {
	for _, h := range c.sides {
		if h.pace.IsUnseen() {
			return h
		}
	}
	return nil
}

// emptiness says why the connection has no messages; "" if that is not known.
func (c *conversation) emptiness() string {
	ends, size := fmt.Sprintf("%s and %s", c.flow.A, c.flow.B), span.Bytes(int64(c.bytes))
	switch {
	case c.answered && !c.parted:
		return ends + " are connected with WebSocket, but neither sends a message in this capture"
	case c.isHTTP:
		return fmt.Sprintf("%s speak HTTP without WebSocket, which is not read (%s): %q is answered with %q", ends, size, c.http[0], c.http[1])
	case c.bytes == 0 && c.accepted:
		return ends + " are connected, but neither sends anything in this capture"
	case c.bytes > 0 && (c.flow.Transport == payload.Unknown || c.flow.Transport == payload.Stream):
		return fmt.Sprintf("nothing is understood of what %s send each other over TCP (%s)", ends, size)
	}
	return ""
}

// notes notes the first lines of HTTP without WebSocket.
func (c *conversation) notes(b []byte) {
	i := 0
	if bytes.HasPrefix(b, []byte("HTTP/")) {
		i = 1
	}
	if line, _, isLine := bytes.Cut(b, []byte("\r\n")); isLine && isHead(b) && c.http[i] == "" {
		c.http[i] = string(line[:min(len(line), mostGreeting)])
	}
}

// unanswered reports that the server has not answered the client's SYN.
func (c *conversation) unanswered(at payload.Bytes) {
	switch {
	case c.syns > 1 && !c.accepted:
		c.flow.Problem(payload.Bytes{Parts: []payload.Part{c.atSYN}}, payload.NoAnswer,
			fmt.Sprintf("%s asks %s for a connection %d times in %.1f s, and is not answered: %s",
				c.connection.Client, c.connection.Server, c.syns, c.lastSYN.Sub(c.firstSYN).Seconds(), c.flow.engine.servers.Unanswering(c.connection.Server)))
	case c.syns == 1 && !c.accepted && c.bytes == 0:
		c.flow.Problem(at, payload.NotUnderstood, fmt.Sprintf("%s asks %s for a connection, and the capture has no answer", c.connection.Client, c.connection.Server))
	}
}

// gone reports that the receiver of a direction is gone.
func (h *half) gone(at payload.Bytes) {
	if n, over := h.pace.Repeated(); n >= enoughSent && !h.of.closed {
		src, dst := h.of.flow.Ends(h.isB)
		h.Problem(at, payload.TimedOut, fmt.Sprintf("%s has sent the same bytes %d times in %.1f s, and %s has never acknowledged them: %s is gone, and the connection has timed out",
			src, n, over.Seconds(), dst, dst))
	}
}

// enoughSent is how often bytes must be sent without an acknowledgement to say that their receiver is gone.
const enoughSent = 5

// close gives up missing bytes and ends both directions.
func (c *conversation) close() {
	c.ended = true
	for _, h := range c.sides {
		h.in.Close()
		if h.reader == nil && len(h.start.Data) > 0 && (c.flow.Transport == payload.Unknown || c.flow.Transport == payload.TCP) {
			c.decideNow(h)
		}
		if h.reader != nil {
			h.reader.End()
		}
	}
	c.conclude()
}

// Data implements tcp.Sink.
func (h *half) Data(b payload.Bytes) {
	if h.reader != nil {
		h.reader.Data(b)
		return
	}
	c := h.of
	switch c.flow.Transport {
	case payload.TLS:
		h.tls(b)
		return
	case payload.Stream:
		h.of.notes(b.Data)
		return
	}
	if len(h.start.Data) == 0 {
		h.greets(b)
	}
	c.hasData = true
	h.start.Append(b, 0, len(b.Data))
	if c.decide(h, b.Data) {
		c.begin(h)
	}
}

// services begin what servers of other protocols send.
var services = []struct{ start, name string }{{"SSH-", "a server of SSH"}, {"RFB 0", "a server of VNC"}, {"HTTP/1.", "a web or WebSocket server, which does not read values over TCP"}}

// greets reports that the server of another protocol answers a client that does not speak it.
func (h *half) greets(b payload.Bytes) {
	c := h.of
	i := slices.IndexFunc(services, func(s struct{ start, name string }) bool { return bytes.HasPrefix(b.Data, []byte(s.start)) })
	if other := h.other; i < 0 || h.src() != c.connection.Server || isHead(other.start.Data) || c.flow.Transport == payload.WebSocket || b.Data[0] == 'H' && !c.hasData {
		return
	}
	c.complained = true
	line, _, _ := bytes.Cut(b.Data, []byte("\r\n"))
	h.Problem(b, payload.Refused, fmt.Sprintf("%s answers %s with %q: another program listens there, %s", h.src(), c.connection.Client, line[:min(len(line), mostGreeting)], services[i].name))
}

// mostGreeting is the number of bytes of a greeting that are shown.
const mostGreeting = 60

// Gap implements tcp.Sink.
func (h *half) Gap(n int64) {
	if h.reader != nil {
		h.reader.Gap(n)
		return
	}
	if len(h.start.Data) > 0 && h.of.decideNow(h) {
		h.reader.Gap(n)
		return
	}
	h.start, h.tried = payload.Bytes{}, 0 // the bytes after the gap are the start
}

// decide finds out what a TCP flow carries by the start of one direction; b is the last segment of that. It
// reports whether that is known.
func (c *conversation) decide(h *half, b []byte) bool {
	f := c.flow
	found, bigEndian := recognize(h.start.Data)
	switch {
	case f.set:
		h.framing = stream.Lengths(bigEndian)
		return found != payload.Unknown || f.Transport != payload.TCP
	case f.Transport != payload.TCP && !c.sawSYN && len(b) == len(h.start.Data) && isMidWebSocket(b, found == payload.TCP):
		f.Transport = payload.WebSocket
		return true
	case found == payload.Unknown:
		return false
	case found == payload.TCP, found == payload.Stream, f.Transport == payload.TCP:
		return c.decideValues(h, found == payload.TCP, bigEndian)
	case found == payload.TLS:
		h.spoken = true
		h.Problem(payload.Bytes{Parts: h.start.Parts}, payload.Encrypted, "the flow is encrypted with TLS, and is not read")
	}
	f.Transport = found
	return true
}

// decideValues finds out whether a stream carries values; mayHaveLength says that it may begin with a length. The other
// direction may have shown it before.
func (c *conversation) decideValues(h *half, mayHaveLength, bigEndian bool) bool {
	f, other := c.flow, h.other
	if known, wait := c.frame(h, mayHaveLength); known || wait {
		return known
	}
	switch {
	case other.framing != nil && !other.framing.IsLengths():
		h.framing = other.framing
	case mayHaveLength && stream.MayBegin(h.start.Data, bigEndian):
		h.framing = stream.Lengths(bigEndian)
	case other.framing != nil && c.sawSYN:
		h.setFraming(stream.Segments)
	case other.framing != nil:
		h.framing = other.framing
	case !c.sawSYN && c.passed < maxPassed: // the capture may begin in the middle of a value or frame
		h.start, h.tried = payload.Bytes{}, 0
		c.passed++
		return false
	default:
		f.Transport = payload.Stream
		return true
	}
	f.Transport = payload.TCP
	return true
}

// mostUnframed is the number of bytes that are looked at for the framing of a stream.
const mostUnframed = 16 << 10

// frame finds out how the values of a direction are framed, by their content. wait is set if more bytes may show
// it. mayHaveLength says that the stream may begin with a length of 32 bits.
func (c *conversation) frame(h *half, mayHaveLength bool) (known, wait bool) {
	if len(h.start.Data) < 2*h.tried && !c.ended { // so that the cost stays in proportion
		return false, true
	}
	h.tried = len(h.start.Data)
	readers := c.flow.engine.readers.All("godot4")
	framing, isWhole := stream.Detect(h.start.Data, readers...), mayHaveLength && c.isWhole(h.start.Data)
	if !c.sawSYN {
		if framing, wait = c.resume(h, framing, readers); wait {
			return false, true
		}
	}
	if framing != nil {
		c.flow.Transport = payload.TCP
		h.setFraming(framing)
		return true, false
	}
	isWhole = isWhole || mayHaveLength && c.sawSYN && len(h.start.Data) == stream.LengthSize
	return false, !isWhole && len(h.start.Data) < mostUnframed && !c.ended
}

// resume finds out how values are framed in a direction whose beginning is missing, unless they are as it seems, and leaves out
// what is before the first. wait is set if more bytes may show it.
func (c *conversation) resume(h *half, seems *stream.Framing, readers []*variants.Reader) (is *stream.Framing, wait bool) {
	n := fits(seems, h.start.Data)
	if wait = n > 0 && n < sure && !c.ended; wait || n >= sure {
		return seems, wait
	}
	at, is := stream.Resume(h.start.Data, c.ended || len(h.start.Data) >= mostUnframed, readers...)
	switch {
	case is != nil:
		c.isLate = true
		h.Problem(h.start, payload.BeginsLate, fmt.Sprintf("the capture begins in the middle of a TCP stream: the first %s are left out; begin it before the players connect", span.Bytes(int64(at))))
		h.start = h.start.Slice(at, len(h.start.Data)-at)
	case n > 0:
		return seems, false
	}
	return is, false
}

// sure is the number of values that show how they are framed.
const sure = 2

// fits returns how many values with a framing bytes consist of. One is enough, unless its length may have come before the capture.
func fits(f *stream.Framing, b []byte) (n int) {
	if f != nil {
		n, _ = f.Count(b)
	}
	if n == 1 && (f.Head > 0 || f.Fine) {
		return sure
	}
	return n
}

// isWhole reports whether a direction begins with a value with its length, and not with values without one.
func (c *conversation) isWhole(start []byte) bool {
	little, _ := stream.Length(start, false)
	big, _ := stream.Length(start, true)
	n, bigEndian := int64(min(little, big))+stream.LengthSize, big < little
	if int64(len(start)) < n || n == stream.LengthSize {
		return false
	}
	if !c.sawSYN { // a length may be anything that the capture begins with
		_, isWhole := stream.Lengths(bigEndian).Count(start)
		return isWhole
	}
	return int64(len(start)) == n || !stream.MayBeBare(start, c.flow.engine.readers.All("godot4")...)
}

// setFraming sets how values are framed, and says so, unless the other direction has them so too.
func (h *half) setFraming(framing *stream.Framing) {
	h.framing = framing
	src, dst := h.of.flow.Ends(h.isB)
	switch other := h.other.framing; {
	case other != nil && other.About == framing.About && other.BigEndian == framing.BigEndian:
	case other != nil && other.IsLengths() && framing.IsLengths():
		h.Problem(h.start, payload.OtherFraming, fmt.Sprintf("%s sends lengths with their %s byte first, and %s with their %s: set big_endian to the same on both sides",
			src, firstByte[framing.BigEndian], dst, firstByte[other.BigEndian]))
	case framing.IsLengths():
	case framing.Fine:
		h.of.flow.Event(h.start, "the TCP stream has "+framing.Holds+", "+framing.About)
	default:
		h.Problem(h.start, payload.OtherFraming, fmt.Sprintf("%s sends a TCP stream %s: get_var and PacketPeerStream expect a length of 32 bits, as put_var writes it", src, framing.About))
	}
}

// firstByte is which byte of a length comes first, if that is big-endian or not.
var firstByte = map[bool]string{true: "highest", false: "lowest"}

// decideNow decides what the connection carries, as no more bytes may show it. It reports whether a half has a
// reader then.
func (c *conversation) decideNow(h *half) bool {
	was := c.ended
	c.ended = true
	if c.decide(h, h.start.Data) {
		c.begin(h)
	}
	c.ended = was
	return h.reader != nil
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
	case isTLS(start):
		return payload.TLS, bigEndian
	case isFraming:
		return payload.TCP, bigEndian
	}
	return payload.Stream, bigEndian
}

// isHead reports whether bytes begin a request or a response of HTTP.
func isHead(b []byte) bool {
	return slices.ContainsFunc([]string{"GET ", "HTTP", "POST", "PUT ", "HEAD", "OPTIONS ", "DELETE ", "PATCH ", "CONNECT "}, func(start string) bool { return bytes.HasPrefix(b, []byte(start)) })
}

// isMidWebSocket reports whether the bytes of a segment look like WebSocket whose beginning is missing.
func isMidWebSocket(b []byte, isFraming bool) bool {
	return websocket.BeginsFrame(b) && b[0]&0x0f != 0 && (len(b) == 2 || !isFraming)
}

// begin begins to read a direction by its start. That of a WebSocket is read with the other.
func (c *conversation) begin(h *half) {
	if !c.sawSYN && !c.isLate {
		c.isLate = true
		c.flow.Event(h.start, fmt.Sprintf("the capture begins after %s and %s were connected: what they sent before is not in it", c.flow.A, c.flow.B))
	}
	switch pool := c.flow.engine.pool; c.flow.Transport {
	case payload.TCP:
		h.reader = stream.NewReader(pool, h.framing, h)
	case payload.WebSocket:
		c.beginWebSocket(h)
	}
	for _, side := range c.sides {
		switch start := side.start; {
		case len(start.Data) == 0:
		case side.reader != nil:
			side.start = payload.Bytes{}
			side.reader.Data(start)
		case c.flow.Transport != payload.TCP:
			side.start = payload.Bytes{}
		case side != h && c.decide(side, start.Data):
			c.begin(side)
		}
	}
}

// beginWebSocket begins to read both directions by the start of one.
func (c *conversation) beginWebSocket(h *half) {
	c.session = &websocket.Session{}
	hasHead := isHead(h.start.Data)
	serverIsB := h.isB == (bytes.HasPrefix(h.start.Data, []byte("HTTP")) || !hasHead && !isMasked(h.start.Data))
	if c.connection.Server.IsValid() {
		serverIsB = c.connection.Server == c.flow.B
	}
	for _, side := range c.sides {
		isServer := side.isB == serverIsB
		inHead := hasHead && (side == h || isServer || c.sawSYN)
		side.reader = websocket.NewReader(c.flow.engine.pool, c.session, isServer, inHead, side)
	}
}

// src returns the address of the sender.
func (h *half) src() netip.AddrPort {
	src, _ := h.of.flow.Ends(h.isB)
	return src
}

// isMasked reports whether a WebSocket frame has a mask, as clients send it.
func isMasked(b []byte) bool { return len(b) > 1 && b[1]&0x80 != 0 }

// Value implements stream.Out.
func (h *half) Value(b payload.Bytes, partial bool) {
	f := h.of.flow
	p := payload.New(f.Flow, h.isB, b, f.engine.packet.Frame, f.engine.packet.Time)
	for _, x := range b.Parts { // it may have waited
		if x.Frame == p.Frame() {
			p.Time = x.Time
		}
	}
	h.of.payloads++
	h.of.spoken = h.of.spoken || p.Src != h.of.connection.Server
	p.Connection, p.Partial, p.Head = h.of.connection, partial, h.reader.Head()
	f.Payload(p)
}

// Message implements websocket.Out.
func (h *half) Message(b payload.Bytes, text, partial bool) {
	if text && !partial && !utf8.Valid(b.Data) {
		h.Problem(b, payload.WrongFrame, "a text message of WebSocket that is not UTF-8: its receiver closes the connection with 1007; send it as binary")
	}
	h.Value(b, partial)
}

// Problem implements stream.Out and websocket.Out.
func (h *half) Problem(at payload.Bytes, code, message string) { h.of.flow.Problem(at, code, message) }
