package units

import (
	"bytes"
	"net/netip"
	"slices"
	"testing"
	"time"

	"varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

// TestSums: the meaning of a wrong checksum names the right one, and that of one left to the network card
// says so.
func TestSums(t *testing.T) {
	var file bytes.Buffer
	w, _ := pcap.NewWriter(&file)
	client, server := netip.MustParseAddrPort("10.0.0.1:1000"), netip.MustParseAddrPort("10.0.0.2:7000")
	for _, set := range [][]byte{nil, {10, 0x12, 0x34}, {26, 0x12, 0x34}, {26, 0x14, 0x1d}} {
		b := link.Datagram(client, server, []byte("x"))
		if len(set) > 0 {
			copy(b[set[0]:], set[1:])
		}
		if err := w.Packet(b, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, f := range fields(t, open(file.Bytes())) {
		if i := bytes.Index([]byte(f), []byte("hash checksum=")); i >= 0 {
			got = append(got, f[i+len("hash checksum="):])
		}
	}
	// IP: 4500 + 001d + 4000 + 4011 + 0a00 + 0001 + 0a00 + 0002 is d931; UDP: 141d of the addresses,
	// the protocol and the length, and 03e8 + 1b58 + 0009 + 7800 is ab66.
	want := []string{"0x26ce", "0x5499", "0x1234, which is wrong: it should be 0x26ce", "0x5499", "0x26ce", "0x1234, which is wrong: it should be 0x5499", "0x26ce", "0x141d, left to the network card"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
