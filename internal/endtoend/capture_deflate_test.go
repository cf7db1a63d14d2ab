package endtoend

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	packet "varview/decoder/network/link"
)

// TestEditDeflated: an edit of a message compressed by WebSocket (RFC 7692) is refused, since the compressed
// bytes would have another length.
func TestEditDeflated(t *testing.T) {
	for _, alone := range []bool{true, false} {
		file := newDeflated(t, alone, []string{"first, and some more text", "first, and some more text too"}).save()
		out := filepath.Join(t.TempDir(), "edited.pcapng")
		if got := run(t, 2, "set", file, `messages[1].value="FIRST, and some more text"`, "-o", out).stderr; !strings.Contains(got, "its length is fixed by its packet") {
			t.Error(got)
		}
	}
}

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

// TestEditFrames: a message in several WebSocket frames, masked, is changed in all of them; what is between its
// frames stays, and what is sent again.
func TestEditFrames(t *testing.T) {
	const ping = "\x89\x02hi"
	c := newCaptured(t)
	c.upgrade("")
	message := variant("in several frames")
	first := "\x02\x05" + message[:5] + ping + "\x00\x07" + message[5:12]
	before := c.seq[1]
	c.segment(true, packet.ACK, first)
	c.segment(true, packet.ACK, "\x80"+string(byte(len(message)-12))+message[12:])
	c.seq[1] = before
	c.segment(true, packet.ACK, first)
	edited := filepath.Join(t.TempDir(), "edited.pcapng")
	run(t, 0, "set", c.save(), `messages[0].value="IN SEVERAL FRAMES"`, "-o", edited)
	after, _ := messagesOf(t, edited)
	if len(after) != 1 || jsonText(after[0]["values"]) != `["s:IN SEVERAL FRAMES"]` {
		t.Errorf("%s", jsonText(after))
	}
	if b, err := os.ReadFile(edited); err != nil || bytes.Count(b, []byte("IN S")) != 1 || bytes.Count(b, []byte(ping)) != 2 {
		t.Errorf("%x", b)
	}
	run(t, 0, "check", edited)
}

// TestEditHashed: a packet of which the capture has a hash is not changed.
func TestEditHashed(t *testing.T) {
	c := newCaptured(t)
	c.ip(packet.Datagram(c.client, c.server, []byte(variant("move"))))
	b := c.file.Bytes()
	block := b[len(b)-int(binary.LittleEndian.Uint32(b[len(b)-4:])):]
	hashed := append(bytes.Clone(block[:len(block)-4]), 3, 0, 5, 0, 2, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0)
	n := uint32(len(hashed) + 4)
	binary.LittleEndian.PutUint32(hashed[4:], n)
	hashed = binary.LittleEndian.AppendUint32(hashed, n)
	name := filepath.Join(t.TempDir(), "hashed.pcapng")
	if err := os.WriteFile(name, append(bytes.Clone(b[:len(b)-len(block)]), hashed...), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(t, 2, "set", name, `messages[0].value="STAY"`).stderr; !strings.Contains(got, "has a hash of it") {
		t.Error(got)
	}
}
