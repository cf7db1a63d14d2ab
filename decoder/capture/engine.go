package capture

import (
	"fmt"
	"net/netip"

	"varview/decoder/capture/enet"
	"varview/decoder/capture/fragment"
	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
	"varview/decoder/capture/pool"
	"varview/decoder/span"
)

const (
	// memory is the most bytes that wait to be put together.
	memory = 32 << 20

	// maxFlows is the most flows whose state is kept. The one that was quiet for longest
	// is forgotten first.
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
	recent   flowList

	packet  *pcap.Packet // at work
	headers link.Packet
	part    [1]payload.Part
	known   map[uint16]bool // link types that were reported
	crowded bool            // that flows are forgotten was reported
	summed  int             // flows whose checksums were reported
}

// A flowKey is what the packets of a flow share: the addresses in the order of their bytes.
type flowKey struct {
	protocol uint8
	low, top netip.AddrPort
}

// NewEngine returns an engine that has read nothing.
func NewEngine(o Options, h payload.Handler) *Engine {
	e := &Engine{options: o, handler: h, pool: pool.New(memory), flows: map[flowKey]*flow{}, known: map[uint16]bool{}}
	e.joiner = fragment.NewJoiner(e.pool, func(k fragment.Key, frame int, first payload.Bytes) {
		e.problem(nil, frame, first, span.Truncated, span.Warning, fmt.Sprintf("a datagram from %s to %s of which fragments are not in the capture", k.Src, k.Dst))
	})
	return e
}

// Close ends the reading: what waits is given up.
func (e *Engine) Close() {
	e.joiner.Close()
	for f := e.recent.oldest; f != nil; f = f.newer {
		f.close()
	}
	e.flows, e.recent = map[flowKey]*flow{}, flowList{}
	e.unpacker.Close()
}

// Summary counts what was read so far.
func (e *Engine) Summary() Summary { return e.summary }

// problem reports a problem at bytes.
func (e *Engine) problem(f *payload.Flow, frame int, at payload.Bytes, code string, severity span.Severity, message string) {
	p := payload.Problem{Frame: frame, Flow: f}
	p.Problem = span.Problem{Severity: severity, Code: code, Message: message}
	switch {
	case len(at.Parts) > 0:
		p.Span, p.Frame = at.Parts[0].At, at.Parts[0].Frame
	case e.packet != nil && frame == e.packet.Frame: // something is missing before it
		p.Offset = e.packet.At.Offset
	}
	e.handler.Problem(&p)
}

// Transport returns what a flow carries that two addresses have, as far as that is known.
func (e *Engine) Transport(protocol uint8, a, b netip.AddrPort) payload.Transport {
	if f := e.flows[keyOf(protocol, a, b)]; f != nil {
		return f.Transport
	}
	return payload.Unknown
}

// Packet reads a packet.
func (e *Engine) Packet(p *pcap.Packet) {
	e.count(p)
	e.packet = p
	if e.options.Packet != nil {
		e.options.Packet(p)
	}
	h := &e.headers
	link.Decode(p.Link, p.Data, p.Wire, h)
	if h.Damage.Code != "" {
		h.Damage.Offset += p.At.Offset
		e.handler.Problem(&payload.Problem{Problem: h.Damage, Frame: p.Frame})
	}
	if !h.IsIP {
		if !link.Known(p.Link) && !e.known[p.Link] {
			e.known[p.Link] = true
			e.problem(nil, p.Frame, payload.Bytes{}, payload.UnknownLink, span.Warning, fmt.Sprintf("packets of link type %d are not read", p.Link))
		}
		return
	}
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
	s.Bytes += int64(len(p.Data))
	s.Wire += int64(p.Wire)
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

// bytes returns bytes of the packet at work.
func (e *Engine) bytes(from, to int) payload.Bytes {
	p := e.packet
	e.part[0] = payload.Part{At: span.Span{Offset: p.At.Offset + int64(from), Length: int64(to - from)}, Length: int64(to - from), Frame: p.Frame}
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
			e.problem(nil, e.packet.Frame, b.Slice(4, 2), payload.WrongHeader, span.Error, fmt.Sprintf("a UDP length of %d in a datagram of %s", h.Length, span.Bytes(int64(size))))
		}
		end := min(size, len(b.Data))
		f, toB := e.flow(h.Src, h.Dst)
		f.check(b.Slice(0, end), size-end)
		f.datagram(b.Slice(link.UDPSize, end-link.UDPSize), size-end, toB)
	case link.ProtoTCP:
		h, ok := link.ParseTCP(b.Data)
		if !ok {
			return
		}
		if h.Size < 20 || h.Size > len(b.Data)+missing {
			e.problem(nil, e.packet.Frame, b.Slice(12, 1), payload.WrongHeader, span.Error, fmt.Sprintf("a TCP header of %d bytes", h.Size))
			return
		}
		f, toB := e.flow(h.Src, h.Dst)
		f.check(b, missing)
		start := min(h.Size, len(b.Data))
		missing -= h.Size - start
		f.segment(h, b.Slice(start, len(b.Data)-start), missing, toB)
	}
}

// flow returns the flow of the packet at work, and whether the packet goes from A to B.
func (e *Engine) flow(srcPort, dstPort uint16) (f *flow, toB bool) {
	h := &e.headers
	src, dst := netip.AddrPortFrom(h.Src, srcPort), netip.AddrPortFrom(h.Dst, dstPort)
	k := keyOf(h.Protocol, src, dst)
	f = e.flows[k]
	if f == nil {
		f = e.newFlow(k, src, dst)
	}
	e.recent.touch(f)
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
		oldest := e.recent.oldest
		oldest.close()
		e.recent.remove(oldest)
		delete(e.flows, oldest.key)
		if !e.crowded {
			e.crowded = true
			e.problem(nil, e.packet.Frame, payload.Bytes{}, payload.TooMany, span.Warning,
				fmt.Sprintf("more than %d flows at a time: those that are quiet are forgotten, and are new flows when they go on", maxFlows))
		}
	}
	e.summary.Flows++
	f := &flow{engine: e, key: k, Flow: &payload.Flow{Number: e.summary.Flows, A: src, B: dst}}
	f.Transport = e.options.Flows[f.Number]
	f.set = f.Transport != payload.Unknown
	e.flows[k] = f
	return f
}
