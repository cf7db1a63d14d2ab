package units

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
)

// A Place is the place of a message, of a part of it, or of what precedes it.
type Place struct {
	span.Span
	Form    payload.Form
	Message int64 // number of the message, from 0
	Record  int64 // offset of its record in the buffer of the messages
	Part    int   // number of the part, from 1; 0 for what precedes the message
	Parts   int   // number of the message's parts; for packed bytes the number of messages in them
}

// IsWhole reports whether the bytes are a whole message as it was sent.
func (p Place) IsWhole() bool { return p.Form == payload.Plain && p.Parts == 1 }

// String returns which message, or which part of it, the bytes are.
func (p Place) String() string {
	text := fmt.Sprintf("message %d", p.Message)
	switch {
	case p.Form == payload.Unpacked && p.Parts > 1:
		text += fmt.Sprintf(" and %d more", p.Parts-1)
	case p.Part == 0:
		text = "what precedes " + text
	case p.Form != payload.Unpacked && p.Parts > 1:
		text = fmt.Sprintf("part %d of %d of %s", p.Part, p.Parts, text)
	}
	switch p.Form {
	case payload.Masked:
		text += ", masked"
	case payload.Unpacked:
		text += ", packed"
	}
	return text
}

const (
	// regionSize is the number of bytes of a capture whose places are read at once.
	regionSize = 64 << 10

	// markEvery is the number of messages between those whose records are remembered.
	markEvery = 256

	// maxPlaces is the largest number of places of a region that are read; it has no more packets.
	maxPlaces = regionSize
)

// A Store finds the records of a capture's messages: by number, and by the bytes of the capture that hold them. It
// remembers only where to begin to look.
type Store struct {
	base    int64   // where the capture begins in its file
	marks   []int64 // offsets of the records of messages 0, markEvery …
	count   int64
	regions []region
	src     source.Source // the records
	pool    sync.Pool     // of *regionPlaces
}

// A region is a range of records: all that have places in one region of the capture are in it.
type region struct{ first, end int64 }

// NewStore returns a store of the messages of a capture that begins at an offset of its file.
func NewStore(base int64) *Store { return &Store{base: base} }

// Count returns the number of messages.
func (s *Store) Count() int64 { return s.count }

// Add adds the next message, whose record is in a range.
func (s *Store) Add(p *payload.Payload, first, end int64) {
	if s.count%markEvery == 0 {
		s.marks = append(s.marks, first)
	}
	s.count++
	for _, x := range partsOf(p) {
		n := int((s.base + x.Offset) / regionSize)
		for len(s.regions) <= n {
			s.regions = append(s.regions, region{})
		}
		r := &s.regions[n]
		if r.end == 0 {
			r.first = first
		}
		r.end = end
	}
}

// In returns the store, as it is now, of records in a source.
func (s *Store) In(src source.Source) *Store {
	return &Store{base: s.base, marks: slices.Clone(s.marks), count: s.count, regions: slices.Clone(s.regions), src: src}
}

// regionPlaces are the places in one region of the capture, in the order of their offsets.
type regionPlaces struct {
	window *source.Window
	number int
	list   []Place
}

// Each calls do for the places that begin in a span of the file, in the order of their offsets.
func (s *Store) Each(in span.Span, do func(*Place)) {
	r, _ := s.pool.Get().(*regionPlaces)
	if r == nil {
		r = &regionPlaces{window: source.NewWindow(s.src), number: -1}
	}
	defer s.pool.Put(r)
	for n := int(in.Offset / regionSize); n < len(s.regions) && int64(n)*regionSize < in.End(); n++ {
		if r.number != n {
			s.read(r, n)
		}
		first, _ := slices.BinarySearchFunc(r.list, in.Offset, func(p Place, at int64) int { return cmp.Compare(p.Offset, at) })
		for i := first; i < len(r.list) && r.list[i].Offset < in.End(); i++ {
			do(&r.list[i])
		}
	}
}

// read reads the places of a region.
func (s *Store) read(r *regionPlaces, number int) {
	r.number, r.list = number, r.list[:0]
	for at := s.regions[number].first; at < s.regions[number].end && len(r.list) < maxPlaces; {
		m, next := Find(r.window, at)
		if next <= at {
			break
		}
		for _, p := range s.placesOf(&m, at) {
			if p.Length == 0 || p.Offset/regionSize != int64(number) {
				continue
			}
			if n := len(r.list); n > 0 && p.Form == payload.Unpacked && r.list[n-1].Form == payload.Unpacked && r.list[n-1].Span == p.Span {
				r.list[n-1].Parts++ // packed bytes are there once, however many messages are in them
				continue
			}
			r.list = append(r.list, p)
		}
		at = next
	}
	slices.SortStableFunc(r.list, func(a, b Place) int { return cmp.Compare(a.Offset, b.Offset) })
}

// placesOf returns the places of a message whose record is at an offset.
func (s *Store) placesOf(m *Sent, record int64) (all []Place) {
	part := 0
	for _, x := range m.places {
		p := Place{Span: span.Span{Offset: s.base + x.Offset, Length: int64(x.Length)}, Form: payload.Form(x.Form), Message: int64(m.Number), Record: record, Parts: len(m.Parts)}
		if p.Form < payload.Header {
			part++
			p.Part = part
		}
		if p.Form == payload.Unpacked {
			p.Parts = 1
		}
		all = append(all, p)
	}
	return all
}

// After returns the first place at or after an offset; ok is false if there is none.
func (s *Store) After(offset int64) (found Place, ok bool) {
	for n := offset / regionSize; n < int64(len(s.regions)) && !ok; n++ {
		s.Each(span.Between(max(offset, n*regionSize), (n+1)*regionSize), func(p *Place) {
			if !ok {
				found, ok = *p, true
			}
		})
	}
	return found, ok
}

// Last returns the last place of a message; ok is false if it has none.
func (s *Store) Last(message int64) (last Place, ok bool) {
	if message < 0 || message >= s.count {
		return last, false
	}
	w := source.NewWindow(s.src)
	at := s.marks[message/markEvery]
	m, next := Find(w, at)
	for range message % markEvery {
		at = next
		m, next = Find(w, at)
	}
	for _, p := range s.placesOf(&m, at) {
		if p.Length > 0 {
			last, ok = p, true
		}
	}
	return last, ok
}
