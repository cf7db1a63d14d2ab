// Package stream reads the values of a TCP stream, each after its length in 4 bytes:
// StreamPeer.put_var and PacketPeerStream.
package stream

import (
	"encoding/binary"
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/network/variants"
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
	framing Framing
	out     Out
	pool    *pool.Pool
	item    pool.Item

	waiting payload.Bytes // what is there of a value, with what frames it
	head    payload.Bytes // the length of the value that is handed over
	left    int           // number of bytes to leave out: the rest of a value
	lost    bool          // it is not known where values begin
	handed  bool          // a value was handed over
}

// Out takes what a Reader finds.
type Out interface {
	// Value takes a value. It and its bytes are valid until Value returns.
	Value(b payload.Bytes, partial bool)
	Problem(at payload.Bytes, code, message string)
}

// NewReader returns a reader at the start of a value.
func NewReader(p *pool.Pool, f *Framing, out Out) *Reader {
	r := &Reader{framing: *f, out: out, pool: p}
	if f.Words == (Words{}) {
		r.framing.Words = Words{"a TCP stream", "a value", "a value"}
	}
	return r
}

// Head returns what precedes the current value in a framing that knows where values begin: what else frames values is not shown.
func (r *Reader) Head() payload.Bytes { return r.head }

// Data implements tcp.Sink.
func (r *Reader) Data(b payload.Bytes) {
	if r.lost && !r.framing.Begins(b.Data) {
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
	r.pool.Grow(&r.item, int64(cap(r.waiting.Data)-before+b.Size()-len(b.Data)), r.giveUp)
}

// values hands over the values that bytes begin with, and returns where the first one begins that is not whole.
func (r *Reader) values(b payload.Bytes) (at int) {
	for at < len(b.Data) {
		x := r.framing.Cut(b.Data[at:])
		if x.More && (r.framing.Head > 0 || len(b.Data)-at <= mostWaiting) {
			break
		}
		if x.More || x.Wrong {
			r.stray(b.Slice(at, min(max(x.Head, r.framing.Head), len(b.Data)-at)), x)
			return len(b.Data)
		}
		if x.Size > 0 || r.framing.Begins != nil {
			r.hand(b, at, x, false)
		}
		at += x.End()
	}
	return at
}

// Lose forgets where values begin, and returns what follows from that, or otherwise where each segment may begin one.
func (r *Reader) Lose(otherwise string) string {
	if r.lost = r.framing.Begins != nil; r.lost {
		if r.framing.Lost != nil {
			r.framing.Lost()
		}
		return fmt.Sprintf("what follows is not read until %s begins a segment", r.framing.Words.Frame)
	}
	return otherwise
}

// stray reports that no value begins at bytes.
func (r *Reader) stray(at payload.Bytes, x Frame) {
	then, why, code := r.Lose("the rest of the segment is left out"), x.Why, payload.WrongFrame
	if why == "" {
		code, why = span.LengthOverrun, fmt.Sprintf("a value of %s in a TCP stream is too long", span.Bytes(int64(x.Size)))
	}
	if !r.lost {
		why = "no value begins here in a TCP stream " + r.framing.About
	}
	r.out.Problem(at, code, why+": "+then)
}

// hand hands over the value at an index.
func (r *Reader) hand(b payload.Bytes, at int, x Frame, partial bool) {
	if r.framing.Begins != nil {
		r.head = payload.Bytes{Data: b.Data[at : at+x.Head], Parts: b.AppendParts(r.head.Parts[:0], at, x.Head)}
		for i := range r.head.Parts {
			r.head.Parts[i].Form = r.framing.HeadForm
		}
	}
	at, r.handed = at+x.Head, true
	r.out.Value(b.Slice(at, min(x.Size, len(b.Data)-at)), partial)
}

// part returns the frame of a value that is there in part, and how many of its bytes are missing; 0 if its length is not there.
func (r *Reader) part() (x Frame, missing int) {
	have := len(r.waiting.Data)
	if r.framing.Head == 0 || have < r.framing.Head {
		return x, 0
	}
	if x = r.framing.Cut(r.waiting.Data); have < x.Head {
		return x, 0
	}
	return x, x.End() - have
}

// before returns what is there of what precedes the value that waits.
func (r *Reader) before(x Frame) payload.Bytes {
	return r.waiting.Slice(0, min(max(x.Head, r.framing.Head), len(r.waiting.Data)))
}

// cut hands over what there is of a value.
func (r *Reader) cut() {
	if x, missing := r.part(); missing > 0 && len(r.waiting.Data) > x.Head {
		r.hand(r.waiting, 0, x, true)
	}
	r.drop()
}

// giveUp leaves out a value that takes too much memory.
func (r *Reader) giveUp() {
	x, missing := r.part()
	r.left = missing
	r.out.Problem(r.before(x), payload.TooMuch, r.framing.Words.Value+" that is left out: it would take more memory than is allowed")
	r.drop()
}

func (r *Reader) drop() {
	r.item.Free()
	r.waiting = payload.Bytes{}
}

// Gap implements tcp.Sink.
func (r *Reader) Gap(n int64) {
	x, missing := r.part()
	at := r.before(x)
	if r.left > 0 {
		missing, at = r.left, r.head
	}
	switch words := r.framing.Words; {
	case r.lost:
	case n <= int64(missing):
		r.out.Problem(at, payload.MissingSegment, fmt.Sprintf("%s of %s were not captured", span.Bytes(n), words.Value))
		r.cut()
		r.left = missing - int(n)
	default:
		r.out.Problem(at, payload.MissingSegment, fmt.Sprintf("%s of %s were not captured: %s", span.Bytes(n), words.Stream, r.Lose("a value is left out")))
		r.cut()
		r.left = 0
	}
}

// isStrange reports whether a stream waits in vain for the end of its first value, as what it begins with is no length: what
// follows does not begin a value.
func (r *Reader) isStrange(x Frame) bool {
	if r.handed || r.framing.HeadForm == payload.Header || len(r.waiting.Data) < x.Head+LengthSize {
		return false
	}
	body := r.waiting.Data[x.Head:]
	return !variants.Begins(body) && body[0] != '{' && body[0] != '[' && !look.IsText(body)
}

// firstBytes returns the first of some bytes in hexadecimal digits.
func firstBytes(b []byte) string { return fmt.Sprintf("% x", b[:min(8, len(b))]) }

// End ends the stream. The last text may lack what ends it.
func (r *Reader) End() {
	have, words := len(r.waiting.Data), r.framing.Words
	switch x, missing := r.part(); {
	case have == 0:
	case missing > 0 && r.isStrange(x):
		r.out.Problem(r.waiting, payload.NotUnderstood, fmt.Sprintf("nothing is understood of a TCP stream that begins with %s: its first bytes are not the length of a value (%s)", firstBytes(r.waiting.Data), span.Bytes(int64(have))))
		r.drop()
	case missing > 0:
		r.out.Problem(r.before(x), span.Truncated, fmt.Sprintf("%s ends in %s: %s missing", words.Stream, words.Value, span.BytesAre(int64(missing))))
	case r.framing.Fine:
		r.out.Value(r.waiting, false)
	case r.framing.Begins == nil:
		r.out.Problem(r.waiting, span.Truncated, fmt.Sprintf("a TCP stream ends in a value, of which %s are there", span.Bytes(int64(have))))
	}
	r.cut()
}
