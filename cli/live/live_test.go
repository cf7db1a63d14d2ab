package live

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varview/cli/env"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/payload"
)

// A session is a listen at work.
type session struct {
	t       *testing.T
	address string
	out     *os.File
	file    string
	told    *bufio.Reader // standard error
	tell    *os.File
	stop    func()
	done    chan error
	session *Session
}

// begin starts listen, or proxy with a server.
func begin(t *testing.T, network, server string, faults ...string) *session {
	t.Helper()
	return beginWith(t, network, server, Options{}, faults...)
}

func beginWith(t *testing.T, network, server string, o Options, faults ...string) *session {
	t.Helper()
	s := &session{t: t, file: filepath.Join(t.TempDir(), "out.pcapng"), done: make(chan error, 1)}
	var err error
	if s.out, err = os.Create(filepath.Join(t.TempDir(), "out.txt")); err != nil {
		t.Fatal(err)
	}
	told, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s.told, s.tell = bufio.NewReader(told), tell
	t.Cleanup(func() { s.out.Close(); told.Close(); tell.Close() })
	o.Output.Path = s.file
	for _, rule := range faults {
		f, err := parseFault(rule)
		if err != nil {
			t.Fatal(err)
		}
		o.Faults = append(o.Faults, f)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	t.Cleanup(stop)
	began := make(chan *Session, 1)
	o.Began = func(s *Session) { began <- s }
	go func() {
		s.done <- Run(ctx, &env.Env{Stdout: s.out, Stderr: tell}, network, "127.0.0.1:0", server, o)
	}()
	line, err := s.told.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(strings.ReplaceAll(line, ",", ""))
	s.address = words[4]
	s.session = <-began
	return s
}

// printed returns what is printed so far.
func (s *session) printed() string {
	b, _ := os.ReadFile(s.out.Name())
	return string(b)
}

// end ends the session and returns what was printed, and the payloads in the file.
func (s *session) end() (printed string, recorded []string) {
	s.t.Helper()
	s.stop()
	if err := <-s.done; err != nil && !errors.Is(err, context.Canceled) {
		s.t.Fatal(err)
	}
	b, err := os.ReadFile(s.out.Name())
	if err != nil {
		s.t.Fatal(err)
	}
	data, err := os.ReadFile(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	var r recorder
	if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{}, &r); err != nil {
		s.t.Fatal(err)
	}
	return string(b), r.payloads
}

type recorder struct{ payloads []string }

func (r *recorder) Payload(p *payload.Payload) { r.payloads = append(r.payloads, string(p.Bytes)) }
func (r *recorder) Closed(*payload.Flow)       {}
func (r *recorder) Problem(p *payload.Problem) {
	if !p.Event && p.Severity > span.Note {
		r.payloads = append(r.payloads, p.Message)
	}
}

// echo is a server of UDP that answers with what it is sent. It returns its address.
func echo(t *testing.T) string {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 1<<16)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			_, _ = c.WriteTo(b[:n], from)
		}
	}()
	return c.LocalAddr().String()
}

// dial connects, with a limit of time for all that follows.
func dial(t *testing.T, network, address string) net.Conn {
	t.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	t.Cleanup(func() { c.Close() })
	return c
}

// Variants that are sent: 7, and "hello".
const (
	seven = "\x02\x00\x00\x00\x07\x00\x00\x00"
	hello = "\x04\x00\x00\x00\x05\x00\x00\x00hello\x00\x00\x00"
)

// TestProxyUDP: datagrams pass in both directions, are printed and recorded.
func TestProxyUDP(t *testing.T) {
	s := begin(t, "udp", echo(t))
	c := dial(t, "udp", s.address)
	b := make([]byte, 100)
	for _, text := range []string{seven, hello} {
		if _, err := c.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		n, err := c.Read(b)
		if err != nil || string(b[:n]) != text {
			t.Fatalf("%q comes back as %q, %v", text, b[:n], err)
		}
	}
	printed, recorded := s.end()
	if strings.Count(printed, `"hello"`) != 2 || strings.Count(printed, " 7\n") != 2 {
		t.Errorf("%s", printed)
	}
	if strings.Join(recorded, "|") != strings.Join([]string{seven, seven, hello, hello}, "|") {
		t.Errorf("%q", recorded)
	}
}

// TestFaults: packets are dropped, changed, sent twice and late, and that is printed.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		rule, printed string
		count         int // datagrams that come back
		changed       bool
		later         bool // the rule comes while it listens, in place of another
	}{
		{rule: "drop=100%", printed: "dropped", count: 0},
		{rule: "drop=100%", printed: "dropped", count: 0, later: true},
		{rule: "drop=0% duplicate=100%", printed: "duplicated", count: 4}, // twice to the server, each twice back
		{rule: "corrupt=100%", printed: "corrupted at byte", count: 1, changed: true, later: true},
		{rule: "delay=20ms", printed: "7\n", count: 1}, // which is said once, when it begins
		{rule: "reorder=100%", printed: "overtaken by others, ", count: 1},
	} {
		s := begin(t, "udp", echo(t), c.rule)
		if c.later {
			s = begin(t, "udp", echo(t), "delay=1ms")
			if err := s.session.Fault([]string{c.rule}); err != nil {
				t.Fatal(err)
			}
		}
		conn := dial(t, "udp", s.address)
		if _, err := conn.Write([]byte(seven)); err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
		if c.count > 0 {
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		}
		b := make([]byte, 100)
		got := 0
		for range max(c.count, 1) {
			n, err := conn.Read(b)
			if err != nil {
				break
			}
			got++
			if n != len(seven) || !c.changed && string(b[:n]) != seven {
				t.Errorf("%s: %q comes back", c.rule, b[:n])
			}
		}
		printed, _ := s.end()
		if got != c.count || !strings.Contains(printed, strings.TrimSuffix(c.printed, ", ")) || strings.Contains(printed, "delayed") {
			t.Errorf("%s: %d come back\n%s", c.rule, got, printed)
		}
	}
}

// TestParseFault: rules that make no sense are refused.
func TestParseFault(t *testing.T) {
	for _, rule := range []string{"", "method:move", "drop=10", "drop=101%", "drop=x%", "delay=50", "delay=-1s", "delay=2h", "method: drop=1%", "speed=3", "reorder=3", "delay=10ms±20ms", "delay=10ms±x"} {
		if f, err := parseFault(rule); err == nil {
			t.Errorf("%q: %+v", rule, f)
		}
	}
	f, err := parseFault("method:move from:1 drop=10% delay=50ms")
	if err != nil || f.query == nil || f.drop != 0.1 || f.delay != 50*time.Millisecond {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := parseFault("delay=50ms±20ms reorder=2%"); err != nil || f.jitter != 20*time.Millisecond || f.reorder != 0.02 || f.String() != "each packet is delayed by 50ms±20ms" {
		t.Errorf("%s, %v", &f, err)
	}
}

// TestSeed: a seed draws the same faults again, and delays stay within their jitter.
func TestSeed(t *testing.T) {
	f, err := parseFault("drop=20% delay=50ms±20ms corrupt=30%")
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) (all string) {
		random := rand.New(rand.NewPCG(seed, seed))
		for range 50 {
			c := network.NewMessage([]byte(seven))
			d := apply(random, []Fault{f}, &c, "packet")
			if d.times > 0 && (d.delay < 30*time.Millisecond || d.delay > 70*time.Millisecond) {
				t.Errorf("delayed by %v", d.delay)
			}
			all += fmt.Sprintln(d.times, d.all())
		}
		return all
	}
	if first, again := draw(3), draw(3); first != again || first == draw(4) {
		t.Error("a seed does not draw the same faults")
	}
}

// TestAbsent: a server that is not there is said once.
func TestAbsent(t *testing.T) {
	datagrams, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	datagrams.Close()
	streams, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	streams.Close()
	for network, at := range map[string]net.Addr{"udp": datagrams.LocalAddr(), "tcp": streams.Addr()} {
		s := begin(t, network, at.String())
		for range 3 {
			_, _ = dial(t, network, s.address).Write([]byte(seven)) // which may be refused
		}
		line, err := s.told.ReadString('\n')
		if err != nil || !strings.Contains(line, "nobody listens at "+at.String()) {
			t.Error(network, line, err)
		}
		s.end()
	}
}

// TestProxyTCP: a stream passes in both directions, and its values are printed and recorded.
func TestProxyTCP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	s := begin(t, "tcp", l.Addr().String(), "delay=1ms")
	c := dial(t, "tcp", s.address)
	sent := "\x08\x00\x00\x00" + seven + "\x10\x00\x00\x00" + hello
	if _, err := io.WriteString(c, sent); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, len(sent))
	if _, err := io.ReadFull(c, b); err != nil || string(b) != sent {
		t.Fatalf("%q, %v", b, err)
	}
	c.Close()
	printed, recorded := s.end()
	if strings.Count(printed, `"hello"`) != 2 || len(recorded) != 4 || strings.Count(strings.Join(recorded, ""), hello) != 2 {
		t.Errorf("%q\n%s", recorded, printed)
	}
}

// TestListen: what is sent is printed within a second, while it still listens.
func TestListen(t *testing.T) {
	s := begin(t, "udp", "")
	c := dial(t, "udp", s.address)
	if _, err := c.Write([]byte(hello)); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if b, _ := os.ReadFile(s.out.Name()); strings.Contains(string(b), `"hello"`) {
			s.end()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("nothing was printed")
}

// TestExists: a file is not replaced unless that is asked for.
func TestExists(t *testing.T) {
	name := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(name, []byte("content"), 0o644); err != nil {
		t.Fatal(err)
	}
	var o Options
	o.Output.Path = name
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	err = Run(context.Background(), &env.Env{Stdout: null, Stderr: null}, "udp", "127.0.0.1:0", "", o)
	if b, _ := os.ReadFile(name); err == nil || string(b) != "content" {
		t.Errorf("%v, %q", err, b)
	}
}
