package capture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"net/netip"
	"slices"
	"sort"
	"time"

	"varview/decoder/network/enet"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// An again changes packets, also those that send changed bytes again: a receiver that has missed the first
// ones takes these.
type again struct {
	streams map[route][]sent    // of TCP, by sequence number
	enet    map[route]*reliable // of ENet
}

// A route is the source and destination of a packet.
type route struct{ src, dst netip.AddrPort }

func (r route) back() route { return route{r.dst, r.src} }

// A sent is a change that has been written.
type sent struct {
	old, new   []byte
	when       time.Time
	seq        uint32              // TCP: sequence number of the first byte
	connection *payload.Connection // ENet
}

// longest is for how long bytes are sent again.
const longest = time.Minute

// reliable holds the changed commands of a route that are sent again if they are lost.
type reliable struct {
	checksum   bool                // datagrams have one
	connection *payload.Connection // of the last change
	commands   map[commandKey]sent
}

// A commandKey identifies a reliable command and its repetitions.
type commandKey struct {
	session, channel uint8
	sequence         uint16
}

func newAgain() *again { return &again{map[route][]sent{}, map[route]*reliable{}} }

// A changing is a packet that may change.
type changing struct {
	*pcap.Packet
	h    link.Packet
	data []byte // the packet after the changes; nil if there are none
}

// put replaces bytes of the packet.
func (c *changing) put(at int, is []byte) {
	if c.data == nil {
		c.data = bytes.Clone(c.Data)
	}
	copy(c.data[at:], is)
}

// changed returns the data of a packet after changes of its messages; nil if nothing changes. All packets
// must be given in order, as later ones may send the same bytes again.
func (a *again) changed(p *pcap.Packet, patches []patch) ([]byte, error) {
	if len(patches) == 0 && len(a.streams)+len(a.enet) == 0 {
		return nil, nil
	}
	c := &changing{Packet: p}
	link.Decode(p.Link, p.Data, p.Wire, &c.h)
	for _, x := range patches {
		at := int(x.at - p.At.Offset)
		switch {
		case c.h.IsFragment:
			return nil, errFragment
		case at < 0 || at+len(x.old) > len(p.Data) || !bytes.Equal(p.Data[at:at+len(x.old)], x.old):
			return nil, errFound
		}
		c.put(at, x.new)
	}
	var err error
	switch {
	case !c.h.IsIP || c.h.IsFragment:
	case c.h.Protocol == link.ProtoTCP:
		a.segment(c, patches)
	case c.h.Protocol == link.ProtoUDP:
		err = a.datagram(c, patches)
	}
	if c.data != nil {
		fixSums(p.Data, c.data, &c.h)
	}
	return c.data, err
}

// segment changes what a TCP segment sends again.
func (a *again) segment(c *changing, patches []patch) {
	tcp, ok := link.ParseTCP(c.Data[c.h.Start:c.h.End])
	start := c.h.Start + tcp.Size
	if !ok || start > c.h.End {
		return
	}
	way := route{netip.AddrPortFrom(c.h.Src, tcp.Src), netip.AddrPortFrom(c.h.Dst, tcp.Dst)}
	if tcp.Flags&(link.SYN|link.ACK) == link.SYN {
		delete(a.streams, way)
		delete(a.streams, way.back())
	}
	list := a.streams[way]
	from := func(seq uint32) int { // the first change that ends after a sequence number
		return sort.Search(len(list), func(i int) bool { return int32(list[i].seq+uint32(len(list[i].old))-seq) > 0 })
	}
	for i := from(tcp.Seq); i < len(list); i++ {
		x := &list[i]
		at := start + int(int32(x.seq-tcp.Seq))
		first, end := max(at, start), min(at+len(x.old), c.h.End)
		if first >= end {
			break
		}
		if bytes.Equal(c.Data[first:end], x.old[first-at:end-at]) {
			c.put(first, x.new[first-at:end-at])
		}
	}
	for _, x := range patches {
		seq := tcp.Seq + uint32(int(x.at-c.At.Offset)-start)
		list = slices.Insert(list, from(seq), sent{old: x.old, new: x.new, when: c.Time, seq: seq})
	}
	old := 0
	for old < len(list) && c.Time.Sub(list[old].when) > longest {
		old++
	}
	if list = list[old:]; len(list) > 0 {
		a.streams[way] = list
	}
}

// datagram changes the commands that a datagram of ENet sends again, and its checksum.
func (a *again) datagram(c *changing, patches []patch) error {
	start, b := content(c.Data, &c.h)
	if b == nil {
		return nil
	}
	udp, _ := link.ParseUDP(c.Data[c.h.Start:])
	way := route{netip.AddrPortFrom(c.h.Src, udp.Src), netip.AddrPortFrom(c.h.Dst, udp.Dst)}
	here, back := a.enet[way], a.enet[way.back()]
	if len(patches) > 0 && patches[0].flow.Transport == payload.ENet {
		if here == nil {
			here = &reliable{checksum: patches[0].flow.Checksum, commands: map[commandKey]sent{}}
			a.enet[way] = here
		}
		here.connection = patches[0].connection
	}
	either := cmp.Or(here, back)
	var u enet.Unpacker
	defer u.Close()
	var d enet.Datagram
	if either == nil || !u.Parse(&d, b, 0, either.checksum) || d.Damage != nil {
		return nil
	}
	if id, connects := d.Connects(); connects {
		here.keep(id)
		back.keep(id)
	}
	if here == nil {
		return nil
	}
	for i := range d.List {
		if err := here.command(c, &d, &d.List[i], start+d.Header, patches); err != nil {
			return err
		}
	}
	if c.data != nil && d.Checksum {
		head, commands := c.data[start:start+d.Header-4], c.data[start+d.Header:start+len(b)]
		if id := d.ChecksumID(b); !here.connection.Began || here.connection.ConnectID == id { // it was right
			binary.BigEndian.PutUint32(c.data[start+d.Header-4:], enet.Checksum(head, id, commands))
		}
	}
	return nil
}

// keep forgets the commands of all connections but the one that begins.
func (r *reliable) keep(id uint32) {
	if r != nil {
		maps.DeleteFunc(r.commands, func(_ commandKey, s sent) bool { return s.connection.ConnectID != id })
	}
}

// command changes a command that is sent again, and remembers one that was changed. The commands begin at an
// index of the packet.
func (r *reliable) command(c *changing, d *enet.Datagram, x *enet.Command, commands int, patches []patch) error {
	if x.Number != enet.SendReliable && x.Number != enet.SendFragment {
		return nil
	}
	key, data := commandKey{d.Session, x.Channel, x.Sequence}, d.Commands[x.Data:x.End()]
	at := commands + x.Data
	if s, ok := r.commands[key]; ok && c.Time.Sub(s.when) <= longest && bytes.Equal(s.old, data) {
		if d.Packing != enet.NotPacked {
			return errPacked
		}
		c.put(at, s.new)
		return nil
	}
	if c.data != nil && d.Packing == enet.NotPacked && len(patches) > 0 && !bytes.Equal(c.data[at:at+len(data)], data) {
		r.commands[key] = sent{old: bytes.Clone(data), new: c.data[at : at+len(data)], when: c.Time, connection: r.connection}
	}
	return nil
}
