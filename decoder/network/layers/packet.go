package layers

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// A column is a field of a header.
type column struct {
	name    string
	size    int // 0 for the rest of the header
	kind    span.Kind
	meaning meaning
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
	link.MPLS:           {{"label", 4, span.Value, bitmask}},
	link.GRE:            {{"flags", 2, span.Flags, bitmask}, {"type", 2, span.Type, bitmask}, {"options", 0, span.Data, data}},
	link.VXLAN:          {{"flags", 1, span.Flags, bitmask}, {"reserved", 3, span.Padding, data}, {"network", 3, span.ID, data}, {"padding", 1, span.Padding, data}},
}

// tcpFlags are the flags of TCP from the lowest bit on.
var tcpFlags = []string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"}

// packet adds the layers of a captured packet of n bytes; wire is the number of bytes that were sent.
func (x *builder) packet(linkType uint16, n, wire int, r *Reading) {
	start := x.at
	end := min(start+n, x.limit)
	was, order := x.limit, x.order
	x.limit, x.order = end, binary.BigEndian
	b := x.bytes[start:end]
	x.find(r.messages)
	var p link.Packet
	link.Decode(linkType, b, wire, &p)
	if p.Damage.Code != "" {
		p.Damage.Offset += int64(start)
		x.nodes[0].problems = append(x.nodes[0].problems, p.Damage)
	}
	names := map[string]int{}
	for _, h := range p.Headers() {
		x.header(h.Layer, start+h.End, names)
	}
	if p.IsIP {
		if !p.IsFragment {
			x.transport(&p, b, start, r.flows, names)
		}
		x.content("data", start+p.End, names)
		x.rest("padding", end, span.Padding)
	} else {
		x.rest("data", end, span.Data)
	}
	x.limit, x.order = was, order
}

// header adds the fields of a header.
func (x *builder) header(l link.Layer, end int, names map[string]int) {
	if !x.group(numbered(names, l.String()), layerGroup) {
		return
	}
	limit := x.limit
	x.limit = min(end, limit)
	for _, c := range columns[l] {
		size := c.size
		if size == 0 {
			size = x.limit - x.at
		}
		x.explain(l, x.put(c.name, size, c.kind, c.meaning))
	}
	x.limit = limit
	x.close()
}

// explain sets the meaning of a field that is more than a number.
func (x *builder) explain(l link.Layer, n *node) {
	switch {
	case n == nil || n.name == "cut":
	case n.name == "checksum":
		x.explainSum(l, n)
	case n.name == "flags" && l == link.TCP:
		says := ""
		for i, name := range tcpFlags {
			if x.bytes[n.start]>>i&1 != 0 {
				says += " " + name
			}
		}
		if says != "" {
			n.says = says[1:]
		}
	case n.name == "src" || n.name == "dst":
		if l == link.Ethernet {
			b := x.bytes[n.start:n.end]
			n.says = fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4], b[5])
		}
	}
}

// transport adds the header of UDP or TCP, and what follows it.
func (x *builder) transport(p *link.Packet, b []byte, start int, flows enetFlows, names map[string]int) {
	payload := b[p.Start:p.End]
	x.around = p
	switch p.Protocol {
	case link.ProtoUDP:
		h, ok := link.ParseUDP(payload)
		if !ok {
			return
		}
		x.header(link.UDP, start+p.Start+link.UDPSize, names)
		end := p.End
		if h.Length >= link.UDPSize && p.Start+h.Length <= end {
			end = p.Start + h.Length
		}
		if checksum, isENet := flows[[2]netip.AddrPort{netip.AddrPortFrom(p.Src, h.Src), netip.AddrPortFrom(p.Dst, h.Dst)}]; isENet {
			x.enet(start+end, p.Missing, checksum)
		}
		x.content("data", start+end, names)
	case link.ProtoTCP:
		h, ok := link.ParseTCP(payload)
		if !ok || h.Size < 20 || h.Size > len(payload) {
			return
		}
		x.header(link.TCP, start+p.Start+h.Size, names)
	}
}

// unitOf returns the unit that contains a value, and the value of the unit in the tree.
func (r *Reading) unitOf(t *tree.Reader, n *tree.Node) (*unit, *tree.Node) {
	if n == nil || kindOf(&n.Value) == bufferGroup || r.isUnitList(&n.Value) {
		return nil, nil
	}
	for kindOf(&n.Value) == messageGroup || n.Flags != 0 {
		n = n.Parent
	}
	return r.unit(t.Window(), n.Start, r.region.End()), n
}

// field returns a field of a group by its name.
func (u *unit) field(group uint16, name string) (f *node, ok bool) {
	for _, c := range u.nodes[group].children {
		if x := &u.nodes[c]; x.name == name && x.kind == bufferGroup {
			return x, true
		}
	}
	return &node{}, false
}

// bytesOf returns the bytes of a field.
func (u *unit) bytesOf(f *node) []byte { return u.bytes[f.start:min(f.end, len(u.bytes))] }

// value returns the number in a field of a group; -1 if it has none.
func (u *unit) value(group uint16, name string) int64 {
	f, ok := u.field(group, name)
	if !ok {
		return -1
	}
	return int64(f.value(u.bytesOf(f)))
}

// blockEnd returns the end of a block. If its length is impossible, that is where the next one seems to
// begin.
func (r *Reading) blockEnd(w *source.Window, at, limit int64) int64 {
	if at+pcap.BlockHeaderSize+4 > limit {
		return limit
	}
	b := w.View(at, pcap.BlockHeaderSize+4)
	order := r.orderAt(at, b)
	if length := int64(order.Uint32(b[4:])); pcap.IsBlockLength(order.Uint32(b), length) {
		return min(at+(length+3)&^3, limit)
	}
	return r.resume(w, at+4, limit, func(b []byte) bool { return pcap.StartsBlock(order, b) })
}

// orderAt returns the byte order of a block that begins with these bytes.
func (r *Reading) orderAt(at int64, b []byte) binary.ByteOrder {
	if order, ok := pcap.SectionOrder(b); ok {
		return order
	}
	return r.section(at).Order
}

// block reads a block of a pcapng file.
func (r *Reading) block(u *unit) {
	order := r.orderAt(u.at, u.bytes)
	name, kind := "", blockGroup
	if u.at == r.region.Offset {
		name, kind = "header", headerGroup
	}
	x := newBuilder(u, name, kind, order)
	defer x.close()
	size := u.size
	if size < pcap.BlockHeaderSize+pcap.BlockFootSize {
		x.rest("cut", size, span.Gap)
		x.fail(0, size, span.Truncated, "the file ends in the header of a block")
		return
	}
	blockType, length := order.Uint32(u.bytes), int64(order.Uint32(u.bytes[4:]))
	x.put("type", 4, span.Type, bitmask).means(pcap.BlockName(blockType))
	x.number("length", 4, span.Length)
	switch {
	case !pcap.IsBlockLength(blockType, length):
		x.rest("gap", size, span.Gap)
		x.fail(4, 4, span.LengthOverrun, fmt.Sprintf("a block of type %#x has a length of %s, which is impossible", blockType, span.Bytes(length)))
		return
	case length > maxUnit:
		x.rest("data", size, span.Data)
		return
	case int64(size) < length:
		x.fail(0, size, span.Truncated, fmt.Sprintf("the file ends in a block of %s: %s left", span.Bytes(length), span.BytesAre(int64(size))))
		x.body(r, blockType, size)
		return
	}
	end := int(length) - pcap.BlockFootSize
	if again := order.Uint32(u.bytes[end:]); int64(again) != length {
		x.fail(end, 4, span.WrongLength, fmt.Sprintf("the length at the end of a block is %d, at its start %d", again, length))
	}
	x.body(r, blockType, end)
	x.limit = size
	x.number("length_again", 4, span.Length)
	x.rest("padding", size, span.Padding)
}

// body adds the content of a block up to an index.
func (x *builder) body(r *Reading, blockType uint32, end int) {
	x.limit = end
	switch {
	case blockType == pcap.SectionHeader:
		x.put("order", 4, span.Magic, data)
		x.number("major", 2, span.Version)
		x.number("minor", 2, span.Version)
		x.put("section_length", 8, span.Length, bitmask)
		x.options(end)
	case blockType == pcap.InterfaceDescriptor:
		x.number("link_type", 2, span.Type)
		x.put("reserved", 2, span.Padding, data)
		x.number("snaplen", 4, span.Length)
		x.options(end)
	case blockType == pcap.Statistics:
		x.number("interface", 4, span.Value)
		x.number("time_high", 4, span.Value)
		x.number("time_low", 4, span.Value)
		x.options(end)
	case pcap.IsPacket(blockType):
		x.packetBlock(r, blockType, end)
	}
	x.rest("data", end, span.Data)
}

// packetBlock adds a block with a packet.
func (x *builder) packetBlock(r *Reading, blockType uint32, end int) {
	section := r.section(x.unit.at)
	p, ok := pcap.ParsePacket(x.order, blockType, x.bytes[x.at:end], section.Snaplen)
	if !ok {
		return
	}
	if blockType == pcap.SimplePacket {
		x.number("wire", 4, span.Length)
	} else {
		if blockType == pcap.OldPacket {
			x.number("interface", 2, span.Value)
			x.number("drops", 2, span.Value)
		} else {
			x.number("interface", 4, span.Value)
		}
		x.number("time_high", 4, span.Value)
		x.number("time_low", 4, span.Value)
		x.number("captured", 4, span.Length)
		x.number("wire", 4, span.Length)
	}
	n := int(p.Captured)
	if int64(p.Captured) > int64(end-x.at) {
		n = end - x.at
	}
	if whole := int64(x.order.Uint32(x.bytes[4:])); n < int(p.Captured) && int64(x.size) >= whole { // otherwise the file ends here
		x.fail(pcap.BlockHeaderSize+12, 4, span.LengthOverrun, fmt.Sprintf("a packet has %s by its header, but its block has %s", span.Bytes(int64(p.Captured)), span.Bytes(int64(n))))
	}
	if int(p.Interface) >= len(section.Links) {
		x.fail(pcap.BlockHeaderSize, 4, payload.UnknownInterface, fmt.Sprintf("a packet is of interface %d, which is not described", p.Interface))
		x.put("data", n, span.Data, data)
	} else {
		x.packet(section.Links[p.Interface], n, max(int(p.Wire), n), r)
	}
	x.put("padding", min(-n&3, end-x.at), span.Padding, data)
	x.options(end)
}

// optionNames are the codes of options that all blocks have.
var optionNames = map[uint16]string{0: "end", 1: "comment"}

// options adds the options of a block.
func (x *builder) options(end int) {
	if end-x.at < 4 || !x.group("options", listGroup) {
		return
	}
	for end-x.at >= 4 {
		code, n := x.order.Uint16(x.bytes[x.at:]), int(x.order.Uint16(x.bytes[x.at+2:]))
		if !x.group("", layerGroup) {
			break
		}
		x.number("code", 2, span.Type).means(optionNames[code])
		x.number("length", 2, span.Length)
		kind, m := span.Data, data
		if optionNames[code] == "comment" {
			kind, m = span.Text, text
		}
		x.put("value", n, kind, m)
		x.put("padding", min(-n&3, end-x.at), span.Padding, data)
		x.close()
		if optionNames[code] == "end" {
			break
		}
	}
	x.close()
}

// explainSum sets the meaning of a checksum; for a wrong one that names the right one.
func (x *builder) explainSum(l link.Layer, n *node) {
	is := binary.BigEndian.Uint16(x.bytes[n.start:])
	if l == link.IPv4 {
		h := x.bytes[n.start-10:]
		if h = h[:int(h[0]&15)*4]; !link.HeaderHolds(h) {
			n.says = wrongSum(is, link.Sum(append(append(append([]byte{}, h[:10]...), 0, 0), h[12:]...)))
		}
		return
	}
	p := x.around
	if p == nil { // the header of a tunnel
		return
	}
	at := n.start - link.SumAt(p.Protocol)
	end := at + p.End - p.Start
	if l == link.UDP {
		if u, _ := link.ParseUDP(x.bytes[at:]); u.Length >= link.UDPSize && at+u.Length <= end {
			end = at + u.Length
		}
	}
	if p.Missing > 0 || end > len(x.bytes) {
		return
	}
	b := x.bytes[at:end]
	switch link.CheckSum(b, p.Protocol, p.Src, p.Dst) {
	case link.Pending:
		n.says = fmt.Sprintf("%#x, left to the network card", is)
	case link.Wrong:
		right := append([]byte{}, b...)
		link.SetSum(right, p.Protocol, p.Src, p.Dst)
		n.says = wrongSum(is, binary.BigEndian.Uint16(right[n.start-at:]))
	}
}

func wrongSum(is, right uint16) string {
	return fmt.Sprintf("%#x, which is wrong: it should be %#x", is, right)
}
