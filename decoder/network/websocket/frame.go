// Package websocket reads WebSocket connections (RFC 6455) with permessage-deflate (RFC
// 7692).
package websocket

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/stream"
)

// The opcodes.
const (
	opContinuation = 0
	opText         = 1
	opBinary       = 2
	opClose        = 8
	opPing         = 9
	opPong         = 10
)

// Bits of the first two bytes.
const (
	bitFin    = 0x80
	bitPacked = 0x40 // RSV1: the message is compressed
	bitsRSV   = 0x70
	bitMasked = 0x80
)

const (
	leastHead  = 2 // bytes of the header of a frame
	maxControl = 125

	// maxMessage is the size of the longest message that is accepted, unpacked or not.
	maxMessage = 32 << 20
)

// A Frame is the header of a frame.
type Frame struct {
	IsLast             bool // it is the last frame of a message
	IsPacked, IsMasked bool
	rsv                byte // the reserved bits other than that of IsPacked
	op                 byte
	Size               uint64 // of what follows
	Mask               [4]byte
	Head               int // size of the header
}

// widths are the bytes of the size that follow, by the size in the second byte.
var widths = [128]int{126: 2, 127: 8}

// ParseFrame reads the header that b begins with. isThere is false if it is incomplete, and Head is its size as far as that is known.
func ParseFrame(b []byte) (f Frame, isThere bool) {
	if f.Head = leastHead; len(b) < leastHead {
		return f, false
	}
	f = Frame{IsLast: b[0]&bitFin != 0, IsPacked: b[0]&bitPacked != 0, rsv: b[0] & (bitsRSV &^ bitPacked), op: b[0] & 15,
		IsMasked: b[1]&bitMasked != 0, Size: uint64(b[1] & 0x7f), Head: leastHead}
	width := widths[f.Size]
	if f.Head += width; f.IsMasked {
		f.Head += len(f.Mask)
	}
	if len(b) < f.Head {
		return f, false
	}
	switch width {
	case 2:
		f.Size = uint64(binary.BigEndian.Uint16(b[2:]))
	case 8:
		f.Size = binary.BigEndian.Uint64(b[2:])
	}
	if f.IsMasked {
		copy(f.Mask[:], b[f.Head-len(f.Mask):])
	}
	return f, true
}

// Cut returns the place of the frame that b begins with; isOpen says that it may continue a message.
func Cut(b []byte, isOpen bool) stream.Frame {
	h, isThere := ParseFrame(b)
	if !isThere {
		return stream.Frame{Head: h.Head, More: true}
	}
	f := stream.Frame{Head: h.Head, Why: h.check(isOpen)}
	if f.Wrong = f.Why != ""; !f.Wrong {
		f.Size = int(h.Size)
		f.More = len(b) < f.End()
	}
	return f
}

// check returns the fault of a frame that keeps what follows from being read; isOpen says that it may continue a message.
func (h *Frame) check(isOpen bool) string {
	switch {
	case !isKnown(h.op):
		return fmt.Sprintf("a WebSocket frame of the unknown type %d", h.op)
	case h.rsv != 0 || h.IsPacked && (h.IsControl() || h.op == opContinuation):
		return "a WebSocket frame with reserved bits set"
	case h.IsControl() && (h.Size > maxControl || !h.IsLast):
		return "a WebSocket control frame that is fragmented or longer than 125 bytes"
	case h.Size > maxMessage:
		return fmt.Sprintf("a WebSocket frame of %d bytes, which is too long", h.Size)
	case h.op == opContinuation && !isOpen:
		return "a WebSocket frame continues a message that has not begun"
	}
	return ""
}

// opNames are the types of frames.
var opNames = map[byte]string{opContinuation: "continuation", opText: "text", opBinary: "binary", opClose: "close", opPing: "ping", opPong: "pong"}

// Flags returns the first byte in words.
func (f *Frame) Flags() string {
	flags := opNames[f.op]
	if f.IsPacked {
		flags += ", compressed"
	}
	if !f.IsLast {
		flags += ", not the last"
	}
	return flags
}

// IsControl reports whether the frame is not one of a message.
func (f *Frame) IsControl() bool { return f.op >= opClose }

// IsText reports whether the frame begins a message of text.
func (f *Frame) IsText() bool { return f.op == opText }

func isKnown(op byte) bool { return op <= opBinary || op >= opClose && op <= opPong }

// BeginsFrame reports whether the bytes of a TCP segment are likely to begin a frame: they are a frame, or
// only its first two bytes or its header, as Godot sends them.
func BeginsFrame(b []byte) bool {
	f, isThere := ParseFrame(b)
	if len(b) < leastHead || f.rsv != 0 || !isKnown(f.op) || f.IsControl() && (!f.IsLast || b[1]&0x7f > maxControl) {
		return false
	}
	return len(b) == leastHead || isThere && (len(b) == f.Head || f.Size == uint64(len(b)-f.Head))
}

// maxHead is the size of the longest HTTP head that is read.
const maxHead = 16 << 10

// A Session is what both sides of a connection have agreed on.
type Session struct {
	isPacked  bool    // permessage-deflate
	isKnown   bool    // whether it is, as the server's answer was read
	fresh     [2]bool // the client or server forgets what it packed before each message
	key       string  // what the client sends to be answered
	protocols string  // that the client offers
	wrong     string  // why the client refuses the answer
}

// HeadEnd returns the length of the HTTP head that b begins with; -1 while its end is missing.
func HeadEnd(b []byte) int {
	if i := bytes.Index(b, []byte("\r\n\r\n")); i >= 0 {
		return i + 4
	}
	return -1
}

// headers returns the first line of a HTTP head, "" if what follows is wrong or cut, and its headers.
func headers(head []byte) (first string, all textproto.MIMEHeader) {
	r := textproto.NewReader(bufio.NewReader(bytes.NewReader(head)))
	first, err := r.ReadLine()
	if err == nil {
		all, err = r.ReadMIMEHeader()
	}
	if err != nil {
		first = ""
	}
	return first, all
}

// request reads the client's head. It reports whether that asks for WebSocket.
func (s *Session) request(head []byte) bool {
	first, all := headers(head)
	s.key, s.protocols = all.Get("Sec-WebSocket-Key"), strings.Join(all.Values("Sec-WebSocket-Protocol"), ",")
	asks := slices.ContainsFunc(all.Values("Upgrade"), func(to string) bool { return strings.EqualFold(to, "websocket") })
	return asks && strings.Contains(first, " HTTP/1.")
}

// response reads the server's head. It reports whether that agrees.
func (s *Session) response(head []byte) bool {
	s.isKnown = true
	first, all := headers(head)
	for extension := range strings.SplitSeq(strings.Join(all.Values("Sec-WebSocket-Extensions"), ","), ",") {
		s.extension(extension)
	}
	s.compare(all.Get("Sec-WebSocket-Protocol"), all.Get("Sec-WebSocket-Accept"))
	return first != "" && Agrees(head)
}

// compare finds out why the client refuses the protocol that the server chooses, or its answer to the key (RFC 6455, 4.1).
func (s *Session) compare(protocol, accept string) {
	const secret = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
	sum := sha1.Sum([]byte(s.key + secret))
	offered := slices.ContainsFunc(strings.Split(s.protocols, ","), func(p string) bool { return strings.TrimSpace(p) == protocol })
	switch {
	case s.key == "": // the capture lacks it
	case protocol != "" && !offered:
		s.wrong = fmt.Sprintf("the server chooses the protocol %q, which the client does not offer (Received unrequested sub-protocol -> %s)", protocol, protocol)
	case protocol == "" && s.protocols != "":
		s.wrong = fmt.Sprintf("the server chooses none of the protocols that the client offers: %q (Requested sub-protocol(s) but received none.)", s.protocols)
	case accept != "" && accept != base64.StdEncoding.EncodeToString(sum[:]):
		s.wrong = "the server's Sec-WebSocket-Accept does not answer the client's key"
	}
}

// Agrees reports whether a server's head, as far as it is there, agrees to WebSocket.
func Agrees(head []byte) bool { return bytes.HasPrefix(head, []byte("HTTP/1.1 101")) }

// WithoutExtensions returns a client's head without the extensions that it offers, so that messages come
// unpacked.
func WithoutExtensions(head []byte) (is []byte) {
	for line := range bytes.SplitAfterSeq(head, []byte("\r\n")) {
		if name, _, _ := bytes.Cut(line, []byte(":")); !bytes.EqualFold(name, []byte("Sec-WebSocket-Extensions")) {
			is = append(is, line...)
		}
	}
	return is
}

func (s *Session) extension(text string) {
	name, parameters, _ := strings.Cut(text, ";")
	if strings.TrimSpace(name) != "permessage-deflate" {
		return
	}
	s.isPacked = true
	for p := range strings.SplitSeq(parameters, ";") {
		switch strings.TrimSpace(p) {
		case "client_no_context_takeover":
			s.fresh[0] = true
		case "server_no_context_takeover":
			s.fresh[1] = true
		}
	}
}

// windowSize is the farthest that deflate refers back.
const windowSize = 32 << 10

// messageEnd is what a sender leaves out at the end of each packed message, and an empty last block.
var messageEnd = []byte{0, 0, 0xff, 0xff, 1, 0, 0, 0xff, 0xff}

var errTooMuch = errors.New("it unpacks to more than a message may have")

// An inflater unpacks the messages of one side.
type inflater struct {
	reader io.ReadCloser
	window []byte // end of what was unpacked before
}

// unpack unpacks a message. fresh says that it does not depend on earlier ones.
func (f *inflater) unpack(packed []byte, fresh bool) ([]byte, error) {
	in := io.MultiReader(bytes.NewReader(packed), bytes.NewReader(messageEnd))
	if fresh {
		f.window = f.window[:0]
	}
	if f.reader == nil {
		f.reader = flate.NewReaderDict(in, f.window)
	} else if err := f.reader.(flate.Resetter).Reset(in, f.window); err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(f.reader, maxMessage+1))
	if len(plain) > maxMessage {
		plain, err = nil, errTooMuch
	}
	last := plain[max(0, len(plain)-windowSize):]
	kept := copy(f.window, f.window[max(0, len(f.window)+len(last)-windowSize):])
	f.window = append(f.window[:kept], last...)
	return plain, err
}

// finish hands over the message.
func (r *Reader) finish() {
	b := r.message
	switch {
	case r.partial && (r.packed || len(b.Data) == 0): // it was given up
	case r.packed:
		if plain, ok := r.unpack(b); ok {
			r.out.Message(plain, r.text, false)
		}
	default:
		r.out.Message(b, r.text, r.partial)
	}
	r.drop()
}

// Head returns the header of the current frame.
func (r *Reader) Head() payload.Bytes { return r.frames.Head() }

// side returns the number of the side in a Session.
func (r *Reader) side() int {
	if r.isServer {
		return 1
	}
	return 0
}

// unpack unpacks a message.
func (r *Reader) unpack(b payload.Bytes) (plain payload.Bytes, ok bool) {
	if r.blind {
		return plain, false
	}
	data, err := r.inflater.unpack(b.Data, r.session.fresh[r.side()])
	if err != nil && r.late {
		r.blind = true
		r.out.Problem(b, payload.BeginsLate, "the messages of this side are compressed together (permessage-deflate), and the capture begins in the middle of the connection: none of them can be unpacked; begin the capture before the players connect")
		return plain, false
	}
	if err != nil {
		r.out.Problem(b, span.Unreadable, "a WebSocket message cannot be unpacked: "+err.Error())
		return plain, false
	}
	return b.Unpacked(data), true
}
