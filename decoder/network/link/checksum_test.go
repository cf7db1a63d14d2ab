package link

import (
	"bytes"
	"net/netip"
	"testing"
)

// TestSums: the checksums that TestBuild has compared with gopacket fit, and after a change they do not.
func TestSums(t *testing.T) {
	for _, addresses := range [][2]string{{"10.0.0.1:1000", "10.0.0.2:7000"}, {"[fe80::1]:1000", "[fe80::2]:7000"}} {
		src, dst := netip.MustParseAddrPort(addresses[0]), netip.MustParseAddrPort(addresses[1])
		for n := range 40 {
			text := bytes.Repeat([]byte{0xa7}, n)
			start := 20
			if src.Addr().Is6() {
				start = 40
			}
			for protocol, whole := range map[uint8][]byte{ProtoUDP: Datagram(src, dst, text), ProtoTCP: Segment(src, dst, 1, 2, ACK, text)} {
				b := whole[start:]
				check := func(when string, want SumState) {
					if got := CheckSum(b, protocol, src.Addr(), dst.Addr()); got != want {
						t.Errorf("%s, %d bytes, protocol %d, %s: %d, not %d", addresses[0], n, protocol, when, got, want)
					}
				}
				check("as built", Holds)
				b[0] ^= 1
				check("changed", Wrong)
				at := SumAt(protocol)
				sum := fold(pseudo(len(b), protocol, src.Addr(), dst.Addr()))
				b[at], b[at+1] = byte(sum>>8), byte(sum)
				check("left to the card", Pending)
				b[at], b[at+1] = 0, 0
				if protocol == ProtoUDP {
					check("without one", NoSum)
				} else {
					check("not set", Pending)
				}
			}
		}
	}
}
