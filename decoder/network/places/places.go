// Package places knows where in a capture its messages are: which bytes of a packet are a message, a part
// of one, or what the transport puts before it.
package places

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
)

// A Form is the form of the bytes at a place.
type Form uint8

// The forms.
const (
	Plain     Form = iota // a message or a part of it, as it was sent
	Masked                // the same with a mask
	Packed                // the same, packed, perhaps together with other messages
	Header                // the header of a WebSocket frame
	Length                // the length of a value, with the lowest byte first
	LengthBig             // the same with the highest byte first
)

// A Place is the place of a message, of a part of it, or of what precedes it.
type Place struct {
	span.Span
	Form    Form
	Key     int64 // key for Index.At
	Message int64 // number of the message, from 0
	Record  int64 // offset of its record in the buffer of the messages
	Part    int   // number of the part, from 1; 0 for what precedes the message
	Parts   int   // number of the message's parts; for packed bytes the number of messages in them
}

// IsWhole reports whether the bytes are a whole message as it was sent.
func (p Place) IsWhole() bool { return p.Form == Plain && p.Parts == 1 }

// has reports whether the bytes belong to a message. Messages that are packed together mostly have
// successive numbers.
func (p Place) has(message int64) bool {
	return p.Message == message || p.Form == Packed && p.Message < message && message < p.Message+int64(p.Parts)
}

// String returns which message, or which part of it, the bytes are.
func (p Place) String() string {
	text := fmt.Sprintf("message %d", p.Message)
	switch {
	case p.Form == Packed && p.Parts > 1:
		text += fmt.Sprintf(" and %d more", p.Parts-1)
	case p.Part == 0:
		text = "what precedes " + text
	case p.Form != Packed && p.Parts > 1:
		text = fmt.Sprintf("part %d of %d of %s", p.Part, p.Parts, text)
	}
	switch p.Form {
	case Masked:
		text += ", masked"
	case Packed:
		text += ", packed"
	}
	return text
}

const (
	// regionSize is the number of bytes of a capture whose places are read at once. They form a linked list
	// in the order in which they were found: each has the number of the one before it.
	regionSize = 64 << 10

	entrySize = 32
	formShift = 56 // shift of the form, above the offset

	// maxRead is the largest number of places of a region that are read; it has no more packets.
	maxRead = regionSize
)

// A Writer stores places as messages are found, message by message.
type Writer struct {
	out    io.Writer
	base   int64
	err    error
	count  uint32
	last   []uint32 // last place of each region, from 1; 0 if there is none
	packed Place    // waits for other messages in the same bytes
	entry  []byte
}

// NewWriter returns a writer that stores the places of a capture in out. The capture begins at
// base.
func NewWriter(out io.Writer, base int64) *Writer { return &Writer{out: out, base: base} }

// Add adds the places of a message whose record is at an offset.
func (w *Writer) Add(p *payload.Payload, message, record int64) {
	of := Place{Message: message, Record: record, Parts: len(p.Parts)}
	if head := p.Head.Parts; len(head) == 1 && head[0].Form == payload.Plain && len(p.Parts) > 0 {
		of.Span, of.Form = head[0].At, headForm(p.Flow)
		w.flush()
		w.put(of)
	}
	for i, part := range p.Parts {
		of.Span, of.Part = part.At, i+1
		switch part.Form {
		case payload.Plain:
			of.Form = Plain
		case payload.Masked:
			of.Form = Masked
		default:
			w.addPacked(of)
			continue
		}
		w.flush()
		w.put(of)
	}
}

func headForm(f *payload.Flow) Form {
	switch {
	case f.Transport == payload.WebSocket:
		return Header
	case f.BigEndian:
		return LengthBig
	}
	return Length
}

// addPacked adds packed bytes once, however many messages are in them.
func (w *Writer) addPacked(p Place) {
	if w.packed.Parts > 0 && p.Span == w.packed.Span {
		w.packed.Parts++
		return
	}
	w.flush()
	p.Form, p.Parts = Packed, 1
	w.packed = p
}

// flush stores the packed bytes that wait.
func (w *Writer) flush() {
	if w.packed.Parts > 0 {
		w.put(w.packed)
	}
	w.packed = Place{}
}

// put stores a place.
func (w *Writer) put(p Place) {
	if p.Length == 0 || w.err != nil {
		return
	}
	p.Offset += w.base
	region := int(p.Offset / regionSize)
	for len(w.last) <= region {
		w.last = append(w.last, 0)
	}
	le := binary.LittleEndian
	b := le.AppendUint32(w.entry[:0], w.last[region])
	b = le.AppendUint32(b, uint32(p.Message))
	b = le.AppendUint64(b, uint64(p.Offset)|uint64(p.Form)<<formShift)
	b = le.AppendUint64(b, uint64(p.Record))
	b = le.AppendUint32(b, uint32(p.Length))
	b = le.AppendUint16(b, uint16(min(p.Part, math.MaxUint16)))
	b = le.AppendUint16(b, uint16(min(p.Parts, math.MaxUint16)))
	w.entry = b
	_, w.err = w.out.Write(b)
	w.count++
	w.last[region] = w.count
}

// Finish stores what waits. The error is that of writing.
func (w *Writer) Finish() error {
	w.flush()
	return w.err
}

// Index returns the stored places; src is what was written.
func (w *Writer) Index(src source.Source) *Index { return &Index{src: src, last: slices.Clone(w.last)} }

// An Index finds places. Several goroutines may use it.
type Index struct {
	src  source.Source
	last []uint32
	pool sync.Pool // pool of *region
}

// A region is the places in one region of the capture, in the order of their offsets.
type region struct {
	window *source.Window
	number int
	list   []Place
}

// Each calls do for the places that begin in a span, in the order of their offsets.
func (x *Index) Each(in span.Span, do func(*Place)) {
	r, _ := x.pool.Get().(*region)
	if r == nil {
		r = &region{window: source.NewWindow(x.src), number: -1}
	}
	defer x.pool.Put(r)
	for n := int(in.Offset / regionSize); n < len(x.last) && int64(n)*regionSize < in.End(); n++ {
		if r.number != n {
			r.read(n, x.last[n])
		}
		first, _ := slices.BinarySearchFunc(r.list, in.Offset, func(p Place, at int64) int { return cmp.Compare(p.Offset, at) })
		for i := first; i < len(r.list) && r.list[i].Offset < in.End(); i++ {
			do(&r.list[i])
		}
	}
}

// After returns the key of the first place at or after an offset; 0 if there is none.
func (x *Index) After(offset int64) (key int64) {
	for n := offset / regionSize; n < int64(len(x.last)) && key == 0; n++ {
		x.Each(span.Between(max(offset, n*regionSize), (n+1)*regionSize), func(p *Place) {
			if key == 0 {
				key = p.Key
			}
		})
	}
	return key
}

// read reads the places of a region; last is the key of the last one.
func (r *region) read(number int, last uint32) {
	r.number, r.list = number, r.list[:0]
	for key := last; key > 0 && len(r.list) < maxRead; {
		b := r.window.View((int64(key)-1)*entrySize, entrySize)
		if len(b) < entrySize {
			break
		}
		var p Place
		p, key = parse(b, int64(key))
		r.list = append(r.list, p)
	}
	slices.Reverse(r.list)
	slices.SortStableFunc(r.list, func(a, b Place) int { return cmp.Compare(a.Offset, b.Offset) })
}

// Last returns the last place of a message; ok is false if it has none.
func (x *Index) Last(message int64) (p Place, ok bool) {
	after := sort.Search(int(x.src.Size()/entrySize), func(i int) bool { return x.At(int64(i)+1).Message > message })
	if after == 0 {
		return p, false
	}
	p = x.At(int64(after))
	return p, p.has(message)
}

// At returns the place with a key.
func (x *Index) At(key int64) Place {
	b := make([]byte, entrySize)
	_, _ = x.src.ReadAt(b, (key-1)*entrySize) // what cannot be read is zero
	p, _ := parse(b, key)
	return p
}

// parse reads the place with a key, and the key of the one before it in its region.
func parse(b []byte, key int64) (p Place, before uint32) {
	le := binary.LittleEndian
	where := le.Uint64(b[8:])
	p = Place{Key: key, Message: int64(le.Uint32(b[4:])), Record: int64(le.Uint64(b[16:])), Form: Form(where >> formShift),
		Part: int(le.Uint16(b[28:])), Parts: int(le.Uint16(b[30:]))}
	p.Span = span.Span{Offset: int64(where & (1<<formShift - 1)), Length: int64(le.Uint32(b[24:]))}
	return p, le.Uint32(b)
}
