package endtoend

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEditResent: commands that ENet has sent again are changed as well.
func TestEditResent(t *testing.T) {
	name := "testdata/captures/enet-duplicates.pcap"
	messages, _ := messagesOf(t, name)
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	resent := 0
	for i, m := range messages {
		text, _ := m["data"].(string)
		data, _ := hex.DecodeString(text)
		wanted := 0
		if m["kind"] == "var" && m["reliable"] == true {
			wanted = timesSent(before, data, m)
		}
		if wanted < 2 {
			continue
		}
		value := ""
		switch is := run(t, 0, "get", name, fmt.Sprintf("messages[%d].value", i)).stdout; {
		case strings.HasPrefix(is, "Transform2D"):
			value = "Transform2D(1, 2, 3, 4, 5, 6)"
		case strings.HasPrefix(is, "Color("):
			value = "Color(1, 0.5, 0.25, 1)"
		default:
			continue
		}
		resent++
		edited := filepath.Join(t.TempDir(), "edited.pcap")
		run(t, 0, "set", name, fmt.Sprintf(`messages[%d].value=%s`, i, value), "-o", edited)
		after, err := os.ReadFile(edited)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := messagesOf(t, edited)
		is, _ := hex.DecodeString(all[i]["data"].(string))
		if n := timesSent(after, is, m); n != wanted || timesSent(after, data, m) > 0 {
			t.Errorf("message %d: %d times in the capture, not %d", i, n, wanted)
		}
	}
	if resent == 0 {
		t.Error("no message was sent again")
	}
}

// timesSent counts the datagrams in which a message is the only command: between its ports, with
// its sequence number, which are in the headers of UDP, ENet, the command and Godot before its data.
func timesSent(file, data []byte, m map[string]any) (n int) {
	const udp, enet, command, godot = 8, 4, 6, 8
	var ports []byte
	for _, key := range []string{"src", "dst"} {
		_, port, _ := strings.Cut(m[key].(string), ":")
		x, _ := strconv.Atoi(port)
		ports = append(ports, byte(x>>8), byte(x))
	}
	var first []byte
	for at := 100; len(data) > 4; at++ {
		i := bytes.Index(file[at:], data)
		if i < 0 {
			break
		}
		at += i
		head := file[at-udp-enet-command-godot : at]
		numbers := head[udp+enet : udp+enet+command]
		if !bytes.HasPrefix(head, ports) || first != nil && !bytes.Equal(first, numbers) {
			continue
		}
		first = numbers
		n++
	}
	return n
}

// TestEditReconnected: an edit does not change what a new connection between the same ports sends, even
// with the same numbers and bytes; it does change what the old one sends again.
func TestEditReconnected(t *testing.T) {
	for _, test := range []struct {
		name    string
		again   func(*captured)
		changes int
	}{
		{"sent again", func(c *captured) {}, 2},
		{"a new connection", func(c *captured) { c.connect(2, 0) }, 1},
		{"a new connection of which the beginning is missing", func(c *captured) { c.session = 1 }, 1},
	} {
		c := newCaptured(t)
		c.connect(1, 0)
		c.send(false, 0, reliable(1, variant("move")))
		test.again(c)
		c.send(false, 0, reliable(1, variant("move")))
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		run(t, 0, "set", c.save(), `messages[0].value="STAY"`, "-o", edited)
		after, err := os.ReadFile(edited)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(after, []byte("STAY")); n != test.changes || n+bytes.Count(after, []byte("move")) != 2 {
			t.Errorf("%s: %d datagrams change", test.name, n)
		}
	}
}

// TestEditChecksum: the checksum of an ENet datagram is right after an edit even if the connection began
// before the capture.
func TestEditChecksum(t *testing.T) {
	for _, text := range []string{"MOVE"} {
		c := newCaptured(t)
		c.checksum, c.id, c.session = true, 0x12345678, 2
		c.send(false, 0, reliable(1, variant("move")))
		want := newCaptured(t)
		want.checksum, want.id, want.session = true, 0x12345678, 2
		want.send(false, 0, reliable(1, variant(text)))
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		run(t, 0, "set", c.save(), fmt.Sprintf("messages[0].value=%q", text), "-o", edited)
		if got, err := os.ReadFile(edited); err != nil || !bytes.Equal(got, want.file.Bytes()) {
			t.Errorf("%v\n%x\nnot\n%x", err, got, want.file.Bytes())
		}
	}
}
