package capture

import (
	"varview/decoder/capture/enet"
	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// A flow is what is known of a flow.
type flow struct {
	*payload.Flow
	engine *Engine
	key    flowKey
	set    bool // the user has said what the flow carries

	older, newer *flow // in flowList

	sums   sums
	likely int // of ENet while that is not sure; -1 when it is
	enet   *enet.Flow
	tcp    *conversation
}

// flowList lists flows, the one that was quiet for longest first.
type flowList struct {
	oldest, newest *flow
}

func (l *flowList) remove(f *flow) {
	if f.older != nil {
		f.older.newer = f.newer
	} else if l.oldest == f {
		l.oldest = f.newer
	}
	if f.newer != nil {
		f.newer.older = f.older
	} else if l.newest == f {
		l.newest = f.older
	}
	f.older, f.newer = nil, nil
}

// touch makes a flow the newest.
func (l *flowList) touch(f *flow) {
	if l.newest == f {
		return
	}
	l.remove(f)
	f.older = l.newest
	if l.newest != nil {
		l.newest.newer = f
	} else {
		l.oldest = f
	}
	l.newest = f
}

// close gives up what waits in the flow.
func (f *flow) close() {
	if f.enet != nil {
		f.enet.Finish()
	}
	if f.tcp != nil {
		f.tcp.close()
	}
	f.reportSums()
}

// Payload implements enet.Out.
func (f *flow) Payload(p *payload.Payload) { f.engine.handler.Payload(p) }

// Event implements enet.Out.
func (f *flow) Event(e *payload.Event) { f.engine.handler.Event(e) }

// Problem implements enet.Out.
func (f *flow) Problem(at payload.Bytes, code, message string) {
	f.engine.problem(f.Flow, f.engine.packet.Frame, at, code, severity(code), message)
}

// severity returns the severity of a problem in a flow. The game is not to blame for what the capture
// lacks.
func severity(code string) span.Severity {
	switch code {
	case payload.MissingCommand, payload.MissingSegment, payload.TooMuch:
		return span.Warning
	case payload.Encrypted, payload.OtherSession:
		return span.Note
	}
	return span.Error
}

// weak is the number of datagrams that must read as ENet before one that does not counts as damaged;
// until then it is a sign that the flow is something else.
const weak = 3

// datagram reads a UDP datagram.
func (f *flow) datagram(b payload.Bytes, missing int, toB bool) {
	if take := f.engine.options.Datagram; take != nil {
		p := f.payload(b, toB)
		p.Mode, p.Partial = payload.Unsequenced, missing > 0
		take(p)
		return
	}
	if !f.set {
		f.decide(b.Data, missing)
	}
	switch f.Transport {
	case payload.ENet:
		if f.enet == nil {
			f.enet = enet.NewFlow(f.engine.pool, &f.engine.unpacker, f.Flow, f)
			if f.set {
				_, f.Checksum = f.engine.unpacker.Recognize(b.Data)
			}
		}
		p := f.engine.packet
		f.enet.Datagram(&enet.Packet{Bytes: b, Missing: missing, ToB: toB, Frame: p.Frame, Time: p.Time})
	case payload.UDP:
		p := f.payload(b, toB)
		p.Mode, p.Partial = payload.Unsequenced, missing > 0
		f.engine.handler.Payload(p)
	}
}

// decide finds out what a UDP flow carries, as far as a datagram shows it.
func (f *flow) decide(b []byte, missing int) {
	switch {
	case f.Transport == payload.DTLS || f.Transport == payload.ENet && f.likely < 0 || missing > 0 && f.Transport != payload.Unknown:
		return
	case f.Transport == payload.Unknown && isDTLS(b):
		f.Transport = payload.DTLS
		f.Problem(payload.Bytes{}, payload.Encrypted, "the flow is encrypted with DTLS, and is not read")
		return
	}
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
		f.enet = enet.NewFlow(f.engine.pool, &f.engine.unpacker, f.Flow, f)
		f.Checksum = checksum
	}
}

// isDTLS reports whether a datagram begins with a record of DTLS.
func isDTLS(b []byte) bool {
	return len(b) >= 13 && b[0] >= 20 && b[0] <= 25 && b[1] == 0xfe && b[2] >= 0xfc && 13+int(b[11])<<8+int(b[12]) <= len(b)
}

// payload returns the payload of the packet at work.
func (f *flow) payload(b payload.Bytes, toB bool) *payload.Payload {
	p := f.engine.packet
	out := &payload.Payload{Bytes: b.Data, Parts: b.Parts, Frames: payload.AppendFrames(nil, b.Parts), Time: p.Time, Flow: f.Flow, Src: f.A, Dst: f.B}
	if !toB {
		out.Src, out.Dst = f.B, f.A
	}
	if len(out.Frames) == 0 {
		out.Frames = append(out.Frames, p.Frame)
	}
	return out
}
