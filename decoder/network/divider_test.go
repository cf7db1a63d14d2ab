package network

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder/network/payload"
)

const (
	request  = "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
	response = "HTTP/1.1 101 Switching Protocols\r\n\r\n"

	// The examples of RFC 6455, 5.7.
	maskedHello   = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
	fragmentedHel = "\x01\x03Hel"
	fragmentedLo  = "\x80\x02lo"
	pingHello     = "\x89\x05Hello"
)

// dividedIn returns the chunks of what client and server send in turn, cut into pieces of n bytes; messages
// are in parentheses.
func dividedIn(set payload.Transport, n int, texts ...string) (all []string, isDivided bool) {
	d := NewDivider(set)
	for i, text := range texts {
		for piece := range slices.Chunk([]byte(text), n) {
			for _, c := range d.Add(i%2 == 1, piece) {
				all = append(all, describe(c))
			}
		}
	}
	for _, isServer := range []bool{false, true} {
		if c := d.End(isServer); len(c.Bytes) > 0 {
			all = append(all, describe(c))
		}
	}
	return all, d.IsDivided()
}

func describe(c Chunk) string {
	if c.IsMessage {
		return "(" + string(c.Bytes) + ")"
	}
	return string(c.Bytes)
}

func TestDivider(t *testing.T) {
	long := strings.Repeat("x", 70000)
	for _, c := range []struct {
		name      string
		set       payload.Transport
		texts     []string
		want      []string
		isDivided bool
	}{
		{"websocket", 0, []string{request, response + pingHello, maskedHello}, []string{request, response, pingHello, "(" + maskedHello + ")"}, true},
		{"a ping in a message", 0, []string{request, response + fragmentedHel + pingHello + fragmentedLo}, []string{request, response, pingHello, "(" + fragmentedHel + fragmentedLo + ")"}, true},
		{"a long frame", 0, []string{request, response + "\x82\x7f\x00\x00\x00\x00\x00\x01\x11\x70" + long}, []string{request, response, "(\x82\x7f\x00\x00\x00\x00\x00\x01\x11\x70" + long + ")"}, true},
		{"refused", 0, []string{request, "HTTP/1.1 404 Not Found\r\n\r\n"}, []string{request, "HTTP/1.1 404 Not Found\r\n\r\n"}, false},
		{"a frame of no known type", 0, []string{request, response + "\x83\x01a"}, []string{request, response, "\x83\x01a"}, false},
		{"values", 0, []string{"\x05\x00\x00\x00hello\x01\x00\x00\x00!", "\x02\x00\x00\x00hi"}, []string{"(\x05\x00\x00\x00hello)", "(\x01\x00\x00\x00!)", "(\x02\x00\x00\x00hi)"}, true},
		{"values of big-endian lengths", 0, []string{"\x00\x00\x00\x05hello", "\x00\x00\x00\x02hi"}, []string{"(\x00\x00\x00\x05hello)", "(\x00\x00\x00\x02hi)"}, true},
		{"an empty value", 0, []string{"\x01\x00\x00\x00!\x00\x00\x00\x00"}, []string{"(\x01\x00\x00\x00!)", "(\x00\x00\x00\x00)"}, true},
		{"the end in a value", 0, []string{"\x05\x00\x00\x00hel"}, []string{"\x05\x00\x00\x00hel"}, true},
		{"set", payload.Stream, []string{"\x05\x00\x00\x00hello"}, []string{"\x05\x00\x00\x00hello"}, false},
		{"a value that is too long", payload.TCP, []string{"\x01\x00\x00\x00!\x00\x00\x20\x00hello"}, []string{"(\x01\x00\x00\x00!)", "\x00\x00\x20\x00hello"}, false},
	} {
		got, isDivided := dividedIn(c.set, 1<<20, c.texts...)
		if !slices.Equal(got, c.want) || isDivided != c.isDivided {
			t.Errorf("%s: %.200q, %v", c.name, got, isDivided)
		}
		if !c.isDivided {
			continue
		}
		for _, n := range []int{4, 5, 7} {
			if got, _ := dividedIn(c.set, n, c.texts...); !slices.Equal(got, c.want) {
				t.Errorf("%s in pieces of %d bytes: %.200q", c.name, n, got)
			}
		}
	}
	for _, text := range []string{"\x16\x03\x01\x02\x00\x01", "SSH-2.0-x\r\n", "a"} {
		if got, isDivided := dividedIn(0, 100, text); isDivided || fmt.Sprint(got) != fmt.Sprint([]string{text}) {
			t.Errorf("%q: %q, %v", text, got, isDivided)
		}
	}
}

// TestCorrupt: the framing and the mask stay, and a text remains UTF-8.
func TestCorrupt(t *testing.T) {
	d := NewDivider(payload.Unknown)
	d.Add(false, []byte(request))
	d.Add(true, []byte(response))
	for _, c := range []struct {
		text, want string
		isServer   bool
		from, at   int
	}{
		{maskedHello, "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x50\x58", false, 3, 3}, // "Helmo"
		{fragmentedHel + fragmentedLo, fragmentedHel + "\x80\x02mo", true, 3, 3},
		{"\x81\x03\xc3\xa4x", "\x81\x03\xc3\xa4y", true, 0, 2},                 // ä is passed over
		{"\x81\x02\xc3\xa4", "\x81\x02\xc3\xa4", true, 0, -1},                  // and no byte is left
		{"\x82\x02\xc3\xa4", "\x82\x02\xc2\xa4", true, 0, 0},                   // bytes are not
		{"\x82\x00", "\x82\x00", true, 0, -1},                                  // no payload
		{"\x82\x7e\x00\x02ab", "\x82\x7e\x00\x02ac", true, 1, 1},               // a longer head
		{"\x01\x00\x80\x02ab", "\x01\x00\x80\x02`b", true, 0, 0},               // an empty fragment
		{"\x01\x02\xc3\xa4\x80\x01a", "\x01\x02\xc3\xa4\x80\x01`", true, 1, 2}, // text goes on in the next
	} {
		all := d.Add(c.isServer, []byte(c.text))
		if len(all) != 1 {
			t.Fatalf("%q: %d", c.text, len(all))
		}
		at := all[0].Corrupt(c.from, 1)
		if string(all[0].Bytes) != c.want || at != c.at {
			t.Errorf("%q: %q, %d", c.text, all[0].Bytes, at)
		}
	}
}

// FuzzDivider: whatever two sides send, in whatever pieces, nothing is lost or made up.
func FuzzDivider(f *testing.F) {
	f.Add([]byte(request+fragmentedHel+pingHello+fragmentedLo), []byte(response+maskedHello), 7)
	f.Add([]byte("\x05\x00\x00\x00hello"), []byte("\x00\x00\x00\x05"), 3)
	f.Fuzz(func(t *testing.T, client, server []byte, piece int) {
		d := NewDivider(payload.Unknown)
		left := [2]int{len(client), len(server)}
		for len(client)+len(server) > 0 {
			for i, b := range []*[]byte{&client, &server} {
				n := min(max(piece, 1), len(*b))
				for _, c := range d.Add(i == 1, (*b)[:n]) {
					left[i] -= len(c.Bytes)
					if c.Corrupt(piece&0xffff, 1) < -1 || c.Size() > len(c.Bytes) {
						t.Errorf("%q", c.Bytes)
					}
				}
				*b = (*b)[n:]
			}
		}
		if left[0] -= len(d.End(false).Bytes); left[0] != 0 {
			t.Errorf("of the client %d bytes are left", left[0])
		}
		if left[1] -= len(d.End(true).Bytes); left[1] != 0 {
			t.Errorf("of the server %d bytes are left", left[1])
		}
	})
}
