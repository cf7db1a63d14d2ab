// Package stream reads the values of a TCP stream, each after its length in 4 bytes:
// StreamPeer.put_var and PacketPeerStream.
package stream

import (
	"encoding/binary"
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

const (
	// LengthSize is the size of the length before each value.
	LengthSize = 4

	// MaxValue is the size of the longest value that is accepted.
	MaxValue = 64 << 20

	// likely is the size of the longest value by which a stream is recognised or found again.
	likely = 8 << 20
)

// Recognize reports whether a stream that begins with these bytes has lengths, and in which byte order. If
// more bytes are needed to know, more is true and the others are false.
func Recognize(b []byte) (ok, bigEndian, more bool) {
	if len(b) < LengthSize {
		return false, false, true
	}
	little, big := binary.LittleEndian.Uint32(b), binary.BigEndian.Uint32(b)
	least := min(little, big)
	return least > 0 && least <= likely, big < little, false
}

// MayBegin reports whether the bytes of a segment may begin with a value and its length: no length in it is
// impossible.
func MayBegin(b []byte, bigEndian bool) bool {
	order := byteOrder(bigEndian)
	for at := 0; len(b)-at >= LengthSize; {
		n := order.Uint32(b[at:])
		if n == 0 || n > likely {
			return false
		}
		at += LengthSize + int(n)
	}
	return true
}

// Length returns the length that b begins with. isThere is false if b has too few bytes.
func Length(b []byte, bigEndian bool) (n uint32, isThere bool) {
	if len(b) < LengthSize {
		return 0, false
	}
	return byteOrder(bigEndian).Uint32(b), true
}

func byteOrder(bigEndian bool) binary.ByteOrder {
	if bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// A Reader reads the values of one direction.
type Reader struct {
	pool  *pool.Pool
	order binary.ByteOrder
	out   Out

	head  payload.Bytes // bytes of the length
	value payload.Bytes // value, as far as it is there
	item  pool.Item
	left  int64 // number of bytes of the value still to come
	inside, partial,
	lost bool // it is not known where values begin
}

// Out takes what a Reader finds.
type Out interface {
	// Value takes a value. It and its bytes are valid until Value returns.
	Value(b payload.Bytes, partial bool)
	Problem(at payload.Bytes, code, message string)
}

// NewReader returns a reader at the start of a value.
func NewReader(p *pool.Pool, bigEndian bool, out Out) *Reader {
	return &Reader{pool: p, order: byteOrder(bigEndian), out: out}
}

// Data implements tcp.Sink.
func (r *Reader) Data(b payload.Bytes) {
	if r.lost && !r.beginsValue(b.Data) {
		return
	}
	r.lost = false
	for at := 0; at < len(b.Data) && !r.lost; {
		if !r.inside {
			n := min(LengthSize-len(r.head.Data), len(b.Data)-at)
			r.head.Append(b, at, n)
			at += n
			if len(r.head.Data) == LengthSize {
				r.begin()
			}
			continue
		}
		n := int(min(r.left, int64(len(b.Data)-at)))
		if len(r.value.Data) == 0 && int64(n) == r.left && !r.partial {
			r.finish(b.Slice(at, n))
		} else {
			r.add(b, at, n)
		}
		at += n
	}
}

// beginsValue reports whether the bytes of a segment are a value with its length, or a length alone, as
// Godot sends them.
func (r *Reader) beginsValue(b []byte) bool {
	if len(b) < LengthSize {
		return false
	}
	n := r.order.Uint32(b)
	return n > 0 && n <= likely && (len(b) == LengthSize || int(n) == len(b)-LengthSize)
}

// begin begins the value whose length has come.
func (r *Reader) begin() {
	n := r.order.Uint32(r.head.Data)
	if n > MaxValue {
		r.out.Problem(r.head, span.LengthOverrun, fmt.Sprintf("a value of %s in a TCP stream is too long: what follows is not read until a value begins a segment", span.Bytes(int64(n))))
		r.reset()
		r.lost = true
		return
	}
	r.inside, r.left = true, int64(n)
	if n == 0 {
		r.finish(payload.Bytes{})
	}
}

// add adds bytes to the value.
func (r *Reader) add(b payload.Bytes, at, n int) {
	r.left -= int64(n)
	if !r.partial {
		before := cap(r.value.Data)
		r.value.Append(b, at, n)
		r.pool.Grow(&r.item, int64(cap(r.value.Data)-before), r.giveUp)
	}
	if r.left == 0 && r.inside {
		r.finish(r.value)
	}
}

// giveUp skips the rest of a value that takes too much memory.
func (r *Reader) giveUp() {
	r.out.Problem(r.head, payload.TooMuch, "a value that is left out: it would take more memory than is allowed")
	r.value, r.partial = payload.Bytes{}, true
}

// Head returns the length of the current value.
func (r *Reader) Head() payload.Bytes { return r.head }

// finish hands over the value and begins anew.
func (r *Reader) finish(value payload.Bytes) {
	if !r.partial || len(value.Data) > 0 {
		r.out.Value(value, r.partial)
	}
	r.reset()
}

func (r *Reader) reset() {
	r.item.Free()
	r.head, r.value = payload.Bytes{Data: r.head.Data[:0], Parts: r.head.Parts[:0]}, payload.Bytes{}
	r.left, r.inside, r.partial = 0, false, false
}

// Gap implements tcp.Sink.
func (r *Reader) Gap(n int64) {
	switch {
	case r.lost:
	case r.inside && n <= r.left:
		r.partial = true
		r.out.Problem(r.head, payload.MissingSegment, fmt.Sprintf("%s of a value were not captured", span.Bytes(n)))
		r.left -= n
		if r.left == 0 {
			r.finish(r.value)
		}
	default:
		r.out.Problem(r.head, payload.MissingSegment, fmt.Sprintf("%s of a TCP stream were not captured: what follows is not read until a value begins a segment", span.Bytes(n)))
		r.cut()
		r.lost = true
	}
}

// cut hands over what there is of the value.
func (r *Reader) cut() {
	if r.inside && len(r.value.Data) > 0 {
		r.partial = true
		r.finish(r.value)
	}
	r.reset()
}

// End ends the stream.
func (r *Reader) End() {
	if r.inside && !r.lost {
		r.out.Problem(r.head, span.Truncated, fmt.Sprintf("a TCP stream ends in a value: %s missing", span.BytesAre(r.left)))
	}
	r.cut()
}
