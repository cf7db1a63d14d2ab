package network_test

import (
	"cmp"
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"varview/decoder/network"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// session returns a capture of a TCP connection that A opens to B. Each word is the sender and either the flags S, F, R or U
// (unreachable, of ICMP), or a colon and bytes that it sends; with < before the colon, that it has sent before.
func session(words ...string) *generator {
	client, server := netip.MustParseAddrPort("10.0.0.1:40000"), netip.MustParseAddrPort("10.0.0.2:7000")
	next := map[byte]uint32{'A': 1000, 'B': 5000}
	return generate(len(words), func(i int) []byte {
		from, data, isData := strings.Cut(words[i], ":")
		src, dst, ack := client, server, next['B']
		if from[0] == 'B' {
			src, dst, ack = server, client, next['A']
		}
		flags := uint8(link.ACK)
		switch from[1:] {
		case "S":
			flags = link.SYN
			if from[0] == 'B' {
				flags |= link.ACK
			}
		case "F":
			flags |= link.FIN
		case "R":
			flags |= link.RST
		case "<":
			next[from[0]] -= uint32(len(data))
		case "U":
			return ipv4(1, 0, 0, append([]byte{3, 1, 0, 0, 0, 0, 0, 0}, link.Segment(client, server, 999, 0, link.SYN, nil)...))
		}
		b := link.Segment(src, dst, next[from[0]], ack, flags, []byte(data))
		if next[from[0]] += uint32(len(data)); !isData {
			next[from[0]]++
		}
		return b
	})
}

// TestConversations: how connections of TCP, TLS and WebSocket begin, fail and end, and how each side frames its values.
func TestConversations(t *testing.T) {
	const (
		value  = "\x04\x00\x00\x00\x0c\x00\x00\x00Aria is here" // of 20 bytes
		ask    = "A:GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
		accept = "B:HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
		frame  = "B:\x82\x14" + value
		hello  = "A:\x16\x03\x01\x00\x05hello"
	)
	for _, c := range []struct {
		words string // separated by |
		want  string // codes, and a part of the first message
	}{
		{"AS|AU", "connection-refused cannot reach 10.0.0.2:7000 (ICMP: host unreachable)"},
		{"AS|BR", "connection-refused (RST): no program listens there"},
		{"AS|BS|A:\x14\x00\x00\x00" + value + "|BR", "closed-with-error breaks off the connection"},
		{"AS|BS|A:\x14\x00\x00\x00" + value + "|BF|AF", ""},
		{"AS|BS|A:\x14\x00\x00\x00" + value + "|B:\x00\x00\x00\x14" + value, "other-framing set big_endian to the same"},
		{"AS|BS|A:\x14\x00\x00\x00" + value + "|B:" + value + value, "other-framing 10.0.0.2:7000 sends a TCP stream without a length"},
		{"AS|BS|A:" + value[:16] + "|A:" + value[16:] + value, "other-framing 10.0.0.1:40000 sends a TCP stream without a length"},
		{"AS|BS|A:" + strings.Repeat("\x02\x00\x00\x00\x07\x00\x00\x00|A:", 4) + "\x02\x00\x00\x00\x07\x00\x00\x00", "other-framing without a length"},
		{"AS|BS|A:\x14\x00\x00\x00\x07" + value, "other-framing with a length of 32 bits, and then a byte"},
		{"AS|BS|B:\x14\x00\x00\x00" + value + "|A:\x03\x00\x00\x00\x00\x20\x40\x00\x00\xc0\xbf", "other-framing of something else than values"},
		{"A:" + value[4:] + "\x14\x00" + value + "|A:\x14\x00" + value, "capture-begins-late other-framing the first 16 bytes"},
		{"A:\x00\x00\x00\x01\x00\x00\x00n" + value[4:] + "\x14\x00\x00\x00" + value + "|A:\x14\x00\x00\x00" + value, "capture-begins-late the first 24 bytes"}, // which may seem to be a length of 1
		{"A:" + value[3:] + "|A:\x02\x14\x00\x00\x00" + value + "|A:\x03\x14\x00\x00\x00" + value, "capture-begins-late other-framing the first 17 bytes"},     // may be \x14\x00\x00\x00 after a byte more
		{"A:" + value[8:] + value + value, "capture-begins-late other-framing the first 12 bytes"},
		{"A:" + value[4:] + "\x14\x00\x00\x00" + value[:8] + "|A:" + value[8:], "capture-begins-late the first 16 bytes"},
		{"A:" + value + strings.Repeat("|A:\x14\x00|A:"+value, 4), "capture-begins-late other-framing the first 20 bytes"}, // before each is its length
		{"A:" + value, "other-framing without a length"},
		{"AS|BS|A:\x00\x43\x08\x01\x12\x31Bartholomew" + value, "not-understood begins with 00 43 08 01 12 31 42 61"},
		{"AS|BS|A:\x00\x43\x08\x00" + value, "truncated ends in a value"},
		{"AS|BS|A:{\"a\": [1, 2]}" + strings.Repeat("|A:\x00|A:{\"a\": [1, 2]}", 3), ""},
		{"AS|BS|A:{\"a\": [1, 2]}\n{\"a\": [1, 2]}", ""},
		{"AS|BS|A:POST /score HTTP/1.1\r\n\r\n|B:HTTP/1.1 500 Oh\r\n\r\n", `not-understood "POST /score HTTP/1.1" is answered with "HTTP/1.1 500 Oh"`},
		{"AS|BS|A:\x14\x00\x00\x00" + value + strings.Repeat("|A<:\x14\x00\x00\x00"+value, 3) + "|BF|AF", "sent-again in 6 packets from 10.0.0.1:40000"},
		{"AS|BS|" + ask + "|" + accept, "not-understood neither sends a message"},
		{"AS|BS|" + ask + "|" + accept + "|" + frame + "|BF", "closed-with-error 1006"},
		{"AS|BS|" + ask + "|" + accept + "|" + frame + "|B:\x88\x02\x03\xe8|BF", ""},
		{"AS|BS|" + ask + "|" + accept + "|B:\x81\x02\xff\xfe", "bad-websocket-frame 1007"},
		{"AU", "not-understood no packets of UDP or TCP"},
		{"AS|BS|" + ask + "|" + accept + "|B:\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00", "bad-websocket-frame permessage-deflate"},
		{"AS|BS|" + ask + "|BF", "connection-refused without a subprotocol"},
		{"AS|BS|" + strings.Replace(ask, "Sec-", "Sec-WebSocket-Protocol: game-v1\r\nSec-", 1) + "|BF", "connection-refused with the subprotocol \"game-v1\""},
		{"AS|BS|" + ask + "|B:220 ready\r\n", "connection-refused something else than HTTP"},
		{"AS|BS|" + ask + "|B:\x15\x03\x03\x00\x02\x02\x16", "connection-refused wss:// is what it expects"},
		{"AS|BS|" + hello + "|BR", "encrypted-flow connection-refused the flow is encrypted"},
		{"AS|BS|" + hello + "|B:HTTP/1.1 400 Bad Request\r\n\r\n", "encrypted-flow connection-refused the flow is encrypted"},
		{"AS|BS|" + hello + "|B:\x16\x03\x03\x00\x05hello|A:\x15\x03\x03\x00\x02\x02\x30", "encrypted-flow connection-refused the flow is encrypted"},
		{"AS|BS|" + hello + "|B:\x16\x03\x03\x00\x05hello|BF", "encrypted-flow the flow is encrypted"},
	} {
		var got notes
		if _, err := network.Read(context.Background(), session(strings.Split(c.words, "|")...), network.Options{}, &got); err != nil {
			t.Fatal(err)
		}
		var codes []string
		first := ""
		for _, p := range got.problems {
			if !p.Event {
				codes, first = append(codes, p.Code), cmp.Or(first, p.Message)
			}
		}
		want := strings.Fields(c.want)[:min(len(codes), len(strings.Fields(c.want)))]
		text := strings.TrimSpace(strings.TrimPrefix(c.want, strings.Join(want, " ")))
		if strings.Join(codes, " ") != strings.Join(want, " ") || !strings.Contains(first, text) || c.want == "" && len(codes) > 0 {
			t.Errorf("%q: %v, %s, not %s", c.words, codes, first, c.want)
		}
	}
}

// timed holds that each payload has the time of the packet that completes it.
type timed struct {
	notes
	t    *testing.T
	when map[int]time.Time // of packets
}

// Payload implements payload.Handler.
func (x *timed) Payload(p *payload.Payload) {
	if x.payloads++; p.Time != x.when[p.Frame()] {
		x.t.Errorf("a payload of packet %d has the time %v, not %v", p.Frame(), p.Time, x.when[p.Frame()])
	}
}

// TestTimes: values that wait until it is known what a stream carries have the times of their own packets.
func TestTimes(t *testing.T) {
	const value = "\x04\x00\x00\x00\x0c\x00\x00\x00Aria is here"
	x := &timed{t: t, when: map[int]time.Time{}}
	note := func(p *pcap.Packet) { x.when[p.Frame] = p.Time }
	words := []string{"A:" + value[3:], "A:\x02\x14\x00\x00\x00" + value, "A:\x03\x14\x00\x00\x00" + value, "A:\x02\x14\x00\x00\x00" + value}
	if _, err := network.Read(context.Background(), session(words...), network.Options{Packet: note}, x); err != nil {
		t.Fatal(err)
	}
	if x.payloads != 3 || len(x.problems) != 2 {
		t.Errorf("%d payloads, %v", x.payloads, x.problems)
	}
}
