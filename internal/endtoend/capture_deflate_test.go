package endtoend

import (
	"bytes"
	"compress/flate"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	packet "varview/decoder/capture/link"
	"varview/decoder/capture/pcap"
)

// TestEditDeflated edits messages that WebSocket has compressed (RFC 7692): they are written as
// they are, unless what follows refers to them.
func TestEditDeflated(t *testing.T) {
	for _, alone := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "deflated.pcapng")
		writeDeflated(t, file, alone)
		before, _ := messagesOf(t, file)
		if len(before) != 3 || jsonText(before[1]["values"]) != `["s:first"]` {
			t.Fatalf("%s", jsonText(before))
		}
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		args := []string{"set", file, `messages[1].value="` + strings.Repeat("longer ", 40) + `"`, "-o", edited}
		if !alone {
			if got := run(t, 2, args...).stderr; !strings.Contains(got, "what follows refers to it") {
				t.Error(got)
			}
			continue
		}
		run(t, 0, args...)
		after, _ := messagesOf(t, edited)
		if len(after) != 3 || jsonText(after[1]["values"]) != `["s:`+strings.Repeat("longer ", 40)+`"]` || jsonText(after[2]) != jsonText(before[2]) {
			t.Errorf("%s", jsonText(after))
		}
		run(t, 0, "check", edited)
	}
}

// writeDeflated writes a capture of a WebSocket connection on which the server sends two texts of
// Godot 4, compressed, after a number that is not.
func writeDeflated(t *testing.T, name string, alone bool) {
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
	for _, text := range []string{"\x04\x00\x00\x00\x05\x00\x00\x00first\x00\x00\x00", "\x04\x00\x00\x00\x06\x00\x00\x00second\x00\x00"} {
		var packed bytes.Buffer
		z, _ := flate.NewWriter(&packed, 9)
		_, _ = z.Write([]byte(text))
		_ = z.Flush()
		b := bytes.TrimSuffix(packed.Bytes(), []byte{0, 0, 0xff, 0xff})
		send(server, client, packet.ACK, append([]byte{0xc2, byte(len(b))}, b...))
	}
	send(client, server, packet.ACK|packet.FIN, nil)
	if err := os.WriteFile(name, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
