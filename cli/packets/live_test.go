package packets

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"varview/cli/env"
	"varview/decoder/network/link"
	"varview/decoder/network/message"
	"varview/decoder/network/pcap"
)

var client, server = netip.MustParseAddrPort("127.0.0.1:50000"), netip.MustParseAddrPort("127.0.0.1:7000")

// value is the Variant of a string of 8 bytes.
func value(i int) string { return fmt.Sprintf("\x04\x00\x00\x00\x08\x00\x00\x00value%03d", i) }

// A dialogue makes the packets of a TCP connection in which mostly the client sends.
type dialogue struct{ sent, answered uint32 }

func (d *dialogue) say(text string) []byte {
	b := link.Segment(client, server, 1+d.sent, 1+d.answered, link.ACK, []byte(text))
	d.sent += uint32(len(text))
	return b
}

func (d *dialogue) answer(text string) []byte {
	b := link.Segment(server, client, 1+d.answered, 1+d.sent, link.ACK, []byte(text))
	d.answered += uint32(len(text))
	return b
}

func (d *dialogue) open() [][]byte {
	return [][]byte{link.Segment(client, server, 0, 0, link.SYN, nil), link.Segment(server, client, 0, 1, link.SYN|link.ACK, nil)}
}

// enetReliable is a datagram with a reliable command.
func enetReliable(i int, payload string) string {
	return fmt.Sprintf("\x80\x00\x00\x00\x86\x00\x00%c\x00%c%s", i, len(payload), payload)
}

// An exchange is a flow: packets with which it begins, and those that follow, each with a message.
type exchange struct {
	name  string
	begin [][]byte
	next  func(i int) []byte
}

// exchanges returns a flow of each transport.
func exchanges() []exchange {
	var values, web dialogue
	return []exchange{
		{"udp", nil, func(i int) []byte {
			if i%2 == 0 {
				return link.Datagram(client, server, []byte(value(i)))
			}
			return link.Datagram(server, client, []byte(value(i)))
		}},
		{"enet", nil, func(i int) []byte { return link.Datagram(client, server, []byte(enetReliable(i+1, value(i)))) }},
		{"tcp", values.open(), func(i int) []byte { return values.say("\x10\x00\x00\x00" + value(i)) }},
		{"websocket", append(web.open(),
			web.say("GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n"),
			web.answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")),
			func(i int) []byte { return web.say("\x82\x90\x00\x00\x00\x00" + value(i)) }},
	}
}

// TestSteady: a message is printed half a second after it came at the latest, also while more come
// all the time.
func TestSteady(t *testing.T) {
	for _, c := range exchanges() {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { steady(t, c.begin, c.next) })
		})
	}
}

// none is a judge that gives a packet no faults.
func none([]int) []string { return nil }

// printing returns what prints the message of a packet, and what was printed.
func printing(t *testing.T) (packet func([]byte), printed func() string) {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLive(&env.Env{Stdout: out, Stderr: out}, "", Options{}, func(*message.Message, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		out.Close()
	})
	frame := 0
	return func(b []byte) {
			frame++
			if err := l.Packet(&pcap.Packet{Frame: frame, Data: b, Wire: len(b), Time: time.Now(), Link: pcap.LinkRaw}, none); err != nil {
				t.Fatal(err)
			}
		}, func() string {
			synctest.Wait()
			b, _ := os.ReadFile(out.Name())
			return string(b)
		}
}

func steady(t *testing.T, begin [][]byte, next func(i int) []byte) {
	packet, printed := printing(t)
	for _, b := range begin {
		packet(b)
	}
	time.Sleep(10 * time.Second) // nothing is held back: what comes first must not wait for longer, nor shorter
	for i := range 30 {
		packet(next(i))
		time.Sleep(100 * time.Millisecond)
		all := printed()
		if n := strings.Count(all, `"value`); n < i-4 || i == 3 && n > 0 {
			t.Fatalf("%d of %d messages after %d ms:\n%s", n, i+1, 100*(i+1), all)
		}
	}
}

// TestHeldApart: a flow that begins late is not judged by its first message because another one
// began before.
func TestHeldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		packet, printed := printing(t)
		other := netip.MustParseAddrPort("127.0.0.1:50001")
		for _, x := range []struct {
			from  netip.AddrPort
			text  string
			sleep time.Duration
		}{{client, value(1), 450 * time.Millisecond}, {other, "no value", 100 * time.Millisecond}, {other, value(2), time.Second}} {
			packet(link.Datagram(x.from, server, []byte(x.text)))
			time.Sleep(x.sleep)
		}
		if all := printed(); strings.Count(all, `"value`) != 2 {
			t.Error(all)
		}
	})
}

// TestFlowsByTime: --every counts a message in the interval of its packet, also one that was held back until
// it was known what the flow has.
func TestFlowsByTime(t *testing.T) {
	for _, c := range exchanges() {
		name := filepath.Join(t.TempDir(), "flows.pcapng")
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w, _ := pcap.NewWriter(file)
		for _, b := range c.begin {
			_ = w.Packet(b, time.Unix(9, 0))
		}
		for i := range 60 {
			_ = w.Packet(c.next(i), time.Unix(10, 0).Add(time.Duration(i)*50*time.Millisecond))
		}
		file.Close()
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(t.Context(), &env.Env{Stdout: out, Stderr: out}, name, "", Options{Flows: true, Every: 500 * time.Millisecond, JSON: true, Extract: -1}); err != nil {
			t.Fatal(err)
		}
		out.Close()
		printed, _ := os.ReadFile(out.Name())
		all := 0
		for line := range strings.Lines(string(printed)) {
			var r flowRow
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if all += r.Messages; r.Messages != r.Packets && (r.Time > 0 || c.begin == nil) {
				t.Errorf("%s: %d messages in %d packets at %v s", c.name, r.Messages, r.Packets, r.Time)
			}
		}
		if all != 60 {
			t.Errorf("%s: %d messages:\n%s", c.name, all, printed)
		}
	}
}
