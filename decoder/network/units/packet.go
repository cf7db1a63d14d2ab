package units

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"sort"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/enet"
	"varview/decoder/network/link"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/websocket"
)

// A column is a field of a header.
type column struct {
	name string
	size int64 // 0 for the rest of the header
	kind span.Kind
	as   message.Notation
}

// columns are the fields of headers, by layer.
var columns = [...][]column{
	link.Ethernet:       {{"dst", 6, span.Value, data}, {"src", 6, span.Value, data}, {"type", 2, span.Type, bitmask}},
	link.VLAN:           {{"tag", 2, span.Value, bitmask}, {"type", 2, span.Type, bitmask}},
	link.Cooked:         {{"packet_type", 2, span.Type, number}, {"device", 2, span.Value, number}, {"length", 2, span.Length, number}, {"src", 8, span.Value, data}, {"type", 2, span.Type, bitmask}},
	link.Cooked2:        {{"type", 2, span.Type, bitmask}, {"reserved", 2, span.Padding, data}, {"interface", 4, span.Value, number}, {"device", 2, span.Value, number}, {"packet_type", 1, span.Type, number}, {"length", 1, span.Length, number}, {"src", 8, span.Value, data}},
	link.Null:           {{"family", 4, span.Type, data}},
	link.PPP:            {{"protocol", 0, span.Type, data}},
	link.PPPoE:          {{"version", 1, span.Version, bitmask}, {"code", 1, span.Type, number}, {"session", 2, span.Value, number}, {"length", 2, span.Length, number}, {"protocol", 2, span.Type, bitmask}},
	link.IPv4:           {{"version", 1, span.Version, bitmask}, {"tos", 1, span.Flags, bitmask}, {"length", 2, span.Length, number}, {"id", 2, span.ID, number}, {"fragment", 2, span.Flags, bitmask}, {"ttl", 1, span.Value, number}, {"protocol", 1, span.Type, number}, {"checksum", 2, span.Hash, bitmask}, {"src", 4, span.Value, address}, {"dst", 4, span.Value, address}, {"options", 0, span.Data, data}},
	link.IPv6:           {{"version", 4, span.Version, bitmask}, {"length", 2, span.Length, number}, {"next", 1, span.Type, number}, {"hops", 1, span.Value, number}, {"src", 16, span.Value, address}, {"dst", 16, span.Value, address}},
	link.Extension:      {{"next", 1, span.Type, number}, {"length", 1, span.Length, number}, {"options", 0, span.Data, data}},
	link.Fragment:       {{"next", 1, span.Type, number}, {"reserved", 1, span.Padding, data}, {"offset", 2, span.Value, bitmask}, {"id", 4, span.ID, number}},
	link.Authentication: {{"next", 1, span.Type, number}, {"length", 1, span.Length, number}, {"data", 0, span.Data, data}},
	link.UDP:            {{"sport", 2, span.Value, number}, {"dport", 2, span.Value, number}, {"length", 2, span.Length, number}, {"checksum", 2, span.Hash, bitmask}},
	link.TCP:            {{"sport", 2, span.Value, number}, {"dport", 2, span.Value, number}, {"seq", 4, span.Value, number}, {"ack", 4, span.Value, number}, {"offset", 1, span.Length, bitmask}, {"flags", 1, span.Flags, bitmask}, {"window", 2, span.Value, number}, {"checksum", 2, span.Hash, bitmask}, {"urgent", 2, span.Value, number}, {"options", 0, span.Data, data}},
	link.NFLog:          {{"family", 1, span.Type, number}, {"version", 1, span.Version, number}, {"group", 2, span.ID, number}, {"attributes", 0, span.Data, data}},
	link.WiFi:           {{"control", 2, span.Flags, bitmask}, {"duration", 2, span.Value, data}, {"address_1", 6, span.Value, data}, {"address_2", 6, span.Value, data}, {"address_3", 6, span.Value, data}, {"sequence", 2, span.Value, data}, {"more", 0, span.Data, data}},
	link.SNAP:           {{"llc", 3, span.Type, data}, {"organisation", 3, span.ID, data}, {"type", 2, span.Type, bitmask}},
	link.Radiotap:       {{"version", 1, span.Version, number}, {"padding", 1, span.Padding, data}, {"length", 2, span.Length, data}, {"fields", 0, span.Data, data}},
	link.Pktap:          {{"length", 4, span.Length, data}, {"next", 4, span.Type, data}, {"link_type", 4, span.Type, data}, {"process", 0, span.Data, data}},
	link.PPI:            {{"version", 1, span.Version, number}, {"flags", 1, span.Flags, bitmask}, {"length", 2, span.Length, data}, {"link_type", 4, span.Type, data}, {"fields", 0, span.Data, data}},
	link.MPLS:           {{"label", 4, span.Value, bitmask}},
	link.GRE:            {{"flags", 2, span.Flags, bitmask}, {"type", 2, span.Type, bitmask}, {"options", 0, span.Data, data}},
	link.Geneve:         {{"version", 1, span.Version, bitmask}, {"flags", 1, span.Flags, bitmask}, {"type", 2, span.Type, bitmask}, {"network", 3, span.ID, data}, {"padding", 1, span.Padding, data}, {"options", 0, span.Data, data}},
	link.ERSPAN:         {{"version", 2, span.Version, bitmask}, {"session", 2, span.ID, bitmask}, {"more", 0, span.Data, data}},
	link.GTP:            {{"flags", 1, span.Flags, bitmask}, {"type", 1, span.Type, number}, {"length", 2, span.Length, number}, {"tunnel", 4, span.ID, bitmask}, {"options", 0, span.Data, data}},
	link.VXLAN:          {{"flags", 1, span.Flags, bitmask}, {"reserved", 3, span.Padding, data}, {"network", 3, span.ID, data}, {"padding", 1, span.Padding, data}},
}

// tcpFlags are the flags of TCP from the lowest bit on.
var tcpFlags = []string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"}

// packet adds the layers of a captured packet of n bytes; wire is the number of bytes that were sent.
func (x *builder) packet(linkType uint16, n, wire int64, r *Packets) {
	start := x.At
	end := min(start+n, x.Limit)
	was, order := x.Limit, x.order
	x.Limit, x.order = end, binary.BigEndian
	b := x.bytes[start:end]
	if r.messages != nil {
		r.messages.Each(span.Span{Offset: x.unit.at, Length: x.size}, func(p *Place) { x.places = append(x.places, *p) })
	}
	var p link.Packet
	link.Decode(linkType, b, int(wire), &p)
	names := map[string]int{}
	for _, h := range p.Headers() {
		x.header(h.Layer, start+int64(h.End), names)
	}
	if p.IsIP {
		if !p.IsFragment {
			x.transport(&p, b, start, r.flows, names)
		}
		x.content("data", start+int64(p.End), names)
		x.rest("padding", end, span.Padding)
	} else {
		x.rest("data", end, span.Data)
	}
	x.Limit, x.order = was, order
}

// header adds the fields of a header.
func (x *builder) header(l link.Layer, end int64, names map[string]int) {
	if !x.group(numbered(names, l.String()), message.Layer) {
		return
	}
	limit := x.Limit
	x.Limit = min(end, limit)
	for _, c := range columns[l] {
		size := c.size
		if size == 0 {
			size = x.Left()
		}
		x.explain(l, x.put(c.name, size, c.kind, c.as))
	}
	x.Limit = limit
	x.EndList()
}

// explain sets the meaning of a field that is more than a number.
func (x *builder) explain(l link.Layer, p *message.Part) {
	switch {
	case p == nil || p.Label == "cut":
	case p.Label == "checksum":
		x.explainSum(l, p)
	case p.Label == "flags" && l == link.TCP:
		says := ""
		for i, name := range tcpFlags {
			if x.bytes[p.Offset]>>i&1 != 0 {
				says += " " + name
			}
		}
		p.Means = strings.TrimPrefix(says, " ")
	case l == link.Ethernet && (p.Label == "src" || p.Label == "dst"):
		p.Means = net.HardwareAddr(x.bytes[p.Offset:p.End()]).String()
	}
}

// transport adds the header of UDP or TCP, and what follows it.
func (x *builder) transport(p *link.Packet, b []byte, start int64, flows enetFlows, names map[string]int) {
	payload := b[p.Start:p.End]
	x.around = p
	switch p.Protocol {
	case link.ProtoUDP:
		h, ok := link.ParseUDP(payload)
		if !ok {
			return
		}
		x.header(link.UDP, start+int64(p.Start+link.UDPSize), names)
		end := start + int64(p.SegmentEnd(b))
		if checksum, isENet := flows[[2]netip.AddrPort{netip.AddrPortFrom(p.Src, h.Src), netip.AddrPortFrom(p.Dst, h.Dst)}]; isENet {
			x.enet(end, p.Missing, checksum)
		}
		x.content("data", end, names)
	case link.ProtoTCP:
		h, ok := link.ParseTCP(payload)
		if !ok || h.Size < 20 || h.Size > len(payload) {
			return
		}
		x.header(link.TCP, start+int64(p.Start+h.Size), names)
	}
}

// field returns a field of a group by its name.
func (u *unit) field(group uint32, name string) (f *node, ok bool) {
	for _, c := range u.nodes[group].children {
		if x := &u.nodes[c]; x.Label == name && x.group == fieldType {
			return x, true
		}
	}
	return &node{}, false
}

// value returns the number in a field of a group; -1 if it has none.
func (u *unit) value(group uint32, name string) int64 {
	f, ok := u.field(group, name)
	if !ok {
		return -1
	}
	return int64(f.value(u.bytesOf(f)))
}

// explainSum sets the meaning of a checksum; for a wrong one that names the right one.
func (x *builder) explainSum(l link.Layer, n *message.Part) {
	is := binary.BigEndian.Uint16(x.bytes[n.Offset:])
	if l == link.IPv4 {
		h := x.bytes[n.Offset-10:]
		if h = h[:int(h[0]&15)*4]; !link.HeaderHolds(h) {
			n.Means = wrongSum(is, link.Sum(append(append(append([]byte{}, h[:10]...), 0, 0), h[12:]...)))
		}
		return
	}
	p := x.around
	if p == nil { // the header of a tunnel
		return
	}
	at := int(n.Offset) - link.SumAt(p.Protocol)
	whole := x.bytes[at-p.Start:]
	if p.Missing > 0 || p.End > len(whole) {
		return
	}
	b := whole[p.Start:p.SegmentEnd(whole)]
	switch link.CheckSum(b, p.Protocol, p.Src, p.Dst) {
	case link.Pending:
		n.Means = fmt.Sprintf("%#x, left to the network card", is)
	case link.Wrong:
		right := append([]byte{}, b...)
		link.SetSum(right, p.Protocol, p.Src, p.Dst)
		n.Means = wrongSum(is, binary.BigEndian.Uint16(right[int(n.Offset)-at:]))
	}
}

func wrongSum(is, right uint16) string {
	return fmt.Sprintf("%#x, which is wrong: it should be %#x", is, right)
}

// content adds the bytes of a transport up to an index: the messages in them, and the rest under a name.
// names counts the names in the innermost group.
func (x *builder) content(name string, end int64, names map[string]int) {
	end = min(end, x.Limit)
	for x.next < len(x.places) && len(x.Parts) < maxParts/2 {
		p := &x.places[x.next]
		at := p.Offset - x.unit.at
		if at >= end {
			break
		}
		x.next++
		if at < x.At || at+p.Length > min(end, int64(len(x.bytes))) {
			continue
		}
		if at > x.At {
			x.rest(numbered(names, name), at, span.Data)
		}
		if p.Part == 0 {
			x.head(p, end, names)
		} else {
			x.message(p, name, names)
		}
	}
	if end > x.At {
		x.rest(numbered(names, name), end, span.Data)
	}
}

// numbered returns a name, with a number if it is not the first of its kind.
func numbered(names map[string]int, name string) string {
	if names[name]++; names[name] > 1 {
		name += strconv.Itoa(names[name])
	}
	return name
}

// message adds the message, or the part of one, at the place before the next.
func (x *builder) message(p *Place, name string, names map[string]int) {
	if !p.IsWhole() {
		x.put(numbered(names, name), p.Length, span.Data, data).Place = x.next
	} else {
		x.Add(message.Whole, p.Length, 0, numbered(names, "message")).Place = x.next
	}
}

// head adds what precedes a message in a stream, and the message if that follows at once.
func (x *builder) head(p *Place, end int64, names map[string]int) {
	name, order, place := "value", binary.ByteOrder(binary.LittleEndian), x.next
	switch p.Form {
	case payload.Header:
		name = "websocket"
	case payload.LengthBig:
		order = binary.BigEndian
	}
	if !x.group(numbered(names, name), message.Layer) {
		return
	}
	group, was := len(x.Parts)-1, x.order
	x.order = order
	if p.Form == payload.Header {
		end := x.At + p.Length
		if f, isThere := websocket.ParseFrame(x.bytes[x.At:end]); isThere && int64(f.Head) == p.Length {
			length := p.Length - 1
			if f.IsMasked {
				length -= int64(len(f.Mask))
			}
			means(x.put("flags", 1, span.Flags, bitmask), f.Flags())
			means(x.put("length", length, span.Length, data), strconv.FormatUint(f.Size, 10))
			x.put("mask", end-x.At, span.Value, data)
		} else { // the file has changed
			x.rest("data", end, span.Data)
		}
	} else {
		x.number("length", p.Length, span.Length)
	}
	x.order = was
	if next := x.places[x.next:]; len(next) > 0 && next[0].Offset == x.unit.at+x.At && x.At+next[0].Length <= end && next[0].Message == p.Message {
		x.next++
		x.message(&next[0], "data", map[string]int{})
	} else {
		x.Parts[group].Place = place
	}
	x.EndList()
}

// enet adds a datagram of ENet that ends at an index.
func (x *builder) enet(end int64, missing int, checksum bool) {
	b := x.bytes[x.At:end]
	var d enet.Datagram
	compressed, ok := d.ParseHeader(b, checksum)
	if !ok || !x.group("enet", message.Layer) {
		return
	}
	defer x.EndList()
	means(x.number("peer", 2, span.Flags), fmt.Sprintf("peer %d, session %d%s", d.Peer, d.Session, sentBits(&d, compressed)))
	if d.HasTime {
		x.number("sent_time", 2, span.Value)
	}
	if checksum {
		x.put("checksum", 4, span.Hash, bitmask)
	}
	if compressed {
		x.content("packed", end, map[string]int{})
		return
	}
	list, _ := enet.ParseCommands(nil, b[d.Header:], missing)
	if x.group("commands", message.Open) {
		for i := range list {
			x.command(&list[i])
		}
		x.EndList()
	}
	x.rest("gap", end, span.Gap)
}

func sentBits(d *enet.Datagram, compressed bool) (text string) {
	if compressed {
		text += ", compressed"
	}
	if d.HasTime {
		text += ", with the time"
	}
	return text
}

// command adds a command of ENet.
func (x *builder) command(c *enet.Command) {
	if !x.group("", message.Layer) {
		return
	}
	means(x.number("command", 1, span.Type), enet.Kinds[c.Number].Name)
	x.number("channel", 1, span.Value)
	for _, n := range enet.Kinds[c.Number].Columns {
		as := number
		if n.Kind == span.ID {
			as = bitmask
		}
		x.put(n.Name, int64(n.Size), n.Kind, as)
	}
	if end := x.At + int64(c.Length); end > x.Limit {
		x.put("data", int64(c.Length), span.Data, data) // it is cut
	} else {
		x.content("data", end, map[string]int{})
	}
	x.EndList()
}

// fileHeader reads the header of a pcap file, or what is in its place.
func (r *Packets) fileHeader(u *unit) {
	x := newBuilder(u, r.header.Order)
	defer x.end(headerGroup, "header")
	if r.header.Order == nil {
		x.rest("gap", u.size, span.Gap)
		return
	}
	x.columns([]column{{"magic", 4, span.Magic, data}, {"major", 2, span.Version, number}, {"minor", 2, span.Version, number}, {"zone", 4, span.Padding, data},
		{"accuracy", 4, span.Padding, data}, {"snaplen", 4, span.Length, number}, {"link_type", 4, span.Type, number}})
}

// columns adds fields.
func (x *builder) columns(all []column) {
	for _, c := range all {
		x.put(c.name, c.size, c.kind, c.as)
	}
}

// resume returns where something begins behind an offset at which a length cannot be, as far as that was read.
func (r *Packets) resume(at, limit int64) int64 {
	at -= r.region.Offset
	i := sort.Search(len(r.skipped), func(i int) bool { return r.skipped[i].Offset >= at })
	if i < len(r.skipped) && r.skipped[i].Offset == at {
		return min(r.region.Offset+r.skipped[i].End(), limit)
	}
	return limit
}

// headAt reads what a block begins with, and the byte order in which that is.
func (r *Packets) headAt(at int64, b []byte) (h pcap.Head, order binary.ByteOrder) {
	order, isSection := pcap.SectionOrder(b)
	if !isSection || !r.header.IsNG {
		order = r.section(at).Order
	}
	return r.header.Head(order, b), order
}

// block reads a block of a pcapng file, or a packet of a pcap file.
func (r *Packets) block(u *unit) {
	name, kind := "", blockGroup
	switch {
	case u.at == r.region.Offset:
		name, kind = "header", headerGroup
	case !r.header.IsNG:
		kind = packetGroup
	}
	x := newBuilder(u, binary.LittleEndian)
	defer x.end(kind, name)
	if u.size < int64(r.header.HeadSize()) {
		x.rest("cut", u.size, span.Gap)
		return
	}
	var h pcap.Head
	if h, x.order = r.headAt(u.at, u.bytes); r.header.IsNG {
		means(x.put("type", 4, span.Type, bitmask), pcap.BlockName(h.Kind))
		x.number("length", 4, span.Length)
	}
	switch {
	case !h.CanBe:
		if h.Kind == pcap.Record {
			x.columns(blockColumns[h.Kind])
			x.put("patched", int64(r.header.HeadSize())-x.At, span.Data, data)
		}
		x.rest("gap", u.size, span.Gap)
		return
	case h.Length > maxUnit:
		x.rest("data", u.size, span.Data)
		return
	case u.size < h.Length:
		x.body(r, h.Kind, u.size)
		return
	}
	_, behind := r.header.Around()
	x.body(r, h.Kind, h.Length-int64(behind))
	x.Limit = u.size
	x.number("length_again", int64(behind), span.Length)
	x.rest("padding", u.size, span.Padding)
}

// blockColumns are the fields of blocks before their options or their packet, by type.
var blockColumns = map[uint64][]column{
	pcap.Record:              {{"seconds", 4, span.Value, number}, {"fraction", 4, span.Value, number}, {"captured", 4, span.Length, number}, {"wire", 4, span.Length, number}},
	pcap.SectionHeader:       {{"order", 4, span.Magic, data}, {"major", 2, span.Version, number}, {"minor", 2, span.Version, number}, {"section_length", 8, span.Length, bitmask}},
	pcap.InterfaceDescriptor: {{"link_type", 2, span.Type, number}, {"reserved", 2, span.Padding, data}, {"snaplen", 4, span.Length, number}},
	pcap.Statistics:          {{"interface", 4, span.Value, number}, {"time_high", 4, span.Value, number}, {"time_low", 4, span.Value, number}},
	pcap.SimplePacket:        {{"wire", 4, span.Length, number}},
	pcap.OldPacket:           append([]column{{"interface", 2, span.Value, number}, {"drops", 2, span.Value, number}}, packetColumns...),
	pcap.EnhancedPacket:      append([]column{{"interface", 4, span.Value, number}}, packetColumns...),
}

var packetColumns = []column{{"time_high", 4, span.Value, number}, {"time_low", 4, span.Value, number}, {"captured", 4, span.Length, number}, {"wire", 4, span.Length, number}}

// body adds the content of a block up to an index.
func (x *builder) body(r *Packets, kind uint64, end int64) {
	x.Limit = end
	if pcap.IsPacket(kind) {
		x.packetBlock(r, kind, end)
	} else if columns := blockColumns[kind]; columns != nil {
		x.columns(columns)
		x.options(end)
	}
	x.rest("data", end, span.Data)
}

// packetBlock adds a block with a packet.
func (x *builder) packetBlock(r *Packets, kind uint64, end int64) {
	section, start := r.section(x.unit.at), x.At
	p, ok := r.header.ParsePacket(x.order, kind, x.bytes[start:end], section.Snaplen)
	if !ok {
		return
	}
	x.columns(blockColumns[kind])
	x.put("patched", start+int64(p.Start)-x.At, span.Data, data)
	n := min(int64(p.Captured), end-x.At)
	if int(p.Interface) >= len(section.Links) {
		x.put("data", n, span.Data, data)
	} else {
		x.packet(section.Links[p.Interface], n, max(int64(p.Wire), n), r)
	}
	x.put("padding", min(-n&3, end-x.At), span.Padding, data)
	x.options(end)
}

// optionNames are the codes of options that all blocks have.
var optionNames = map[uint16]string{0: "end", 1: "comment"}

// options adds the options of a block.
func (x *builder) options(end int64) {
	if end-x.At < 4 || !x.group("options", message.Open) {
		return
	}
	for end-x.At >= 4 {
		code, n := x.order.Uint16(x.bytes[x.At:]), int64(x.order.Uint16(x.bytes[x.At+2:]))
		if !x.group("", message.Layer) {
			break
		}
		means(x.number("code", 2, span.Type), optionNames[code])
		x.number("length", 2, span.Length)
		kind, m := span.Data, data
		if optionNames[code] == "comment" {
			kind, m = span.Text, text
		}
		x.put("value", n, kind, m)
		x.put("padding", min(-n&3, end-x.At), span.Padding, data)
		x.EndList()
		if optionNames[code] == "end" {
			break
		}
	}
	x.EndList()
}
