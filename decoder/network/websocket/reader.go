package websocket

import (
	"bytes"
	"encoding/binary"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/network/stream"
)

// Out takes what a Reader finds.
type Out interface {
	// Asked and Open report that the client asks for WebSocket with subprotocols, and that the server has agreed; wrong is why
	// the client refuses how it does.
	Asked(protocols string)
	Open(wrong string)

	// Message takes a message. Its bytes are valid until Message returns.
	Message(b payload.Bytes, text, partial bool)

	// Ping reports that this side asks whether the other is there, or answers that.
	Ping(isAnswer bool)

	// Close reports that this side closes the connection, with a status and a reason; 0 if there is none.
	Close(at payload.Bytes, status int, reason string)

	Problem(at payload.Bytes, code, message string)

	// Refused reports that the connection is not a WebSocket connection. status is the first line of the
	// server's answer, if that is HTTP.
	Refused(at payload.Bytes, status string)
}

// A Reader reads one side of a connection.
type Reader struct {
	pool     *pool.Pool
	session  *Session
	isServer bool
	out      Out

	inHead       bool          // the head of HTTP is being read
	head         payload.Bytes // that, as far as it is there
	frames       *stream.Reader
	message      payload.Bytes
	text, packed bool
	open         bool // a message has begun and needs more frames
	partial      bool
	late         bool // the beginning of the connection is missing
	blind        bool // what is compressed cannot be unpacked, as its beginning is missing
	item         pool.Item
	inflater     inflater
}

// NewReader returns a reader of what one side sends. inHead says that it begins with the head of HTTP.
func NewReader(p *pool.Pool, s *Session, isServer, inHead bool, out Out) *Reader {
	r := &Reader{pool: p, session: s, isServer: isServer, inHead: inHead, late: !inHead, out: out}
	r.frames = stream.NewReader(p, &stream.Framing{Head: leastHead, HeadForm: payload.Header, Cut: r.cut, Begins: BeginsFrame, Words: stream.Words{Stream: "a WebSocket connection", Value: "a WebSocket message", Frame: "a frame"}, Lost: r.drop}, r)
	return r
}

// Data implements tcp.Sink.
func (r *Reader) Data(b payload.Bytes) {
	at := 0
	if r.inHead {
		if at = r.http(b); r.inHead {
			return
		}
	}
	if at < len(b.Data) {
		r.frames.Data(b.Slice(at, len(b.Data)-at))
	}
}

// cut returns the place of a frame.
func (r *Reader) cut(b []byte) stream.Frame { return Cut(b, r.open) }

// http reads the head of HTTP. It returns the number of bytes that belong to it.
func (r *Reader) http(b payload.Bytes) int {
	before := len(r.head.Data)
	r.head.Append(b, 0, min(len(b.Data), maxHead-before))
	end := HeadEnd(r.head.Data)
	const first = "HTTP/"
	isOther := r.isServer && !strings.HasPrefix(string(r.head.Data), first[:min(len(first), len(r.head.Data))])
	if end < 0 || isOther {
		if isOther || len(r.head.Data) == maxHead {
			r.refuse()
		}
		return len(b.Data)
	}
	ok := false
	if r.isServer {
		if ok = r.session.response(r.head.Data[:end]); ok {
			r.out.Open(r.session.wrong)
		}
	} else {
		if ok = r.session.request(r.head.Data[:end]); ok {
			r.out.Asked(r.session.protocols)
		}
	}
	if !ok {
		r.refuse()
		return len(b.Data)
	}
	r.inHead, r.head = false, payload.Bytes{}
	return end - before
}

func (r *Reader) refuse() {
	at, status := r.head, ""
	if line, _, isLine := bytes.Cut(r.head.Data, []byte("\r\n")); isLine && r.isServer && bytes.HasPrefix(line, []byte("HTTP/")) {
		status = string(line)
		if _, all := headers(r.head.Data); all.Get("Location") != "" {
			status += ", to " + all.Get("Location")
		}
	}
	r.head = payload.Bytes{}
	r.out.Refused(at, status)
}

// Value takes a frame, of which a part may be missing.
func (r *Reader) Value(b payload.Bytes, partial bool) {
	head := r.frames.Head()
	h, _ := ParseFrame(head.Data)
	if h.IsMasked == r.isServer {
		r.out.Problem(head, payload.WrongFrame, "a frame with a mask from a server, or without one from a client")
	}
	if h.IsPacked && r.session.isKnown && !r.session.isPacked {
		r.out.Problem(head, payload.WrongFrame, "a compressed message, though the server has not agreed to permessage-deflate: its receiver closes the connection with 1002")
	}
	if h.IsControl() {
		r.control(h, b, partial)
		return
	}
	if h.op != opContinuation {
		if r.open && !r.partial {
			r.out.Problem(head, payload.WrongFrame, "a WebSocket message begins before the previous one has ended")
		}
		r.drop()
		r.text, r.packed, r.open = h.op == opText, h.IsPacked, true
	}
	if !r.partial {
		r.add(h, b)
	}
	if r.partial = r.partial || partial; h.IsLast {
		r.finish()
	}
}

// control takes a control frame.
func (r *Reader) control(h Frame, b payload.Bytes, partial bool) {
	switch {
	case partial:
	case h.op == opClose:
		r.close(unmasked(h, b))
	default:
		r.out.Ping(h.op == opPong)
	}
}

// unmasked returns the bytes of a frame without their mask.
func unmasked(h Frame, b payload.Bytes) payload.Bytes {
	if !h.IsMasked {
		return b
	}
	is, at := b.Clone(), 0
	for i := range is.Data {
		is.Data[i] ^= h.Mask[i&3]
	}
	for i := range is.Parts {
		p := &is.Parts[i]
		p.Form = payload.Masked
		for k := range p.Mask {
			p.Mask[k] = h.Mask[(at+k)&3]
		}
		at += int(p.Length)
	}
	return is
}

// add adds a frame to the message.
func (r *Reader) add(h Frame, b payload.Bytes) {
	if len(r.message.Data)+len(b.Data) > maxMessage {
		r.out.Problem(r.frames.Head(), payload.WrongFrame, "a WebSocket message that is too long")
		r.giveUp()
		return
	}
	is := unmasked(h, b)
	if len(r.message.Data) == 0 && h.IsLast {
		r.message = is
		return
	}
	r.message.Data, r.message.Parts = append(r.message.Data, is.Data...), append(r.message.Parts, is.Parts...)
	r.pool.Grow(&r.item, int64(is.Size()), func() {
		r.out.Problem(r.frames.Head(), payload.TooMuch, "a message that is left out: it would take more memory than is allowed")
		r.giveUp()
	})
}

// giveUp leaves out the rest of the message.
func (r *Reader) giveUp() { r.message, r.partial = payload.Bytes{}, true }

// close hands over the status and the reason of a closing frame (RFC 6455, 5.5.1).
func (r *Reader) close(b payload.Bytes) {
	status, reason := 0, ""
	if len(b.Data) >= 2 {
		status, reason = int(binary.BigEndian.Uint16(b.Data)), string(b.Data[2:])
	}
	if len(b.Parts) == 0 {
		b = r.frames.Head()
	}
	r.out.Close(b, status, reason)
}

// Problem implements stream.Out. A closing frame that is cut closes all the same: Godot does not wait until it is sent.
func (r *Reader) Problem(at payload.Bytes, code, message string) {
	if h, _ := ParseFrame(at.Data); h.op == opClose && code == span.Truncated {
		r.out.Close(at, 0, "")
		return
	}
	r.out.Problem(at, code, message)
}

// drop forgets the message.
func (r *Reader) drop() {
	r.item.Free()
	r.message, r.open, r.partial = payload.Bytes{}, false, false
}

// Gap implements tcp.Sink.
func (r *Reader) Gap(n int64) {
	switch {
	case r.inHead && r.isServer && !Agrees(r.head.Data):
		r.refuse()
	case r.inHead:
		if r.isServer {
			r.out.Open("")
		}
		r.inHead = false
		r.frames.Lose("")
	default:
		if r.frames.Gap(n); r.open {
			r.giveUp()
		}
	}
}

// End ends the connection.
func (r *Reader) End() {
	if r.frames.End(); r.open && !r.partial {
		r.out.Problem(r.frames.Head(), span.Truncated, "a WebSocket connection ends in a message: its last frame is missing")
	}
	r.drop()
}
