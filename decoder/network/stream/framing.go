package stream

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/network/variants"
)

// A Framing is how values follow one another in a TCP stream, other than each after a length of 32 bits.
type Framing struct {
	About string // "with a length of 16 bits before each value"
	Holds string // what the first value is: "JSON"
	Fine  bool   // a usual way to send that, though not that of put_var

	cut func(b []byte) frame
}

// A frame is the place of a value with all that frames it.
type frame struct {
	head, size, tail int
	more             bool // more bytes are needed to know
	wrong            bool // no value can begin here
}

func (f *frame) end() int { return f.head + f.size + f.tail }

// A layout is where a length stands before a value.
type layout struct {
	skip, width int // bytes of the game's own, and then those of the length
	counted     int // bytes before the value that the length includes
	about       string
}

// layouts are those that games use instead of a length of 32 bits.
var layouts = []layout{
	{0, 2, 0, "a length of 16 bits before each value"},
	{1, 4, 0, "a byte of the game's own, and then a length of 32 bits, before each value"},
	{1, 2, 0, "a byte of the game's own, and then a length of 16 bits, before each value"},
	{0, 4, 4, "a length of 32 bits before each value that includes its own 4 bytes"},
	{0, 2, 2, "a length of 16 bits before each value that includes its own 2 bytes"},
	{0, 1, 0, "a length of 8 bits before each value"},
}

// framing returns the framing with a layout.
func (l layout) framing(order binary.ByteOrder) *Framing {
	return &Framing{About: "with " + l.about, cut: func(b []byte) (f frame) {
		f.head = l.skip + l.width
		if f.more = len(b) < f.head; f.more {
			return f
		}
		switch at := b[l.skip:]; l.width {
		case 1:
			f.size = int(at[0])
		case 2:
			f.size = int(order.Uint16(at))
		default:
			f.size = int(order.Uint32(at))
		}
		f.size -= l.counted
		f.wrong = f.size <= 0 || f.size > likely
		f.more = !f.wrong && len(b) < f.end()
		return f
	}}
}

// ended is the framing of texts that each end with a character.
func ended(by byte, about string) *Framing {
	return &Framing{About: about, Fine: true, cut: func(b []byte) frame {
		i := bytes.IndexByte(b, by)
		return frame{size: i, tail: 1, more: i < 0}
	}}
}

// lines is the framing of texts on lines.
var lines = ended('\n', "with one text on each line")

// texts are the framings of texts with content.
var texts = []*Framing{
	lines,
	ended(0, "with a zero after each text"),
	{About: "with one text after the other", Fine: true, cut: func(b []byte) (f frame) {
		d := json.NewDecoder(bytes.NewReader(b))
		var text json.RawMessage
		err := d.Decode(&text)
		f.size, f.more = int(d.InputOffset()), errors.Is(err, io.ErrUnexpectedEOF)
		f.wrong = !f.more && err != nil
		return f
	}},
}

// bare is the framing of values after a number of bytes of the game's own, without a length.
func bare(r *variants.Reader, skip int, about string) *Framing {
	return &Framing{About: about, cut: func(b []byte) (f frame) {
		f.head = skip
		if f.more = len(b) <= skip; f.more {
			return f
		}
		r.Use(b)
		v, ok := r.Next(int64(skip), int64(len(b)), func(p span.Problem) {
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
	orders := []binary.ByteOrder{binary.LittleEndian, binary.BigEndian}
	for i, order := range orders {
		if body := (layout{width: LengthSize}).framing(order).whole(b); body != nil && (isValue(body, readers) || look.IsContent(body, readers...)) {
			return nil, i == 1, true
		}
	}
	all := slices.Clone(texts)
	for _, r := range readers {
		all = append(all, bare(r, 0, "without a length before each value, as put_data sends what var_to_bytes returns"))
	}
	for _, order := range orders {
		for _, l := range layouts {
			all = append(all, l.framing(order))
		}
	}
	for _, r := range readers {
		all = append(all, bare(r, 1, "with a byte of the game's own before each value, and no length"))
	}
	for _, f := range all {
		if f, ok := f.shown(b, readers); ok {
			return f, false, true
		}
	}
	if len(lines.whole(b)) > 0 && look.IsText(b) {
		return &Framing{About: lines.About, Holds: "text", Fine: true, cut: lines.cut}, false, true
	}
	return nil, false, false
}

// shown returns the framing with what it holds, if the first value and, as far as it is there, the second one have
// content. Only values that are not packed could be meant for get_var.
func (f *Framing) shown(b []byte, readers []*variants.Reader) (is *Framing, ok bool) {
	body := f.whole(b)
	has, ok := look.Content(body, readers...)
	if len(body) < least || !ok {
		return nil, false
	}
	is = &Framing{About: f.About, Holds: has.Name(), Fine: f.Fine || has.Kind == look.JSON || len(has.Steps) > 0, cut: f.cut}
	first := f.cut(b)
	rest := b[first.end():]
	second := f.cut(rest)
	return is, len(rest) == 0 || second.more || !second.wrong && look.IsContent(rest[second.head:second.head+second.size], readers...)
}

// whole returns the first value; nil if it is not there, or not whole.
func (f *Framing) whole(b []byte) []byte {
	x := f.cut(b)
	if x.more || x.wrong {
		return nil
	}
	return b[x.head : x.head+x.size]
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

// Resume returns where the first value with a length of 32 bits begins in a stream whose beginning is missing.
func Resume(b []byte, readers ...*variants.Reader) (at int, bigEndian, ok bool) {
	const most = 64 << 10
	for at := 1; at+LengthSize+least <= min(len(b), most); at++ {
		for _, bigEndian := range []bool{false, true} {
			n := int64(byteOrder(bigEndian).Uint32(b[at:]))
			if body := b[at+LengthSize:]; n >= least && n <= int64(len(body)) && mayBeContent(body) && look.IsContent(body[:n], readers...) {
				return at, bigEndian, true
			}
		}
	}
	return 0, false, false
}

// mayBeContent reports whether bytes begin as a value or as JSON.
func mayBeContent(b []byte) bool {
	return b[0] == '{' || b[0] == '[' || variants.Begins(b)
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
			c.out.Problem(c.waiting.Slice(at, 1), span.LengthOverrun, "no value begins here in a TCP stream "+c.framing.About+": the rest of the segment is left out")
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
