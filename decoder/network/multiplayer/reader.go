// Package multiplayer reads the payloads of a capture as messages of Godot's networking. It
// finds out what each flow carries, and remembers which ids stand for which paths.
package multiplayer

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/message"
	"varview/decoder/network/methods"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// A Handler takes messages, in the order in which their last bytes were captured.
type Handler struct {
	Message func(*message.Message)
	Problem func(*payload.Problem)
}

// Options say how flows are read.
type Options struct {
	Protocols map[int]message.Protocol // protocols of flows by number; those of others are detected
	Double    bool                     // components of Variants have 64 bits and are not marked
	Methods   *methods.Library         // names of methods that are called by number; nil if there are none
}

// A Reader takes payloads and hands on messages. It holds them back until it has seen enough of a flow to
// know what it carries.
type Reader struct {
	options Options
	to      Handler
	flows   map[*payload.Flow]*flow
	queue   queue
	memory  memory

	cursor message.Cursor
	values variants.Readers
	number int
	began  time.Time // time of the first message
	rooms  map[netip.AddrPort]*room
	late   bool            // that the capture begins late was reported
	lossy  bool            // a part of the flows was not captured, or cannot be read
	read   message.Message // message that is handed on
	trial  message.Message
}

// New returns a reader that passes messages to a handler.
func New(o Options, to Handler) *Reader {
	return &Reader{options: o, to: to, flows: map[*payload.Flow]*flow{}, rooms: map[netip.AddrPort]*room{}, values: variants.Readers{Double: o.Double}}
}

// maxFlows is the number of flows that are remembered.
const maxFlows = 16 << 10

// flowOf returns what is known about a flow.
func (r *Reader) flowOf(of *payload.Flow) *flow {
	f := r.flows[of]
	if f == nil {
		if len(r.flows) >= maxFlows {
			r.Flush()
			clear(r.flows)
			r.forgotten()
		}
		f = &flow{}
		f.set(r.options.Protocols[of.Number], true)
		r.flows[of] = f
	}
	return f
}

// A place is that of a message in the capture.
type place struct {
	frame int
	time  time.Time
	flow  *payload.Flow
	at    span.Span
}

// placeOf returns the place of the first n bytes of a payload.
func placeOf(p *payload.Payload, n int) place {
	return place{p.Frame(), p.Time, p.Flow, payload.Bytes{Data: p.Bytes, Parts: p.Parts}.At(0, n)}
}

// report reports a problem with the words of the engine, if it says something.
func (r *Reader) report(at place, severity span.Severity, code, text, engine string) {
	r.pass(&payload.Problem{Frame: at.frame, Time: at.time, Flow: at.flow, Problem: span.Problem{Span: at.at, Severity: severity, Code: code, Message: text, Engine: engine}})
}

// pass passes on a problem, with its time.
func (r *Reader) pass(p *payload.Problem) {
	p.Since = r.since(p.Time)
	r.to.Problem(p)
}

// since returns a time since the first message; 0 if one of them is not known.
func (r *Reader) since(when time.Time) time.Duration {
	if when.IsZero() || r.began.IsZero() {
		return 0
	}
	return when.Sub(r.began)
}

func (r *Reader) forgotten() {
	r.report(place{}, span.Note, message.Forgotten, "there are more flows or paths than are remembered: what an id stands for may be missing from here on", "")
}

// Payload implements payload.Handler.
func (r *Reader) Payload(p *payload.Payload) {
	f := r.flowOf(p.Flow)
	if len(r.queue.items) == 0 && f.protocol != message.Undecided {
		r.deliver(p, f)
		return
	}
	r.queue.addPayload(p, f)
	if f.protocol == message.Undecided {
		if f.held = append(f.held, r.queue.last()); len(f.held) >= enough {
			r.decide(f)
		}
	}
	r.release()
}

// Closed implements payload.Handler.
func (r *Reader) Closed(flow *payload.Flow) {
	if f := r.flows[flow]; f != nil && f.protocol == message.Undecided && len(f.held) > 0 {
		r.decide(f)
		r.release()
	}
}

// Problem implements payload.Handler.
func (r *Reader) Problem(p *payload.Problem) {
	switch p.Code {
	case payload.MissingCommand, payload.MissingSegment, payload.BeginsLate, payload.WrongCommand, payload.WrongHeader, span.Truncated, span.LengthOverrun, span.Unreadable:
		r.lossy = true
	}
	if len(r.queue.items) == 0 {
		r.pass(p)
		return
	}
	held := *p
	r.queue.add(item{problem: &held})
	r.release()
}

// Flush passes on all messages that were held back.
func (r *Reader) Flush() {
	for len(r.queue.items) > 0 {
		if f := r.queue.items[0].flow; f != nil && f.protocol == message.Undecided {
			r.decide(f)
		}
		r.release()
	}
	for _, at := range r.rooms {
		r.reportRoom(at)
	}
	r.reportPending()
	for of, f := range r.flows {
		if f.bytes > 0 && !f.understood && f.first.at != (span.Span{}) {
			r.report(f.first, span.Note, payload.NotUnderstood, fmt.Sprintf("nothing is understood of what %s and %s send each other: %s", of.A, of.B, span.Bytes(int64(f.bytes))), "")
			f.understood = true // it was said
		}
	}
}

// HeldSince returns when the oldest held message arrived; ok is false if no message is held back.
func (r *Reader) HeldSince() (since time.Time, ok bool) {
	if len(r.queue.items) == 0 {
		return since, false
	}
	return r.queue.items[0].since, true // always a payload: only one of an undecided flow stops release
}

// Holds reports whether a message that a packet has completed is held back.
func (r *Reader) Holds(frame int) bool {
	return slices.ContainsFunc(r.queue.items, func(i item) bool { return i.payload != nil && i.payload.Frame() == frame })
}

// FlushHeld passes on the messages that arrived at a time or before it. The others stay, because a flow is
// judged better by more of its messages.
func (r *Reader) FlushHeld(since time.Time) {
	for len(r.queue.items) > 0 && !r.queue.items[0].since.After(since) {
		r.decide(r.queue.items[0].flow)
		r.release()
	}
}

// release passes on what need not be held back.
func (r *Reader) release() {
	for len(r.queue.items) > 0 {
		next := &r.queue.items[0]
		if next.flow != nil && next.flow.protocol == message.Undecided {
			if !r.queue.isFull() {
				return
			}
			r.decide(next.flow)
		}
		switch {
		case next.problem != nil:
			r.pass(next.problem)
		default:
			r.deliver(next.payload, next.flow)
		}
		r.queue.drop()
	}
}

// deliver reads a payload and passes the message on.
func (r *Reader) deliver(p *payload.Payload, f *flow) {
	if r.began.IsZero() {
		r.began = p.Time
	}
	p.Since = r.since(p.Time)
	m := &r.read
	*m = message.Message{Number: r.number, Payload: p}
	r.number++
	r.parse(m, f.side(p).protocol, f)
	m.Parsed, r.lossy = len(r.cursor.Problems), r.lossy || p.Partial || !r.isClean()
	r.resolve(m, f)
	r.inspectJSON(m.Innermost())
	if m.Kind == message.Bytes && f.side(p).shape.Vars {
		r.inspectHeader(m)
	}
	m.Parts, m.Problems = r.cursor.Parts, r.cursor.Problems
	if p.Partial {
		m.Problems = nil // the layer below reports what is missing
	}
	f.note(m)
	r.to.Message(m)
}

// inspectJSON reports that the bytes of a message, which are its last part, are a JSON text that is cut, or several.
func (r *Reader) inspectJSON(b *message.Body) {
	x := span.Problem{Span: r.cursor.Last(), Severity: span.Error, Code: span.Truncated, Message: "the JSON text is cut: its end is missing"}
	if !look.IsCutJSON(b.Data) {
		n := look.Texts(b.Data)
		if n < 2 {
			return
		}
		x.Code, x.Message = message.SeveralValues, fmt.Sprintf("%d JSON texts in one message: JSON.parse and parse_json read none of them", n)
	}
	x.Engine = "Parse JSON failed (Godot 4), Error parsing JSON (Godot 3)"
	r.cursor.Problems = append(r.cursor.Problems, x)
}

// inspectHeader reports that bytes of the game's own are before the value of a message, in a flow in which they mostly are not.
func (r *Reader) inspectHeader(m *message.Message) {
	if l := m.Looked(&m.Body); l.Kind == look.Values && len(l.Steps) == 1 && len(l.Plain) < len(m.Data) {
		r.cursor.Problems = append(r.cursor.Problems, message.BeforeValue(span.Between(0, int64(len(m.Data)-len(l.Plain)))))
	}
}

// note notes whether anything of the flow is understood.
func (f *flow) note(m *message.Message) {
	f.last = m.Payload.Time
	if f.bytes += len(m.Payload.Bytes); f.understood || m.Payload.Partial {
		f.understood = true
		return
	}
	f.understood = m.Kind != message.Bytes || m.Looked(&m.Body).Kind != look.Unknown
	if f.first.frame == 0 {
		f.first = placeOf(m.Payload, 0)
	}
}
