package network_test

import (
	"net/netip"
	"testing"

	messages "varview/decoder/network/message"
	"varview/decoder/network/payload"
)

// TestShortFromTo: where space is short, ports distinguish addresses, or else their last numbers.
func TestShortFromTo(t *testing.T) {
	for _, test := range []struct {
		src, dst string
		from, to messages.Peer
		want     string
	}{
		{"10.0.0.1:45054", "10.0.0.2:24812", messages.Peer{}, messages.Peer{}, ":45054 → :24812"},
		{"[fe80::1]:45054", "[fe80::2]:24812", messages.Peer{}, messages.KnownPeer(1), ":45054 → 1"},
		{"10.0.0.1:7000", "10.0.0.2:7000", messages.Peer{}, messages.Peer{}, "…1 → …2"},
		{"[fe80::a1]:7000", "[fe80::b2]:7000", messages.Peer{}, messages.Peer{}, "…a1 → …b2"},
	} {
		m := &messages.Message{From: test.from, To: test.to, Payload: &payload.Payload{Flow: &payload.Flow{},
			Src: netip.MustParseAddrPort(test.src), Dst: netip.MustParseAddrPort(test.dst)}}
		if got := m.Cells(80)[0].Short; got != test.want {
			t.Errorf("%s → %s: %s, not %s", test.src, test.dst, got, test.want)
		}
	}
}
