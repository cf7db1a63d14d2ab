package units

import (
	"context"
	"encoding/binary"
	"net/netip"
	"sort"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// Packets is the reading of a capture file; the region begins with the capture's header.
type Packets struct {
	reading
	src      source.Source
	region   span.Span
	header   pcap.Header // without an order if the file is no capture
	flows    enetFlows
	sections []pcap.Section // of pcapng
	skipped  []span.Span    // see pcap.Reader.Skipped
	messages *Store
	problems []span.Problem // see Known
}

// enetFlows are the flows of ENet by their ends; the value tells whether there are checksums.
type enetFlows map[[2]netip.AddrPort]bool

// Known is what is known of a capture whose messages have been read.
type Known struct {
	network.Summary
	Messages *Store         // nil if none are known
	Double   bool           // components of the Variants in them have 64 bits
	Problems []span.Problem // of packets and connections, by offset
}

// New returns a reading of an uncompressed capture. Any bytes can be read.
func New(src source.Source, region span.Span, is Known) *Packets {
	r := &Packets{src: src, region: region, flows: enetFlows{}, sections: is.Sections, skipped: is.Skipped, messages: is.Messages, problems: is.Problems}
	r.reading.use(r, is.Double)
	for _, f := range is.Summary.Known {
		if f.Transport == payload.ENet {
			r.flows[[2]netip.AddrPort{f.A, f.B}], r.flows[[2]netip.AddrPort{f.B, f.A}] = f.Checksum, f.Checksum
		}
	}
	b := source.NewWindow(src).View(region.Offset, min(region.Length, pcap.FileHeaderSize))
	if r.header, _ = pcap.ParseHeader(b); !r.header.IsNG {
		r.sections = []pcap.Section{{Order: r.header.Order, Links: []uint16{r.header.Link}}}
	}
	return r
}

// Root implements tree.Reading.
func (r *Packets) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: firstType + uint16(bufferGroup), Fenced: true}
	count := int64(0)
	if region.Length > 0 {
		count = 1
	}
	if r.unitEnd(source.NewWindow(r.src), region.Offset, region.End()) < region.End() {
		count = 2
	}
	v.Contain(tree.Sequence, count, 1)
	v.End = size
	return v
}

func (r *Packets) listName() string {
	if r.header.IsNG {
		return "blocks"
	}
	return "packets"
}

func (r *Packets) list(_ *source.Window, v *tree.Value) {
	v.Limit = r.region.End()
	v.Contain(tree.Sequence, tree.Unknown, 1)
}

func (r *Packets) readUnit(w *source.Window, v *tree.Value, _ bool) {
	v.Foot = v.Start
	u := r.unit(w, v)
	defer r.put(u)
	r.fill(w, v, u, 0)
}

func (r *Packets) packet(w *source.Window, u *unit, key int64) {
	end := r.unitEnd(w, key, r.region.End())
	if u.key == key && u.size == end-key && len(u.nodes) > 0 {
		return // the value before was in it too
	}
	u.key, u.at, u.size = key, key, end-key
	u.bytes = appendView(u.bytes[:0], w, key, end)
	if key == r.region.Offset && !r.header.IsNG {
		r.fileHeader(u)
	} else {
		r.block(u)
	}
}

func (r *Packets) record(_ *source.Window, u *unit, key int64) {
	if u.message != nil && u.key == key {
		return
	}
	if u.records == nil {
		u.records = source.NewWindow(r.messages.src)
	}
	u.parse(u.records, key, key+min(4+int64(u.records.U32(key)), maxRecord))
	u.at = r.region.Offset
	if parts := u.message.Payload.Parts; len(parts) > 0 {
		u.at += parts[0].At.Offset
	}
}

// about returns in about limit bytes which message, or which part of one, is at a place.
func (r *Packets) about(at *Place, limit int) string {
	u := r.messageAt(nil, at.Record)
	defer r.put(u)
	about := u.message.Kind.String() + " "
	if !at.IsWhole() {
		about = at.String() + ": " + about
	}
	return string(appendTitle([]byte(about), u.message, limit))
}

// unitEnd returns the end of a unit. If its length is impossible, that is where the next one seems to begin.
func (r *Packets) unitEnd(w *source.Window, at, limit int64) int64 {
	size := int64(r.header.HeadSize())
	switch {
	case r.header.Order == nil:
		return limit
	case at == r.region.Offset && !r.header.IsNG:
		return min(at+pcap.FileHeaderSize, limit)
	case at+size > limit:
		return limit
	}
	h, _ := r.headAt(at, w.View(at, size))
	switch {
	case h.CanBe:
		return min(at+h.Size, limit)
	case r.header.IsNG:
		return r.resume(at+4, limit)
	}
	return r.resume(at+size, limit)
}

// Pass implements tree.Passer: it passes over packets and blocks without problems, and over messages, whose
// problems are reported in their own buffer.
func (r *Packets) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	switch {
	case r.passVariant(w, parent, s):
	case isMessage(parent):
		if !s.SizesOnly && s.Tally == nil && s.LeastContent == 0 && parent.Limit <= s.Until {
			s.Pos = parent.Limit
		}
	case isUnitList(parent) && (s.SizesOnly || s.Tally == nil && s.LeastContent == 0):
		for s.Pos < min(s.Until, parent.Limit) && s.Pos < s.Enough {
			end := r.unitEnd(w, s.Pos, parent.Limit)
			if end > s.Until || !s.SizesOnly && len(r.problemsIn(s.Pos, end)) > 0 {
				return // what is looked for is in it
			}
			s.Pos = end
			s.Next.Index++
		}
	}
}

// Inspect implements tree.Inspector: what is known to be wrong with packets and connections is reported where it shows.
func (r *Packets) Inspect(_ *source.Window, _ *tree.Value, _ tree.Slot, v *tree.Value, report func(span.Problem)) {
	if isInMessage(v) || v.Sub != 0 || kindOf(v) == bufferGroup || isUnitList(v) {
		return
	}
	for _, p := range r.problemsIn(v.Start, v.Limit) {
		report(p)
	}
}

// problemsIn returns the known problems between two offsets; those after the region are in its last unit.
func (r *Packets) problemsIn(from, to int64) []span.Problem {
	before := func(at int64) int {
		return sort.Search(len(r.problems), func(i int) bool { return r.problems[i].Offset >= at })
	}
	if to == r.region.End() {
		return r.problems[before(from):]
	}
	return r.problems[before(from):before(to)]
}

// section returns what applies at an offset of a pcapng file.
func (r *Packets) section(off int64) pcap.Section {
	i := sort.Search(len(r.sections), func(i int) bool { return r.region.Offset+r.sections[i].From > off })
	if i == 0 {
		return pcap.Section{Order: binary.LittleEndian}
	}
	return r.sections[i-1]
}

// Describe implements tree.Describer.
func (r *Packets) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	s := tree.Scalar{Span: v.Span()}
	if isInMessage(v) || kindOf(v) != fieldType || v.Damage != nil {
		return s
	}
	u := r.unit(w, v)
	defer r.put(u)
	n := &u.nodes[v.Sub]
	switch n.Reads() {
	case number, bitmask:
		return tree.Scalar{Kind: tree.Uint, Bits: n.value(u.bytesOf(n))}
	case text:
		s.Kind = tree.Text
	case address:
		s.Note = n.text(u.bytesOf(n))
	default:
		s.Note = n.Means
	}
	return s
}

// IsHeld implements format.Holder.
func (r *Packets) IsHeld(v *tree.Value) bool { return isInMessage(v) }

// Piece implements format.Carrier: a message, a value in it or a part of it, or else the first one of the
// layer or packet, or after it.
func (r *Packets) Piece(t *tree.Reader, n *tree.Node) (p format.Piece, ok bool) {
	message := messageOf(n)
	in := n
	if message != nil {
		in = message.Parent
	}
	if r.messages == nil || in == nil || kindOf(&in.Value) == bufferGroup || isUnitList(&in.Value) {
		return p, false
	}
	u := r.unit(t.Window(), &in.Value)
	defer r.put(u)
	place, ok := Place{}, true
	switch number := u.placeNear(in.Sub); {
	case message != nil:
		m := r.messageAt(nil, message.Foot)
		p.Steps, place.Message = format.StepsTo(n, message), int64(m.head.Number)
		r.put(m)
	case number > 0:
		p.IsNear = u.nodes[in.Sub].Place == 0
		place = u.places[number-1]
	default:
		p.IsNear = true
		place, ok = r.messages.After(u.at)
	}
	p.Record = place.Message + 1
	return p, ok
}

// placeNear returns the number of the place of the first message in a node, or else in the smallest group around it that
// has one; 0 if there is none.
func (u *unit) placeNear(number uint32) int {
	for g := int(number); g >= 0; g-- {
		in := &u.nodes[g]
		if in.Offset > u.nodes[number].Offset || in.End() < u.nodes[number].End() {
			continue
		}
		for _, x := range u.nodes[g:] {
			if x.Place != 0 && x.Offset < in.End() {
				return x.Place
			}
		}
	}
	return 0
}

// Find implements format.Carrier: the message, a value in it, or the last part of it.
func (r *Packets) Find(_ context.Context, t *tree.Reader, p format.Piece) (*tree.Node, error) {
	if r.messages == nil {
		return nil, nil
	}
	place, ok := r.messages.Last(p.Record - 1)
	if !ok {
		return nil, nil
	}
	n, err := t.At(place.Offset)
	if err != nil {
		return nil, err
	}
	if message := messageOf(n); message != nil {
		return p.Descend(t, message)
	}
	return n, nil
}
