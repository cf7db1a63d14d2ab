package stream

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/network/variants"
)

// A Framing is how values follow one another in a TCP stream, other than each after a length of 32 bits.
type Framing struct {
	About string // what stands before each value
	Fine  bool   // a usual way, though not that of put_var

	cut func(b []byte) frame
}

// A frame is the place of a value with all that frames it.
type frame struct {
	head, size, tail int
	more             bool // more bytes are needed to know
	wrong            bool // no value can begin here
}

func (f *frame) end() int { return f.head + f.size + f.tail }

// ordinary is the framing of put_var in one byte order.
func ordinary(order binary.ByteOrder) *Framing { return lengthAfter(0, LengthSize, order, "") }

// lengthAfter is the framing with a length in a number of bytes, which follows skip other bytes.
func lengthAfter(skip, width int, order binary.ByteOrder, about string) *Framing {
	return &Framing{About: about, cut: func(b []byte) (f frame) {
		f.head = skip + width
		if f.more = len(b) < f.head; f.more {
			return f
		}
		if width == 2 {
			f.size = int(order.Uint16(b[skip:]))
		} else {
			f.size = int(order.Uint32(b[skip:]))
		}
		f.wrong = f.size == 0 || f.size > likely
		f.more = !f.wrong && len(b) < f.end()
		return f
	}}
}

// lines is the framing of texts that each end with a line feed.
var lines = &Framing{About: "JSON, one text on each line", Fine: true, cut: func(b []byte) frame {
	i := bytes.IndexByte(b, '\n')
	return frame{size: i, tail: 1, more: i < 0}
}}

// bare is the framing of values without anything before them.
func bare(r *variants.Reader) *Framing {
	return &Framing{About: "values without a length before each, as put_data sends what var_to_bytes returns", cut: func(b []byte) (f frame) {
		r.Use(b)
		v, ok := r.Next(0, int64(len(b)), func(p span.Problem) {
			if p.Severity == span.Error {
				f.more = f.more || p.IsShortage()
				f.wrong = f.wrong || !p.IsShortage()
			}
		})
		if f.size = int(v.Length); ok {
			f.more, f.wrong = false, f.size == 0
		}
		return f
	}}
}

// Detect returns the framing of a stream that begins with some bytes: a nil framing for lengths of 32 bits. ok
// is false as long as no value shows it.
func Detect(b []byte, readers ...*variants.Reader) (f *Framing, bigEndian, ok bool) {
	le, be := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	all := []*Framing{ordinary(le), ordinary(be), lines}
	for _, r := range readers {
		all = append(all, bare(r))
	}
	for _, order := range []binary.ByteOrder{le, be} {
		all = append(all, lengthAfter(0, 2, order, "a length of 16 bits before each value"),
			lengthAfter(1, 4, order, "a byte of the game's own, and then a length of 32 bits, before each value"),
			lengthAfter(1, 2, order, "a byte of the game's own, and then a length of 16 bits, before each value"))
	}
	for i, f := range all {
		x := f.cut(b)
		if x.more || x.wrong {
			continue
		}
		switch body := b[x.head : x.head+x.size]; {
		case i < 2 && (isValue(body, readers) || isContent(body, readers)):
			return nil, i == 1, true
		case i >= 2 && x.size >= least && isContent(body, readers):
			return f, false, true
		}
	}
	return nil, false, false
}

// least is the size of the smallest value that shows another framing.
const least = 12

// isValue reports whether bytes are one value, of any size.
func isValue(b []byte, readers []*variants.Reader) bool {
	return slices.ContainsFunc(readers, func(r *variants.Reader) bool {
		values, ok := look.All(r, b)
		return ok && len(values) == 1
	})
}

// isContent reports whether bytes are values or JSON, perhaps packed.
func isContent(b []byte, readers []*variants.Reader) bool {
	l := look.Into(b, readers...)
	return l.Kind == look.Values || l.Kind == look.JSON
}

// Resume returns where the first value with a length of 32 bits begins in a stream whose beginning is missing.
func Resume(b []byte, readers ...*variants.Reader) (at int, bigEndian, ok bool) {
	const most = 64 << 10
	for at := 1; at+LengthSize+least <= min(len(b), most); at++ {
		for _, bigEndian := range []bool{false, true} {
			n := int64(byteOrder(bigEndian).Uint32(b[at:]))
			if body := b[at+LengthSize:]; n >= least && n <= int64(len(body)) && mayBeContent(body) && isContent(body[:n], readers) {
				return at, bigEndian, true
			}
		}
	}
	return 0, false, false
}

// mayBeContent reports whether bytes begin as a value or as JSON.
func mayBeContent(b []byte) bool {
	const mostTypes = 39
	return b[0] == '{' || b[0] == '[' || b[0] < mostTypes && b[1] == 0 && b[3] == 0
}

// mostWaiting is the largest number of bytes that wait for the end of a value.
const mostWaiting = 1 << 20

// A Cutter reads the values of one direction that has another framing.
type Cutter struct {
	framing *Framing
	out     Out
	pool    *pool.Pool
	item    pool.Item
	waiting payload.Bytes
}

// NewCutter returns a reader at the start of a value.
func NewCutter(p *pool.Pool, f *Framing, out Out) *Cutter {
	return &Cutter{framing: f, out: out, pool: p}
}

// Head returns nothing: what frames a value is not shown as a length.
func (c *Cutter) Head() payload.Bytes { return payload.Bytes{} }

// Data implements tcp.Sink.
func (c *Cutter) Data(b payload.Bytes) {
	before := cap(c.waiting.Data)
	c.waiting.Append(b, 0, len(b.Data))
	c.pool.Grow(&c.item, int64(cap(c.waiting.Data)-before), c.drop)
	at := 0
	for at < len(c.waiting.Data) {
		x := c.framing.cut(c.waiting.Data[at:])
		if x.more && len(c.waiting.Data)-at <= mostWaiting {
			break
		}
		if x.more || x.wrong {
			c.out.Problem(c.waiting.Slice(at, 1), span.LengthOverrun, "no value begins here in a TCP stream with "+c.framing.About+": the rest of the segment is left out")
			c.drop()
			return
		}
		if x.size > 0 {
			c.out.Value(c.waiting.Slice(at+x.head, x.size), false)
		}
		at += x.end()
	}
	if at == len(c.waiting.Data) {
		c.drop()
	} else if at > 0 {
		c.waiting = c.waiting.Slice(at, len(c.waiting.Data)-at).Clone()
	}
}

func (c *Cutter) drop() {
	c.item.Free()
	c.waiting = payload.Bytes{}
}

// Gap implements tcp.Sink.
func (c *Cutter) Gap(n int64) {
	c.out.Problem(c.waiting, payload.MissingSegment, fmt.Sprintf("%s of a TCP stream were not captured: a value is left out", span.Bytes(n)))
	c.drop()
}

// End ends the stream.
func (c *Cutter) End() {
	if n := len(c.waiting.Data); n > 0 {
		c.out.Problem(c.waiting, span.Truncated, fmt.Sprintf("a TCP stream ends in a value, of which %s are there", span.Bytes(int64(n))))
	}
	c.drop()
}
