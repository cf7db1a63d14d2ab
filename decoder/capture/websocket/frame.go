// Package websocket reads WebSocket connections (RFC 6455) with permessage-deflate (RFC
// 7692).
package websocket

import "encoding/binary"

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
	maxHeader  = 14
	maxControl = 125

	// MaxMessage is the longest message that is believed, also unpacked.
	MaxMessage = 32 << 20
)

// A header is that of a frame.
type header struct {
	fin, packed, masked bool
	rsv                 byte // the reserved bits other than packed
	op                  byte
	length              uint64
	mask                [4]byte
	size                int
}

// headerSize returns the size of the header that begins with these bytes, at least two.
func headerSize(b []byte) int {
	n := 2
	switch b[1] & 0x7f {
	case 126:
		n += 2
	case 127:
		n += 8
	}
	if b[1]&bitMasked != 0 {
		n += 4
	}
	return n
}

// parse reads a header that is there as a whole.
func parse(b []byte) (h header) {
	h = header{fin: b[0]&bitFin != 0, packed: b[0]&bitPacked != 0, rsv: b[0] & (bitsRSV &^ bitPacked), op: b[0] & 15,
		masked: b[1]&bitMasked != 0, length: uint64(b[1] & 0x7f), size: headerSize(b)}
	switch h.length {
	case 126:
		h.length = uint64(binary.BigEndian.Uint16(b[2:]))
	case 127:
		h.length = binary.BigEndian.Uint64(b[2:])
	}
	if h.masked {
		copy(h.mask[:], b[h.size-4:])
	}
	return h
}

// A Head is what the header of a frame says.
type Head struct {
	Flags  string // the first byte in words
	Length uint64
	Size   int // of the header without its mask
}

// opNames are the types of frames.
var opNames = map[byte]string{opContinuation: "continuation", opText: "text", opBinary: "binary", opClose: "close", opPing: "ping", opPong: "pong"}

// Explain reads a header. isThere is false if it is not there as a whole.
func Explain(b []byte) (h Head, isThere bool) {
	if len(b) < 2 || len(b) != headerSize(b) {
		return h, false
	}
	p := parse(b)
	h = Head{Flags: opNames[p.op], Length: p.length, Size: p.size}
	if p.masked {
		h.Size -= 4
	}
	if p.packed {
		h.Flags += ", compressed"
	}
	if !p.fin {
		h.Flags += ", not the last"
	}
	return h, true
}

// A Frame is what can be said of a frame without what it carries.
type Frame struct {
	Head      int    // size of its head
	Size      uint64 // of what follows
	IsValid   bool   // its type is known, and no reserved bit is set that has no meaning
	IsControl bool
	IsText    bool // it begins a message of text
	IsLast    bool // of a message
	Mask      [4]byte
}

// ParseFrame reads the head of the frame that b begins with. isThere is false if it is not
// there as a whole.
func ParseFrame(b []byte) (f Frame, isThere bool) {
	if len(b) < 2 || len(b) < headerSize(b) {
		return f, false
	}
	h := parse(b)
	return Frame{h.size, h.length, isKnown(h.op) && h.rsv == 0, isControl(h.op), h.op == opText, h.fin, h.mask}, true
}

func isControl(op byte) bool { return op >= opClose }

func isKnown(op byte) bool { return op <= opBinary || op >= opClose && op <= opPong }

// BeginsFrame reports whether the bytes of a TCP segment are likely to begin a frame: they
// are a frame, or its first two bytes or header alone, as Godot sends them.
func BeginsFrame(b []byte) bool {
	if len(b) < 2 || b[0]&bitsRSV&^bitPacked != 0 || !isKnown(b[0]&15) || isControl(b[0]&15) && (b[0]&bitFin == 0 || b[1]&0x7f > maxControl) {
		return false
	}
	size := headerSize(b)
	if len(b) == 2 || len(b) == size {
		return true
	}
	return len(b) > size && parse(b).length == uint64(len(b)-size)
}
