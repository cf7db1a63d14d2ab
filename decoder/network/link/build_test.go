package link_test

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"varview/decoder/network/link"
)

// TestBuild: built packets equal those of gopacket, with their checksums.
func TestBuild(t *testing.T) {
	for _, c := range []struct{ src, dst string }{{"127.0.0.1:7000", "10.1.2.3:50000"}, {"[::1]:7000", "[fe80::7]:1"}} {
		src, dst := netip.MustParseAddrPort(c.src), netip.MustParseAddrPort(c.dst)
		for _, text := range []string{"", "a", "payload", string(bytes.Repeat([]byte{0xff}, 1001))} {
			compare := func(name string, got []byte, protocol layers.IPProtocol, transport gopacket.SerializableLayer, setNetwork func(gopacket.NetworkLayer) error) {
				var ip gopacket.SerializableLayer = &layers.IPv4{Version: 4, TTL: 64, Flags: layers.IPv4DontFragment, Protocol: protocol, SrcIP: src.Addr().AsSlice(), DstIP: dst.Addr().AsSlice()}
				if src.Addr().Is6() {
					ip = &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: protocol, SrcIP: src.Addr().AsSlice(), DstIP: dst.Addr().AsSlice()}
				}
				if err := setNetwork(ip.(gopacket.NetworkLayer)); err != nil {
					t.Fatal(err)
				}
				buffer := gopacket.NewSerializeBuffer()
				if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ip, transport, gopacket.Payload(text)); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, buffer.Bytes()) {
					t.Errorf("%s of %d bytes from %s: %x\nnot %x", name, len(text), c.src, got, buffer.Bytes())
				}
			}
			udp := &layers.UDP{SrcPort: layers.UDPPort(src.Port()), DstPort: layers.UDPPort(dst.Port())}
			compare("UDP", link.Datagram(src, dst, []byte(text)), layers.IPProtocolUDP, udp, udp.SetNetworkLayerForChecksum)
			tcp := &layers.TCP{SrcPort: layers.TCPPort(src.Port()), DstPort: layers.TCPPort(dst.Port()), Seq: 1, Ack: 2, ACK: true, PSH: true, Window: 0xffff}
			compare("TCP", link.Segment(src, dst, 1, 2, link.ACK|8, []byte(text)), layers.IPProtocolTCP, tcp, tcp.SetNetworkLayerForChecksum)
		}
	}
}
