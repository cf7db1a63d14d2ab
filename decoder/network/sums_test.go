package network_test

import (
	"bytes"
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// notes keeps the problems and counts the payloads.
type notes struct {
	peak
	problems []payload.Problem
	bytes    int // of the parts of all payloads
}

// Payload implements payload.Handler: its parts must cover all its bytes.
func (n *notes) Payload(p *payload.Payload) {
	for _, part := range p.Parts {
		n.bytes += int(part.Length)
	}
	n.peak.Payload(p)
}

func (n *notes) Problem(p *payload.Problem) { n.problems = append(n.problems, *p) }

// TestSums: wrong checksums are one note for each flow, at the first, and no packet is left out for them.
// Those left to the network card are not reported.
func TestSums(t *testing.T) {
	var file bytes.Buffer
	w, _ := pcap.NewWriter(&file)
	server := netip.MustParseAddrPort("10.0.0.2:7000")
	var wanted []int // packets of the first wrong checksums
	frame := 0
	for i, damage := range [][]int{{}, {26}, {10}, {26, 27}, {26}} { // none, UDP's, IP's, not set, the card's
		client := netip.AddrPortFrom(netip.MustParseAddr("10.0.0.1"), uint16(1000+i))
		for n := range 5 {
			frame++
			b := link.Datagram(client, server, []byte("\x02\x00\x00\x00\x07\x00\x00\x00"))
			for _, at := range damage {
				if n > 0 {
					b[at] ^= 0x40
				}
			}
			switch {
			case i == 3:
				b[26], b[27] = 0, 0
			case i == 4: // the sum of 10.0.0.1, 10.0.0.2, protocol 17 and 16 bytes
				b[26], b[27] = 0x14, 0x24
			case i < 3 && i > 0 && n == 1:
				wanted = append(wanted, frame)
			}
			if err := w.Packet(b, time.Unix(int64(frame), 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got notes
	if _, err := network.Read(context.Background(), &file, network.Options{}, &got); err != nil {
		t.Fatal(err)
	}
	got.problems = slices.DeleteFunc(got.problems, func(p payload.Problem) bool { return p.Event })
	if got.payloads != 25 || len(got.problems) != len(wanted) {
		t.Fatalf("%d payloads, %v", got.payloads, got.problems)
	}
	for i, p := range got.problems {
		if p.Code != payload.WrongSum || p.Severity != span.Note || p.Frame != wanted[i] || p.Length != 2 || !strings.HasPrefix(p.Message, "the checksums of 4 packets in 5 of") {
			t.Errorf("%+v, not at packet %d", p, wanted[i])
		}
	}
}

// TestSumsOfManyFlows: the notes of many flows stay few, and forgetting flows loses no bytes of payloads.
func TestSumsOfManyFlows(t *testing.T) {
	var got notes
	in := generate(20_000, func(i int) []byte {
		b := udp(uint32(i), []byte("\x02\x00\x00\x00\x07\x00\x00\x00"))
		b[27] = 1
		return b
	})
	if _, err := network.Read(context.Background(), in, network.Options{}, &got); err != nil || got.payloads != 20_000 || got.bytes != 8*20_000 || len(got.problems) != 101 {
		t.Errorf("%d payloads with %d bytes in the capture, %d problems, %v", got.payloads, got.bytes, len(got.problems), err)
	}
}
