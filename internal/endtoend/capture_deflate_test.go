package endtoend

import (
	"bytes"
	"compress/flate"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varview/decoder/capture"
	packet "varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
)

// TestEditDeflated edits messages that WebSocket has compressed (RFC 7692): they are written as
// they are, and so is what may refer to them.
func TestEditDeflated(t *testing.T) {
	texts := []string{"first, and some more text", "first, and some more text too", "", "first, and the end"}
	long := strings.Repeat("longer ", 40)
	for _, test := range []struct {
		alone  bool
		edited int
		value  string
		packed int // messages that stay compressed
	}{
		{true, 1, long, 3}, {true, 1, "FIRST, and some more text", 3}, {true, 4, "", 3},
		{false, 1, long, 0}, {false, 2, long, 1}, {false, 1, "FIRST, and some more text", 0}, {false, 4, "end", 3}, {false, 3, "no longer empty", 2},
	} {
		file := filepath.Join(t.TempDir(), "deflated.pcapng")
		writeDeflated(t, file, test.alone, texts)
		before, _ := messagesOf(t, file)
		if len(before) != 5 || jsonText(before[4]["values"]) != `["s:first, and the end"]` {
			t.Fatalf("%s", jsonText(before))
		}
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		run(t, 0, "set", file, fmt.Sprintf("messages[%d].value=%q", test.edited, test.value), "-o", edited)
		after, _ := messagesOf(t, edited)
		for i := range before {
			was, is := jsonText(before[i]), jsonText(after[i])
			if (was == is) != (i != test.edited) || i == test.edited && jsonText(after[i]["values"]) != `["s:`+test.value+`"]` {
				t.Errorf("%+v: message %d was %s, is %s", test, i, was, is)
			}
		}
		if n := countPacked(t, edited); n != test.packed {
			t.Errorf("%+v: %d messages are compressed", test, n)
		}
		run(t, 0, "check", edited)
	}
}

// countPacked counts the compressed messages of a capture.
func countPacked(t *testing.T, name string) int {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var n packedCounter
	if _, err := capture.Read(t.Context(), f, capture.Options{}, &n); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

type packedCounter int

func (n *packedCounter) Payload(p *payload.Payload) {
	if len(p.Parts) > 0 && p.Parts[0].Form == payload.Unpacked {
		*n++
	}
}
func (*packedCounter) Event(*payload.Event)     {}
func (*packedCounter) Problem(*payload.Problem) {}

// writeDeflated writes a capture of a WebSocket connection on which the server sends texts of
// Godot 4, compressed, after a number that is not. They are compressed alone, or refer to each other.
func writeDeflated(t *testing.T, name string, alone bool, texts []string) {
	var file bytes.Buffer
	w, err := pcap.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	client, server := netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("127.0.0.1:8000")
	seq := map[netip.AddrPort]uint32{client: 4294967200, server: 77}
	when := time.Unix(1700000000, 0)
	send := func(from, to netip.AddrPort, flags uint8, data []byte) {
		when = when.Add(time.Millisecond)
		if err := w.Packet(packet.Segment(from, to, seq[from], seq[to], flags, data), when); err != nil {
			t.Fatal(err)
		}
		seq[from] += uint32(len(data)) + uint32(flags>>1&1)
	}
	send(client, server, packet.SYN, nil)
	send(server, client, packet.SYN|packet.ACK, nil)
	extension := "permessage-deflate"
	if alone {
		extension += "; server_no_context_takeover"
	}
	send(client, server, packet.ACK, []byte("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: "+extension+"\r\n\r\n"))
	send(server, client, packet.ACK, []byte("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: "+extension+"\r\n\r\n"))
	send(server, client, packet.ACK, []byte("\x82\x08\x02\x00\x00\x00\x07\x00\x00\x00"))
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, 9)
	for _, text := range texts {
		packed.Reset()
		if alone {
			z.Reset(&packed)
		}
		_, _ = z.Write([]byte(variant(text)))
		_ = z.Flush()
		b := bytes.TrimSuffix(packed.Bytes(), []byte{0, 0, 0xff, 0xff})
		send(server, client, packet.ACK, append([]byte{0xc2, byte(len(b))}, b...))
	}
	send(client, server, packet.ACK|packet.FIN, nil)
	if err := os.WriteFile(name, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
