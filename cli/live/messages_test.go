package live

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"varview/decoder/network"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

// A talk is what a client sends to a server through a proxy.
type talk struct {
	ask, answer string   // first, unless they are empty
	texts       []string // then
}

// An outcome is what comes of a talk.
type outcome struct {
	asked, got    string // by the server
	printed, told string
	recorded      []string // payloads
	file          string
}

// through returns what the server gets, what is printed and what is recorded.
func (x talk) through(t *testing.T, o Options, rule string) outcome {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heads, rest := make(chan string, 1), make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		b := make([]byte, 4096)
		n := 0
		if x.ask != "" {
			n, _ = c.Read(b)
			_, _ = io.WriteString(c, x.answer)
		}
		heads <- string(b[:n])
		all, _ := io.ReadAll(c)
		rest <- string(all)
	}()
	s := beginWith(t, "tcp", l.Addr().String(), o, rule)
	c := dial(t, "tcp", s.address)
	if x.ask != "" {
		_, _ = io.WriteString(c, x.ask)
		if _, err := io.ReadFull(c, make([]byte, len(x.answer))); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range x.texts {
		_, _ = io.WriteString(c, text)
		time.Sleep(5 * time.Millisecond) // so that they come in pieces
	}
	c.Close()
	r := outcome{asked: <-heads, got: <-rest, file: s.file}
	r.printed, r.recorded = s.end()
	s.tell.Close()
	b, _ := io.ReadAll(s.told)
	r.told = strings.TrimPrefix(string(b), "varview: each packet is delayed by 1ms\n")
	return r
}

// TestFaultsTCP: of values over TCP some are lost, come twice, late or damaged, each as a whole.
func TestFaultsTCP(t *testing.T) {
	first, second := "\x08\x00\x00\x00"+seven, "\x10\x00\x00\x00"+hello
	x := talk{texts: []string{first + second[:2], second[2:9], second[9:] + first}}
	var o Options
	o.Protocols = map[int]message.Protocol{1: message.Variants3} // so that queries hold from the start
	for _, c := range []struct{ rule, want, printed string }{
		{"drop=100%", "", "message 1: dropped\n"},
		{"duplicate=100%", first + first + second + second + first + first, "message 0: duplicated\n"},
		{"hello drop=100%", first + first, "message 1: dropped\n"},
		{"size:8 drop=100%", second, "message 2: dropped\n"},
		{"hello delay=50ms duplicate=100%", first + second + second + first, "message 1: duplicated, delayed by 50ms\n"},
	} {
		r := x.through(t, o, c.rule)
		if r.got != c.want || !strings.Contains(r.printed, c.printed) || r.told != "" {
			t.Errorf("%s: %q\n%s%s", c.rule, r.got, r.printed, r.told)
		}
		if values(r.recorded) != c.want {
			t.Errorf("%s: recorded %q, not what the server got: %q", c.rule, r.recorded, r.got)
		}
	}
	r := x.through(t, o, "hello corrupt=100%")
	if got := r.got; len(got) != len(x.all()) || got == x.all() || got[:16] != x.all()[:16] || got[32:] != x.all()[32:] || !strings.Contains(r.printed, "message 1: corrupted at byte ") {
		t.Errorf("%q\n%s", got, r.printed)
	}
	if values(r.recorded) != r.got {
		t.Errorf("recorded %q, not what the server got: %q", r.recorded, r.got)
	}
	expectComments(t, r.file, "corrupted at byte [0-9]+ of the message \\(printed as frame 5, message 1\\)")
}

// values returns values with their lengths.
func values(payloads []string) string {
	var b []byte
	for _, p := range payloads {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p))), p...)
	}
	return string(b)
}

func (x talk) all() string { return strings.Join(x.texts, "") }

// TestFaultsWebSocket: messages are lost and come twice with all their frames; the head of HTTP and
// what is between messages stay, but for the extensions.
func TestFaultsWebSocket(t *testing.T) {
	// "Hello", a ping and "Hello" in two frames, as in RFC 6455, 5.7, but all with masks.
	const hello, ping, begin, end = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", "\x89\x80\x01\x02\x03\x04",
		"\x01\x83\x00\x00\x00\x00Hel", "\x80\x82\x00\x00\x00\x00lo"
	const bye = "\x88\x82\x00\x00\x00\x00\x03\xe8"
	const ask = "GET /game HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
	const offer = "sec-websocket-extensions: permessage-deflate\r\n"
	x := talk{ask + offer + "\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", []string{hello[:5], hello[5:] + begin, ping, end + hello + bye}}
	for _, c := range []struct{ rule, asked, want string }{
		{"drop=100%", ask + "\r\n", ping + bye},
		{"duplicate=100%", ask + "\r\n", hello + hello + ping + begin + end + begin + end + hello + hello + bye},
		{"delay=1ms", x.ask, hello + begin + ping + end + hello + bye}, // as it comes
	} {
		r := x.through(t, Options{}, c.rule)
		if r.asked != c.asked || r.got != c.want || r.told != "" {
			t.Errorf("%s: %q %q\n%s%s", c.rule, r.asked, r.got, r.printed, r.told)
		}
		if len(r.recorded) != strings.Count(c.want, "Hel")+strings.Count(c.want, hello) {
			t.Errorf("%s: recorded %q", c.rule, r.recorded)
		}
	}
}

// TestFaultsUnknown: data without messages passes, and that is reported once.
func TestFaultsUnknown(t *testing.T) {
	x := talk{texts: []string{"SSH-2.0-client\r\n", "and more"}}
	r := x.through(t, Options{}, "drop=100% delay=1ms")
	if r.got != x.all() || strings.Count(r.told, "carries neither WebSocket nor values with a length before each") != 1 {
		t.Errorf("%q\n%s", r.got, r.told)
	}
	if r := x.through(t, Options{}, "delay=1ms"); r.got != x.all() || r.told != "" {
		t.Errorf("%q\n%s", r.got, r.told)
	}
}

// TestDelayTCP: what comes late does not hold up what follows for longer.
func TestDelayTCP(t *testing.T) {
	first := "\x08\x00\x00\x00" + seven
	var x talk
	for range 20 {
		x.texts = append(x.texts, first)
	}
	began := time.Now()
	got := x.through(t, Options{}, "delay=200ms").got
	if took := time.Since(began); got != x.all() || took < 200*time.Millisecond || took > 2*time.Second {
		t.Errorf("%q after %v", got, took)
	}
}

// TestFaultsLate: a rule with a query says which messages it could not reach, as it was not known yet what the flow carries.
func TestFaultsLate(t *testing.T) {
	first := "\x10\x00\x00\x00" + hello
	x := talk{texts: []string{first, first}}
	r := x.through(t, Options{}, "hello drop=100%")
	want := "varview: message 0 and others that came before it was known what flow 1 carries were passed on without the faults of their rule: --flow 1=godot4 says it from the start\n"
	if r.got != x.all() || r.told != want {
		t.Errorf("%q\n%s", r.got, r.told)
	}
}

// TestNoTrips: a recording of TCP says nothing about round trips, which the program does not see.
func TestNoTrips(t *testing.T) {
	first := "\x10\x00\x00\x00" + hello
	r := talk{ask: first, answer: first, texts: []string{first, first}}.through(t, Options{}, "delay=1ms")
	data, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	var flow *payload.Flow
	if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{Flow: func(f *payload.Flow) { flow = f }}, &recorder{}); err != nil || len(r.recorded) != 4 {
		t.Fatal(err, r.recorded)
	}
	if n, m := flow.Sent[0].Trips.Count, flow.Sent[1].Trips.Count; n+m != 0 {
		t.Errorf("%+v", flow.Sent)
	}
}
