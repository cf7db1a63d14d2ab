package network

import (
	"container/list"
	"fmt"
	"net/netip"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/network/enet"
	"varview/decoder/network/fragment"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/pool"
	"varview/decoder/network/variants"
)

const (
	// memory is the largest number of bytes that wait to be joined.
	memory = 32 << 20

	// maxFlows is the largest number of flows whose state is kept. The one that was quiet for longest is
	// forgotten first.
	maxFlows = 16 << 10
)

// An Engine reads packets one after the other.
type Engine struct {
	options  Options
	handler  payload.Handler
	summary  Summary
	pool     *pool.Pool
	joiner   *fragment.Joiner
	unpacker enet.Unpacker
	flows    map[flowKey]*flow
	recent   list.List // of *flow, the one that was quiet for longest first

	packet  *pcap.Packet // at work
	headers link.Packet
	part    [1]payload.Part
	known   map[uint16]bool // link types that were reported
	crowded bool            // forgetting flows was reported
	summed  int             // number of flows whose checksums were reported
	isOther bool            // what the capture has instead of UDP and TCP was reported
	parts   parts
	doubles doubles
	secret  tally // frames of 802.11 that are encrypted
	servers payload.Servers
	readers variants.Readers // of values that show what streams carry
}

// A flowKey is what the packets of a flow share: the addresses in the order of their bytes.
type flowKey struct {
	protocol uint8
	low, top netip.AddrPort
}

// NewEngine returns an engine that has not read anything.
func NewEngine(o Options, h payload.Handler) *Engine {
	e := &Engine{options: o, handler: h, pool: pool.New(memory), flows: map[flowKey]*flow{}, known: map[uint16]bool{}, servers: payload.Servers{}}
	e.joiner = fragment.NewJoiner(e.pool, func(k fragment.Key, frame int, first payload.Bytes) {
		e.problem(frame, first, span.Truncated, span.Warning, fmt.Sprintf("a datagram from %s to %s with fragments missing in the capture: if one is lost, all of it is; what has up to 1,400 bytes is not divided", k.Src, k.Dst))
		e.isOther = true
	})
	return e
}

// Close ends the reading and gives up what waits.
func (e *Engine) Close() {
	e.joiner.Close()
	for f := e.recent.Front(); f != nil; f = f.Next() {
		f.Value.(*flow).close()
	}
	clear(e.flows)
	e.recent.Init()
	e.reportTallies()
	e.unpacker.Close()
}

// problem reports a problem at bytes.
func (e *Engine) problem(frame int, at payload.Bytes, code string, severity span.Severity, message string) {
	e.report(payload.Problem{Frame: frame, Problem: span.Problem{Severity: severity, Code: code, Message: message}}, at)
}

// report hands over a problem or an event at bytes.
func (e *Engine) report(p payload.Problem, at payload.Bytes) {
	switch {
	case len(at.Parts) > 0:
		p.Span, p.Frame, p.Time = at.Parts[0].At, at.Parts[0].Frame, at.Parts[0].Time
	case e.packet != nil && p.Frame == e.packet.Frame: // something is missing before it
		p.Offset, p.Time = e.packet.At.Offset, e.packet.Time
	}
	e.handler.Problem(&p)
}

// Transport returns what the flow between two addresses carries, as far as that is known.
func (e *Engine) Transport(protocol uint8, a, b netip.AddrPort) payload.Transport {
	if f := e.flows[keyOf(protocol, a, b)]; f != nil {
		return f.Transport
	}
	return payload.Unknown
}

// Packet reads a packet, and then hands over the comments on it.
func (e *Engine) Packet(p *pcap.Packet) {
	e.count(p)
	e.packet = p
	if e.options.Packet != nil {
		e.options.Packet(p)
	}
	e.read(p)
	e.pool.Trim()
	for _, c := range p.Comments {
		e.handler.Problem(&payload.Problem{Problem: span.Problem{Span: p.At, Severity: span.Note, Message: c}, Frame: p.Frame, Event: true, IsComment: true})
	}
}

func (e *Engine) read(p *pcap.Packet) {
	h := &e.headers
	link.Decode(p.Link, p.Data, p.Wire, h)
	if h.Damage.Code != "" {
		h.Damage.Offset += p.At.Offset
		e.handler.Problem(&payload.Problem{Problem: h.Damage, Frame: p.Frame, Time: p.Time})
	}
	if !h.IsIP {
		if h.IsEncrypted {
			e.secret.add(whole(p))
		}
		if !link.Known(p.Link) && !e.known[p.Link] {
			e.known[p.Link] = true
			e.problem(p.Frame, payload.Bytes{}, payload.UnknownLink, span.Warning, fmt.Sprintf("packets of link type %d are not read", p.Link))
		}
		return
	}
	if h.Missing > 0 && !p.Cut {
		e.parts.count(p)
	}
	e.doubles.count(p, h)
	b := e.bytes(h.Start, h.End)
	if !h.IsFragment {
		e.transport(b, h.Missing)
		return
	}
	if h.Missing > 0 {
		return // the datagram stays incomplete
	}
	k := fragment.Key{Src: h.Src, Dst: h.Dst, Protocol: h.Protocol, ID: h.ID}
	if whole, ok := e.joiner.Add(k, h.Offset, h.More, b, p.Frame, p.Time); ok {
		e.transport(whole, 0)
	}
}

func (e *Engine) count(p *pcap.Packet) {
	s := &e.summary
	s.Packets++
	if p.Time.IsZero() {
		return
	}
	if s.First.IsZero() || p.Time.Before(s.First) {
		s.First = p.Time
	}
	if p.Time.After(s.Last) {
		s.Last = p.Time
	}
}

// bytes returns bytes of the current packet.
func (e *Engine) bytes(from, to int) payload.Bytes {
	p := e.packet
	e.part[0] = payload.Part{At: span.Span{Offset: p.At.Offset + int64(from), Length: int64(to - from)}, Length: int64(to - from), Frame: p.Frame, Time: p.Time,
		Cost: float32(p.Wire) / float32(max(to-from, 1)), Comments: p.Comments}
	return payload.Bytes{Data: p.Data[from:to], Parts: e.part[:]}
}

// transport reads a UDP datagram or a TCP segment.
func (e *Engine) transport(b payload.Bytes, missing int) {
	switch e.headers.Protocol {
	case link.ProtoUDP:
		h, ok := link.ParseUDP(b.Data)
		if !ok {
			return
		}
		size := len(b.Data) + missing
		switch {
		case h.Length >= link.UDPSize && h.Length <= size:
			size = h.Length
		case h.Length != 0: // 0 in a jumbogram
			e.problem(e.packet.Frame, b.Slice(4, 2), payload.WrongHeader, span.Error, fmt.Sprintf("a UDP length of %d in a datagram of %s", h.Length, span.Bytes(int64(size))))
		}
		end := min(size, len(b.Data))
		f, toB := e.flow(h.Src, h.Dst)
		f.check(b.Slice(0, end), size-end)
		f.datagram(content(b, link.UDPSize, end), size-end, toB)
	case link.ProtoICMP, link.ProtoICMPv6:
		e.unreachable(b)
	case link.ProtoTCP:
		h, ok := link.ParseTCP(b.Data)
		if !ok {
			return
		}
		if h.Size < 20 || h.Size > len(b.Data)+missing {
			e.problem(e.packet.Frame, b.Slice(12, 1), payload.WrongHeader, span.Error, fmt.Sprintf("a TCP header of %d bytes", h.Size))
			return
		}
		f, toB := e.flow(h.Src, h.Dst)
		if e.doubles.isOne && e.doubles.areMany() {
			return
		}
		f.check(b, missing)
		start := min(h.Size, len(b.Data))
		missing -= h.Size - start
		f.segment(h, content(b, start, len(b.Data)), missing, toB)
	}
}

// unreachable reads a message of ICMP. It reports that what a flow sends does not arrive, once for each.
func (e *Engine) unreachable(b payload.Bytes) {
	protocol, src, dst, why := link.Unreachable(b.Data, e.headers.Protocol)
	f := e.flows[keyOf(protocol, src, dst)]
	if why == "" || f == nil || f.refused {
		return
	}
	message := fmt.Sprintf("%s cannot reach %s (ICMP: %s)", src, dst, why)
	switch {
	case why == link.TooLarge && protocol == link.ProtoTCP: // which then sends less at once
		return
	case why == link.TooLarge:
		message = fmt.Sprintf("a datagram from %s is too large for the way to %s, and is lost (ICMP: %s): send up to 1,200 bytes at once", src, dst, why)
	case why == link.NoPort && f.enet != nil && f.enet.IsOver():
		f.refused = true
		f.Event(b, fmt.Sprintf("%s has ended, and what %s still sends does not arrive (ICMP: %s)", dst, src, why))
		return
	case why == link.NoPort && e.servers[dst]:
		message = fmt.Sprintf("no program listens any more at %s, to which %s sends: it has ended without disconnecting (ICMP: %s)", dst, src, why)
	case why == link.NoPort:
		message = fmt.Sprintf("no program listens at %s, to which %s sends (ICMP: %s)", dst, src, why)
	}
	f.Problem(b, payload.Refused, message)
	f.refused = true
}

// content returns the bytes of a datagram or segment between its header and an index. They bear the cost of the headers.
func content(b payload.Bytes, from, to int) payload.Bytes {
	is := b.Slice(from, to-from)
	for i := range is.Parts {
		is.Parts[i].Cost *= float32(len(b.Data)) / float32(len(is.Data))
	}
	return is
}

// flow returns the flow of the current packet, and whether the packet goes from A to B.
func (e *Engine) flow(srcPort, dstPort uint16) (f *flow, toB bool) {
	h := &e.headers
	src, dst := netip.AddrPortFrom(h.Src, srcPort), netip.AddrPortFrom(h.Dst, dstPort)
	k := keyOf(h.Protocol, src, dst)
	f = e.flows[k]
	if f == nil {
		f = e.newFlow(k, src, dst)
	}
	e.recent.MoveToBack(f.place)
	sent := f.From(src)
	sent.Packets++
	sent.Wire += int64(e.packet.Wire)
	return f, src == f.A
}

func keyOf(protocol uint8, a, b netip.AddrPort) flowKey {
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return flowKey{protocol, a, b}
}

// newFlow begins a flow. If there are too many, the one that was quiet for longest is
// forgotten.
func (e *Engine) newFlow(k flowKey, src, dst netip.AddrPort) *flow {
	if len(e.flows) >= maxFlows {
		oldest := e.recent.Remove(e.recent.Front()).(*flow)
		oldest.close()
		delete(e.flows, oldest.key)
		if !e.crowded {
			e.crowded = true
			e.problem(e.packet.Frame, payload.Bytes{}, payload.TooMany, span.Warning,
				fmt.Sprintf("more than %d flows at a time: quiet ones are forgotten, and become new flows when they resume", maxFlows))
		}
	}
	e.summary.Flows++
	f := &flow{engine: e, key: k, Flow: &payload.Flow{Number: e.summary.Flows, A: src, B: dst}}
	f.Transport = e.options.Flows[f.Number]
	f.set = f.Transport != payload.Unknown
	e.flows[k], f.place = f, e.recent.PushBack(f)
	if len(e.summary.Known) < maxFlows {
		e.summary.Known = append(e.summary.Known, f.Flow)
	}
	if e.options.Flow != nil {
		e.options.Flow(f.Flow)
	}
	return f
}

// A flow is what is known about a flow.
type flow struct {
	*payload.Flow
	engine *Engine
	key    flowKey
	set    bool // the user has said what the flow carries

	refused bool // that nothing arrives was reported
	wrong   bool // a problem was reported

	place *list.Element // in Engine.recent

	sums   sums
	likely int // number of likely ENet datagrams until that is certain; then -1
	enet   *enet.Flow
	tcp    *conversation
}

// close gives up what waits in the flow.
func (f *flow) close() {
	if f.enet != nil {
		f.enet.Finish()
	}
	if f.tcp != nil {
		f.tcp.close()
	}
	const enough = 5
	if n := f.Sent[0].Packets; f.Transport == payload.UDP && f.IsOneSided() && n >= enough && !f.refused && !f.B.Addr().IsMulticast() {
		f.Event(payload.Bytes{}, fmt.Sprintf("%s has sent %d packets to %s, which sends nothing back in this capture", f.A, n, f.B))
	}
	f.reportSums()
	f.reportResends()
}

// reportResends reports that much of what a side has sent was sent again.
func (f *flow) reportResends() {
	const least, share = 3, 50
	for i := range f.Sent {
		if s := &f.Sent[i]; s.Resent >= least && share*s.Resent >= s.Packets {
			src, dst := f.Ends(i == 1)
			f.Problem(payload.Bytes{Parts: []payload.Part{s.Again}}, payload.SentAgain,
				fmt.Sprintf("in %d packets from %s to %s, what was sent before is repeated %d times: packets are lost on the way, or acknowledged late", s.Packets, src, dst, s.Resent))
		}
	}
}

// Payload implements enet.Out.
func (f *flow) Payload(p *payload.Payload) {
	p.Measure()
	f.engine.handler.Payload(p)
}

// Closed implements enet.Out.
func (f *flow) Closed() { f.engine.handler.Closed(f.Flow) }

// Problem implements enet.Out. What follows from what was said before is left out.
func (f *flow) Problem(at payload.Bytes, code, message string) {
	switch {
	case f.refused && code == payload.NoAnswer, f.wrong && (code == payload.NotUnderstood || code == payload.SentAgain), code == payload.MissingSegment && f.engine.parts.n > 0:
		return
	}
	f.wrong = f.wrong || severity(code) > span.Note
	f.report(at, false, span.Problem{Severity: severity(code), Code: code, Message: message})
}

// Event implements enet.Out.
func (f *flow) Event(at payload.Bytes, message string) {
	f.report(at, true, span.Problem{Severity: span.Note, Message: message})
}

// report reports a problem or an event of the flow.
func (f *flow) report(at payload.Bytes, isEvent bool, p span.Problem) {
	f.engine.report(payload.Problem{Frame: f.engine.packet.Frame, Flow: f.Flow, Event: isEvent, Problem: p}, at)
}

// severity returns the severity of a problem in a flow.
func severity(code string) span.Severity {
	if i := slices.IndexFunc(payload.Codes, func(c span.Code) bool { return c.Code == code }); i >= 0 {
		return payload.Codes[i].Severity
	}
	return span.Error
}

// weak is the number of datagrams that must read as ENet before one that does not counts as damaged; until
// then it is a sign that the flow is something else.
const weak = 3

// datagram reads a UDP datagram.
func (f *flow) datagram(b payload.Bytes, missing int, toB bool) {
	if !f.set {
		f.decide(b.Data, missing)
	}
	switch {
	case f.Transport == payload.ENet && f.engine.doubles.isOne && f.engine.doubles.areMany():
	case f.Transport == payload.ENet:
		if f.enet == nil { // the user has said so
			_, checksum := f.engine.unpacker.Recognize(b.Data)
			f.becomeENet(checksum)
		}
		p := f.engine.packet
		f.enet.Datagram(&enet.Packet{Bytes: b, Missing: missing, ToB: toB, Frame: p.Frame, Time: p.Time, Wire: p.Wire})
	case f.Transport == payload.UDP:
		p := payload.New(f.Flow, !toB, b, f.engine.packet.Frame, f.engine.packet.Time)
		p.Mode, p.Partial = payload.Unsequenced, missing > 0
		f.Payload(p)
	}
}

// decide finds out what a UDP flow carries, as far as a datagram shows it.
func (f *flow) decide(b []byte, missing int) {
	switch {
	case f.Transport == payload.DTLS || f.Transport == payload.ENet && f.likely < 0 || missing > 0 && f.Transport != payload.Unknown:
		return
	case f.Transport == payload.Unknown && isSTUN(b): // WebRTC begins so
		return
	case f.Transport == payload.Unknown:
		if name := encryption(b); name != "" {
			f.Transport = payload.DTLS
			f.Problem(payload.Bytes{}, payload.Encrypted, "the flow is encrypted with "+name)
			return
		}
	}
	f.recognize(b, missing)
}

// recognize finds out whether a datagram is ENet.
func (f *flow) recognize(b []byte, missing int) {
	certainty, checksum := f.engine.unpacker.Recognize(b)
	switch {
	case certainty == enet.Sure:
		f.becomeENet(checksum)
		f.likely = -1
	case f.Transport == payload.Unknown && certainty == enet.Likely:
		f.becomeENet(checksum)
		f.likely = 1
	case f.Transport == payload.ENet && certainty == enet.Likely:
		if f.likely++; f.likely > weak {
			f.likely = -1
		}
	case f.Transport == payload.ENet && f.likely <= weak && missing == 0, f.Transport == payload.Unknown:
		f.Transport, f.enet = payload.UDP, nil
	}
}

func (f *flow) becomeENet(checksum bool) {
	f.Transport = payload.ENet
	if f.enet == nil {
		f.enet = enet.NewFlow(f.engine.pool, &f.engine.unpacker, f.engine.servers, f.Flow, f)
		f.Checksum = checksum
	}
}

// isSTUN reports whether a datagram is one with which WebRTC finds a way to its peer (RFC 8489, 5).
func isSTUN(b []byte) bool { return len(b) >= 20 && b[0] < 4 && string(b[4:8]) == "\x21\x12\xa4\x42" }

// encryption names what a datagram begins that is encrypted; "" if it is something else.
func encryption(b []byte) string {
	const initiation, version1 = "\x01\x00\x00\x00", "\x00\x00\x00\x01"
	switch {
	case isDTLS(b):
		return "DTLS, as that of WebRTC, and is not read"
	case len(b) == 148 && string(b[:4]) == initiation && isRandom(b[4:132]):
		return "WireGuard, and is not read: capture on its own interface (wg0)"
	case len(b) >= 1200 && b[0]>>6 == 3 && string(b[1:5]) == version1:
		return "QUIC, and is not read"
	}
	return ""
}

// isRandom reports whether 128 bytes have as many different values as keys and what is encrypted have.
func isRandom(b []byte) bool {
	const least = 80
	var seen [256]bool
	n := 0
	for _, x := range b {
		if !seen[x] {
			n++
		}
		seen[x] = true
	}
	return n >= least
}

// isDTLS reports whether a datagram begins with a record of DTLS.
func isDTLS(b []byte) bool {
	return len(b) >= 13 && b[0] >= 20 && b[0] <= 25 && b[1] == 0xfe && b[2] >= 0xfc && 13+int(b[11])<<8+int(b[12]) <= len(b)
}
