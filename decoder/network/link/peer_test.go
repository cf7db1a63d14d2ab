package link_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

// source is a reader of gopacket.
type source interface {
	ReadPacketData() ([]byte, gopacket.CaptureInfo, error)
}

// TestPeer: packets, times and fields are the same as gopacket's.
func TestPeer(t *testing.T) {
	names, err := filepath.Glob("../../../testdata/captures/*.pcap*")
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	packets := 0
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) == ".gz" }) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := pcap.NewReader(bytes.NewReader(data), func(frame int, p span.Problem) { t.Errorf("%s: frame %d: %s", name, frame, p.Message) })
		if ok, err := r.Open(); !ok || err != nil {
			t.Fatal(name, err)
		}
		peer := peerReader(t, name, data)
		for {
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			want, info, err := peer.ReadPacketData()
			if err != nil {
				t.Fatalf("%s: frame %d: %v", name, p.Frame, err)
			}
			if !bytes.Equal(p.Data, want) || !bytes.Equal(data[p.At.Offset:p.At.End()], want) || p.Wire != info.Length {
				t.Fatalf("%s: frame %d differs", name, p.Frame)
			}
			// gopacket rounds the unit of times in powers of 2 to whole nanoseconds.
			apart := p.Time.Sub(info.Timestamp).Abs()
			if !p.Time.IsZero() && apart > 0 && (p.Link != 113 || apart > time.Millisecond) {
				t.Fatalf("%s: frame %d at %v, not %v", name, p.Frame, p.Time, info.Timestamp)
			}
			comparePacket(t, name, &p)
			packets++
		}
		if _, _, err := peer.ReadPacketData(); err != io.EOF {
			t.Errorf("%s: packets are missing: %v", name, err)
		}
	}
	if packets < 900 {
		t.Errorf("only %d packets", packets)
	}
}

func peerReader(t *testing.T, name string, data []byte) source {
	if filepath.Ext(name) == ".pcap" {
		r, err := pcapgo.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(name, err)
		}
		return r
	}
	r, err := pcapgo.NewNgReader(bytes.NewReader(data), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(name, err)
	}
	return r
}

// comparePacket compares the fields of a packet.
func comparePacket(t *testing.T, name string, p *pcap.Packet) {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	peer := gopacket.NewPacket(p.Data, layers.LinkType(p.Link), gopacket.DecodeOptions{NoCopy: true})
	n := peer.NetworkLayer()
	if (n != nil) != h.IsIP {
		t.Fatalf("%s: frame %d: IP %v", name, p.Frame, h.IsIP)
	}
	if n == nil {
		return
	}
	src, _ := netip.AddrFromSlice(n.NetworkFlow().Src().Raw())
	dst, _ := netip.AddrFromSlice(n.NetworkFlow().Dst().Raw())
	if src != h.Src || dst != h.Dst {
		t.Fatalf("%s: frame %d: %v → %v, not %v → %v", name, p.Frame, h.Src, h.Dst, src, dst)
	}
	if f, ok := peer.Layer(layers.LayerTypeIPv6Fragment).(*layers.IPv6Fragment); ok {
		if !h.IsFragment || h.ID != f.Identification || h.Offset != int(f.FragmentOffset)*8 || h.More != f.MoreFragments || string(p.Data[h.Start:h.End]) != string(f.Payload) {
			t.Fatalf("%s: frame %d: fragment %v %d %d %v", name, p.Frame, h.IsFragment, h.ID, h.Offset, h.More)
		}
		return
	}
	b := p.Data[h.Start:h.End]
	switch l := peer.TransportLayer().(type) {
	case *layers.UDP:
		got, ok := link.ParseUDP(b)
		if !ok || got.Src != uint16(l.SrcPort) || got.Dst != uint16(l.DstPort) || got.Length != int(l.Length) || got.Checksum != l.Checksum || !bytes.Equal(b[8:got.Length], l.Payload) {
			t.Fatalf("%s: frame %d: %+v", name, p.Frame, got)
		}
	case *layers.TCP:
		got, ok := link.ParseTCP(b)
		flags := got.Flags&link.SYN != 0 == l.SYN && got.Flags&link.FIN != 0 == l.FIN && got.Flags&link.RST != 0 == l.RST && got.Flags&link.ACK != 0 == l.ACK
		if !ok || got.Src != uint16(l.SrcPort) || got.Dst != uint16(l.DstPort) || got.Seq != l.Seq || got.Ack != l.Ack || got.Size != int(l.DataOffset)*4 || !flags || !bytes.Equal(b[got.Size:], l.Payload) {
			t.Fatalf("%s: frame %d: %+v", name, p.Frame, got)
		}
	default:
		t.Fatalf("%s: frame %d: %v", name, p.Frame, peer)
	}
}

// datagram is a UDP datagram of 3 bytes over IPv4 or IPv6 as gopacket writes it.
func datagram(t *testing.T, v6 bool) []byte {
	t.Helper()
	buffer := gopacket.NewSerializeBuffer()
	udp := &layers.UDP{SrcPort: 1234, DstPort: 5678}
	var ip gopacket.SerializableLayer = &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: []byte{10, 0, 0, 1}, DstIP: []byte{10, 0, 0, 2}}
	if v6 {
		ip = &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolUDP, HopLimit: 64, SrcIP: netip.MustParseAddr("fe80::1").AsSlice(), DstIP: netip.MustParseAddr("fe80::2").AsSlice()}
	}
	if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true}, ip, udp, gopacket.Payload("abc")); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// TestLinks: each link type leads to the datagram; sizes of headers are those of
// https://www.tcpdump.org/linktypes.html.
func TestLinks(t *testing.T) {
	ether := func(kinds ...uint16) (b []byte) {
		b = make([]byte, 12)
		for i, k := range kinds {
			if i > 0 {
				b = append(b, 0, 7) // the tag
			}
			b = binary.BigEndian.AppendUint16(b, k)
		}
		return b
	}
	sll := func(kind uint16) []byte { return binary.BigEndian.AppendUint16(make([]byte, 14), kind) }
	sll2 := func(kind uint16) []byte { return append(binary.BigEndian.AppendUint16(nil, kind), make([]byte, 18)...) }
	wifi := func(control, flags byte, size int) []byte {
		b := append([]byte{control, flags}, make([]byte, size-2)...)
		return append(b, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0)
	}
	outer := func(protocol byte, head int) []byte { // of a tunnel, whose header has a size
		n := 20 + head + len(datagram(t, false))
		return []byte{0x45, 0, 0, byte(n), 0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2}
	}
	for _, c := range []struct {
		name   string
		link   uint16
		head   []byte
		v6     bool
		layers []link.Layer
	}{
		{"Ethernet", 1, ether(0x0800), false, []link.Layer{link.Ethernet, link.IPv4}},
		{"Ethernet", 1, ether(0x86dd), true, []link.Layer{link.Ethernet, link.IPv6}},
		{"VLAN", 1, ether(0x8100, 0x0800), false, []link.Layer{link.Ethernet, link.VLAN, link.IPv4}},
		{"QinQ", 1, ether(0x88a8, 0x8100, 0x86dd), true, []link.Layer{link.Ethernet, link.VLAN, link.VLAN, link.IPv6}},
		{"PPPoE", 1, append(ether(0x8864), 0x11, 0, 0, 1, 0, 33, 0, 0x21), false, []link.Layer{link.Ethernet, link.PPPoE, link.IPv4}},
		{"cooked", 113, sll(0x0800), false, []link.Layer{link.Cooked, link.IPv4}},
		{"cooked 2", 276, sll2(0x86dd), true, []link.Layer{link.Cooked2, link.IPv6}},
		{"loopback of Linux", 0, []byte{2, 0, 0, 0}, false, []link.Layer{link.Null, link.IPv4}},
		{"loopback of macOS", 0, []byte{30, 0, 0, 0}, true, []link.Layer{link.Null, link.IPv6}},
		{"loopback of OpenBSD", 108, []byte{0, 0, 0, 24}, true, []link.Layer{link.Null, link.IPv6}},
		{"PPP", 9, []byte{0xff, 3, 0, 0x57}, true, []link.Layer{link.PPP, link.IPv6}},
		{"raw", 101, nil, true, []link.Layer{link.IPv6}},
		{"raw of BSD", 12, nil, false, []link.Layer{link.IPv4}},
		{"IPv4", 228, nil, false, []link.Layer{link.IPv4}},
		{"IPv6", 229, nil, true, []link.Layer{link.IPv6}},
		{"nflog", 239, []byte{2, 0, 0, 5, 5, 0, 10, 0, 'x', 0, 0, 0, 8, 0, 1, 0, 8, 0, 1, 0, 39, 0, 9, 0}, false, []link.Layer{link.NFLog, link.IPv4}},
		{"802.11", 105, wifi(0x08, 0x01, 24), false, []link.Layer{link.WiFi, link.SNAP, link.IPv4}},
		{"802.11 with QoS and four addresses", 105, wifi(0x88, 0x03, 32), false, []link.Layer{link.WiFi, link.SNAP, link.IPv4}},
		{"radiotap", 127, append([]byte{0, 0, 10, 0, 0, 0, 0, 0, 1, 2}, wifi(0x08, 0x02, 24)...), false, []link.Layer{link.Radiotap, link.WiFi, link.SNAP, link.IPv4}},
		{"pktap", 258, append([]byte{16, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, ether(0x86dd)...), true, []link.Layer{link.Pktap, link.Ethernet, link.IPv6}},
		{"PPI", 192, append([]byte{0, 0, 12, 0, 105, 0, 0, 0, 1, 2, 3, 4}, wifi(0x08, 0x02, 24)...), false, []link.Layer{link.PPI, link.WiFi, link.SNAP, link.IPv4}},
		{"MPLS", 1, append(ether(0x8847), 0, 1, 0, 64, 0, 2, 1, 64), false, []link.Layer{link.Ethernet, link.MPLS, link.MPLS, link.IPv4}},
		{"Ethernet in MPLS", 1, append(append(ether(0x8847), 0, 2, 1, 64, 0, 0, 0, 0), ether(0x0800)...), false, []link.Layer{link.Ethernet, link.MPLS, link.MPLS, link.Ethernet, link.IPv4}},
		{"GRE with a key", 101, append(outer(47, 8), 0x20, 0, 8, 0, 0, 0, 0, 7), false, []link.Layer{link.IPv4, link.GRE, link.IPv4}},
		{"Ethernet in GRE", 101, append(append(outer(47, 18), 0, 0, 0x65, 0x58), ether(0x0800)...), false, []link.Layer{link.IPv4, link.GRE, link.Ethernet, link.IPv4}},
		{"VXLAN", 101, append(append(outer(17, 30), 0x13, 0x88, 0x12, 0xb5, 0, 61, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0), ether(0x0800)...), false, []link.Layer{link.IPv4, link.UDP, link.VXLAN, link.Ethernet, link.IPv4}},
		{"GTP-U", 101, append(outer(17, 16), 0x13, 0x88, 8, 0x68, 0, 47, 0, 0, 0x30, 0xff, 0, 31, 0, 0, 0, 1), false, []link.Layer{link.IPv4, link.UDP, link.GTP, link.IPv4}},
		{"GTP-U with an extension header", 101, append(outer(17, 24), 0x13, 0x88, 8, 0x68, 0, 55, 0, 0, 0x34, 0xff, 0, 39, 0, 0, 0, 1, 0, 0, 0, 0x85, 1, 0, 9, 0), false, []link.Layer{link.IPv4, link.UDP, link.GTP, link.IPv4}},
	} {
		b := append(c.head, datagram(t, c.v6)...)
		var p link.Packet
		link.Decode(c.link, append(b, 0xaa, 0xaa), len(b)+2, &p) // filled up, as short frames are
		var got []link.Layer
		at := 0
		for _, h := range p.Headers() {
			if h.Start != at {
				t.Errorf("%s: a header begins at %d, not %d", c.name, h.Start, at)
			}
			at = h.End
			got = append(got, h.Layer)
		}
		if !p.IsIP || string(p.Src.AsSlice()[:1]) == "" || len(got) != len(c.layers) || p.Damage.Code != "" {
			t.Errorf("%s: %v", c.name, got)
			continue
		}
		for i, l := range c.layers {
			if got[i] != l {
				t.Errorf("%s: %v, not %v", c.name, got, c.layers)
			}
		}
		if at != p.Start || string(b[p.Start+8:p.End]) != "abc" || p.Missing != 0 {
			t.Errorf("%s: payload %q", c.name, b[p.Start:p.End])
		}
		for n := range len(b) { // captured in part
			link.Decode(c.link, b[:n], len(b), &p)
			if p.IsIP && p.N == len(c.layers) && p.End-p.Start+p.Missing != 11 { // else only what is around a tunnel
				t.Errorf("%s cut to %d bytes: %d bytes of payload, %d missing", c.name, n, p.End-p.Start, p.Missing)
			}
		}
	}
}

// FuzzDecode: headers follow one another in the packet, and the payload follows them.
func FuzzDecode(f *testing.F) {
	f.Add(uint16(1), []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\x00\x45\x00\x00\x1c\x00\x00\x00\x00\x40\x11\x00\x00\x7f\x00\x00\x01\x7f\x00\x00\x01\x00\x01\x00\x02\x00\x08\x00\x00"), uint16(0))
	f.Add(uint16(101), []byte("\x60\x00\x00\x00\x00\x08\x2c\x40AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB\x11\x00\x00\x01\x00\x00\x00\x07"), uint16(9))
	f.Fuzz(func(t *testing.T, kind uint16, b []byte, more uint16) {
		var p link.Packet
		link.Decode(kind, b, len(b)+int(more), &p)
		at := 0
		for _, h := range p.Headers() {
			if h.Start != at || h.End <= h.Start || h.End > len(b) {
				t.Fatalf("%v at %d to %d after %d of %d", h.Layer, h.Start, h.End, at, len(b))
			}
			at = h.End
		}
		if p.IsIP && (p.Start < 0 || p.End < p.Start || p.End > len(b) || p.Missing < 0) {
			t.Fatalf("payload %d to %d of %d, %d missing", p.Start, p.End, len(b), p.Missing)
		}
	})
}
