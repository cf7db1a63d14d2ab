package units

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

// signature begins the buffer of the messages; the number of messages follows in 8 bytes, and a record for each. A record
// has what is known about the message, and its payload, which alone is as it was sent. All numbers are little-endian.
const signature = "varview messages"

// HeaderSize is the size of the signature and the number.
const HeaderSize = int64(len(signature) + 8)

// AppendHeader appends the header of a buffer of n messages.
func AppendHeader(dst []byte, n int64) []byte {
	return le.AppendUint64(append(dst, signature...), uint64(n))
}

// A head begins a record. Names, parts and the payload follow.
type head struct {
	Length               uint32 // length of the record after this number
	Number, Frame        uint32
	Time                 int64 // nanoseconds since 1970; 0 if unknown
	Since                time.Duration
	Trip                 uint32 // in microseconds
	Unacked, Wire, Flow  uint32
	Transport            payload.Transport
	Protocol             message.Protocol
	Channel              uint8
	Mode                 payload.Mode // with flags
	From, To             int32
	Known                uint8 // flags of the peers and of the message
	Kind                 message.Kind
	Header               uint8
	Vars                 bool
	NamesSize, PartCount uint32
}

const (
	recordSize = 68 // bytes of a head
	partSize   = 28 // bytes of the place of a part, or of what precedes the payload
)

// Flags of the known peers, and of the mode.
const (
	fromKnown = 1 << iota
	toKnown
	isOrdinary // nothing is wrong with the message

	hasChecksum = 1 << 6
	isPartial   = 1 << 7
)

var le = binary.LittleEndian

// parseHead reads the head of a record; one that is cut is empty.
func parseHead(b []byte) (h head) {
	if len(b) >= recordSize {
		at := func(i int) uint32 { return le.Uint32(b[i:]) }
		h = head{Length: at(0), Number: at(4), Frame: at(8), Time: int64(le.Uint64(b[12:])), Since: time.Duration(le.Uint64(b[20:])),
			Trip: at(28), Unacked: at(32), Wire: at(36), Flow: at(40),
			Transport: payload.Transport(b[44]), Protocol: message.Protocol(b[45]), Channel: b[46], Mode: payload.Mode(b[47]),
			From: int32(at(48)), To: int32(at(52)), Known: b[56], Kind: message.Kind(b[57]), Header: b[58], Vars: b[59] != 0,
			NamesSize: at(60), PartCount: at(64)}
	}
	if !h.Protocol.Exists() {
		h.Protocol = message.OnlyBytes
	}
	return h
}

// append appends the head as parseHead reads it.
func (h *head) append(dst []byte) []byte {
	for _, n := range []uint32{h.Length, h.Number, h.Frame, uint32(h.Time), uint32(h.Time >> 32), uint32(h.Since), uint32(h.Since >> 32),
		h.Trip, h.Unacked, h.Wire, h.Flow} {
		dst = le.AppendUint32(dst, n)
	}
	dst = append(dst, byte(h.Transport), byte(h.Protocol), h.Channel, byte(h.Mode))
	dst = le.AppendUint32(le.AppendUint32(dst, uint32(h.From)), uint32(h.To))
	dst = append(dst, h.Known, byte(h.Kind), h.Header, flag(h.Vars, 1))
	return le.AppendUint32(le.AppendUint32(dst, h.NamesSize), h.PartCount)
}

// parseParts reads the places of parts.
func parseParts(b []byte) (parts []payload.Part) {
	for ; len(b) >= partSize; b = b[partSize:] {
		at := func(i int) int64 { return int64(le.Uint32(b[i:])) }
		parts = append(parts, payload.Part{At: span.Span{Offset: int64(le.Uint64(b)), Length: at(8)}, Frame: int(at(12)), Length: at(16), Form: payload.Form(at(20)), Mask: [4]byte(b[24:])})
	}
	return parts
}

// Append appends the record of a message.
func Append(dst []byte, m *message.Message) []byte {
	p, names, parts := m.Payload, namesOf(m), partsOf(m.Payload)
	h := head{Number: uint32(m.Number), Frame: uint32(p.Frame()), Since: p.Since, Trip: uint32(p.Trip / time.Microsecond), Unacked: uint32(p.Unacked),
		Wire: uint32(p.Wire), Flow: uint32(p.Flow.Number), Transport: p.Flow.Transport, Protocol: m.Protocol, Channel: p.Channel,
		Mode: p.Mode | payload.Mode(flag(p.Partial, isPartial)|flag(p.Flow.Checksum, hasChecksum)), From: m.From.ID, To: m.To.ID,
		Known: flag(m.From.Known, fromKnown) | flag(m.To.Known, toKnown) | flag(len(m.Problems) == 0 && !p.Partial, isOrdinary), Kind: m.Kind, Header: m.Shape.Header, Vars: m.Shape.Vars,
		NamesSize: uint32(len(names)), PartCount: uint32(len(parts))}
	h.Length = uint32(recordSize - 4 + partSize*len(parts) + len(names) + len(p.Bytes))
	if !p.Time.IsZero() {
		h.Time = p.Time.UnixNano()
	}
	dst = append(h.append(dst), names...)
	for _, x := range parts {
		dst = le.AppendUint64(dst, uint64(x.At.Offset))
		for _, n := range []int64{x.At.Length, int64(x.Frame), x.Length, int64(x.Form)} {
			dst = le.AppendUint32(dst, uint32(n))
		}
		dst = append(dst, x.Mask[:]...)
	}
	return append(dst, p.Bytes...)
}

// flag returns a flag that is set or not.
func flag(is bool, bit uint8) uint8 {
	if is {
		return bit
	}
	return 0
}

// partsOf returns the places of what precedes a payload, if that is in one piece, and of its parts.
func partsOf(p *payload.Payload) []payload.Part {
	if len(p.Head.Parts) == 1 && len(p.Parts) > 0 {
		return slices.Concat(p.Head.Parts, p.Parts)
	}
	return p.Parts
}

// A Sent is a message as it was sent.
type Sent struct {
	Number            int
	At                int64 // offset of its bytes in the buffer
	Parts             []payload.Part
	Transport         payload.Transport
	Partial, Checksum bool // bytes are missing; its datagram has a checksum of ENet

	places []payload.Part // of the parts and of what precedes them
}

// Find returns the message whose record is at an offset, and where the next one begins; 0 if that is not a record.
func Find(w *source.Window, at int64) (s Sent, next int64) {
	b := w.View(at, recordSize)
	if len(b) < recordSize {
		return s, 0
	}
	h := parseHead(b)
	s = Sent{Number: int(h.Number), At: at + recordSize + int64(h.NamesSize), Transport: h.Transport, Partial: h.Mode&isPartial != 0, Checksum: h.Mode&hasChecksum != 0}
	for i := uint32(0); i < h.PartCount && s.At < w.Size(); i++ {
		s.places = append(s.places, parseParts(w.View(s.At, partSize))...)
		s.At += partSize
	}
	s.Parts = payloadParts(s.places)
	return s, at + 4 + int64(h.Length)
}

// payloadParts returns the parts of a payload, without what precedes it.
func payloadParts(all []payload.Part) []payload.Part {
	return slices.DeleteFunc(slices.Clone(all), func(x payload.Part) bool { return x.Form >= payload.Header })
}

// namesOf returns texts about a message, each with a NUL: the names that its ids stand for, in order, the addresses, the comments
// on the packets of its parts, and the problems that do not show in the payload.
func namesOf(m *message.Message) (names []byte) {
	put := func(text string) { names = append(append(names, strings.ReplaceAll(text, "\x00", "")...), 0) }
	eachName(&m.Body, func(p *message.Path, name *string) {
		put(*name)
		if p != nil {
			put(strconv.Itoa(p.Origin))
		}
	})
	names = append(m.Payload.Src.AppendTo(names), 0)
	names = append(m.Payload.Dst.AppendTo(names), 0)
	for i, x := range m.Payload.Parts {
		for _, c := range x.Comments {
			put(strconv.Itoa(i))
			put(c)
		}
	}
	for _, x := range m.Problems[min(m.Parsed, len(m.Problems)):] {
		put(x.Code)
		put(x.Message)
		put(x.Engine)
		put(fmt.Sprint(uint8(x.Severity), x.Offset, x.Length))
	}
	return names
}

// setNames sets what namesOf has written of a message, and returns the problems.
func setNames(m *message.Message, names string) (problems []span.Problem) {
	next := func() (text string) {
		text, names, _ = strings.Cut(names, "\x00")
		return text
	}
	eachName(&m.Body, func(p *message.Path, name *string) {
		if *name = next(); p != nil {
			p.Origin, _ = strconv.Atoi(next())
			p.Known = p.ByID && *name != ""
		}
	})
	m.Payload.Src, _ = netip.ParseAddrPort(next())
	m.Payload.Dst, _ = netip.ParseAddrPort(next())
	for names != "" {
		first := next()
		if i, err := strconv.Atoi(first); err == nil { // of a part; otherwise it is a code
			if comment := next(); i >= 0 && i < len(m.Payload.Parts) {
				m.Payload.Parts[i].Comments = append(m.Payload.Parts[i].Comments, comment)
			}
			continue
		}
		x := span.Problem{Code: first, Message: next(), Engine: next()}
		_, _ = fmt.Sscan(next(), (*uint8)(&x.Severity), &x.Offset, &x.Length)
		problems = append(problems, x)
	}
	return problems
}

// eachName calls each with the path or the name that every id stands for, and with the Path that has the origin of that id,
// in the order of their fields; nil for a method, which has none.
func eachName(b *message.Body, each func(*message.Path, *string)) {
	switch {
	case b.Path.ByID:
		each(&b.Path, &b.Path.Text)
	case b.Kind == message.Despawn:
		each(&b.Path, &b.Name)
	}
	if b.Kind == message.Call && !b.Named {
		each(nil, &b.Name)
	}
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Path.ByID {
			each(&e.Path, &e.Path.Text)
		} else {
			each(&e.Path, &e.Node)
		}
	}
	if b.Inner != nil {
		eachName(b.Inner, each)
	}
}

// message returns the message of a record without its body.
func (h *head) message(data []byte, parts []payload.Part) *message.Message {
	p := &payload.Payload{Bytes: data, Frames: []int{int(h.Frame)}, Flow: &payload.Flow{Number: int(h.Flow), Transport: h.Transport},
		Channel: h.Channel, Mode: h.Mode &^ (isPartial | hasChecksum), Partial: h.Mode&isPartial != 0, Since: h.Since, Trip: time.Duration(h.Trip) * time.Microsecond,
		Unacked: int(h.Unacked), Wire: int(h.Wire)}
	if p.Parts = parts; len(parts) > 0 {
		p.Frames = payload.AppendFrames(nil, parts)
	}
	if h.Time != 0 {
		p.Time = time.Unix(0, h.Time).UTC()
	}
	return &message.Message{Number: int(h.Number), Payload: p, From: message.Peer{ID: h.From, Known: h.Known&fromKnown != 0},
		To: message.Peer{ID: h.To, Known: h.Known&toKnown != 0}}
}

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
	frame   int // packet of the last message, the highest of all
	remarks []format.Remark
	placed  int           // number of remarks that are at their place
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
	s.frame = max(s.frame, p.Frame())
	for _, x := range partsOf(p) {
		n := int((s.base + x.At.Offset) / regionSize)
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

// unplaced is the place of a remark on a packet that came before others whose messages are known.
const unplaced = -1

// Remark adds what happens to a connection, or is wrong outside of messages.
func (s *Store) Remark(p *payload.Problem) {
	x := format.Remark{Before: s.count, When: p.Time, Problem: p.Problem, Facts: p}
	if x.Problem.Offset += s.base; p.Frame > 0 && p.Frame < s.frame {
		x.Before = unplaced
	}
	if p.Flow != nil {
		x.Flow = message.OfFlow(p.Flow)
	}
	s.remarks = append(s.remarks, x)
}

// In returns the store, as it is now, of records in a source. While the capture is not whole, it seems that all connections break
// off: there are no remarks then.
func (s *Store) In(src source.Source, isWhole bool) *Store {
	is := &Store{base: s.base, marks: slices.Clone(s.marks), count: s.count, regions: slices.Clone(s.regions), src: src}
	for ; s.placed < len(s.remarks); s.placed++ {
		if x := &s.remarks[s.placed]; x.Before == unplaced {
			x.Before = is.after(x.Facts.(*payload.Problem).Frame)
		}
	}
	if isWhole {
		is.remarks = slices.Clip(s.remarks)
	}
	return is
}

// after returns the number of the first message that was complete after a packet.
func (s *Store) after(frame int) int64 {
	w := source.NewWindow(s.src)
	isAfter := func(at int64) bool { return int(parseHead(w.View(at, recordSize)).Frame) > frame }
	group := max(0, sort.Search(len(s.marks), func(i int) bool { return isAfter(s.marks[i]) })-1)
	number := int64(group) * markEvery
	for at := s.marks[group]; number < s.count && !isAfter(at); number++ {
		at += 4 + int64(w.U32(at))
	}
	return number
}

// Buffer returns the buffer of the messages, with a header and the records that follow an empty one.
func (s *Store) Buffer() source.Source {
	head := source.Bytes(AppendHeader(nil, s.count))
	return &recorded{s, source.Join(source.Piece{Src: head, Span: span.Between(0, HeaderSize)}, source.Piece{Src: s.src, Span: span.Between(HeaderSize, s.src.Size())})}
}

// A recorded buffer is one with what is known of its messages besides.
type recorded struct {
	*Store
	source.Source
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
		p := Place{Span: span.Span{Offset: s.base + x.At.Offset, Length: x.At.Length}, Form: x.Form, Message: int64(m.Number), Record: record, Parts: len(m.Parts)}
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
