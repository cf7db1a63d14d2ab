package websocket

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

// Out takes what a Reader finds.
type Out interface {
	// Asked and Open report that the client asks for WebSocket, and that the server has agreed; wrong is why the client
	// refuses how it does.
	Asked()
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

	inHead   bool          // the head of HTTP is being read
	head     payload.Bytes // head of HTTP, or of the frame as far as it is there
	frame    Frame         // while inside
	inside   bool
	left     uint64 // number of bytes of the frame still to come
	message  payload.Bytes
	text     bool
	packed   bool
	open     bool // a message has begun and needs more frames
	partial  bool
	control  payload.Bytes
	lost     bool // it is not known where frames begin
	late     bool // the beginning of the connection is missing
	blind    bool // what is compressed cannot be unpacked, as its beginning is missing
	item     pool.Item
	inflater inflater
}

// NewReader returns a reader of what one side sends. inHead says that it begins with the head of HTTP.
func NewReader(p *pool.Pool, s *Session, isServer, inHead bool, out Out) *Reader {
	return &Reader{pool: p, session: s, isServer: isServer, inHead: inHead, late: !inHead, out: out}
}

// Data implements tcp.Sink.
func (r *Reader) Data(b payload.Bytes) {
	at := 0
	if r.inHead {
		if at = r.http(b); r.inHead {
			return
		}
	}
	if r.lost && !BeginsFrame(b.Data[at:]) {
		return
	}
	r.lost = false
	for at < len(b.Data) && !r.lost {
		if !r.inside {
			at += r.header(b, at)
			continue
		}
		n := int(min(r.left, uint64(len(b.Data)-at)))
		r.take(b, at, n)
		at += n
	}
}

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
			r.out.Asked()
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
		headers(r.head.Data, func(name, value string) {
			if strings.EqualFold(name, "location") {
				status += ", to " + value
			}
		})
	}
	r.head = payload.Bytes{}
	r.out.Refused(at, status)
}

// header reads bytes of a frame's header. It returns how many.
func (r *Reader) header(b payload.Bytes, at int) int {
	need := 2
	if len(r.head.Data) >= 2 {
		need = headerSize(r.head.Data)
	}
	n := min(need-len(r.head.Data), len(b.Data)-at)
	r.head.Append(b, at, n)
	if len(r.head.Data) >= 2 && len(r.head.Data) == headerSize(r.head.Data) {
		r.begin()
	}
	return n
}

// begin begins the frame whose header is complete.
func (r *Reader) begin() {
	h := parse(r.head.Data)
	if message := r.check(h); message != "" {
		r.out.Problem(r.head, payload.WrongFrame, message+": what follows is not read until a frame begins a segment")
		r.lose()
		return
	}
	if h.IsMasked == r.isServer {
		r.out.Problem(r.head, payload.WrongFrame, "a frame with a mask from a server, or without one from a client")
	}
	if h.IsPacked && r.session.isKnown && !r.session.isPacked {
		r.out.Problem(r.head, payload.WrongFrame, "a compressed message, though the server has not agreed to permessage-deflate: its receiver closes the connection with 1002")
	}
	r.frame, r.inside, r.left = h, true, h.Size
	if h.op == opText || h.op == opBinary {
		r.text, r.packed, r.open = h.op == opText, h.IsPacked, true
	}
	if h.Size == 0 {
		r.end()
	}
}

// check returns the fault of a frame that keeps what follows from being read.
func (r *Reader) check(h Frame) string {
	switch {
	case !isKnown(h.op):
		return fmt.Sprintf("a WebSocket frame of the unknown type %d", h.op)
	case h.rsv != 0 || h.IsPacked && (isControl(h.op) || h.op == opContinuation):
		return "a WebSocket frame with reserved bits set"
	case isControl(h.op) && (h.Size > maxControl || !h.IsLast):
		return "a WebSocket control frame that is fragmented or longer than 125 bytes"
	case h.Size > maxMessage:
		return fmt.Sprintf("a WebSocket frame of %d bytes, which is too long", h.Size)
	case h.op == opContinuation && !r.open:
		return "a WebSocket frame continues a message that has not begun"
	case (h.op == opText || h.op == opBinary) && r.open:
		r.out.Problem(r.head, payload.WrongFrame, "a WebSocket message begins before the previous one has ended")
		r.drop()
	}
	return ""
}

// take takes n bytes of the frame.
func (r *Reader) take(b payload.Bytes, at, n int) {
	to := &r.message
	if isControl(r.frame.op) {
		to = &r.control
	}
	if !r.partial || to == &r.control {
		r.unmask(to, b, at, n)
	}
	r.left -= uint64(n)
	if r.left == 0 {
		r.end()
	}
}

// unmask appends n bytes of the frame without their mask.
func (r *Reader) unmask(to *payload.Bytes, b payload.Bytes, at, n int) {
	bytesBefore, partsBefore, capBefore := len(to.Data), len(to.Parts), cap(to.Data)
	if len(to.Data)+n > maxMessage {
		r.out.Problem(r.head, payload.WrongFrame, "a WebSocket message that is too long")
		r.giveUp()
		return
	}
	if !r.frame.IsMasked {
		to.Append(b, at, n)
	} else {
		to.Data = append(to.Data, b.Data[at:at+n]...)
		key, done := r.frame.Mask, r.frame.Size-r.left
		for i := range n {
			to.Data[bytesBefore+i] ^= key[(done+uint64(i))&3]
		}
		to.Parts = append(to.Parts, b.AppendParts(nil, at, n)...) // parts with different masks are not joined
		for i := range to.Parts[partsBefore:] {
			p := &to.Parts[partsBefore+i]
			p.Form = payload.Masked
			for k := range p.Mask {
				p.Mask[k] = key[(done+uint64(k))&3]
			}
			done += uint64(p.Length)
		}
	}
	if to == &r.message {
		r.grow(cap(to.Data) - capBefore)
	}
}

// grow counts memory of the message.
func (r *Reader) grow(n int) {
	r.pool.Grow(&r.item, int64(n), func() {
		r.out.Problem(r.head, payload.TooMuch, "a message that is left out: it would take more memory than is allowed")
		r.giveUp()
	})
}

// giveUp leaves out the rest of the message.
func (r *Reader) giveUp() {
	r.message, r.partial = payload.Bytes{}, true
}

// end ends a frame, and the message if that was its last.
func (r *Reader) end() {
	r.inside = false
	switch op := r.frame.op; {
	case op == opClose:
		r.close()
	case isControl(op):
		r.out.Ping(op == opPong)
	case r.frame.IsLast:
		r.finish()
	}
	r.head.Data, r.head.Parts = r.head.Data[:0], r.head.Parts[:0]
	r.control = payload.Bytes{}
}

// close hands over the status and the reason of a closing frame (RFC 6455, 5.5.1).
func (r *Reader) close() {
	b := r.control
	status, reason := 0, ""
	if len(b.Data) >= 2 {
		status, reason = int(binary.BigEndian.Uint16(b.Data)), string(b.Data[2:])
	}
	if len(b.Parts) == 0 {
		b = r.head
	}
	r.out.Close(b, status, reason)
}

// drop forgets the message.
func (r *Reader) drop() {
	r.item.Free()
	r.message, r.open, r.partial = payload.Bytes{}, false, false
}

// lose forgets the frame: it is not known where the next one begins.
func (r *Reader) lose() {
	r.drop()
	r.lost, r.inside = true, false
	r.head, r.control = payload.Bytes{}, payload.Bytes{}
}

// Gap implements tcp.Sink.
func (r *Reader) Gap(n int64) {
	switch {
	case r.lost:
	case r.inHead && r.isServer && !Agrees(r.head.Data):
		r.refuse()
	case r.inHead:
		if r.isServer {
			r.out.Open("")
		}
		r.inHead = false
		r.lose()
	case r.inside && uint64(n) <= r.left && !isControl(r.frame.op):
		r.out.Problem(r.head, payload.MissingSegment, fmt.Sprintf("%s of a WebSocket message were not captured", span.Bytes(n)))
		if len(r.message.Data) > 0 && !r.packed && r.frame.IsLast {
			r.out.Message(r.message, r.text, true)
		}
		r.giveUp()
		if r.left -= uint64(n); r.left == 0 {
			r.end()
		}
	default:
		r.out.Problem(r.head, payload.MissingSegment, fmt.Sprintf("%s of a WebSocket connection were not captured: what follows is not read until a frame begins a segment", span.Bytes(n)))
		r.lose()
	}
}

// End ends the connection.
func (r *Reader) End() {
	if r.inside || r.open {
		r.out.Problem(r.head, span.Truncated, fmt.Sprintf("a WebSocket connection ends in a message: %s missing", span.BytesAre(int64(r.left))))
	}
	r.lose()
}
