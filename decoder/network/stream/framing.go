package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/variants"
)

// A Framing is how values follow one another in a TCP stream.
type Framing struct {
	About string // "with a length of 16 bits before each value"; "" for lengths of 32 bits, as put_var writes them
	Holds string // what the first value is: "JSON"
	Fine  bool   // a usual way to send that, though not that of put_var

	BigEndian bool // lengths have their highest byte first

	head int // bytes before a value, if there is a length
	cut  func(b []byte) frame
}

// Lengths returns the framing with a length of 32 bits before each value.
func Lengths(bigEndian bool) *Framing { return layout{width: LengthSize}.framing(bigEndian) }

// IsLengths reports whether the framing is that of put_var.
func (f *Framing) IsLengths() bool { return f.About == "" }

// A frame is the place of a value with all that frames it.
type frame struct {
	head, size, tail int
	more             bool // more bytes are needed to know
	wrong            bool // no value can begin here
}

func (f *frame) end() int { return f.head + f.size + f.tail }

// A layout is where a length stands before a value.
type layout struct {
	skip, width, behind int // bytes of the game's own, then those of the length, then others of the game's own
	counted             int // bytes before the value that the length includes
	about               string
}

// layouts are those that games use instead of a length of 32 bits.
var layouts = []layout{
	{0, 2, 0, 0, "with a length of 16 bits before each value"},
	{1, 4, 0, 0, "with a byte of the game's own, and then a length of 32 bits, before each value"},
	{1, 2, 0, 0, "with a byte of the game's own, and then a length of 16 bits, before each value"},
	{0, 4, 1, 0, "with a length of 32 bits, and then a byte of the game's own, before each value"},
	{0, 2, 1, 0, "with a length of 16 bits, and then a byte of the game's own, before each value"},
	{0, 4, 0, 4, "with a length of 32 bits before each value that includes its own 4 bytes"},
	{0, 2, 0, 2, "with a length of 16 bits before each value that includes its own 2 bytes"},
	{0, 1, 0, 0, "with a length of 8 bits before each value"},
}

// most returns the size of the longest value.
func (l layout) most() int {
	if l.about == "" {
		return MaxValue
	}
	return likely
}

// framing returns the framing with a layout.
func (l layout) framing(bigEndian bool) *Framing {
	order := byteOrder(bigEndian)
	head := l.skip + l.width + l.behind
	return &Framing{About: l.about, BigEndian: bigEndian, head: head, cut: func(b []byte) (f frame) {
		f.head = head
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
		f.wrong = f.size < 0 || f.size > l.most() || f.size == 0 && l.about != ""
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

// withLengths returns the framings with lengths, those of put_var first.
func withLengths() (all []*Framing) {
	for _, bigEndian := range []bool{false, true} {
		all = append(all, Lengths(bigEndian))
	}
	for _, bigEndian := range []bool{false, true} {
		for _, l := range layouts {
			all = append(all, l.framing(bigEndian))
		}
	}
	return all
}

// Detect returns the framing of a stream that begins with some bytes; nil as long as no value shows it.
func Detect(b []byte, readers ...*variants.Reader) *Framing {
	lengths := withLengths()
	for _, f := range lengths[:2] {
		if body := f.whole(b); body != nil && (isValue(body, readers) || look.IsContent(body, readers...)) {
			return f
		}
	}
	all := slices.Clone(texts)
	for _, r := range readers {
		all = append(all, bare(r, 0, "without a length before each value, as put_data sends what var_to_bytes returns"))
	}
	all = append(all, lengths[2:]...)
	for _, r := range readers {
		all = append(all, bare(r, 1, "with a byte of the game's own before each value, and no length"))
	}
	for _, f := range all {
		if is := f.shown(b, readers); is != nil {
			return is
		}
	}
	if len(lines.whole(b)) > 0 && look.IsText(b) {
		return &Framing{About: lines.About, Holds: "text", Fine: true, cut: lines.cut}
	}
	return nil
}

// shown returns the framing with what it holds, if the first value and, as far as it is there, the second one have
// content, or else nil. Only values that are not packed could be meant for get_var.
func (f *Framing) shown(b []byte, readers []*variants.Reader) *Framing {
	body := f.several(b)
	if len(body) < least {
		return nil
	}
	has, ok := look.Content(body, readers...)
	if !ok {
		return nil
	}
	is := *f
	is.Holds, is.Fine = has.Name(), f.Fine || has.Kind == look.JSON || len(has.Steps) > 0
	first := f.cut(b)
	rest := b[first.end():]
	second := f.cut(rest)
	if len(rest) == 0 || second.more || !second.wrong && (first.size < least || look.IsContent(rest[second.head:second.head+second.size], readers...)) {
		return &is
	}
	return nil
}

// several returns the first value; of small ones with nothing between them as many as show what they are.
func (f *Framing) several(b []byte) []byte {
	n := 0
	for x := f.cut(b); !x.more && !x.wrong; x = f.cut(b[n:]) {
		if n == 0 && (x.size >= least || x.head+x.tail > 0) {
			return b[x.head : x.head+x.size]
		}
		if n += x.size; n >= 2*least || n == len(b) {
			break
		}
	}
	if n < 2*least {
		return nil
	}
	return b[:n]
}

// MayBeBare reports whether a stream may begin with values without lengths, of which the last is not whole.
func MayBeBare(b []byte, readers ...*variants.Reader) bool {
	return slices.ContainsFunc(readers, func(r *variants.Reader) bool {
		f, at := bare(r, 0, ""), 0
		for at < len(b) && variants.Begins(b[at:]) {
			x := f.cut(b[at:])
			if x.more || x.wrong {
				return x.more && !x.wrong
			}
			at += x.end()
		}
		return at > 0 && len(b)-at < LengthSize
	})
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
		return ok && len(values) == 1 && variants.Begins(b)
	})
}

// Resume returns where the first value begins in a stream with lengths whose beginning is missing; a nil framing if no value
// shows that.
func Resume(b []byte, readers ...*variants.Reader) (at int, f *Framing) {
	var starts []int // of values
	for at := 1; at+least <= len(b); at++ {
		if mayBeContent(b[at:]) {
			starts = append(starts, at)
		}
	}
	for _, f := range withLengths() {
		for _, start := range starts {
			if at := start - f.head; at > 0 && len(f.whole(b[at:])) >= least {
				if is := f.shown(b[at:], readers); is != nil {
					return at, is
				}
			}
		}
	}
	return 0, nil
}

// mayBeContent reports whether bytes begin as a value or as JSON.
func mayBeContent(b []byte) bool {
	return b[0] == '{' || b[0] == '[' || variants.Begins(b)
}
