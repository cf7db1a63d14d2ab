package units

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/message"
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
	r.eachPlace(span.Span{Offset: x.unit.at, Length: x.size}, func(p *Place) { x.places = append(x.places, *p) })
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
