package endtoend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/network"
	packet "varview/decoder/network/link"
	"varview/decoder/network/payload"
)

// TestEditDeflated edits messages compressed by WebSocket (RFC 7692): they are written uncompressed, and
// so are messages that may refer to them.
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
		file := newDeflated(t, test.alone, texts).save()
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
	if _, err := network.Read(t.Context(), f, network.Options{}, &n); err != nil {
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
func (*packedCounter) Closed(*payload.Flow)     {}
func (*packedCounter) Problem(*payload.Problem) {}

// newDeflated returns a capture of a WebSocket connection on which the server sends texts of
// Godot 4, compressed, after a number that is not. They are compressed alone, or refer to each other.
func newDeflated(t *testing.T, alone bool, texts []string) *captured {
	c := newCaptured(t)
	extension := "permessage-deflate"
	if alone {
		extension += "; server_no_context_takeover"
	}
	c.upgrade(extension)
	c.segment(true, packet.ACK, "\x82\x08\x02\x00\x00\x00\x07\x00\x00\x00")
	d := deflater{alone: alone}
	for _, text := range texts {
		b := d.pack(variant(text))
		c.segment(true, packet.ACK, "\xc2"+string(byte(len(b)))+b)
	}
	c.segment(false, packet.ACK|packet.FIN, "")
	return c
}

// TestEditFrames: a message in several WebSocket frames can get any length. It is then written in one
// frame, even if it was compressed; what is between its frames stays.
func TestEditFrames(t *testing.T) {
	const ping = "\x89\x02hi"
	for _, isPacked := range []bool{false, true} {
		for _, value := range []string{"x", strings.Repeat("longer ", 40)} {
			c := newCaptured(t)
			c.upgrade("permessage-deflate")
			first, message, next, d := "\x02", variant("in several frames"), variant("the next one"), deflater{}
			if isPacked {
				first, message = "\x42", d.pack(message)
			}
			c.segment(true, packet.ACK, first+"\x05"+message[:5]+ping+"\x00\x03"+message[5:8])
			c.segment(true, packet.ACK, "\x80"+string(byte(len(message)-8))+message[8:]+"\x82"+string(byte(len(next)))+next)
			edited := filepath.Join(t.TempDir(), "edited.pcapng")
			run(t, 0, "set", c.save(), fmt.Sprintf("messages[0].value=%q", value), "-o", edited)
			after, _ := messagesOf(t, edited)
			if len(after) != 2 || jsonText(after[0]["values"]) != `["s:`+value+`"]` || jsonText(after[1]["values"]) != `["s:the next one"]` {
				t.Errorf("%v: %s", isPacked, jsonText(after))
			}
			if b, err := os.ReadFile(edited); err != nil || bytes.Count(b, []byte(ping)) != 1 || bytes.Count(b, []byte{0x80, byte(len(message) - 8)}) != 0 {
				t.Errorf("%v: %x", isPacked, b)
			}
			run(t, 0, "check", edited)
		}
	}
}
