package live

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"varview/decoder/capture/message"
)

// A talk is what a client sends to a server through a proxy.
type talk struct {
	ask, answer string   // first, unless they are empty
	texts       []string // then
}

// through returns what the server gets, and what is printed.
func (x talk) through(t *testing.T, o Options, rule string) (asked, got, printed, told string) {
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
	asked, got = <-heads, <-rest
	printed, _ = s.end()
	s.tell.Close()
	b, _ := io.ReadAll(s.told)
	return asked, got, printed, string(b)
}

// TestFaultsTCP: of values over TCP some are lost, come twice, late or damaged, each as a whole.
func TestFaultsTCP(t *testing.T) {
	first, second := "\x08\x00\x00\x00"+seven, "\x10\x00\x00\x00"+hello
	x := talk{texts: []string{first + second[:2], second[2:9], second[9:] + first}}
	var o Options
	o.Protocols = map[int]message.Protocol{1: message.Variants3} // so that queries hold from the start
	for _, c := range []struct{ rule, want, printed string }{
		{"drop=100%", "", "the message of 20 bytes: dropped\n"},
		{"duplicate=100%", first + first + second + second + first + first, "the message of 12 bytes: duplicated\n"},
		{"hello drop=100%", first + first, "the message of 20 bytes: dropped\n"},
		{"size:8 drop=100%", second, "the message of 12 bytes: dropped\n"},
		{"hello delay=50ms duplicate=100%", first + second + second + first, "the message of 20 bytes: duplicated, delayed by 50ms\n"},
	} {
		_, got, printed, told := x.through(t, o, c.rule)
		if got != c.want || !strings.Contains(printed, c.printed) || told != "" {
			t.Errorf("%s: %q\n%s%s", c.rule, got, printed, told)
		}
	}
	_, got, printed, _ := x.through(t, o, "hello corrupt=100%")
	if len(got) != len(x.all()) || got == x.all() || got[:16] != x.all()[:16] || got[32:] != x.all()[32:] || !strings.Contains(printed, "the message of 20 bytes: corrupted at byte ") {
		t.Errorf("%q\n%s", got, printed)
	}
}

func (x talk) all() string { return strings.Join(x.texts, "") }

// TestFaultsWebSocket: messages are lost and come twice with all their frames; the head of HTTP and
// what is between messages stay, but for the extensions.
func TestFaultsWebSocket(t *testing.T) {
	// "Hello", a ping and "Hello" in two frames, as in RFC 6455, 5.7, but all with masks.
	const hello, ping, begin, end = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", "\x89\x80\x01\x02\x03\x04",
		"\x01\x83\x00\x00\x00\x00Hel", "\x80\x82\x00\x00\x00\x00lo"
	const ask = "GET /game HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
	const offer = "sec-websocket-extensions: permessage-deflate\r\n"
	x := talk{ask + offer + "\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", []string{hello[:5], hello[5:] + begin, ping, end + hello}}
	for _, c := range []struct{ rule, asked, want string }{
		{"drop=100%", ask + "\r\n", ping},
		{"duplicate=100%", ask + "\r\n", hello + hello + ping + begin + end + begin + end + hello + hello},
		{"delay=1ms", x.ask, hello + begin + ping + end + hello}, // as it comes
	} {
		asked, got, printed, told := x.through(t, Options{}, c.rule)
		if asked != c.asked || got != c.want || told != "" {
			t.Errorf("%s: %q %q\n%s%s", c.rule, asked, got, printed, told)
		}
	}
}

// TestFaultsUnknown: what carries no messages passes, and that is said once.
func TestFaultsUnknown(t *testing.T) {
	x := talk{texts: []string{"SSH-2.0-client\r\n", "and more"}}
	_, got, _, told := x.through(t, Options{}, "drop=100% delay=1ms")
	if got != x.all() || strings.Count(told, "carries neither WebSocket nor values with a length before each") != 1 {
		t.Errorf("%q\n%s", got, told)
	}
	if _, got, _, told := x.through(t, Options{}, "delay=1ms"); got != x.all() || told != "" {
		t.Errorf("%q\n%s", got, told)
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
	_, got, _, _ := x.through(t, Options{}, "delay=200ms")
	if took := time.Since(began); got != x.all() || took < 200*time.Millisecond || took > 2*time.Second {
		t.Errorf("%q after %v", got, took)
	}
}
