package layers

import (
	"encoding/binary"
	"net/netip"
	"sort"
	"strconv"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network"
	"varview/decoder/network/buffer"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// A groupKind is a type of values of the tree, by its number.
type groupKind uint16

// The types of values.
const (
	bufferGroup groupKind = iota
	headerGroup           // the start of the file
	listGroup
	packetGroup
	blockGroup
	layerGroup
	fieldType
	messageGroup // a message, whose values are not of this package
)

// firstType is the lowest Type of the values of this package. Types of a message's values are lower.
const firstType = 0xf100

// kindOf returns the kind of a value.
func kindOf(v *tree.Value) groupKind {
	if buffer.OfMessage(v) {
		return messageGroup
	}
	return groupKind(v.Type - firstType)
}

// typeNames are the names of the types of values.
var typeNames = []string{"capture", "header", "list", "packet", "block", "layer", "field"}

// A Reading reads a capture file; the region begins with the capture's header.
//
// A Value's Type is its groupKind above firstType, its Sub the distance to the start of its unit, its Flags
// the number of its node there.
type Reading struct {
	src      source.Source
	region   span.Span
	header   pcap.Header // header of a pcap file
	isNG     bool
	flows    enetFlows
	sections []pcap.Section // of pcapng
	messages *buffer.Placed
	problems []span.Problem // see Known
	pool     sync.Pool
}

var (
	_ tree.Reading   = (*Reading)(nil)
	_ tree.Describer = (*Reading)(nil)
	_ tree.Inspector = (*Reading)(nil)
	_ tree.Stepper   = (*Reading)(nil)
	_ tree.Passer    = (*Reading)(nil)

	_ tree.TypeWriter    = (*Reading)(nil)
	_ tree.LiteralWriter = (*Reading)(nil)
)

// enetFlows are the flows of ENet by their ends; the value tells whether there are checksums.
type enetFlows map[[2]netip.AddrPort]bool

// Known is what is known of a capture whose messages have been read.
type Known struct {
	network.Summary
	Messages *buffer.Placed // at their places; nil if none are known
	Problems []span.Problem // of packets and connections, by offset
}

// New returns a reading of an uncompressed capture. Any bytes can be read.
func New(src source.Source, region span.Span, is Known) *Reading {
	r := &Reading{src: src, region: region, flows: enetFlows{}, sections: is.Sections, messages: is.Messages, problems: is.Problems}
	for _, f := range is.Summary.Known {
		if f.Transport == payload.ENet {
			r.flows[[2]netip.AddrPort{f.A, f.B}], r.flows[[2]netip.AddrPort{f.B, f.A}] = f.Checksum, f.Checksum
		}
	}
	b := source.NewWindow(src).View(region.Offset, min(region.Length, pcap.FileHeaderSize))
	if h, ok := pcap.ParseHeader(b); ok {
		r.header = h
	} else if _, ok := pcap.SectionOrder(b); ok {
		r.isNG = true
	}
	return r
}

// isKnown reports whether the region begins like a capture.
func (r *Reading) isKnown() bool { return r.isNG || r.header.Order != nil }

// headerEnd returns the offset of the list of packets or blocks.
func (r *Reading) headerEnd(w *source.Window) int64 {
	switch {
	case !r.isKnown():
		return r.region.End()
	case r.isNG:
		return r.blockEnd(w, r.region.Offset, r.region.End())
	}
	return min(r.region.Offset+pcap.FileHeaderSize, r.region.End())
}

// Root implements tree.Reading.
func (r *Reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: firstType + uint16(bufferGroup), Fenced: true}
	count := int64(0)
	if region.Length > 0 {
		count = 1
	}
	if r.headerEnd(source.NewWindow(r.src)) < region.End() {
		count = 2
	}
	v.Contain(tree.Sequence, count, 1)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (r *Reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if kindOf(parent) == messageGroup {
		r.messages.Read(w, parent, slot, off, v)
		return
	}
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	switch {
	case kindOf(parent) == bufferGroup && slot.Index == 1:
		v.Type, v.Fenced, v.Limit = firstType+uint16(listGroup), true, r.region.End()
		v.Contain(tree.Sequence, tree.Unknown, 1)
		v.End = v.Limit
	case kindOf(parent) == bufferGroup || r.isUnitList(parent):
		u := r.unit(w, off, parent.Limit)
		r.fill(v, u, 0)
		r.pool.Put(u)
	default:
		u := r.unit(w, parent.Start-int64(parent.Sub), r.region.End())
		children := u.nodes[parent.Flags].children
		r.fill(v, u, children[min(slot.Index, int64(len(children)-1))])
		r.pool.Put(u)
	}
}

// isUnitList reports whether a value is the list of packets or blocks.
func (r *Reading) isUnitList(v *tree.Value) bool {
	return kindOf(v) == listGroup && v.Sub == 0 && v.Flags == 0
}

// fill makes v a node of a unit.
func (r *Reading) fill(v *tree.Value, u *unit, number uint16) {
	n := &u.nodes[number]
	if n.kind == messageGroup {
		r.messages.Message(v, span.Between(u.at+int64(n.start), u.at+int64(n.end)), n.place)
		return
	}
	v.Start = u.at + int64(n.start)
	v.Head, v.Body = v.Start, v.Start
	v.Limit = u.at + int64(n.end)
	v.Sub, v.Flags = uint32(n.start), number
	if n.kind == bufferGroup { // a field
		v.Type = firstType + uint16(fieldType)
		v.Close(v.Limit)
		return
	}
	v.Type, v.Fenced = firstType+uint16(n.kind), true
	v.Contain(tree.Sequence, int64(len(n.children)), 1)
	v.End = v.Limit
}

// unit returns the packet, block or file header at an offset. Its memory is from the pool.
func (r *Reading) unit(w *source.Window, at, limit int64) *unit {
	u, _ := r.pool.Get().(*unit)
	if u == nil {
		u = new(unit)
	}
	end := r.unitEnd(w, at, limit)
	if u.at == at && u.size == int(end-at) && len(u.nodes) > 0 {
		return u // the node before was in it too
	}
	u.at, u.size = at, int(end-at)
	u.bytes = appendView(u.bytes[:0], w, at, end)
	switch {
	case at == r.region.Offset && !r.isNG:
		r.fileHeader(u)
	case r.isNG:
		r.block(u)
	default:
		r.record(u)
	}
	return u
}

// maxUnit is the size of the largest unit whose fields are shown. A larger one is one field.
const maxUnit = pcap.MaxPacket + 64<<10

// appendView appends the bytes up to an end, at most maxUnit.
func appendView(dst []byte, w *source.Window, at, end int64) []byte {
	end = min(end, at+maxUnit)
	for at < end {
		b := w.View(at, min(end-at, source.MaxView))
		if len(b) == 0 {
			break
		}
		dst = append(dst, b...)
		at += int64(len(b))
	}
	return dst
}

// unitEnd returns the end of a unit.
func (r *Reading) unitEnd(w *source.Window, at, limit int64) int64 {
	switch {
	case at == r.region.Offset && !r.isNG:
		return r.headerEnd(w)
	case r.isNG:
		return r.blockEnd(w, at, limit)
	}
	return r.recordEnd(w, at, limit)
}

// Pass implements tree.Passer: it passes over packets and blocks without problems, and over messages, whose
// problems are reported in their own buffer.
func (r *Reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if kindOf(parent) == messageGroup {
		r.messages.Pass(w, parent, s)
		return
	}
	if !r.isUnitList(parent) || !s.SizesOnly {
		return
	}
	for s.Pos < min(s.Until, parent.Limit) && s.Pos < s.Enough {
		end := r.unitEnd(w, s.Pos, parent.Limit)
		if end > s.Until {
			return // what is looked for is in it
		}
		s.Pos = end
		s.Next.Index++
	}
}

// Fields implements tree.Reading.
func (r *Reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	switch kindOf(v) {
	case messageGroup:
		return r.messages.Fields(w, parent, v, fields)
	case bufferGroup:
		if v.Body > 0 {
			fields = append(fields, span.Field{Span: span.Between(0, v.Body), Kind: span.Gap, Label: "gap"})
		}
	case fieldType:
		u := r.unit(w, v.Start-int64(v.Sub), r.region.End())
		n := &u.nodes[v.Flags]
		fields = append(fields, span.Field{Span: v.Span(), Kind: n.field, Label: n.name})
		r.pool.Put(u)
	}
	return fields
}

// Inspect implements tree.Inspector. What is known to be wrong with packets and connections is reported for the buffer.
func (r *Reading) Inspect(w *source.Window, parent *tree.Value, _ tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent == nil {
		for _, p := range r.problems {
			report(p)
		}
	}
	if parent == nil || kindOf(v) == messageGroup || v.Sub != 0 || v.Flags != 0 || r.isUnitList(v) {
		return
	}
	u := r.unit(w, v.Start, parent.Limit)
	for _, p := range u.nodes[0].problems {
		p.Offset += u.at
		if !r.isKnownProblem(&p) {
			report(p)
		}
	}
	r.pool.Put(u)
}

// isKnownProblem reports whether a problem of the same kind is known at the same place.
func (r *Reading) isKnownProblem(p *span.Problem) bool {
	i := sort.Search(len(r.problems), func(i int) bool { return r.problems[i].Offset >= p.Offset })
	for ; i < len(r.problems) && r.problems[i].Offset == p.Offset; i++ {
		if r.problems[i].Code == p.Code {
			return true
		}
	}
	return false
}

// TypeName implements tree.Reading.
func (r *Reading) TypeName(v *tree.Value) string {
	kind := kindOf(v)
	if kind == messageGroup {
		return r.messages.TypeName(v)
	}
	return typeNames[kind]
}

// AppendStep implements tree.Stepper.
func (r *Reading) AppendStep(dst []byte, reader *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	switch {
	case kindOf(parent) == messageGroup:
		return r.messages.AppendStep(dst, reader, parent, slot, key)
	case kindOf(parent) == bufferGroup && parent.Count == 1: // the path of a single value is $
		return dst
	case kindOf(parent) == bufferGroup && slot.Index == 0:
		return append(dst, ".header"...)
	case kindOf(parent) == bufferGroup && r.isNG:
		return append(dst, ".blocks"...)
	case kindOf(parent) == bufferGroup:
		return append(dst, ".packets"...)
	case r.isUnitList(parent):
		return tree.AppendIndexStep(dst, slot.Index)
	}
	u := r.unit(reader.Window(), parent.Start-int64(parent.Sub), r.region.End())
	defer r.pool.Put(u)
	children := u.nodes[parent.Flags].children
	if slot.Index >= int64(len(children)) {
		return tree.AppendIndexStep(dst, slot.Index)
	}
	if name := u.nodes[children[slot.Index]].name; name != "" {
		return append(append(dst, '.'), name...)
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

// AppendField implements tree.Reading.
func (r *Reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	switch kindOf(v) {
	case messageGroup:
		return r.messages.AppendField(dst, w, v, f)
	case fieldType:
	default:
		return tree.AppendData(dst, w, f.Span)
	}
	u := r.unit(w, v.Start-int64(v.Sub), r.region.End())
	defer r.pool.Put(u)
	n := &u.nodes[v.Flags]
	b := u.bytes[n.start:min(n.end, len(u.bytes))]
	switch {
	case n.says != "":
		return append(dst, n.says...)
	case n.meaning == number:
		return strconv.AppendUint(dst, n.value(b), 10)
	case n.meaning == bitmask:
		return strconv.AppendUint(append(dst, "0x"...), n.value(b), 16)
	case n.meaning == address:
		a, _ := netip.AddrFromSlice(b)
		return a.AppendTo(dst)
	case n.meaning == text:
		return tree.AppendText(dst, w, f.Span)
	}
	return tree.AppendData(dst, w, f.Span)
}

// value returns the number in the bytes of a field.
func (n *node) value(b []byte) (x uint64) {
	if !n.little {
		for _, c := range b {
			x = x<<8 | uint64(c)
		}
		return x
	}
	var all [8]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

// Describe implements tree.Describer.
func (r *Reading) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	s := tree.Scalar{Span: v.Span()}
	if kindOf(v) != fieldType {
		return s
	}
	u := r.unit(w, v.Start-int64(v.Sub), r.region.End())
	defer r.pool.Put(u)
	n := &u.nodes[v.Flags]
	switch n.meaning {
	case number, bitmask:
		return tree.Scalar{Kind: tree.Uint, Bits: n.value(u.bytes[n.start:n.end])}
	case text:
		s.Kind = tree.Text
	case address:
		a, _ := netip.AddrFromSlice(u.bytes[n.start:n.end])
		s.Note = a.String()
	default:
		s.Note = n.says
	}
	return s
}

// section returns what applies at an offset of a pcapng file.
func (r *Reading) section(off int64) pcap.Section {
	i := sort.Search(len(r.sections), func(i int) bool { return r.region.Offset+r.sections[i].From > off })
	if i == 0 {
		return pcap.Section{Order: binary.LittleEndian}
	}
	return r.sections[i-1]
}
