package stream

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// A Framing is how values follow one another in a TCP stream.
type Framing struct {
	About string // "with a length of 16 bits before each value"; "" for lengths of 32 bits, as put_var writes them
	Holds string // what the first value is: "JSON"
	Fine  bool   // a usual way to send that, though not that of put_var

	BigEndian bool // lengths have their highest byte first

	Head     int                  // least number of bytes before a value, if there is a length
	Cut      func(b []byte) Frame // returns the place of the value that bytes begin with
	Begins   func(b []byte) bool  // whether the bytes of a segment begin a value, where others were lost; nil if each segment does
	HeadForm payload.Form         // what those bytes are
	Lost     func()               // is called when it is lost where values begin; may be nil
	Words    Words
}

// Words name what a stream has: "a TCP stream", "a value" and "a value".
type Words struct{ Stream, Value, Frame string }

// Lengths returns the framing with a length of 32 bits before each value. Godot sends a value in one segment, or its length in
// one of its own.
func Lengths(bigEndian bool) *Framing {
	f := put.framing(bigEndian)
	if f.HeadForm = payload.Length; bigEndian {
		f.HeadForm = payload.LengthBig
	}
	f.Begins = func(b []byte) bool {
		x := f.Cut(b)
		return len(b) >= LengthSize && x.Size > 0 && x.Size <= likely && (len(b) == LengthSize || x.End() == len(b))
	}
	return f
}

// IsLengths reports whether the framing is that of put_var.
func (f *Framing) IsLengths() bool { return f.About == "" }

// A Frame is the place of a value with all that frames it.
type Frame struct {
	Head, Size, Tail int
	More             bool   // more bytes are needed to know
	Wrong            bool   // no value can begin here
	Why              string // what is wrong
}

// End returns the size of the value with all that frames it.
func (f *Frame) End() int { return f.Head + f.Size + f.Tail }

// A layout is where a length stands before a value.
type layout struct {
	skip, width, behind int // bytes of the game's own, then those of the length, then others of the game's own
	counted             int // bytes before the value that the length includes
}

// put is the layout of put_var.
var put = layout{width: LengthSize}

// head returns the number of bytes before a value.
func (l layout) head() int { return l.skip + l.width + l.behind }

// about describes the layout: "with a length of 16 bits, and then 2 bytes of the game's own, before each value".
func (l layout) about() string {
	own := func(n int) string {
		if n == 1 {
			return "a byte of the game's own"
		}
		return span.Bytes(int64(n)) + " of the game's own"
	}
	text := fmt.Sprintf("with a length of %d bits", 8*l.width)
	if l.width == 1 {
		text += ", or of 7 bits in each byte (a varint),"
	}
	if l.skip > 0 {
		text = fmt.Sprintf("with %s, and then a length of %d bits,", own(l.skip), 8*l.width)
	}
	if l.behind > 0 {
		text = strings.TrimSuffix(text, ",") + ", and then " + own(l.behind) + ","
	}
	text += " before each value"
	switch {
	case l.counted == 0:
		return text
	case l.head() == l.width:
		return text + fmt.Sprintf(" that includes its own %d bytes", l.width)
	case l.counted == l.head():
		return text + fmt.Sprintf("; the length includes these %d bytes", l.counted)
	}
	return text + "; the length includes what is behind it"
}

// framing returns the framing with a layout.
func (l layout) framing(bigEndian bool) *Framing {
	order := byteOrder(bigEndian)
	about, most := l.about(), likely
	if l == put {
		about, most = "", MaxValue
	}
	return &Framing{About: about, BigEndian: bigEndian, Head: l.head(), Cut: func(b []byte) (f Frame) {
		f.Head = l.head()
		if f.More = len(b) < f.Head; f.More {
			return f
		}
		switch at := b[l.skip:]; l.width {
		case 1:
			f.Size = int(at[0])
			if f.Size >= 0x80 { // perhaps the first byte of a varint, whose others follow
				if f.More = len(at) <= f.Size; f.More {
					return f
				}
				if !isWhole(at[1 : 1+f.Size]) {
					size, n := binary.Uvarint(at)
					f.Size, f.Head = int(min(size, MaxValue+1)), max(n, 1)
				}
			}
		case 2:
			f.Size = int(order.Uint16(at))
		default:
			f.Size = int(order.Uint32(at))
		}
		f.Size -= l.counted
		f.Wrong = f.Size < 0 || f.Size > most || f.Size == 0 && l != put
		f.More = !f.Wrong && len(b) < f.End()
		return f
	}}
}

// isWhole reports whether bytes begin with a value, and as far as a text shows it, end with it.
func isWhole(b []byte) bool {
	isText := strings.IndexByte("{[", b[0]) >= 0 && strings.IndexByte("}]", b[len(b)-1]) >= 0
	return isText || variants.Begins(b)
}

// netstrings is the framing of values that each follow their length in digits, and a colon, and have a comma behind them.
var netstrings = &Framing{About: "with a length in digits and a colon before each value, and a comma behind it (a netstring)", Head: len("1:"), Cut: func(b []byte) (f Frame) {
	const digits = 8
	f.Head = bytes.IndexByte(b[:min(len(b), digits+1)], ':') + 1
	if f.Head == 0 {
		f.More = len(b) <= digits && len(bytes.Trim(b, "0123456789")) == 0
		f.Wrong = !f.More
		return f
	}
	size, err := strconv.ParseUint(string(b[:f.Head-1]), 10, 31)
	f.Size, f.Tail = int(size), len(",")
	f.More = err == nil && len(b) < f.End()
	f.Wrong = err != nil || size == 0 || size > likely || !f.More && b[f.End()-1] != ','
	return f
}}

// ended is the framing of texts that each end with a character.
func ended(by byte, about string) *Framing {
	return &Framing{About: about, Fine: true, Cut: func(b []byte) Frame {
		i := bytes.IndexByte(b, by)
		return Frame{Size: i, Tail: 1, More: i < 0}
	}}
}

// Segments is the framing of a stream of which no values are known: each segment is shown.
var Segments = &Framing{About: "of something else than values", Cut: func(b []byte) Frame { return Frame{Size: len(b)} }}

// lines is the framing of texts on lines.
var lines = ended('\n', "with one text on each line")

// texts are the framings of texts with content.
var texts = []*Framing{
	lines,
	ended(0, "with a zero after each text"),
	{About: "with one text after the other", Fine: true, Cut: func(b []byte) (f Frame) {
		if len(b) > 0 && b[0] == 0 { // a zero after a text may be a segment of its own
			return Frame{Tail: 1}
		}
		d := json.NewDecoder(bytes.NewReader(b))
		var text json.RawMessage
		err := d.Decode(&text)
		f.Size, f.More = int(d.InputOffset()), errors.Is(err, io.ErrUnexpectedEOF)
		f.Wrong = !f.More && err != nil
		return f
	}},
}

// bare is the framing of values after a number of bytes of the game's own, without a length. MessagePack is usually sent so.
func bare(r *variants.Reader, skip int, about string) *Framing {
	isOther := r.Title != ""
	if isOther && skip == 0 {
		about = "with one value after the other"
	}
	return &Framing{About: about, Fine: isOther, Cut: func(b []byte) (f Frame) {
		f.Head = skip
		const shortest = 4 // bytes that show whether a value begins
		if f.More = len(b) < skip+shortest; f.More {
			return f
		}
		if f.Wrong = isOther && !r.Begins(b[skip:]); f.Wrong {
			return f
		}
		r.Use(b)
		v, ok := r.Next(int64(skip), int64(len(b)), func(p span.Problem) {
			if p.Severity == span.Error {
				f.More = f.More || p.IsShortage()
				f.Wrong = f.Wrong || !p.IsShortage()
			}
		})
		if f.Size = int(v.Length); ok {
			f.More, f.Wrong = false, f.Size == 0
		}
		return f
	}}
}

// withLengths returns the framings with lengths, those of put_var first.
func withLengths() []*Framing {
	return append([]*Framing{Lengths(false), Lengths(true)}, lengths()...)
}

// lengths returns the framings that games use instead of those of put_var, those with the fewest bytes of the game's own first.
var lengths = sync.OnceValue(func() (all []*Framing) {
	for _, bigEndian := range []bool{false, true} {
		for _, own := range []int{0, 1, 2, 4} {
			for _, width := range []int{4, 2} {
				for _, l := range []layout{{skip: own, width: width}, {width: width, behind: own}}[:1+min(own, 1)] {
					for _, l.counted = range slices.Compact([]int{0, l.behind, l.head()}) {
						if l != put {
							all = append(all, l.framing(bigEndian))
						}
					}
				}
			}
		}
	}
	return append(all, layout{width: 1}.framing(false), netstrings)
})

// Detect returns the framing of a stream that begins with some bytes; nil as long as no value shows it.
func Detect(b []byte, readers ...*variants.Reader) *Framing {
	withLengths := withLengths()
	for _, f := range withLengths[:2] {
		if body := f.whole(b); body != nil && (isValue(body, readers) || look.IsContent(body, readers...)) {
			return f
		}
	}
	all := slices.Clone(texts)
	for _, r := range readers {
		all = append(all, bare(r, 0, noLength))
	}
	all = append(all, withLengths[2:]...)
	for _, r := range readers {
		all = append(all, bare(r, 1, "with a byte of the game's own before each value, and no length"))
	}
	for _, f := range all {
		if is := f.shown(b, readers); is != nil {
			return is
		}
	}
	if len(lines.whole(b)) > 0 && look.IsText(b) {
		return &Framing{About: lines.About, Holds: "text", Fine: true, Cut: lines.Cut}
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
	first := f.Cut(b)
	rest := b[first.End():]
	second := f.Cut(rest)
	if len(rest) == 0 || second.More || !second.Wrong && (first.Size < least || look.IsContent(rest[second.Head:second.Head+second.Size], readers...)) {
		return &is
	}
	return nil
}

// several returns the first value; of small ones with nothing between them as many as show what they are.
func (f *Framing) several(b []byte) []byte {
	n := 0
	for x := f.Cut(b); !x.More && !x.Wrong; x = f.Cut(b[n:]) {
		if n == 0 && (x.Size >= least || x.Head+x.Tail > 0) {
			return b[x.Head : x.Head+x.Size]
		}
		if n += x.End(); n >= 2*least || n == len(b) {
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
		for at < len(b) && r.Begins(b[at:]) {
			x := f.Cut(b[at:])
			if x.More || x.Wrong {
				return x.More && !x.Wrong
			}
			at += x.End()
		}
		return at > 0 && len(b)-at < LengthSize
	})
}

// whole returns the first value; nil if it is not there, or not whole.
func (f *Framing) whole(b []byte) []byte {
	x := f.Cut(b)
	if x.More || x.Wrong {
		return nil
	}
	return b[x.Head : x.Head+x.Size]
}

// least is the size of the smallest value that shows another framing.
const least = 12

// isValue reports whether bytes are one value, of any size.
func isValue(b []byte, readers []*variants.Reader) bool {
	return slices.ContainsFunc(readers, func(r *variants.Reader) bool {
		_, ok := look.One(r, b)
		return ok && r.Begins(b)
	})
}

// Resume returns where the first value begins in a stream whose beginning is missing; a nil framing if no value shows that. One value is
// enough, and values without lengths count, which may be those in a large one, only if isLong says that no more bytes may show it.
func Resume(b []byte, isLong bool, readers ...*variants.Reader) (at int, f *Framing) {
	const mostStarts = 200 // all bytes may seem to begin values
	var starts []int       // of values
	for at := 1; at+least <= len(b) && len(starts) < mostStarts; at++ {
		if b[at] == '{' || b[at] == '[' || variants.Begins(b[at:]) {
			starts = append(starts, at)
		}
	}
	all := append(withLengths(), texts...)
	if isLong {
		for _, r := range readers {
			all = append(all, bare(r, 0, noLength))
		}
	}
	for enough := 2; enough == 2 || enough == 1 && isLong; enough-- {
		for _, f := range all {
			for _, start := range starts {
				if is := f.resumed(b[max(0, start-f.Head):], enough, readers); is != nil && start > f.Head {
					return start - f.Head, is
				}
			}
		}
	}
	return 0, nil
}

// resumed returns the framing with what it holds if bytes consist of enough values, the first of which shows that; else nil.
func (f *Framing) resumed(b []byte, enough int, readers []*variants.Reader) *Framing {
	if len(f.whole(b)) < least { // which is seen at once
		return nil
	}
	if n, _ := f.Count(b); n < enough {
		return nil
	}
	return f.shown(b, readers)
}

// Count returns the number of values that bytes consist of, and whether the last one is whole; 0 if something else is among them.
func (f *Framing) Count(b []byte) (n int, isWhole bool) {
	for at := 0; at < len(b); n++ {
		x := f.Cut(b[at:])
		if x.Wrong || x.End() == 0 && !x.More {
			return 0, false
		}
		if at += x.End(); x.More || at > len(b) {
			return n, false
		}
	}
	return n, true
}

// noLength is about values without lengths.
const noLength = "without a length before each value, as put_data sends what var_to_bytes returns"
