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

	// mostWaiting is the largest number of bytes that wait for the end of a value without a length.
	mostWaiting = 1 << 20

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
	framing *Framing
	out     Out
	pool    *pool.Pool
	item    pool.Item

	waiting payload.Bytes // what is there of a value, with what frames it
	head    payload.Bytes // the length of the value that is handed over
	left    int           // number of bytes to leave out: the rest of a value
	lost    bool          // it is not known where values begin
}

// Out takes what a Reader finds.
type Out interface {
	// Value takes a value. It and its bytes are valid until Value returns.
	Value(b payload.Bytes, partial bool)
	Problem(at payload.Bytes, code, message string)
}

// NewReader returns a reader at the start of a value.
func NewReader(p *pool.Pool, f *Framing, out Out) *Reader {
	return &Reader{framing: f, out: out, pool: p}
}

// Head returns the length of the current value, if it has the framing of put_var: what else frames values is not shown.
func (r *Reader) Head() payload.Bytes { return r.head }

// Data implements tcp.Sink.
func (r *Reader) Data(b payload.Bytes) {
	if r.lost && !r.beginsValue(b.Data) {
		return
	}
	r.lost = false
	if n := min(r.left, len(b.Data)); n > 0 {
		r.left -= n
		b = b.Slice(n, len(b.Data)-n)
	}
	if len(r.waiting.Data) == 0 {
		r.wait(b, r.values(b))
		return
	}
	if r.wait(b, 0); len(r.waiting.Data) > 0 {
		if at := r.values(r.waiting); at > 0 {
			rest := r.waiting
			r.drop()
			r.wait(rest, at)
		}
	}
}

// wait keeps bytes from an index on.
func (r *Reader) wait(b payload.Bytes, at int) {
	if at == len(b.Data) {
		return
	}
	before := cap(r.waiting.Data)
	r.waiting.Append(b, at, len(b.Data)-at)
	r.pool.Grow(&r.item, int64(cap(r.waiting.Data)-before), r.giveUp)
}

// values hands over the values that bytes begin with, and returns where the first one begins that is not whole.
func (r *Reader) values(b payload.Bytes) (at int) {
	for at < len(b.Data) {
		x := r.framing.cut(b.Data[at:])
		if x.more && (r.framing.head > 0 || len(b.Data)-at <= mostWaiting) {
			break
		}
		if x.more || x.wrong {
			r.stray(b.Slice(at, min(r.framing.head, len(b.Data)-at)), x)
			return len(b.Data)
		}
		if x.size > 0 || r.framing.IsLengths() {
			r.hand(b, at, x, false)
		}
		at += x.end()
	}
	return at
}

// stray reports that no value begins at bytes.
func (r *Reader) stray(at payload.Bytes, x frame) {
	if r.lost = r.framing.IsLengths(); r.lost {
		r.out.Problem(at, span.LengthOverrun, fmt.Sprintf("a value of %s in a TCP stream is too long: what follows is not read until a value begins a segment", span.Bytes(int64(x.size))))
		return
	}
	r.out.Problem(at, span.LengthOverrun, "no value begins here in a TCP stream "+r.framing.About+": the rest of the segment is left out")
}

// hand hands over the value at an index.
func (r *Reader) hand(b payload.Bytes, at int, x frame, partial bool) {
	if r.framing.IsLengths() {
		r.head = payload.Bytes{Data: b.Data[at : at+x.head], Parts: b.AppendParts(r.head.Parts[:0], at, x.head)}
	}
	at += x.head
	r.out.Value(b.Slice(at, min(x.size, len(b.Data)-at)), partial)
}

// beginsValue reports whether the bytes of a segment are a value with its length, or a length alone, as
// Godot sends them.
func (r *Reader) beginsValue(b []byte) bool {
	x := r.framing.cut(b)
	return len(b) >= LengthSize && x.size > 0 && x.size <= likely && (len(b) == LengthSize || x.end() == len(b))
}

// part returns the frame of a value that is there in part, and how many of its bytes are missing; 0 if its length is not there.
func (r *Reader) part() (x frame, missing int) {
	if have := len(r.waiting.Data); r.framing.head > 0 && have >= r.framing.head {
		x = r.framing.cut(r.waiting.Data)
		return x, x.end() - have
	}
	return x, 0
}

// cut hands over what there is of a value.
func (r *Reader) cut() {
	if x, missing := r.part(); missing > 0 && len(r.waiting.Data) > x.head {
		r.hand(r.waiting, 0, x, true)
	}
	r.drop()
}

// giveUp leaves out a value that takes too much memory.
func (r *Reader) giveUp() {
	r.out.Problem(r.waiting.Slice(0, min(r.framing.head, len(r.waiting.Data))), payload.TooMuch, "a value that is left out: it would take more memory than is allowed")
	_, r.left = r.part()
	r.drop()
}

func (r *Reader) drop() {
	r.item.Free()
	r.waiting = payload.Bytes{}
}

// Gap implements tcp.Sink.
func (r *Reader) Gap(n int64) {
	_, missing := r.part()
	at := r.waiting.Slice(0, min(r.framing.head, len(r.waiting.Data)))
	if r.left > 0 {
		missing, at = r.left, r.head
	}
	switch {
	case r.lost:
	case n <= int64(missing):
		r.out.Problem(at, payload.MissingSegment, fmt.Sprintf("%s of a value were not captured", span.Bytes(n)))
		r.cut()
		r.left = missing - int(n)
	default:
		what := "a value is left out"
		if r.lost = r.framing.IsLengths(); r.lost {
			what = "what follows is not read until a value begins a segment"
		}
		r.out.Problem(at, payload.MissingSegment, fmt.Sprintf("%s of a TCP stream were not captured: %s", span.Bytes(n), what))
		r.cut()
		r.left = 0
	}
}

// End ends the stream. The last text may lack what ends it.
func (r *Reader) End() {
	have := len(r.waiting.Data)
	switch _, missing := r.part(); {
	case have == 0:
	case missing > 0:
		r.out.Problem(r.waiting.Slice(0, r.framing.head), span.Truncated, fmt.Sprintf("a TCP stream ends in a value: %s missing", span.BytesAre(int64(missing))))
	case r.framing.Fine:
		r.out.Value(r.waiting, false)
	case !r.framing.IsLengths():
		r.out.Problem(r.waiting, span.Truncated, fmt.Sprintf("a TCP stream ends in a value, of which %s are there", span.Bytes(int64(have))))
	}
	r.cut()
}
