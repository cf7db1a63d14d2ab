package network_test

import (
	"bytes"
	"context"
	"testing"

	"varview/decoder/network"
	"varview/decoder/network/payload"
)

// FuzzRead: in any capture, payloads are where they are said to be, and problems lie in the capture.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"udp.pcap", "tcp-putvar-be.pcap", "enet-peer-range.pcap", "ip6-fragments.pcap", "ng-interfaces.pcapng"} {
		data := readFile(f, name)
		f.Add(data[:min(len(data), 3000)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &checker{recorder: recorder{check: func(p *payload.Payload) { checkParts(t, data, p) }}, t: t, size: int64(len(data))}
		if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			return // places are in what it unpacks to
		}
		if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{}, r); err != nil {
			t.Fatal(err)
		}
	})
}

// checker checks problems, too.
type checker struct {
	recorder
	t    *testing.T
	size int64
}

func (c *checker) Problem(p *payload.Problem) {
	if p.Offset < 0 || p.Length < 0 || p.End() > c.size || p.Code == "" && !p.Event || p.Message == "" {
		c.t.Errorf("%s at %v of %d bytes: %s", p.Code, p.Span, c.size, p.Message)
	}
}
